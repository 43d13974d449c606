"""Label corrections applied to works, and what became of each: applied, not needed, or met by nothing."""

from collections import Counter
from collections.abc import Mapping, Sequence

from attrs import evolve, frozen

from recfw_books.wikidata.items import Term, Work
from recfw_books.wikidata.rules import LABEL, Correction, genre_labels
from recfw_books.wikidata.steps import Step

APPLIED, ALREADY, DIFFERENT, ABSENT = (
    "applied",
    "not needed: it says so already",
    "not applied: it says something else",
    "not met: no work that came so far has it",
)


@frozen
class Use:
    """What became of one correction: a status, and the number of works that it changed."""

    correction: Correction
    status: str
    works: int


def correct(works: Sequence[Work], corrections: Sequence[Correction]) -> tuple[list[Work], Step, list[Use]]:
    """
    Apply corrections in their order.

    A correction applies where the value is the wrong one that it names, and nowhere else: Wikidata may have been put
    right since. ``label`` renames a person, language or country wherever it occurs.
    """
    uses = []
    changed: set[str] = set()
    current = list(works)
    for correction in corrections:
        met = Counter[str]()
        for place, work in enumerate(current):
            status, corrected = _applied(work, correction)
            met[status] += 1
            if status == APPLIED:
                current[place] = corrected
                changed.add(work.id)
        status = next((status for status in (APPLIED, DIFFERENT, ALREADY) if met[status]), ABSENT)
        uses.append(Use(correction, status, met[APPLIED]))
    noted = {"with a corrected value": len(changed)} if changed else {}
    return current, Step("label corrections", len(works), len(current), {}, noted), uses


def _applied(work: Work, correction: Correction) -> tuple[str, Work]:
    """Return what a correction does to a work, and the work after it."""
    if correction.field == LABEL:
        terms = (*work.authors, work.language, work.country)
        status = _status([term.label for term in terms if term.id == correction.entity], correction)
        return status, _renamed(work, correction) if status == APPLIED else work
    if work.id != correction.entity:
        return ABSENT, work
    values = _values(work)[correction.field]
    status = _status(values if correction.wrong in values else values[:1], correction)
    return status, _replaced(work, correction) if status == APPLIED else work


def _status(values: Sequence[str], correction: Correction) -> str:
    if not values:
        return ABSENT
    if correction.wrong in values:
        return APPLIED
    return ALREADY if correction.right in values else DIFFERENT


def _values(work: Work) -> Mapping[str, list[str]]:
    return {
        "title": [work.title],
        "author": [author.label for author in work.authors],
        "year": [str(work.year)],
        "genres": ["|".join(work.genres)],
        "language": [work.language.label],
        "country": [work.country.label],
    }


def _renamed(work: Work, correction: Correction) -> Work:
    def named(term: Term) -> Term:
        return evolve(term, label=correction.right) if term.id == correction.entity else term

    return evolve(
        work, authors=tuple(map(named, work.authors)), language=named(work.language), country=named(work.country)
    )


def _replaced(work: Work, correction: Correction) -> Work:
    """Return a work with its one value put right; the right language or country is known by its label alone."""
    right = correction.right
    if correction.field == "title":
        return evolve(work, title=right)
    if correction.field == "year":
        return evolve(work, year=int(right))
    if correction.field == "genres":
        return evolve(work, genres=genre_labels(right))
    if correction.field == "language":
        return evolve(work, language=Term("", right))
    if correction.field == "country":
        return evolve(work, country=Term("", right))
    authors = (evolve(author, label=right) if author.label == correction.wrong else author for author in work.authors)
    return evolve(work, authors=tuple(authors))
