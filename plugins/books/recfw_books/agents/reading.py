"""
What the user's sentences say: the reference agents' own reading of the rule-based user's replies.

The sentences are those of the table in ``recfw_books.user.wording``; nothing is imported from there, so that an agent
knows the language of the user and not its code. Sentences of any other wording say nothing.
"""

import json
import re

from attrs import frozen

GENRE, LANGUAGE, COUNTRY, YEAR_MIN, YEAR_MAX = "genre", "language", "country", "year_min", "year_max"
LABELS = (GENRE, LANGUAGE, COUNTRY)

_LABEL = r'"(?:[^"\\]|\\.)*"|[^";.]+'
_BODY = (
    rf"(?:include (?P<genre>{_LABEL})|be in (?P<language>{_LABEL})|come from (?P<country>{_LABEL})"
    r"|have been published no earlier than (?P<year_min>-?[0-9]+)"
    r"|have been published no later than (?P<year_max>-?[0-9]+))"
)
_CLAUSE = re.compile(rf"[Ii]t should {_BODY}")
_STRENGTHS = {"I'd very much like": 3, "If there's a choice, I'd like": 1, "I'd like": 2}
_LIKING = re.compile(rf"(?P<strength>{'|'.join(_STRENGTHS)}) it to {_BODY}")
_TIRED = "That's enough questions"
_DECLINED = re.compile(r"I'd rather not say more about the ([a-z]+)\.")
_SOME_FORMATS = re.compile(r"I can only read it as ([a-z ]+)\.")
_FORMAT = re.compile(r"\ban? ([a-z]+)")
_ANY_FORMAT = "Any format is fine."
_VERDICT = re.compile(r"###(ACCEPTED|REJECTED)###")

Value = str | int


@frozen
class Requirement:
    """One requirement: ``field`` is genre, language, country (a label), year_min or year_max (a year, inclusive)."""

    field: str
    value: Value


@frozen
class Liking:
    """Something that would be liked and is not required, and how much: 3, 2 or 1."""

    wish: Requirement
    weight: int


@frozen
class Heard:
    """
    What one message of the user said.

    Args:
        verdict: Whether the proposal was accepted; None where there was no verdict.
        requirements: In the order in which they were told.
        formats: The accepted formats, empty where any is; None where nothing was said about them.
        declined: Fields about which the user would not say more.
        likings: What it would like besides.
        tired: Whether it has had enough of questions.
    """

    verdict: bool | None = None
    requirements: tuple[Requirement, ...] = ()
    formats: tuple[str, ...] | None = None
    declined: tuple[str, ...] = ()
    likings: tuple[Liking, ...] = ()
    tired: bool = False


def read(text: str) -> Heard:
    """Return what a message of the user says; clauses are taken out first, since a label may hold any words."""
    requirements = tuple(_requirement(match) for match in _CLAUSE.finditer(text))
    rest = _CLAUSE.sub(" ", text)
    verdict = _VERDICT.search(rest)
    return Heard(
        verdict=verdict[1] == "ACCEPTED" if verdict else None,
        requirements=requirements,
        formats=_formats(rest),
        declined=tuple(_DECLINED.findall(rest)),
        likings=tuple(Liking(_requirement(match), _STRENGTHS[match["strength"]]) for match in _LIKING.finditer(rest)),
        tired=_TIRED in rest,
    )


def _requirement(match: re.Match[str]) -> Requirement:
    field = match.lastgroup or ""
    raw = match[field]
    return Requirement(field, _label(raw) if field in LABELS else int(raw))


def _label(raw: str) -> str:
    if raw.startswith('"'):
        try:
            return str(json.loads(raw))
        except ValueError:
            return raw.strip('"')
    return raw.strip()


def _formats(text: str) -> tuple[str, ...] | None:
    some = _SOME_FORMATS.search(text)
    if some:
        return tuple(_FORMAT.findall(some[1]))
    return () if _ANY_FORMAT in text else None
