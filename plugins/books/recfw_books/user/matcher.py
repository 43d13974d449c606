"""
The matcher: which fields an agent's turn asks about (spec section 3).

The conventions, and turns labelled by them, stand in ``fixtures/books_turns.md``. In short:

1. :mod:`.turns` cuts a turn into sentences without tags, titles, tool calls and Markdown; :mod:`.spelling` writes out
   chat's short forms; :mod:`.lexicon` marks the words that name a field or a value.
2. :mod:`.signs` lists what speaks for and against "this sentence is an open request" and, field by field, "it asks
   about this": its words and their classes, the patterns that match it, and what the rules (:mod:`.ruled`) say.
3. :mod:`.weights` knows what each sign is worth. A turn asks about a field where its sentences' signs are worth more
   than nothing, and about every field where it is an open request.

The worths are learned from labelled turns (:mod:`.learning`) and shipped as data; nothing here is random.
"""

import re
from functools import lru_cache

from attrs import frozen

from recfw_books.user.lexicon import FIELDS
from recfw_books.user.ruled import ruled
from recfw_books.user.signs import Signs, signs_of
from recfw_books.user.turns import Sentence, sentences
from recfw_books.user.weights import UNIT, decide, packaged, together, worth, worths

_TAG = re.compile(r"\[\[[\w:. -]*\]\]")
_TOLD = 6  # signs named in an explanation


@frozen
class Why:
    """Why a turn asks about something, or not: its worth, the sentence that weighs most, and that one's chief signs."""

    question: str
    worth: float
    sentence: str
    signs: tuple[tuple[str, float], ...]


def asked_fields(text: str) -> frozenset[str]:
    """Return which of genre, language, country, year and format an agent's turn asks about; any text is fine."""
    return _asked(_TAG.sub("[[]]", text))


@lru_cache(maxsize=1024)  # scripted agents say the same again and again, about other books
def _asked(text: str) -> frozenset[str]:
    return decide(_signs(sentences(text)), packaged())


def _signs(parts: tuple[Sentence, ...]) -> tuple[tuple[Signs, ...], ...]:
    return tuple(signs_of(parts, ruled(parts)))


def why(text: str) -> tuple[Why, ...]:
    """Return what speaks for and against an open request and each field; nothing for a turn without a sentence."""
    parts = sentences(text)
    turn = _signs(parts)
    if not turn:
        return ()
    columns = zip(("open", *FIELDS), zip(*turn, strict=True), strict=True)
    return tuple(_why(question, column, parts) for question, column in columns)


def _why(question: str, column: tuple[Signs, ...], parts: tuple[Sentence, ...]) -> Why:
    weights = packaged()
    found = [worth(signs, weights) for signs in column]
    top = found.index(max(found))
    chief = sorted(worths(column[top], weights), key=lambda item: (-abs(item[1]), item[0]))[:_TOLD]
    told = tuple((sign, value / UNIT) for sign, value in chief)
    return Why(question, together(found) / UNIT, parts[top].text, told)
