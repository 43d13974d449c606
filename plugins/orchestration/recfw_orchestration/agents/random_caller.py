"""
The random caller: the floor. One call of a tool drawn evenly, arguments drawn from its schema, a ranking drawn evenly.

What it is expected to score follows from that (:func:`expected`): it knows nothing of the request.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from recfw.model.draws import Draws
from recfw.model.reply import Reply, ToolCall
from recfw.model.task import Task
from recfw.model.view import ToolSpec, View
from recfw.protocols import Agent, Context, NoOptions, Player
from recfw_orchestration.tasks.records import workflow_of

LONGEST_LIST = 5
LETTERS = "abcdefghijklmnopqrstuvwxyz"


class RandomCaller(Agent):
    """Calls one tool drawn evenly, with arguments drawn from its schema, and ranks the candidates at random."""

    name: ClassVar[str] = "orchestration-random"
    summary: ClassVar[str] = "one call of a random tool with random arguments, then a random ranking; the floor"
    Options: ClassVar[type] = NoOptions
    tracks = ("orchestration",)
    deterministic = True

    def __init__(self, options: NoOptions | None = None) -> None:
        self._options = options

    def episode(self, context: Context) -> Player:
        """Return a player for one episode."""
        return _Plays(context.draws("random-caller"))


class _Plays:
    def __init__(self, draws: Draws) -> None:
        self._draws = draws

    async def reply(self, view: View) -> Reply:
        """Call, and then rank."""
        candidates = list(view.facts["candidates"])
        if view.facts["round"] == 1 and view.tools:
            tool = self._draws.choice(view.tools)
            return Reply(calls=(ToolCall.of(tool.name, **arguments(tool, candidates, self._draws)),))
        self._draws.shuffle(candidates)
        return Reply(data={"ranking": candidates, "explanation": "Drawn at random."})


def arguments(tool: ToolSpec, candidates: Sequence[str], draws: Draws) -> dict[str, Any]:
    """Return arguments that fit a tool's schema: the required ones, and each other one at even odds."""
    required = tool.parameters.get("required", [])
    return {
        name: _value(name, schema, candidates, draws)
        for name, schema in tool.parameters["properties"].items()
        if name in required or draws.below(2)
    }


def _value(name: str, schema: Mapping[str, Any], candidates: Sequence[str], draws: Draws) -> Any:
    if "enum" in schema:
        return draws.choice(schema["enum"])
    match schema["type"]:
        case "array":
            return _array(name, schema, candidates, draws)
        case "integer":
            return draws.between(schema.get("minimum", 0), min(schema.get("maximum", 100), 1000))
        case "number":
            low, high = schema.get("minimum", 0), min(schema.get("maximum", 100), 1000)
            return round(low + (high - low) * draws.random(), 2)
        case _:
            return _text(name, schema, candidates, draws)


def _array(name: str, schema: Mapping[str, Any], candidates: Sequence[str], draws: Draws) -> list[Any]:
    many = draws.between(schema.get("minItems", 1), min(LONGEST_LIST, schema.get("maxItems", LONGEST_LIST)))
    if name.endswith("ids"):
        return draws.sample(candidates, min(many, len(candidates)))
    return [_value("", schema["items"], candidates, draws) for _ in range(many)]


def _text(name: str, schema: Mapping[str, Any], candidates: Sequence[str], draws: Draws) -> str:
    if name.endswith("_id") and not name.startswith(("user", "page")):
        return draws.choice(candidates)
    if "pattern" in schema:  # the one pattern of these tools: a local time
        return f"20{draws.between(10, 29)}-{draws.between(1, 12):02d}-{draws.between(1, 28):02d}T12:00"
    return "".join(draws.choice(LETTERS) for _ in range(draws.between(3, 8)))


def expected(task: Task, tools: int | None = None) -> dict[str, float]:
    """
    Return what the random caller is expected to score on a task, for the figures that this determines.

    With T tools, a gold workflow of calls G over g distinct tools, and n candidates: its one tool is any with
    probability 1/T, so selection accuracy is 1/T where g = 1 and else 0; F1 is (g/T) x 2/(1+g); the parallel ratio and
    the efficiency are (g/T)/|G|; a hit at k is min(k, n)/n; dependency awareness is 0, for no call comes after another.
    Parameter accuracy is at most (g/T)/|G|, which would need every argument right.

    Args:
        task: The task.
        tools: T, where it is not the task's own number of tools.
    """
    gold = Counter(call.tool for call in workflow_of(task).calls)
    offered, n = tools or len(task.public["tools"]), len(task.public["candidates"])
    share = len(gold) / offered
    return {
        "selection_accuracy": share if len(gold) == 1 else 0.0,
        "selection_f1": share * 2 / (1 + len(gold)),
        "parallel_ratio": share / gold.total(),
        "efficiency": share / gold.total(),
        "parameter_accuracy_at_most": share / gold.total(),
        "dependency_awareness": 0.0,
        "hit": 1 / n,
        "hit_at_3": min(3, n) / n,
        "hit_at_5": min(5, n) / n,
    }
