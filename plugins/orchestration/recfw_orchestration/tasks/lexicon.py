"""The lexicon: which values a word of a fuzzy request stands for, and by how much they may be missed."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from attrs import frozen

from recfw.serialize import loads


@frozen
class Slot:
    """
    What words about one thing stand for.

    Args:
        words: Word -> its value.
        tolerance: Largest difference from the value that is still right.
        share: The same as a share of the value; the larger of the two counts.
    """

    words: dict[str, Any]
    tolerance: float = 0.0
    share: float = 0.0

    def values(self) -> list[Any]:
        """Return the values, each once, in the file's order."""
        found: list[Any] = []
        for value in self.words.values():
            if value not in found:
                found.append(value)
        return found

    def slack(self, value: float) -> float:
        """Return by how much a number may be missed."""
        return max(self.tolerance, self.share * abs(value))

    def words_for(self, value: Any) -> list[str]:
        """Return the words that stand for a value."""
        return [word for word, meant in self.words.items() if meant == value]


@cache
def lexicon() -> Mapping[str, Slot]:
    """Return slot -> its words."""
    data = (files("recfw_orchestration.tasks") / "data" / "lexicon.json").read_bytes()
    return loads(data, dict[str, Slot], "lexicon.json")
