"""Packed traces: every event survives, whatever a component put into it; damage is named."""

import zlib
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recfw.errors import DataError
from recfw.model.reply import Reply, ToolCall, Usage
from recfw.model.trace import (
    EndEvent,
    Event,
    PictureEvent,
    RefusalEvent,
    ReplyEvent,
    ToolEvent,
    Trace,
    WorldEvent,
)
from recfw.serialize import event_line, pack_trace, read_event, trace_lines, unpack_trace

TEXT = st.text(st.characters(codec="utf-8"), max_size=12)
COUNT = st.integers(0, 10**6)
SECONDS = st.floats(0, 1e6)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | TEXT
    | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=8,
)  # fmt: skip
OBJECT = st.dictionaries(TEXT, JSON, max_size=3)
USAGE = st.builds(Usage, COUNT, COUNT, COUNT, COUNT, st.none() | st.floats(0, 100), OBJECT)
REPLY = st.builds(
    Reply, TEXT, st.lists(st.builds(ToolCall, TEXT, TEXT, TEXT), max_size=3).map(tuple), JSON, TEXT, TEXT,
    st.none() | USAGE,
)  # fmt: skip
EVENT = st.one_of(
    st.builds(ReplyEvent, TEXT, COUNT, REPLY, SECONDS),
    st.builds(ToolEvent, TEXT, COUNT, COUNT, TEXT, st.none() | OBJECT, JSON, st.booleans(), OBJECT, SECONDS),
    st.builds(WorldEvent, TEXT, OBJECT),
    st.builds(RefusalEvent, TEXT, COUNT, TEXT),
    st.builds(PictureEvent, TEXT, TEXT, TEXT, TEXT),
    st.builds(EndEvent, TEXT, OBJECT, TEXT),
)
END = EndEvent("done", {"n": 1})


@given(EVENT)
def test_every_event_survives(event: Event) -> None:
    """An event comes back equal from its line, which has no line break in it."""
    line = event_line(event)
    assert b"\n" not in line
    assert read_event(line) == event


@given(st.lists(EVENT, max_size=5))
def test_every_trace_survives(events: list[Event]) -> None:
    """A trace comes back equal from its packed bytes, and equal events give equal bytes."""
    packed = pack_trace(map(event_line, events))
    assert unpack_trace(packed) == Trace(tuple(events))
    assert packed == pack_trace(map(event_line, unpack_trace(packed).events))


def test_long_traces_are_read_a_piece_at_a_time() -> None:
    """A trace of several megabytes yields every line, although its bytes are inflated in pieces."""
    lines = [event_line(WorldEvent("w", {"n": n, "text": "x" * 1000})) for n in range(5000)]
    assert list(trace_lines(pack_trace(lines))) == lines


@pytest.mark.parametrize(
    ("odd", "kept"),
    [
        ("a\ud800b", "a?b"),
        (float("nan"), None),
        (float("inf"), None),
        (2**64, str(2**64)),
        (-(2**63) - 1, str(-(2**63) - 1)),
        (2**64 - 1, 2**64 - 1),
        (date(2026, 1, 2), "2026-01-02"),
        ({"s": {3, 1}}, {"s": ["1", "3"]}),
        ((1, 2), [1, 2]),
        ({1: "a", None: "b"}, {"1": "a", "null": "b"}),
        (b"bytes", "b'bytes'"),
        (ValueError("x"), "ValueError('x')"),
    ],
)
def test_odd_values_become_json(odd: Any, kept: Any) -> None:
    """Whatever a world puts into an event is kept as JSON that can be read again."""
    again = read_event(event_line(WorldEvent("w", {"odd": odd})))
    assert again == WorldEvent("w", {"odd": kept})


def test_odd_values_beside_lone_surrogates() -> None:
    """One odd value does not spoil those beside it."""
    event = ToolEvent("agent", 1, 0, "t\udfff", {"k\ud800": 2**70}, ["x\ud800", 1.5, None, True], notes={"n": 2**64})
    again = read_event(event_line(event))
    assert again == ToolEvent("agent", 1, 0, "t?", {"k?": str(2**70)}, ["x?", 1.5, None, True], notes={"n": str(2**64)})


def test_deep_nesting_is_cut_not_raised() -> None:
    """An event nested beyond what JSON writers follow is kept, cut."""
    deep: Any = 1
    for _ in range(400):
        deep = [deep]
    again = read_event(event_line(WorldEvent("w", {"deep": deep})))
    assert "nested too deeply" in str(again)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (b"", "no valid JSON"),
        (b"[]", "no event kind"),
        (b'{"stop": "done"}', "no event kind"),
        (b'{"kind": "ended", "stop": "done"}', "no event kind"),
        (b'{"kind": "end"}', "required field missing @ $.stop"),
        (b'{"kind": "end", "stop": "a", "why": 1}', "extra fields found (why)"),
        (b'{"kind": "end", "stop": 1}', "str @ $.stop"),
        (b'{"kind": "reply", "role": "a", "turn": "1", "reply": {}}', "int @ $.turn"),
        (b'{"kind": "reply", "role": "a", "turn": 1, "reply": {"calls": [{"nme": "x"}]}}', "$.reply.calls[0]"),
    ],
)
def test_a_wrong_line_is_named(line: bytes, words: str) -> None:
    """A line that is no event is an error with the place and the fault's path."""
    with pytest.raises(DataError) as caught:
        read_event(line, "trial c/t/0, event 4")
    assert words in str(caught.value)
    assert str(caught.value).startswith("trial c/t/0, event 4: ")


def test_a_damaged_trace_names_its_trial() -> None:
    """A flipped byte is found, and the message says of which trial."""
    packed = bytearray(pack_trace([event_line(WorldEvent("w", {"n": n})) for n in range(50)]))
    packed[len(packed) // 2] ^= 0xFF
    with pytest.raises(DataError, match=r"^trial c/t/0"):
        unpack_trace(bytes(packed), "trial c/t/0")


@pytest.mark.parametrize("keep", [0, 1, 10, -5, -1])
def test_a_trace_cut_off_is_said_so(keep: int) -> None:
    """Bytes that end too early are an error, never a shorter trace."""
    packed = pack_trace([event_line(WorldEvent("w", {"n": n})) for n in range(50)])
    with pytest.raises(DataError, match="cut off"):
        unpack_trace(packed[:keep], "trial")


def test_a_trace_of_other_bytes_is_damaged() -> None:
    """Bytes that were never packed are said to be damaged."""
    with pytest.raises(DataError, match="damaged"):
        unpack_trace(b"not a trace at all")


def test_a_wrong_event_in_a_sound_trace_is_numbered() -> None:
    """An event that does not fit is named by its number in the trace."""
    packed = zlib.compress(event_line(END) + b"\n" + b'{"kind": "nothing"}')
    with pytest.raises(DataError, match="trial c/t/0, event 1: no event kind"):
        unpack_trace(packed, "trial c/t/0")


def test_the_empty_trace_survives() -> None:
    """A trace without events is one."""
    assert unpack_trace(pack_trace([])) == Trace()
