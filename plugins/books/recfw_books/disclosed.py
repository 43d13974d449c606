"""What a user told, as data: the shape in which user simulators report it and the trace keeps it."""

from collections.abc import Iterable, Mapping
from typing import Any

from recfw.elicitation.disclosure import Answer, Disclosure, Told
from recfw.elicitation.predicates import Predicate
from recfw.elicitation.records import predicate_data, read_predicate, read_requirement
from recfw.errors import DataError
from recfw_books.goal import ASKABLE

_FIELD_LISTS = ("asked", "declined", "no_preference", "settled")

_ADDED = ("critiqued", "preferred", "patience", "unanswered", "left")


def report(answer: Answer, asked: Iterable[str] = ()) -> dict[str, Any]:
    """
    Return an answer as ``Reply.data`` of a user simulator.

    ``asked`` names the fields that the agent's turn asked about; ``revealed`` holds predicates; ``formats`` is null
    where they were not told now, empty where any will do; ``declined``, ``no_preference`` and ``settled`` name fields.
    """
    wanted = set(asked)
    formats = next((list(extra.values) for extra in answer.extras if extra.field == "format"), None)
    return {
        "asked": [name for name in ASKABLE if name in wanted],
        "revealed": [predicate_data(p) for p in answer.revealed],
        "formats": formats,
        "declined": list(answer.declined),
        "no_preference": list(answer.no_preference),
        "settled": list(answer.settled),
    }


def told(data: Any) -> dict[str, Any]:
    """
    Return what a simulator reported, in the shape of :func:`report`; what is missing or malformed was not told.

    What a manner adds (:mod:`recfw.elicitation.manners`) stands beside where it was reported: ``critiqued``,
    ``preferred``, ``patience``, ``unanswered``, ``left``.
    """
    given: Mapping[str, Any] = data if isinstance(data, dict) else {}
    formats = given.get("formats")
    return {
        **{name: [each for each in _list(given.get(name)) if each in ASKABLE] for name in _FIELD_LISTS},
        "revealed": [predicate_data(p) for p in map(_predicate, _list(given.get("revealed"))) if p is not None],
        "formats": [each for each in formats if isinstance(each, str)] if isinstance(formats, list) else None,
        **{name: value for name in _ADDED if (value := _added(name, given.get(name))) is not None},
    }


def _added(name: str, value: Any) -> Any:
    """Return what a manner reported, or None where it is none of its kind."""
    match name, value:
        case "patience", {"of": int(most), "used": int(used)}:
            return {"of": most, "used": used}
        case "left", bool():
            return value
        case "unanswered", list():
            return [each for each in value if each in ASKABLE]
        case (("critiqued" | "preferred"), list()):
            return [each for each in value if _is_requirement(each)]
    return None


def _is_requirement(data: Any) -> bool:
    try:
        read_requirement(data)
    except (DataError, TypeError):
        return False
    return True


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _predicate(data: Any) -> Predicate | None:
    try:
        return read_predicate(data)
    except (DataError, KeyError, TypeError, AttributeError):
        return None


def predicates_told(one: Mapping[str, Any]) -> list[Predicate]:
    """Return the predicates of a report, in order."""
    return [read_predicate(data) for data in one["revealed"]]


def state(disclosure: Disclosure, reports: Iterable[Mapping[str, Any]]) -> Told:
    """Return the disclosure's state after several reports; what it does not hold counts for nothing."""
    by_demand = {_demand(p): p for p in disclosure.predicates}
    so_far = Told()
    for one in reports:
        known = [by_demand.get(_demand(p)) for p in predicates_told(one)]
        extras = tuple(extra for extra in disclosure.extras if one["formats"] == list(extra.values))
        so_far = so_far.after(Answer(revealed=tuple(p for p in known if p is not None), extras=extras))
    return so_far


def _demand(predicate: Predicate) -> tuple[str, str, str]:
    return predicate.field, predicate.op.value, repr(predicate.value)
