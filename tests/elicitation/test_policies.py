"""Policies: kept, broken or not concerned, all of them, and success that is clean."""

from typing import ClassVar

import pytest

from recfw.elicitation.policies import Policies, Policy
from recfw.model.task import Task
from recfw.model.trace import EndEvent, Trace, WorldEvent
from recfw.protocols import NoOptions
from recfw.testing.contracts import MetricContract


class HatPolicies(Policies):
    """Two rules about hats."""

    name = "hat-policies"
    policies: ClassVar = {
        "dry": Policy("1 where no wet hat was offered.", lambda offer: not offer["wet"]),
        "tall": Policy("1 where tall hats were new.", lambda offer: offer["new"], lambda offer: offer["height"] > 9),
    }


def trace(*offers: tuple[bool, int, bool], right: bool = True) -> Trace:
    """Return a trace of offers (wet, height, new)."""
    noted = [WorldEvent("offer", {"wet": wet, "height": height, "new": new}) for wet, height, new in offers]
    return Trace((*noted, WorldEvent("recommended", {"right": right}), EndEvent("recommended")))


CASES = {
    "nothing was offered": (trace(), (None, None, None, 1.0)),
    "it concerns no offer": (trace((False, 1, False)), (1.0, None, 1.0, 1.0)),
    "kept by all that it concerns": (trace((False, 1, False), (False, 10, True)), (1.0, 1.0, 1.0, 1.0)),
    "broken by one": (trace((False, 1, False), (True, 1, True)), (0.0, None, 0.0, 0.0)),
    "one broken, one kept": (trace((False, 10, False)), (1.0, 0.0, 0.0, 0.0)),
    "kept, and not right": (trace((False, 10, True), right=False), (1.0, 1.0, 1.0, 0.0)),
}


class TestHatPolicies(MetricContract):
    """A metric of policies keeps the contract of metrics."""

    component = HatPolicies

    def cases(self):
        """Return a task with traces."""
        return [(Task("t", "t"), case[0]) for case in CASES.values()]


@pytest.mark.parametrize("what", CASES)
def test_a_policy_is_kept_broken_or_not_concerned(what: str) -> None:
    """Figures: each policy, all that applied, and success without a broken one."""
    given, (dry, tall, every, clean) = CASES[what]
    expected = {"dry": dry, "tall": tall, "all_policies": every, "clean_success": clean}
    assert HatPolicies(NoOptions()).score(Task("t", "t"), given) == expected


def test_figures_have_the_policies_sentences() -> None:
    """What people read of a figure is what its policy says."""
    assert list(HatPolicies.figures) == ["dry", "tall", "all_policies", "clean_success"]
    assert HatPolicies.figures["dry"] == "1 where no wet hat was offered."


def test_a_track_may_judge_success_otherwise() -> None:
    """`right` decides what is clean."""
    kind = type("Mine", (HatPolicies,), {"right": lambda self, task, trace: task.id == "t"})
    found = [kind(NoOptions()).score(Task(name, "t"), trace(right=False))["clean_success"] for name in ("t", "u")]
    assert found == [1.0, 0.0]
