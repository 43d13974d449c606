"""A sentence's clauses, and which fields an asking clause asks about."""

import re
from collections.abc import Sequence

from recfw_books.user import asking, intent, openness
from recfw_books.user.mentions import ALL, NONE, is_bare_list, mentions, nouns, pitches, reasons

_PARTS = re.compile(r"\s*;\s*|\s*\u2014\s*|\s+[-\u2013]+\s+|:\s+|:$|\.\s+|\u2026\s*")
_SPLICE = re.compile(
    rf",?\s+(?:and|but|or|so|yet|then)\s+(?:also\s+)?(?={asking.ONSET.pattern})"
    r"|\s+(?=(?:once|as soon as|when) you(?:'ve| have)? (?:tell|told|say|said|name|named|give|given|gave|let)\b)"
    rf"|,\s+(?:(?:and|but|or|so) )?(?={asking.ONSET.pattern}|(?:so )?(?:please\b(?! ?$)|tell me|let me know|"
    r"name|say|pick|choose)\b"
    r"|if (?:you|there|it|any)\b|in case\b|unless\b|i(?:'d| would| need|'m|'ll)\b|give me\b)"
)
_OF_THEM = re.compile(
    r"\bwhich of (?:these|those|them|the (?:two|three|four|five))\b|\b(?:either|any|each) of (?:these|those|them)\b"
)
_WHICH = re.compile(r"(?:and |so |but |then )*(?:which|what (?:shall|should|can|do) i)\b")
_ANY_WISH = re.compile(
    r"(?:and |so |but )*(?:any|an?|no) (?:limits?|preferences?|wish(?:es)?|constraints?|restrictions?|"
    r"ideas?|thoughts|favou?rites?)$"
)
_MORE = re.compile(r"\b(?:else|more|other|others|further|rest)\b|^(?:anything|whatever)$")
_WHAT = re.compile(r"(?:and |so |but |then )*(?:what|which)\b")
_KNOWN = re.compile(r"\bi(?:'ve)? (?:know|have|got|noted|set)\b|\b(?:clear|set|settled|covered|fine|done)\b")
_WHAT_ELSE = re.compile(r"(?:and |so |but |then |ok |okay )*what else\b")
_LIMITS = re.compile(r"\b(?:limit|restrict|only|keep|stick)")
_HEEDS = re.compile(r"\b(?:know|bear|keep|consider|take|look|add|overlook\w*|miss\w*|forget\w*|respect)\b")
_INVITES = re.compile(r"\b(?:tell|give) me\b|\bshare\b|\btell\b.*\bmore about the\b")
_OPENS = re.compile(rf"\belse\b|\bmore\b|\banything\b|{openness.WISH}|\bwhat\b")


def split(marked: str) -> list[str]:
    """Split a marked sentence at semicolons, dashes, colons, and where a new question or request sets in."""
    pieces = (piece.strip(" ,()") for piece in _PARTS.split(openness.ASIDE.sub(" ", marked).rstrip("?!. ")))
    parts = (clause.strip(" ,") for piece in pieces for clause in _SPLICE.split(piece) if clause)
    return [part for part in parts if part]


def nearest(earlier: Sequence[str], context: str) -> str:
    """Return the closest clause that names a field, else the context."""
    return next((clause for clause in reversed(earlier) if mentions(clause)), context)


def topic(earlier: Sequence[str]) -> frozenset[str]:
    """Return the fields of a clause that merely announces what the question after it is about."""
    return next((mentions(clause) for clause in earlier if is_bare_list(clause)), NONE)


def asked(clause: str, before: str, question: bool) -> frozenset[str]:
    """Return the fields that an asking clause asks about; ``before`` is what it may refer back to."""
    core = clause if openness.SERVICE.search(clause) else openness.PURPOSE.sub(" ", clause)
    core = core if re.search(r"\w", core) else clause
    named = mentions(core)
    back = NONE if named else _referred(core, before)
    if back:
        return back
    proposal = pitches(core) and not intent.REASON.search(core) and not _WHAT_ELSE.match(core)
    if intent.VERDICT.search(core) or proposal:
        if question or pitches(core):
            return reasons(core) if question or asking.REQUEST.search(core) else NONE
        return named if asking.REQUEST.search(core) else NONE
    if intent.STEP.search(core) and not asking.ASKS_LEAVE.search(core):
        return _step(core, named)
    if named:
        return _restricted(core, named)
    return _unnamed(core, before)


def _referred(core: str, before: str) -> frozenset[str]:
    """Return the fields that "which of them?" or "which one is right?" goes back to: nouns named just before."""
    named = nouns(before)
    if _WHICH.match(core) and before.count("VF") > 1:
        return frozenset({"format"})
    if not named or pitches(before):
        return NONE
    if len(named) > 1 and _OF_THEM.search(core):
        return mentions(before)
    if _WHICH.match(core) and asking.BACKWARD.search(core) and not intent.SORTS.search(before):
        return frozenset(named)
    return NONE


def _step(core: str, named: frozenset[str]) -> frozenset[str]:
    """Return what an agent that asks leave for a step wants the user's word on: the limit that the step sets."""
    if named and (not intent.NEUTRAL_STEP.search(core) or _LIMITS.search(core)):
        return named
    opens = not named and _HEEDS.search(core) and openness.GENERIC.search(core) and not openness.SERVICE.search(core)
    return ALL if opens else NONE


def _restricted(core: str, named: frozenset[str]) -> frozenset[str]:
    """Return the named fields, or all where they are examples of an open request, or one beside it."""
    if not openness.GENERIC.search(core):
        return named
    example = openness.EXAMPLES.search(core)
    if example and not mentions(core[: example.start()]) and _OPENS.search(core[: example.start()]):
        return ALL
    return ALL if openness.ELSE_TOO.search(core) else named


def _unnamed(core: str, before: str) -> frozenset[str]:
    """Return what a clause that names no field asks about: what stands before it, everything, or nothing."""
    if openness.SERVICE.search(core) and not _INVITES.search(core):
        return NONE
    back = mentions(before) if before and not pitches(before) and not intent.SORTS.search(before) else NONE
    if back and asking.BACKWARD.search(core):
        return back
    carried = _carried(core, before)
    if carried or openness.OTHER.search(core) or intent.SETTING.search(core):
        return carried
    return ALL if openness.GENERIC.search(openness.COUNTED.sub(" ", core)) else NONE


def _carried(core: str, before: str) -> frozenset[str]:
    """Return the subject of the sentence before, where an open question goes on about it ("So, genre. Any wishes?")."""
    if _MORE.search(core):
        return NONE
    if is_bare_list(before):
        return mentions(before)
    named = frozenset(nouns(before))
    goes_on = _ANY_WISH.match(core) or (_WHAT.match(core) and len(named) == 1)
    return named if goes_on and not _closes_topic(before) else NONE


def _closes_topic(before: str) -> bool:
    """Tell whether a sentence closes its subject, so that what follows is not about it."""
    return pitches(before) or any(
        sign.search(before) for sign in (intent.NEGATED, intent.REPORTED, intent.RECAP, intent.SORTS, _KNOWN)
    )
