"""Scores of a user's items from the stored model: neighbours of what the user liked, and a grain of popularity."""

from collections.abc import Callable, Collection

import numpy as np
from numpy.typing import NDArray

from recfw_orchestration.data.model import UNIT
from recfw_orchestration.data.okapi import best_first
from recfw_orchestration.data.reading import Reader
from recfw_orchestration.data.records import Domain, Item
from recfw_orchestration.data.schema import first_key
from recfw_orchestration.data.text import Whole

GRAIN = 1_000
"""The most popular item's score grows by 1/GRAIN, others' in proportion: it orders what the model leaves equal."""
_KEPT = 10_000_000
"""Scores are compared in steps of 1/_KEPT."""


def scores(reader: Reader, domain: Domain, user: int) -> Whole:
    """
    Return every item's score for a user, in steps of 1/10^7.

    The score is the mean similarity to what the user liked, weighted by how much (see :mod:`.model`), plus the grain.
    """
    popularity: NDArray[np.int32] = reader.array(f"{domain}/popularity", "<i4")
    summed = np.zeros(len(popularity), dtype=np.int64)
    first = first_key(domain)
    items, weights = reader.taste(user)
    total = 0
    for item, weight in zip(items.tolist(), weights.tolist(), strict=True):
        found = reader.neighbours(first + item) if weight else None
        if found is not None:
            summed[found[0]] += found[1].astype(np.int64) * weight
            total += weight
    most = int(popularity.max(initial=0)) or 1
    grain = popularity * _KEPT // (GRAIN * most)
    return summed * _KEPT // (max(total, 1) * UNIT * UNIT) + grain


def best(
    reader: Reader,
    domain: Domain,
    user: int,
    keep: Callable[[Item], bool] | None,
    barred: Collection[int],
    limit: int,
) -> list[tuple[str, float]]:
    """Return the best items' ids and scores; ``barred`` are item numbers that must not occur."""
    found = scores(reader, domain, user)
    open_to = found > 0
    open_to[list(barred)] = False
    numbers = np.flatnonzero(open_to)
    values = found[numbers]
    # Without a filter the first are enough; with one, how many it lets through is not known beforehand.
    order = best_first(numbers, values, limit if keep is None else None)
    answer: list[tuple[str, float]] = []
    for place in order.tolist():
        if len(answer) >= limit:
            break
        item = reader.item(domain, first_key(domain) + int(numbers[place]))
        if keep is None or keep(item):
            answer.append((item.item_id, int(values[place]) / _KEPT))
    return answer


def of(reader: Reader, domain: Domain, user: int, keys: Collection[int]) -> list[tuple[int, float]]:
    """Return (key, score) of some items, best first, equal ones by key."""
    found = scores(reader, domain, user)
    first = first_key(domain)
    pairs = [(key, int(found[key - first])) for key in sorted(set(keys))]
    pairs.sort(key=lambda pair: -pair[1])
    return [(key, value / _KEPT) for key, value in pairs]
