"""From stored results to the report of ``books-paper``."""

from collections.abc import Mapping
from math import fsum
from typing import Any

from recfw.model.document import Document, Heading, Note, Report
from recfw.model.results import Results
from recfw.model.usage import add_usage
from recfw.report.plain import plain_operational
from recfw_books.analysis.found import find
from recfw_books.analysis.paper_document import blocks
from recfw_books.analysis.paper_figures import figures
from recfw_books.analysis.study import Pool, read_study


def paper_report(results: Results, asked: Mapping[str, str], most_k: int) -> Report:
    """Compute the report of the analysis ``books-paper``; arguments are its options, errors are its own."""
    if not results.runs:
        nothing = (Heading("No run", 1), Note("There is nothing to report, because no run was named."))
        return Report(Document(nothing), {"settings": {}})
    found = find(read_study(results, asked), most_k)
    return Report(
        document=Document(tuple(blocks(found))),
        figures=figures(found),
        operational={
            "runs": [plain_operational(run) for run in found.study.runs],
            "settings": {setting.name: _spent(pool) for setting, pool in found.study.pools.items()},
        },
    )


def _spent(pool: Pool) -> dict[str, Any]:
    """Return what a setting's trials took, summed over the cells that played it."""
    usage: dict[str, dict[str, float]] = {}
    for spent in pool.spent:
        add_usage(usage, spent.usage)
    return {
        "trials": sum(spent.trials for spent in pool.spent),
        "attempts": sum(spent.attempts for spent in pool.spent),
        "seconds": fsum(spent.seconds for spent in pool.spent),
        "usage": {role: dict(sorted(used.items())) for role, used in sorted(usage.items())},
    }
