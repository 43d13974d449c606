"""Predicates over an item's fields: what a user wants, and when the user says so."""

import math
from collections.abc import Collection, Mapping
from enum import StrEnum
from typing import Any

import attrs

from recfw.elicitation.labels import LabelTree
from recfw.errors import DataError


class Reveal(StrEnum):
    """
    When a predicate is disclosed: in the opening, when its field is asked about, or never.

    ``volunteer``, as tau-Rec's files have it, is read as ``stated``.
    """

    STATED = "stated"
    ON_ASK = "on_ask"
    HIDDEN = "hidden"

    @classmethod
    def _missing_(cls, value: object) -> "Reveal | None":
        return cls.STATED if value == "volunteer" else None


class Op(StrEnum):
    """How an item's value is compared with the predicate's."""

    LE = "<="
    GE = ">="
    EQ = "=="
    NE = "!="
    CONTAINS = "contains"
    CONTAINS_ANY = "contains_any"
    NOT_CONTAINS = "not_contains"
    IN = "in"


_LISTED = frozenset({Op.CONTAINS_ANY, Op.IN})
_ORDERED = frozenset({Op.LE, Op.GE})
_SEVERAL = (list, tuple, set, frozenset)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and not math.isnan(value)


def _is_single(value: object) -> bool:
    return value is not None and not isinstance(value, (*_SEVERAL, dict))


def _as_tuple(value: Any) -> Any:
    """Turn a list into a tuple, so that a predicate hashes and reads back from JSON equal to itself."""
    return tuple(value) if isinstance(value, list) else value


def _check_field(_predicate: "Predicate", _attribute: object, name: Any) -> None:
    if not isinstance(name, str) or not name:
        raise DataError(f"a predicate's field is a name, not {name!r}.")


def _check_value(predicate: "Predicate", _attribute: object, value: Any) -> None:
    if predicate.op in _LISTED:
        if not isinstance(value, tuple) or not value or not all(_is_single(each) for each in value):
            needs = "a non-empty list of single values"
            raise DataError(f"predicate on {predicate.field!r}: {predicate.op} needs {needs}, not {value!r}.")
    elif predicate.op in _ORDERED:
        if not _is_number(value):
            raise DataError(f"predicate on {predicate.field!r}: {predicate.op} needs a number, not {value!r}.")
    elif not _is_single(value):
        raise DataError(f"predicate on {predicate.field!r}: {predicate.op} needs a single value, not {value!r}.")


def _op(value: Any) -> Op:
    try:
        return Op(value)
    except ValueError:
        raise DataError(f"no operator {value!r}.", f"Use one of {', '.join(Op)}.") from None


def _reveal(value: Any) -> Reveal:
    try:
        return Reveal(value)
    except ValueError:
        raise DataError(f"no reveal tag {value!r}.", f"Use one of {', '.join(Reveal)}.") from None


@attrs.frozen
class Predicate:
    """
    One requirement on one field.

    ``contains``, ``contains_any`` and ``not_contains`` read a field of several values (a single value counts as a list
    of one); the others read a single value, or any of several (``!=`` fails where one of them is equal). A missing
    field meets ``!=`` and ``not_contains`` only. ``value`` is a number for the bounds, a tuple for ``in`` and
    ``contains_any`` (a list becomes one), a single value otherwise; anything else is a DataError.
    """

    field: str = attrs.field(validator=_check_field)
    op: Op = attrs.field(converter=_op)
    value: Any = attrs.field(converter=_as_tuple, validator=_check_value)
    reveal: Reveal = attrs.field(default=Reveal.STATED, converter=_reveal)


def _values(record: Mapping[str, Any], name: str) -> tuple[Any, ...]:
    found = record.get(name)
    if found is None:
        return ()
    return tuple(found) if isinstance(found, _SEVERAL) else (found,)


def holds(predicate: Predicate, record: Mapping[str, Any], trees: Mapping[str, LabelTree] | None = None) -> bool:
    """
    Tell whether a record meets a predicate.

    Args:
        predicate: The requirement.
        record: Field name -> value or list of values.
        trees: Field name -> its label tree; a field without one compares labels as they are.
    """
    values = _values(record, predicate.field)
    tree = (trees or {}).get(predicate.field)

    def same(wanted: Any, value: Any) -> bool:
        if isinstance(wanted, str) and isinstance(value, str):
            return tree.covers(wanted, value) if tree else wanted == value
        # True is no number here, although Python has True == 1.
        return isinstance(wanted, bool) == isinstance(value, bool) and bool(wanted == value)

    def any_of(wanted: Collection[Any]) -> bool:
        return any(same(want, value) for want in wanted for value in values)

    match predicate.op:
        case Op.LE | Op.GE:
            numbers = [value for value in values if _is_number(value)]
            below = predicate.op is Op.LE
            return any(number <= predicate.value if below else number >= predicate.value for number in numbers)
        case Op.EQ | Op.CONTAINS:
            return any_of((predicate.value,))
        case Op.NE | Op.NOT_CONTAINS:
            return not any_of((predicate.value,))
        case Op.IN | Op.CONTAINS_ANY:
            return any_of(predicate.value)


def failed(
    predicates: Collection[Predicate], record: Mapping[str, Any], trees: Mapping[str, LabelTree] | None = None
) -> tuple[Predicate, ...]:
    """Return the predicates that a record does not meet, in order."""
    return tuple(p for p in predicates if not holds(p, record, trees))
