"""One episode's world: the floor, the Views, verdicts and endings."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

import pytest
from attrs import evolve
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recfw.elicitation.predicates import Reveal
from recfw.model.reply import Reply, ToolCall, ToolResult
from recfw.model.view import View
from recfw.protocols import Accepted, Context, Ended, Environment, Refused, Ruling
from recfw.serialize import canonical
from recfw_books.catalog.records import BookCatalog
from recfw_books.environment import BooksEnvironment, proposals
from recfw_books.model import BookTask
from recfw_books.user.rules import BooksRules

T = TypeVar("T")
Maker = Callable[[BookCatalog, BookTask], BooksEnvironment]


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run one coroutine."""
    return asyncio.run(work)


def user_speaks(environment: BooksEnvironment) -> Ruling:
    """Let the rule-based user take its turn."""
    player = BooksRules().episode(Context("user", "t", 0))

    async def turn() -> Ruling:
        return await environment.receive("user", await player.reply(await environment.view("user")), ())

    return run(turn())


def says(environment: BooksEnvironment, text: str) -> Ruling:
    """Let the agent say something."""
    return run(environment.receive("agent", Reply(text), ()))


def calls(environment: BooksEnvironment, *wanted: ToolCall, text: str = "") -> Ruling:
    """Let the agent call tools, whose arguments are taken as they are."""
    import orjson

    async def turn() -> Ruling:
        results = [await environment.call("agent", one.name, orjson.loads(one.arguments)) for one in wanted]
        return await environment.receive("agent", Reply(text, calls=wanted), results)

    return run(turn())


def agent_view(environment: BooksEnvironment) -> View:
    """Return what the agent sees."""
    return run(environment.view("agent"))


def event(ruling: Ruling, name: str) -> dict[str, Any]:
    """Return the data of the one event of that name."""
    assert isinstance(ruling, Accepted | Ended)
    (found,) = [one for one in ruling.events if one.name == name]
    return found.data


def test_the_environment_has_the_protocols_shape(environment: BooksEnvironment) -> None:
    """It is an Environment."""
    assert isinstance(environment, Environment)


def test_the_user_opens_with_what_is_stated(environment: BooksEnvironment) -> None:
    """The opening holds the stated predicate and passes the floor to the agent."""
    assert environment.next_role() == "user"
    opening = event(user_speaks(environment), "opening")
    assert opening["revealed"] == [{"field": "genre", "op": "contains", "value": "Horror"}]
    assert (opening["formats"], environment.next_role()) == (None, "agent")
    assert [message.speaker for message in agent_view(environment).messages] == ["system", "user"]
    assert agent_view(environment).messages[1].text == "I'm looking for one book. It should include Horror."


def test_a_volunteer_states_everything(few: BookCatalog, book_task: BookTask, new_environment: Maker) -> None:
    """All predicates and the accepted formats are in the opening."""
    stated = tuple(evolve(p, reveal=Reveal.STATED) for p in book_task.predicates)
    environment = new_environment(few, evolve(book_task, condition="volunteer", predicates=stated))
    opening = event(user_speaks(environment), "opening")
    assert (len(opening["revealed"]), opening["formats"]) == (3, ["ebook"])


def test_a_question_discloses_and_declines(environment: BooksEnvironment) -> None:
    """On-ask facts are told, hidden ones declined, and the trace says which."""
    user_speaks(environment)
    says(environment, "Which language, what years, and which format would you like?")
    asked = event(user_speaks(environment), "asked")
    assert asked["turn"] == 1
    assert asked["asked"] == ["language", "year", "format"]
    assert asked["revealed"] == [{"field": "language", "op": "==", "value": "English"}]
    assert (asked["formats"], asked["declined"]) == (["ebook"], ["year"])


@pytest.mark.parametrize(
    ("item", "verdict", "why"),
    [
        ("wd_Q1", "accepted", {"violated": [], "in_history": False, "format_accepted": True}),
        ("wd_Q2", "accepted", {"violated": [], "in_history": False, "format_accepted": True}),
        ("wd_Q3", "rejected", {"violated": [], "in_history": True, "format_accepted": True}),
        ("wd_Q4", "rejected", {"violated": [], "in_history": False, "format_accepted": False}),
        ("wd_Q5", "rejected", {"violated": ["year"], "in_history": False, "format_accepted": True}),
        ("wd_Q6", "rejected", {"violated": ["genre"], "in_history": False, "format_accepted": True}),
        ("wd_Q99", "rejected", {"known": False}),
    ],
)
def test_a_proposal_draws_a_verdict(
    environment: BooksEnvironment, item: str, verdict: str, why: dict[str, Any]
) -> None:
    """Predicates, history and formats decide; the user's message begins with the tag and gives no reason."""
    user_speaks(environment)
    found = event(says(environment, f"How about this? [[candidate_id:{item}]]"), "proposal")
    assert (found["item"], found["verdict"]) == (item, verdict)
    assert {name: found[name] for name in why} == why
    user_speaks(environment)
    assert agent_view(environment).messages[-1].text == f"###{verdict.upper()}### I have nothing to add."


