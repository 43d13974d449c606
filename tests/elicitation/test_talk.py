"""The ready-made talk over a catalog: what each side sees, how it ends, what is noted of offers."""

import asyncio
import json
from typing import Any

import pytest
from attrs import evolve

from recfw.elicitation import Fact, LabelTree, Predicate
from recfw.elicitation.goal import Goal
from recfw.elicitation.talk import CatalogTalk, RightItem, answers_amiss
from recfw.elicitation.users import RulesUser
from recfw.model.reply import Reply, ToolCall
from recfw.model.task import Task
from recfw.model.trace import EndEvent, Trace
from recfw.model.view import ToolSpec, View
from recfw.protocols import Accepted, Ended, NoOptions, Problem, Refused
from recfw.testing.fakes import context

FIELDS = ("color", "shape", "age")
BLOCKS: dict[str, dict[str, Any]] = {
    f"{color}-{shape}": {"color": color, "shape": shape}
    for color in ("red", "navy")
    for shape in ("cube", "ball", "cone")
}
GOAL = Goal(
    FIELDS,
    (
        Predicate("color", "==", "red"),
        Predicate("shape", "!=", "cone", "on_ask"),
        Predicate("shape", "!=", "cube", "hidden"),
    ),
    (Fact("age", (34,), "on_ask"),),
)
RIGHT, WRONG = "red-ball", "red-cube"


def talk(goal: Goal = GOAL, kind: type[CatalogTalk] = CatalogTalk, **more: Any) -> CatalogTalk:
    """Return a talk that the user has opened."""
    task = Task("t", "t", {}, {"stated": goal.stated()}, goal.private())
    world = kind(task, "Find a block.", BLOCKS, **more)
    asyncio.run(world.receive("user", Reply("I'm looking for one item."), ()))
    return world


def say(world: CatalogTalk, *calls: ToolCall, text: str = "") -> Any:
    """Return the ruling on a reply of the agent."""

    async def reply() -> Any:
        results = [await world.call("agent", call.name, json.loads(call.arguments)) for call in calls]
        return await world.receive("agent", Reply(text, tuple(calls)), results)

    return asyncio.run(reply())


def see(world: CatalogTalk, role: str) -> View:
    """Return what a role sees."""
    return asyncio.run(world.view(role))


def answer(world: CatalogTalk) -> str:
    """Return what the agent reads once core's rule-based user has answered."""

    async def reply() -> None:
        said = await RulesUser().episode(context("user")).reply(await world.view("user"))
        await world.receive("user", said, ())

    asyncio.run(reply())
    return see(world, "agent").messages[-1].text


def recommend(item: str, **more: Any) -> ToolCall:
    """Return the call."""
    return ToolCall.of("recommend", item=item, **more)


NOTHING = ToolCall.of("recommend_nothing")


@pytest.mark.parametrize(
    ("item", "words"),
    [
        (RIGHT, "Yes, that would do. I have nothing to add."),
        (WRONG, "No, that would not do. I have nothing to add."),
        ("no-block", "No, that would not do. I have nothing to add."),
    ],
)
def test_the_agent_reads_what_became_of_its_proposal(item: str, words: str) -> None:
    """The verdict, which is the world's, stands before the user's words."""
    world = talk()
    say(world, text=f"How about [[candidate_id:{item}]]?")
    assert answer(world) == words


def test_a_track_has_words_of_its_own_for_verdicts() -> None:
    """A subclass may put them otherwise, or say nothing."""
    for verdicts, words in (({"accepted": "Ay."}, "Ay. I have nothing to add."), ({}, "I have nothing to add.")):
        world = talk(kind=type("Mine", (CatalogTalk,), {"verdicts": verdicts}))
        say(world, text=f"[[candidate_id:{RIGHT}]]")
        assert answer(world) == words


def test_an_empty_reply_is_refused_and_the_agent_reads_why() -> None:
    """Until it says or calls something; the user sees nothing of it."""
    world = talk()
    assert say(world, text=" \n") == Refused(CatalogTalk.silence)
    assert see(world, "agent").messages[-1].text == CatalogTalk.silence
    assert CatalogTalk.silence not in [message.text for message in see(world, "user").messages]
    say(world, ToolCall.of("list_items"))
    assert CatalogTalk.silence not in [message.text for message in see(world, "agent").messages]


@pytest.mark.parametrize("call", [ToolCall.of("list_items"), recommend("no-block")])
def test_words_beside_calls_are_the_agent_s_alone(call: ToolCall) -> None:
    """Neither the user's View nor its facts hold them, a proposal among them is none, and the agent keeps the floor."""
    world = talk()
    assert say(world, call, text=f"Which shape? [[candidate_id:{RIGHT}]]") == Accepted()
    user = see(world, "user")
    assert ([m.text for m in user.messages], user.facts["agent_text"]) == (["I'm looking for one item."], None)
    assert world.next_role() == "agent"
    assert "Which shape?" in see(world, "agent").messages[-2].text


