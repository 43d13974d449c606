"""Large tool answers: kept as attachments by their SHA-256, put back when a trace is read, compared by replay."""

import sqlite3
from pathlib import Path

import pytest
from fakes.bench import Bench
from fakes.rounds import Rounds

from recfw.cli.main import invoke
from recfw.model.reply import ToolResult
from recfw.model.run import TrialKey
from recfw.registry import Registry
from recfw.serialize import LARGE, payloads, unpack_trace
from recfw.store.repository import Store

KEY = TrialKey("fake-planner", "r7", 0)


@pytest.fixture
def bench(fakes_registry: Registry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    """A bench whose rounds give answers with a payload of 300 kB."""
    small = Rounds.call

    async def call(self, role, tool, arguments):
        result = await small(self, role, tool, arguments)
        return ToolResult(result.content, notes={**result.notes, "page": "x" * 300_000})

    monkeypatch.setattr(Rounds, "call", call)
    made = Bench(fakes_registry, tmp_path)
    made.run(made.spec("fake-rounds"))
    return made


def test_large_notes_are_kept_once_and_apart(bench: Bench) -> None:
    """The stored lines are small and refer to attachments; equal payloads are kept once."""
    with Store.open(bench.place) as store:
        packed = store.packed_trace("r1", KEY)
        kept = store.attachment_index("r1", KEY)
    references = [sha for event in unpack_trace(packed).events for sha in payloads(event)]
    assert 8 == len(references)
    assert {item.sha256 for item in kept} == set(references)
    assert 2 == len(kept)
    assert all(item.size > LARGE for item in kept)


def test_a_read_trace_is_whole(bench: Bench) -> None:
    """Whoever reads the trace from the store, as metrics and analyses do, sees the payloads."""
    with Store.open(bench.place) as store:
        trace = store.trace("r1", KEY)
    assert all(300_000 == len(event.notes["page"]) for event in trace.tools())


def test_replay_compares_them(bench: Bench, capsys: pytest.CaptureFixture[str]) -> None:
    """An unaltered payload replays; altered bytes are named with trial and event."""
    assert 0 == invoke(["replay", "--store", bench.place])
    with sqlite3.connect(bench.place) as database:
        database.execute("UPDATE attachment SET data = ?", (b'{"page": "y"}',))
    capsys.readouterr()
    assert 1 == invoke(["replay", "--store", bench.place, "--trial", "r7"])
    assert "fake-planner/r7/0, event 2" in capsys.readouterr().out
