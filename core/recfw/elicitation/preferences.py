"""Soft preferences: what a user would like but does not require, how strongly, and how well an item meets it."""

from collections.abc import Collection, Mapping
from typing import Any

import attrs

from recfw.elicitation.labels import LabelTree
from recfw.elicitation.predicates import Predicate, holds
from recfw.errors import DataError

STRONG, PLAIN, SLIGHT = 3.0, 2.0, 1.0
"""Weights that have words of their own: from 3 on strong, from 2 on plain, below slight."""


def _check_weight(_preference: "Preference", _attribute: object, weight: float) -> None:
    if isinstance(weight, bool) or not isinstance(weight, int | float) or not 0 < weight < float("inf"):
        raise DataError(f"a preference's weight is a number above 0, not {weight!r}.")


@attrs.frozen
class Preference:
    """
    Something that an item may lack and still be acceptable.

    Args:
        predicate: What would be liked; its reveal tag says when it is told.
        weight: How much, beside the user's other preferences; above 0.
    """

    predicate: Predicate
    weight: float = attrs.field(default=PLAIN, validator=_check_weight)

    @property
    def field(self) -> str:
        """The field that it is about."""
        return self.predicate.field


def grade(
    preferences: Collection[Preference], record: Mapping[str, Any], trees: Mapping[str, LabelTree] | None = None
) -> float | None:
    """
    Return the share of the preferences' weight that a record meets, in [0, 1]; None where there are no preferences.

    It says nothing of requirements: an item that misses one of those is not acceptable, whatever its grade.
    """
    total = sum(each.weight for each in preferences)
    met = sum(each.weight for each in preferences if holds(each.predicate, record, trees))
    return met / total if preferences else None
