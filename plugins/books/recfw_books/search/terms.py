"""How text becomes terms, and what a term is worth in a field: the one Okapi BM25 that all keyword retrievers share."""

import math
import re
import unicodedata

K1, B = 1.2, 0.75
SCALE = 1 << 32
"""Impacts are whole multiples of 1 / SCALE: their sums do not depend on the order of summing, and ties are ties."""

_WORD = re.compile(r"\w+")


def terms(text: str) -> list[str]:
    """Return a text's terms in order: NFKC, casefolded, runs of letters, digits and underscores; none is dropped."""
    folded = text.casefold() if text.isascii() else unicodedata.normalize("NFKC", text).casefold()
    return _WORD.findall(folded)


def query_terms(text: str) -> list[str]:
    """Return a query's distinct terms, in order of first appearance."""
    return list(dict.fromkeys(terms(text)))


def inverse_frequency(holding: int, records: int) -> float:
    """Return ln(1 + (N - n + 0.5) / (n + 0.5)), never negative: n of N records hold the term in the field."""
    return math.log(1 + (records - holding + 0.5) / (holding + 0.5))


def impact(idf: float, count: int, length: int, mean_length: float) -> int:
    """
    Return what a term adds to a record's score by one field, in units of 1 / SCALE, rounded to even.

    Args:
        idf: The term's :func:`inverse_frequency` in the field.
        count: How often the field of the record holds it.
        length: How many terms the field of the record has.
        mean_length: The mean of that over all records, empty fields included.
    """
    saturation = count * (K1 + 1) / (count + K1 * (1 - B + B * (length / mean_length)))
    return round(idf * saturation * SCALE)
