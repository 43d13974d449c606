"""`recfw replay` on stores that were edited behind its back: each edit is named, and the rest is replayed."""

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fakes.bench import Bench

from recfw.cli.main import invoke
from recfw.errors import ExitCode
from recfw.registry import Registry
from recfw.serialize import pack_trace, trace_lines

Replay = Callable[[], tuple[int, list[str]]]
TRACE_OF = "(SELECT id FROM trial WHERE task_id = ?)"
CHECKSUM = "the stored line is not the one that was recorded (checksum)"


@pytest.fixture(scope="module")
def played(fakes_registry: Registry, tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """Track -> the bytes of a store with a run of it, the agent being a model."""
    found = {}
    for track, agent in (("fake-dialogue", "fake-model"), ("fake-pictures", "fake-guide-model")):
        bench = Bench(fakes_registry, tmp_path_factory.mktemp(track))
        bench.run(bench.spec(track, agent))
        found[track] = Path(bench.place).read_bytes()
    return found


@pytest.fixture
def place(played: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store with a run of the dialogue track."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "runs.db"
    path.write_bytes(played["fake-dialogue"])
    return path


@pytest.fixture
def replayed(place: Path, capsys: pytest.CaptureFixture[str]) -> Replay:
    """A function that replays the run; it returns the exit status and the lines printed, the last one left out."""

    def run() -> tuple[int, list[str]]:
        status = invoke(["replay", "--store", str(place)])
        *lines, last = capsys.readouterr().out.splitlines()
        assert last.startswith("Run r1: ")
        return status, lines

    return run


def change(place: Path, statement: str, *values: Any) -> None:
    """Execute one statement on a store's file."""
    with sqlite3.connect(place) as connection:
        assert connection.execute(statement, values).rowcount
    connection.close()


def edit_trace(place: Path, task: str, edit: Callable[[list[Any]], Any]) -> None:
    """Edit the events of a task's first trial and pack them again, validly."""
    with sqlite3.connect(place) as connection:
        query = f"SELECT trial_id, data FROM trace WHERE trial_id IN {TRACE_OF}"
        number, packed = connection.execute(query, (task,)).fetchone()
        events = [json.loads(line) for line in trace_lines(packed)]
        edit(events)
        data = pack_trace(json.dumps(event, ensure_ascii=False, separators=(",", ":")).encode() for event in events)
        connection.execute("UPDATE trace SET data = ? WHERE trial_id = ?", (data, number))
    connection.close()


@pytest.mark.usefixtures("place")
def test_untouched(replayed: Replay) -> None:
    """A run that nobody touched has no difference."""
    assert replayed() == (ExitCode.DONE, [])


@pytest.mark.parametrize(
    "edited",
    [
        {"text": "Hm."},
        {"reasoning": "Hm."},
        {"data": {"a": 1}},
        {"usage": {"input_tokens": 5, "output_tokens": 1}},
    ],
    ids=lambda edited: next(iter(edited)),
)
def test_edited_reply_of_a_model(place: Path, replayed: Replay, edited: dict[str, Any]) -> None:
    """A harmless edit of what replay reads from the trace is found with trial and event."""
    edit_trace(place, "d1", lambda events: events[4]["reply"].update(edited))
    assert replayed() == (ExitCode.FOUND, [f"fake-model/d1/0, event 4: {CHECKSUM}"])


def test_edited_duration(place: Path, replayed: Replay) -> None:
    """A duration is not computed anew, and yet what was recorded of it is kept."""
    edit_trace(place, "d1", lambda events: events[2].update(seconds=9.5))
    assert replayed() == (ExitCode.FOUND, [f"fake-model/d1/0, event 2: {CHECKSUM}"])


def test_edited_answer_of_a_tool(place: Path, replayed: Replay) -> None:
    """What is computed anew is told with both sides."""
    edit_trace(place, "d1", lambda events: events[2]["content"].update(color="green"))
    words = f'fake-model/d1/0, event 2: stored content.color = "green"; replayed content.color = "red"; {CHECKSUM}'
    assert replayed() == (ExitCode.FOUND, [words])


def test_missing_trace(place: Path, replayed: Replay) -> None:
    """A trial without its trace is named, and the others are replayed."""
    change(place, f"DELETE FROM trace WHERE trial_id IN {TRACE_OF}", "d1")
    edit_trace(place, "d2", lambda events: events[4]["reply"].update(text="Hm."))
    words = "run r1, trial fake-model/d1/0: its trace is missing. Restore a copy of the store to read it."
    assert replayed() == (ExitCode.FOUND, [words, f"fake-model/d2/0, event 4: {CHECKSUM}"])


@pytest.mark.parametrize(
    ("column", "value", "said"),
    [
        ("stop", "agent_error", 'record: stored stop = "agent_error"; replayed stop = "chosen"'),
        ("seconds", 99.0, "record of attempt 1: what is stored is not what was recorded (checksum)"),
        ("status", "failed", "record of attempt 1: what is stored is not what was recorded (checksum)"),
        ("status", "interrupted", "record of attempt 1: what is stored is not what was recorded (checksum)"),
    ],
)
def test_edited_record(place: Path, replayed: Replay, column: str, value: Any, said: str) -> None:
    """What reports read of a trial is compared, also where the edit keeps it from being replayed."""
    change(place, f"UPDATE trial SET {column} = ? WHERE task_id = 'd1'", value)
    assert replayed() == (ExitCode.FOUND, [f"fake-model/d1/0, {said}"])


def test_edited_score_of_a_judge(place: Path, replayed: Replay) -> None:
    """A rating, which no replay can compute anew, is held against its checksum."""
    columns = "trial_id, metric, scorer, scored, value, detail, checksum"
    change(place, f"INSERT INTO score ({columns}) SELECT id, 'tone', 'judge', 1, 5.0, '{{}}', x'00' FROM trial LIMIT 1")
    status, (line,) = replayed()
    assert status == ExitCode.FOUND
    assert line.endswith("/0, tone by judge: what is stored is not what was recorded (checksum)")


def test_edited_task(place: Path, replayed: Replay) -> None:
    """Reports split by what stored tasks say, so they are compared with the content's."""
    change(place, "UPDATE task SET data = replace(data, 'red', 'blue') WHERE data LIKE '%\"id\":\"d1\"%'")
    status, lines = replayed()
    assert status == ExitCode.FOUND
    assert lines[0].startswith("task 'd1': stored ")
    assert len(lines) == 1


def test_task_that_is_none(place: Path, replayed: Replay) -> None:
    """A stored task that cannot be read is named, and the trials are replayed."""
    change(place, "UPDATE task SET data = '{}' WHERE data LIKE '%\"id\":\"d1\"%'")
    edit_trace(place, "d2", lambda events: events[4]["reply"].update(text="Hm."))
    status, lines = replayed()
    assert status == ExitCode.FOUND
    assert [line.partition(": ")[0] for line in lines] == ["run r1, stored task 'd1'", "fake-model/d2/0, event 4"]


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("UPDATE attachment SET data = x'00'", "the bytes of attachment"),
        ("DELETE FROM attachment", "there is no attachment"),
    ],
)
def test_edited_picture(place: Path, played: dict[str, bytes], replayed: Replay, statement: str, said: str) -> None:
    """A picture whose stored bytes are not those that the model saw is named by its event, in every trial."""
    place.write_bytes(played["fake-pictures"])
    change(place, statement)
    status, lines = replayed()
    assert status == ExitCode.FOUND
    assert len(lines) == 9
    assert lines[0].startswith("fake-guide-model/p0/0, event 0: ")
    assert said in lines[0]


def test_attempt_that_is_not_there(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`recfw trace --attempt 9` is an error of usage that names the attempts there are."""
    assert invoke(["trace", "latest", "d1", "--attempt", "9", "--store", str(place)]) == ExitCode.USAGE
    assert "trial fake-model/d1/0 of run r1 has no attempt 9. It has: 1." in capsys.readouterr().err
