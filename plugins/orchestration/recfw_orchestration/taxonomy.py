"""
The errors of a rollout, each by a rule (the paper's section 4.3 names them; the rules are ours).

Several may hold; ``no_clear_failure`` holds where none of the others does.

- ``dependency_failure``: an edge of the gold workflow is not met (:mod:`recfw_orchestration.metrics.edges`);
- ``retrieval_miss``: the target is not ranked first, although at least one call was successful, and no result names it;
- ``premature_end``: it ended by a ranking, or without any call, while a tool of the gold workflow had no successful
  call and fewer rounds or fewer calls had been made than gold makes;
- ``unproductive_exploration``: more calls than gold makes, and more of them unproductive than gold makes calls. A call
  is unproductive where it repeats an earlier one, failed, found nothing, or is to a tool that gold does not use and
  brought no new item.
"""

from collections.abc import Sequence

from recfw.serialize import canonical
from recfw_orchestration.metrics.played import Call, Played
from recfw_orchestration.rollout.budget import RANKED
from recfw_orchestration.rollout.bus import item_ids

ERRORS = ("dependency_failure", "retrieval_miss", "premature_end", "unproductive_exploration")
NONE = "no_clear_failure"


def errors(played: Played, gold: Sequence[str], rounds: int, target: str, dependency: float | None) -> dict[str, bool]:
    """
    Return which errors hold, :data:`NONE` included.

    Args:
        played: The rollout.
        gold: The tools of the gold calls, one a call.
        rounds: How many rounds gold takes.
        target: The right item.
        dependency: Dependency awareness; None where there is nothing to depend on.
    """
    found = {
        "dependency_failure": dependency is not None and dependency < 1.0,
        "retrieval_miss": _missed(played, target),
        "premature_end": _premature(played, gold, rounds),
        "unproductive_exploration": _explored(played.calls, gold),
    }
    return {**found, NONE: not any(found.values())}


def _missed(played: Played, target: str) -> bool:
    if (played.ranking or ("",))[0] == target:
        return False
    successful = [call for call in played.calls if call.ok]
    return bool(successful) and not any(target in item_ids(call.content) for call in successful)


def _premature(played: Played, gold: Sequence[str], rounds: int) -> bool:
    if not played.calls:
        return True
    answered = {call.tool for call in played.calls if call.ok}
    fewer = played.rounds < rounds or len(played.calls) < len(gold)
    return played.stop == RANKED and fewer and not set(gold) <= answered


def _explored(calls: Sequence[Call], gold: Sequence[str]) -> bool:
    return len(calls) > len(gold) and unproductive(calls, gold) > len(gold)


def unproductive(calls: Sequence[Call], gold: Sequence[str]) -> int:
    """Return how many calls are unproductive."""
    seen: set[tuple[str, bytes]] = set()
    count = 0
    for call in calls:
        key = call.tool, canonical(call.arguments)
        useless = call.tool not in gold and not call.new
        count += key in seen or not call.ok or useless
        seen.add(key)
    return count
