"""
Leak detection: which hidden values a text speaks, where a model words a user's replies.

Words are compared without case and diacritics and at word boundaries; punctuation and spaces within a label of several
words do not matter ("science-fiction", "nonfiction"). Negation is not understood: "no horror, please" speaks of horror.
Paraphrases are not either, except those handed in as ``synonyms``. So a careful reader finds more leaks than these
rules do, and drops those mentions that mean something else.
"""

import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence

from recfw.elicitation.labels import LabelTree
from recfw.elicitation.predicates import Op, Predicate

_NEGATIVE = frozenset({Op.NE, Op.NOT_CONTAINS})
_NUMBER = re.compile(r"(?<![\w.])\d+(?:,\d{3})+(?:\.\d+)?(?!\w)|(?<![\w.])\d+(?:\.\d+)?(?!\w)")
_FILLER = r"(?:\s+(?:the|year|about|around|roughly|of|a|price))*\s*[$€£¥]?\s*$"
_THAN = r"(?:\s+than)?"

# Most cues tell the number beside them; a strict one ("before 2002") may mean the whole number next to it (2001).
_LOW_IDIOM = (
    r"\b(?:no|not|nothing|none)\s+(?:any\s+)?(?:earlier|before|older|less|fewer|lower|below|under|smaller)" + _THAN
)
_HIGH_IDIOM = (
    r"\b(?:no|not|nothing|none)\s+(?:any\s+)?(?:later|after|newer|more|over|higher|above|greater|past)" + _THAN
)
_LOW_CUE = r"(?:\b(?:since|from|between|at\s+(?:the\s+)?least|minimum|min|starting\s+(?:in|with|at))|>=|≥)"
_HIGH_CUE = r"(?:\b(?:by|until|till|up\s+to|through|at\s+(?:the\s+)?most|maximum|max)|<=|≤)"
_LOW_STRICT = r"(?:\b(?:after|over|above|post|past|(?:more|later|newer|higher|greater)\s+than)\s*-?|>)"
_HIGH_STRICT = r"(?:\b(?:before|under|below|pre|prior\s+to|(?:less|fewer|earlier|older|lower|cheaper)\s+than)\s*-?|<)"
_LOW_AFTER = re.compile(
    r"\s*(?:\+|plus\b|onwards?\b|(?:or|and)\s+(?:later|after|newer|more|over|above|higher|up|onwards?)\b"
    r"|at\s+(?:the\s+)?(?:least|earliest)\b|(?:minimum|min)\b)"
)
_HIGH_AFTER = re.compile(
    r"\s*(?:(?:or|and)\s+(?:earlier|before|older|less|fewer|under|below|lower|cheaper)\b"
    r"|at\s+(?:the\s+)?(?:most|latest)\b|(?:maximum|max)\b)"
)
_RANGE = re.compile(r"\s*(?:-|\u2013|\u2014|\bto\b|\band\b|\buntil\b|\btill\b|\bthrough\b)\s*[$€£¥]?\s*$")


def _before(cue: str) -> re.Pattern[str]:
    return re.compile(cue + _FILLER)


_CUES = {
    Op.GE: (_before(f"(?:{_LOW_IDIOM}|{_LOW_CUE})"), _before(_LOW_STRICT), _LOW_AFTER, -1),
    Op.LE: (_before(f"(?:{_HIGH_IDIOM}|{_HIGH_CUE})"), _before(_HIGH_STRICT), _HIGH_AFTER, +1),
}
_OPPOSITE = {Op.GE: _before(_HIGH_IDIOM), Op.LE: _before(_LOW_IDIOM)}


