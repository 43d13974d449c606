"""`recfw runs watch`: what it says of a run that goes on, ends, or was killed; and the lines that it writes."""

import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest
from attrs import evolve
from fakes.bench import wait_until

from recfw.cli.pace import duration
from recfw.cli.watch_lines import plain_line, screen
from recfw.store.repository import Store
from recfw.store.watcher import CellCount, Flying, Sight
from recfw.testing.project import Project

SLOW = ("run", "--track", "fake-dialogue", "--agent", "fake-slow", "--concurrency", "2")
SIGHT = Sight(
    run="r1", state="running", status="running", pid=7, now=0.0, planned=10, completed=4, failed=1,
    kinds={"outage": 1}, rate=0.5, left=130.0, cells={"a": CellCount(4, 1, 10)},
    in_flight=(Flying("a/t1/0", 1, 3.0), Flying("a/t2/0", 2, 75.0)), tokens=12345, cost=0.5,
)  # fmt: skip


def looks(text: str) -> list[dict[str, Any]]:
    """Return the looks of ``--json``."""
    return [orjson.loads(line) for line in text.splitlines()]


def test_a_run_is_watched_to_its_end(project: Project, trouble: Path, recfw) -> None:
    """From another process: counts only grow, what is in flight is seen, and the watch ends with the run, status 0."""
    run = project.start(*SLOW, "--set", "agent.seconds=0.1", "--trials", "3")
    wait_until(lambda: list(project.folder.glob("journal/*/*.jsonl")), 60, "a trial")
    done = recfw("runs", "watch", "--json", "--interval", "0.2")
    assert run.wait(60) == 0
    run.communicate()
    seen = looks(done.out)
    counts = [look["completed"] for look in seen]
    assert (done.status, counts[-1], seen[-1]["state"], seen[-1]["status"]) == (0, 24, "ended", "completed")
    assert counts == sorted(counts)
    assert any(look["in_flight"] and look["per_second"] and look["pid"] == run.pid for look in seen)


def test_a_killed_run_is_called_abandoned_with_the_command_that_goes_on(project: Project, trouble: Path) -> None:
    """After kill -9 the watch ends by itself, with status 1."""
    run = project.start(*SLOW, "--set", "agent.seconds=0.2", "--trials", "50")
    wait_until(lambda: list(project.folder.glob("journal/*/*.jsonl")), 60, "a trial")
    run.send_signal(signal.SIGKILL)
    run.communicate()
    done = project.type("runs", "watch", "--interval", "0.1")
    assert done.status == 1
    assert "abandoned" in done.out
    assert "No process here carries run" in done.err
    assert "recfw run --resume" in done.err


def test_one_look_at_a_finished_run(recfw) -> None:
    """The newest run is looked at; a finished one ends the watch at once."""
    recfw("run", "--track", "fake-dialogue")
    done = recfw("runs", "watch")
    assert (done.status, done.err) == (0, "")
    assert done.out.endswith(" completed: 8/8 done\n")
    (look,) = looks(recfw("runs", "watch", "--once", "--json").out)
    assert (look["completed"], look["cells"]["fake-asker"]) == (8, {"completed": 8, "failed": 0, "planned": 8})


def test_a_deleted_run_ends_the_watch(recfw, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run that is deleted while it is watched is said to be so."""
    recfw("run", "--track", "fake-dialogue", "--tasks", "d0")
    found: Callable[..., Any] = Store.run

    def run(self: Store, name: str) -> Any:
        info = found(self, name)
        with Store.open("runs.db") as store:
            store.delete_run(info.id)
        return info

    monkeypatch.setattr(Store, "run", run)
    assert recfw("runs", "watch").out.endswith(" deleted: 0/1 done\n")


def test_a_line_holds_what_matters() -> None:
    """Progress, failures by kind, rate, time left, the oldest trial in flight, what was spent."""
    assert plain_line(SIGHT) == (
        "r1 running: 4/10 done, 1 failed (1 outage), 30/min, 2m10s left, 2 in flight (oldest 1m15s: a/t2/0), "
        "12,345 tokens, cost 0.5"
    )


def test_a_screen_shows_cells_and_trials() -> None:
    """The oldest trial stands first; a journal that is elsewhere is said to be so."""
    text = screen(SIGHT).plain.splitlines()
    assert text[0] == "r1  running by process 7"
    assert text[1].endswith(" 5/10  30/min  2m10s left")
    assert text[4].startswith("  a  ████████████░░░░░░░░░░░░ 5/10  1 failed")
    assert text[-2:] == ["   1m15s  a/t2/0  attempt 2", "      3s  a/t1/0"]
    assert "not seen from here" in screen(evolve(SIGHT, in_flight=None)).plain


def test_hostile_names_do_not_steer_the_terminal() -> None:
    """Names of tasks and kinds of failure come from plugins."""
    wild = evolve(SIGHT, in_flight=(Flying("a/\x1b[31m/0", 1, 1.0),), kinds={"\x1b[2J": 1})
    done = evolve(SIGHT, state="ended", status="\x1b]0;x\x07")
    assert "\x1b" not in plain_line(wild) + screen(wild).plain + plain_line(done) + screen(done).plain


@pytest.mark.parametrize(
    ("seconds", "words"), [(0.4, "0s"), (59.6, "1m00s"), (190, "3m10s"), (7500, "2h05m"), (356400, "4d03h")]
)
def test_durations_have_two_units(seconds: float, words: str) -> None:
    """A time is told in two units at most."""
    assert duration(seconds) == words
