"""
The possible hidden requirements, as tensors over the candidates' classes (paper, section 5: the eliminating agent).

A *class* of a field is what its requirements can tell apart: a set of genres, a language or country label, a year. A
*hypothesis* of a field is one value, or two of them (two genres, a year range). A joint hypothesis is one hypothesis of
each declined field; its weight is the number of candidates that meet it, its share of the revealed matches [ours], or,
on request, one for each that any candidate meets. All
figures are whole numbers below 2^53 in float64, so sums are exact and do not depend on the order of adding.

A language or country is taken as the books carry it. A hidden label that covers several of those is met by every book
that a hypothesis about one of them proposes, and a rejected book drops none that it would have met.
"""

from collections.abc import Hashable, Iterable, Sequence
from itertools import combinations, product
from math import prod

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from recfw_books.agents.wish import Item, Wish

FIELDS = ("genre", "language", "country", "year")
"""Fields that can hold a hidden requirement."""

MOST_CELLS = 4_000_000
"""Most joint hypotheses that are held at once; fields or values beyond them are left out, and the list is not whole."""

_MOST_EDGES = 48
"""Most years at which the ranges of two or more years begin or end."""

Matrix = NDArray[np.float64]
"""Hypotheses x classes: 1 where a book of the class meets the hypothesis."""


@frozen(eq=False)
class Field:
    """
    One declined field over the candidates.

    Args:
        classes: For each candidate, the number of its class.
        levels: The hypotheses of one value, then those of two where there can be any.
    """

    classes: NDArray[np.intp]
    levels: tuple[Matrix, ...]

    @property
    def size(self) -> int:
        """How many classes there are."""
        return int(self.levels[0].shape[1])


def read_field(name: str, wish: Wish, items: Sequence[Item]) -> Field:
    """Return the hypotheses of a declined field; one of which a value is known hides one further value."""
    if name == "genre":
        return _genres(items, set(wish.values("genre")))
    if name == "year":
        return _years(items, lower=bool(wish.values("year_min")), upper=bool(wish.values("year_max")))
    classes, labels = _classes(item[name] for item in items)
    return Field(classes, (np.eye(len(labels)),))


def _classes(values: Iterable[Hashable]) -> tuple[NDArray[np.intp], list[Hashable]]:
    """Return the number of each value, by first appearance, and the distinct values."""
    numbers: dict[Hashable, int] = {}
    classes = [numbers.setdefault(value, len(numbers)) for value in values]
    return np.array(classes, dtype=np.intp), list(numbers)


def _genres(items: Sequence[Item], known: set[object]) -> Field:
    classes, found = _classes(tuple(item["genres"]) for item in items)
    sets = [[genre for genre in genres if genre not in known] for genres in found if isinstance(genres, tuple)]
    labels = list(dict.fromkeys(genre for genres in sets for genre in genres))
    single = np.array([[genre in genres for genres in sets] for genre in labels], dtype=np.float64)
    single = single.reshape(len(labels), len(sets))
    pairs = [single[i] * single[j] for i, j in combinations(range(len(labels)), 2)]
    pairs = [row for row in pairs if row.any()]
    return Field(classes, (single,) if known or not pairs else (single, np.array(pairs)))


def _years(items: Sequence[Item], *, lower: bool, upper: bool) -> Field:
    """Hypotheses are a bound each way, of those directions in which none is known; two are a range."""
    years = np.array([item["year"] for item in items], dtype=np.int64)
    distinct, classes = np.unique(years, return_inverse=True)
    order = np.arange(len(distinct))
    least, most = order[None, :] >= order[:, None], order[None, :] <= order[:, None]
    both = lower == upper
    rows = [bound for bound, wanted in ((least, both or upper), (most, both or lower)) if wanted]
    single = np.concatenate(rows).astype(np.float64)
    if lower or upper:
        return Field(classes, (single,))
    edges = np.unique(np.linspace(0, len(distinct) - 1, min(len(distinct), _MOST_EDGES)).astype(np.intp))
    low, high = (np.concatenate((edges[ends], order)) for ends in np.triu_indices(len(edges), 1))
    return Field(classes, (single, (least[low] & most[high]).astype(np.float64)))


