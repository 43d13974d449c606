"""
What a hidden variant states, keeps on ask and withholds, and what makes withholding fair.

From the spec: the withheld predicates together rule out at least half of the books that match the revealed ones, which
is tested on every nested catalog; no revealed fact gives a withheld one away; a family without answers withholds one
predicate, whose field is bounded among the revealed matches (16 values, and 25 matches or more, of the whole catalog).

Rules of our own [ours], all on counts of books that match predicates, so that the hidden tasks are neither guesswork
nor won by luck:

- the answers are at most 10 % of the revealed matches, and at least 1 % where one predicate is withheld, 2 % where two
  are: with a larger share, proposing any books succeeds; with a smaller one, elimination needs more proposals than a
  trial has turns;
- at most 3,000 books match the revealed predicates, which an agent can page through within one turn's budget;
- each withheld predicate alone rules out a quarter of the revealed matches, so none is implied by what is revealed;
- a withheld genre, language or country is one of the 12 commonest values of its field among the revealed matches;
- the two bounds of a year range are never both withheld: the ranges that they may form are too many to tell apart;
- the bound of 16 values on a withheld language or country of a family without answers holds for a genre (sets of
  genres, those within another set left out) and a year too, since an agent rules out all of them before it abstains.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations

from attrs import frozen

from recfw.elicitation.predicates import Predicate
from recfw_books.families.index import CatalogIndex
from recfw_books.families.plan import MOST_SHARE, MOST_VALUES

MOST_REVEALED = 3_000
LEAST_SHARE = {1: 1 / 100, 2: 1 / 50}
MOST_MET_ALONE = 3 / 4
LOWEST_RANK = 12
LEAST_REVEALED = 25
MOST_WHERE_FEW = 18
"""Revealed matches of a family excused from the 25 [ours]: all of them fit into a trial's turns."""


@frozen
class Disclosure:
    """Positions in the request: of the predicate that opens the dialogue, and of those withheld for the whole of it."""

    stated: int
    hidden: tuple[int, ...]


def disclosures(index: CatalogIndex, request: Sequence[Predicate], hidden: int, most_share: float) -> list[Disclosure]:
    """Return the fair ways to withhold this many predicates of a satisfiable request; as in :func:`is_fair`."""
    return list(
        _with_openings(
            request,
            (
                chosen
                for chosen in combinations(range(len(request)), hidden)
                if is_fair(
                    index,
                    [p for i, p in enumerate(request) if i not in chosen],
                    [request[i] for i in chosen],
                    most_share,
                )
            ),
        )
    )


def disclosures_without_answers(
    index: CatalogIndex, request: Sequence[Predicate], *, few: bool, most_values: int
) -> list[Disclosure]:
    """
    Return the fair ways to withhold one predicate of a request that no book meets.

    Its field has at most ``most_values`` values among the revealed matches; ``few`` excuses from the 25 of these.
    """
    return list(
        _with_openings(
            request,
            (
                (i,)
                for i, withheld in enumerate(request)
                if is_bounded(index, [*request[:i], *request[i + 1 :]], withheld, few=few, most_values=most_values)
            ),
        )
    )


def _with_openings(request: Sequence[Predicate], chosen: Iterator[tuple[int, ...]]) -> Iterator[Disclosure]:
    for hidden in chosen:
        for stated in range(len(request)):
            if stated not in hidden:
                yield Disclosure(stated, hidden)


def is_fair(
    index: CatalogIndex, revealed: Sequence[Predicate], hidden: Sequence[Predicate], most_share: float = MOST_SHARE
) -> bool:
    """
    Tell whether the hidden predicates of a satisfiable request can be found by proposing, and not by luck.

    ``most_share`` is how much of the revealed matches may be answers.
    """
    matches = index.matching(revealed)
    answers = index.matching((*revealed, *hidden))
    total, kept = matches.bit_count(), answers.bit_count()
    if total > MOST_REVEALED or not LEAST_SHARE[len(hidden)] * total <= kept <= most_share * total:
        return False
    if any(2 * few > many for few, many in zip(index.counts(answers), index.counts(matches), strict=True)):
        return False
    if sum(p.field == "year" for p in hidden) > 1:
        return False
    return all(
        (matches & index.bits(p)).bit_count() <= MOST_MET_ALONE * total and _rank(index, matches, p) <= LOWEST_RANK
        for p in hidden
    )


def _rank(index: CatalogIndex, matches: int, predicate: Predicate) -> int:
    """Return how many labels of the predicate's field are as common as its own among the matches (0: no labels)."""
    own = (matches & index.bits(predicate)).bit_count()
    return sum((matches & bits).bit_count() >= own for bits in index.labels.get(predicate.field, {}).values())


def is_bounded(
    index: CatalogIndex, revealed: Sequence[Predicate], hidden: Predicate, *, few: bool, most_values: int = MOST_VALUES
) -> bool:
    """Tell whether an agent can rule out every value of the hidden field among the revealed matches."""
    matches = index.matching(revealed)
    total = matches.bit_count()
    if total > MOST_WHERE_FEW if few else total < LEAST_REVEALED:
        return False
    return _values(index, matches, hidden.field, revealed) <= most_values


def _values(index: CatalogIndex, matches: int, name: str, revealed: Sequence[Predicate]) -> int:
    """Return how many values a field has among these books; for genres, the largest sets beside those revealed."""
    books = [index.books[i] for i in index.positions(matches)]
    if name != "genre":
        return len({getattr(book, name) for book in books})
    known = {p.value for p in revealed}
    found = {frozenset(book.genres) - known for book in books} - {frozenset[str]()}
    return sum(not any(genres < larger for larger in found) for genres in found)
