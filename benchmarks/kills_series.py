"""
One series: a run in a store of its own that is killed with -9 again and again, resumed each time, and looked at by
witnesses after each death; in the end it is replayed, and its figures are compared with those of a run left alone.
"""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from contextlib import suppress
from importlib.metadata import entry_points
from pathlib import Path

from kills_checks import Witness, lines_of, marked, wait_for_none

HERE = Path(__file__).resolve().parent
RECFW = [sys.executable, "-m", "recfw.cli.main"]
HUNG = 180.0
"""Seconds after which a command that shows no progress is called hung."""
ORPHAN = 5.0
"""Seconds that a worker may outlive its run's process."""
START = 1.5
"""Seconds that a command is first believed to need until it plays; measured from then on."""

TRACKS = {
    "fake-dialogue": (("--track", "fake-dialogue", "--agent", "watched-fake-asker"), 8, 60),
    "fake-pictures": (("--track", "fake-pictures", "--agent", "watched-fake-guide"), 9, 40),
    "fake-rounds": (("--track", "fake-rounds", "--agent", "watched-fake-planner"), 8, 50),
    "books": (("--plugin", "books", "--agent", "watched-eliminating"), 450, 1),
}
"""Track -> (words of `recfw run`, its tasks, trials of each)."""


def asked(track, seed, *, short=False):
    """Return the words of a run of a track, and how many trials it has; a short one has a quarter of the trials."""
    words, tasks, trials = TRACKS[track]
    trials = max(1, trials // 4) if short else trials
    return (*words, "--trials", str(trials), "--seed", str(seed)), tasks * trials


class Commands:
    """recfw typed into a folder, every process of it marked."""

    def __init__(self, folder, place, mark):
        self.folder, self.place, self.mark = folder, place, mark
        self.told, self.played, self.printed = folder / "told.jsonl", folder / "played.txt", folder / "printed.txt"
        folder.mkdir(parents=True, exist_ok=True)

    def env(self, *, noting):
        path = os.pathsep.join([str(HERE), str(HERE.parent / "tests"), os.environ.get("PYTHONPATH", "")])
        notes = {"KILLS_TOLD": str(self.told), "KILLS_PLAYED": str(self.played)} if noting else {}
        others = {entry.name for entry in entry_points(group="recfw")} - {"core", "books"}
        plugins = {"RECFW_PLUGINS": "fakes.plugin,kills_plugin", "RECFW_DISABLE_PLUGINS": ",".join(sorted(others))}
        mine = {"RECFW_STORE": self.place, "KILLS_MARK": self.mark, "NO_COLOR": "1"}
        return {**os.environ, "PYTHONPATH": path, **mine, **plugins, **notes}

    def start(self, *words, noting=True, out=None):
        """Start recfw in a session of its own; what it prints goes into a file."""
        with (out or self.printed).open("wb") as file:
            return subprocess.Popen(
                [*RECFW, *words], cwd=self.folder, env=self.env(noting=noting), stdin=subprocess.DEVNULL,
                stdout=file, stderr=subprocess.STDOUT, start_new_session=True,
            )  # fmt: skip

    def type(self, *words):
        """Run recfw to its end; return (exit status, stdout, stderr)."""
        done = subprocess.run(
            [*RECFW, *words], cwd=self.folder, env=self.env(noting=False), capture_output=True, text=True, timeout=600
        )
        return done.returncode, done.stdout, done.stderr

    def figures(self, run):
        """Return the figures of a run as JSON text in which it has no name."""
        status, out, error = self.type("report", run, "--format", "json")
        if status:
            raise AssertionError(f"recfw report: exit {status}: {error}")
        return json.dumps(json.loads(out)["figures"], sort_keys=True).replace(run, "RUN")


class Series:
    """
    One killed run.

    Args:
        folder: Where it lives.
        place: Its store.
        asked: The words of `recfw run` and how many trials they make, as :func:`asked` gives them.
        workers: Worker processes.
        kills: After how many kills it is left alone.
        draws: Where moments and victims come from.
    """

    def __init__(self, folder, place, asked, workers, kills, draws):
        self.words, self.planned = asked
        self.workers, self.most, self.draws = workers, kills, draws
        self.commands = Commands(folder, place, f"kills-{folder.name}-{os.getpid()}-{time.time_ns()}")
        journal = folder / ".recfw" / "journal" if "://" in place else Path(place).parent / "journal"
        self.witness = Witness(place, journal, self.commands.told, self.commands.played)
        self.journal = journal
        self.wal = Path(f"{place}-wal")
        self.start_up = START
        self.counts, self.faults = Counter(), []
        self.longest_orphan = 0.0

    def go(self):
        """Start the run, or resume it where it is stored."""
        run = self.witness.run_id()
        size = ("--workers", str(self.workers), "--concurrency", "8")
        if run is None:
            return self.commands.start("run", *self.words, *size)
        return self.commands.start("run", "--resume", run, *size)

    def play(self):
        """Kill until enough were killed, then let it finish, and check everything."""
        process = self.go()
        while sum(self.counts.values()) < self.most:
            moment = self.wait_for_moment(process)
            if process.poll() is None:
                victim = self.strike(process)
                self.counts[moment, victim] += 1
                if victim == "worker":
                    continue  # the run goes on
                process.wait()
            elif process.returncode not in {0, 6}:  # 6: a trial saw two workers die, or one died in its set-up
                self.fault(f"exit {process.returncode}: {self.printed()}")
                return self
            self.look(process)
            if process.returncode == 0:
                break
            process = self.go()
        self.finish(process)
        return self

    def wait_for_moment(self, process):
        """Wait for a random moment; return what kind it is."""
        kind = self.draws.choices(("start", "play", "store", "end"), (25, 40, 25, 10))[0]
        if kind == "start":
            self.sleep(process, self.draws.random() * self.start_up)
        elif kind == "play":
            wanted = self.ended() + self.draws.randint(1, max(2, 2 * self.planned // self.most))
            self.until(process, lambda: self.ended() >= wanted, 0.01)
            self.sleep(process, self.draws.random() * 0.1)
        elif kind == "store":
            before = self.store_state()
            self.until(process, lambda: self.store_state() != before)
            self.sleep(process, self.draws.random() * 0.004)
        elif self.planned - self.ended() > 2 * self.planned // self.most:
            return self.wait_for_moment(process)  # the end is far away
        else:
            self.until(process, lambda: self.ended() >= self.planned, 0.01)
            self.sleep(process, self.draws.random() * 0.5)
        return kind

    def ended(self):
        """Return how many attempts the observer was told of."""
        return sum(b'"trial"' in line for line in lines_of(self.commands.told))

    def store_state(self):
        """Return what changes when something is stored: the write-ahead log, and how many files the journal holds."""
        run = next(iter(self.journal.glob("*")), self.journal)
        with suppress(OSError):
            return (self.wal.stat().st_mtime_ns if self.wal.exists() else 0, sum(1 for _ in run.iterdir()))
        return 0, 0

    def until(self, process, true, pause=0.001):
        """Look every few milliseconds until something is true, or the process has ended."""
        end = time.monotonic() + HUNG
        while process.poll() is None and not true():
            if time.monotonic() > end:
                self.fault(f"nothing has happened for {HUNG:g} s: {self.printed()}")
                return
            time.sleep(pause)

    @staticmethod
    def sleep(process, seconds):
        with suppress(subprocess.TimeoutExpired):
            process.wait(seconds)

    def strike(self, process):
        """Kill with -9: the run's process, a worker, one after the other, or all at once; return the victim's name."""
        workers = [pid for pid in marked(self.commands.mark) if pid != process.pid] if self.workers else []
        victim = self.draws.choice(("parent", "worker", "both", "group")) if workers else "parent"
        pids = {
            "parent": [process.pid],
            "worker": workers and [self.draws.choice(workers)],
            "both": workers and [self.draws.choice(workers), process.pid],
            "group": [*workers, process.pid],
        }[victim]
        for pid in pids:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
            if victim == "both":
                time.sleep(self.draws.random() * 0.02)
        return victim

    def look(self, process):
        """Check what a dead run left."""
        left, seconds = wait_for_none(self.commands.mark, ORPHAN)
        self.longest_orphan = max(self.longest_orphan, seconds)
        if left:
            self.fault(f"orphans {left} {ORPHAN:g} s after {process.pid} died")
            for pid in left:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
        for words in self.witness.look():
            self.fault(words)

    def finish(self, process):
        """Let the run finish, resuming what failed; then check, replay and compare."""
        for _ in range(5):
            with suppress(subprocess.TimeoutExpired):
                process.wait(HUNG)
            if process.poll() != 6:
                break
            self.look(process)
            process = self.go()
        if process.poll() is None:
            process.kill()
        if process.wait() != 0:
            self.fault(f"the last resume: exit {process.returncode}: {self.printed()}")
        again = self.go()  # a finished run says so
        if again.wait(HUNG) != 0 or "Nothing to do" not in self.printed():
            self.fault(f"resuming a finished run: exit {again.returncode}: {self.printed()}")
        for words in self.witness.look_finished(self.planned):
            self.fault(words)
        self.look(process)
        status, out, error = self.commands.type("replay", str(self.witness.run_id()))
        if status or "no difference" not in out:
            self.fault(f"replay: exit {status}: {out[-400:]}{error[-400:]}")

    def compare(self, figures):
        """Compare the figures with those of a run left alone."""
        if not self.faults and self.commands.figures(str(self.witness.run_id())) != figures:
            self.fault("the figures are not those of an uninterrupted run")

    def printed(self):
        return self.commands.printed.read_text(errors="replace")[-1000:]

    def fault(self, words):
        self.faults.append(words)
        print(f"  FAULT in {self.commands.folder}: {words}", flush=True)


def reference(folder, words):
    """Return the figures of the same run left alone."""
    commands = Commands(folder, str(folder / "runs.db"), f"reference-{time.time_ns()}")
    status, _, error = commands.type("run", *words)
    if status:
        raise AssertionError(f"recfw run: exit {status}: {error}")
    return commands.figures(Witness(commands.place, folder, commands.told, commands.played).run_id())


def draws_of(*labels):
    """Return a seeded stream of draws."""
    return random.Random("/".join(map(str, labels)))
