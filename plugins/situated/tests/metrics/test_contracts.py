"""What core asks of every metric."""

from collections.abc import Sequence

from trajectories import call, did, episode, goal, neutral, observed, said, task, violation

from recfw.model.task import Task
from recfw.model.trace import Trace
from recfw.testing.contracts import MetricContract
from recfw_situated.metrics.component import SituatedConduct, SituatedFigures


def cases() -> list[tuple[Task, Trace]]:
    """Return an episode with a bit of everything, one that was cut off, and one of the furnishings store."""
    whole = episode(
        *(observed(1, "fixture:dairy"), said(1, "Navigate", call("turn", direction="left"), goal=goal("fixture", "x"))),
        *(did(1, call("turn", direction="left")), violation(1, "user", "3"), neutral(2), did(2, neutral=True)),
        *(said(3, "Recommend", call("add_to_cart"), ranking=["milk"]), did(3, call("add_to_cart"), ("milk",))),
    )
    return [
        (task(reference=("milk",)), whole),
        (task(), Trace((said(1),))),
        (task("furnishings"), episode(said(1), did(1))),
    ]


class TestFigures(MetricContract):
    """The metric ``situated``."""

    component = SituatedFigures

    def cases(self) -> Sequence[tuple[Task, Trace]]:
        """Return tasks with traces."""
        return cases()


class TestConduct(MetricContract):
    """The metric ``situated-conduct``."""

    component = SituatedConduct

    def cases(self) -> Sequence[tuple[Task, Trace]]:
        """Return tasks with traces."""
        return cases()
