"""
The rule-based users that any track can name: they read a documented View and word what their manner decides.

A track that wants them gives its user's View these facts:

================  ====================================================================================================
``fields``        every field that may be asked about, in the order of answers
``stated``        {predicates, extras} of the opening, out of the task's public half
``goal``          {predicates, extras, preferences}, each with its ``reveal``; the last two may be missing
``agent_text``    what the agent said last, null before the opening
``verdict``       ``accepted``, ``rejected`` or null, of a proposal in it
``violated``      the requirements that a rejected proposal missed, in the goal's order; may be missing
``grade``         how well an accepted proposal meets the preferences; may be missing
``words``         {field: [other words for it]}, by which a question is understood; may be missing
================  ====================================================================================================

(shapes: :mod:`recfw.elicitation.records`). ``Reply.data`` of a user reports what it told: {asked, revealed, extras,
declined, no_preference, settled} and what its manner adds; where it says that the user leaves
(:func:`recfw.elicitation.manners.has_left`), the environment ends the episode. A track with sentences, a matcher or a
View of its own makes a :class:`Voice` and subclasses.
"""

from collections.abc import Collection, Mapping
from typing import Any, ClassVar

import attrs

from recfw.elicitation import wording
from recfw.elicitation.disclosure import Answer, Disclosure, Fact
from recfw.elicitation.manners import Costly, Critiquing, Plain, Soft, Turn
from recfw.elicitation.predicates import Predicate
from recfw.elicitation.preferences import Preference
from recfw.elicitation.questions import asked_about
from recfw.elicitation.records import (
    fact_data,
    predicate_data,
    read_fact,
    read_predicate,
    read_preference,
    read_requirement,
)
from recfw.errors import DataError
from recfw.model.reply import Reply
from recfw.model.view import View
from recfw.protocols import Context, NoOptions, Player, UserSimulator

Facts = Mapping[str, Any]


class Voice:
    """How a track's View is read and its answers are worded; this one suits the facts above."""

    def opening(self, facts: Facts) -> Answer:
        """
        Return what the opening states, from public facts alone, so that it depends on nothing private.

        Raises:
            DataError: The View has not the facts that these users read.
        """
        if "stated" not in facts or "fields" not in facts:
            hint = "Name a user that the track offers; what a View must hold is told in recfw.elicitation.users."
            raise DataError("this track does not show its users what the rule-based ones of core read.", hint)
        stated = facts["stated"]
        return Answer(
            revealed=tuple(map(read_predicate, stated["predicates"])),
            extras=tuple(map(read_fact, stated.get("extras", ()))),
        )

    def disclosure(self, facts: Facts) -> Disclosure:
        """Return the rules by which the goal is disclosed."""
        goal = facts["goal"]
        extras: tuple[Fact, ...] = tuple(map(read_fact, goal.get("extras", ())))
        predicates: tuple[Predicate, ...] = tuple(map(read_predicate, goal["predicates"]))
        return Disclosure(tuple(facts["fields"]), predicates, extras)

    def preferences(self, facts: Facts) -> tuple[Preference, ...]:
        """Return the goal's preferences."""
        return tuple(map(read_preference, facts["goal"].get("preferences", ())))

    def asked(self, facts: Facts) -> Collection[str]:
        """Return the fields that the agent's turn asks about."""
        return asked_about(facts["agent_text"], facts["fields"], facts.get("words"))

    def turn(self, facts: Facts) -> Turn:
        """Return what there is to answer."""
        violated = tuple(map(read_requirement, facts.get("violated") or ()))
        return Turn(self.asked(facts), facts["verdict"], violated, facts.get("grade"))

    def opening_text(self, answer: Answer) -> str:
        """Word an opening."""
        return wording.opening_text(answer)

    def reply_text(self, answer: Answer) -> str:
        """Word a reply."""
        return wording.reply_text(answer)

    def report(self, answer: Answer, asked: Collection[str] = ()) -> dict[str, Any]:
        """Return what an answer told, as JSON values; what was critiqued was told, too."""
        critiqued = [each for each in answer.critiqued if isinstance(each, Predicate)]
        facts = [each for each in answer.critiqued if isinstance(each, Fact)]
        return {
            "asked": sorted(asked),
            "revealed": [predicate_data(each) for each in (*answer.revealed, *critiqued)],
            "extras": [fact_data(each) for each in (*answer.extras, *facts)],
            "declined": list(answer.declined),
            "no_preference": list(answer.no_preference),
            "settled": list(answer.settled),
        }


