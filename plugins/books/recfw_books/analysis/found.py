"""Everything that ``books-paper`` computes of some runs, before any of it is put in words."""

from collections.abc import Mapping

from attrs import frozen

from recfw_books.analysis.beside import Beside, beside
from recfw_books.analysis.failures import Commitments, Failed, commitments, failed
from recfw_books.analysis.measures import Measures, measure
from recfw_books.analysis.pairs import Extra, Pairs, all_pairs, extras
from recfw_books.analysis.study import SUCCESS, Study
from recfw_books.analysis.twelve import Tested, run_tests


@frozen
class Findings:
    """The findings; each field is what the function of its module returns."""

    study: Study
    measures: Measures
    tested: tuple[Tested, ...]
    pairs: Pairs
    extras: tuple[Extra, ...]
    failed: tuple[Failed, ...]
    committed: Mapping[str, Commitments]
    beside: tuple[Beside, ...]

    @property
    def most_k(self) -> int:
        """The largest k of any pass^k."""
        return max((k for *_, k in self.measures.passes), default=1)


def find(study: Study, most_k: int) -> Findings:
    """Compute everything; pass^k up to the largest number of trials that a task has, and ``most_k`` at most."""
    trials = max((len(values) for pool in study.main.values() for values in pool.values(SUCCESS).values()), default=1)
    measures = measure(study, max(1, min(most_k, trials)))
    tested, pairs, more = run_tests(study), all_pairs(study), extras(study)
    committed = commitments(study)
    stand = beside(study, measures, tested, pairs, more, committed)
    return Findings(study, measures, tested, pairs, more, failed(study), committed, stand)
