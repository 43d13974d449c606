"""The analysis ``orchestration-paper``: the paper's tables 3 to 6 of any stored runs, with errors and agreement."""

from typing import ClassVar

from recfw.model.document import Document, Heading, Note, Report
from recfw.model.results import Results
from recfw.protocols import Analysis, NoOptions

TRACK = "orchestration"


class OrchestrationPaper(Analysis):
    """
    Figures by level and domain, rounds and calls against the budget, errors, and agreement of rule and judges.

    Cells of several runs stand in one table; a cell's name that several runs have is told apart by the run's id.
    """

    name = "orchestration-paper"
    summary = "The paper's tables 3 to 6 by level and domain, errors, rounds and calls, rule against judges."
    tracks = (TRACK,)
    Options: ClassVar[type] = NoOptions

    def __init__(self, options: NoOptions | None = None) -> None:
        self._options = options

    def report(self, results: Results) -> Report:
        """
        Compute the report.

        Raises:
            DataError: Stored rows contradict their run.
        """
        from recfw.report.figures import COUNTING_RULE, read_trials  # noqa: PLC0415 - listing analyses must stay light
        from recfw.report.plain import plain_operational  # noqa: PLC0415 - likewise
        from recfw_orchestration.analysis.document import blocks, plain  # noqa: PLC0415 - likewise
        from recfw_orchestration.analysis.findings import find  # noqa: PLC0415 - loads scipy

        runs = [read_trials(results, info) for info in results.runs]
        if not runs:
            nothing = (Heading("No run", 1), Note("There is nothing to report, because no run was named."))
            return Report(Document(nothing), {"agents": {}})
        found = find(runs)
        correlations = [
            {"level": level, "figure": figure, "over_trials": trials, "n_trials": n, "over_agents": agents}
            for (level, figure), (trials, n, agents) in found.correlations.items()
        ]
        figures = {"agents": plain(found), "spearman": correlations, "counting": COUNTING_RULE}
        return Report(Document(tuple(blocks(found))), figures, {"runs": [plain_operational(run) for run in runs]})
