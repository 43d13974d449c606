"""What a workflow must look like at its level, and whether a person would have use for it."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from recfw.serialize import canonical
from recfw_orchestration.servers import SERVERS
from recfw_orchestration.tasks.records import Workflow, rounds_of

SERVER_OF: Mapping[str, str] = {tool: spec.name for spec in SERVERS.values() for tool in spec.tools}

SHORTEST_CHAIN = 3
LIKED = 4.0
"""Stars of a held-out rating from which it shows a preference."""


def single(flow: Workflow) -> bool:
    """Tell whether there is one call (L1)."""
    return len(flow.calls) == 1


def independent(flow: Workflow) -> bool:
    """Tell whether there are several calls and none needs another (L2)."""
    return len(flow.calls) > 1 and not any(call.after for call in flow.calls)


def chained(flow: Workflow) -> bool:
    """Tell whether each call needs the one before (L3)."""
    pairs = zip(flow.calls, flow.calls[1:], strict=False)
    linked = all(any(edge.producer == first.id for edge in second.after) for first, second in pairs)
    return len(flow.calls) >= SHORTEST_CHAIN and linked


def hybrid(flow: Workflow) -> bool:
    """Tell whether some calls can be made side by side, some only later, and one needs two others (L4)."""
    rounds = rounds_of(flow.calls)
    wide = max(Counter(rounds.values()).values()) > 1
    fan_in = any(len({edge.producer for edge in call.after}) > 1 for call in flow.calls)
    return wide and max(rounds.values()) > 1 and fan_in


SHAPES: Mapping[str, Callable[[Workflow], bool]] = {"L1": single, "L2": independent, "L3": chained, "L4": hybrid}


def distinct(sent: Sequence[tuple[str, Mapping[str, Any]]]) -> bool:
    """Tell whether no call repeats another."""
    return len({canonical([tool, dict(arguments)]) for tool, arguments in sent}) == len(sent)


def useful(flow: Workflow, rating: float | None) -> bool:
    """Tell whether several signals bear on the choice (beyond L1), and whether the user liked what he or she took."""
    signals = {SERVER_OF[call.tool] for call in flow.calls}
    return (flow.level == "L1" or len(signals) > 1) and (rating is None or rating >= LIKED)
