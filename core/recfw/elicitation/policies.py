"""
Policies: rules on what an agent may put before the user, each scored apart from whether the recommendation was right.

An environment notes an event ``offer`` of every item that is put before the user, with whatever its policies need to
know (:meth:`recfw.elicitation.talk.CatalogTalk.offered` does so for a talk). A policy says which offers it concerns and
which of those keep it.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from attrs import frozen

from recfw.elicitation.talk import OFFER, was_right
from recfw.model.task import Task
from recfw.model.trace import Trace
from recfw.protocols import Metric, NoOptions

Offer = Mapping[str, Any]

ALL, CLEAN = "all_policies", "clean_success"
"""The figures that :class:`Policies` adds to those of the policies."""


def _every(offer: Offer) -> bool:  # noqa: ARG001 - whatever it is
    return True


@frozen
class Policy:
    """
    One rule.

    Args:
        sentence: What its figure says, for people.
        keeps: Whether an offer that it concerns keeps it.
        concerns: Whether it is about an offer; it is about all unless told.
    """

    sentence: str
    keeps: Callable[[Offer], bool]
    concerns: Callable[[Offer], bool] = _every


def offers(trace: Trace) -> Sequence[Offer]:
    """Return what was put before the user, in order: the data of each ``offer``."""
    return [event.data for event in trace.world(OFFER)]


def kept(policies: Mapping[str, Policy], trace: Trace) -> dict[str, float | None]:
    """
    Return policy -> whether it was kept.

    1 where each offer that it concerns keeps it, 0 where one does not, None where it concerns none: a rule that never
    applied was neither kept nor broken, and None stays out of means and of n.
    """
    made = offers(trace)
    found: dict[str, float | None] = {}
    for name, policy in policies.items():
        verdicts = [policy.keeps(offer) for offer in made if policy.concerns(offer)]
        found[name] = float(all(verdicts)) if verdicts else None
    return found


class Policies(Metric):
    """
    Whether each policy was kept, whether all were, and success without a broken one.

    A track subclasses it with a ``name`` and its ``policies``; ``figures`` follows from them.

    Attributes:
        policies: Figure -> policy.
    """

    policies: ClassVar[Mapping[str, Policy]] = {}
    summary: ClassVar[str] = "whether each policy was kept, where it applied"
    figures: ClassVar[Mapping[str, str]] = {}

    def __init_subclass__(cls, **extra: Any) -> None:
        """Take the figures' sentences from the policies."""
        super().__init_subclass__(**extra)
        cls.figures = {
            **{name: policy.sentence for name, policy in cls.policies.items()},
            ALL: "1 where every policy that applied was kept; None where none applied.",
            CLEAN: "1 where the recommendation was right and no policy was broken, else 0.",
        }

    def __init__(self, options: NoOptions) -> None:
        self.options = options

    def right(self, task: Task, trace: Trace) -> bool:  # noqa: ARG002 - for tracks that judge otherwise
        """Tell whether the recommendation was right, whatever became of the policies."""
        return was_right(trace)

    def score(self, task: Task, trace: Trace) -> Mapping[str, float | None]:
        """Return the figures."""
        found = kept(self.policies, trace)
        applied = [value for value in found.values() if value is not None]
        clean = self.right(task, trace) and all(applied)
        return {**found, ALL: min(applied) if applied else None, CLEAN: float(clean)}
