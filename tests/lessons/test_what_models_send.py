"""What models send: one validator before any tool, the raw text kept beside what was executed, answers by position."""

from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from fakes import rounds
from fakes.pain import Pain
from fakes.painful import SLOPPY

from recfw.registry import Registry
from recfw.testing.contracts import TrackContract

RAW, REPLY = [call.arguments for call in SLOPPY], "half a pair: ?"


@pytest.fixture
def sent(pain: Pain) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The reply of an agent that sends what models send, and the answers, as they are stored."""
    done = pain.run("pain-sloppy", "--tasks", "r3", track="fake-rounds")
    assert done.status == 0
    events = pain.events("r3")
    reply = next(event["reply"] for event in events if event["kind"] == "reply" and event["role"] == "agent")
    return reply, [event for event in events if event["kind"] == "tool"][: len(SLOPPY)]


def refused(answer: dict[str, Any], words: str) -> bool:
    """Tell whether a call was answered with an error that says this, and reached no tool."""
    return answer["error"] and answer["arguments"] is None and words in answer["content"]


def test_i4822_an_object_with_something_behind_it_is_no_object(sent: Any) -> None:
    """`{}""` is answered with an error that quotes it."""
    assert refused(sent[1][0], 'no valid JSON (unexpected content after document: line 1 column 3 (char 2)): {}""')


def test_tidebreak1084_what_is_no_json_is_not_taken_for_an_empty_object(sent: Any) -> None:
    """`n = 3` is answered with an error that quotes it."""
    assert refused(sent[1][1], ": n = 3")


def test_t430_numbers_as_strings_are_read_and_both_are_kept(sent: Any) -> None:
    """`{"n": "3"}` is executed with 3, noted as read leniently, and stands in the reply as it was sent."""
    reply, answers = sent
    assert (answers[2]["arguments"], answers[2]["error"]) == ({"n": 3}, False)
    assert answers[2]["notes"]["coerced"] == ["n"]
    assert reply["calls"][2]["arguments"] == '{"n": "3"}'


def test_fastmcp932_what_was_encoded_twice_is_read_and_no_list_is_a_number(sent: Any) -> None:
    """Arguments as a string are the object that the string holds; a list in a string is no number."""
    _, answers = sent
    assert (answers[3]["arguments"], answers[3]["notes"]["coerced"]) == ({"n": 90}, ["$"])
    assert refused(answers[4], 'n: "[90]" is not of type "integer"')


def test_openhands2488_a_literal_backslash_n_is_not_guessed_at(sent: Any) -> None:
    """Between values it is an error; a raw line break within a string is what it is, a line break."""
    _, answers = sent
    assert refused(answers[5], "no valid JSON")
    assert answers[8]["arguments"] == {"n": 90, "why": "? two\nlines"}


def test_livebench485_smolagents2684_each_call_is_answered_by_position(sent: Any) -> None:
    """Empty and repeated ids are kept as they came, and no answer goes astray."""
    reply, answers = sent
    assert [call["id"] for call in reply["calls"]] == [call.id for call in SLOPPY]
    assert [answer["position"] for answer in answers] == list(range(len(SLOPPY)))
    assert [answer["tool"] for answer in answers] == [call.name for call in SLOPPY]


def test_i2316_half_a_pair_is_cleaned_at_the_door(sent: Any, pain: Pain) -> None:
    """A lone surrogate is stored as `?`, and the trial reads and replays."""
    assert sent[0]["text"] == REPLY
    assert sent[0]["calls"][8]["arguments"] == '{"n": 90, "why": "? two\nlines"}'
    assert REPLY in pain.typed("trace", "latest", "r3").out
    assert pain.typed("replay").out.endswith("1 trial replayed, no difference.\n")


def test_codex8174_a_name_with_a_dot_or_colon_is_answered(sent: Any) -> None:
    """`server.above` and `server:above` are no tools; the answer names the one that is meant."""
    for answer in sent[1][6:8]:
        assert refused(answer, "Did you mean 'above'?")


def test_t92_thoughts_stay_with_the_one_who_has_them(pain: Pain) -> None:
    """Reasoning is kept with the reply; no View of any role ever has it."""
    assert pain.run("pain-thinker", "--tasks", "d0").status == 0
    replies = [event for event in pain.events("d0") if event["kind"] == "reply"]
    assert all(event["reply"]["reasoning"].startswith("THOUGHT") for event in replies if event["role"] == "agent")
    assert "THOUGHT" not in str([event for event in replies if event["role"] == "user"])
    assert (pain.noted("saw-thoughts"), pain.noted("saw-words")) == (0, 4)


def test_codex8174_the_contract_of_tracks_refuses_such_names(
    fakes_registry: Registry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A track that offers a tool `server.above` fails its contract, before any provider refuses its requests."""
    tools = tuple(evolve(tool, name=f"server.{tool.name}") for tool in rounds.TOOLS)
    monkeypatch.setattr(rounds, "TOOLS", tools)
    suite = type("Suite", (TrackContract,), {"component": rounds.RoundsTrack})()
    with pytest.raises(AssertionError, match=r"server\.multiples"):
        suite.test_tools_have_names_that_every_provider_takes(fakes_registry, tmp_path)
