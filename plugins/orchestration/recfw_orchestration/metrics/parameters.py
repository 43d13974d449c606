"""
Parameter accuracy by rule: predicted and gold calls paired one to one so that most is right, then compared by name.

A pair of calls to different tools is worth 0. Otherwise it is worth the share of right arguments among those that
count: every argument of the gold call, unless it may be left out and was; and every argument that was sent and gold
does not have, which is wrong. ``limit`` counts only where gold fixes it; null is the same as leaving out. Latitude and
longitude are right or wrong together. A pair without an argument that counts is worth 1. The figure is the sum of the
pairs over the number of gold calls; the pairing is the one with the largest sum.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from recfw_orchestration.metrics.matching import matches, near
from recfw_orchestration.metrics.played import Call
from recfw_orchestration.tasks.records import Allowed, GoldCall

FREE = "limit"
LATITUDE, LONGITUDE = "lat", "lon"
COORDINATE = "coordinate"


def parameter_accuracy(calls: Sequence[Call], gold: Sequence[GoldCall]) -> float:
    """Return the parameter accuracy of calls, in [0, 1]; 0 without a call."""
    return sum(value for _, _, value in paired(calls, gold)) / len(gold) if gold else 0.0


def paired(calls: Sequence[Call], gold: Sequence[GoldCall]) -> list[tuple[int, int, float]]:
    """Return the best one-to-one pairing: (place of the gold call, place of the call, what the pair is worth)."""
    worth = [[pair_worth(one, call) for call in calls] for one in gold]
    if not calls or not gold:
        return []
    if len(gold) == 1:
        best = max(range(len(calls)), key=lambda place: (worth[0][place], -place))
        return [(0, best, worth[0][best])]
    from scipy.optimize import linear_sum_assignment  # noqa: PLC0415 - heavy, and listing metrics must not load it

    rows, columns = linear_sum_assignment(worth, maximize=True)
    return [(int(row), int(column), worth[row][column]) for row, column in zip(rows, columns, strict=True)]


def pair_worth(gold: GoldCall, call: Call) -> float:
    """Return the share of right arguments of a call against one gold call, in [0, 1]; 0 for another tool."""
    if call.tool != gold.tool:
        return 0.0
    sent = {name: value for name, value in call.arguments.items() if value is not None}
    judged = list(_judged(gold.arguments, sent))
    return sum(judged) / len(judged) if judged else 1.0


def _judged(gold: Mapping[str, Allowed], sent: Mapping[str, Any]) -> Iterator[bool]:
    """Yield whether each argument that counts is right."""
    for name, allowed in gold.items():
        if name in sent:
            yield _right(name, allowed, gold, sent)
        elif not allowed.optional:
            yield False
    for name in sent:
        if name not in gold and name != FREE:
            yield False


def _right(name: str, allowed: Allowed, gold: Mapping[str, Allowed], sent: Mapping[str, Any]) -> bool:
    if allowed.kind == COORDINATE:
        prefix, axis = name[: -len(LATITUDE)], name[-len(LATITUDE) :]
        other = prefix + (LONGITUDE if axis == LATITUDE else LATITUDE)
        if other in gold and other in sent:
            lats, lons = gold[prefix + LATITUDE].values, gold[prefix + LONGITUDE].values
            place = (sent[prefix + LATITUDE], sent[prefix + LONGITUDE])
            return any(near(wanted, place) for wanted in zip(lats, lons, strict=False))
    return matches(allowed.kind, allowed.values, sent[name], allowed.tolerance)
