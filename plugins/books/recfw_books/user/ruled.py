"""
What the rules say each sentence of a turn asks about; one sign among those that decide (:mod:`.signs`).

1. A sentence counts where it asks: a question, a request, an item of a requested list, a recap with "is that right?",
   an assumption open to objection (:mod:`.asking`). Negations, reports, plans, rhetorical questions, pitches, verdicts
   and the agent's own steps do not (:mod:`.intent`).
2. An asking clause asks about the fields that it names (:mod:`.mentions`), about those that it refers back to, or,
   where the request is open, about every field (:mod:`.openness`).
"""

import re
from collections.abc import Sequence

from recfw_books.user import asking, clauses, intent, openness
from recfw_books.user.mentions import ALL, NONE, is_bare_list, mentions, nouns, pitches, reasons
from recfw_books.user.turns import TAG, TITLE, Sentence

_ORDINAL = re.compile(
    r"(?:one|the (?:other|first|second|third|last|next)|(?:first|second|third|last|final)(?:ly)?|another|then)\b"
)
_GIVES_VALUE = re.compile(r":\s*\w")
_OTHER_LIST = re.compile(
    r"\b(?:here(?:'s| is| are)|so far|noted|my understanding|to (?:sum|recap)|summary|recap|as follows|the book"
    r"|i (?:will|'ll|found)|i(?:'ve| have)? (?!need)\w+ed|you(?:'ve| have)? (?:told|said|want|asked))\b"
)
_LIST_HEAD = re.compile(
    r"\b(?:questions?|preferences?|requirements?|criteria|details?|constraints?|things?|points?|"
    r"information|info|pieces"
    r"|facts|bits|items|answers?|need|needed|missing|open|unknown|wanted)\W*$"
)
_STATES = re.compile(
    r"\b(?:i|my|these|this|its?|catalog|tool|search|results?|filters?|book|novel|details|sort\w*|order\w*|"
    r"known|given|available|used|columns?)\b|[NV][GLCYFN]"
)
_ABOUT_PROPOSAL = re.compile(r"(?:and |so |but )*(?:what|why|which|how|who)\b")
_COMPLETE = re.compile(
    rf"\b(?:no|nothing|all|everything) (?:\w+ )?{openness.WISH}\b|nothing (?:else|more)|that's (?:all|it)"
)
_NO_MORE = re.compile(r"\b(?:no|any) (?:\w+ )?(?:requirements|preferences|conditions|wishes)\b|nothing else")
_PLEASE = re.compile(r",? (?:please|if you please)$")
_POLITE = re.compile(r"\bplease\b|\(optional\)|\bpreferred\b|\byour\b|\b(?:thanks|thank you|ty|thx)\W*$|[:?]")
_JOINED_PLAN = re.compile(r"[,;:. ]*(?:and|then) (?!please|kindly)")
_BRACKETED = re.compile(r"\([^)]*\)")
_HEAD_END = re.compile(r":|\s[-\u2013]\s|\u2014")
_CHECKS_ITSELF = re.compile(r"[;,.-] ?(?:so )?(?:let me|i'll) (?:check|see|look)(?: that| it| first| now)*$")
_NOT_ASKING = (intent.NEGATED, intent.REPORTED, intent.RECAP, intent.DEALT_WITH)
_LOOK_BACK = 12  # sentences; no recap is longer, and a turn is read in linear time
_OWN_ACT = re.compile(r"\bi(?:'ll| will| checked| looked)\b")
_WHATEVER = re.compile(r"(?:or )?(?:anything|whatever)(?: else)?")


