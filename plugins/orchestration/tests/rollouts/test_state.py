"""The planning state and the candidate bus on their own."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recfw.errors import UsageError
from recfw.model.reply import Reply, ToolCall, ToolResult
from recfw_orchestration.rollout.budget import DEFAULTS, allowances
from recfw_orchestration.rollout.bus import CandidateBus, empty, item_ids
from recfw_orchestration.rollout.state import PlanningState
from recfw_orchestration.rollout.telling import call_words, finding_words, shown, tokens_of


def round_of(number: int, size: int = 10) -> tuple[Reply, list[ToolResult]]:
    """Return a round of two calls."""
    ids = [f"I{number}{place}" for place in range(size)]
    made = (ToolCall.of("find", query=f"query {number}"), ToolCall.of("detail", item_ids=ids))
    found = {"items": [{"item_id": one, "name": "x" * 50, "price": 1.5} for one in ids], "total": size}
    return Reply(f"plan {number}", calls=made), [ToolResult(found), ToolResult("no such item", error=True)]


def test_ids_are_found_at_any_depth_in_reading_order() -> None:
    """Under item_id one, under item_ids several."""
    content = {"items": [{"item_id": "a", "more": {"item_id": "b"}}, {"page_id": "p", "item_ids": ["c", "a"]}]}
    assert list(item_ids(content)) == ["a", "b", "c", "a"]
    assert list(item_ids("a")) == []


def test_the_bus_keeps_the_calls_that_found_an_item() -> None:
    """A call counts once, however often its result names the item."""
    bus = CandidateBus()
    assert bus.take("1.1", {"item_id": "a", "item_ids": ["a", "b"]}) == 2
    assert bus.take("2.1", {"item_id": "b"}) == 0
    assert bus.found == {"a": ["1.1"], "b": ["1.1", "2.1"]}


def test_the_bus_in_words_names_candidates_first_and_counts_the_rest() -> None:
    """Then what was found most often, then by id."""
    bus = CandidateBus({"x": ["1.1", "1.2"], "a": ["1.1"], "y": ["1.1"]})
    assert bus.words(["a", "b"], 1) == "3 items found, 1 of the 2 candidates among them: a (1.1); x (1.1, 1.2); 1 more."


@pytest.mark.parametrize(
    ("content", "is_empty"),
    [({"items": []}, True), ({"items": [1]}, False), ({}, True), (None, True), ("", True), ({"text": ""}, False)],
)
def test_an_empty_result_lists_nothing(content: Any, is_empty: bool) -> None:
    """No content, or a list of items without one."""
    assert empty(content) is is_empty


def test_compression_starts_with_the_oldest_round() -> None:
    """Recent rounds stay whole as long as they fit."""
    state = PlanningState(budget=700)
    done = [state.take(*round_of(number)) for number in range(1, 5)]
    assert [one is None for one in done] == [True, True, False, False]
    assert 0 < state.compressed < 4
    assert state.tokens <= 700
    assert state.messages[0].text.startswith("Earlier rounds, compressed:\nRound 1 (plan 1):\n  1.1 find(query=")


def test_compression_goes_as_far_as_it_must_and_no_further() -> None:
    """With no room at all every round is told tightly, still in order and by its tools."""
    state = PlanningState(budget=1)
    for number in range(1, 4):
        state.take(*round_of(number, size=20))
    assert (state.compressed, state.tight, len(state.messages)) == (3, True, 1)
    text = state.messages[0].text
    places = [text.index(f"{number}.1 find(query=") for number in (1, 2, 3)]
    assert places == sorted(places)
    assert text.count("detail(item_ids=") == 3
    assert "error: no such item" in text
    assert state.compress("empty") is None


def test_an_empty_response_compresses_one_step() -> None:
    """Even where everything fits."""
    state = PlanningState(budget=10_000)
    state.take(*round_of(1))
    state.take(*round_of(2))
    done = state.compress("empty")
    assert done is not None
    assert (done.why, done.rounds, state.compressed) == ("empty", 1, 1)
    assert done.after < done.before


@given(st.integers(1, 400), st.lists(st.integers(0, 30), min_size=1, max_size=6))
@settings(deadline=None)
def test_whatever_the_budget_no_round_is_lost(budget: int, sizes: list[int]) -> None:
    """Each round's number and tools stand in the state, and it is within its budget or tight."""
    state = PlanningState(budget=budget)
    for number, size in enumerate(sizes, start=1):
        state.take(*round_of(number, size))
    text = "\n".join(m.text + " ".join(call.name + call.arguments for call in m.calls) for m in state.messages)
    assert all(f"query {number}" in text for number in range(1, len(sizes) + 1))
    assert state.tokens <= budget or state.tight


def test_calls_in_words_cut_long_values() -> None:
    """Lists after three elements; arguments that are no JSON object stand as they were sent."""
    call = ToolCall.of("rank", item_ids=list("abcdef"), text="y" * 100)
    assert call_words(call) == f'rank(item_ids=["a", "b", "c", … 6 in all], text="{"y" * 46}…)'
    assert call_words(ToolCall("rank", "[1")) == "rank([1)"


def test_tokens_are_a_quarter_of_the_bytes() -> None:
    """Rounded up."""
    assert [tokens_of(text) for text in ("", "a", "abcd", "abcde", "éé")] == [0, 1, 1, 2, 1]


def test_results_are_cut_by_items_and_characters() -> None:
    """Ten entries of a list, 200 characters of a text, six entries within an entry."""
    content = {"items": [{"text": "z" * 300, "tags": list(range(9))}] * 12}
    text = shown(content)
    assert text.count("z" * 199 + "…") == 10
    assert text.count("… 3 more") == 10
    assert text.endswith('"… 2 more"]}')


def test_limits_of_a_level_can_be_replaced() -> None:
    """Alone or several; the others keep their defaults."""
    found = allowances({"L1": 9}, {}, {"L4": 5})
    assert (found["L1"].rounds, found["L1"].calls, found["L4"].tokens) == (9, DEFAULTS["L1"].calls, 5)
    assert found["L2"] == DEFAULTS["L2"]


@pytest.mark.parametrize(
    ("rounds", "words"),
    [({"L5": 1}, "there is no level 'L5'"), ({"L1": 0}, "at least 1, not 0"), ({"L1": True}, "at least 1, not True")],
)
def test_limits_that_cannot_be_are_refused(rounds: dict[str, Any], words: str) -> None:
    """With the level and what is needed."""
    with pytest.raises(UsageError, match=words):
        allowances(rounds, {}, {})


def test_candidates_are_the_last_to_be_cut() -> None:
    """Of fifteen entries the first nine others and the candidate at the end; compressed, it comes first."""
    entries = [{"item_id": f"X{number:02}", "name": "n", "score": number} for number in range(15)]
    text = shown({"items": entries}, {"X14"})
    assert [f"X{number:02}" in text for number in range(15)] == [*[True] * 9, *[False] * 5, True]
    assert "… 5 more" in text
    told = finding_words({"items": entries}, {"X14"}, error=False)
    assert told.startswith("15 items: X14, X00, X01")
    assert "; X14: score 14, name n; X00: score 0" in told
