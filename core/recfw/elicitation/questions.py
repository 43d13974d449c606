"""
Which fields a turn asks about, by a few plain rules over the fields' names: for tracks without a matcher of their own.

A sentence asks where it ends in a question mark or begins a request; an asking sentence is about each field that it
names, and about all of them where it asks for "anything else", preferences, requirements or details. A sentence with a
tag in double square brackets asks about nothing: it proposes.
"""

import re
from collections.abc import Collection, Mapping, Sequence

_SENTENCE = re.compile(r"[^.?!\n]*[.?!\n]?")
_REQUEST = re.compile(
    r"^\W*(?:please\b|(?:could|can|would|will) you\b|tell me\b|let me know\b|i(?:'d| would) like to know\b|may i ask\b)"
)
_GENERIC = re.compile(
    r"\b(?:(?:any|every|some)thing (?:else|more)|what else|what are you looking for|more details?|requirements?"
    r"|preferences?|criteria|constraints?|details|must-haves?)\b"
)


def asked_about(text: str, fields: Sequence[str], words: Mapping[str, Collection[str]] | None = None) -> frozenset[str]:
    """
    Return the fields that a turn asks about.

    Args:
        text: What the agent said.
        fields: Every field that may be asked about; an underscore stands for a space, and a plural or singular counts.
        words: Field -> other words for it.
    """
    found: set[str] = set()
    named = {name: _pattern(name, (words or {}).get(name, ())) for name in fields}
    for sentence in _SENTENCE.findall(text.casefold()):
        if "[[" in sentence or not (sentence.endswith("?") or _REQUEST.search(sentence)):
            continue
        about = {name for name, pattern in named.items() if pattern.search(sentence)}
        found |= about or (set(fields) if _GENERIC.search(sentence) else set())
    return frozenset(found)


def _pattern(name: str, others: Collection[str]) -> re.Pattern[str]:
    spoken = [_stem(word.casefold().replace("_", " ")) for word in (name, *others)]
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, spoken))})(?:e?s)?\b")


def _stem(word: str) -> str:
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word