def ruled(parts: Sequence[Sentence]) -> tuple[frozenset[str], ...]:
    """Return which fields each of a turn's sentences asks about, by rules alone."""
    thinks = any(intent.THOUGHT.search(part.text) for part in parts)
    # A turn that is nothing but a list of fields asks for them; one that gives their values is a recap.
    listing = all(part.bullet and (part.question or not _GIVES_VALUE.search(part.text)) for part in parts)
    counted = False
    found: list[frozenset[str]] = []
    for i, part in enumerate(parts):
        if thinks and "you" not in part.text:
            found.append(NONE)
        elif part.bullet:
            found.append(_item(parts, i, listing))
        elif counted and not part.question and _ORDINAL.match(part.text):
            found.append(mentions(part.marked))
        else:
            heads = i + 1 < len(parts) and parts[i + 1].bullet
            counts = openness.COUNTED.search(part.marked)
            listing = bool(heads or counts) and _introduces(part)
            counted = counted or bool(listing and counts)
            found.append(_heading(parts, i) if listing and heads else _sentence(parts, i))
    return tuple(found)


def _introduces(part: Sentence) -> bool:
    """Tell whether a sentence asks for what a list after it names."""
    text = part.marked
    if _OTHER_LIST.search(text) or intent.NEGATED.search(text) or intent.REPORTED.search(text) or pitches(text):
        return False
    return bool(
        part.question
        or asking.REQUEST.search(text)
        or _LIST_HEAD.search(text)
        or (text.endswith(":") and not _STATES.search(text))
    )


def _heading(parts: Sequence[Sentence], i: int) -> frozenset[str]:
    """Return what a sentence that may introduce a list asks about; the list restricts an open request."""
    asked = _sentence(parts, i)
    if asked == ALL and not openness.EXAMPLES.search(parts[i].marked):
        end = next((k for k in range(i + 1, len(parts)) if not parts[k].bullet), len(parts))
        return mentions(" , ".join(part.marked for part in parts[i + 1 : end])) or asked
    return asked


def _item(parts: Sequence[Sentence], i: int, listing: bool) -> frozenset[str]:
    """Return what a sentence of a list's item asks about: the item's topic where it asks, or where the list asks."""
    part = parts[i]
    opens = i == 0 or parts[i - 1].line != part.line
    if opens and pitches(part.marked):
        return NONE
    asked = NONE if not listing and is_bare_list(part.marked) else _sentence(parts, i)
    if not part.question and not asking.REQUEST.search(part.marked):
        return asked | mentions(_BRACKETED.sub(" ", part.marked)) if listing and opens else asked
    first = next(each for each in parts if each.line == part.line).marked
    head = _HEAD_END.split(first, maxsplit=1)[0]
    named = mentions(head) if head != first and len(head.split()) <= 5 else NONE
    if asked == ALL or opens:
        return named if named and asked == ALL else asked | named
    return asked


def _sentence(parts: Sequence[Sentence], i: int) -> frozenset[str]:
    part = parts[i]
    if not part.question:
        return _statement(parts, i)
    if i + 1 < len(parts) and _answered(part.marked, parts[i + 1]):
        return NONE
    return _question(parts, i)


def _answered(question: str, following: Sentence) -> bool:
    """Tell whether a question is rhetorical: the agent answers it, or a proposal follows that it is about."""
    if following.text[:1] in {TAG, TITLE} and not nouns(question):
        return True
    if following.question:
        return False
    asked = mentions(question)
    value = re.match("V[GLCYFN]", following.marked)
    alone = len(asked) == 1 and "you" not in question and "you" not in following.text
    return bool(intent.ANSWERED.match(following.text) or (value and alone and asked <= mentions(following.marked)))


