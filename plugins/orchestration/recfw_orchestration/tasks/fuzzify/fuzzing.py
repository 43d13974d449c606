"""Requests: a sentence for each wish, some of them fuzzy, each phrasing used about as often as the others."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations
from typing import Any, Protocol

from attrs import define, field, frozen

from recfw.model.draws import Draws
from recfw_orchestration.tasks.fuzzify.phrasings import Phrasings, phrasings
from recfw_orchestration.tasks.fuzzify.wording import filled, masked, words_of
from recfw_orchestration.tasks.records import AMBIGUITY_TYPES, Phrase

OPENER = -1
"""The place of the first sentence, which is about no wish."""
FRAMED = ("preference_uncertainty", "soft_contradiction")
SHARE = 0.03
"""Of all tasks, most that may hold the same phrasing."""


class Wished(Protocol):
    """A wish, as synthesis leaves it."""

    @property
    def kind(self) -> str:
        """A key of the phrasings."""
        ...

    @property
    def values(self) -> dict[str, Any]:
        """Slot -> gold's value."""
        ...


@define
class Ledger:
    """
    How often each phrasing and type was used.

    Args:
        most: Tasks that may hold the same phrasing.
    """

    most: int
    patterns: Counter[tuple[str, str]] = field(factory=Counter)
    types: Counter[str] = field(factory=Counter)

    @classmethod
    def of(cls, tasks: int) -> "Ledger":
        """Return the ledger of a set of so many tasks."""
        return cls(max(1, int(SHARE * tasks)))

    def enter(self, phrases: Sequence[Phrase]) -> None:
        """Count the phrases of a task that was taken."""
        for phrase in phrases:
            self.patterns[phrase.type, phrase.pattern] += 1
            self.types[phrase.type] += 1


@frozen
class Request:
    """An instruction, the plain one it was made of, and its fuzzy phrases."""

    instruction: str
    plain: str
    phrases: tuple[Phrase, ...]


@frozen
class _Choice:
    """One fuzzy phrasing: its type, the sentence it is for, its template, and the words in it."""

    type: str
    place: int
    template: str
    words: dict[str, str]

    @property
    def pattern(self) -> str:
        return masked(self.template, self.words)


class Fuzzer:
    """
    Words requests.

    Args:
        ledger: How often what was used.
    """

    def __init__(self, ledger: Ledger) -> None:
        self._ledger, self._known = ledger, phrasings()

    def request(
        self, domain: str, wishes: Sequence[Wished], facts: Mapping[str, Any], types: int, draws: Draws
    ) -> Request | None:
        """
        Return a request with so many ambiguity types; None where the wishes do not allow them.

        Args:
            domain: Whose plain openers to use.
            wishes: What is asked for, in order.
            facts: Slots that the context fills: ``city``, ``lat`` …
            types: How many of the five types.
            draws: Draws.
        """
        values = [{**facts, **wish.values} for wish in wishes]
        chosen = self._choose(wishes, values, types, draws)
        if chosen is None:
            return None
        known, only = self._known, len(wishes) == 1
        opener, frames = (
            draws.choice(known.openers[domain]),
            draws.sample(known.plain, min(len(wishes), len(known.plain))),
        )
        at = {(choice.place, choice.type in FRAMED): choice for choice in chosen}
        plain = [
            _said(known.clauses[wish.kind].plain, own, {}, only=only) for wish, own in zip(wishes, values, strict=True)
        ]
        clauses, framed = list(plain), list[str | None]([None] * len(wishes))
        for choice in chosen:
            if choice.place != OPENER and choice.type not in FRAMED:
                clauses[choice.place] = _said(choice.template, values[choice.place], choice.words, only=only)
            elif choice.place != OPENER:
                framed[choice.place] = choice.template
        first = at[OPENER, False].template if (OPENER, False) in at else None
        phrases = tuple(
            Phrase(
                choice.type,
                choice.pattern,
                _text(choice, clauses),
                choice.words,
                {name: values[choice.place][name] for name in choice.words},
            )
            for choice in chosen
        )
        fuzzy = _joined(first or opener, clauses, framed, frames, open_ended=first is not None)
        return Request(fuzzy, _joined(opener, plain, [None] * len(wishes), frames, open_ended=False), phrases)

    def _choose(
        self, wishes: Sequence[Wished], values: Sequence[Mapping[str, Any]], types: int, draws: Draws
    ) -> list[_Choice] | None:
        """Return one phrasing for each of some types, rarely used types first, no sentence worded or framed twice."""
        options = {
            each: self._usable(list(_options(self._known, each, wishes, values, draws)), draws)
            for each in AMBIGUITY_TYPES
        }
        order = list(AMBIGUITY_TYPES)
        draws.shuffle(order)
        order.sort(key=lambda each: self._ledger.types[each])
        for picked in sorted(permutations(order, types), key=lambda some: sum(map(order.index, some))):
            taken: dict[tuple[int, bool], _Choice] = {}
            for each in picked:
                framed = each in FRAMED
                free = next((one for one in options[each] if (one.place, framed) not in taken), None)
                if free is None:
                    break
                taken[free.place, framed] = free
            else:
                return sorted(taken.values(), key=lambda one: (one.place, one.type))
        return None

    def _usable(self, options: list[_Choice], draws: Draws) -> list[_Choice]:
        """Return the options that are not used up, the least used first, equals in random order."""
        used = self._ledger.patterns
        left = [one for one in options if used[one.type, one.pattern] < self._ledger.most]
        draws.shuffle(left)
        return sorted(left, key=lambda one: used[one.type, one.pattern])


