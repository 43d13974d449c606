"""A month of runs: 33,000 stored trials of the books track, reported, replayed and listed; and 100,000 made-up ones."""

import os
import resource
import subprocess
import sys
import threading
import time
from pathlib import Path

from attrs import frozen

TRIALS = 33_000
"""Stored trials that everything is measured on."""
MADE_UP = 100_000
"""Trials that are made up, for what must not load a run whole."""
EACH = 1_350
"""Trials of the books track's default cells, played once."""
MEMORY = 500
"""Most MB of resident memory of any process."""


class Watch:
    """Peak memory of a process and its children, looked at ten times a second: the largest's, and that of all."""

    def __init__(self, pid):
        self.largest = self.together = 0
        self._pid, self._over = pid, threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._over.set()
        self._thread.join()

    def _look(self):
        while not self._over.wait(0.1):
            held = [resident(pid) for pid in family(self._pid)]
            self.largest = max(self.largest, *held, 0)
            self.together = max(self.together, sum(held))


def family(pid):
    """Return a process and its children."""
    try:
        return [pid, *map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())]
    except OSError:
        return []


def resident(pid):
    """Return a process's resident memory in MB; 0 where it is gone."""
    try:
        words = Path(f"/proc/{pid}/statm").read_text().split()
    except OSError:
        return 0
    return int(words[1]) * resource.getpagesize() / 1e6


@frozen
class Took:
    """Wall-clock and CPU seconds of a command with its processes; peak memory of the largest and of all, in MB."""

    seconds: float
    cpu: float
    largest: float
    together: float


def typed(bench, *words):
    """Run a command of recfw; return what it took."""
    started, before = time.monotonic(), children_cpu()
    command = [sys.executable, "-m", "recfw.cli.main", *words]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    process = subprocess.Popen(command, cwd=bench.folder, env=bench.env(), **pipes)
    with Watch(process.pid) as watch:
        out, err = process.communicate()
    if process.returncode:
        sys.exit(f"recfw {' '.join(words)}: exit {process.returncode}\n{out}{err}")
    return Took(time.monotonic() - started, children_cpu() - before, watch.largest, watch.together)


def children_cpu():
    """Return the CPU seconds of all processes that were started and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def rows(bench, name, took, limit, compared=""):
    """Print what a command took: its time, with the CPU that says what a busy machine hides, and its memory."""
    told = f"{took.cpu:.2f} s CPU; {compared}" if compared else f"{took.cpu:.2f} s CPU"
    bench.row(name, took.seconds, "s", ("<=", limit) if limit else None, told)
    apart = f"with its workers: {took.together:.0f} MB" if took.together > 1.05 * took.largest else ""
    bench.row(f"{name}: peak memory of a process", took.largest, "MB", ("<=", MEMORY), apart)


def scale(bench):
    """33,000 stored trials, and 100,000 made-up ones: report, replay on two cores, runs list, memory."""
    repeats = -(-int(os.environ.get("BENCH_TRIALS", TRIALS)) // EACH)
    stored, store = repeats * EACH, bench.folder / "scale.db"
    place = ("--store", store.name)
    took = typed(bench, "run", "--plugin", "books", "--trials", str(repeats), *place)
    rows(bench, f"run, {stored:,} trials, one process", took, None, f"{stored / took.seconds:.0f} trials/s")
    size = store.stat().st_size
    bench.row("size of the store", size / 1e6, "MB", None, f"{size / stored / 1000:.1f} kB a trial")
    bare = f"sqlite3 alone reading the same rows: {bare_scan(store):.2f} s"
    for words in (("report",), ("report", "--analysis", "summary")):
        rows(bench, f"{' '.join(words)}, {stored:,} trials", typed(bench, *words, *place), 60, bare)
    sampled = typed(bench, "replay", "--workers", "0", "--sample", str(EACH), *place).seconds
    took = typed(bench, "replay", "--workers", "2", *place)
    alone = f"one process: {sampled * stored / EACH:.0f} s, by a sample of {EACH:,}"
    rows(bench, f"replay, {stored:,} trials, two workers", took, 300, alone)
    floor = min(typed(bench, "--version").seconds for _ in range(3))
    rows(bench, f"runs list, {stored:,} trials", typed(bench, "runs", "list", *place), 0.5, f"--version: {floor:.2f} s")
    store.unlink()
    made_up(bench)


def bare_scan(store):
    """Return the seconds that Python's own sqlite3 takes for the rows that a report reads, the floor of any report."""
    code = (
        "import sqlite3, sys, time; started = time.monotonic(); base = sqlite3.connect(sys.argv[1]);"
        "rows = base.execute('SELECT cell, task_id, trial, status, stop, seconds, usage FROM trial').fetchall();"
        "scores = base.execute('SELECT trial_id, metric, value FROM score').fetchall();"
        "print(time.monotonic() - started)"
    )
    return float(subprocess.run([sys.executable, "-c", code, store], capture_output=True, text=True, check=True).stdout)


def made_up(bench):
    """Store made-up trials of one run, then report and list them."""
    place = ("--store", "made-up.db")
    started = time.monotonic()
    trials = int(os.environ.get("BENCH_MADE_UP", MADE_UP))
    subprocess.run([sys.executable, __file__, "made-up.db", str(trials)], cwd=bench.folder, check=True)
    rate = trials / (time.monotonic() - started)
    for words, limit in ((("report", "--analysis", "summary"), 60), (("runs", "list"), 0.5)):
        rows(bench, f"{' '.join(words)}, {trials:,} made-up trials", typed(bench, *words, *place), limit)
    bench.row("made-up trials stored, in transactions of 100", rate, "/s", None)


def store_made_up(place, trials):
    """Store a finished run of so many trials of 500 tasks: short traces, three figures each."""
    from recfw.model.draws import Draws
    from recfw.model.run import Cell, ComponentSpec, RunSpec, Status, Trial, TrialKey
    from recfw.model.score import Score
    from recfw.model.task import Task
    from recfw.model.trace import EndEvent
    from recfw.serialize import event_line, pack_trace
    from recfw.store.repository import Store

    tasks = [Task(f"t{n:03}", f"f{n % 50:02}", {"tier": str(n % 3)}) for n in range(500)]
    trace, each = pack_trace([event_line(EndEvent("over"))]), trials // len(tasks) // 2
    cells = tuple(Cell(name, {"agent": ComponentSpec(name)}) for name in ("first", "second"))
    draws = Draws(1, "scale")

    def played(key):
        solved = float(draws.below(3) > 0)
        scores = (Score("success", solved, "m"), Score("calls", float(draws.below(20)), "m"), Score("turns", 6.0, "m"))
        usage = {"agent": {"replies": 6, "seconds": 1.5}}
        return Trial(
            key,
            1,
            key.seed(0),
            Status.COMPLETED,
            "over",
            seconds=2.0,
            events=1,
            usage=usage,
            scores=scores,
            trace=trace,
        )

    with Store.open(place) as store:
        run = store.create_run("made-up", RunSpec("made-up", "made-up", cells, trials=each), "0" * 64, {}, trials)
        store.add_tasks(run.id, tasks)
        for cell in cells:
            for task in tasks:
                store.add_trials(run.id, (played(TrialKey(cell.name, task.id, n)) for n in range(each)))
        store.set_run_status(run.id, "completed")


if __name__ == "__main__":
    store_made_up(sys.argv[1], int(sys.argv[2]))
