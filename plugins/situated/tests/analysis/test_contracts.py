"""What core asks of every analysis."""

from collections.abc import Sequence

from stored import bank, cell, run, together

from recfw.model.results import Results
from recfw.testing.contracts import AnalysisContract
from recfw.testing.results import MemoryResults
from recfw_situated.analysis.situated import Situated, SituatedPaper


def results() -> list[Results]:
    """Return nothing, a run whose trials all failed, and one of two assistants with a cohort of another user."""
    tasks = bank(shoppers=2)
    failed = run("r0", [cell("guide")], tasks, lambda *_: None)
    some = run("r1", [cell("guide"), cell("other")], tasks, lambda *_: {"success": 1.0, "turns_to_purchase": 4.0})
    cohort = run("r2", [cell("guide", user="weak")], tasks[:1], lambda *_: {})
    return [MemoryResults((), {}, {}), together(failed), together(some, cohort)]


class TestSituated(AnalysisContract):
    """The analysis ``situated``."""

    component = Situated

    def results(self) -> Sequence[Results]:
        """Return stored results."""
        return results()


class TestSituatedPaper(AnalysisContract):
    """The analysis ``situated-paper``."""

    component = SituatedPaper

    def results(self) -> Sequence[Results]:
        """Return stored results."""
        return results()
