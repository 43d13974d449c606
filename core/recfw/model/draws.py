"""
Draws that last: a documented random generator, equal on every machine and Python version.

``Draws`` is SplitMix64 (Steele, Lea and Flood 2014) seeded from SHA-256 of its seed and labels. ``random.Random`` keeps
only ``random()`` stable across versions, so whatever must be rebuilt byte for byte draws from here.
"""

import hashlib
from collections.abc import MutableSequence, Sequence
from typing import TypeVar

T = TypeVar("T")

_MASK = (1 << 64) - 1


def derive_seed(*parts: str | int) -> int:
    """
    Return a 63-bit seed: the first eight bytes of SHA-256 over the parts, one bit dropped to fit a signed column.

    Parts are joined with their lengths, so that ("a", "bc") and ("ab", "c") differ.
    """
    digest = hashlib.sha256()
    for part in parts:
        data = str(part).encode()
        digest.update(f"{len(data)}:".encode() + data)
    return int.from_bytes(digest.digest()[:8], "big") >> 1


class Draws:
    """A stream of draws, named by a seed and any number of labels."""

    def __init__(self, seed: int, *labels: str | int) -> None:
        self._state = derive_seed(seed, *labels)

    def bits(self) -> int:
        """Return the next 64 bits."""
        self._state = (self._state + 0x9E3779B97F4A7C15) & _MASK
        z = self._state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
        return z ^ (z >> 31)

    def random(self) -> float:
        """Return a float in [0, 1) with 53 random bits."""
        return (self.bits() >> 11) * (1.0 / (1 << 53))

    def below(self, n: int) -> int:
        """Return a whole number in [0, n), without modulo bias; ValueError where n < 1."""
        if n < 1:
            raise ValueError(f"below() needs n >= 1, not {n}")
        limit = (1 << 64) - (1 << 64) % n
        while (value := self.bits()) >= limit:
            pass
        return value % n

    def between(self, low: int, high: int) -> int:
        """Return a whole number in [low, high], both ends included."""
        return low + self.below(high - low + 1)

    def choice(self, items: Sequence[T]) -> T:
        """Return one item, each as likely; ValueError where there is none."""
        return items[self.below(len(items))]

    def weighted(self, items: Sequence[T], weights: Sequence[float]) -> T:
        """Return one item, drawn by its weight (>= 0, not all 0)."""
        point = self.random() * sum(weights)
        for item, weight in zip(items, weights, strict=True):
            point -= weight
            if point < 0:
                return item
        return next(item for item, weight in zip(reversed(items), reversed(weights), strict=True) if weight > 0)

    def shuffle(self, items: MutableSequence[T]) -> None:
        """Shuffle in place (Fisher-Yates, from the end)."""
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]

    def sample(self, items: Sequence[T], k: int) -> list[T]:
        """Return k distinct positions' items in random order; ValueError where k > len(items)."""
        if not 0 <= k <= len(items):
            raise ValueError(f"cannot draw {k} of {len(items)}")
        pool = list(items)
        for i in range(k):
            j = i + self.below(len(pool) - i)
            pool[i], pool[j] = pool[j], pool[i]
        return pool[:k]
