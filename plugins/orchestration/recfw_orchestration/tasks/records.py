"""
Records of a gold workflow, and how a task holds one.

Public half: ``instruction``, ``user_id``, ``place`` and ``time`` (null where the request needs none), ``candidates``
and ``tools``. Private half: ``target``, ``gold`` (a :class:`Workflow`), ``plain`` (the instruction before it was made
fuzzy) and ``phrases`` (each a :class:`Phrase`). Facets: ``level``, ``domain`` and ``ambiguity``.
"""

from typing import Any, Literal

from attrs import Factory, frozen

from recfw.model.task import Task
from recfw.serialize import from_data

LEVELS = ("L1", "L2", "L3", "L4")
AMBIGUITIES = ("low", "moderate", "high")
"""Ambiguity levels; their places, from 1, are how many ambiguity types a task has."""

AMBIGUITY_TYPES = (
    "underspecification",
    "soft_contradiction",
    "vague_quantifier",
    "preference_uncertainty",
    "implicit_constraint",
)

Kind = Literal["exact", "set", "number", "coordinate", "radius", "time", "text"]
Pick = Literal["ids", "first", "max", "most"]
Test = Literal["listed", "unlisted", "eq", "ge", "le", "gt", "lt", "has"]


@frozen
class Origin:
    """
    Where an argument's value comes from in a live run.

    Args:
        calls: The calls whose results give it.
        field: The key under which it stands in a result's entries.
        pick: ``ids``: the candidates that satisfy all that the answer rule demands of these calls, in candidate order;
            ``first``: of the first entry; ``max``: of the entry with the largest ``by``, the first of equal ones;
            ``most``: the most frequent value, the one seen first of equally frequent ones.
        by: The key that ``max`` compares.
    """

    calls: tuple[str, ...]
    field: str
    pick: Pick = "first"
    by: str = ""


@frozen
class Allowed:
    """
    What an argument may be.

    Args:
        values: Allowed values; gold sends the first.
        kind: How a value is compared with them (orchestration-servers.md, parameter accuracy).
        tolerance: Of ``number``, the largest difference that is still right.
        optional: Whether the argument may be left out: without it the answer is the same.
        origin: The results that gold takes it from; None where the request or the public facts give it.
    """

    values: tuple[Any, ...]
    kind: Kind = "exact"
    tolerance: float = 0.0
    optional: bool = False
    origin: Origin | None = None


@frozen
class Edge:
    """A dependency: an argument of the call that holds it takes its value from ``field`` of the producer's result."""

    producer: str
    field: str
    argument: str


@frozen
class GoldCall:
    """
    One call of the gold workflow.

    Args:
        id: Unique in its workflow, ``c1``, ``c2`` …
        tool: The tool.
        arguments: Argument -> what it may be.
        after: The calls whose results it needs, argument by argument.
        limit: What gold sends as ``limit``, which is not judged; None: nothing.
    """

    id: str
    tool: str
    arguments: dict[str, Allowed]
    after: tuple[Edge, ...] = ()
    limit: int | None = None


@frozen
class Keep:
    """
    A candidate stays where its entry in a call's result passes a test.

    Args:
        call: The call.
        test: ``listed`` and ``unlisted``: the result names it, or does not; ``has``: the field, a list, holds the
            value; otherwise the field is compared with the value. A missing field or null passes nothing.
        field: A key of an entry.
        value: What it is compared with.
    """

    call: str
    test: Test = "listed"
    field: str = ""
    value: Any = None


@frozen
class Best:
    """Of the candidates that stay, those with the largest (or least) number under a field of a call's result."""

    call: str
    field: str
    descending: bool = True


@frozen
class AnswerRule:
    """Maps the results of the gold calls to the answer (:mod:`recfw_orchestration.tasks.answer`)."""

    keep: tuple[Keep, ...] = ()
    best: Best | None = None


@frozen
class Workflow:
    """
    The gold workflow of a task.

    Args:
        level: ``L1`` to ``L4``.
        calls: The calls, producers before consumers.
        rounds: The fewest rounds in which they can be made.
        answer: The rule that maps their results to the unique target.
        flow: The name of its shape, such as ``similar>rating>sentiment``.
    """

    level: str
    calls: tuple[GoldCall, ...]
    rounds: int
    answer: AnswerRule
    flow: str = ""


@frozen
class Phrase:
    """
    A fuzzy phrase of an instruction.

    Args:
        type: Its ambiguity type.
        pattern: The wording with its slots masked.
        text: The sentence as it stands in the instruction.
        words: Slot -> the lexicon's word that stands in the text in place of a value.
        values: Slot -> gold's value, of the same slots.
    """

    type: str
    pattern: str
    text: str
    words: dict[str, str] = Factory(dict)
    values: dict[str, Any] = Factory(dict)


def workflow_of(task: Task) -> Workflow:
    """Return a task's gold workflow; DataError where it holds none."""
    return from_data(task.private["gold"], Workflow, f"task {task.id}: gold")


def phrases_of(task: Task) -> tuple[Phrase, ...]:
    """Return a task's fuzzy phrases."""
    return from_data(task.private["phrases"], tuple[Phrase, ...], f"task {task.id}: phrases")


def rounds_of(calls: tuple[GoldCall, ...]) -> dict[str, int]:
    """Return call -> the earliest round, from 1, in which it can be made."""
    found: dict[str, int] = {}
    for call in calls:
        found[call.id] = 1 + max((found[edge.producer] for edge in call.after), default=0)
    return found