@pytest.mark.parametrize(
    ("calls", "stop", "data"),
    [
        ([recommend(RIGHT)], "recommended", {"item": RIGHT, "right": True, "others": []}),
        ([recommend(WRONG)], "recommended", {"item": WRONG, "right": False, "others": []}),
        ([recommend(WRONG), recommend(RIGHT)], "recommended", {"item": WRONG, "right": False, "others": [RIGHT]}),
        ([recommend("no"), recommend(RIGHT)], "recommended", {"item": RIGHT, "right": True, "others": []}),
        ([recommend(RIGHT), NOTHING], "recommended", {"item": RIGHT, "right": True, "others": [None]}),
        ([NOTHING, recommend(RIGHT)], "recommended_nothing", {"item": None, "right": False, "others": [RIGHT]}),
    ],
)
def test_the_first_recommendation_counts(calls: list[ToolCall], stop: str, data: dict[str, Any]) -> None:
    """It ends the talk; what else the reply recommends is noted; an unknown item is an error and recommends nothing."""
    world = talk()
    ruling = say(world, *calls)
    assert isinstance(ruling, Ended)
    assert (ruling.stop, [event.data for event in ruling.events]) == (stop, [data])
    assert world.chosen == (data["item"] or "")


def test_recommending_nothing_is_right_where_nothing_will_do() -> None:
    """With a goal that no block meets, or one whose blocks the user bars; `RightItem` scores it."""
    none = evolve(GOAL, predicates=(Predicate("color", "==", "red"), Predicate("color", "==", "navy", "hidden")))
    for world in (talk(none), talk(barred=(RIGHT,))):
        ruling = say(world, NOTHING)
        assert RightItem(NoOptions()).score(Task("t", "t"), Trace((*ruling.events, EndEvent(ruling.stop)))) == {
            "success": 1.0
        }


def test_what_the_user_bars_is_never_right() -> None:
    """A proposal of it is rejected."""
    world = talk(barred=(RIGHT,))
    say(world, text=f"[[candidate_id:{RIGHT}]]")
    assert answer(world).startswith("No, that would not do.")
    assert not world.right(RIGHT)


def test_trees_widen_requirements() -> None:
    """A label counts as what covers it."""
    wide = evolve(GOAL, predicates=(Predicate("color", "==", "blue"),))
    found = [talk(wide, trees=trees).right("navy-cone") for trees in (None, {"color": LabelTree({"blue": ["navy"]})})]
    assert found == [False, True]


def test_other_words_for_a_field_are_understood() -> None:
    """The ready-made user hears a question in a track's own words, and only where the track gives them."""
    heard = []
    for words in ({}, {"age": ("how old",)}):
        world = talk(words=words)
        say(world, text="How old are you?")
        heard.append(answer(world))
    assert heard == ["I have nothing to add.", "Age: 34."]


class Noting(CatalogTalk):
    """A talk that notes offers, in which a recommendation has a message."""

    def offered(self, item, words, arguments):
        return {"words": words, "message": (arguments or {}).get("message"), "turn": self.user.turn}


def test_offers_are_noted_with_what_a_track_adds() -> None:
    """A proposal and a recommendation, each known item, before the user takes the reply in."""
    world = talk(kind=Noting)
    text = f"[[candidate_id:{WRONG}]] or [[candidate_id:{RIGHT}]] or [[candidate_id:no]]"
    (first, second, proposal) = say(world, text=text).events
    noted = {"way": "proposal", "together": 2, "words": text, "message": None, "turn": 0}
    assert [first.data, second.data] == [{"item": WRONG, **noted}, {"item": RIGHT, **noted}]
    assert (first.name, proposal.name) == ("offer", "proposal")
    answer(world)
    (offer, _) = say(world, recommend(RIGHT, message="Here."), NOTHING, text="Done.").events
    assert offer.data == {
        "item": RIGHT, "way": "recommendation", "together": 1, "words": "Done.", "message": "Here.", "turn": 1,
    }  # fmt: skip


def test_a_tool_that_nothing_answers_is_named() -> None:
    """A subclass that offers a tool and forgets its call is told so, not that a key is missing."""
    kind = type(
        "Mine", (CatalogTalk,), {"tools": (*CatalogTalk.tools, ToolSpec("smell", "Smell.", {"type": "object"}))}
    )
    with pytest.raises(NotImplementedError, match="Mine offers a tool 'smell', but its call does not answer it"):
        say(talk(kind=kind), ToolCall.of("smell"))


def test_tasks_are_found_whose_answer_is_not_as_told() -> None:
    """One that no item meets, and one that is said to have no answer and has one; without the facet, there is one."""
    none = evolve(GOAL, predicates=(Predicate("color", "==", "green"),))
    facets: tuple[dict[str, str], ...] = ({}, {"answer": "yes"}, {"answer": "no"})
    goals = {"met": GOAL, "none": none}
    tasks = [goal.task(f"{name}-{n}", each) for name, goal in goals.items() for n, each in enumerate(facets)]
    assert answers_amiss(tasks, BLOCKS) == [
        Problem("met-2", "can-be-met", "an item meets the goal"),
        Problem("none-0", "can-be-met", "no item meets the goal"),
        Problem("none-1", "can-be-met", "no item meets the goal"),
    ]
