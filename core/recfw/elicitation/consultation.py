"""
The user's side of one episode of any track: what it sees, what it is judged to have told, and verdicts on proposals.

An environment owns one, tells it what both sides said, and puts its events into the trace:

- ``told``: what the user reported in ``Reply.data``, its ``turn`` and whether it was the ``opening``;
- ``proposal``: {turn, item, verdict, known, violated, barred, others};
- ``leak``: {fields} of hidden requirements whose values the user's words gave away.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, TypeVar

from recfw.elicitation.disclosure import Answer, Told
from recfw.elicitation.goal import Goal
from recfw.elicitation.labels import LabelTree
from recfw.elicitation.leaks import leaked
from recfw.elicitation.manners import ACCEPTED, REJECTED, has_left
from recfw.elicitation.predicates import Reveal
from recfw.elicitation.proposals import proposals
from recfw.elicitation.records import predicate_data, read_fact, read_predicate
from recfw.errors import DataError
from recfw.model.reply import Reply
from recfw.model.trace import WorldEvent

T = TypeVar("T")


class Consultation:
    """
    One user's side.

    Args:
        stated: What the opening states (:meth:`Goal.stated`), out of the task's public half: nothing private may tell.
        goal: What it wants.
        catalog: Item -> its record.
        barred: Items that it takes in no case, such as those it has already.
        trees: Field -> label tree.
        words: Field -> other words for it, such as ``how old`` for an age: what a question about it may say.

    Attributes:
        goal: What it wants.
        told: What it has reported to have told, opening included.
        verdict: ``accepted`` or ``rejected``, of a proposal in the agent's last words to it; else None.
        left: Whether it has left.
        turn: How often the agent has spoken to it.
    """

    def __init__(
        self,
        stated: Mapping[str, Any],
        goal: Goal,
        catalog: Mapping[str, Mapping[str, Any]],
        barred: Collection[str] = (),
        trees: Mapping[str, LabelTree] | None = None,
        words: Mapping[str, Collection[str]] | None = None,
    ) -> None:
        self._stated, self._words = dict(stated), {name: list(others) for name, others in (words or {}).items()}
        self.goal, self._catalog, self._barred, self._trees = goal, catalog, barred, trees
        self._hidden = [p for p in goal.predicates if p.reveal is Reveal.HIDDEN]
        self.told = Told()
        self._text: str | None = None
        self._violated: list[dict[str, Any]] = []
        self._grade: float | None = None
        self.verdict: str | None = None
        self.left = False
        self.turn = 0

    def facts(self) -> dict[str, Any]:
        """Return the facts that the rule-based users of :mod:`recfw.elicitation.users` read."""
        return {
            "fields": list(self.goal.fields),
            "stated": self._stated,
            "goal": self.goal.private(),
            "agent_text": self._text,
            "verdict": self.verdict,
            "violated": self._violated,
            "grade": self._grade,
            **({"words": self._words} if self._words else {}),
        }

    def accepts(self, item: str) -> bool:
        """Tell whether the user takes an item: it exists, is not barred, and meets every requirement."""
        record = self._catalog.get(item)
        return record is not None and item not in self._barred and not self.goal.failed(record, self._trees)

    def grade(self, item: str) -> float | None:
        """Return how well an item meets the preferences; None without any or where it is not taken."""
        return self.goal.grade(self._catalog[item], self._trees) if self.accepts(item) else None

    def hear_agent(self, text: str) -> tuple[WorldEvent, ...]:
        """Take the agent's words to the user: the first of its proposals is judged."""
        self.turn += 1
        self._text, self.verdict, self._violated, self._grade = text, None, [], None
        named = proposals(text)
        return (self._judge(named),) if named else ()

    def hear_user(self, reply: Reply) -> tuple[WorldEvent, ...]:
        """Take the user's reply: what it reported counts as told; afterwards :attr:`left` says whether it goes."""
        data = reply.data if isinstance(reply.data, dict) else {}
        said = Answer(_read(data.get("revealed"), read_predicate), _read(data.get("extras"), read_fact))
        self.told = self.told.after(said)
        self.left = has_left(data)
        told = WorldEvent("told", {"turn": self.turn, "opening": self._text is None, "data": data})
        found = leaked(self._hidden, reply.text, revealed=self.told.predicates, trees=self._trees)
        leak = (WorldEvent("leak", {"fields": sorted({p.field for p in found})}),) if found else ()
        return (told, *leak)

    def _judge(self, named: Sequence[str]) -> WorldEvent:
        item, others = named[0], list(named[1:])
        record = self._catalog.get(item)
        self.verdict = ACCEPTED if self.accepts(item) else REJECTED
        if record is not None:
            self._violated = [predicate_data(p) for p in self.goal.failed(record, self._trees)]
            self._grade = self.grade(item)
        return WorldEvent(
            "proposal",
            {
                "turn": self.turn,
                "item": item,
                "verdict": self.verdict,
                "known": record is not None,
                "violated": self._violated,
                "barred": item in self._barred,
                "others": others,
            },
        )


def _read(rows: Any, read: Callable[[Any], T]) -> tuple[T, ...]:
    """Return the records of a report; what is malformed was not told."""
    found = []
    for row in rows if isinstance(rows, list) else ():
        try:
            found.append(read(row))
        except (DataError, TypeError):
            continue
    return tuple(found)