def _question(parts: Sequence[Sentence], i: int) -> frozenset[str]:
    marked = parts[i].marked
    pieces = clauses.split(marked)
    if intent.RHETORICAL.match(marked) or _tags_a_pitch(marked, pieces):
        return NONE
    if not pieces or re.fullmatch("(?:and|but|so|or)?", pieces[0] if len(pieces) == 1 else "-"):
        return ALL if openness.ASIDE.search(marked) and not pitches(marked) else NONE
    named = mentions(marked)
    wanted = asking.REQUEST.search(marked)
    if named and intent.REASON.search(marked) and not wanted and not _ABOUT_PROPOSAL.match(marked):
        return named
    if not mentions(pieces[-1]):
        tag = asking.TAG_QUESTION.fullmatch(pieces[-1]) and len(pieces) == 1
        if (pieces[-1] == "is that it" and named) or (asking.AGREES.search(pieces[-1]) and not tag):
            return _confirmed(pieces[:-1], parts, i)
        if asking.ACCEPTS.search(pieces[-1]) and len(pieces) <= 2:
            return _accepted(pieces[:-1], parts, i)
    return _asking_clauses(pieces, _context(parts, i), marked)


def _tags_a_pitch(marked: str, pieces: Sequence[str]) -> bool:
    """Tell whether a question is a pitch with a tag ("not bad for a debut of 1980, is it? [[...]]")."""
    return bool(pieces) and pitches(marked) and bool(asking.TAG_QUESTION.fullmatch(pieces[-1].rstrip(f" {TAG}{TITLE}")))


def _asking_clauses(pieces: Sequence[str], context: str, marked: str) -> frozenset[str]:
    """Return what a question's asking clauses ask about, and the bare lists beside them."""
    asks = [
        bool(asking.ONSET.match(c) or asking.REQUEST.search(c) or asking.CONDITION.match(c)) and not is_bare_list(c)
        for c in pieces
    ]
    if not any(asks):
        if pitches(marked) or intent.VERDICT.search(marked):
            return reasons(marked)
        return clauses.asked(" , ".join(pieces), context, question=True)
    first = asks.index(True)
    found: frozenset[str] = NONE
    for k, clause in enumerate(pieces):
        if asks[k]:
            fields = clauses.asked(clause, clauses.nearest(pieces[:k], context), question=True)
            idle = fields == ALL and asks.count(True) > 1 and asking.CONDITION.match(clause)
            found |= NONE if idle else fields
    if found == ALL and not mentions(pieces[first]):
        found = clauses.topic(pieces[:first]) or found
    for k, clause in enumerate(pieces):
        # "Genre, country: what do you need?", "Which matter to you: genre, language?"
        aside = asks[k] or (k < first and not is_bare_list(clause)) or pitches(clause)
        if not aside and not (found == ALL and openness.EXAMPLES.search(clause)):
            named = mentions(clause)
            found = named if named and found == ALL and k > first else found | named
    return found


def _context(parts: Sequence[Sentence], i: int) -> str:
    """Return what a sentence may refer back to: the sentence before, or the list before."""
    start = i - 1
    if i and parts[start].bullet and not parts[i].bullet:
        while start and parts[start - 1].bullet:
            start -= 1
    return " , ".join(part.marked for part in parts[max(start, 0) : i])


def _confirmed(pieces: Sequence[str], parts: Sequence[Sentence], i: int) -> frozenset[str]:
    """Return the fields recapped before "is that right?"; none where a book was proposed."""
    own = " , ".join(pieces)
    if mentions(own):
        return NONE if pitches(own) else mentions(own)
    if _NO_MORE.search(own) or (own and openness.GENERIC.search(own)):
        return ALL
    found: frozenset[str] = NONE
    for k in range(i - 1, max(i - 1 - _LOOK_BACK, -1), -1):
        part = parts[k]
        if TAG in part.text or TITLE in part.text or pitches(part.marked):
            return NONE if part.bullet or parts[i - 1].bullet else found
        apart = not part.bullet and k < i - 1 and part.line != parts[i - 1].line and not parts[k + 1].bullet
        if part.question or apart:
            break
        found |= mentions(part.marked)
    return found


