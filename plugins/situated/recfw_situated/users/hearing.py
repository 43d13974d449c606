"""What the user makes of the assistant's words: questions, directions, places, products, claims, farewells."""

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

import yaml
from attrs import frozen

from recfw_situated.tasks.records import Goal, Wish
from recfw_situated.users.amounts import normal, prices
from recfw_situated.users.directions import Direction, clauses, directions, placed
from recfw_situated.users.judging import Claim
from recfw_situated.users.mentions import Names, telling, tokens

_SENTENCES = re.compile(r"(?<=[.!?])\s+|\n+")


@cache
def _lexicon() -> dict[str, dict[str, re.Pattern[str]]]:
    """Return group -> name -> pattern of what is listened for, in the file's order."""
    text = (files("recfw_situated.users") / "data" / "lexicon.yaml").read_text(encoding="utf-8")
    return {
        group: {name: re.compile(rf"\b(?:{'|'.join(phrases)})\b") for name, phrases in names.items()}
        for group, names in yaml.safe_load(text).items()
    }


def _cue(name: str, text: str) -> bool:
    return _lexicon()["cues"][name].search(text) is not None


@frozen
class Place:
    """A visible place that is named: its key, how it is to be approached, and whether one is told to go there."""

    key: str
    approach: str
    go: bool


@frozen
class Heard:
    """
    What an utterance said.

    Args:
        asked: Topics that it asks about, in order.
        question: It asks anything at all.
        directions: What it asks a walker to do.
        side: Where it says that something is: left, right, behind or empty.
        places: Visible places that it names.
        products: Visible products that it names, in order of mention.
        take: It asks to take or look at a product.
        recommends: It recommends something.
        buy: It asks to buy.
        reasons: It gives a reason or a fact.
        price: It tells a price.
        farewell: It takes leave.
    """

    asked: tuple[str, ...] = ()
    question: bool = False
    directions: tuple[Direction, ...] = ()
    side: str = ""
    places: tuple[Place, ...] = ()
    products: tuple[str, ...] = ()
    take: bool = False
    recommends: bool = False
    buy: bool = False
    reasons: bool = False
    price: bool = False
    farewell: bool = False


def hear(utterance: str, places: Mapping[str, str], products: Mapping[str, str]) -> Heard:
    """
    Return what an utterance says to somebody who sees these places and products.

    Args:
        utterance: The assistant's words.
        places: Key -> name on the sign, of the visible fixtures, stores and areas.
        products: Key -> display name, of the visible products.
    """
    text = normal(utterance)
    found = [part for part in _SENTENCES.split(text) if part]
    questions = [part for part in found if part.rstrip().endswith("?") or _cue("asking", part)]
    return Heard(
        asked=tuple(dict.fromkeys(topic for part in questions if (topic := _topic(part)))),
        question=bool(questions),
        directions=tuple(directions(text)),
        side=placed(text),
        places=tuple(_places(text, Names(places))),
        products=tuple(dict.fromkeys(named(text, Names(products)))),
        take=_cue("take", text),
        recommends=_cue("recommend", text),
        buy=_cue("buy", text),
        reasons=_cue("reason", text),
        price=bool(prices(text)),
        farewell=_cue("farewell", text),
    )


def _topic(sentence: str) -> str:
    return next((topic for topic, pattern in _lexicon()["topics"].items() if pattern.search(sentence)), "")


def named(text: str, names: Names) -> list[str]:
    """Return the keys of the names that a normal text holds, in order of mention, clause by clause."""
    return [mention.key for clause in clauses(text) for mention in names.heard(clause)]


def _places(text: str, names: Names) -> list[Place]:
    found: dict[str, Place] = {}
    for clause in clauses(text):
        for mention in names.heard(clause):
            place = Place(mention.key, _approach(clause), _cue("go", clause))
            if mention.key not in found or (place.go and not found[mention.key].go):
                found[mention.key] = place
    return sorted(found.values(), key=lambda place: not place.go)


def _approach(clause: str) -> str:
    """Return ``back``, ``nearest``, ``inside``, ``outside`` or an empty string."""
    return next((name for name, pattern in _lexicon()["approaches"].items() if pattern.search(clause)), "")


def claims(utterance: str, name: str, goal: Goal, *, about: bool = False) -> list[Claim]:
    """
    Return what an utterance says of a product: prices, wished features, unwanted ones.

    Args:
        utterance: The assistant's words.
        name: The product's name.
        goal: Whose features are listened for.
        about: The product is what is being talked of, so that sentences without a name are of it.
    """
    found: list[Claim] = []
    names, current = Names({name: name}), about
    for sentence in _SENTENCES.split(normal(utterance)):
        current = bool(named(sentence, names)) or (current and not sentence.endswith("?"))
        if not current or sentence.endswith("?"):
            continue
        told = prices(sentence)
        if told and not _cue("limit", sentence):
            found.append(Claim("price", told[0]))
        wishes = (*goal.preferences, *goal.unwanted)
        found += [Claim(wish.label, said) for wish in wishes if (said := _said(sentence, wish)) is not None]
    return found


def _said(sentence: str, wish: Wish) -> bool | None:
    """Return whether a sentence affirms or denies a feature; None where it says nothing of it."""
    words = tokens(sentence)
    wanted = telling(wish.words)
    places = [at for at, word in enumerate(words) if word in wanted]
    if len({words[at] for at in places}) < len(wanted) or not places:
        return None
    before = " ".join(words[max(0, places[0] - 3) : places[0]])
    return not _cue("no", before)
