"""
Predicates, facts and preferences as JSON values: how tasks, Views and reports of users hold them.

A predicate is {field, op, value}, a fact {field, values}, a preference {field, op, value, weight}; where it matters
when they are told, ``reveal`` stands beside.
"""

from collections.abc import Mapping
from typing import Any

from recfw.elicitation.disclosure import Fact
from recfw.elicitation.predicates import Predicate, Reveal
from recfw.elicitation.preferences import PLAIN, Preference
from recfw.errors import DataError


def predicate_data(predicate: Predicate) -> dict[str, Any]:
    """Return what a predicate demands as JSON values, without when it is told."""
    value = list(predicate.value) if isinstance(predicate.value, tuple) else predicate.value
    return {"field": predicate.field, "op": predicate.op.value, "value": value}


def fact_data(fact: Fact) -> dict[str, Any]:
    """Return a fact as JSON values, without when it is told."""
    return {"field": fact.field, "values": list(fact.values)}


def preference_data(preference: Preference) -> dict[str, Any]:
    """Return a preference as JSON values, without when it is told."""
    return {**predicate_data(preference.predicate), "weight": preference.weight}


def requirement_data(requirement: Predicate | Fact) -> dict[str, Any]:
    """Return a predicate or a fact as JSON values, without when it is told."""
    return predicate_data(requirement) if isinstance(requirement, Predicate) else fact_data(requirement)


def read_predicate(data: Any) -> Predicate:
    """
    Return the predicate of :func:`predicate_data`; it is stated where no ``reveal`` stands beside.

    Raises:
        DataError: A key is missing, or a value cannot be; the message names the key.
    """
    found = _object(data, "predicate", "field", "op", "value")
    return Predicate(found["field"], found["op"], found["value"], found.get("reveal", Reveal.STATED))


def read_fact(data: Any) -> Fact:
    """Return the fact of :func:`fact_data`; errors and ``reveal`` as in :func:`read_predicate`."""
    found = _object(data, "fact", "field", "values")
    try:
        reveal = Reveal(found.get("reveal", Reveal.STATED))
    except ValueError:
        raise DataError(f"no reveal tag {found['reveal']!r}.", f"Use one of {', '.join(Reveal)}.") from None
    return Fact(found["field"], found["values"], reveal)


def read_preference(data: Any) -> Preference:
    """Return the preference of :func:`preference_data`, told on ask unless ``reveal`` says otherwise."""
    found = _object(data, "preference", "field", "op", "value")
    reveal = found.get("reveal", Reveal.ON_ASK)
    return Preference(read_predicate({**found, "reveal": reveal}), found.get("weight", PLAIN))


def read_requirement(data: Any) -> Predicate | Fact:
    """Return the predicate or fact of :func:`requirement_data`."""
    return read_fact(data) if isinstance(data, Mapping) and "values" in data else read_predicate(data)


def demand(requirement: Predicate | Fact) -> tuple[str, ...]:
    """Return what a predicate or fact demands, to be compared whenever it is told."""
    if isinstance(requirement, Predicate):
        return requirement.field, requirement.op.value, repr(requirement.value)
    return requirement.field, "values", repr(requirement.values)


def _object(data: Any, kind: str, *keys: str) -> Mapping[str, Any]:
    if not isinstance(data, Mapping):
        raise DataError(f"a {kind} is an object with {', '.join(keys)}, not {data!r}.")
    for key in keys:
        if key not in data:
            raise DataError(f"a {kind} without '{key}': {dict(data)!r}.", f"It needs {', '.join(keys)}.")
    return data
