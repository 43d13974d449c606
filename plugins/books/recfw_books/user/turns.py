"""An agent's turn as plain lines, sentences and clauses, with tags, titles and Markdown set aside."""

import re
import unicodedata

from attrs import frozen

from recfw_books.user.intent import ONSET, REQUEST, TOPIC_HEAD
from recfw_books.user.lexicon import FIELD_WORDS_ONLY, NOUNS

TAG, TITLE = "§", "¤"

_SHORT = {r"\bu\b": "you", r"\bur\b": "your", r"\b(?:pls|plz)\b": "please", r"\b(?:prefs?)\b": "preferences"}

_BULLET = re.compile(r"^\s*(?:[-*•+\u2013]|\(?\d{1,2}[.)]|\(?[a-h][.)])\s+")
_TAG = re.compile(r"\[\[[^\[\]]*\]\]")
_QUOTED = re.compile(r'"([^"\n]{1,160})"')
_EMPHASISED = re.compile(r"(?<![\w*])(\*{1,3}|_{1,3})(?=\S)([^*\n]+?)(?<=\S)\1(?![\w*])")
_TITLE_FOLLOWS = re.compile(rf"[\"?.,:;]*\s*(?:{TAG}|by\s+[A-Z]|\((?:c\.\s*)?\d{{3,4}}\b)")
_NAME = r"[A-Z0-9][\w'.]*"
_JOINT = r"(?:\s+|\s*[\u2014\u2013:,-]\s*)"
_SMALL = r"(?:of|the|and|a|an|in|to|on|for|with|at|from|&)"
_TITLE_RUN = rf"[A-Z][\w'.]*(?:{_JOINT}(?:{_NAME}|{_SMALL}(?={_JOINT}))){{0,12}}"
_BARE_TITLE = re.compile(
    rf"{_TITLE_RUN}\s+by\s+[A-Z][\w.'-]*(?:\s+[A-Z][\w.'-]*){{0,5}}"
    rf"|{_TITLE_RUN}\s*(?=\(\d{{4}}\))"
    rf"|{_TITLE_RUN}\s+{_NAME}(?=[?!.,:]?\s*{TAG})"
)
_SENTENCE_END = re.compile(r"(?<=\?)\s*|(?<=[.!\u2026])\s+")
_CAPITALISED = re.compile(r"[A-Z]\S*(?:\s+(?:[A-Z]\S*|of|the|and|a|an|in|to|on|for|with|at|from)){0,12}")
_PARTS = re.compile(r"\s*;\s*|\s*\u2014\s*|\s+[-\u2013]\s+|:\s+|:$")
_SPLICE = re.compile(rf",?\s+(?:and|but|or|so)\s+(?:also\s+)?(?={ONSET})|,\s+(?={ONSET})", re.IGNORECASE)


@frozen
class Line:
    """One line without Markdown; ``bullet`` tells whether it is an item of a list."""

    text: str
    bullet: bool


def _unquote(match: re.Match[str]) -> str:
    return match[1] if FIELD_WORDS_ONLY.fullmatch(match[1].strip().casefold()) else TITLE


def _unemphasise(match: re.Match[str]) -> str:
    inner = match[2].strip()
    if FIELD_WORDS_ONLY.fullmatch(inner.casefold().rstrip(":?")):
        return match[2]
    if _TITLE_FOLLOWS.match(match.string, match.end()):
        return TITLE
    italic = len(match[1]) == 1
    return TITLE if italic and _CAPITALISED.fullmatch(inner) else match[2]


def _plain(line: str) -> str:
    """Return a line without tags, titles and emphasis; a tag becomes ``§`` and a title ``¤``."""
    text = line.replace(TAG, " ").replace(TITLE, " ")
    text = _TAG.sub(f" {TAG} ", text)
    text = _EMPHASISED.sub(_unemphasise, _EMPHASISED.sub(_unemphasise, text))
    text = _QUOTED.sub(_unquote, text)
    text = re.sub(r"\b([A-Z])\.(?=[A-Z\s])", r"\1", text)
    text = re.sub(rf"(?<={TITLE})\s+by\s+[A-Z][\w.'-]*(?:\s+[A-Z][\w.'-]*)*", "", _BARE_TITLE.sub(TITLE, text))
    text = re.sub(r"\be\.\s?g\.,?", "eg", text)
    text = re.sub(r"\bi\.\s?e\.,?", "ie", text)
    text = re.sub(r"\betc\.(?=\s*[^\sA-Z])", "etc", text)
    return re.sub(r"\s+", " ", text.replace("*", " ").replace("`", " ")).strip()


def lines(text: str) -> tuple[Line, ...]:
    """Return the lines of a turn that hold anything, in order."""
    normal = unicodedata.normalize("NFKC", text)
    normal = normal.translate(str.maketrans("\u2018\u2019\u201c\u201d\u00ab\u00bb", '\'\'""""'))
    found = []
    for raw in normal.splitlines():
        bare = re.sub(r"^\s*(?:#+|>+)\s*", "", raw).strip().strip("|")
        marker = _BULLET.match(bare)
        plain = _plain(bare[marker.end() :] if marker else bare)
        if plain:
            found.append(Line(plain, marker is not None))
    return tuple(found)


def sentences(line: str) -> tuple[str, ...]:
    """Split a plain line after ``?``, ``.``, ``!`` and an ellipsis."""
    return tuple(part.strip() for part in _SENTENCE_END.split(line) if part and part.strip())


def _is_head(part: str) -> bool:
    """Tell whether what stands before a colon or dash is completed by what follows, not a statement of its own."""
    return bool(REQUEST.search(part) or re.match(ONSET, part) or TOPIC_HEAD.search(part) or is_topic(part))


def is_topic(part: str) -> bool:
    """Tell whether a few words merely name a field ("preferred language", "as for the genre")."""
    few = len(part.split()) <= 6
    return (
        few
        and any(noun.search(part) for noun in NOUNS.values())
        and not re.search(r"\b(?:is|was|are|with|you)\b", part)
    )


def clauses(sentence: str) -> tuple[str, ...]:
    """
    Split a sentence into casefolded clauses: at semicolons, dashes, colons, and where a new question sets in.

    A part that merely names a topic or begins a request stays with what follows it ("Language: any preference?").
    """
    folded = sentence.casefold().rstrip("?!. ")
    for short, word in _SHORT.items():
        folded = re.sub(short, word, folded)
    joined: list[str] = []
    for part in _PARTS.split(folded):
        if joined and _is_head(joined[-1]):
            joined[-1] = f"{joined[-1]} : {part}"
        else:
            joined.append(part)
    found: list[str] = []
    for part in (piece.strip(" ,") for whole in joined for piece in _SPLICE.split(whole)):
        if found and is_topic(found[-1]) and not re.match(ONSET, found[-1]):
            found[-1] = f"{found[-1]}, {part}"
        elif part:
            found.append(part)
    return tuple(found)
