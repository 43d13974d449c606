"""
Two runs, and everything that reads, at once on one store: nobody is told of a lock, and the figures are those of runs
that were made alone.
"""

import json
import time
from collections import Counter

from kills_checks import read
from kills_series import HUNG, Commands

READERS = (("report", "{run}", "--format", "json"), ("runs", "list"), ("replay", "{run}"), ("runs", "show", "{run}"))
TROUBLE = ("locked", "another process", "Traceback", "deadlock")


def together(folder, place, runs_asked, workers):
    """
    Play runs (track -> words) side by side, and other commands beside them until all end.

    Returns:
        How many commands of each kind there were, what was wrong, and track -> figures.
    """
    counts, faults = Counter(), []
    commands = Commands(folder, place, f"together-{time.time_ns()}")
    runs = {}
    for number, (track, words) in enumerate(runs_asked.items()):
        out = folder / f"run{number}.txt"
        runs[track] = (commands.start("run", *words, "--workers", str(workers), noting=False, out=out), out)
    readers = {}
    end = time.monotonic() + HUNG
    while any(process.poll() is None for process, _ in runs.values()):
        if time.monotonic() > end:
            faults.append(f"the runs of {list(runs)} did not end within {HUNG:g} s")
            break
        ids = [run for (run,) in read(place, "SELECT id FROM run ORDER BY created")]
        for number, words in enumerate(READERS):
            process, out = readers.get(number, (None, folder / f"reader{number}.txt"))
            if ids and (process is None or process.poll() is not None):
                _check(words, process, out, counts, faults)
                typed = [word.format(run=ids[number % len(ids)]) for word in words]
                readers[number] = (commands.start(*typed, noting=False, out=out), out)
        time.sleep(0.05)
    for number, (process, out) in readers.items():
        process.wait()
        _check(READERS[number], process, out, counts, faults)
    for track, (process, out) in runs.items():
        process.kill() if process.poll() is None else None
        _check(("run",), process, out, counts, faults)
        if process.wait() != 0:
            faults.append(f"{track}: exit {process.returncode}: {out.read_text()[-500:]}")
    ids = {json.loads(spec)["track"]: run for run, spec in read(place, "SELECT id, spec FROM run")}
    return counts, faults, {track: commands.figures(ids[track]) for track in runs if track in ids}


def _check(words, process, out, counts, faults):
    """Look at what a command printed, once it has ended."""
    if process is None:
        return
    counts[words[0]] += 1
    text = out.read_text(errors="replace")
    if any(word in text for word in TROUBLE):
        faults.append(f"recfw {words[0]}: {text[-500:]}")
    elif process.returncode and not (words[0] in {"report", "replay"} and _too_early(text)):
        faults.append(f"recfw {words[0]}: exit {process.returncode}: {text[-500:]}")


def _too_early(text):
    """Tell whether a command that reads found nothing yet to read."""
    return "no trial" in text or "has no" in text or "no runs" in text