def fold(text: str) -> str:
    """Return text without case and diacritics, "&" as "and", an underscore (emphasis) as a space."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    plain = "".join(letter for letter in decomposed if not unicodedata.category(letter).startswith("M"))
    return plain.casefold().replace("&", " and ").replace("_", " ")


def _label_pattern(label: str) -> re.Pattern[str] | None:
    words = re.findall(r"\w+", fold(label))
    if not words:
        return None
    return re.compile(r"(?<!\w)" + r"\W*".join(re.escape(word) for word in words) + r"(?!\w)")


def _spans(labels: Iterable[str], folded: str) -> list[tuple[int, int]]:
    patterns = [pattern for label in sorted(labels) if (pattern := _label_pattern(label)) is not None]
    return [match.span() for pattern in patterns for match in pattern.finditer(folded)]


def _numbers(folded: str) -> list[tuple[float, int, int]]:
    return [(float(match[0].replace(",", "")), *match.span()) for match in _NUMBER.finditer(folded)]


def _speaks_bound(op: Op, bound: float, folded: str) -> bool:
    exact, strict, after, step = _CUES[op]
    end_of_previous = -1
    previous = 0.0
    for number, start, end in _numbers(folded):
        head, tail = folded[:start], folded[end:]
        closes_range = (
            end_of_previous >= 0 and previous < number and bool(_RANGE.fullmatch(folded[end_of_previous:start]))
        )
        opens_range = bool(re.match(r"\s*(?:-|\u2013|\u2014|to\b)\s*\d", tail))
        previous, end_of_previous = number, end
        strictly = bool(strict.search(head)) and not _OPPOSITE[op].search(head)
        in_sense = strictly or exact.search(head) or after.match(tail) or (closes_range if op is Op.LE else opens_range)
        if (in_sense and number == bound) or (strictly and number == bound + step):
            return True
    return False


def _values(predicate: Predicate) -> tuple[object, ...]:
    return predicate.value if isinstance(predicate.value, tuple) else (predicate.value,)


def _labels(predicate: Predicate, tree: LabelTree | None, synonyms: Mapping[str, Sequence[str]]) -> set[str]:
    labels = {value for value in _values(predicate) if isinstance(value, str)}
    if tree is not None and predicate.op not in _NEGATIVE:
        # A narrower label fixes the wider one; the wider one leaves the narrower open.
        labels |= {below for label in labels for below in tree.below(label)}
    return labels | {other for label in sorted(labels) for other in synonyms.get(label, ())}


def _figures(predicate: Predicate) -> set[float]:
    return {float(v) for v in _values(predicate) if isinstance(v, int | float) and not isinstance(v, bool)}


def leaked(
    hidden: Collection[Predicate],
    text: str,
    *,
    revealed: Collection[Predicate] = (),
    trees: Mapping[str, LabelTree] | None = None,
    synonyms: Mapping[str, Sequence[str]] | None = None,
) -> tuple[Predicate, ...]:
    """
    Return the hidden predicates of which the text speaks a value, in order.

    A label counts where it stands as whole words (for a positive operator, a label that it covers too); a bound where
    its number stands in the bound's sense ("no later than 2001", "2001 or earlier", "before 2002", "1950 to 2001"); any
    other number where it stands at all. Truth values are never found. Words that lie within a mention of a revealed
    value are passed over, and so is a bound that a revealed predicate has as well.

    Args:
        hidden: The predicates whose values must not be spoken.
        text: The user's words.
        revealed: What the user has been free to say.
        trees: Field name -> its label tree.
        synonyms: Label -> other words for it, for instance the adjective of a country.
    """
    folded = fold(text)
    others = synonyms or {}
    forests = trees or {}
    said = [span for p in revealed for span in _spans(_labels(p, forests.get(p.field), others), folded)]
    bounds = {(p.op, float(p.value)) for p in revealed if p.op in _CUES}
    figures = {figure for p in revealed if p.op not in _CUES for figure in _figures(p)}

    def speaks(predicate: Predicate) -> bool:
        if predicate.op in _CUES:
            bound = float(predicate.value)
            return (predicate.op, bound) not in bounds and _speaks_bound(predicate.op, bound, folded)
        spoken = _spans(_labels(predicate, forests.get(predicate.field), others), folded)
        free = [span for span in spoken if not any(low <= span[0] and span[1] <= high for low, high in said)]
        mentioned = {number for number, _, _ in _numbers(folded)}
        return bool(free) or bool(mentioned & (_figures(predicate) - figures))

    return tuple(predicate for predicate in hidden if speaks(predicate))
