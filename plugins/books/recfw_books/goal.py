"""A user's goal: a task's two halves as the engine carries them, its disclosure rules, and the identifier check."""

from collections.abc import Mapping
from typing import Any

from attrs import frozen

from recfw.elicitation.disclosure import Disclosure, Fact
from recfw.elicitation.labels import LabelTree
from recfw.elicitation.predicates import Predicate, Reveal, failed
from recfw.elicitation.records import predicate_data, read_predicate
from recfw.model.task import Task
from recfw_books.model import Book, BookTask

ASKABLE = ("genre", "language", "country", "year", "format")
"""What a user can be asked about, in the order in which replies name it."""


@frozen
class Verdict:
    """What the identifier check found: fields of predicates that a book misses, whether it was read, its formats."""

    violated: tuple[str, ...]
    in_history: bool
    format_accepted: bool

    @property
    def accepted(self) -> bool:
        """Whether the user takes the book: it meets everything, is unread, and comes in an accepted format."""
        return not self.violated and not self.in_history and self.format_accepted


@frozen
class Goal:
    """
    What a user wants, read from ``Task.private``.

    ``accepted_formats`` is empty where any will do; ``formats_reveal`` says when the user tells so.
    """

    predicates: tuple[Predicate, ...]
    accepted_formats: tuple[str, ...]
    formats_reveal: Reveal
    history: tuple[str, ...]
    persona: str

    @classmethod
    def read(cls, private: Mapping[str, Any]) -> "Goal":
        """Return the goal of a task's private half, or of a user's View facts."""
        return cls(
            tuple(read_predicate(data) for data in private["predicates"]),
            tuple(private["accepted_formats"]),
            Reveal(private["formats_reveal"]),
            tuple(private["history"]),
            str(private["persona"]),
        )

    def disclosure(self) -> Disclosure:
        """Return the rules by which this goal is disclosed; the formats are a fact beside the predicates."""
        return Disclosure(ASKABLE, self.predicates, (Fact("format", self.accepted_formats, self.formats_reveal),))

    def violations(self, book: Book, trees: Mapping[str, LabelTree]) -> tuple[Predicate | Fact, ...]:
        """Return the requirements that a book misses, in their order, the formats last."""
        missed: tuple[Predicate | Fact, ...] = failed(self.predicates, book.fields(), trees)
        if self.accepted_formats and set(self.accepted_formats).isdisjoint(book.formats):
            return (*missed, Fact("format", self.accepted_formats, self.formats_reveal))
        return missed

    def check(self, book: Book, trees: Mapping[str, LabelTree]) -> Verdict:
        """Check a book against the goal."""
        missed = failed(self.predicates, book.fields(), trees)
        accepted = not self.accepted_formats or not set(self.accepted_formats).isdisjoint(book.formats)
        return Verdict(tuple(dict.fromkeys(p.field for p in missed)), book.id in self.history, accepted)


def to_task(task: BookTask) -> Task:
    """
    Return a variant as the engine carries it.

    ``public`` holds what the opening states: ``opening`` (predicates) and ``stated_formats`` (null where they are not
    stated, empty where any will do). A volunteer states the formats, the others tell them when asked (spec section 2).
    """
    stated = [predicate_data(p) for p in task.predicates if p.reveal is Reveal.STATED]
    tells_formats = task.condition == "volunteer"
    return Task(
        id=task.id,
        cluster=task.family,
        facets={
            "condition": task.condition,
            "tier": task.tier,
            "template": task.template,
            "nvr": _yes(task.nvr),
            "panel": _yes(task.panel),
            "reliability": _yes(task.reliability),
        },
        public={"opening": stated, "stated_formats": list(task.accepted_formats) if tells_formats else None},
        private={
            "predicates": [{**predicate_data(p), "reveal": p.reveal.value} for p in task.predicates],
            "accepted_formats": list(task.accepted_formats),
            "formats_reveal": (Reveal.STATED if tells_formats else Reveal.ON_ASK).value,
            "history": list(task.history),
            "persona": task.persona,
            "nvr": task.nvr,
        },
    )


def _yes(value: bool) -> str:
    return "yes" if value else "no"
