"""The suite of analyses finds figures that tell runs of equal outcome apart."""

from typing import Any

import pytest

from recfw.builtin.summary import Summary, SummaryOptions
from recfw.model.document import Document, Heading, Report
from recfw.model.results import ResultRow, Results
from recfw.model.run import Status
from recfw.model.task import Task
from recfw.protocols import NoOptions
from recfw.testing.contracts import AnalysisContract
from recfw.testing.results import MemoryResults, Repeated, memory_run

USED = {"agent": {"seconds": 0.2, "cost": 0.5}}
ROW = ResultRow("r", "a", "t", 0, Status.COMPLETED, "done", 1, 0.5, USED, {"success": 1.0})


def stored() -> MemoryResults:
    """Return a run of one trial."""
    return memory_run([ROW], [Task("t", "t")], ["a"], run="r")


def analysis(told: Any) -> type[Any]:
    """Return an analysis whose figures are what a function tells of a run, given results and the run's record."""

    class Telling:
        name, Options = "telling", NoOptions

        def __init__(self, options: NoOptions) -> None: ...

        def report(self, results: Results) -> Report:
            return Report(Document((Heading("x"),)), {"runs": [told(results, info) for info in results.runs]})

    return Telling


@pytest.mark.parametrize(
    "told",
    [
        lambda results, info: info.id,
        lambda results, info: info.created,
        lambda results, info: [row.run for row in results.rows(info.id)],
        lambda results, info: [row.attempts for row in results.rows(info.id)],
        lambda results, info: [row.seconds for row in results.rows(info.id)],
        lambda results, info: [row.usage for row in results.rows(info.id)],
        lambda results, info: results.spending(info.id),
    ],
    ids=["run id", "date", "run of a trial", "attempts", "seconds", "usage", "spending"],
)
def test_figures_that_differ_between_equal_runs_are_found(told: Any) -> None:
    """Whatever of a run is no outcome must not be among figures; of such, only this test of the suite speaks."""
    case: Any = type("TestMine", (AnalysisContract,), {"component": analysis(told), "results": lambda _: [stored()]})()
    case.test_reports_the_same_twice()
    with pytest.raises(AssertionError, match=r"belongs into Report\.operational"):
        case.test_figures_are_those_of_the_outcome()


def test_an_outcome_is_the_same_when_it_is_repeated() -> None:
    """Tasks, scores, endings and traces of a repeated run are those of the first; its operational half is not."""
    first, second = Summary(SummaryOptions()).report(stored()), Summary(SummaryOptions()).report(Repeated(stored()))
    assert first.figures == second.figures
    spent = [found.operational["runs"][0]["cells"]["a"]["seconds"] for found in (first, second)]
    assert spent == [0.5, 2.0]
