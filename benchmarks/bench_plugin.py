"""
The plugin that benchmarks run with (RECFW_PLUGINS=bench_plugin): a talk of no-op components, a six-turn talk on the
books track with real tool output, and an observer that notes clock, CPU and memory where a run starts and ends.
"""

import json
import os
import re
import time
from pathlib import Path

from recfw.hookspecs import hookimpl


def note(moment):
    """Append what this process has used so far to the file named by BENCH_NOTES."""
    place = os.environ.get("BENCH_NOTES")
    if place:
        # not ru_maxrss, which a process that was started by another one inherits from it
        peak = int(re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text())[1]) * 1024
        line = {"moment": moment, "cpu": time.process_time(), "wall": time.monotonic(), "peak": peak}
        with Path(place).open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")


@hookimpl
def recfw_run_started(run, pending):
    note("started")


@hookimpl
def recfw_run_finished(run, status):
    note("finished")


@hookimpl
def recfw_register_tracks():
    from bench_components import StepsTrack, TalkTrack

    return [StepsTrack, TalkTrack]


@hookimpl
def recfw_register_agents():
    from bench_components import NoopAgent, SixTurns

    return [NoopAgent, SixTurns]


@hookimpl
def recfw_register_users():
    from bench_components import NoopUser

    return [NoopUser]
