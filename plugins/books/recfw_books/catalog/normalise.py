"""When two works count as one: the key over normalised title and authors by which catalogs are deduplicated."""

import re
import unicodedata
from collections.abc import Iterable

_WORDS = re.compile(r"[^\W_]+")
_ARTICLES = frozenset({"the", "a", "an"})


def _letters(text: str) -> str:
    """Return text without case, compatibility forms and apostrophes (which join what they stand between)."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return re.sub("['\u2019\u02bc]", "", folded)


def normalise_title(title: str) -> str:
    """
    Return a title's key: NFKC, casefolded, words only (punctuation separates), without leading articles.

    A title of nothing but articles keeps its last one; one without any letter or digit keeps its characters.
    """
    words = _WORDS.findall(_letters(title))
    while len(words) > 1 and words[0] in _ARTICLES:
        words.pop(0)
    return " ".join(words) or "".join(_letters(title).split())


def normalise_author(name: str) -> str:
    """Return a name's key: NFKC, casefolded, words only, in their order."""
    return " ".join(_WORDS.findall(_letters(name))) or "".join(_letters(name).split())


def work_key(title: str, authors: Iterable[str]) -> tuple[str, tuple[str, ...]]:
    """Return the key of a work: its normalised title and its authors' names, sorted."""
    return normalise_title(title), tuple(sorted(normalise_author(name) for name in authors))
