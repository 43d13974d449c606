"""Rule-based disclosure: what a user says in the opening, what when asked, what never, and what is left to elicit."""

from collections.abc import Collection, Iterable
from typing import Any

import attrs

from recfw.elicitation.predicates import Predicate, Reveal
from recfw.elicitation.preferences import Preference
from recfw.errors import DataError


def _as_tuple(values: Iterable[Any]) -> tuple[Any, ...]:
    if isinstance(values, str | bytes):
        raise DataError(f"a list is needed, not the text {values!r}.", "Put it into brackets.")
    return tuple(values)


@attrs.frozen
class Fact:
    """
    Something that a user can tell and that is no predicate, such as the ways of delivery that it takes.

    ``values`` is what holds (any of them does); empty says that everything does, which is an answer but no requirement.
    """

    field: str
    values: tuple[Any, ...] = attrs.field(converter=_as_tuple)
    reveal: Reveal = attrs.field(default=Reveal.STATED, converter=Reveal)


@attrs.frozen
class Answer:
    """
    What one opening or one reply discloses, before anyone words it.

    ``declined``, ``no_preference`` and ``settled`` name fields, in the order of the disclosure's fields: a declined
    field has a hidden requirement; one without preference has none at all; a settled one was asked about although all
    that concerns it was stated in the opening.

    The rest is what a manner (:mod:`recfw.elicitation.manners`) adds: ``critiqued``, requirements that a rejected
    proposal missed; ``preferred``, preferences; ``pleased``, the grade of an accepted proposal; ``unanswered``, fields
    for which no patience was left; ``spent``, that patience has just run out; ``left``, that the user goes.
    """

    revealed: tuple[Predicate, ...] = ()
    extras: tuple[Fact, ...] = ()
    declined: tuple[str, ...] = ()
    no_preference: tuple[str, ...] = ()
    settled: tuple[str, ...] = ()
    critiqued: tuple[Predicate | Fact, ...] = ()
    preferred: tuple[Preference, ...] = ()
    pleased: float | None = None
    unanswered: tuple[str, ...] = ()
    spent: bool = False
    left: bool = False


@attrs.frozen
class Told:
    """What has been disclosed so far, in the order in which it was; add an answer with :meth:`after`."""

    predicates: tuple[Predicate, ...] = ()
    extras: tuple[Fact, ...] = ()

    def after(self, answer: Answer) -> "Told":
        """Return the state once ``answer`` has been given; repeated facts count once."""
        return Told(
            tuple(dict.fromkeys((*self.predicates, *answer.revealed))),
            tuple(dict.fromkeys((*self.extras, *answer.extras))),
        )


@attrs.frozen
class Disclosure:
    """
    The disclosure rules of one task (the three reveal tags of tau-Rec): pure, the state is a :class:`Told` value.

    Args:
        fields: Every field that may be asked about, in the order in which answers name them.
        predicates: The requirements with their reveal tags.
        extras: Further facts with theirs.

    Raises:
        DataError: A predicate or an extra names a field that is not among ``fields``.
    """

    fields: tuple[str, ...] = attrs.field(converter=_as_tuple)
    predicates: tuple[Predicate, ...] = attrs.field(converter=_as_tuple)
    extras: tuple[Fact, ...] = attrs.field(default=(), converter=_as_tuple)

    def __attrs_post_init__(self) -> None:
        for known in self._facts():
            self._check(known.field)

    def opening(self) -> Answer:
        """Return the stated predicates and extras."""
        return Answer(
            revealed=tuple(p for p in self.predicates if p.reveal is Reveal.STATED),
            extras=tuple(extra for extra in self.extras if extra.reveal is Reveal.STATED),
        )

    def ask(self, fields: Collection[str]) -> Answer:
        """
        Return the reply to a question about ``fields``, the same whenever it is asked.

        A field gives its on-ask facts; it is declined where it has a hidden one as well or only; it is settled where
        all its facts were stated, and without preference where it has none. Stated facts are not repeated.

        Raises:
            DataError: A field is unknown.
        """
        for name in sorted(fields):
            self._check(name)
        asked = [name for name in self.fields if name in fields]
        tags = {name: {known.reveal for known in self._facts() if known.field == name} for name in asked}
        return Answer(
            revealed=tuple(p for p in self.predicates if p.field in tags and p.reveal is Reveal.ON_ASK),
            extras=tuple(extra for extra in self.extras if extra.field in tags and extra.reveal is Reveal.ON_ASK),
            declined=tuple(name for name in asked if Reveal.HIDDEN in tags[name]),
            no_preference=tuple(name for name in asked if not tags[name]),
            settled=tuple(name for name in asked if tags[name] == {Reveal.STATED}),
        )

    def askable(self) -> tuple[Predicate | Fact, ...]:
        """Return the on-ask predicates, then the on-ask extras that require something."""
        return (
            *(p for p in self.predicates if p.reveal is Reveal.ON_ASK),
            *(extra for extra in self.extras if extra.reveal is Reveal.ON_ASK and extra.values),
        )

    def outstanding(self, told: Told) -> tuple[Predicate | Fact, ...]:
        """Return the askable facts that have not been disclosed yet."""
        return tuple(each for each in self.askable() if each not in told.predicates and each not in told.extras)

    def elicitation_share(self, told: Told) -> float | None:
        """Return the share of askable facts disclosed so far, in [0, 1]; None where nothing is askable."""
        total = len(self.askable())
        return (total - len(self.outstanding(told))) / total if total else None

    def _facts(self) -> tuple[Predicate | Fact, ...]:
        return (*self.predicates, *self.extras)

    def _check(self, name: str) -> None:
        if name not in self.fields:
            raise DataError(f"no field {name!r} to ask about (known: {', '.join(self.fields)}).")
