"""The analyses ``situated``, a run's own table, and ``situated-paper``, the paper's tables and figures."""

from pathlib import Path
from typing import ClassVar

from attrs import field, frozen

from recfw.errors import UsageError
from recfw.model.document import Document, Heading, Note, Report
from recfw.model.results import Results
from recfw.protocols import PATH, Analysis

TRACK = "situated"


@frozen
class SituatedOptions:
    """
    Options of the analysis ``situated``.

    Args:
        user: The user of the main tables; empty for the one with most episodes.
    """

    user: str = ""


@frozen
class SituatedPaperOptions:
    """
    Options of the analysis ``situated-paper``.

    Args:
        user: The user of the main tables; empty for the one with most episodes.
        second: The second set of table 4: runs (ids or unique beginnings, with commas), or else a user.
        plan: The plan of a human evaluation, ``assignment.csv``.
        answers: Its questionnaire, filled in.
        film: A trial (cell/task/number) of which frames are shown, rendered anew; empty for none.
    """

    user: str = ""
    second: str = ""
    plan: str = field(default="", metadata=PATH)
    answers: str = field(default="", metadata=PATH)
    film: str = ""


class Situated(Analysis):
    """What a run came to, by scene and assistant: outcome, navigation, recommendation, endings, slips, trials."""

    name = "situated"
    summary = "Success, turns, following, rankings, endings and slips, by scene and assistant."
    tracks = (TRACK,)
    Options: ClassVar[type] = SituatedOptions

    def __init__(self, options: SituatedOptions | None = None) -> None:
        self._options = options or SituatedOptions()

    def report(self, results: Results) -> Report:
        """
        Compute the report.

        Raises:
            UsageError: No such user, or runs with other tasks.
            DataError: Stored rows contradict their run.
        """
        from recfw_situated.analysis import blocks, data  # noqa: PLC0415 - listing analyses must stay light
        from recfw_situated.analysis.study import read_study  # noqa: PLC0415 - likewise

        if not results.runs:
            return _nothing()
        study = read_study(results, self._options.user)
        return Report(Document(tuple(blocks.short(study))), data.figures(study), data.operational(study))


class SituatedPaper(Analysis):
    """
    The paper's tables 3 to 5 and 7 to 9 and figures 3 to 11, of the trials of any runs together.

    Trials are pooled by assistant, user and ablation, whichever run and cell they are of.
    """

    name = "situated-paper"
    summary = "The paper's tables 3-5 and 7-9 and figures 3-11, over one run or several together."
    tracks = (TRACK,)
    Options: ClassVar[type] = SituatedPaperOptions

    def __init__(self, options: SituatedPaperOptions | None = None) -> None:
        self._options = options or SituatedPaperOptions()

    def report(self, results: Results) -> Report:
        """
        Compute the report.

        Raises:
            UsageError: No such user, run or trial; runs with other tasks; a questionnaire without its plan.
            DataError: Stored rows contradict their run, a trace is damaged, or a questionnaire has faults.
        """
        from recfw_situated.analysis import blocks, data  # noqa: PLC0415 - listing analyses must stay light
        from recfw_situated.analysis.extra import read_extra  # noqa: PLC0415 - likewise
        from recfw_situated.analysis.study import read_study  # noqa: PLC0415 - likewise

        options = self._options
        if bool(options.plan) != bool(options.answers):
            raise UsageError("analysis.plan and analysis.answers belong together.", "Give both, or neither.")
        if not results.runs:
            return _nothing()
        study = read_study(results, options.user, options.second)
        paths = (Path(options.plan), Path(options.answers)) if options.plan else None
        extra = read_extra(results, study, paths, options.film)
        document = Document(tuple(blocks.paper(study, extra)))
        return Report(document, data.figures(study, extra), data.operational(study))


def _nothing() -> Report:
    words = (Heading("No run", 1), Note("There is nothing to report, because no run was named."))
    return Report(Document(words), {"settings": []})