def test_the_first_of_several_tags_is_judged(environment: BooksEnvironment) -> None:
    """Others are noted, a repeated one once."""
    user_speaks(environment)
    tags = "[[candidate_id:wd_Q5]] [[Candidate_ID: wd_Q1 ]] [[candidate_id:wd_Q5]]"
    found = event(says(environment, tags), "proposal")
    assert (found["item"], found["verdict"], found["others"]) == ("wd_Q5", "rejected", ["wd_Q1"])


def test_an_empty_tag_is_no_proposal(environment: BooksEnvironment) -> None:
    """It draws no verdict of its own and hides no tag that follows."""
    user_speaks(environment)
    assert says(environment, "How about [[candidate_id: ]]?") == Accepted()
    user_speaks(environment)
    found = event(says(environment, "I meant [[candidate_id:]] [[candidate_id:wd_Q1]]"), "proposal")
    assert (found["item"], found["verdict"], found["others"]) == ("wd_Q1", "accepted", [])


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("I will look at wd_Q2, too.", ["wd_Q2"]),
        ("How about Title 2, by Ann Bo?", ["wd_Q2"]),
        ("Title 1 or Title 2?", ["wd_Q1", "wd_Q2"]),
        ("Title 1 [[candidate_id:wd_Q1]], or Title 2?", ["wd_Q2"]),
        ("Title 1 [[candidate_id:wd_Q2]]", ["wd_Q1"]),
        ("Title 3, title 1, Title 12, Title 5 and wd_Q6.", []),
        ("[[candidate_id:wd_Q1]]", []),
        ("I will look for others, too.", []),
    ],
)
def test_acceptable_books_named_without_a_tag_are_noted(
    environment: BooksEnvironment, text: str, items: list[str]
) -> None:
    """By title, in its own case, or by id; not a book that was read, is too old, or has a tag in the same turn."""
    user_speaks(environment)
    ruling = says(environment, text)
    found = [event.data for event in ruling.events if event.name == "named"]
    assert found == ([{"turn": 1, "items": items}] if items else [])


def test_a_turn_without_a_tag_draws_no_verdict(environment: BooksEnvironment) -> None:
    """The verdict of an earlier proposal is not repeated."""
    user_speaks(environment)
    says(environment, "[[candidate_id:wd_Q1]]")
    user_speaks(environment)
    assert says(environment, "Good. I will look for others, too.") == Accepted()
    user_speaks(environment)
    assert agent_view(environment).messages[-1].text == "I have nothing to add."


def test_words_beside_tool_calls_are_not_said(environment: BooksEnvironment) -> None:
    """The agent keeps the floor, a tag among them is no proposal, and the trace notes it."""
    user_speaks(environment)
    ruling = calls(environment, ToolCall.of("get_reading_history"), text="Try [[candidate_id:wd_Q1]]?")
    assert event(ruling, "unsaid") == {"turn": 1, "items": ["wd_Q1"]}
    assert environment.next_role() == "agent"
    assert [message.text for message in run(environment.view("user")).messages[1:]] == [
        "I'm looking for one book. It should include Horror."
    ]


def test_tool_answers_come_by_position_as_messages_and_as_data(environment: BooksEnvironment) -> None:
    """A tool message names the call that it answers; the facts hold the same answers as data."""
    user_speaks(environment)
    calls(environment, ToolCall.of("check_formats", item_id="wd_Q4"), ToolCall.of("check_formats", item_id="nope"))
    view = agent_view(environment)
    assert [(m.speaker, m.call, m.error) for m in view.messages[-2:]] == [("tool", 0, False), ("tool", 1, True)]
    assert view.messages[-2].text == '{"id":"wd_Q4","formats":["paperback"]}'
    assert view.facts["results"][0] == {
        "tool": "check_formats",
        "content": {"id": "wd_Q4", "formats": ["paperback"]},
        "error": False,
    }


def test_an_empty_reply_is_refused(environment: BooksEnvironment) -> None:
    """The agent sees why and keeps the floor."""
    user_speaks(environment)
    ruling = says(environment, " \n")
    assert isinstance(ruling, Refused)
    assert environment.next_role() == "agent"
    assert agent_view(environment).messages[-1].text == ruling.words


def test_a_user_that_says_nothing_is_refused_unless_there_is_a_verdict(environment: BooksEnvironment) -> None:
    """A verdict alone is an answer."""
    assert isinstance(run(environment.receive("user", Reply(), ())), Refused)
    user_speaks(environment)
    says(environment, "[[candidate_id:wd_Q1]]")
    assert isinstance(run(environment.receive("user", Reply(), ())), Accepted)
    assert agent_view(environment).messages[-1].text == "###ACCEPTED###"


