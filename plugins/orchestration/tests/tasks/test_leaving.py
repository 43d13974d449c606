"""Which arguments may be left out is found by running the workflow without them."""

import asyncio

import pytest
from attrs import evolve

from recfw_orchestration.tasks.records import Allowed, AnswerRule, Best, GoldCall, Keep, Origin, Workflow
from recfw_orchestration.tasks.synthesize.leaving import settle_optional

CANDIDATES = ("A", "B", "C")
RANKS = {"A": 1.0, "B": 2.0, "C": 3.0}
FLOW = Workflow(
    "L3",
    (
        GoldCall("c1", "search", {"query": Allowed(("lamp",), "text"), "kind": Allowed(("Lamps",), optional=True)}),
        GoldCall("c2", "rank", {"item_ids": Allowed((["B"],), "set", origin=Origin(("c1",), "item_id", "ids"))}),
    ),
    2,
    AnswerRule((Keep("c1"),), Best("c2", "score")),
)


class Shelf:
    """Answers calls: a ranking, and a search that finds B unless told otherwise for a number of arguments."""

    def __init__(self, **found):
        self.found = found

    async def __call__(self, tool, sent):
        if tool == "rank":
            return {"items": [{"item_id": item, "score": RANKS[item]} for item in sent["item_ids"]]}
        found = self.found.get(f"of_{len(sent)}", "B")
        return None if found is None else {"items": [{"item_id": item} for item in found]}


def settled(flow, shelf):
    """Return which arguments may be left out, and what the ranking may be asked about."""
    made = asyncio.run(settle_optional(flow, CANDIDATES, "B", shelf))
    free = [f"{call.id}.{name}" for call in made.calls for name, one in call.arguments.items() if one.optional]
    return free, made.calls[-1].arguments["item_ids"].values


@pytest.mark.parametrize(
    ("found", "free", "lists"),
    [
        ("B", ["c1.kind"], (["B"],)),  # all is the same
        ("BA", ["c1.kind"], (["B"], ["A", "B"])),  # more is ranked, and B is still the best
        ("BC", [], (["B"],)),  # C ranks above B
        ("", [], (["B"],)),  # nothing is found
        (None, [], (["B"],)),  # the tool needs it
    ],
)
def test_what_the_answer_needs_may_not_be_left_out(found, free, lists):
    """And what later calls are asked about without the rest is allowed."""
    assert (free, lists) == settled(FLOW, Shelf(of_1=found))


def test_arguments_that_are_needed_together_may_not_both_be_left_out():
    """Either alone does no harm; the first may be left out."""
    search = FLOW.calls[0]
    both = evolve(search, arguments={**search.arguments, "domain": Allowed(("local",), optional=True)})
    flow = evolve(FLOW, calls=(both, FLOW.calls[1]))
    assert (["c1.kind"], (["B"],)) == settled(flow, Shelf(of_1="BC"))
    assert (["c1.kind", "c1.domain"], (["B"], ["A", "B"])) == settled(flow, Shelf(of_1="BA"))
