"""
recfw beside other harnesses, in one run: python benchmarks/peers/run.py [NAME...] (in tox: `tox -e peers`).

Each harness has a virtual environment of its own, made here with pinned versions, and does the same work (work.py) by
the way that its users take. They take turns, several times; every figure is a median.
"""

import argparse
import hashlib
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

import work
from attrs import define, field, frozen

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
LATENCY, CONCURRENCY, ROUNDS = 0.2, 50, 2
"""Seconds that a model takes, conversations at a time, and how many times as many there are, for the efficiency."""
BASE = 2
"""Conversations of the run that is taken off the others: start-up, and whatever a run costs once."""


@frozen(eq=False)
class Harness:
    """
    One harness.

    Args:
        name: As it is called; its lock file has the same name.
        way: By which its users go, in words.
        command: What plays the work, for its Python.
        start: What is timed as its start-up, and what that is called.
        env: Further variables.
    """

    name: str
    distribution: str
    way: str
    command: tuple[str, ...]
    start: tuple[tuple[str, ...], str]
    env: dict[str, str] = field(factory=dict)


RECFW = Harness(
    "recfw",
    "recfw",
    "`recfw run` with a track, an agent and a user of its own; SQLite store and journal on",
    ("-m", "recfw.cli.main", "run", "--track", "peer-talk", "--store", "{logs}/runs.db", "--concurrency", "{lanes}",
     "--strict"),
    (("-m", "recfw.cli.main", "--help"), "`recfw --help`"),
    {"RECFW_PLUGINS": "recfw_side"},
)  # fmt: skip
HARNESSES = (
    RECFW,
    Harness(
        "inspect_ai",
        "inspect-ai",
        "`eval()` with a model API, a solver and a tool of its own, and its tool loop; log (.eval) on, display off",
        (str(HERE / "inspect_side.py"),),
        (("-m", "inspect_ai", "--help"), "`inspect --help`"),
        {"INSPECT_DISABLE_UPDATE_CHECK": "1"},
    ),
    Harness(
        "pydantic_evals",
        "pydantic-evals",
        "`Dataset.evaluate()` of two pydantic_ai agents on its `FunctionModel`; the report, with all messages, written",
        (str(HERE / "pydantic_side.py"),),
        (("-c", "import pydantic_evals, pydantic_ai"), "its import (it has no command)"),
    ),
    Harness(
        "deepeval",
        "deepeval",
        "`ConversationSimulator` as the user, the agent in its callback, `evaluate()` with a metric; results folder on",
        (str(HERE / "deepeval_side.py"),),
        (("-m", "deepeval.cli.main", "--help"), "`deepeval --help`"),
        {"DEEPEVAL_TELEMETRY_OPT_OUT": "1", "DEEPEVAL_DISABLE_DOTENV": "1", "DEEPEVAL_RESULTS_FOLDER": "{logs}"},
    ),
)


@define
class Samples:
    """What one harness took, over all repeats."""

    version: str
    cpu: list[float] = field(factory=list)
    share: list[float] = field(factory=list)
    start: list[float] = field(factory=list)
    start_cpu: list[float] = field(factory=list)
    bytes: list[float] = field(factory=list)
    peak: list[float] = field(factory=list)


@frozen
class Took:
    """What one process took: CPU and wall seconds, peak memory and what it left in its log folder, in bytes."""

    cpu: float
    wall: float
    peak: int
    size: int


def environment(harness, cache):
    """Make a harness's virtual environment where there is none yet; return its Python."""
    uv = [sys.executable, "-m", "uv"]
    lock = HERE / "locks" / f"{harness.name}.txt"
    key = hashlib.sha256(lock.read_bytes() if lock.exists() else b"").hexdigest()[:12]
    folder = cache / f"{harness.name}-{platform.python_version()}-{key}"
    python = folder / "bin" / "python"
    if harness is not RECFW and (folder / "made").exists():
        return python
    print(f"{harness.name}: installing into {folder}", flush=True)
    subprocess.run([*uv, "venv", "--quiet", "--clear", "--python", sys.executable, folder], check=True)
    into = [*uv, "pip", "install", "--quiet", "--compile-bytecode", "--python", python]
    if harness is RECFW:  # always afresh, from a clean copy of the checkout
        subprocess.run([*into, "uv"], check=True)
        subprocess.run([python, ROOT / ".ci" / "install.py", "."], check=True, cwd=ROOT)
        subprocess.run([python, "-m", "compileall", "-q", folder / "lib"], check=False)
    else:
        subprocess.run([*into, "-r", lock], check=True)
    (folder / "made").touch()
    return python