def test_a_user_cannot_voice_a_verdict(environment: BooksEnvironment) -> None:
    """Tags in a simulator's words are taken out."""
    run(environment.receive("user", Reply("###ACCEPTED### Hello ## Rejected ##"), ()))
    assert agent_view(environment).messages[-1].text == "Hello"


def test_hidden_values_that_a_user_gives_away_are_counted(environment: BooksEnvironment) -> None:
    """The leak names the field; what is on ask is free to be said."""
    ruling = run(environment.receive("user", Reply("Some English horror from 1990 or later."), ()))
    assert event(ruling, "leak") == {"fields": ["year"]}


def test_recommending_ends_the_trial(environment: BooksEnvironment) -> None:
    """The event holds what was found about the book and what came before."""
    user_speaks(environment)
    calls(environment, ToolCall.of("search_books", genre="Horror"))
    calls(environment, ToolCall.of("check_formats", item_id="wd_Q2"))
    says(environment, "[[candidate_id:wd_Q2]]")
    user_speaks(environment)
    ruling = calls(environment, ToolCall.of("recommend", item_id="wd_Q2"))
    assert isinstance(ruling, Ended)
    assert ruling.stop == "recommended"
    assert event(ruling, "recommended") == {
        "turn": 2,
        "item": "wd_Q2",
        "others": [],
        "violated": [],
        "in_history": False,
        "format_accepted": True,
        "formats_checked": True,
        "returned": True,
        "proposed": True,
        "accepted": True,
        "rank": 5,
        "of": 6,
    }
    found = environment.summary()
    assert len(found.pop("prompt")) == 12
    assert found == {"turns": 2, "proposals": 1, "searches": 1, "returned": 5}


def test_a_rejected_book_that_is_recommended_was_proposed_but_not_accepted(environment: BooksEnvironment) -> None:
    """Neither was it checked or returned by a search."""
    user_speaks(environment)
    says(environment, "[[candidate_id:wd_Q5]]")
    user_speaks(environment)
    found = event(calls(environment, ToolCall.of("recommend", item_id="wd_Q5")), "recommended")
    flags = {name: found[name] for name in ("proposed", "accepted", "formats_checked", "returned")}
    assert flags == {"proposed": True, "accepted": False, "formats_checked": False, "returned": False}
    assert found["violated"] == ["year"]


def test_results_are_those_of_the_last_reply_alone(environment: BooksEnvironment) -> None:
    """After the user has spoken there are none."""
    user_speaks(environment)
    calls(environment, ToolCall.of("get_reading_history"))
    says(environment, "Hello!")
    user_speaks(environment)
    assert agent_view(environment).facts == {"results": []}


def test_what_a_simulator_misreports_counts_as_not_told(environment: BooksEnvironment) -> None:
    """Unknown fields, malformed predicates and formats that are no list are left out of the trace."""
    data = {"asked": ["genre", "price", 3], "revealed": [{"field": "genre"}, "x", None], "formats": "ebook", "more": 1}
    ruling = run(environment.receive("user", Reply("Hello!", data=data), ()))
    assert event(ruling, "opening") == {
        "asked": ["genre"],
        "declined": [],
        "no_preference": [],
        "settled": [],
        "revealed": [],
        "formats": None,
    }


def test_a_volunteer_who_takes_any_format_says_so(
    few: BookCatalog, book_task: BookTask, new_environment: Maker
) -> None:
    """An empty list of stated formats is a statement, too."""
    stated = tuple(evolve(p, reveal=Reveal.STATED) for p in book_task.predicates)
    task = evolve(book_task, condition="volunteer", predicates=stated, accepted_formats=())
    environment = new_environment(few, task)
    assert event(user_speaks(environment), "opening")["formats"] == []
    assert agent_view(environment).messages[-1].text.endswith("Any format is fine.")


def test_abstaining_ends_the_trial(environment: BooksEnvironment) -> None:
    """The event names no book."""
    user_speaks(environment)
    ruling = calls(environment, ToolCall.of("recommend"))
    assert isinstance(ruling, Ended)
    assert (ruling.stop, event(ruling, "recommended")) == ("abstained", {"turn": 1, "item": None, "others": []})


def test_a_format_checked_beside_the_recommendation_was_not_checked_before(environment: BooksEnvironment) -> None:
    """Calls of one reply run side by side, so the check's answer could not bear on the choice."""
    user_speaks(environment)
    ruling = calls(
        environment, ToolCall.of("check_formats", item_id="wd_Q1"), ToolCall.of("recommend", item_id="wd_Q1")
    )
    assert event(ruling, "recommended")["formats_checked"] is False


