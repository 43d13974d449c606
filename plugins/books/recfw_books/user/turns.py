"""An agent's turn as lines and sentences, with tags, titles, tool calls and Markdown set aside."""

import re
import unicodedata
from collections.abc import Iterator
from functools import cached_property

from attrs import frozen

from recfw_books.user.lexicon import mark
from recfw_books.user.spelling import spell

TAG, TITLE = "§", "¤"

_BULLET = re.compile(r"^\s*(?:[-*•+\u2013\u2022\u25e6]|\(?\d{1,2}[.):]|\(?[a-h][.)])\s+")
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
_CAPITALISED = re.compile(r"[A-Z]\S*(?:\s+(?:[A-Z]\S*|of|the|and|a|an|in|to|on|for|with|at|from)){0,12}")
_CALL = re.compile(
    r"\b[a-z]+(?:_[a-z]+)+\s?\([^()?\n]*\)|\{[^{}?\n]{0,400}:[^{}?\n]{0,400}\}|\b\w+[=\u2265\u2264<>]+[\w\"'-]+"
)
_EG = re.compile(r"\b(e|i)\.\s?(g|e)\.,?")
_SHORTENED = re.compile(
    r"\b(approx|ca|no|vs|incl|orig|lang|pub|dr|mr|mrs|st|etc(?=\.\s*[^\sA-Z]))\.(?=\s)", re.IGNORECASE
)
_ENUMERATOR = re.compile(r"(?<=[\w:])[,;]?\s\(?(?:\d|[a-h])\)\s")
_HEADING = re.compile(r"^\s*(?:#+|>+)\s*")
_TAG_BEFORE = re.compile(rf"{TAG} +[A-Z]")
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
_STRAIGHT = str.maketrans("\u2018\u2019\u201c\u201d\u00ab\u00bb", '\'\'""""')
_LONGEST = 600  # characters of a sentence
_MOST = 500  # sentences of a turn
_MOST_TEXT = 50_000  # characters of a turn
_BESIDE_FIELD_WORDS = re.compile(
    r"[NV][GLCYFN]|\b(?:the|your|any|other|preferred|additional|of|and|or|an?|author|what|which|s|where|how|in)\b"
)
_SENTENCE_END = re.compile(r"(?<=[?])[\"')]*\s*(?![?!\"')])|(?<=[.!\u2026])[\"')]*\s+")


@frozen(slots=False)
class Sentence:
    """One sentence, casefolded and without Markdown; ``bullet`` tells whether it stands in an item of a list."""

    text: str
    bullet: bool
    line: int

    @cached_property
    def marked(self) -> str:
        """The text with the words of fields and values marked (see :mod:`recfw_books.user.lexicon`)."""
        return mark(self.text)

    @property
    def question(self) -> bool:
        """Whether a question mark ends it."""
        return "?" in self.text[-4:]


def _unquote(match: re.Match[str]) -> str:
    if match[1].endswith("?") and re.search(r"[(:=]\s*$", match.string[: match.start()]):
        return f" {match[1]} "
    return match[1] if _field_words(match[1]) else TITLE


def _field_words(text: str) -> bool:
    """Tell whether quoted or emphasised words name fields, rather than a work."""
    words = mark(spell(text.strip().casefold().rstrip(":?")))
    return not re.search(r"\w", _BESIDE_FIELD_WORDS.sub("", words))


def _unemphasise(match: re.Match[str]) -> str:
    inner = match[2].strip()
    if _TITLE_FOLLOWS.match(match.string, match.end()):
        return TITLE
    if _field_words(inner):
        return match[2]
    italic = len(match[1]) == 1
    return TITLE if italic and _CAPITALISED.fullmatch(inner) else match[2]


def _plain(line: str) -> str:
    """Return a line without tags, titles and emphasis; a tag becomes ``§`` and a title ``¤``."""
    text = line.replace(TAG, " ").replace(TITLE, " ")
    text = _TAG.sub(f" {TAG} ", text)
    text = _CALL.sub(" ", text)
    text = _EMPHASISED.sub(_unemphasise, _EMPHASISED.sub(_unemphasise, text))
    text = _QUOTED.sub(_unquote, text)
    text = re.sub(r"\b([A-Z])\.(?=[A-Z\s])", r"\1", text)
    text = re.sub(rf"(?<={TITLE})\s+by\s+[A-Z][\w.'-]*(?:\s+[A-Z][\w.'-]*)*", "", _BARE_TITLE.sub(TITLE, text))
    text = _EG.sub(r"\1\2", text)
    text = _SHORTENED.sub(r"\1", text)
    text = _ENUMERATOR.sub(", ", text)
    return re.sub(r"\s+", " ", text.replace("*", " ").replace("`", " ")).strip()


def _symbol(match: re.Match[str]) -> str:
    return " " if unicodedata.category(match[0]) in {"So", "Sk", "Cf"} else match[0]


def _readable(text: str) -> str:
    """Return text in one normal form, apostrophes and quotes straight, pictures and other symbols as spaces."""
    normal = unicodedata.normalize("NFKC", text)
    return _NOT_ASCII.sub(_symbol, normal.translate(_STRAIGHT))


def _lines(text: str) -> Iterator[tuple[bool, str]]:
    """Yield whether a line is an item of a list, and its plain text; of a table's rows, the first cells that ask."""
    for raw in _readable(text[-_MOST_TEXT:])[-_MOST_TEXT:].splitlines():
        bare = _HEADING.sub("", raw).strip()
        if bare.startswith("|"):
            cell = bare.strip("| ").split("|")[0]
            yield "?" in bare, _plain(cell) if "?" in bare else ""
            continue
        marker = _BULLET.match(bare)
        yield marker is not None, _plain(bare[marker.end() :] if marker else bare)


def _with_tag(before: Sentence, words: str) -> Sentence:
    """Return a sentence with a tag or title that follows it, still a question if it was one."""
    text = f"{before.text.rstrip('?! ')} {words}"
    return Sentence(f"{text}?" if before.question else text, before.bullet, before.line)


def sentences(text: str) -> tuple[Sentence, ...]:
    """
    Return the sentences of a turn in order; a tag that stands alone joins the sentence before it.

    Of a turn's end only: 50,000 characters, 500 sentences. No agent's turn has more, and what asks stands there.
    """
    found: list[Sentence] = []
    for number, (bullet, plain) in enumerate(_lines(text)):
        for part in _SENTENCE_END.split(plain):
            piece = part.strip()
            if found and _TAG_BEFORE.match(piece):
                found[-1] = _with_tag(found[-1], TAG)
                piece = piece[1:].strip()
            if found and re.search(r"[\u00a7\u00a4]", piece) and not re.search(r"[\w?]", piece):
                found[-1] = _with_tag(found[-1], piece)
            elif re.search(r"[\w?\u00a7\u00a4]", piece):
                found += (Sentence(spell(cut.casefold()), bullet, number) for cut in _cut(piece))
    return tuple(found[-_MOST:])


def _cut(piece: str) -> Iterator[str]:
    """Yield what is short enough for the patterns to be quick on: nearly always the sentence itself."""
    while len(piece) > _LONGEST:
        end = piece.rfind(" ", 1, _LONGEST)
        end = end if end > 0 else _LONGEST
        yield piece[:end]
        piece = piece[end:].strip()
    yield piece
