"""
The track ``sample``: a dozen films, a rule-based user, a reference agent; for trying components that bring no track.

It is a plugin of its own that is never loaded unasked: ``RECFW_PLUGINS=recfw.testing.sample`` loads it.
"""

from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, ClassVar

from recfw.elicitation.goal import Goal
from recfw.elicitation.predicates import Predicate, failed
from recfw.elicitation.talk import TOOLS, CatalogTalk, RightItem
from recfw.elicitation.wording import read_clauses
from recfw.hookspecs import hookimpl
from recfw.model.reply import Reply, ToolCall
from recfw.model.run import Cell, ComponentSpec, Limits
from recfw.model.task import Task
from recfw.model.view import View
from recfw.protocols import (
    Agent,
    Context,
    Environment,
    NoOptions,
    Player,
    Problem,
    Resources,
    RoleSpec,
    Track,
    World,
)
from recfw.serialize import digest

MODULE = "recfw.testing.sample"
"""What the variable ``RECFW_PLUGINS`` is to name."""
FIELDS = ("genre", "minutes", "country")
FILMS: Mapping[str, Mapping[str, Any]] = {
    f"film-{number:02}": {"genre": genre, "minutes": 80 + 7 * number, "country": country}
    for number, (genre, country) in enumerate(
        (genre, country) for genre in ("comedy", "drama", "western") for country in ("France", "India", "Italy", "Peru")
    )
}
BRIEF = "Find a film for the user: ask what matters, then call `recommend`. There are films by genre, minutes, country."


class SampleAgent(Agent):
    """Asks once about everything, then recommends the first film that fits what it was told."""

    name: ClassVar[str] = "sample-asking"
    summary: ClassVar[str] = "asks once about every field, then recommends"
    tracks: ClassVar[tuple[str, ...]] = ("sample",)
    deterministic: ClassVar[bool] = True

    def __init__(self, options: NoOptions) -> None:
        self.options = options

    def episode(self, context: Context) -> Player:  # noqa: ARG002 - nothing is drawn
        """Return a player; this one keeps no state."""
        return self

    async def reply(self, view: View) -> Reply:
        """Say what to do next."""
        heard = [message.text for message in view.messages if message.speaker == "user"]
        if len(heard) < 2:
            return Reply("Which genre, how many minutes, and which country?")
        told = read_clauses(" ".join(heard), FIELDS)
        return Reply(calls=(ToolCall.of("recommend", item=next((f for f in FILMS if not failed(told, FILMS[f])), "")),))


class SampleSuccess(RightItem):
    """Whether the film was right."""

    name: ClassVar[str] = "sample-success"


class SampleTrack(Track):
    """Find a film: one task a film, each with a goal that only this film and few others meet."""

    name: ClassVar[str] = "sample"
    summary: ClassVar[str] = "a dozen films and a rule-based user, for trying components"
    roles: ClassVar[Mapping[str, RoleSpec]] = {
        "agent": RoleSpec("agents", "sample-asking", evaluated=True),
        "user": RoleSpec("users", "rules"),
    }
    limits: ClassVar[Limits] = Limits(turns={"agent": 8}, calls={"agent": 8}, seconds={"agent": 60.0})
    metrics: ClassVar[Sequence[str]] = ("sample-success", "effort")
    analyses: ClassVar[Sequence[str]] = ("summary",)
    split_by: ClassVar[Sequence[str]] = ("genre",)
    clustered_by: ClassVar[str] = "film"

    def __init__(self, options: NoOptions) -> None:
        self.options = options

    def default_cells(self) -> Sequence[Cell]:
        """Return the reference agent with core's rule-based user."""
        return (Cell("asking", {"agent": ComponentSpec("sample-asking"), "user": ComponentSpec("rules")}),)

    def tasks(self) -> Sequence[Task]:
        """Return one task a film: its genre stated, its length told when asked, its country hidden."""
        made = []
        for name, film in FILMS.items():
            wanted = (
                Predicate("genre", "==", film["genre"]),
                Predicate("minutes", "<=", film["minutes"], "on_ask"),
                Predicate("country", "==", film["country"], "hidden"),
            )
            goal = Goal(FIELDS, wanted)
            made.append(Task(name, name, {"genre": film["genre"]}, {"stated": goal.stated()}, goal.private()))
        return tuple(made)

    def content_digest(self) -> str:
        """Return a digest of all that figures depend on."""
        return digest([FILMS, BRIEF, TOOLS, self.tasks()])

    def validate(self) -> Sequence[Problem]:
        """Find tasks that no film meets."""
        goals = {task.id: Goal.read(task.private) for task in self.tasks()}
        met = {name for name, goal in goals.items() if any(not goal.failed(film) for film in FILMS.values())}
        return [Problem(name, "can-be-met", "no film meets it") for name in goals if name not in met]

    @asynccontextmanager
    async def open(self, resources: Resources) -> AsyncIterator[World]:  # noqa: ARG002 - it needs nothing
        """Open the world, which holds nothing."""
        yield self

    @asynccontextmanager
    async def episode(self, task: Task, context: Context) -> AsyncIterator[Environment]:  # noqa: ARG002 - nothing is drawn
        """Give an environment to one episode."""
        yield CatalogTalk(task, BRIEF, FILMS)


@hookimpl
def recfw_register_tracks() -> Iterable[type[Any]]:
    """Offer the track."""
    return (SampleTrack,)


@hookimpl
def recfw_register_agents() -> Iterable[type[Any]]:
    """Offer the reference agent."""
    return (SampleAgent,)


@hookimpl
def recfw_register_metrics() -> Iterable[type[Any]]:
    """Offer the metric."""
    return (SampleSuccess,)
