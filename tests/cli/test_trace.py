"""`recfw trace`: trials by name, and long ones page by page."""

import json
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from recfw.cli.trace import PAGE
from recfw.errors import ExitCode
from recfw.model.run import Cell, RunSpec, Status, Trial, TrialKey
from recfw.model.score import Score
from recfw.model.trace import EndEvent, PictureEvent, WorldEvent
from recfw.serialize import checksum, event_line, pack_trace
from recfw.store.repository import Store
from recfw.testing.project import Project, Typed
from recfw.testing.synthetic import synthetic_trace

Recfw = Callable[..., Typed]
COUNT = 1203
KEYS = [("a", "t", 0), ("a", "t", 1), ("b", "u", 0), ("b", "v/w", 2), ("c/d", "v", 0), ("c", "d/x", 7), ("b", "t", 0)]


def keep(store: Store, key: TrialKey, events: int) -> None:
    """Store a trial of so many events."""
    trace, checksums = synthetic_trace(events)
    store.add_trial("r", Trial(key, 1, 1, Status.COMPLETED, "done", events=events, trace=trace, checksums=checksums))


@pytest.fixture
def stored(tmp_path: Path) -> Path:
    """A store with trials of several names, of which a/t/0 is long."""
    path = tmp_path / "runs.db"
    with Store.open(path) as store:
        cells = tuple(Cell(name, {}) for name in ("a", "b", "c", "c/d"))
        store.create_run("r", RunSpec("fake", "fake", cells), "content", {}, 1)
        for key in KEYS:
            keep(store, TrialKey(*key), COUNT if key == KEYS[0] else 3)
    return path


def shown(typed: Typed) -> list[int]:
    """Return the numbers of the events that were shown."""
    return [int(word.rstrip(",")) for word in typed.out.split("reply ")[1:] for word in word.split()[:1]]


class TestPages:
    """A long trial is not poured out whole."""

    def test_first_page(self, recfw: Recfw, stored: Path) -> None:
        """Of a long trial the first page is shown, and how to go on."""
        done = recfw("trace", "r", "a/t/0")
        assert shown(done) == list(range(PAGE))
        last = done.out.splitlines()[-1]
        assert last == "Events 0 to 499 of 1,203. Go on with --page 2, or --events A..B (`..` for all)."

    def test_short_trial(self, recfw: Recfw, stored: Path) -> None:
        """A short trial is shown whole, without a word about pages."""
        assert "Events" not in recfw("trace", "r", "a/t/1").out

    @pytest.mark.parametrize(
        ("words", "expected"),
        [
            (["--page", "1"], range(500)),
            (["--page", "3"], range(1000, 1202)),
            (["--events", "7"], range(7, 8)),
            (["--events", "7..9"], range(7, 10)),
            (["--events", "1190.."], range(1190, 1202)),
            (["--events", "..3"], range(4)),
            (["--events", ".."], range(1202)),
            (["--events", "0..0"], range(1)),
            (["--events", "9..7"], range(0)),
        ],
    )
    def test_chosen_events(self, recfw: Recfw, stored: Path, words: list[str], expected: range) -> None:
        """A page or a span of events is shown; the last event, which ends the trial, is no reply."""
        assert shown(recfw("trace", "r", "a/t/0", *words)) == list(expected)

    def test_beyond_the_end(self, recfw: Recfw, stored: Path) -> None:
        """A page that the trial does not have says how many events it has."""
        assert "There are 1,203 events, and none of those numbers." in recfw("trace", "r", "a/t/0", "--page", "9").out

    def test_json(self, recfw: Recfw, stored: Path) -> None:
        """Events as JSON are whole, as a script would want them, or those that were asked for."""
        assert len(recfw("trace", "r", "a/t/0", "--json").out.splitlines()) == COUNT
        lines = recfw("trace", "r", "a/t/0", "--json", "--events", "1201..").out.splitlines()
        assert [json.loads(line)["kind"] for line in lines] == ["reply", "end"]

    @pytest.mark.parametrize("words", [["--events", "x"], ["--events", ""], ["--events", "1-2"], ["--page", "0"],
                                       ["--page", "1", "--events", "1"]])  # fmt: skip
    def test_refused(self, recfw: Recfw, stored: Path, words: list[str]) -> None:
        """What names no events is an error of usage."""
        assert recfw("trace", "r", "a/t/0", *words).status == ExitCode.USAGE


