"""
Grounding: which of the entities that the user sees, or knows by name, a sentence names.

A name is heard where enough of its telling words stand close together: people say "the dairy cooler" for a sign that
reads "Fresh Dairy Cooler", and "the cod fillets" for "Karma Seafood Cod Fillets". A mention that fits several names
equally well names none of them.
"""

import math
import re
from collections.abc import Iterable, Mapping, Sequence

from attrs import frozen

_WORD = re.compile(r"[a-z0-9]+(?:'[a-z]+)?")
_EMPTY = frozenset(
    re.findall(
        r"\S+", "the a an and of for with in on at by to from your our this that it's its plus oz lb pack ct kg ml"
    )
)
_KINDS = frozenset(
    re.findall(
        r"\S+",
        "shelf shelves freezer cooler stand aisle section fixture rack store shop area display corner bay case cabinet "
        "zone space room chest upright open produce",
    )
)
"""Words that many signs share: they help, but name nothing by themselves."""

NEAR, GAP = 4, 0.02
"""Words that may stand between two telling words of one name, and what each of them takes from how well it is heard."""


def stem(word: str) -> str:
    """Return a word without the ending of a plural or a possessive."""
    word = word.removesuffix("'s")
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("ches", "shes", "xes", "sses", "oes")):
        return word[:-2]
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")) else word


def tokens(text: str) -> list[str]:
    """Return the stems of a normal text's words, in order."""
    return [stem(word) for word in _WORD.findall(text.replace("&", " "))]


def telling(name: str) -> list[str]:
    """Return the words by which a name is known, in order: not articles, measures or bare numbers."""
    found = [word for word in tokens(name.casefold()) if word not in _EMPTY and not word.isdigit()]
    return list(dict.fromkeys(found)) or tokens(name.casefold())


@frozen
class Mention:
    """A name that a sentence holds: which one, where its words begin and end, how much of it was said (0 to 1)."""

    key: str
    start: int
    end: int
    share: float


class Names:
    """
    Names to be heard.

    Args:
        names: Key -> name as it is written on a sign or a package.
    """

    def __init__(self, names: Mapping[str, str]) -> None:
        self._words = {key: telling(name) for key, name in names.items()}
        self._spread = _spread(self._words.values())

    def heard(self, text: str, least: float = 0.5) -> list[Mention]:
        """Return the names in a normal text, in order of mention, the fullest where mentions overlap."""
        said = tokens(text)
        found = [mention for key in self._words if (mention := self._best(key, said)) and mention.share >= least]
        found.sort(key=lambda each: (-each.share, each.start - each.end, each.key))
        kept: list[Mention] = []
        for mention in found:
            beaten = any(_overlap(mention, each) for each in kept)
            tied = any(each is not mention and _tied(mention, each) for each in found)
            if not beaten and not tied:
                kept.append(mention)
        return sorted(kept, key=lambda each: each.start)

    def _best(self, key: str, said: Sequence[str]) -> Mention | None:
        """Return the window of the text that holds the most of a name's weight."""
        weights = {word: self._weight(word) for word in self._words[key]}
        whole = sum(weights.values())
        places = [(at, word) for at, word in enumerate(said) if word in weights]
        best: Mention | None = None
        for first, (start, _) in enumerate(places):
            held: dict[str, int] = {}
            for at, word in places[first:]:
                if held and at - max(held.values()) > NEAR:
                    break
                held.setdefault(word, at)
            gaps = max(held.values()) + 1 - start - len(held)
            share = sum(weights[word] for word in held) / whole - GAP * gaps
            bare = all(word in _KINDS for word in held) and len(held) < len(weights)
            if not bare and (best is None or share > best.share + 1e-9):
                best = Mention(key, start, max(held.values()) + 1, share)
        return best

    def _weight(self, word: str) -> float:
        kind = 0.4 if word in _KINDS else 1.0
        return kind / math.sqrt(self._spread[word])


def _spread(words: Iterable[Sequence[str]]) -> dict[str, int]:
    counted: dict[str, int] = {}
    for name in words:
        for word in name:
            counted[word] = counted.get(word, 0) + 1
    return counted


def _overlap(one: Mention, other: Mention) -> bool:
    return one.start < other.end and other.start < one.end


def _tied(one: Mention, other: Mention) -> bool:
    """Tell whether two mentions of the same words cannot be told apart."""
    return abs(one.share - other.share) < 1e-9 and (one.start, one.end) == (other.start, other.end)
