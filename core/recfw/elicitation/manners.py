"""
Manners: how a rule-based user behaves beyond the disclosure rules, one object an episode.

- :class:`Plain` keeps to the rules.
- :class:`Critiquing` states one requirement after a proposal violates it (unit critiques: Chen and Pu 2012).
- :class:`Costly` answers a limited number of questions.
- :class:`Soft` has preferences besides its requirements, and says how well an accepted proposal meets them.

Nothing here words anything or knows a track; the state depends on what the object was handed alone.
"""

from collections.abc import Collection, Sequence
from typing import Any

import attrs

from recfw.elicitation.disclosure import Answer, Disclosure, Fact
from recfw.elicitation.predicates import Predicate, Reveal
from recfw.elicitation.preferences import Preference
from recfw.elicitation.records import demand, preference_data, requirement_data
from recfw.errors import UsageError

ACCEPTED, REJECTED = "accepted", "rejected"

USER_LEFT = "user_left"
"""The stop reason of an episode that the user left: no patience for another question."""


@attrs.frozen
class Turn:
    """
    What a user has to answer.

    Args:
        asked: Fields that were asked about.
        verdict: What became of a proposal: ``accepted``, ``rejected``, None where there was none.
        violated: The requirements that a rejected proposal missed, in the goal's order.
        grade: How well an accepted proposal meets the preferences, in [0, 1]; None without preferences.
    """

    asked: Collection[str] = ()
    verdict: str | None = None
    violated: tuple[Predicate | Fact, ...] = ()
    grade: float | None = None


class Plain:
    """
    Answers by the rules and adds nothing.

    Args:
        disclosure: What is told when.
    """

    def __init__(self, disclosure: Disclosure) -> None:
        self.disclosure = disclosure

    def answer(self, turn: Turn) -> Answer:
        """Return the answer to one turn of the agent."""
        return self.disclosure.ask(turn.asked)

    def report(self, answer: Answer) -> dict[str, Any]:  # noqa: ARG002 - the manners that add something look at it
        """Return what the manner adds to the report of an answer, as JSON values; also of the opening."""
        return {}


class Critiquing(Plain):
    """
    States a requirement after a proposal violated it.

    One requirement a rejected proposal: of those that it misses, the first in the goal's order that has not been told;
    hidden ones too, since to have them is what the user learns from the proposal. Each is stated once; from then on it
    is told again when its field is asked about, and no longer declined.
    """

    def __init__(self, disclosure: Disclosure) -> None:
        super().__init__(disclosure)
        self._told = _demands(disclosure.opening())

    def answer(self, turn: Turn) -> Answer:
        """Return the rules' answer, with a critique where a proposal was rejected for what has not been told."""
        answer = self.disclosure.ask(turn.asked)
        self._told |= _demands(answer)
        untold = [each for each in turn.violated if demand(each) not in self._told]
        if turn.verdict != REJECTED or not untold:
            return answer
        stated = untold[0]
        self._told.add(demand(stated))
        self.disclosure = _opened(self.disclosure, stated)
        return attrs.evolve(answer, critiqued=(stated,), declined=self._still(answer, turn))

    def report(self, answer: Answer) -> dict[str, Any]:
        """Return ``critiqued``, the requirements stated now."""
        return {"critiqued": [requirement_data(each) for each in answer.critiqued]}

    def _still(self, answer: Answer, turn: Turn) -> tuple[str, ...]:
        """Return the fields that are still declined once a requirement was stated."""
        declined = self.disclosure.ask(turn.asked).declined
        return tuple(name for name in answer.declined if name in declined)


def _demands(answer: Answer) -> set[tuple[str, ...]]:
    return {demand(p) for p in answer.revealed} | {demand(extra) for extra in answer.extras}


def _opened(disclosure: Disclosure, stated: Predicate | Fact) -> Disclosure:
    """Return the rules under which a requirement is told when asked about, if it was hidden."""

    def known(each: Any) -> Any:
        hidden = each.reveal is Reveal.HIDDEN and demand(each) == demand(stated)
        return attrs.evolve(each, reveal=Reveal.ON_ASK) if hidden else each

    return Disclosure(disclosure.fields, tuple(map(known, disclosure.predicates)), tuple(map(known, disclosure.extras)))


class Costly(Plain):
    """
    Answers a limited number of questions.

    Every field that a turn asks about costs one, whether or not anything is required of it, and again when it is asked
    again. A turn that asks about more than is left gets answers for the first fields, in the disclosure's order. The
    answer that uses patience up says so; a question after that is not answered, and the user leaves, unless the same
    turn proposed what it accepts.

    Args:
        disclosure: What is told when.
        patience: How many fields it answers; 0 answers none.
        leaves: Whether a question beyond patience ends the episode; else it goes unanswered.
    """

    def __init__(self, disclosure: Disclosure, patience: int, *, leaves: bool = True) -> None:
        super().__init__(disclosure)
        if patience < 0:
            raise UsageError(f"a patience of {patience} questions cannot be.", "Use 0 or more.")
        self._patience, self._left, self._leaves = patience, patience, leaves

    def answer(self, turn: Turn) -> Answer:
        """Return the rules' answer for as many fields as there is patience for."""
        asked = [name for name in self.disclosure.fields if name in turn.asked]
        heard, beyond = asked[: self._left], tuple(asked[self._left :])
        impatient = bool(beyond) and not self._left
        self._left -= len(heard)
        if impatient and self._leaves and turn.verdict != ACCEPTED:
            return Answer(unanswered=beyond, left=True)
        spent = bool(heard) and not self._left
        return attrs.evolve(self.disclosure.ask(heard), unanswered=beyond, spent=spent)

    def report(self, answer: Answer) -> dict[str, Any]:
        """Return ``patience`` (how much there was, how much is used), ``unanswered`` fields, whether it ``left``."""
        used = self._patience - self._left
        patience = {"of": self._patience, "used": used}
        return {"patience": patience, "unanswered": list(answer.unanswered), "left": answer.left}


class Soft(Plain):
    """
    Has preferences besides its requirements.

    A preference is told when its field is asked about, unless it is hidden, with words for its weight; an accepted
    proposal is answered with how well it meets all of them, hidden ones too.

    Args:
        disclosure: What is told when.
        preferences: What it would like, too.
    """

    def __init__(self, disclosure: Disclosure, preferences: Sequence[Preference] = ()) -> None:
        super().__init__(disclosure)
        self._preferences = tuple(each for each in preferences if each.predicate.reveal is not Reveal.HIDDEN)

    def answer(self, turn: Turn) -> Answer:
        """Return the rules' answer, with the preferences asked about and how an accepted proposal pleases."""
        answer = self.disclosure.ask(turn.asked)
        preferred = tuple(each for each in self._preferences if each.field in turn.asked)
        about = {each.field for each in preferred}
        return attrs.evolve(
            answer,
            preferred=preferred,
            no_preference=tuple(name for name in answer.no_preference if name not in about),
            settled=tuple(name for name in answer.settled if name not in about),
            pleased=turn.grade if turn.verdict == ACCEPTED else None,
        )

    def report(self, answer: Answer) -> dict[str, Any]:
        """Return ``preferred``, the preferences told now."""
        return {"preferred": [preference_data(each) for each in answer.preferred]}


def has_left(data: Any) -> bool:
    """Tell whether a user's ``Reply.data`` says that it leaves: the environment then ends with :data:`USER_LEFT`."""
    return isinstance(data, dict) and data.get("left") is True
