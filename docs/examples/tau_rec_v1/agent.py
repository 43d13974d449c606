"""The reference agent ``ask-and-filter``: asks about every field once, proposes what fits, takes what is accepted."""

from collections.abc import Sequence
from typing import Any, ClassVar

import orjson

from recfw.elicitation.predicates import Predicate
from recfw.elicitation.records import predicate_data
from recfw.elicitation.wording import read_clauses, spoken
from recfw.model.reply import Reply, ToolCall
from recfw.model.view import TOOL, View
from recfw.protocols import Agent, Context, NoOptions, Player


class AskAndFilter(Agent):
    """Reads the sentences of core's rule-based users; takes up what they tell with a rejection."""

    name: ClassVar[str] = "ask-and-filter"
    summary: ClassVar[str] = "asks about every field, proposes what fits what it was told, recommends what is accepted"
    Options: ClassVar[type] = NoOptions
    tracks: ClassVar[tuple[str, ...]] = ("tau-rec-v1",)
    deterministic: ClassVar[bool] = True

    def __init__(self, options: Any = None) -> None:
        self.options = options

    def episode(self, context: Context) -> Player:  # noqa: ARG002 - nothing is drawn
        """Return the agent of one episode."""
        return _Asking()


class _Asking:
    def __init__(self) -> None:
        self._told: tuple[Predicate, ...] = ()
        self._searched: tuple[Predicate, ...] | None = None
        self._waiting: list[str] = []
        self._tried: list[str] = []
        self._barred: set[str] | None = None
        self._offset, self._total = 0, 0
        self._asked = False

    async def reply(self, view: View) -> Reply:
        """Ask first; then look up what fits, and propose one after another."""
        last = view.messages[-1]
        if last.speaker == TOOL:
            self._take([m.text for m in view.messages[-2:] if m.speaker == TOOL])
        elif last.speaker == "user":
            fields = _fields(view)
            told = read_clauses(last.text, fields)
            self._told = tuple(dict.fromkeys((*self._told, *told)))
            if "###ACCEPTED###" in last.text:
                return Reply(calls=(ToolCall.of("recommend", item_id=self._tried[-1]),))
            if not self._asked:
                self._asked = True
                return Reply(f"What about {', '.join(map(spoken, fields))}: do you have requirements?")
        return self._go_on()

    def _go_on(self) -> Reply:
        """Propose what is found, or look for more; recommend nothing where nothing is left."""
        if self._searched != self._told:
            self._searched, self._waiting, self._offset = self._told, [], 0
            return self._search()
        if self._waiting:
            self._tried.append(self._waiting.pop(0))
            return Reply(f"How about this: [[candidate_id:{self._tried[-1]}]]")
        if self._offset < self._total:
            return self._search()
        return Reply(calls=(ToolCall("recommend"),))

    def _search(self) -> Reply:
        constraints = [predicate_data(p) for p in self._told]
        search = ToolCall.of("search_items", constraints=constraints, offset=self._offset)
        return Reply(calls=(search,) if self._barred is not None else (ToolCall("get_user_history"), search))

    def _take(self, answers: Sequence[str]) -> None:
        for answer in answers:
            try:
                content = orjson.loads(answer)
            except ValueError:
                continue
            if not isinstance(content, dict) or "items" not in content:
                continue
            if "total" not in content:
                self._barred = set(content["items"])
            else:
                self._total = content["total"]
                self._offset += len(content["items"])
                passed = {*self._tried, *(self._barred or ())}
                self._waiting += [each["id"] for each in content["items"] if each["id"] not in passed]


def _fields(view: View) -> tuple[str, ...]:
    """Return the fields that the search tool names."""
    (search,) = [tool for tool in view.tools if tool.name == "search_items"]
    names: list[str] = search.parameters["properties"]["constraints"]["items"]["properties"]["field"]["enum"]
    return tuple(names)
