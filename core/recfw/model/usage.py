"""Adding up what an episode's replies, and the judges of its trace, consumed."""

from collections.abc import Iterable, Mapping
from typing import Any

from recfw.model.reply import Usage
from recfw.model.score import Score
from recfw.model.trace import Event, ReplyEvent

TOKENS = ("input_tokens", "output_tokens", "cached_tokens", "reasoning_tokens")
"""Fields of :class:`Usage` that count tokens."""
JUDGES = "judge"
"""Under which name, beside the roles, the consumption of judges is kept."""
USAGE = "usage"
"""The key of a score's detail that holds what its judge consumed for it: the numbers of a :class:`Usage`."""

Spending = dict[str, dict[str, float]]
"""Role -> replies, seconds, tokens by kind, and cost in USD; only what is known."""


def usage_of(events: Iterable[Event]) -> Spending:
    """Return what each role of an episode consumed."""
    totals: Spending = {}
    for event in events:
        if isinstance(event, ReplyEvent):
            total = totals.setdefault(event.role, {"replies": 0, "seconds": 0.0})
            total["replies"] += 1
            total["seconds"] = round(total["seconds"] + event.seconds, 6)
            if event.reply.usage is not None:
                _meter(total, event.reply.usage)
    return totals


def _meter(total: dict[str, float], usage: Usage) -> None:
    for name in TOKENS:
        total[name] = total.get(name, 0) + getattr(usage, name)
    if usage.cost is not None:
        total["cost"] = total.get("cost", 0.0) + usage.cost


def usage_of_scores(details: Iterable[Mapping[str, Any]]) -> dict[str, float]:
    """Return what judges consumed, by the details of their scores: each call is told in one score's detail."""
    total: dict[str, float] = {}
    for detail in details:
        used = detail.get(USAGE)
        if isinstance(used, Mapping):
            _add(total, used)
    return total


def judge_usage(scores: Iterable[Score]) -> dict[str, float]:
    """Return what judges consumed for these scores."""
    return usage_of_scores(score.detail for score in scores)


def add_usage(total: Spending, more: Mapping[str, Mapping[str, float]]) -> None:
    """Add what roles consumed to a total, in place."""
    for role, used in more.items():
        _add(total.setdefault(role, {}), used)


def _add(total: dict[str, float], more: Mapping[str, Any]) -> None:
    for name, value in more.items():
        if isinstance(value, int | float) and not isinstance(value, bool):
            total[name] = total.get(name, 0) + value
