"""Amounts in plain English: numbers, angles in degrees, distances in centimetres."""

import re
import unicodedata

STEP = 70.0
"""Centimetres of one step."""

_SMALL = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "eleven": 11, "twelve": 12, "fifteen": 15, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50,
    "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90, "hundred": 100,
}  # fmt: skip
_VAGUE = {"a couple of": 2, "a couple": 2, "a few": 3, "several": 4, "half a": 0.5, "a": 1, "an": 1}
_NUMBER = (
    r"(?:\d+(?:\.\d+)?|(?:"
    + "|".join(sorted(_SMALL, key=len, reverse=True))
    + r")(?:[ -](?:one|two|three|four|five|six|seven|eight|nine|hundred))?|"
    + "|".join(sorted(_VAGUE, key=len, reverse=True))
    + r")"
)
_UNITS = {
    "cm": 1.0, "centimeter": 1.0, "centimetre": 1.0, "m": 100.0, "meter": 100.0, "metre": 100.0,
    "foot": 30.48, "feet": 30.48, "ft": 30.48, "yard": 91.44, "step": STEP, "pace": STEP, "stride": STEP,
}  # fmt: skip
_LENGTH = re.compile(
    rf"\b({_NUMBER})(?:(?: (?:more|or so|big|small|little|short))? |-)?"
    rf"({'|'.join(sorted(_UNITS, key=len, reverse=True))})s?\b"
)
_ANGLE = re.compile(rf"\b({_NUMBER})[ -]?(?:degrees?|deg|°)(?!\w)")
_LITTLE = re.compile(r"\b(?:slightly|a (?:little|bit|tad|touch)|gently|just a)\b")
_NAMED_ANGLES = (
    (re.compile(r"\b(?:around|u-turn|about-face|opposite|other way|half[- ]turn|halfway round|completely)\b"), 180.0),
    (re.compile(r"\bquarter[- ]turn\b"), 90.0),
    (_LITTLE, 30.0),
)


def normal(text: str) -> str:
    """Return text in lower case, one form of each letter, plain apostrophes and dashes, single spaces."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    plain = plain.replace("\u2019", "'").replace("\u2018", "'").replace("\u2013", "-").replace("\u2014", ", ")
    return " ".join(plain.split())


def number(words: str) -> float:
    """Return what digits, a number word or a vague one ("a few") come to."""
    if words in _VAGUE:
        return float(_VAGUE[words])
    parts = re.split(r"[ -]", words)
    if parts[0] not in _SMALL:
        return float(words)
    first = float(_SMALL[parts[0]])
    if len(parts) == 1:
        return first
    return first * 100 if parts[1] == "hundred" else first + _SMALL[parts[1]]


def length(text: str) -> float | None:
    """Return the first distance that a normal text names, in cm; None where it names none."""
    found = _LENGTH.search(text)
    if found:
        return number(found[1]) * _UNITS[found[2]]
    return 100.0 if _LITTLE.search(text) else None


def angle(text: str) -> float | None:
    """Return the first angle that a normal text names, in degrees; None where it names none."""
    found = _ANGLE.search(text)
    if found:
        return number(found[1])
    return next((degrees for pattern, degrees in _NAMED_ANGLES if pattern.search(text)), None)


def prices(text: str) -> list[float]:
    """Return the dollar amounts that a text names, in order."""
    found = re.findall(r"\$\s?(\d+(?:,\d{3})*(?:\.\d+)?)|\b(\d+(?:\.\d+)?)\s?(?:dollars|usd|bucks)\b", normal(text))
    return [float((first or second).replace(",", "")) for first, second in found]
