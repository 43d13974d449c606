"""
What an assistant makes of the customer's words: a wish that grows, and a score of every product by it.

It knows the catalog's vocabulary and a list of synonyms of its own; it shares nothing with the users' grammar.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

import yaml
from attrs import define, field

_WORD = re.compile(r"[a-z]+")
_IDLE_WORDS = frozenset(
    {"i", "a", "an", "the", "for", "of", "to", "and", "or", "in", "it", "is", "my", "me", "some", "something", "like"}
    | {"looking", "need", "want", "with", "that", "no", "not", "more", "than", "spend", "nothing", "hello", "thing"}
    | {"small", "main", "course", "have", "would", "one", "another", "you", "your", "what", "there", "piece", "home"}
)
_REFUSED = re.compile(r"\b(?:nothing|avoid|without any|not want|don't want|no more)\b")
_MONEY = re.compile(r"\$\s?(\d[\d,]*(?:\.\d+)?)")
_LIMIT = re.compile(r"\b(?:budget|spend|under|at most|no more than|over my|limit)\b")
_DECLINED = re.compile(r"\b(?:pass on|no(?=,)|not for me|isn't right|i'll skip|don't think|not what)\b")
_OPENING = re.compile(r"\b(?:looking for|need|for)\b")
_WHY = re.compile(r"\bwhy\b")
_CHEAPER = re.compile(r"\bcheaper\b")


def stems(text: str) -> list[str]:
    """Return the words of a text without endings of plurals, idle words left out."""
    return [_stem(word) for word in _WORD.findall(text.casefold()) if word not in _IDLE_WORDS]


def _stem(word: str) -> str:
    for ending, least in (("ies", 5), ("es", 5), ("s", 4), ("ing", 6)):
        if word.endswith(ending) and len(word) >= least and not word.endswith("ss"):
            return word[: -len(ending)] + ("y" if ending == "ies" else "")
    return word


@cache
def _synonyms() -> Mapping[str, frozenset[str]]:
    text = (files("recfw_situated.assistants") / "data" / "synonyms.yaml").read_text(encoding="utf-8")
    held = yaml.safe_load(text)
    return {_stem(str(word)): frozenset(_stem(str(each)) for each in also) for word, also in held.items()}


def widened(words: Sequence[str]) -> frozenset[str]:
    """Return words with what they may stand for."""
    also = _synonyms()
    return frozenset(words).union(*(also.get(word, frozenset()) for word in words))


@define
class Wish:
    """
    What the customer wants, as far as it was heard.

    Args:
        kind: Words of the first wish: what is looked for, and what for.
        needs: Sets of words, one for each need that was told later.
        refused: Sets of words of unwanted features.
        budget: USD, or None.
        declined: Ids of products that were declined.
    """

    kind: frozenset[str] = frozenset()
    needs: list[frozenset[str]] = field(factory=list)
    refused: list[frozenset[str]] = field(factory=list)
    budget: float | None = None
    declined: list[str] = field(factory=list)

    def hear(self, utterance: str) -> None:
        """Take in what the customer said."""
        for sentence in re.split(r"(?<=[.!?:])\s+", utterance):
            lower = sentence.casefold()
            amount = _MONEY.search(lower)
            if amount and _LIMIT.search(lower):
                self.budget = float(amount[1].replace(",", ""))
                continue
            words = stems(sentence)
            if not words or lower.endswith("?"):
                continue
            if _REFUSED.search(lower):
                found = re.split(r"\b(?:nothing|avoid|want)\b", lower)[-1]
                self.refused.append(frozenset(stems(found)))
            elif (
                re.search(r"\b(?:looking for|need|for)\b", lower) and len(self.needs) == 0 and "like some" not in lower
            ):
                self.kind |= widened(words)
            elif re.search(r"\b(?:want|like|prefer|should)\b", lower):
                found = re.split(r"\b(?:something|somewhat)\b", lower)[-1]
                self.needs.append(widened(stems(found)))

    def score(self, product: Mapping[str, Any]) -> float:
        """Return how well a product fits what was heard."""
        tags = [frozenset(stems(tag)) for tag in product["tags"]]
        about = frozenset(stems(product["category"]))
        rest = frozenset(stems(product["name"]))
        score = 3.0 * len(self.kind & about) / max(1, len(about)) + 0.7 * len(self.kind & rest)
        score += sum(0.8 for tag in tags if tag and tag <= self.kind)
        for need in self.needs:
            score += max((2.0 * len(tag & need) / len(tag) for tag in tags if tag), default=0.0)
            score += 0.5 * bool(need & rest)
        for words in self.refused:
            score -= 4.0 * any(tag and tag <= words for tag in tags)
        if self.budget is not None and product["price"] > self.budget:
            score -= 100.0
        return score - (1000.0 if product["id"] in self.declined else 0.0)

    def ranked(self, catalog: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
        """Return the catalog, best first; equal ones in its own order."""
        return sorted(catalog, key=lambda product: -round(self.score(product), 6))


def declines(utterance: str) -> bool:
    """Tell whether the customer declines what was proposed."""
    return bool(_DECLINED.search(utterance.casefold()))


def wonders(utterance: str) -> bool:
    """Tell whether the customer asks for a reason."""
    return bool(_WHY.search(utterance.casefold()))


def wants_cheaper(utterance: str) -> bool:
    """Tell whether the customer asks for something cheaper."""
    return bool(_CHEAPER.search(utterance.casefold()))
