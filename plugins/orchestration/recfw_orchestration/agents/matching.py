"""Which tool a sentence is about: shared words of the sentence and of what a tool says of itself, rare ones first."""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence

from attrs import frozen

from recfw.model.view import ToolSpec

_WORD = re.compile(r"[a-z0-9]+")
_ENDINGS = ("ations", "ation", "ings", "ing", "ers", "er", "est", "ies", "es", "ed", "s", "y", "e")
SHORTEST = 3
"""Letters that a stem keeps, and that a word needs to count."""
_COMMON = """
the and for that this with are was were been has have had not but one ones all any some only more most much very what
which who whom whose when where how why would could should shall will can may might must from into onto than then them
they their there here its your you our out about over under after before please find choose want wants like look looking
need give take taken make made get gets got going come comes goes let say says said tell just also too yet still even
though although such other others each every own same
"""
COMMON = frozenset(_COMMON.split())
"""Words of everyday English that tell no tool apart."""


def stems(text: str) -> list[str]:
    """Return a text's words, lower case, their endings cut off; short and common ones are left out."""
    words = _WORD.findall(text.casefold().replace("_", " "))
    return [_stem(word) for word in words if len(word) >= SHORTEST and word not in COMMON]


def _stem(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= SHORTEST:
            return word[: -len(ending)]
    return word


@frozen
class Directory:
    """
    Tools by their words.

    Args:
        weights: Tool -> word -> weight: larger for rare words and those of its name, 0 for words of all.
    """

    weights: Mapping[str, Mapping[str, float]]

    @classmethod
    def of(cls, tools: Sequence[ToolSpec]) -> "Directory":
        """Return the directory of some tools."""
        words = {tool.name: _words(tool) for tool in tools}
        spread = Counter(word for of in words.values() for word in of)
        weights = {
            name: {word: times * math.log(len(tools) / spread[word]) for word, times in of.items()}
            for name, of in words.items()
        }
        return cls(weights)

    def score(self, sentence: str, tool: str) -> float:
        """Return how well a sentence fits a tool; 0 where they share no word."""
        own = self.weights[tool]
        length = math.sqrt(sum(weight * weight for weight in own.values())) or 1.0
        return sum(own.get(word, 0.0) for word in sorted(set(stems(sentence)))) / length


def _words(tool: ToolSpec) -> dict[str, float]:
    """Return a tool's words: those of its name count twice, those of its arguments half."""
    found: dict[str, float] = {}
    told = [(tool.name, 2.0), (tool.description, 1.0)]
    told += [(f"{name} {of.get('description', '')}", 0.5) for name, of in tool.parameters["properties"].items()]
    for text, weight in told:
        for word in stems(text):
            found[word] = max(found.get(word, 0.0), weight)
    return found
