"""
The matcher: which fields an agent's turn asks about (spec section 3), by rules over sentences and clauses.

A turn is cut into lines, sentences and clauses; tags, quoted or attributed titles and Markdown are set aside. A clause
counts only where it asks: a question, "let me know ...", an item of a list that a request introduces. Decisions:

- A question about a proposal or a verdict asks about no field, nor does an offer ("Shall I go ahead?").
- A confirmation ("So you want science fiction from the US, right?") is no elicitation; one that also asks for more
  counts for what it asks for.
- A generic request names every field. With a restriction ("any preference about the language?", "any other wishes:
  language, year?") only those named; with mere examples ("anything else, such as the language?", "any other
  requirements (language, year)?") every field.
- Values count where they are offered as alternatives ("recent or a classic?") or in a question about the wish
  ("Should it be in English?"), never in a pitch.
- Where a story is set is no field; the country is where the work comes from.
"""

import re
from collections.abc import Iterable
from itertools import pairwise

from recfw_books.user import intent, lexicon
from recfw_books.user.lexicon import FIELDS
from recfw_books.user.turns import TAG, TITLE, Line, clauses, lines, sentences

_ALL = frozenset(FIELDS)
_NONE: frozenset[str] = frozenset()
_EXAMPLE_TAIL = re.compile(r"\([^)]*\)|\b(?:eg|such as|for example|for instance)\b.*$")


def asked_fields(text: str) -> frozenset[str]:
    """Return which of genre, language, country, year and format an agent's turn asks about; any text is fine."""
    found: set[str] = set()
    parts = lines(text)
    # A turn that is nothing but a list of fields asks for them; one that gives their values is a recap.
    requesting = all(line.bullet and not re.search(r":\s*\S", line.text) for line in parts)
    before = ""
    for i, line in enumerate(parts):
        introduces = not line.bullet and i + 1 < len(parts) and parts[i + 1].bullet
        if line.bullet:
            found |= _item_fields(line, requesting)
        else:
            requesting = _introduces_request(line.text)
            asked = _line_fields(line.text, before)
            if introduces and requesting and asked == _ALL and not intent.EXAMPLES.search(line.text.casefold()):
                named = _listed_fields(parts[i + 1 :])
                asked = named or asked
            found |= asked
        before = line.text
    return frozenset(found)


def _listed_fields(parts: Iterable[Line]) -> frozenset[str]:
    found: set[str] = set()
    for line in parts:
        if not line.bullet:
            break
        found |= _item_fields(line, requesting=True)
    return frozenset(found)


def _introduces_request(text: str) -> bool:
    """Tell whether a line that precedes a list asks for what the list names."""
    last = sentences(text)[-1].casefold()
    if intent.RECAP.search(last) or intent.VERDICT.search(last) or intent.OFFER.search(last):
        return False
    return bool(intent.REQUEST.search(last) or last.endswith("?") or intent.TOPIC_HEAD.search(last.rstrip(":. ")))


def _item_fields(line: Line, requesting: bool) -> frozenset[str]:
    """Return what an item of a list asks about: its topic where it asks, else its nouns in a request's list."""
    text = line.text.casefold()
    if TAG in text or TITLE in text:
        return _line_fields(line.text, "")
    if "?" not in text:
        return _named(text) | _alternatives(_outside_examples(text)) if requesting else _line_fields(line.text, "")
    head = re.split(r":|\s[-\u2013]\s|\u2014", text, maxsplit=1)[0]
    asked = _line_fields(line.text, "")
    topic = _named(head) if head != text and len(head.split()) <= 5 else _NONE
    if topic and asked == _ALL:
        return topic
    return asked | topic if asked or not intent.CONFIRMATION.search(text) else _NONE


def _line_fields(text: str, before: str) -> frozenset[str]:
    found: set[str] = set()
    for sentence in sentences(text):
        found |= _sentence_fields(sentence, before)
        before = sentence
    return frozenset(found)


def _sentence_fields(sentence: str, before: str) -> frozenset[str]:
    question = sentence.endswith("?")
    parts = clauses(sentence)
    asks = [clause for clause in parts if _asks(clause)]
    requests = any(intent.REQUEST.search(clause) for clause in parts)
    if not question and not requests and not any(_asks_without_mark(clause) for clause in parts[:1]):
        return _NONE
    if question and intent.CONFIRMATION.search(sentence.casefold().rstrip("?! ")) and not _asks_openly(parts):
        return _NONE
    found: set[str] = set()
    for clause in asks or parts:
        earlier = parts[: parts.index(clause)]
        found |= _clause_fields(clause, earlier[-1] if earlier else before)
    return frozenset(found)


