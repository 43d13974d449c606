"""The generator's judge: structure, words and materiality, on workflows made by hand."""

import asyncio

import pytest

from recfw_orchestration.tasks.judge.material import fallen, immaterial
from recfw_orchestration.tasks.judge.structure import SHAPES, distinct, useful
from recfw_orchestration.tasks.judge.words import consistent, solvable, unnamed
from recfw_orchestration.tasks.records import (
    Allowed,
    AnswerRule,
    Edge,
    GoldCall,
    Keep,
    Origin,
    Phrase,
    Workflow,
    rounds_of,
)


def call(name, *needs, tool="search_products", pick="ids", **arguments):
    """Return a call that takes its ids from others."""
    given = {key: Allowed((value,)) for key, value in arguments.items()}
    if needs:
        given["item_ids"] = Allowed((), "set", origin=Origin(needs, "item_id", pick))
    return GoldCall(name, tool, given, tuple(Edge(need, "items[].item_id", "item_ids") for need in needs))


def flow(level, *calls, rule=None):
    """Return a workflow."""
    return Workflow(level, calls, max(rounds_of(calls).values()), rule or AnswerRule())


SHAPED = {
    "single": (call("c1"),),
    "side by side": (call("c1"), call("c2")),
    "chain": (call("c1"), call("c2", "c1"), call("c3", "c2")),
    "short chain": (call("c1"), call("c2", "c1")),
    "fan-in": (call("c1"), call("c2"), call("c3", "c1", "c2")),
    "two chains": (call("c1"), call("c2"), call("c3", "c1"), call("c4", "c2")),
}


@pytest.mark.parametrize(
    ("level", "fitting"),
    [("L1", {"single"}), ("L2", {"side by side"}), ("L3", {"chain"}), ("L4", {"fan-in"})],
)
def test_each_level_has_its_shape(level, fitting):
    """And no other passes."""
    assert fitting == {name for name, calls in SHAPED.items() if SHAPES[level](flow(level, *calls))}


def test_use_needs_several_servers_and_a_liked_target():
    """One signal is enough for L1 alone."""
    two = (call("c1"), call("c2", tool="rank_products_for_user"))
    assert (
        useful(flow("L2", *two), 4.0),
        useful(flow("L2", *two), 3.5),
        useful(flow("L2", *two), None),
        useful(flow("L2", call("c1"), call("c2")), 5.0),
        useful(flow("L1", call("c1")), 5.0),
    ) == (True, False, True, False, True)


def test_a_repeated_call_is_found():
    """The same tool with equal arguments."""
    assert (distinct([("a", {"x": 1}), ("a", {"x": 2})]), distinct([("a", {"x": 1}), ("a", {"x": 1})])) == (True, False)


def test_what_takes_a_single_value_falls_with_its_producer():
    """What takes what is left looks at the candidates instead."""
    calls = (call("c1"), call("c2", "c1", pick="first"), call("c3", "c2"))
    assert (fallen(flow("L3", *calls), "c1"), fallen(flow("L3", *calls), "c2")) == ({"c1", "c2"}, {"c2"})


def test_decoration_is_found():
    """The second call lets through what the first did already, so it may go; the first may not."""
    contents = {"first": ["A"], "second": ["A", "B"]}

    async def run(tool, arguments):
        return {"items": [{"item_id": each} for each in contents[arguments["query"]]]}

    made = flow("L2", call("c1", query="first"), call("c2", query="second"), rule=AnswerRule((Keep("c1"), Keep("c2"))))
    assert asyncio.run(immaterial(made, ["A", "B", "C"], "A", run)) == ["c2"]


@pytest.mark.parametrize(
    ("text", "fine"),
    [
        ("Something for long walks.", True),
        ("Something like the Lumo Trail Lamp.", False),
        ("Is it F0AB, perhaps?", False),
        ("Is it F0ABC, perhaps?", True),
    ],
)
def test_neither_title_nor_ids_are_told(text, fine):
    """In any letter case."""
    assert fine is unnamed(text, "Lumo Trail lamp", ["f0ab", "F0CD"])


def test_phrases_must_stand_and_mean_what_gold_does():
    """A phrase that is not there, a word that means something else, a word that is not there."""
    good = Phrase("vague_quantifier", "<p>", "has solid ratings", {"min_rating": "solid"}, {"min_rating": 4})
    other = Phrase("vague_quantifier", "<p>", "has solid ratings", {"min_rating": "solid"}, {"min_rating": 3})
    absent = Phrase("vague_quantifier", "<p>", "has ratings", {"min_rating": "solid"}, {"min_rating": 4})
    text = "One that has solid ratings, and has ratings."
    assert [consistent((each,), text) for each in (good, other, absent)] == [True, False, False]
    assert not consistent((good,), "One that has ratings.")


def test_every_argument_must_be_told():
    """By words, by a phrase's meaning, by context, or by a result; what may be left out need not."""
    arguments = {
        "query": Allowed(("desk lamps",), "text"),
        "min_rating": Allowed((4,), "number", 0.25),
        "user_id": Allowed(("U1",)),
        "category": Allowed(("Lighting",), optional=True),
    }
    made = flow("L1", GoldCall("c1", "t", arguments))
    meant = Phrase("vague_quantifier", "", "solid", {"min_rating": "solid"}, {"min_rating": 4})
    assert solvable(made, "Desk lamps, solid ones", {"user_id": "U1"}, (meant,)) == []
    assert solvable(made, "Desk lamps with 4 stars", {"user_id": "U1"}, ()) == []
    assert solvable(made, "Lamps with 4.5 stars", {"user_id": None}, ()) == ["c1.query", "c1.min_rating", "c1.user_id"]
