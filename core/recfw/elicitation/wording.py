"""
Sentences for any fields: what a rule-based user says for an answer, and how a script reads it back.

A clause is ``the FIELD should RELATION VALUE``: FIELD with spaces for underscores, VALUE as JSON, RELATION one of be at
most, be at least, be, not be, include, include one of, not include, be one of.
"""

import json
import re
from collections.abc import Mapping

from recfw.elicitation.disclosure import Answer, Fact
from recfw.elicitation.predicates import Op, Predicate
from recfw.elicitation.preferences import PLAIN, STRONG, Preference
from recfw.errors import DataError

NOTHING = "I have nothing to add."

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
_JSON = r"\[[^\]\n]*\]|\"(?:[^\"\\]|\\.)*\"|[-\w.+]*[\w]"
_CLAUSE = re.compile(
    rf"\b[Tt]he (?P<field>[^;.?!\n]+?) should (?P<relation>{'|'.join(words for _, words in _LONGEST_FIRST)}) "
    rf"(?P<value>{_JSON})"
)


def clause_text(predicate: Predicate) -> str:
    """Word one requirement."""
    value = list(predicate.value) if isinstance(predicate.value, tuple) else predicate.value
    return f"the {spoken(predicate.field)} should {RELATIONS[predicate.op]} {json.dumps(value, ensure_ascii=False)}"


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
    sentences += [f"I'd rather not say more about the {spoken(name)}." for name in answer.declined]
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
    """Return the requirements that a text of these sentences tells, in order; what is no clause tells nothing."""
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


def _told(answer: Answer, before: str) -> list[str]:
    clauses = [clause_text(predicate) for predicate in answer.revealed]
    clauses += [_fact_text(fact) for fact in answer.extras]
    if not clauses:
        return []
    sentence = f"{before}{'; and '.join(clauses)}."
    return [f"{sentence[0].upper()}{sentence[1:]}"]


def _critique(answer: Answer) -> list[str]:
    each = [clause_text(one) if isinstance(one, Predicate) else _fact_text(one) for one in answer.critiqued]
    return [f"Not that one: {one}." for one in each]


def _fact_text(fact: Fact) -> str:
    if not fact.values:
        return f"any {spoken(fact.field)} will do"
    return f"the {spoken(fact.field)} should be one of {json.dumps(list(fact.values), ensure_ascii=False)}"