class _RulesPlayer:
    """The user of one episode; the goal does not change, so its rules are read once."""

    def __init__(self, user: "RulesUser") -> None:
        self._user = user
        self._manner: Plain | None = None

    async def reply(self, view: View) -> Reply:
        """Open with what is stated, or answer the agent's turn; ``data`` says what was asked and told."""
        voice, facts = self._user.voice, view.facts
        opening = voice.opening(facts) if facts.get("agent_text") is None else None
        if self._manner is None:
            self._manner = self._user.manner(facts)
        if opening is not None:
            return Reply(voice.opening_text(opening), data={**voice.report(opening), **self._manner.report(opening)})
        turn = voice.turn(facts)
        answer = self._manner.answer(turn)
        data = {**voice.report(answer, turn.asked), **self._manner.report(answer)}
        return Reply(voice.reply_text(answer), data=data)


class RulesUser(UserSimulator):
    """Answers by the disclosure rules and adds nothing."""

    name: ClassVar[str] = "rules"
    summary: ClassVar[str] = "Answers by fixed disclosure rules; never gives a reason or a hidden value"
    Options: ClassVar[type] = NoOptions
    version: ClassVar[str] = "1"
    tracks: ClassVar[tuple[str, ...]] = ()
    deterministic: ClassVar[bool] = True
    voice: ClassVar[Voice] = Voice()

    def __init__(self, options: Any = None) -> None:
        self.options = options

    def manner(self, facts: Facts) -> Plain:
        """Return how the user of one episode behaves."""
        return Plain(self.voice.disclosure(facts))

    def episode(self, context: Context) -> Player:  # noqa: ARG002 - nothing is drawn
        """Return the user of one episode."""
        return _RulesPlayer(self)


class CritiquingUser(RulesUser):
    """States one requirement, hidden ones too, after a proposal violates it (Chen and Pu 2012)."""

    name: ClassVar[str] = "critiquing"
    summary: ClassVar[str] = "Answers by the rules; a rejected proposal draws one requirement that it violates"

    def manner(self, facts: Facts) -> Plain:
        """Return how the user of one episode behaves."""
        return Critiquing(self.voice.disclosure(facts))


THEN = ("leave", "stop")


def _known_ending(_options: object, _attribute: object, value: str) -> None:
    if value not in THEN:
        raise ValueError(f"'{value}' is none of {', '.join(THEN)}")


@attrs.frozen
class CostlyOptions:
    """
    How much a user puts up with.

    Args:
        patience: How many fields it answers questions about.
        then: At a question after that: ``leave`` ends the trial as ``user_left``, ``stop`` leaves it unanswered.
    """

    patience: int = attrs.field(default=3, validator=attrs.validators.ge(0))
    then: str = attrs.field(default="leave", validator=_known_ending)


class CostlyUser(RulesUser):
    """Answers a limited number of questions, then leaves or answers no more."""

    name: ClassVar[str] = "costly"
    summary: ClassVar[str] = "Answers by the rules, a limited number of questions; then it leaves"
    Options: ClassVar[type] = CostlyOptions

    def __init__(self, options: Any = None) -> None:
        super().__init__(options if options is not None else CostlyOptions())

    def manner(self, facts: Facts) -> Plain:
        """Return how the user of one episode behaves."""
        return Costly(self.voice.disclosure(facts), self.options.patience, leaves=self.options.then == "leave")


class SoftUser(RulesUser):
    """Has preferences that grade what it accepts."""

    name: ClassVar[str] = "soft"
    summary: ClassVar[str] = "Answers by the rules; has preferences, too, and says how well what it accepts meets them"

    def manner(self, facts: Facts) -> Plain:
        """Return how the user of one episode behaves."""
        return Soft(self.voice.disclosure(facts), self.voice.preferences(facts))
