"""A user's goal as a task carries it: the fields, the requirements with their reveal tags, and the preferences."""

from collections.abc import Iterable, Mapping
from typing import Any

import attrs

from recfw.elicitation.disclosure import Disclosure, Fact
from recfw.elicitation.labels import LabelTree
from recfw.elicitation.predicates import Predicate, Reveal, failed
from recfw.elicitation.preferences import Preference, grade
from recfw.elicitation.records import (
    fact_data,
    predicate_data,
    preference_data,
    read_fact,
    read_predicate,
    read_preference,
)
from recfw.model.task import Task


@attrs.frozen
class Goal:
    """
    What one user wants.

    Args:
        fields: Every field that may be asked about, in the order of answers.
        predicates: The requirements.
        extras: What it can tell that is no predicate.
        preferences: What it would like besides.
    """

    fields: tuple[str, ...]
    predicates: tuple[Predicate, ...]
    extras: tuple[Fact, ...] = ()
    preferences: tuple[Preference, ...] = ()

    @classmethod
    def of(cls, fields: Iterable[str], rows: Iterable[Any]) -> "Goal":
        """
        Return the goal that rows of a task file tell, in their order (shapes: :mod:`recfw.elicitation.records`).

        Args:
            fields: Every field that may be asked about.
            rows: {field, op, value} is a requirement, with a ``weight`` a preference; {field, values} is a fact.

        Raises:
            DataError: A row is none of these; the message says what is missing.
        """
        goal = cls(tuple(fields), ())
        for row in rows:
            keys = row if isinstance(row, Mapping) else ()
            if "values" in keys:
                goal = attrs.evolve(goal, extras=(*goal.extras, read_fact(row)))
            elif "weight" in keys:
                goal = attrs.evolve(goal, preferences=(*goal.preferences, read_preference(row)))
            else:
                goal = attrs.evolve(goal, predicates=(*goal.predicates, read_predicate(row)))
        return goal

    @classmethod
    def read(cls, private: Mapping[str, Any]) -> "Goal":
        """Return the goal of :meth:`private`; DataError where it holds none."""
        return cls(
            tuple(private["fields"]),
            tuple(read_predicate(each) for each in private["predicates"]),
            tuple(read_fact(each) for each in private.get("extras", ())),
            tuple(read_preference(each) for each in private.get("preferences", ())),
        )

    def private(self) -> dict[str, Any]:
        """Return the goal for a task's private half, as JSON values."""
        return {
            "fields": list(self.fields),
            "predicates": [{**predicate_data(p), "reveal": p.reveal.value} for p in self.predicates],
            "extras": [{**fact_data(extra), "reveal": extra.reveal.value} for extra in self.extras],
            "preferences": [
                {**preference_data(each), "reveal": each.predicate.reveal.value} for each in self.preferences
            ],
        }

    def stated(self) -> dict[str, Any]:
        """Return what the opening states, for a task's public half."""
        return {
            "predicates": [predicate_data(p) for p in self.predicates if p.reveal is Reveal.STATED],
            "extras": [fact_data(extra) for extra in self.extras if extra.reveal is Reveal.STATED],
        }

    def task(self, name: str, facets: Mapping[str, str], cluster: str = "") -> Task:
        """
        Return a task with this goal: what the opening states is public, all of it private.

        Args:
            name: The task's id.
            facets: What reports split by.
            cluster: What it shares with other tasks; the task itself unless told.
        """
        return Task(name, cluster or name, dict(facets), {"stated": self.stated()}, self.private())

    def disclosure(self) -> Disclosure:
        """Return the rules by which it is disclosed."""
        return Disclosure(self.fields, self.predicates, self.extras)

    def failed(self, record: Mapping[str, Any], trees: Mapping[str, LabelTree] | None = None) -> tuple[Predicate, ...]:
        """Return the requirements that a record does not meet."""
        return failed(self.predicates, record, trees)

    def grade(self, record: Mapping[str, Any], trees: Mapping[str, LabelTree] | None = None) -> float | None:
        """Return how well a record meets the preferences, in [0, 1]; None without any."""
        return grade(self.preferences, record, trees)
