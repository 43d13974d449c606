"""
What a user told, read from its words, where it does not report it as data: a language model decides and words itself.

A requirement counts as told where its value is spoken, by the rules that find leaks, and a format where it is named. So
a paraphrase is missed, and a value that is merely mentioned counts; the docs say so.
"""

import re
from collections.abc import Mapping
from typing import Any

from recfw.elicitation.disclosure import Answer, Fact
from recfw.elicitation.labels import LabelTree
from recfw.elicitation.leaks import fold, leaked
from recfw.elicitation.predicates import Reveal
from recfw_books.disclosed import report
from recfw_books.goal import Goal
from recfw_books.model import FORMATS
from recfw_books.user.matcher import asked_fields

_WORDS = {
    "audiobook": r"audio\s?-?\s?books?|audio",
    "ebook": r"e\s?-?\s?books?|electronic(?:ally)?|kindle|digital",
    "hardcover": r"hard\s?-?\s?(?:cover|back)s?",
    "paperback": r"paper\s?-?\s?backs?",
}
_ANY = re.compile(
    r"\bany\s+(?:other\s+)?formats?\b|\bformats?\b[^.?!]*\b(?:do(?:es)?n.?t\s+matter|is\s+fine|are\s+fine)\b"
)


def heard(goal: Goal, words: str, agent_text: str | None, trees: Mapping[str, LabelTree]) -> dict[str, Any]:
    """
    Return what a user's words told, in the shape of :func:`recfw_books.disclosed.report`.

    Args:
        goal: The user's goal; hidden requirements are never among what was told (they are leaks).
        words: What it said.
        agent_text: The agent's turn that it answers; None for the opening.
        trees: Field -> label tree of the catalog.
    """
    tellable = [p for p in goal.predicates if p.reveal is not Reveal.HIDDEN]
    revealed = leaked(tellable, words, trees=trees)
    named = _formats(words)
    extras: tuple[Fact, ...] = ()
    if goal.accepted_formats and set(goal.accepted_formats) <= set(named):
        extras = (Fact("format", goal.accepted_formats),)
    elif not goal.accepted_formats and _ANY.search(fold(words)):
        extras = (Fact("format", ()),)
    asked = asked_fields(agent_text) if agent_text is not None else ()
    return report(Answer(revealed=revealed, extras=extras), asked)


def _formats(words: str) -> list[str]:
    folded = fold(words)
    return [name for name in FORMATS if re.search(rf"(?<!\w)(?:{_WORDS[name]})(?!\w)", folded)]
