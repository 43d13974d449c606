"""Which fields marked text names, by a noun ("the genre") or by a value ("science fiction")."""

import re

from recfw_books.user import intent
from recfw_books.user.lexicon import FIELDS, LETTERS, WORK, WRITER
from recfw_books.user.turns import TAG, TITLE

ALL = frozenset(FIELDS)
NONE: frozenset[str] = frozenset()

_MARK = re.compile(r"[NV]([GLCYFN])(?![a-z])")
_NOUN = re.compile(r"N([GLCYF])\b")
_NOT_BUT = re.compile(r"\bnot (?:the |a |your |its )?N[GLCYF](?: this time| any more| now)?,? but\b")
_NATION_WRITER = re.compile(
    rf"\bVN(?: or(?: an?)? VN)* (?:\w+ ){{0,2}}?{WRITER}\b|\b{WRITER},? (?:\w+,? ){{0,4}}?VN\b|"
    r"\bby (?:an? )?(?:\w+ )?VN\b"
)
_NATION_TONGUE = re.compile(
    r"\b(?:in|into|speak|read|original|written|NL|understand|know|enough)(?: (?:either|both|only|the|"
    r"original|modern))? VN\b"
    r"|\bVN(?:-NL|-speaking| (?:NL|originals?|texts?|translations?|versions?|editions?|prose|speaking))\b|\bNL\b"
)
_NATION_WORK = re.compile(rf"\bVN (?:\w+ ){{0,2}}?(?:V[GYF] )?{WORK}\b|\b(?:something|anything) VN")
_NATIONS = re.compile(r"\bV[CN](?: or | and |/|, )(?:an? )?V[CN]\b")
_IT_IS_NATION = re.compile(r"\b(?:it's|it is|they're) (?:\w+ )?VN\W*$")
_CHANGED_VALUE = re.compile(
    rf"(?:it|them|that|this|one|{TAG}|{TITLE}) (?:only )?(?:in|as|on|from) (?:an? |the )?V([GLCYF])"
)
_BESIDE_NOUNS = re.compile(
    r"\bN[GLCYF](?:-wise)?\b|\b(?:and|or|the|as|for|to|your|about|now|regarding|concerning|with|regard|"
    r"respect|in|terms|on|of|when|it"
    r"|comes|speaking|curious|so|oh|nothing|yet|any|next|up|turning|moving|optional|an?|then|ok|okay|well|"
    r"book's|author's"
    r"|preferred|author|book|original)\b"
)


def pitches(text: str) -> bool:
    """Tell whether marked text speaks of a proposed book."""
    return bool(intent.PITCH.search(text))


def mentions(text: str) -> frozenset[str]:
    """Return the fields that marked text names; the place and time of the story are none."""
    setting = intent.SETTING.search(text)
    if setting:
        text = re.sub(r"N[CY]", "", text[: setting.start()]) + re.sub(
            r"^.*?(?=,|;| or | and |$)", "", text[setting.end() :]
        )
    text = _NOT_BUT.sub(" ", text)
    letters = set(_MARK.findall(text))
    found = {LETTERS[letter] for letter in letters - {"N"}}
    return frozenset(found | _nation(text, "country" in found) if "N" in letters else found)


def _nation(text: str, beside_country: bool) -> frozenset[str]:
    """Return what a word such as "French" stands for: language, country, or both."""
    if _NATION_WRITER.search(text):
        rest = _NATION_WRITER.sub(" ", text)
        return frozenset({"country", "language"} if "VN" in rest and _NATION_TONGUE.search(rest) else {"country"})
    if _NATION_TONGUE.search(text):
        return frozenset({"language"})
    if _NATION_WORK.search(text):
        return frozenset({"language", "country"})
    country = _IT_IS_NATION.search(text) or (beside_country and _NATIONS.search(text))
    return frozenset({"country" if country else "language"})


def nouns(text: str) -> tuple[str, ...]:
    """Return the fields that marked text names by a noun, in order, repeated where it repeats them."""
    return tuple(LETTERS[letter] for letter in _NOUN.findall(text))


def is_bare_list(clause: str) -> bool:
    """Tell whether a clause is nothing but names of fields."""
    return bool(_NOUN.search(clause)) and not re.search(r"\w", _BESIDE_NOUNS.sub(" ", clause))


def reasons(text: str) -> frozenset[str]:
    """Return the fields of which a question about a proposal asks whether they failed, or would be right if changed."""
    if intent.REASON.search(text):
        return mentions(text)
    return frozenset(LETTERS[letter] for letter in _CHANGED_VALUE.findall(text))
