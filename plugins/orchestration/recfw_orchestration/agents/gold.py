"""
The gold agent: the ceiling. It makes the gold calls and applies the answer rule to what they answer.

It is no contestant: it looks its task up by id in the task file. Of the private half it reads the workflow alone, and
of that, of arguments that earlier results give, only where they come from: their values are taken from live results, as
is the ranking. It never reads the target, so a tool that answers wrongly makes it fail.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

from attrs import field, frozen

from recfw.errors import DataError
from recfw.model.reply import Reply, ToolCall
from recfw.model.view import View
from recfw.protocols import PATH, Agent, Context, Player
from recfw_orchestration.tasks.answer import arguments_of, ranking
from recfw_orchestration.tasks.pool import held, read
from recfw_orchestration.tasks.records import Workflow, rounds_of, workflow_of


@frozen
class GoldOptions:
    """
    Where the workflows are.

    Args:
        tasks_file: A task file; empty for those that the track plays.
    """

    tasks_file: str = field(default="", metadata=PATH)


class Gold(Agent):
    """Makes the gold calls in as few rounds as they need, and ranks by the answer rule from what they answer."""

    name: ClassVar[str] = "orchestration-gold"
    summary: ClassVar[str] = "makes the gold calls and ranks by the answer rule from live results; the ceiling"
    Options: ClassVar[type] = GoldOptions
    tracks = ("orchestration",)
    deterministic = True

    def __init__(self, options: GoldOptions | None = None) -> None:
        self._file = (options or GoldOptions()).tasks_file

    def episode(self, context: Context) -> Player:
        """Return a player for one episode; DataError where no task file holds its task."""
        pools = (read(Path(self._file)),) if self._file else held()
        flows = {
            task.public["instruction"]: workflow_of(task)  # by the instruction it is known again; nothing else is kept
            for pool in pools
            for task in pool.tasks
            if task.id == context.task
        }
        if not flows:
            raise _missing(context.task, self._file)
        return _Plays(context.task, self._file, flows)


def _missing(task: str, file: str) -> DataError:
    named = file or "no task file that was read"
    return DataError(
        f"orchestration-gold: {named}{' does not hold' if file else ' holds'} the task '{task}' that is played.",
        "Give it the file that the track plays: --set orchestration-gold.tasks_file=FILE.",
    )


class _Plays:
    def __init__(self, task: str, file: str, flows: Mapping[str, Workflow]) -> None:
        self._task, self._file, self._flows = task, file, flows
        self._asked: list[str] = []
        self._results: dict[str, Mapping[str, Any]] = {}

    async def reply(self, view: View) -> Reply:
        """Make the next round's calls, or rank."""
        facts = view.facts
        flow = self._flows.get(facts["request"])
        if flow is None:
            raise _missing(self._task, self._file)
        due = rounds_of(flow.calls)
        for call, result in zip(self._asked, facts["results"], strict=False):
            if not result["error"]:
                self._results[call] = result["content"]
        candidates = facts["candidates"]
        self._asked = [call.id for call in flow.calls if due[call.id] == facts["round"]]
        if not self._asked:
            ranked = ranking(flow.answer, self._results, candidates) or candidates[:1]
            return Reply(data={"ranking": ranked, "explanation": f"The gold workflow ({flow.flow}) leaves it."})
        asked = [call for call in flow.calls if call.id in self._asked]
        sent = [(call.tool, arguments_of(call, flow.answer, self._results, candidates)) for call in asked]
        return Reply(calls=tuple(ToolCall.of(tool, **arguments) for tool, arguments in sent))
