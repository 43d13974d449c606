"""What a rule reads and what it says: families, the subject under validation, problems, and rules by name."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from attrs import frozen

from recfw.elicitation.predicates import Predicate, Reveal
from recfw_books.model import BookTask
from recfw_books.validate.index import Index

CONDITIONS = ("volunteer", "mixed", "hidden")
WHOLE_SET = "all families"
"""Stands in the place of a family's name where only the whole set can break a rule."""

Search = Callable[[int, Mapping[str, Any]], tuple[int, Sequence[str]]]
"""The structured tool: catalog size and filters -> the total and the first page's ids."""


@frozen
class Problem:
    """One broken rule: the family it was broken in (or :data:`WHOLE_SET`), the rule's name, and what is wrong."""

    family: str
    rule: str
    words: str

    def __str__(self) -> str:
        return f"{self.family}: {self.rule}: {self.words}"


@frozen
class Family:
    """
    The tasks that name one family.

    ``lead`` stands for the family wherever the variants must agree: the first variant there is, in the order of
    :data:`CONDITIONS`. That they do agree is a rule of its own.
    """

    name: str
    tasks: tuple[BookTask, ...]

    def variant(self, condition: str) -> BookTask | None:
        """Return the first task of a condition, if there is one."""
        return next((task for task in self.tasks if task.condition == condition), None)

    @property
    def lead(self) -> BookTask:
        """The task that stands for the family."""
        return next((task for task in map(self.variant, CONDITIONS) if task), self.tasks[0])

    @property
    def predicates(self) -> tuple[Predicate, ...]:
        """The family's predicates."""
        return self.lead.predicates

    @property
    def hidden(self) -> tuple[Predicate, ...]:
        """The predicates that the hidden variant withholds for the whole dialogue."""
        return self._of_hidden_variant(hidden=True)

    @property
    def revealed(self) -> tuple[Predicate, ...]:
        """The predicates that the hidden variant states or tells when asked."""
        return self._of_hidden_variant(hidden=False)

    def _of_hidden_variant(self, *, hidden: bool) -> tuple[Predicate, ...]:
        task = self.variant("hidden")
        return tuple(p for p in task.predicates if (p.reveal is Reveal.HIDDEN) is hidden) if task else ()


@frozen
class Subject:
    """A task set under validation, beside its catalog; ``search`` is the structured tool, or None to leave it out."""

    index: Index
    tasks: tuple[BookTask, ...]
    families: tuple[Family, ...]
    search: Search | None = None

    @classmethod
    def of(cls, index: Index, tasks: Sequence[BookTask], search: Search | None = None) -> "Subject":
        """Group tasks into families, in order of first appearance."""
        grouped: dict[str, list[BookTask]] = {}
        for task in tasks:
            grouped.setdefault(task.family, []).append(task)
        families = tuple(Family(name, tuple(members)) for name, members in grouped.items())
        return cls(index, tuple(tasks), families, search)

    @property
    def satisfiable(self) -> tuple[Family, ...]:
        """The families that claim to have an answer."""
        return tuple(family for family in self.families if not family.lead.nvr)

    @property
    def nvr(self) -> tuple[Family, ...]:
        """The families that claim to have no valid recommendation."""
        return tuple(family for family in self.families if family.lead.nvr)


@frozen
class Rule:
    """A property of task sets: a stable kebab-case name, a sentence that states it, and the function that checks it."""

    name: str
    sentence: str
    check: Callable[[Subject], Iterator[tuple[str, str]]]

    def problems(self, subject: Subject) -> tuple[Problem, ...]:
        """Return what breaks this rule."""
        return tuple(Problem(family, self.name, words) for family, words in self.check(subject))


OfSubject = Callable[[Subject], Iterator[tuple[str, str]]]
OfFamily = Callable[[Family, Index], Iterator[str]]


def whole_set_rule(name: str, sentence: str) -> Callable[[OfSubject], Rule]:
    """Make a rule of a function that reads the whole set and yields (family, words)."""
    return lambda check: Rule(name, sentence, check)


def family_rule(name: str, sentence: str, only: str = "families") -> Callable[[OfFamily], Rule]:
    """
    Make a rule of a function that reads one family and yields words.

    Args:
        name: The rule's name.
        sentence: What the rule demands.
        only: Which families it reads: ``families`` (all), ``satisfiable`` or ``nvr``.
    """

    def decorate(check: OfFamily) -> Rule:
        def over(subject: Subject) -> Iterator[tuple[str, str]]:
            families: tuple[Family, ...] = getattr(subject, only)
            return ((family.name, words) for family in families for words in check(family, subject.index))

        return Rule(name, sentence, over)

    return decorate


def in_words(predicate: Predicate) -> str:
    """Return a predicate as a person would write it."""
    return f"{predicate.field} {predicate.op.value} {predicate.value!r}"


def same_request(left: Predicate, right: Predicate) -> bool:
    """Tell whether two predicates ask for the same, whenever they are told."""
    return (left.field, left.op, left.value) == (right.field, right.op, right.value)


def without(predicates: Sequence[Predicate], place: int) -> tuple[Predicate, ...]:
    """Return the predicates but for the one at a place."""
    return (*predicates[:place], *predicates[place + 1 :])
