"""
The router: reads the request sentence by sentence, and calls for each the tool whose own words fit it best.

It knows the tools' schemas and the request, nothing of how requests are made. First it calls what can be called from
the context alone; then, for sentences that were left, what needs an id from a result. Candidates are ranked by how many
results single them out, then by their places in them.
"""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from recfw.model.reply import Reply, ToolCall
from recfw.model.view import ToolSpec, View
from recfw.protocols import Agent, Context, NoOptions, Player
from recfw_orchestration.agents.filling import fill
from recfw_orchestration.agents.matching import Directory

FITS, BESIDE = 0.25, 0.5
"""Score from which a sentence is about a tool, and what share of the best sentence's score it must have."""
LATER = 0.6
"""Factor on tools that cannot be called yet."""
ROUNDS = 2
LIMIT = 50


class Router(Agent):
    """Routes each sentence of the request to the tool whose description and arguments share most words with it."""

    name: ClassVar[str] = "orchestration-router"
    summary: ClassVar[str] = "calls the tools whose schemas share most words with the request; no model"
    Options: ClassVar[type] = NoOptions
    tracks = ("orchestration",)
    deterministic = True

    def __init__(self, options: NoOptions | None = None) -> None:
        self._options = options
        self._directories: dict[tuple[str, ...], Directory] = {}

    def episode(self, context: Context) -> Player:  # noqa: ARG002 - it draws nothing
        """Return a player for one episode."""
        return _Plays(self)

    def directory(self, tools: Sequence[ToolSpec]) -> Directory:
        """Return the words of some tools, gathered once."""
        key = tuple(tool.name for tool in tools)
        if key not in self._directories:
            self._directories[key] = Directory.of(tools)
        return self._directories[key]


class _Plays:
    def __init__(self, router: Router) -> None:
        self._router = router
        self._left: list[str] | None = None
        self._results: list[Mapping[str, Any]] = []

    async def reply(self, view: View) -> Reply:
        """Call what can be called, or rank."""
        facts = view.facts
        self._results += [each["content"] for each in facts["results"] if not each["error"]]
        if self._left is None:
            self._left = _sentences(str(facts["request"]))
        calls = self._calls(view) if view.tools and facts["round"] <= ROUNDS else ()
        if calls:
            return Reply(calls=calls)
        ranked = ranked_by(self._results, facts["candidates"])
        return Reply(data={"ranking": ranked, "explanation": "Most results single the first one out."})

    def _calls(self, view: View) -> tuple[ToolCall, ...]:
        """Return the calls for those sentences that a tool fits whose arguments are known; the others wait."""
        found = [entry for content in reversed(self._results) for entry in _entries(content)]
        routes = [self._route(view, sentence, found) for sentence in self._left or ()]
        least = max(FITS, BESIDE * max((score for score, _, _ in routes), default=0.0))
        made, waiting = dict[str, ToolCall](), list[str]()
        for sentence, (score, tool, arguments) in zip(self._left or (), routes, strict=True):
            if score >= least and arguments is not None:
                made.setdefault(tool.name, ToolCall.of(tool.name, **_wide(tool, arguments)))
            elif score >= least:
                waiting.append(sentence)
        if not made and not self._results and routes:
            made = self._anything(view, max(routes, key=lambda route: route[0])[1])
        self._left = waiting
        return tuple(made.values())

    def _route(
        self, view: View, sentence: str, found: Sequence[Mapping[str, Any]]
    ) -> tuple[float, ToolSpec, dict[str, Any] | None]:
        """Return the tool that fits a sentence best, how well, and its arguments as far as they are known."""
        directory, best = self._router.directory(view.tools), (-1.0, view.tools[0], None)
        options: list[tuple[float, ToolSpec, dict[str, Any] | None]] = [best]
        for tool in view.tools:
            score = directory.score(sentence, tool.name)
            arguments = fill(tool, sentence, view.facts, found) if score else None
            options.append((score if arguments is not None else LATER * score, tool, arguments))
        return max(options, key=lambda option: (option[0], option[1].name))

    def _anything(self, view: View, wanted: ToolSpec) -> dict[str, ToolCall]:
        """Return a first call where nothing fits: the tool that fits best, or the first that can be called."""
        for tool in (wanted, *view.tools):
            arguments = fill(tool, str(view.facts["request"]), view.facts, ())
            if arguments is not None:
                return {tool.name: ToolCall.of(tool.name, **_wide(tool, arguments))}
        return {}


def _sentences(request: str) -> list[str]:
    return [part.strip() for part in request.replace("?", ".").replace(";", ".").split(". ") if part.strip(" .")]


def _wide(tool: ToolSpec, arguments: dict[str, Any]) -> dict[str, Any]:
    """Return arguments that ask for as many items as the tool lists."""
    limit = tool.parameters["properties"].get("limit")
    return {**arguments, "limit": limit.get("maximum", LIMIT)} if limit else arguments


def _entries(content: Any) -> list[Mapping[str, Any]]:
    listed = content.get("items") if isinstance(content, Mapping) else None
    if isinstance(listed, list):
        return [entry for entry in listed if isinstance(entry, Mapping)]
    return [content] if isinstance(content, Mapping) else []


def ranked_by(results: Sequence[Mapping[str, Any]], candidates: Sequence[str]) -> list[str]:
    """Return the candidates: named by most results first, then by the sum of their places in them, then by id."""
    named = dict.fromkeys(candidates, 0)
    places = dict.fromkeys(candidates, 0.0)
    for content in results:
        ids = [str(entry.get("item_id")) for entry in _entries(content)]
        ids += [str(item) for entry in _entries(content) for item in entry.get("item_ids") or ()]
        inside = [item for item in dict.fromkeys(ids) if item in named]
        for place, item in enumerate(inside):
            named[item] += 1
            places[item] += place / len(inside)
    return sorted(candidates, key=lambda item: (-named[item], places[item], item))