class _Joint:
    """
    The joint hypotheses of one choice of levels: which are left, and what they weigh.

    Args:
        matrices: The hypotheses of each field.
        counts: How many candidates each tuple of classes has.
        equal: Each hypothesis that a candidate meets weighs one.

    Attributes:
        scores: For each tuple of classes, the weight of what is left and met by it.
    """

    def __init__(self, matrices: tuple[Matrix, ...], counts: NDArray[np.float64], *, equal: bool) -> None:
        self._matrices = matrices
        self._weights = _apply(counts, matrices)
        if equal:
            self._weights = (self._weights > 0).astype(np.float64)
        self._dropped = 0
        self.scores = _apply(self._weights, [matrix.T for matrix in matrices])

    def drop(self, rejected: Sequence[tuple[int, ...]]) -> None:
        """Drop every hypothesis that a book of a rejected class meets; earlier rejections come first, as before."""
        for classes in rejected[self._dropped :]:
            met = [np.flatnonzero(m[:, number]) for m, number in zip(self._matrices, classes, strict=True)]
            block = np.ix_(*met)
            lost = self._weights[block]
            self.scores -= _apply(lost, [m[rows].T for m, rows in zip(self._matrices, met, strict=True)])
            self._weights[block] = 0.0
        self._dropped = len(rejected)


def _apply(tensor: NDArray[np.float64], matrices: Sequence[Matrix]) -> NDArray[np.float64]:
    """Multiply a tensor by one matrix along each axis, those first that shrink it most."""
    axes = sorted(range(len(matrices)), key=lambda axis: len(matrices[axis]) / max(1, tensor.shape[axis]))
    for axis in axes:
        tensor = np.moveaxis(np.tensordot(matrices[axis], tensor, axes=(1, axis)), 0, axis)
    return tensor


class Hypotheses:
    """
    What may be hidden, given the books that match all that was told.

    Args:
        wish: What was told and declined.
        items: The revealed matches, best first.
        equal: Each hypothesis counts once, instead of by the matches that meet it.
        together: Hypotheses of few and of more values count at once.

    Attributes:
        whole: Whether every possible hidden requirement is among the hypotheses, so that none left means none possible.
    """

    def __init__(self, wish: Wish, items: Sequence[Item], *, equal: bool = False, together: bool = False) -> None:
        self._equal, self._together = equal, together
        modelled = [name for name in wish.declined if name in FIELDS] if items else []
        fields = [read_field(name, wish, items) for name in modelled]
        while fields and prod(max(len(f.levels[0]), f.size) for f in fields) > MOST_CELLS:
            fields.remove(max(fields, key=lambda f: len(f.levels[0])))
        self.whole = not items or len(fields) == len(wish.declined)
        self._shape = tuple(f.size for f in fields)
        self._classes = tuple(f.classes for f in fields)
        self._flat = np.ravel_multi_index(self._classes, self._shape) if fields else np.zeros(len(items), np.intp)
        self._rejected: list[tuple[int, ...]] = []
        self._levels = self._arrange(fields)
        self._weighed: dict[int, list[_Joint]] = {}

    def _arrange(self, fields: Sequence[Field]) -> list[list[tuple[Matrix, ...]]]:
        """Return the choices of levels, those of the fewest values first."""
        levels: dict[int, list[tuple[Matrix, ...]]] = {}
        for chosen in product(*(range(len(f.levels)) for f in fields)):
            matrices = tuple(f.levels[level] for f, level in zip(fields, chosen, strict=True))
            if prod(len(matrix) for matrix in matrices) > MOST_CELLS:
                self.whole = False
            elif matrices:
                levels.setdefault(0 if self._together else sum(chosen), []).append(matrices)
        return [levels[values] for values in sorted(levels)]

    def reject(self, position: int) -> None:
        """Take a book's rejection: it fails at least one hidden requirement."""
        self._rejected.append(tuple(int(classes[position]) for classes in self._classes))

    def best(self, available: NDArray[np.bool_]) -> int | None:
        """
        Return the position of the available book that fits most, by weight, of the hypotheses left.

        Hypotheses of few values come before those of more, which break ties; the first of equal books is taken. None
        where no available book fits any.
        """
        for level in range(len(self._levels)):
            scores = np.where(available, self._scores(level), 0.0)
            top = scores.max(initial=0.0)
            if top > 0.0:
                tied = np.flatnonzero(scores == top)
                if level + 1 < len(self._levels) and (self._flat[tied] != self._flat[tied[0]]).any():
                    return int(tied[np.argmax(self._scores(level + 1)[tied])])
                return int(tied[0])
        return None

    def _scores(self, level: int) -> NDArray[np.float64]:
        """Return each book's score at one level."""
        total = np.zeros(self._shape)
        for joint in self._joints(level):
            joint.drop(self._rejected)
            total += joint.scores
        return np.asarray(total.reshape(-1)[self._flat])

    def _joints(self, level: int) -> list[_Joint]:
        if level not in self._weighed:
            counts = np.bincount(self._flat, minlength=prod(self._shape)).astype(np.float64).reshape(self._shape)
            self._weighed[level] = [_Joint(m, counts, equal=self._equal) for m in self._levels[level]]
        return self._weighed[level]
