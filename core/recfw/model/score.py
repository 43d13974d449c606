"""A score: one figure of one trial, and who gave it."""

from typing import Any

from attrs import Factory, frozen


@frozen
class Score:
    """
    One figure.

    Args:
        metric: The figure's name.
        value: The figure; None where it does not apply or could not be had, which is never the same as 0.
        scorer: Identity of the metric or judge that gave it: name, version, and for a judge its model and prompt hash.
        detail: Whatever explains the figure.
    """

    metric: str
    value: float | None
    scorer: str
    detail: dict[str, Any] = Factory(dict)