def _asks(clause: str) -> bool:
    opened = intent.LEAD_ASIDE.sub("", clause)
    return bool(
        re.match(rf"(?:and |also,? |but |so |then |or )?{intent.ONSET}", opened)
        or intent.REQUEST.search(clause)
        or intent.CONDITION.search(clause)
        or re.search(rf" : .*{intent.ONSET}|,\s+{intent.ONSET}", clause)
    )


def _asks_openly(parts: Iterable[str]) -> bool:
    """Tell whether a confirming sentence holds a clause that asks for something new."""
    return any(
        re.match(r"(?:what|which|when|where|how|any|is there|are there|do you|would you)\b", part) for part in parts
    )


def _asks_without_mark(clause: str) -> bool:
    starts = re.match(
        r"(?:(?:and|also|ok|okay|so) )?(?:do|would|are) you (?:have|prefer|want|looking|like|need)\b", clause
    )
    wh = re.match(r"(?:what|which) (?:\w+ ){0,4}(?:do|would|are|should) (?:you|it)\b", clause)
    else_ = re.match(r"(?:(?:and|so|ok|okay|well),? )?(?:what else|anything else|any others?)\b", clause)
    return bool(starts or wh or else_ or intent.TERSE_REQUEST.match(clause))


def _clause_fields(clause: str, before: str) -> frozenset[str]:
    """Return the fields that one asking clause names."""
    core = intent.LEAD_ASIDE.sub("", clause)
    request = intent.REQUEST.search(core)
    if request and not intent.CONDITION.search(core) and len(core[request.end() :].split()) > 1:
        core = core[request.start() :]
    if intent.ASIDE_ALONE.search(clause):
        return _ALL
    if _concerns_proposal(core):
        return _NONE
    core = intent.SETTING.sub(" ", intent.TRAIL_ASIDE.sub(" ", core)).strip(" ,")
    named = _named(core)
    if not named and intent.BACK_REFERENCE.search(core):
        return _back_reference(core, before)
    if intent.GENERIC.search(core):
        return _generic_fields(core, named)
    return _wished_fields(core, named)


def _concerns_proposal(core: str) -> bool:
    """Tell whether a clause wants a verdict or offers to go on, rather than asking about the wish."""
    heads = [match[1] for match in intent.OPEN_QUESTION.finditer(core)]
    if any(_named(head) or re.search(rf"\b{intent.WISH}\b", head) for head in heads):
        return False
    if intent.VERDICT.search(core):
        return True
    return bool(intent.OFFER.search(core)) and not intent.ELICITS.search(core)


def _wished_fields(core: str, named: frozenset[str]) -> frozenset[str]:
    """Return the named fields and those of which values are in question; a clause with a title is taken for a pitch."""
    wishes = intent.FRAME.search(core)
    if TAG in core or TITLE in core:
        return named if wishes else _NONE
    plain = _outside_examples(core)
    found = named | _alternatives(plain)
    if found or not wishes:
        return found
    return frozenset(name for name, pattern in lexicon.SINGLE_VALUES.items() if pattern.search(plain))


def _generic_fields(core: str, named: frozenset[str]) -> frozenset[str]:
    """Return every field for an open request, the named ones where it is restricted to them."""
    if not named:
        return _alternatives(_outside_examples(core)) or _ALL
    example = intent.EXAMPLES.search(core)
    if example and not _named(core[: example.start()]):
        return _ALL
    other = intent.OR_ELSE.search(core)
    if other and _named(core[: other.start()]) and not _named(core[other.end() :]):
        return _ALL
    return named | _alternatives(_outside_examples(core))


def _back_reference(core: str, before: str) -> frozenset[str]:
    """Resolve "which do you prefer?" by the sentence before it; a proposal there leaves nothing asked."""
    previous = before.casefold()
    if TAG in previous or TITLE in previous:
        return _NONE
    named = _named(previous) | _alternatives(previous) | _several_values(previous)
    if named:
        return named
    return _ALL if "preference" in core else _NONE


def _named(text: str) -> frozenset[str]:
    return frozenset(name for name, pattern in lexicon.NOUNS.items() if pattern.search(text))


def _outside_examples(text: str) -> str:
    return _EXAMPLE_TAIL.sub(" ", text)


def _alternatives(text: str) -> frozenset[str]:
    """Return the fields of which two values are offered as alternatives."""
    found = set()
    for name, pattern in lexicon.VALUES.items():
        spans = [match.span() for match in pattern.finditer(text)]
        gaps = (text[end:start] for (_, end), (start, _) in pairwise(spans))
        touching = any(text[start:].startswith("or ") for start, _ in spans[1:])
        if touching or any(lexicon.BETWEEN_ALTERNATIVES.fullmatch(gap) for gap in gaps):
            found.add(name)
    return frozenset(found - ({"language"} if "country" in _named(text) else set()))


def _several_values(text: str) -> frozenset[str]:
    return frozenset(
        name for name, pattern in lexicon.VALUES.items() if len(pattern.findall(text)) > 1 and name != "year"
    )
