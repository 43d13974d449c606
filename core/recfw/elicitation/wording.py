"""
Sentences for any fields: what a rule-based user says for an answer, and how a script reads it back.

A requirement is a clause, ``the FIELD should RELATION VALUE``: FIELD with spaces for underscores, VALUE as JSON,
RELATION one of be at most, be at least, be, not be, include, include one of, not include, be one of. A fact is a
sentence, ``FIELD: VALUE or VALUE.`` (``Age: 34.``), or ``Any FIELD will do.`` where it has no values.
"""

import json
import re
from collections.abc import Collection, Mapping

from recfw.elicitation.disclosure import Answer, Fact
from recfw.elicitation.predicates import Op, Predicate
from recfw.elicitation.preferences import PLAIN, STRONG, Preference
from recfw.errors import DataError

NOTHING = "I have nothing to add."
_DECLINED = "I'd rather not say more about the"

RELATIONS: Mapping[Op, str] = {
    Op.LE: "be at most",
    Op.GE: "be at least",
    Op.EQ: "be",
    Op.NE: "not be",
    Op.CONTAINS: "include",
    Op.CONTAINS_ANY: "include one of",
    Op.NOT_CONTAINS: "not include",
    Op.IN: "be one of",
}
_LONGEST_FIRST = sorted(RELATIONS.items(), key=lambda each: -len(each[1]))
_STRING = r"\"(?:[^\"\\]|\\.)*\""
_JSON = rf"\[[^\]\n]*\]|{_STRING}|[-\w.+]*[\w]"
_CLAUSE = re.compile(
    rf"\b[Tt]he (?P<field>[^;.?!\n]+?) should (?P<relation>{'|'.join(words for _, words in _LONGEST_FIRST)}) "
    rf"(?P<value>{_JSON})"
)
_FACT = re.compile(  # what stands within quotes is no sentence
    rf"{_STRING}|(?:^|(?<=[.!?]\s))(?:(?P<field>[^:;.?!\n\"]+): (?P<values>(?:{_JSON})(?: or (?:{_JSON}))*)"
    r"|Any (?P<any>[^:;.?!\n\"]+?) will do)\."
)
_VALUE = re.compile(rf"(?:^| or )({_JSON})")


def clause_text(predicate: Predicate) -> str:
    """Word one requirement."""
    value = list(predicate.value) if isinstance(predicate.value, tuple) else predicate.value
    return f"the {spoken(predicate.field)} should {RELATIONS[predicate.op]} {json.dumps(value, ensure_ascii=False)}"


def fact_text(fact: Fact) -> str:
    """Word a fact as a sentence."""
    if not fact.values:
        return f"Any {spoken(fact.field)} will do."
    return f"{_begun(spoken(fact.field))}: {' or '.join(json.dumps(v, ensure_ascii=False) for v in fact.values)}."


def spoken(name: str) -> str:
    """Return a field's name as it is said."""
    return name.replace("_", " ")


def opening_text(answer: Answer) -> str:
    """Word an opening."""
    return " ".join(("I'm looking for one item.", *_told(answer, "")))


def reply_text(answer: Answer) -> str:
    """Word a reply; what became of a proposal is the environment's to say."""
    if answer.left:
        return "That's one question too many. Goodbye."
    sentences = [*_critique(answer), *_told(answer, "As for that, ")]
    sentences += [preference_text(each) for each in answer.preferred]
    sentences += [f"{_DECLINED} {spoken(name)}." for name in answer.declined]
    sentences += [f"I have no preference about the {spoken(name)}." for name in answer.no_preference]
    sentences += [f"I've said all I need about the {spoken(name)}." for name in answer.settled]
    sentences += patience_text(answer)
    if answer.pleased is not None:
        sentences.append(pleased_text(answer.pleased))
    return " ".join(sentences) or NOTHING


def pleased_text(grade: float) -> str:
    """Word how well an accepted proposal meets the preferences."""
    if grade >= 1:
        return "That's just what I would like."
    return (
        "That will do, though not all is as I'd like it."
        if grade >= 0.5
        else "That will do, but I'd like another more."
    )


def patience_text(answer: Answer) -> list[str]:
    """Word that patience has run out, as sentences."""
    if answer.spent:
        return ["That's enough questions for me."]
    return ["No more questions, please."] if answer.unanswered else []


def preference_text(preference: Preference) -> str:
    """Word a preference, with its strength."""
    predicate = preference.predicate
    wish = clause_text(predicate).removeprefix("the ").replace(" should ", " to ", 1)
    return f"{strength_text(preference.weight)} the {wish}."


def strength_text(weight: float) -> str:
    """Word how strong a preference is, as the beginning of a sentence."""
    if weight >= STRONG:
        return "I'd very much like"
    return "I'd like" if weight >= PLAIN else "If there's a choice, I'd like"


def read_clauses(text: str, fields: tuple[str, ...]) -> tuple[Predicate, ...]:
    """
    Return the requirements that a text of these sentences tells, in order; what is no clause tells nothing.

    Facts are no requirements: :func:`read_facts` reads them.
    """
    names = {spoken(name): name for name in fields}
    relations = {words: op for op, words in RELATIONS.items()}
    found = []
    for match in _CLAUSE.finditer(text):
        name = names.get(match["field"])
        try:
            predicate = Predicate(name or "", relations[match["relation"]], json.loads(match["value"]))
        except (DataError, ValueError):
            continue
        found.append(predicate)
    return tuple(found)


def read_facts(text: str, fields: Collection[str]) -> tuple[Fact, ...]:
    """Return the facts about some fields that a text of these sentences tells, in order."""
    names = {_begun(spoken(name)): name for name in fields}
    found = []
    for match in _FACT.finditer(text):
        name = names.get(_begun(match["field"] or match["any"] or ""))
        try:
            values = [json.loads(value) for value in _VALUE.findall(match["values"] or "")]
        except ValueError:
            continue
        if name:
            found.append(Fact(name, values))
    return tuple(found)


def read_declined(text: str, fields: Collection[str]) -> tuple[str, ...]:
    """Return the fields, in their order, about which a text of these sentences says that it will not say more."""
    return tuple(name for name in fields if f"{_DECLINED} {spoken(name)}." in text)


def _begun(words: str) -> str:
    """Return words as the beginning of a sentence."""
    return f"{words[:1].upper()}{words[1:]}"


def _told(answer: Answer, before: str) -> list[str]:
    clauses = [clause_text(predicate) for predicate in answer.revealed]
    wishes = [_begun(f"{before}{'; and '.join(clauses)}.")] if clauses else []
    return [*wishes, *map(fact_text, answer.extras)]


def _critique(answer: Answer) -> list[str]:
    return [
        f"Not that one: {clause_text(one)}." if isinstance(one, Predicate) else f"Not that one. {fact_text(one)}"
        for one in answer.critiqued
    ]
