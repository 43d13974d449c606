"""Figures that are counts of calls, and no more: validity, selection, rounds and repetitions (spec section 5)."""

from collections import Counter
from collections.abc import Sequence

from recfw.serialize import canonical
from recfw_orchestration.metrics.played import Call, Played


def tool_name_valid(calls: Sequence[Call]) -> float:
    """Return the share of calls whose tool exists; 0 without a call."""
    return _share(sum(call.known for call in calls), len(calls))


def schema_compliance(calls: Sequence[Call]) -> float:
    """Return the share of calls to tools that exist whose raw arguments fit the strict schema; 0 without one."""
    known = [call for call in calls if call.known]
    return _share(sum(call.fits for call in known), len(known))


def execution_success(calls: Sequence[Call]) -> float:
    """Return the share of calls that ended without an error and with a non-empty result; 0 without a call."""
    return _share(sum(call.ok for call in calls), len(calls))


def selection_accuracy(calls: Sequence[Call], gold: Sequence[str]) -> float:
    """Return 1 where exactly the gold workflow's tools were called, else 0."""
    return float({call.tool for call in calls} == set(gold))


def selection_f1(calls: Sequence[Call], gold: Sequence[str]) -> float:
    """Return the F1 of the set of called tools against the gold workflow's."""
    called, wanted = {call.tool for call in calls}, set(gold)
    return _share(2 * len(called & wanted), len(called) + len(wanted))


def parallel_ratio(played: Played, gold: Sequence[str]) -> float:
    """
    Return the largest number of gold calls issued in one round, as a share of all gold calls.

    A call issues a gold call where it names its tool; of several calls to one tool as many count as gold has.
    """
    wanted = Counter(gold)
    most = 0
    for number in range(1, played.rounds + 1):
        issued = Counter(call.tool for call in played.of_round(number))
        most = max(most, (issued & wanted).total())
    return _share(most, len(gold))


def efficiency(calls: Sequence[Call], gold: Sequence[str]) -> float:
    """
    Return coverage times economy: |E n U| / |E| x |E| / max(|E|, calls).

    E holds the tools of the gold calls and U those that were called; a tool that gold calls twice is in E twice, and in
    U as often as it was called.
    """
    covered = (Counter(call.tool for call in calls) & Counter(gold)).total()
    return _share(covered, len(gold)) * _share(len(gold), max(len(gold), len(calls)))


def duplicates(calls: Sequence[Call]) -> int:
    """Return how many calls repeat an earlier one: the same tool with equal arguments."""
    seen = {(call.tool, canonical(call.arguments)) for call in calls}
    return len(calls) - len(seen)


def sequential_efficiency(calls: Sequence[Call]) -> float:
    """Return 1 less the share of calls that repeat an earlier one; 0 without a call."""
    return 1.0 - duplicates(calls) / len(calls) if calls else 0.0


def hit(played: Played, target: str, k: int = 1) -> float:
    """Return 1 where the target is among the first k of the final ranking, else 0."""
    return float(target in (played.ranking or ())[:k])


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0
