"""Small catalogs, and a driver that plays an agent against the real environment and the rule-based user."""

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import jsonschema_rs
import orjson
import pytest
from attrs import define, evolve, field

from recfw.elicitation.labels import LabelTree
from recfw.elicitation.predicates import Predicate
from recfw.model.draws import Draws
from recfw.model.reply import Reply
from recfw.model.view import View
from recfw.protocols import Accepted, Agent, Ended
from recfw.testing.fakes import context
from recfw_books.catalog.records import BookCatalog
from recfw_books.environment import BooksEnvironment, proposals
from recfw_books.goal import to_task
from recfw_books.model import FORMATS, Book, BookTask
from recfw_books.search.impact import ImpactRetriever
from recfw_books.search.structured import StructuredSearch
from recfw_books.tools import KeywordTool, StructuredTool, Tools, indexed
from recfw_books.user.rules import BooksRules

TREES = {"language": LabelTree({"English": ["British English"]}), "country": LabelTree({"Isles": ["Erin", "Mona"]})}
TASK = BookTask("t", "f", "hidden", "simple", "x", False, (), (), (), "You are brief.", False, False)


@define
class Played:
    """What happened in one episode: replies, world events, the ending, calls of the fullest turn, searches."""

    replies: list[Reply] = field(factory=list)
    events: list[Any] = field(factory=list)
    stop: str = "agent_turn_limit"
    calls: Counter[int] = field(factory=Counter)
    turns: int = 1

    @property
    def proposed(self) -> list[str]:
        """The proposed books, in order."""
        return [proposals(reply.text)[0] for reply in self.replies if proposals(reply.text)]

    @property
    def recommended(self) -> dict[str, Any]:
        """What the world noted of the recommendation."""
        (event,) = [e for e in self.events if e.name == "recommended"]
        return dict(event.data)

    def arguments(self, tool: str) -> list[dict[str, Any]]:
        """The arguments of all calls of a tool, in order."""
        return [orjson.loads(c.arguments) for reply in self.replies for c in reply.calls if c.name == tool]


async def _play(agent: Agent, environment: BooksEnvironment) -> Played:
    players = {"agent": agent.episode(context("agent")), "user": BooksRules().episode(context("user"))}
    played = Played()
    while played.turns <= 20:
        role = environment.next_role()
        view = await environment.view(role)
        reply = await players[role].reply(view)
        results = []
        if role == "agent":
            played.replies.append(reply)
            played.calls[played.turns] += len(reply.calls)
            results = [await _answer(environment, view, call) for call in reply.calls]
            played.turns += not reply.calls
        ruling = await environment.receive(role, reply, results)
        assert isinstance(ruling, Accepted | Ended)
        played.events += ruling.events
        if isinstance(ruling, Ended):
            played.stop = ruling.stop
            break
    return played


async def _answer(environment: BooksEnvironment, view: View, call: Any) -> Any:
    (spec,) = [tool for tool in view.tools if tool.name == call.name]
    arguments = orjson.loads(call.arguments)
    jsonschema_rs.validate(spec.parameters, arguments)
    return await environment.call("agent", call.name, arguments)


@pytest.fixture(scope="session")
def play() -> Callable[..., Played]:
    """Return a function that plays one episode; every call must be valid by its tool's schema."""
    kept: dict[tuple[int, bool], tuple[BookCatalog, Tools]] = {}  # the catalog too, so that its id stays its own

    def run(agent: Agent, catalog: BookCatalog, task: BookTask, *, keyword: bool = False) -> Played:
        key = (id(catalog), keyword)
        if key not in kept:
            retriever = ImpactRetriever()
            retriever.build(indexed(catalog))
            made = KeywordTool(catalog, retriever) if keyword else StructuredTool(StructuredSearch(catalog))
            kept[key] = catalog, Tools(catalog, made)
        return asyncio.run(_play(agent, BooksEnvironment(to_task(task), catalog, kept[key][1], "PROMPT")))

    return run


@pytest.fixture(scope="session")
def catalog_of() -> Callable[[Sequence[dict[str, Any]]], BookCatalog]:
    """Return a function that makes a catalog of books given by what is special of each; the first is most popular."""
    base = Book("", "Title", ("Ann Bo",), 2000, ("Horror",), "English", "Erin", 0, FORMATS)

    def make(special: Sequence[dict[str, Any]]) -> BookCatalog:
        last = len(special)
        return BookCatalog(
            tuple(
                evolve(base, **{"id": f"wd_Q{i + 1}", "sitelinks": last - i, **more}) for i, more in enumerate(special)
            ),
            TREES,
        )

    return make


@pytest.fixture(scope="session")
def task_of() -> Callable[..., BookTask]:
    """Return a function that makes a task of predicates as (field, op, value, reveal)."""

    def make(*predicates: tuple[str, str, Any, str], **more: Any) -> BookTask:
        return evolve(TASK, predicates=tuple(Predicate(*each) for each in predicates), **more)

    return make


@pytest.fixture(scope="session")
def random_catalog() -> BookCatalog:
    """Return 600 random books of few labels."""
    draws = Draws(5, "agents")
    genres = ("Crime", "Drama", "Fantasy", "Horror", "War")
    return BookCatalog(
        tuple(
            Book(
                id=f"wd_Q{number}",
                title=draws.choice(("Night", "River", "Home")),
                authors=("Ann Bo",),
                year=draws.between(1950, 1970),
                genres=tuple(sorted(draws.sample(genres, draws.between(1, 3)))),
                language=draws.choice(("English", "British English", "French")),
                country=draws.choice(("Erin", "Mona", "Isles", "Gaul")),
                sitelinks=draws.below(50),
                formats=tuple(sorted(draws.sample(FORMATS, draws.between(1, 4)))),
            )
            for number in range(600)
        ),
        TREES,
    )