class TestNames:
    """A trial is found by its name, or by a shorter one where that is clear."""

    @pytest.mark.parametrize(
        ("words", "key"),
        [
            ("a/t/1", "a/t/1"),
            ("u", "b/u/0"),
            ("u/0", "b/u/0"),
            ("t/1", "a/t/1"),
            ("b/u", "b/u/0"),
            ("v/w/2", "b/v/w/2"),
            ("b/v/w/2", "b/v/w/2"),
            ("c/d/v/0", "c/d/v/0"),
            ("c/d/v", "c/d/v/0"),
            ("d/x/7", "c/d/x/7"),
        ],
    )
    def test_found(self, recfw: Recfw, stored: Path, words: str, key: str) -> None:
        """Cell and number 0 may be left out, and names may have slashes in them."""
        assert recfw("trace", "r", words).out.startswith(f"{key}, attempt 1:")

    @pytest.mark.parametrize(
        ("words", "said"),
        [
            ("t", "'t' was played in several cells. Name one: a/t/0, b/t/0."),
            ("v/w", "run r has no trial 'v/w'. Name one as cell/task/number, such as 'a/t/0'."),
            ("a/t/01", "no trial 'a/t/01'"),
            ("t/99999999999999999999", "no trial"),
            ("", "no trial ''"),
            ("a/%/0", "no trial 'a/%/0'"),
        ],
    )
    def test_not_found(self, recfw: Recfw, stored: Path, words: str, said: str) -> None:
        """A name of none, or of several, is an error with the next step."""
        done = recfw("trace", "r", words)
        assert (done.status, said in done.err) == (ExitCode.USAGE, True)


def test_reader_that_leaves(project: Project, stored: Path) -> None:
    """Whoever reads the first lines and leaves (`| head`) is not told of an error."""
    import subprocess

    command = " ".join(project.command("trace", "r", "a/t/0", "--events", "..", "--full"))
    done = subprocess.run(
        f"{command} | head -2", shell=True, cwd=project.folder, env=project.env(), capture_output=True, text=True
    )
    assert done.stderr == ""


@pytest.mark.slow
def test_trial_of_300_000_events(project: Project, tmp_path: Path) -> None:
    """Its first page and its last are there within seconds, and less than 200 MB of memory."""
    with Store.open(tmp_path / "runs.db") as store:
        store.create_run("r", RunSpec("fake", "fake", (Cell("a", {}),)), "content", {}, 1)
        keep(store, TrialKey("a", "t", 0), 300_000)
    for words in (["--page", "1"], ["--page", "600"], ["--events", "299990.."]):
        begin = time.monotonic()
        done = project.type("trace", "r", "t", *words)
        assert (done.status, time.monotonic() - begin < 10) == (0, True)
    measure = "import resource,sys;from recfw.cli.main import invoke;invoke(sys.argv[1:]);"
    measure += "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)"
    import subprocess
    import sys

    command = [sys.executable, "-c", measure, "trace", "r", "t", "--events", "..", "--json"]
    done_ = subprocess.run(command, env=project.env(), cwd=project.folder, capture_output=True, text=True, check=True)
    assert len(done_.stdout.splitlines()) == 300_000
    assert int(done_.stderr) < 200_000


def test_hostile_names_do_not_steer_the_terminal(recfw, tmp_path: Path) -> None:
    """Cells, stop reasons, events, scores and tracks come from plugins and imports; `click` strips only in files."""
    evil = "\x1b]0;x\x07"
    key = TrialKey(f"c{evil}", "t", 0)
    events = (
        WorldEvent(f"w{evil}", {}),
        PictureEvent(f"r{evil}", f"h{evil}", "0" * 64, "image/png"),
        EndEvent(f"e{evil}", {}),
    )
    lines = [event_line(event) for event in events]
    scores = (Score(f"m{evil}", 1.0, f"s{evil}"),)
    with Store.open(tmp_path / "runs.db") as store:
        store.create_run("r", RunSpec("fake", f"t{evil}", (Cell(key.cell, {}),)), "content", {}, 1)
        trial = Trial(key, 1, 1, Status.COMPLETED, f"d{evil}", events=3, scores=scores, trace=pack_trace(lines),
                      checksums=b"".join(map(checksum, lines)))  # fmt: skip
        store.add_trial("r", trial)
    for words in (("trace", "r", "t"), ("runs", "prune", "--keep", "0", "--dry-run")):
        shown = recfw("--color", "always", *words)
        assert (shown.status, r"\x1b]0;x\x07" in shown.out, "\x07" in shown.out) == (0, True, False)
