"""Weighted choice from the same items again and again, and the readers of the world's word lists."""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from functools import cache
from importlib.resources import files
from itertools import accumulate
from typing import Generic, TypeVar

from recfw.model.draws import Draws

T = TypeVar("T")
FINE = 1_000
"""Weights are whole: a weight of 1 counts as so many."""


class Wheel(Generic[T]):
    """Items with weights (>= 0, not all 0); a draw costs the logarithm of their number."""

    def __init__(self, items: Sequence[T], weights: Sequence[float]) -> None:
        self._items = items
        self._sums = list(accumulate(round(weight * FINE) for weight in weights))

    def draw(self, draws: Draws) -> T:
        """Return an item by its weight."""
        return self._items[bisect_right(self._sums, draws.below(self._sums[-1]))]


def spread(draws: Draws) -> float:
    """Return a number in (-1, 1), most often near 0: three uniform draws, summed and scaled."""
    return (draws.random() + draws.random() + draws.random() - 1.5) / 1.5


def lines(name: str) -> list[str]:
    """Return a word list's lines without comments and empty ones."""
    text = (files("recfw_orchestration.world") / name).read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def fields(line: str) -> list[str]:
    """Return the parts of a line that bars separate."""
    return [part.strip() for part in line.split("|")]


def words(text: str, sign: str = ",") -> tuple[str, ...]:
    """Return the parts of a field."""
    return tuple(part.strip() for part in text.split(sign))


@cache
def names() -> dict[str, tuple[str, ...]]:
    """Return ``names.txt``: key -> words, or the rest of each line where a key occurs several times."""
    found: dict[str, list[str]] = {}
    for line in lines("names.txt"):
        key, _, rest = line.partition(": ")
        found.setdefault(key, []).append(rest)
    return {key: tuple(rest) if key in {"city", "centre"} else tuple(rest[0].split()) for key, rest in found.items()}


@cache
def phrases() -> dict[str, dict[str, tuple[str, ...]]]:
    """Return ``phrases.txt``: domain -> aspect with its sign -> sentences."""
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    for line in lines("phrases.txt"):
        if line.startswith("["):
            section = found.setdefault(line[1:-1], {})
        else:
            key, _, rest = line.partition(": ")
            section[key] = words(rest, "|")
    return found


def fresh_id(draws: Draws, taken: set[str], letters: str, size: int, start: str = "") -> str:
    """Return an id that is not taken: a start and random letters."""
    return fresh(taken, lambda: start + "".join(draws.choice(letters) for _ in range(size)))


def fresh(taken: set[str], make: Callable[[], str]) -> str:
    """Return the first thing made that is not taken, and take it."""
    while (made := make()) in taken:
        pass
    taken.add(made)
    return made
