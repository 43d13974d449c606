"""
A second look at what an agent asked about: generous where the matcher is careful, to find questions that it missed.

The paper had a language model label the agents' turns. Here a few plain rules do, which share nothing with the matcher
and can be computed from the trace alone: a sentence asks where it ends in a question mark or holds a word of request;
an asking sentence is about every field that it names, and about all of them where it speaks of "anything else", of
requirements, preferences or details. A sentence with a proposal tag asks about nothing. So it takes some pitches and
recaps for questions: what it finds beyond the matcher is an upper bound of what the matcher missed.
"""

import re

_TAG = "[[candidate_id"
_SENTENCE = re.compile(r"[^.?!\n]*[.?!\n]?")
_REQUEST = re.compile(
    r"\b(?:tell|share|specify|describe|clarify|mention|provide|let me know|i need|i'd like to know|i would like to know"
    r"|may i ask|can i ask|wondering|curious|please)\b"
)
_GENERIC = re.compile(
    r"\b(?:(?:any|every|some)thing (?:else|more)|what else|more details?|requirements?|preferences?|criteria"
    r"|constraints?|details?|specifics?|must-haves?)\b"
)
_NAMES = {
    "genre": re.compile(r"\b(?:sub-?)?genres?\b|\b(?:kinds?|types?|sorts?|categor(?:y|ies)|themes?|topics?)\b"),
    "language": re.compile(r"\blanguages?\b|\btranslat\w*"),
    "country": re.compile(r"\bcountr(?:y|ies)\b|\borigins?\b|\bnationalit\w+|\bregions?\b|\bwhere\b"),
    "year": re.compile(
        r"\byears?\b|\bdecades?\b|\beras?\b|\bcentur(?:y|ies)\b|\bperiods?\b|\bdates?\b|\bwhen\b|\bold(?:er)?\b"
        r"|\brecent\b|\bmodern\b|\bclassics?\b|\bpublished\b|\btime ?frames?\b"
    ),
    "format": re.compile(r"\bformats?\b|\bedition\b|\baudio ?books?\b|\be-?books?\b|\bpaperbacks?\b|\bhardcovers?\b"),
}


def seen_asked(text: str) -> frozenset[str]:
    """Return the fields (genre, language, country, year, format) that an agent's turn may be said to ask about."""
    found: set[str] = set()
    for sentence in _SENTENCE.findall(text.casefold()):
        if _TAG in sentence or not ("?" in sentence or _REQUEST.search(sentence)):
            continue
        found |= {name for name, words in _NAMES.items() if words.search(sentence)}
        if _GENERIC.search(sentence):
            found |= set(_NAMES)
    return frozenset(found)
