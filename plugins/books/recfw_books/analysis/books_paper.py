"""The analysis ``books-paper``: every figure and test of the paper, of any stored runs."""

from attrs import field, frozen, validators

from recfw.model.document import Report
from recfw.model.results import Results
from recfw.protocols import Analysis
from recfw_books.track import BooksTrack


@frozen
class BooksPaperOptions:
    """
    Options of the analysis ``books-paper``.

    Args:
        block: Families that the tables are of: ``panel``, ``reliability`` or ``all``; empty for the panel where the
            runs have it.
        size: Books in play: 0 for all; without it all where a run has them, or else the most there are.
        prompt: The agents' prompt that the tables are of; empty for ``base`` where a run has it.
        user: The user likewise; empty for the rule-based one.
        retriever: The retriever behind the keyword interface likewise; empty for the default.
        catalog: The catalog likewise; empty for the embedded one.
        agents: Agents of the tests, with commas between; empty for all but the scripted ones, or these alone.
        k: Largest k of pass^k; never more than the trials of a task.
    """

    block: str = ""
    size: int | None = field(default=None, validator=validators.optional(validators.ge(0)))
    prompt: str = ""
    user: str = ""
    retriever: str = ""
    catalog: str = ""
    agents: str = ""
    k: int = field(default=4, validator=validators.ge(1))


class BooksPaper(Analysis):
    """
    The paper's tables 3 and 4, figures 2 and 3, and what stands around them, of the trials of any runs together.

    Trials are pooled by agent, interface, catalog size, prompt and user, whichever run and cell they are of.
    """

    name = "books-paper"
    summary = "The paper's tables, plots and twelve tests, over one run or several together."
    tracks = (BooksTrack.name,)
    Options = BooksPaperOptions

    def __init__(self, options: BooksPaperOptions | None = None) -> None:
        self._options = options or BooksPaperOptions()

    def report(self, results: Results) -> Report:
        """
        Compute the report.

        Raises:
            UsageError: The runs cannot stand in one table (different tasks, limits or metrics), or do not have what an
                option asks for.
            DataError: Stored rows contradict their run.
        """
        from recfw_books.analysis.paper_report import paper_report  # noqa: PLC0415 - loads scipy, which listing must not

        options = self._options
        asked = {name: getattr(options, name) for name in ("block", "prompt", "user", "retriever", "catalog", "agents")}
        asked["size"] = "" if options.size is None else str(options.size)
        return paper_report(results, asked, options.k)
