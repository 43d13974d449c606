r"""
The rule-based user's sentences: what it says for an answer that the disclosure rules gave.

The paper's Table 1 is not in our text; its excerpts are followed where there are any, the rest of the wording is ours.
Verdict tags are the environment's and never stand here.

Opening: ``I'm looking for one book.``, then, where something is stated, one sentence of clauses, then the formats.

Reply, in this order, one space between sentences, each only where it applies:

=============================================  ==========================================================
the answer holds                               sentence
=============================================  ==========================================================
on-ask predicates of the asked fields          ``As for that, CLAUSE; and CLAUSE; and CLAUSE.``
accepted formats, some                         ``I can only read it as an ebook.``, ``... an ebook or a paperback.``
accepted formats, all                          ``Any format is fine.``
a field with a hidden predicate                ``I'd rather not say more about the FIELD.``, one a field
a field without any predicate                  ``I have no preference about the FIELD.``, one a field
a field of which the opening said everything   ``I've said all I need about the FIELD.``, one a field
nothing, since nothing was asked               ``I have nothing to add.``
=============================================  ==========================================================

A user beyond the paper's (:mod:`recfw_books.user.rules`) says more:

=============================================  ==========================================================
the answer holds                               sentence
=============================================  ==========================================================
a critique, before all others                  ``Not that one: CLAUSE.``, ``Not that one: I can only ...``
a preference, after the formats                ``STRENGTH it to LIKING.``, one a preference
patience that has just run out                 ``That's enough questions for me.``
a field for which there was no patience left   ``No more questions, please.``
that the user leaves, and nothing else         ``That's one question too many. Goodbye.``
the grade of an accepted book, last            ``That's just what I would like.`` (1), ``That will do, though not
                                               all is as I'd like it.`` (0.5 and more), ``That will do, but I'd
                                               like another more.``
=============================================  ==========================================================

STRENGTH is ``I'd very much like``, ``I'd like`` or ``If there's a choice, I'd like``; LIKING is a clause without "it
should" (``be in French``), so that no clause's pattern takes a preference for a requirement.

Clauses (the opening's first one begins with a capital letter)::

    it should include LABEL                              genre, contains
    it should be in LABEL                                language, ==
    it should come from LABEL                            country, ==
    it should have been published no later than YEAR     year, <=
    it should have been published no earlier than YEAR   year, >=

FIELD is genre, language, country, year or format. YEAR is digits, with a minus sign before the common era.

LABEL is plain where it consists of letters, digits, single spaces and ``& ' , ( ) / -`` only and neither begins nor
ends with a space (``Humor & Satire``, ``Children's``, ``Bosnia and Herzegovina``, ``Korea, South``); every other label
stands as a JSON string in double quotes (``"St. Lucia"``, ``"A; and B"``). So a plain label holds no semicolon, full
stop or double quote, and each clause ends before ``; and `` or ``.``. One pattern reads LABEL after a clause's words::

    "(?:[^"\\]|\\.)*"|[^";.]+

Scan for all five clauses with one alternation, from left to right, so that words within a quoted label are never taken
for a clause; take the clauses out before looking for the other sentences.
"""

import json
import re
from collections.abc import Sequence

from recfw.elicitation import Answer, Fact, Op, Predicate, Preference
from recfw.elicitation.wording import patience_text, pleased_text, strength_text
from recfw.errors import DataError
from recfw_books.model import FORMATS

OPENING = "I'm looking for one book."
NOTHING = "I have nothing to add."
LEAVING = "That's one question too many. Goodbye."

_PLAIN = re.compile(r"(?! )(?:[^\W_]|[&',()/-]|(?<! ) )+(?<! )")
_CLAUSES = {
    ("genre", Op.CONTAINS): "it should include {}",
    ("language", Op.EQ): "it should be in {}",
    ("country", Op.EQ): "it should come from {}",
    ("year", Op.LE): "it should have been published no later than {}",
    ("year", Op.GE): "it should have been published no earlier than {}",
}


def opening_text(answer: Answer) -> str:
    """
    Word an opening.

    Raises:
        DataError: A predicate or format has no sentence here (see the module's tables).
    """
    sentences = [OPENING]
    if answer.revealed:
        clauses = _clauses(answer.revealed)
        sentences.append(f"{clauses[0].upper()}{clauses[1:]}.")
    return " ".join(sentences + [_formats(extra) for extra in answer.extras])


def reply_text(answer: Answer) -> str:
    """
    Word a reply; verdict tags are not part of it.

    Raises:
        DataError: A predicate or format has no sentence here (see the module's tables).
    """
    if answer.left:
        return LEAVING
    sentences = [f"Not that one: {_critique(each)}" for each in answer.critiqued]
    sentences += [f"As for that, {_clauses(answer.revealed)}."] if answer.revealed else []
    sentences += [_formats(extra) for extra in answer.extras]
    sentences += [_preference(each) for each in answer.preferred]
    sentences += [f"I'd rather not say more about the {field}." for field in answer.declined]
    sentences += [f"I have no preference about the {field}." for field in answer.no_preference]
    sentences += [f"I've said all I need about the {field}." for field in answer.settled]
    sentences += patience_text(answer)
    if answer.pleased is not None:
        sentences.append(pleased_text(answer.pleased))
    return " ".join(sentences) or NOTHING


def _clauses(predicates: tuple[Predicate, ...]) -> str:
    return "; and ".join(clause_text(predicate) for predicate in predicates)


def _critique(requirement: Predicate | Fact) -> str:
    return f"{clause_text(requirement)}." if isinstance(requirement, Predicate) else _formats(requirement)


def _preference(preference: Preference) -> str:
    liking = clause_text(preference.predicate).removeprefix("it should ")
    return f"{strength_text(preference.weight)} it to {liking}."


def clause_text(predicate: Predicate) -> str:
    """Word one requirement; DataError where it has no sentence here."""
    try:
        pattern = _CLAUSES[predicate.field, predicate.op]
    except KeyError:
        known = ", ".join(f"{field} {op}" for field, op in _CLAUSES)
        raise DataError(f"no sentence for {predicate.field} {predicate.op} (known: {known}).") from None
    return pattern.format(_year(predicate) if predicate.field == "year" else _label(predicate))


def _year(predicate: Predicate) -> int:
    if not float(predicate.value).is_integer():
        raise DataError(f"a year is a whole number, not {predicate.value!r}.")
    return int(predicate.value)


def _label(predicate: Predicate) -> str:
    if not isinstance(predicate.value, str):
        raise DataError(f"the {predicate.field} is a label, not {predicate.value!r}.")
    return predicate.value if _PLAIN.fullmatch(predicate.value) else json.dumps(predicate.value, ensure_ascii=False)


def _formats(extra: Fact) -> str:
    unknown = [value for value in extra.values if value not in FORMATS]
    if extra.field != "format" or unknown:
        raise DataError(f"no sentence for {extra.field} {list(extra.values)!r} (formats: {', '.join(FORMATS)}).")
    return formats_text(extra.values)


def formats_text(values: Sequence[str]) -> str:
    """Word the formats that the user takes; none for any."""
    if not values:
        return "Any format is fine."
    named = [f"an {value}" if value[0] in "aeiou" else f"a {value}" for value in values]
    return f"I can only read it as {' or '.join(named)}."
