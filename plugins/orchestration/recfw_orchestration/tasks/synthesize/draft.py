"""A draft: a workflow that grows call by call around a user and the item that he or she took next."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from attrs import Factory, define, field, frozen

from recfw.model.draws import Draws
from recfw_orchestration.data.records import Domain, Item
from recfw_orchestration.data.store import Data
from recfw_orchestration.tasks.answer import Content, arguments_of
from recfw_orchestration.tasks.lexicon import lexicon
from recfw_orchestration.tasks.records import Allowed, AnswerRule, Best, Edge, GoldCall, Keep, Kind, Origin
from recfw_orchestration.tasks.synthesize.running import Runner

CANDIDATES = "$candidates"
"""Stands for the candidate list until it is drawn."""
MOST = 50
"""What gold asks for where a tool lists."""

F = TypeVar("F", bound=Callable[..., Any])

Source = tuple[str, ...]
"""The calls whose survivors a later call looks at; empty: the candidates."""


@frozen
class Wish:
    """
    One thing that the request asks for.

    Args:
        kind: A key of the phrasings.
        values: Slot -> gold's value, as the wording names them.
    """

    kind: str
    values: dict[str, Any] = Factory(dict)


@define
class Draft:
    """
    A workflow in the making.

    Args:
        data: The store; only the target's own records are read here, all else comes from calls.
        run: Makes calls.
        draws: This draft's draws.
        domain: The domain.
        user: The user.
        target: The item that must become the answer.
    """

    data: Data
    run: Runner
    draws: Draws
    domain: Domain
    user: str
    target: str
    calls: list[GoldCall] = field(factory=list)
    keeps: list[Keep] = field(factory=list)
    slack: dict[int, float] = field(factory=dict)
    """Place of a test -> by how much its number may be missed."""
    best: Best | None = None
    wishes: list[Wish] = field(factory=list)
    place: dict[str, Any] = field(factory=dict)
    time: str | None = None
    used: Counter[str] = field(factory=Counter)
    """How often each ingredient is in tasks already."""
    parts: list[str] = field(factory=list)
    """Names of the ingredients."""
    results: dict[str, Content] = field(factory=dict)
    """Results of calls that need no candidates, by id."""

    @property
    def item(self) -> Item:
        """The target."""
        found = self.data.item(self.domain, self.target)
        assert found is not None
        return found

    @property
    def rule(self) -> AnswerRule:
        """The answer rule so far."""
        return AnswerRule(tuple(self.keeps), self.best)

    def pick(self, options: Sequence[F]) -> F:
        """Return one of two ingredients drawn, the one in fewer tasks, so that hard ones are not crowded out."""
        first, second = self.draws.choice(options), self.draws.choice(options)
        return min(first, second, key=lambda each: self.used[name_of(each)])

    def pick_some(self, options: Sequence[F], size: int) -> list[F]:
        """Return distinct ingredients, each drawn as :meth:`pick` does."""
        left, found = list(options), list[F]()
        while left and len(found) < size:
            found.append(self.pick(left))
            left.remove(found[-1])
        return found

    def tools(self) -> list[str]:
        """Return the tools so far, in order."""
        return [call.tool for call in self.calls]

    def call(self, tool: str, limit: int | None = None, **arguments: Allowed | None) -> str:
        """Add a call and return its id; arguments that are None are left out."""
        given = {name: allowed for name, allowed in arguments.items() if allowed is not None}
        after = tuple(
            Edge(producer, _path(allowed.origin.field), name)
            for name, allowed in given.items()
            if allowed.origin is not None
            for producer in allowed.origin.calls
        )
        made = GoldCall(f"c{len(self.calls) + 1}", tool, given, after, limit)
        self.calls.append(made)
        return made.id

    async def look(self, call: str) -> Content | None:
        """Run a call that needs no candidates; None where it was refused."""
        made = next(each for each in self.calls if each.id == call)
        found = await self.run(made.tool, arguments_of(made, self.rule, self.results, ()))
        if found is not None:
            self.results[call] = found
        return found

    def keep(self, call: str, test: Any = "listed", name: str = "", value: Any = None, slack: float = 0.0) -> None:
        """Demand that a candidate passes a test of a call's result."""
        if slack:
            self.slack[len(self.keeps)] = slack
        self.keeps.append(Keep(call, test, name, value))

    def slack_of(self, slot: str, value: float) -> float:
        """Return by how much a slot's number may be missed."""
        return lexicon()[slot].slack(value)

    def decide(self, call: str, name: str, *, descending: bool = True) -> None:
        """Let a field of a call's result decide among those that stay."""
        self.best = Best(call, name, descending)

    def wish(self, kind: str, **values: Any) -> None:
        """Say what the last calls are asked for."""
        self.wishes.append(Wish(kind, {name: value for name, value in values.items() if value is not None}))

    def value(self, slot: str, fits: Any) -> Any:
        """Return one of a slot's values that fits (a predicate of value and slack), or None."""
        entry = lexicon()[slot]
        open_to = [value for value in entry.values() if fits(value, entry.slack(value) if _is_number(value) else 0.0)]
        return self.draws.choice(open_to) if open_to else None


def name_of(ingredient: Callable[..., Any]) -> str:
    """Return the name by which an ingredient's uses are counted."""
    return f"{ingredient.__module__.rpartition('.')[2]}.{ingredient.__name__}"


def ids(source: Source) -> Allowed:
    """Return what ``item_ids`` may be: the candidates, or those that survive earlier calls."""
    if not source:
        return Allowed((CANDIDATES,), "set")
    return Allowed((), "set", origin=Origin(source, "item_id", "ids"))


def exactly(value: Any, *, kind: Kind = "exact", optional: bool = False) -> Allowed:
    """
    Return an argument with one allowed value.

    Args:
        value: The value.
        kind: How it is compared.
        optional: Whether something else says the same, so that it may be left out if the answer stays the same; the
            last run decides that.
    """
    return Allowed((value,), kind, optional=optional)


def near(slot: str, value: float | None, kind: Kind = "number") -> Allowed | None:
    """Return a number that may be missed by the slot's slack; None for None."""
    if value is None:
        return None
    slack = 0.0 if kind == "radius" else lexicon()[slot].slack(value)
    return Allowed((value,), kind, round(slack, 6))


def taken(call: str, name: str, pick: Any = "first", by: str = "", kind: Kind = "exact") -> Allowed:
    """Return an argument that is taken from one call's result."""
    return Allowed((), kind, origin=Origin((call,), name, pick, by))


def _path(name: str) -> str:
    return f"items[].{name}"


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
