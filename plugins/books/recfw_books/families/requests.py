"""Drawing a request: the predicates of one family, from a template and the catalog's own records."""

from itertools import pairwise

from recfw.elicitation.predicates import Op, Predicate
from recfw.model.draws import Draws
from recfw_books.families.index import CatalogIndex
from recfw_books.families.rules import LEAST_WITHOUT_ONE, is_impossible, is_material
from recfw_books.families.templates import Template

Request = tuple[Predicate, ...]

FEWEST_ANSWERS, MOST_ANSWERS = 6, 300
"""Answers of a satisfiable family in the whole catalog [ours]; the paper's median is 40."""

_FEWEST_DATED, _MOST_DATED = 10, 160


class RequestSource:
    """
    Draws requests for a catalog, one try a call.

    A satisfiable request takes its labels from a book of the smallest catalog; year bounds are then laid so that a
    number of answers drawn beforehand remains. One without answers is a set of labels that do occur together, with
    year bounds between which they do not, or two labels that never meet.
    """

    def __init__(self, index: CatalogIndex) -> None:
        self._index = index
        small = index.nested[0]
        self._common = {
            name: frozenset(_commonest(index.labels[name], top)) for name, top in (("country", 2), ("language", 1))
        }
        self._usable = {
            name: [label for label in bits if (bits[label] & small).bit_count() >= LEAST_WITHOUT_ONE]
            for name, bits in index.labels.items()
        }
        self._pools: dict[tuple[int, str, bool], list[int]] = {}

    def _labels(self, position: int, name: str, *, common: bool) -> list[str]:
        """Return a book's label and those above it, of the catalog's commonest (two countries, one language) or not."""
        own = getattr(self._index.books[position], name)
        covering = (own, *sorted(self._index.trees[name].above(own)))
        return [label for label in covering if (label in self._common[name]) == common]

    def satisfiable(self, template: Template, draws: Draws, *, common: bool) -> Request | None:
        """
        Draw one request that has answers in every nested catalog and in which every predicate is material.

        Args:
            template: The fields and year bounds.
            draws: Where the draws come from.
            common: Whether the country or language is one of the catalog's commonest.

        Returns:
            The request, or nothing where this draw came to none.
        """
        pool = self._anchors_for(template, common=common)
        if not pool:
            return None
        anchor = draws.choice(pool)
        genres = draws.sample(self._index.books[anchor].genres, template.genres)
        request = [Predicate("genre", Op.CONTAINS, genre) for genre in genres]
        if template.place:
            label = draws.choice(self._labels(anchor, template.place, common=common))
            request.append(Predicate(template.place, Op.EQ, label))
        request.extend(self._window(request, template, draws))
        counts = self._index.counts(self._index.matching(request))
        if len(request) != template.size or not counts[0] or not FEWEST_ANSWERS <= counts[-1] <= MOST_ANSWERS:
            return None
        return tuple(request) if is_material(self._index, request) else None

    def _anchors_for(self, template: Template, *, common: bool) -> list[int]:
        key = (template.genres, template.place, common)
        if key not in self._pools:
            self._pools[key] = [
                i
                for i in self._index.positions(self._index.nested[0])
                if len(self._index.books[i].genres) >= template.genres
                and (not template.place or self._labels(i, template.place, common=common))
            ]
        return self._pools[key]

    def _window(self, request: list[Predicate], template: Template, draws: Draws) -> list[Predicate]:
        """Return year bounds round a number of answers drawn log-uniformly, or none where the request has too few."""
        if not (template.year_from or template.year_until):
            return []
        years = self._index.years(self._index.matching(request))
        wanted = int(_FEWEST_DATED * (_MOST_DATED / _FEWEST_DATED) ** draws.random())
        spare = len(years) - wanted
        if spare <= 0:
            return []
        first = draws.below(spare) if template.year_from and template.year_until else spare * template.year_from
        return _bounds(template, years[first], years[first + wanted - 1])

    def impossible(self, template: Template, draws: Draws) -> Request | None:
        """Draw one request that no book meets although three or more meet all but any one; nothing where it failed."""
        genres = draws.sample(self._usable["genre"], template.genres)
        request = [Predicate("genre", Op.CONTAINS, genre) for genre in genres]
        request.append(Predicate(template.place, Op.EQ, draws.choice(self._usable[template.place])))
        request.extend(self._gap(request, template, draws))
        if len(request) != template.size or not is_impossible(self._index, request):
            return None
        return tuple(request)

    def _gap(self, request: list[Predicate], template: Template, draws: Draws) -> list[Predicate]:
        """Return year bounds that leave none of the request's books, or none where there is no such gap."""
        if not (template.year_from or template.year_until):
            return []
        years = sorted(set(self._index.years(self._index.matching(request))))
        gaps = [(low + 1, high - 1) for low, high in pairwise(years) if high - low > 1]
        if not years or (template.year_from and template.year_until and not gaps):
            return []
        low, high = draws.choice(gaps) if template.year_from and template.year_until else (years[-1] + 1, years[0] - 1)
        return _bounds(template, low, high)


def _commonest(labels: dict[str, int], top: int) -> list[str]:
    """Return the labels with the most books; equally common ones in alphabetical order."""
    return sorted(labels, key=lambda label: (-labels[label].bit_count(), label))[:top]


def _bounds(template: Template, first: int, last: int) -> list[Predicate]:
    bounds = []
    if template.year_from:
        bounds.append(Predicate("year", Op.GE, first))
    if template.year_until:
        bounds.append(Predicate("year", Op.LE, last))
    return bounds
