"""Recommendation lists against what was bought and against the reference set: R@5, NDCG@10, R-MRR@10, catalog."""

from collections.abc import Collection, Sequence
from math import fsum, log2

RECALL_AT, NDCG_AT, MRR_AT = 5, 10, 10


def recall(ranking: Sequence[str], bought: Collection[str], k: int = RECALL_AT) -> float:
    """Return which share of the bought products (at least one) is among the first k; a repeat is counted once."""
    wanted = set(bought)
    return len(wanted.intersection(ranking[:k])) / len(wanted)


def ndcg(ranking: Sequence[str], bought: Collection[str], k: int = NDCG_AT) -> float:
    """
    Return the normalised discounted cumulative gain of a list's first k, relevant being what was bought.

    A repeated product has credit where it stands first and keeps its later places, so that nothing moves up.
    """
    wanted = set(bought)
    ranks = [rank for rank, one in enumerate(ranking[:k], 1) if one in wanted and one not in ranking[: rank - 1]]
    ideal = fsum(1 / log2(rank + 1) for rank in range(1, min(k, len(wanted)) + 1))
    return fsum(1 / log2(rank + 1) for rank in ranks) / ideal


def reciprocal_rank(ranking: Sequence[str], reference: Collection[str], k: int = MRR_AT) -> float:
    """Return 1 / rank of the first reference product among the first k; 0 where none is."""
    return next((1 / rank for rank, one in enumerate(ranking[:k], 1) if one in reference), 0.0)


def cart_recall(rankings: Sequence[Sequence[str]], cart: Collection[str]) -> float:
    """Return an episode's R@5: the mean over its saved lists; 0 without a cart or without a list."""
    return _mean([recall(ranking, cart) for ranking in rankings]) if cart else 0.0


def cart_ndcg(rankings: Sequence[Sequence[str]], cart: Collection[str]) -> float:
    """Return an episode's NDCG@10: the mean over its saved lists; 0 without a cart or without a list."""
    return _mean([ndcg(ranking, cart) for ranking in rankings]) if cart else 0.0


def reference_rank(rankings: Sequence[Sequence[str]], reference: Collection[str]) -> float | None:
    """Return an episode's R-MRR@10: the mean over its saved lists, empty ones included; None without a list."""
    return _mean([reciprocal_rank(ranking, reference) for ranking in rankings]) if rankings else None


def _mean(values: Sequence[float]) -> float:
    return fsum(values) / len(values) if values else 0.0