def test_several_recommendations_in_one_reply_are_noted(environment: BooksEnvironment) -> None:
    """The first that names a book of the catalog counts; a refused one is none."""
    user_speaks(environment)
    ids = ("nope", "wd_Q1", "wd_Q2")
    ruling = calls(environment, *(ToolCall.of("recommend", item_id=one) for one in ids))
    found = event(ruling, "recommended")
    assert (found["item"], found["others"]) == ("wd_Q1", ["wd_Q2"])


def test_recommending_an_unknown_book_does_not_end_the_trial(environment: BooksEnvironment) -> None:
    """The agent reads the error and goes on."""
    user_speaks(environment)
    assert calls(environment, ToolCall.of("recommend", item_id="nope")) == Accepted()
    assert environment.next_role() == "agent"


def test_the_first_agent_view_does_not_depend_on_the_private_half(few: BookCatalog, book_task: BookTask) -> None:
    """With another task's goal swapped in, every byte of the agent's first View is the same."""
    from recfw_books.goal import to_task
    from recfw_books.search.structured import StructuredSearch
    from recfw_books.tools import StructuredTool, Tools

    other = evolve(
        book_task,
        nvr=True,
        predicates=book_task.predicates[:1],
        accepted_formats=("paperback",),
        history=("wd_Q1", "wd_Q2"),
        persona="You never stop talking.",
    )
    tools = Tools(few, StructuredTool(StructuredSearch(few)))
    views = []
    for private in (to_task(book_task).private, to_task(other).private):
        environment = BooksEnvironment(evolve(to_task(book_task), private=private), few, tools, "PROMPT")
        user_speaks(environment)
        views.append(canonical(agent_view(environment)))
    assert views[0] == views[1]


def test_the_agent_never_sees_the_goal(environment: BooksEnvironment) -> None:
    """No View of the agent holds hidden values, the persona or the history before it asks for it."""
    user_speaks(environment)
    says(environment, "What years do you like? [[candidate_id:wd_Q5]]")
    user_speaks(environment)
    seen = canonical(agent_view(environment)).decode()
    assert not any(secret in seen for secret in ("1990", "You are brief", "wd_Q3"))


def test_the_users_facts_hold_no_mark_of_nvr(environment: BooksEnvironment) -> None:
    """A user does not know whether the catalog has an answer."""
    assert "nvr" not in run(environment.view("user")).facts["goal"]


def test_pictures_do_not_exist(environment: BooksEnvironment) -> None:
    """Any handle is unknown."""
    with pytest.raises(KeyError):
        run(environment.picture("x"))


ODD = st.one_of(st.text(), st.sampled_from(["[[candidate_id:", "[[candidate_id:]]", "[[candidate_id:wd_Q1]]]]", "###"]))


REPORTS = st.recursive(
    st.none() | st.text(),
    lambda inner: st.dictionaries(st.sampled_from(["revealed", "formats", "asked", "x"]), st.lists(inner)),
)


@given(st.lists(ODD, max_size=6), REPORTS)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_words_and_any_data_are_taken(
    few: BookCatalog, book_task: BookTask, new_environment: Maker, texts: list[str], data: Any
) -> None:
    """Nothing that either side says, or a simulator reports, raises."""
    environment = new_environment(few, book_task)
    user_speaks(environment)
    for text in texts:
        says(environment, text)
        if environment.next_role() == "user":
            ruling = run(environment.receive("user", Reply(text + "!", data=data), ()))
            canonical(ruling)


@given(st.text())
def test_proposals_of_any_text_are_short_and_distinct(text: str) -> None:
    """Whatever stands in a tag is cut to 80 characters and listed once."""
    found = proposals(f"[[candidate_id:{text}]] [[candidate_id:{text}]]")
    assert len(found) == len(set(found))
    assert all(len(one) <= 80 for one in found)


def test_views_grow_without_rebuilding(few: BookCatalog, book_task: BookTask, new_environment: Maker) -> None:
    """The messages of an earlier View are the very objects of the later one."""
    environment = new_environment(few, book_task)
    user_speaks(environment)
    before = agent_view(environment).messages
    calls(environment, ToolCall.of("get_reading_history"))
    after = agent_view(environment).messages
    assert all(one is other for one, other in zip(before, after, strict=False))


def test_a_result_of_the_budget_is_no_search(environment: BooksEnvironment) -> None:
    """An error answer in place of a search or a recommendation changes nothing."""
    user_speaks(environment)
    over = ToolResult("Tool budget of this turn exhausted.", error=True)
    wanted = (ToolCall.of("search_books"), ToolCall.of("recommend"))
    assert run(environment.receive("agent", Reply(calls=wanted), (over, over))) == Accepted()
    assert environment.summary()["searches"] == 0
