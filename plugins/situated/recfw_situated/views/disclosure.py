"""Marker labels that are spoken in dialogue, which neither role may do."""

import re
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from importlib.resources import files

import yaml

_TOKEN = re.compile(
    r"[€$£]|\d+(?:[.,:/]\d+)+|\d+[a-zA-Z]\b|[A-Za-z]\d{1,2}\b|\d+|[A-Za-z]+(?:[-'\u2019&.][A-Za-z0-9]+)*|[^\sA-Za-z0-9]"
)
_PLACE = re.compile(r"\d{1,2}[a-fh-j]|[A-Z]\d{1,2}|[a-h][1-9]")
_ONES = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
_TENS = {"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50}
_SPELLED = {word: n for n, word in enumerate([*_ONES.split(), "eighteen", "nineteen"], 1)} | _TENS
_SPELLED |= {f"{ten}-{one}": _TENS[ten] + _SPELLED[one] for ten in _TENS for one in _ONES.split()[:9]}

_OPEN, _CLOSE = frozenset("([{<*\"'\u201c"), frozenset(")]}>*\"'\u201d")
_LIST = frozenset([",", "and", "or", "&", "/", "with"])
_STOPS = frozenset(["", ".", "?", "!"])


@cache
def _words(name: str) -> frozenset[str]:
    """Return one of the word lists of disclosure.yaml."""
    lists = yaml.safe_load((files("recfw_situated.views") / "data" / "disclosure.yaml").read_text(encoding="utf-8"))
    return frozenset(lists[name].split())


def spoken_labels(text: str, names: Iterable[str] = ()) -> list[str]:
    """
    Return the marker labels that a text speaks, each once, in order, written as on the marker.

    Which forms count, and what is no label ("12 oz", "vitamin A", "$5"), is laid down in
    fixtures/situated_labels.md. The text alone decides, not which markers are in view.

    Args:
        text: What a role said.
        names: Names that may be spoken whatever they hold: of products, stores, fixtures and areas.
    """
    exempt = _exempt(tuple(names))
    tokens = _TOKEN.findall(exempt.sub(" thing ", text) if exempt else text)
    found: list[str] = []
    last, spoken, barred = -9, False, False  # the candidate before: where, and what was made of it
    for at, piece in enumerate(tokens):
        label = _candidate(piece)
        if label is None:
            continue
        between = tokens[last + 1 : at]
        listed = 0 < len(between) <= 2 and all(word.lower() in _LIST for word in between)
        barred = (listed and barred) or _barred(tokens, at)
        follows = listed and spoken and piece not in {"I", "a"} and piece.lower() not in _SPELLED
        spoken = not barred and not _amount(tokens, at) and (follows or _is_label(tokens, at))
        last = at
        if spoken and label not in found:
            found.append(label)
    return found


@lru_cache(maxsize=8)
def _exempt(names: tuple[str, ...]) -> re.Pattern[str] | None:
    """Return a pattern of the names that hold something like a label; the others can do no harm."""
    risky = sorted((n for n in names if any(map(_candidate, _TOKEN.findall(n)))), key=lambda n: (-len(n), n))
    return re.compile(r"(?<!\w)(?:" + "|".join(map(re.escape, risky)) + r")(?!\w)", re.IGNORECASE) if risky else None


def _candidate(piece: str) -> str | None:
    """Return what a piece reads as a label, or None where it cannot be one."""
    if piece.isdigit():
        return piece.lstrip("0") if len(piece) <= 3 and piece.strip("0") else None
    if piece.lower() in _SPELLED:
        return str(_SPELLED[piece.lower()])
    if re.fullmatch(r"\d{1,2}[a-fh-j]", piece):
        return piece
    if re.fullmatch(r"[A-Za-z]\d{1,2}|[A-Z]|[ABC][A-Z]|[b-hj-z]", piece):
        return piece.upper()
    return "A" if piece == "a" else None


def _amount(tokens: Sequence[str], at: int) -> bool:
    """Tell whether a price or unit makes an amount of it, or it is the head of a list or part of a compound."""
    before, after = _word(tokens, at - 1), _word(tokens, at + 1)
    if before in {"€", "$", "£", "+", "=", "-"} or after in {"%", "°", "€", "$", "£", "-"}:
        return True
    if after in {'"', "\u201d"} and before not in {'"', "\u201c"} and tokens[at].isdigit():
        return True  # inches
    return after in _words("units") or (after == ")" and before != "(")


def _barred(tokens: Sequence[str], at: int) -> bool:
    """Tell whether its neighbours make a name, a size or an abbreviation of it."""
    before, after, piece = _word(tokens, at - 1), _word(tokens, at + 1), tokens[at]
    if before == ".":
        before = _word(tokens, at - 2) if _word(tokens, at - 2) in {"mr", "mrs", "ms"} else before
    if before in _words("never_after") or after in _words("never_before") or piece in _words("abbreviations"):
        return True
    if piece.isalpha() and (before.isdigit() or (after == "." and len(_word(tokens, at + 2)) == 1)):
        return True  # "2700 K"; initials
    if before == "label" and _word(tokens, at - 2) in {"energy", "eu"}:
        return True
    return after == "or" and _word(tokens, at + 2) == "dc"


def _is_label(tokens: Sequence[str], at: int) -> bool:
    """Tell whether something around it says that it is a label."""
    piece, before, after = tokens[at], _word(tokens, at - 1), _word(tokens, at + 1)
    if _named(tokens, at):
        return True
    if piece.lower() in _SPELLED or piece == "a":
        return False
    if before in _OPEN and after in _CLOSE:
        return piece != "I"
    if _PLACE.fullmatch(piece):
        return True
    return _number(tokens, at) if piece.isdigit() else _letters(tokens, at)


def _named(tokens: Sequence[str], at: int) -> bool:
    """Tell whether a noun before it says so: ``item 12``, ``no. 4``, ``#7``, ``number seven``, ``marked with a P``."""
    piece = tokens[at].lower()
    before, two, three = (_word(tokens, at - n) for n in (1, 2, 3))
    if before == "number":
        return piece not in {"one", "1", "a", "i"}
    if before in _words("nouns"):
        return tokens[at] != "a"
    if before == "#" or (before == "." and two == "no"):
        return True
    return before in {"a", "as", "with"} and bool({two, three} & {"marked", "labelled", "labeled"})


def _letters(tokens: Sequence[str], at: int) -> bool:
    """Tell whether bare letters are a label; capitals are, but for the words that consist of one."""
    piece, before, after = tokens[at], _word(tokens, at - 1), _word(tokens, at + 1)
    if piece.islower():
        return before in {"pick", "up", "want"} and (after in _STOPS or after == "please")
    if piece == "A":
        asked = before in _words("verbs") | _words("motion") | {"to", "at"} and (after in _STOPS or after == ",")
        return asked or (after in {"is", "has", "looks", "seems"} and _word(tokens, at + 2) != "for")
    if before == "." and len(_word(tokens, at - 2)) == 1:
        return False  # initials
    return piece != "I"


def _number(tokens: Sequence[str], at: int) -> bool:
    """Tell whether a bare number stands where only a name can stand."""
    before, two, after = _word(tokens, at - 1), _word(tokens, at - 2), _word(tokens, at + 1)
    if before in {"is", "are"} and two in _STOPS:
        return after in _words("qualities") or (after in {"and", "or"} and _word(tokens, at + 2).isdigit())
    if after not in _STOPS | {",", ";", "&", "/"} | _words("follows"):
        return False
    if before in _STOPS:
        opens = after in _words("follows") - {"and", "or", "in", "to", "for", "at", "on", "from", "by"}
        return opens or after == "," or len(tokens) == 2
    before_it = {
        "to": two in _words("motion") or two == "next",
        "at": two in {"are", "am", "is", "now", "stop", "here", "stand", "standing"},
        "is": two in _words("subjects"),
        "with": two in {"go", "compare", "it"} or after == "on",
        "for": two == "go",
        "about": two == "how",
        "up": two in {"pick", "picked"},
        "past": two != "half",
        "near": True,
        "towards": True,
    }
    if before in before_it:
        return before_it[before]
    joined = after in {"and", "or", "for"} and not _word(tokens, at + 2).isdigit()
    return before in _words("verbs") and not joined


def _word(tokens: Sequence[str], at: int) -> str:
    return tokens[at].lower() if 0 <= at < len(tokens) else ""