def version(harness, python):
    """Return the installed version."""
    code = f"from importlib.metadata import version; print(version('{harness.distribution}'))"
    return subprocess.run([python, "-c", code], capture_output=True, text=True, check=True).stdout.strip()


def measure(harness, python, words, conversations=0, latency=0.0):
    """Run a command of a harness in an empty folder; return what it took. Ends everything where it fails."""
    with tempfile.TemporaryDirectory() as scratch:
        logs = Path(scratch) / "logs"
        logs.mkdir()
        fills = {"logs": str(logs), "lanes": str(CONCURRENCY)}
        env = {name: value for name, value in os.environ.items() if not name.startswith(("RECFW", "PYTHON"))}
        env |= {name: value.format(**fills) for name, value in harness.env.items()}
        env |= {
            "PYTHONPATH": str(HERE),
            "PYTHONDONTWRITEBYTECODE": "1",
            "PEERS_LOGS": str(logs),
            "PEERS_CONVERSATIONS": str(conversations),
            "PEERS_LATENCY": str(latency),
            "PEERS_CONCURRENCY": str(CONCURRENCY),
        }
        output = Path(scratch) / "output"
        started = time.monotonic()
        with output.open("w") as file:
            command = [python, *(word.format(**fills) if "{" in word else word for word in words)]
            process = subprocess.Popen(command, cwd=scratch, env=env, stdout=file, stderr=subprocess.STDOUT)
            _, status, used = os.wait4(process.pid, 0)
        wall = time.monotonic() - started
        process.returncode = os.waitstatus_to_exitcode(status)
        wanted = [conversations * work.CALLS, conversations * work.TURNS]
        if process.returncode or (conversations and counted(logs) != wanted):
            told = f"{harness.name}: exit {process.returncode}, counts {counted(logs)}, not {wanted}"
            sys.exit(f"{told}\n{output.read_text()}")
        size = sum(path.stat().st_size for path in logs.rglob("*") if path.is_file())
        return Took(used.ru_utime + used.ru_stime, wall, used.ru_maxrss * 1024, size)


def counted(logs):
    """Return how many model calls and searches a run made, as work.py wrote it down."""
    path = Path(f"{logs}.counts")
    return [int(word) for word in path.read_text().split()] if path.exists() else []


def once(harness, python, samples, conversations):
    """Measure a harness once."""
    start = measure(harness, python, harness.start[0])
    base = measure(harness, python, harness.command, BASE)
    busy = measure(harness, python, harness.command, conversations)
    waiting = measure(harness, python, harness.command, ROUNDS * CONCURRENCY, LATENCY)
    more = conversations - BASE
    samples.start.append(start.wall)
    samples.start_cpu.append(start.cpu)
    samples.cpu.append(1000 * (busy.cpu - base.cpu) / (more * work.CALLS))
    samples.bytes.append((busy.size - base.size) / more / 1000)
    samples.peak.append(busy.peak / 1e6)
    samples.share.append(ROUNDS * work.CALLS * LATENCY / (waiting.wall - base.wall))


def table(found):
    """Return the figures as lines of Markdown."""
    titles = (
        "harness", "CPU per model call", "efficiency", "start-up, wall", "start-up, CPU", "stored per conversation",
        "peak memory",
    )  # fmt: skip
    lines = [f"| {' | '.join(titles)} |", f"| --- |{' ---: |' * (len(titles) - 1)}"]
    for harness, s in found.items():
        cpu, share, start, start_cpu, size, peak = (
            statistics.median(values) for values in (s.cpu, s.share, s.start, s.start_cpu, s.bytes, s.peak)
        )
        spread = f"{min(s.cpu):.2f} to {max(s.cpu):.2f}"
        lines.append(
            f"| {harness.name} {s.version} | {cpu:.2f} ms ({spread}) | {share:.2f} | {start:.2f} s | {start_cpu:.2f} s "
            f"| {size:.1f} kB | {peak:.0f} MB |"
        )
    return lines