def _accepted(pieces: Sequence[str], parts: Sequence[Sentence], i: int) -> frozenset[str]:
    """Return the field of the one value on which "would that be all right?" wants the user's word."""
    own = " , ".join(pieces) or _context(parts, i)
    if any(TAG in part.text or TITLE in part.text for part in parts[max(i - _LOOK_BACK, 0) : i + 1]) or pitches(own):
        return NONE
    named = mentions(own)
    return named if len(named) == 1 else NONE


def _statement(parts: Sequence[Sentence], i: int) -> frozenset[str]:
    whole = parts[i].marked.rstrip("?!. ")
    named = mentions(whole)
    if asking.OBJECTION.search(whole):
        open_to_objection = _objectionable(whole, named, _context(parts, i))
        if open_to_objection:
            return open_to_objection
    if not named and asking.AGREES.search(whole) and not asking.TAG_QUESTION.fullmatch(whole):
        return _confirmed([], parts, i)
    if named and intent.OFFER.search(whole) and not intent.NEUTRAL_STEP.search(whole) and not pitches(whole):
        return named
    but = intent.ALL_BUT.search(whole)
    if but and mentions(but[1]) and not _OWN_ACT.search(whole):
        return mentions(but[1])
    if _lists_fields(whole):
        return named
    context = "" if i + 1 < len(parts) and parts[i + 1].bullet else _context(parts, i)
    polite = _PLEASE.sub("", whole)
    found = _requests(clauses.split(polite), context, polite=polite != whole)
    idle = _CHECKS_ITSELF.search(whole) or (found == ALL and openness.HERE_TO_HELP.search(whole))
    return NONE if idle else found


def _lists_fields(whole: str) -> bool:
    """Tell whether a statement is nothing but a list of fields ("genre and year please", "Still open: format")."""
    if is_bare_list(_POLITE.sub(" ", whole)) and not _GIVES_VALUE.search(whole):
        return True
    head, colon, rest = whole.partition(":")
    return bool(colon) and len(head.split()) <= 4 and is_bare_list(rest) and not _STATES.search(head)


def _objectionable(whole: str, named: frozenset[str], context: str) -> frozenset[str]:
    """Return the fields of an assumption that the user is invited to object to."""
    if named and not pitches(whole):
        return named
    if asking.ASSUMES.search(whole) and _COMPLETE.search(whole):
        return ALL
    return NONE if named or pitches(context) else mentions(context)


def _requests(pieces: Sequence[str], context: str, *, polite: bool) -> frozenset[str]:
    """Return what the requests of a statement ask about; an open one that a bare list follows is restricted to it."""
    found: frozenset[str] = NONE
    requested = False
    for k, clause in enumerate(pieces):
        core = _request(clause, first=k == 0) or (clause if polite and k == 0 else "")
        if not core and not requested:
            continue
        if any(sign.search(clause) for sign in _NOT_ASKING):
            requested = False
            continue
        follows = requested and (asking.ONSET.match(clause) or mentions(clause))
        if (requested and intent.CONSEQUENCE.match(clause)) or not (core or follows):
            continue
        fields = clauses.asked(core or clause, clauses.nearest(pieces[:k], context), question=False)
        if fields == ALL and not mentions(core or clause) and not _WHATEVER.fullmatch(clause):
            fields = clauses.topic(pieces[:k]) or fields
        listed = not core and not asking.ONSET.match(clause)
        found = fields if listed and fields and found == ALL else found | fields
        requested = requested or bool(core)
    return found


def _request(clause: str, *, first: bool) -> str:
    """Return a clause from where it asks without a question mark, empty where it does not ask."""
    conditional = asking.CONDITION.match(clause)
    if conditional and not pitches(clause):
        return clause
    hit = asking.REQUEST.search(clause)
    if hit and not (intent.PLAN.match(clause) and _JOINED_PLAN.match(hit[0])):
        rest = clause[hit.start() :]
        return rest if not conditional and (mentions(rest) or openness.GENERIC.search(rest)) else clause
    return clause if first and asking.UNMARKED.match(clause) and not pitches(clause) else ""
