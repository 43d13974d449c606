"""The analysis ``compare``: cells and runs against one another on the same tasks, and what else sets them apart."""

from attrs import frozen

from recfw.model.document import Report
from recfw.model.results import Results
from recfw.protocols import Analysis


@frozen
class CompareOptions:
    """
    Options of the analysis ``compare``.

    Args:
        figure: What is compared; empty for the primary figure, as ``summary`` picks it.
        baseline: The arm that the others are held against: its name, its cell, or RUN or RUN:CELL. Empty for none.
        all_pairs: Whether the document shows every pair of arms.
    """

    figure: str = ""
    baseline: str = ""
    all_pairs: bool = False


class Compare(Analysis):
    """
    Arms (every cell of every run) on the tasks that they share: differences, Holm, noise floor, tiers, warnings.

    Settings that it reads: ``tasks``, patterns as of ``recfw run --tasks``; ``evaluated``, the role under evaluation
    (``agent`` where it is not told); ``clustered_by``, what a cluster is, in a word.
    """

    name = "compare"
    summary = "Paired differences between cells and runs on the same tasks, tiers, what else differs."
    Options = CompareOptions

    def __init__(self, options: CompareOptions) -> None:
        self._options = options

    def report(self, results: Results) -> Report:
        """
        Compute the comparison.

        Raises:
            UsageError: Fewer than two arms, different tracks or scorers, tasks of which no two arms share any, or a
                figure, baseline or pattern that is not there.
            DataError: Stored rows contradict the run.
        """
        from recfw.builtin.compare_report import comparison  # noqa: PLC0415 - loads scipy, which listing must not

        options = self._options
        return comparison(results, options.figure, options.baseline, all_pairs=options.all_pairs)