def _options(
    known: Phrasings, ambiguity: str, wishes: Sequence[Wished], values: Sequence[Mapping[str, Any]], draws: Draws
) -> Iterator[_Choice]:
    """Yield every phrasing of a type that the wishes allow."""
    if ambiguity == "underspecification":
        yield from (_Choice(ambiguity, OPENER, template, {}) for template in known.open_openers)
    for place, (wish, own) in enumerate(zip(wishes, values, strict=True)):
        for template in known.frames(ambiguity):
            yield _Choice(ambiguity, place, template, {})
        for template in known.clauses[wish.kind].of(ambiguity):
            words = words_of(template, own, draws)
            if words is not None:
                yield _Choice(ambiguity, place, template, words)


def _said(clause: str, values: Mapping[str, Any], words: Mapping[str, str], *, only: bool) -> str:
    """Return a clause; where there is but one wish, nothing was left out before it."""
    said = filled(clause, values, words)
    return said.replace("that are left", "in the list") if only else said


def _text(choice: _Choice, clauses: Sequence[str]) -> str:
    """Return the words of a fuzzy phrase: a first sentence, a clause, or a whole sentence that frames one."""
    if choice.place == OPENER:
        return choice.template
    clause = clauses[choice.place]
    return choice.template.replace("{clause}", clause) if choice.type in FRAMED else clause


def _joined(
    opener: str,
    clauses: Sequence[str],
    framed: Sequence[str | None],
    frames: Sequence[str],
    *,
    open_ended: bool,
) -> str:
    """
    Return sentences: clauses that nothing frames share one, the last stands alone, for it may choose among the rest.

    Args:
        opener: The first sentence; where it names a kind of thing, the first clauses join it.
        clauses: What is wished for, in order.
        framed: The fuzzy sentence around each, or None.
        frames: Plain sentences.
        open_ended: Whether the opener leaves open what is looked for.
    """
    groups: list[tuple[str | None, list[str]]] = []
    for place, (clause, frame) in enumerate(zip(clauses, framed, strict=True)):
        alone = frame is not None or place in (0, len(clauses) - 1)
        if not alone and groups[-1][0] is None:
            groups[-1][1].append(clause)
        else:
            groups.append((frame, [clause]))
    sentences = [opener]
    for number, (frame, group) in enumerate(groups):
        said = " and that ".join(group)
        if number == 0 and frame is None and not open_ended:
            sentences[0] = f"{opener.rstrip('.')} that {said}."
        else:
            sentences.append((frame or frames[number % len(frames)]).replace("{clause}", said))
    return " ".join(sentences)
