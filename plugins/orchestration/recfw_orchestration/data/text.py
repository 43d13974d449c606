"""How all indexes and the sentiment counts see text: tokens, their terms, and flat arrays of both."""

import re
import unicodedata
from array import array
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

Whole = NDArray[np.int64]

_TOKEN = re.compile("\\w+(?:['\u2019]\\w+)*|[.!?;]")
STOPS = frozenset(".!?;")
"""Tokens that end a sentence and are no term."""
MOST_CHARACTERS, MOST_TERMS = 4_000, 64
"""What is read of a query; the rest of a longer one is left unread, so that no query is slow."""


def tokens(text: str) -> list[str]:
    """Return the words of a text (NFKC, case folded) and its sentence ends, in order."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
    return _TOKEN.findall(text.casefold())


def term_of(token: str) -> str:
    """Return a word's term: without apostrophes and plural endings (Harman's S stemmer, JASIS 42, 1991)."""
    for sign in ("'", "\u2019"):
        if sign in token:
            token = token.removesuffix(f"{sign}s").replace(sign, "")
    if len(token) <= 3 or not token.endswith("s"):
        return token
    if token.endswith("ies") and not token.endswith(("eies", "aies")):
        return f"{token[:-3]}y"
    if token.endswith("es") and not token.endswith(("aes", "ees", "oes")):
        return token[:-1]
    return token if token.endswith(("us", "ss")) else token[:-1]


def terms(text: str) -> list[str]:
    """Return the distinct terms of a query, in order; never more than ``MOST_TERMS``."""
    found = (term_of(token) for token in tokens(text[:MOST_CHARACTERS]) if token not in STOPS)
    return list(dict.fromkeys(term for term in found if term))[:MOST_TERMS]


class Words(dict[str, int]):
    """Token -> number, in order of first sight; a new token gets the next number."""

    def __missing__(self, token: str) -> int:
        number = self[token] = len(self)
        return number


def flat(texts: Iterable[str], words: Words) -> tuple[Whole, Whole]:
    """Return the token numbers of all texts in one array, and how many each text has."""
    numbers, lengths = array("q"), array("q")
    number = words.__getitem__
    for text in texts:
        found = tokens(text)
        lengths.append(len(found))
        numbers.extend(map(number, found))
    return np.array(numbers, dtype=np.int64), np.array(lengths, dtype=np.int64)


def term_numbers(words: Sequence[str]) -> tuple[Whole, list[str]]:
    """Return each word's term number (-1 for a sentence end), and the terms."""
    known: dict[str, int] = {}
    numbers = [
        -1 if word in STOPS or not (term := term_of(word)) else known.setdefault(term, len(known)) for word in words
    ]
    return np.array(numbers, dtype=np.int64), list(known)
