"""
What the orchestration track's default run costs: python benchmarks/bench_orchestration_runs.py [--workers N].

All shipped tasks with the three reference agents, through the command that people type, in a store of its own; then the
same trials replayed. CPU is that of the command and its workers together. A difference in the replay, or gold below 1.0
on a figure by rule, fails the benchmark.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

RECFW = [sys.executable, "-m", "recfw.cli.main"]
MOST_SECONDS = 180.0
"""What issue 6 demands of the whole command on two cores."""
GOLD = "orchestration-gold"


def timed(folder, *words):
    """Run a command; return (wall seconds, CPU seconds of all its processes, standard output)."""
    before, started = os.times(), time.monotonic()
    done = subprocess.run([*RECFW, *words], cwd=folder, capture_output=True, text=True)
    wall, after = time.monotonic() - started, os.times()
    if done.returncode:
        sys.exit(f"recfw {' '.join(words)}: exit {done.returncode}\n{done.stdout}{done.stderr}")
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return wall, cpu, done.stdout


def check_gold(figures):
    """Return how many figures by rule gold has; leave where one of them is below 1."""
    from recfw_orchestration.metrics.component import BY_LEVEL

    told = figures["agents"][GOLD]
    values = {(level, name): told[level]["all"][name]["value"] for level in told for name in BY_LEVEL[level]}
    below = {place: value for place, value in values.items() if value < 1.0}
    if below:
        sys.exit(f"gold is below 1.0: {below}")
    return len(values)


def runs(bench, *words):
    """The default run of 1,288 tasks with three agents, its report and its replay."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        wall, cpu, _ = timed(folder, "run", "--plugin", "orchestration", "--store", "runs.db", "--quiet", *words)
        report = timed(folder, "report", "--store", "runs.db", "--analysis", "orchestration-paper", "--format", "json")
        told = json.loads(report[2])
        trials = sum(cell["trials"] for run in told["operational"]["runs"] for cell in run["cells"].values())
        size = (folder / "runs.db").stat().st_size
        bench.row(f"the whole command, {trials:,} trials", wall, "s", ("<=", MOST_SECONDS), f"{cpu:.1f} s of CPU")
        bench.row("tasks per second", trials / wall, "/s", None, f"{1000 * cpu / trials:.1f} ms of CPU each")
        bench.row("store, a trial", size / trials / 1e3, "kB", None, f"{size / 1e6:.1f} MB")
        bench.row("its report", report[0], "s", None, f"{report[1]:.1f} s of CPU")
        wall, cpu, _ = timed(folder, "replay", "--store", "runs.db")
        bench.row("its replay, without a difference", wall, "s", None, f"{cpu:.1f} s of CPU")
        bench.row("figures by rule at which gold has 1.0: all, or this stops", check_gold(told["figures"]), "", None)


def main():
    """Run, replay, report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workers", help="worker processes; default: as many as the command takes by itself")
    told = parser.parse_args()
    from run import Bench

    runs(Bench(None), *(("--workers", told.workers) if told.workers else ()))


if __name__ == "__main__":
    main()
