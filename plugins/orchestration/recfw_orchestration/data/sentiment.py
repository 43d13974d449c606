"""Sentiment by lexicon: which reviews praise or blame an item, or one of its aspects. Whole numbers only, no model."""

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from recfw_orchestration.data.okapi import Spoken, spoken
from recfw_orchestration.data.records import Domain, Sentiment
from recfw_orchestration.data.text import STOPS, Whole, term_of, tokens

REACH = 3
"""A negation turns the polar words round that follow within so many words of the same sentence."""
WHOLE = ""
"""The aspect that every sentence speaks of."""


@frozen
class Lexicon:
    """Polar words, negations, and each domain's aspects with the terms that name them."""

    polarity: Mapping[str, int]
    negations: frozenset[str]
    aspects: Mapping[str, Mapping[str, frozenset[str]]]


@cache
def lexicon() -> Lexicon:
    """Return the shipped lexicon."""
    section, found = "", dict[str, dict[str, set[str]]]()
    text = (files("recfw_orchestration.data") / "lexicon.txt").read_text(encoding="utf-8")
    for line in text.splitlines():
        if line.startswith("["):
            section = line[1:-1]
        elif line and not line.startswith("#"):
            key, _, words = line.partition(": ")
            found.setdefault(section, {}).setdefault(key, set()).update(
                term_of(t) for w in words.split() for t in tokens(w)
            )
    general = found.pop("")
    polarity = dict.fromkeys(sorted(general["positive"]), 1) | dict.fromkeys(sorted(general["negative"]), -1)
    aspects = {name: {aspect: frozenset(terms) for aspect, terms in of.items()} for name, of in found.items()}
    return Lexicon(polarity, frozenset(general["negation"]), aspects)


def aspects_of(domain: Domain) -> tuple[str, ...]:
    """Return the aspects that a domain's store keeps ready, in alphabetical order."""
    return tuple(sorted(lexicon().aspects.get(domain, ())))


@frozen
class Leanings:
    """What each of some texts says of one aspect: whether it mentions it, and its praise less its blame."""

    mentions: NDArray[np.bool_]
    lean: Whole


def lean(said: Spoken, aspects: Mapping[str, frozenset[str]]) -> dict[str, Leanings]:
    """
    Weigh texts.

    A sentence speaks of an aspect if it holds one of its terms; its polar words then count for that aspect. The aspect
    ``WHOLE`` counts all sentences and is mentioned by every text that has words.
    """
    lengths = said.lengths
    if not len(said.numbers):
        none = np.zeros(len(lengths), dtype=np.int64)
        return {name: Leanings(none.astype(bool), none) for name in (*aspects, WHOLE)}
    term = said.term_of[said.numbers]
    text = np.repeat(np.arange(len(lengths)), lengths)
    # A sentence ends with its stop, and with its text.
    stops = (term < 0).astype(np.int64)
    sentence = np.cumsum(stops) - stops + text
    at = {word: n for n, word in enumerate(said.terms)}
    words = lexicon()
    value = _turned(
        _of_terms(at, words.polarity)[term], _of_terms(at, dict.fromkeys(words.negations, 1))[term], sentence
    )
    per_sentence = np.bincount(sentence, weights=value)
    text_of = np.zeros(len(per_sentence), dtype=np.int64)
    text_of[sentence] = text
    found = {}
    for name, naming in aspects.items():
        spoken_of = np.zeros(len(per_sentence), dtype=bool)
        spoken_of[sentence[_of_terms(at, dict.fromkeys(naming, 1))[term] > 0]] = True
        mentions = np.zeros(len(lengths), dtype=bool)
        mentions[text_of[spoken_of]] = True
        leaning = np.bincount(text_of, weights=per_sentence * spoken_of, minlength=len(lengths))
        found[name] = Leanings(mentions, leaning.astype(np.int64))
    whole = np.bincount(text, weights=value, minlength=len(lengths)).astype(np.int64)
    found[WHOLE] = Leanings(lengths > 0, whole)
    return found


def _of_terms(at: Mapping[str, int], values: Mapping[str, int]) -> Whole:
    """Return the values of a batch's terms by their numbers, and behind them 0 for what is no term (-1)."""
    found = np.zeros(len(at) + 1, dtype=np.int64)
    for word, value in values.items():
        if word in at:
            found[at[word]] = value
    return found


def _turned(value: Whole, negating: Whole, sentence: Whole) -> Whole:
    """Return each token's polarity, turned round after a negation within ``REACH`` words of its sentence."""
    turn = np.zeros(len(value), dtype=bool)
    for step in range(1, REACH + 1):
        turn[step:] |= (negating[:-step] > 0) & (sentence[step:] == sentence[:-step])
    return np.where(turn, -value, value)


def weigh(texts: Sequence[str], aspect: str | None, domain: Domain) -> Sentiment:
    """Return what some reviews say: in all (None), of an aspect that the domain knows, or of any other words."""
    known = lexicon().aspects.get(domain, {})
    if aspect is None:
        aspects: Mapping[str, frozenset[str]] = {}
    elif aspect in known:
        aspects = {aspect: known[aspect]}
    else:
        aspects = {aspect: frozenset(term_of(token) for token in tokens(aspect) if token not in STOPS)}
    of = lean(spoken(texts), aspects)[WHOLE if aspect is None else aspect]
    return tally(
        int((of.mentions & (of.lean > 0)).sum()), int((of.mentions & (of.lean < 0)).sum()), int(of.mentions.sum())
    )


def tally(positive: int, negative: int, n: int) -> Sentiment:
    """Return the counts with their score."""
    return Sentiment((positive - negative) / n if n else 0.0, positive, negative, n)