PAGE = """\
# Beside other harnesses

Written by `python benchmarks/peers/run.py --out docs/peers.md` (in tox: `tox -e peers`) on {date}, with Python {python}
on {cores} cores ({machine}).{note}

{table}

What every harness did: conversations of six turns, in each of which the user, a mock model, says a sentence, and the
agent, a mock model, calls a tool, reads its answer of twenty books ({answer:.1f} kB, never twice the same) and says a
sentence. That is {calls} model calls and {turns} tool calls, counted and checked in every run, with one trivial score,
and with everything that was said and answered stored.

- **CPU per model call**: user and system time of a run of {conversations} conversations whose models answer at once,
  less that of a run of {base}, over the model calls between; the smallest and the largest in brackets.
- **efficiency**: {lanes} conversations at a time, {all} in all, with models that take {latency:.0f} ms: the time that
  the models alone take ({ideal:.1f} s) over the wall-clock time, less that of the run of {base}.
- **start-up**: the first thing that a user waits for.
- **stored per conversation**: growth of what the harness leaves on the disk.
- **peak memory**: of the run of {conversations}.

Medians of {repeats} repeats, in which the harnesses took turns. How each was driven:

{ways}

What no such comparison makes equal: the log of inspect_ai has an event for each model call with its input, which
recfw's traces do without, because a replay builds it again; pydantic_evals and deepeval write once, at the end, so that
a killed run leaves nothing; deepeval has no tool loop, so there the agent's two model calls a turn are plain code of
this benchmark, which the figure counts as model calls all the same.

tau2-bench is not on the package index (`tau2` there is something else); lm_eval and ragas hold no conversations.
"""


def page(found, told):
    """Return the page of docs/."""
    return PAGE.format(
        date=f"{datetime.now(UTC):%Y-%m-%d}",
        python=platform.python_version(),
        cores=os.cpu_count(),
        machine=platform.machine(),
        note=f" {told.note}" if told.note else "",
        table="\n".join(table(found)),
        answer=statistics.mean(len(work.search(**work.arguments(turn))) for turn in range(work.TURNS)) / 1000,
        calls=work.CALLS,
        turns=work.TURNS,
        conversations=told.conversations,
        base=BASE,
        lanes=CONCURRENCY,
        all=ROUNDS * CONCURRENCY,
        latency=1000 * LATENCY,
        ideal=ROUNDS * work.CALLS * LATENCY,
        repeats=told.repeats,
        ways="\n".join(f"- **{h.name}**: {h.way}; start-up is that of {h.start[1]}." for h in found),
    )


def main():
    """Measure the harnesses that are named, or all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    names = [harness.name for harness in HARNESSES]
    parser.add_argument("names", nargs="*", choices=[*names, []], help="which harnesses; default all")
    parser.add_argument("--repeats", type=int, default=5, help="how many times each is measured")
    parser.add_argument("--conversations", type=int, default=200, help="of the run whose CPU is measured")
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "recfw-peers"
    parser.add_argument("--cache", type=Path, default=cache, help="where the virtual environments are kept")
    parser.add_argument("--note", default="", help="a sentence on the machine, for the page")
    parser.add_argument("--out", type=Path, help="also write the figures as a page of Markdown")
    told = parser.parse_args()
    chosen = [harness for harness in HARNESSES if harness.name in (told.names or names)]
    pythons = {harness: environment(harness, told.cache) for harness in chosen}
    found = {harness: Samples(version(harness, pythons[harness])) for harness in chosen}
    for repeat in range(told.repeats):
        for harness in chosen:
            once(harness, pythons[harness], found[harness], told.conversations)
            print(f"{repeat + 1}/{told.repeats} {harness.name}", flush=True)
    print("\n".join(["", *table(found)]))
    if told.out:
        told.out.write_text(page(found, told), encoding="utf-8")


if __name__ == "__main__":
    main()
