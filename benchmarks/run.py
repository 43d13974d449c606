"""
Benchmarks of recfw through the path that users run: python benchmarks/run.py [NAME...] (in tox: `tox -e bench`).

Every figure is printed with what it is compared to: a target, and a baseline or peer measured in the same run. Runs
that are measured are replayed, and a difference fails the benchmark.
"""

import argparse
import json
import os
import platform
import resource
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
import zlib
from pathlib import Path

import bench_models
import bench_scale
import bench_search

HERE = Path(__file__).resolve().parent
PEERS = "tau-rec v1 0.29, tau2 2.8-16.7, inspect_ai 7-9 ms"
"""CPU per model call of other harnesses on such a machine, measured in another session; not in this run."""
RECFW = [sys.executable, "-m", "recfw.cli.main"]


class Bench:
    """A scratch folder in which commands run, and the rows that are found."""

    def __init__(self, folder):
        self.folder, self.rows, self.disabled = folder, [], ""

    def row(self, name, value, unit, target, compared=""):
        """Print and keep one figure; ``target`` is ("<=" or ">=", number) or None."""
        met = (
            ""
            if target is None
            else ("ok" if (value <= target[1] if target[0] == "<=" else value >= target[1]) else "MISSED")
        )
        wanted = "" if target is None else f"{target[0]} {target[1]:g}"
        self.rows.append((name, value, unit, wanted, met, compared))
        print(f"{name:58} {value:10.3f} {unit:6} {wanted:>9} {met:7} {compared}", flush=True)

    def env(self):
        """Return the environment of a command."""
        notes = self.folder / "notes.jsonl"
        notes.unlink(missing_ok=True)
        path = os.pathsep.join([str(HERE), os.environ.get("PYTHONPATH", "")])
        return {
            **os.environ,
            "RECFW_PLUGINS": "bench_plugin",
            "PYTHONPATH": path,
            "BENCH_NOTES": str(notes),
            "RECFW_DISABLE_PLUGINS": self.disabled,
        }

    def type(self, *words):
        """Run a command; return its standard output."""
        done = subprocess.run([*RECFW, *words], cwd=self.folder, env=self.env(), capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"recfw {' '.join(words)}: exit {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout

    def run(self, *words):
        """Run `recfw run` in a store of its own, then `recfw replay`; return what both took."""
        store = self.folder / "runs.db"
        store.unlink(missing_ok=True)
        started = time.monotonic()
        self.type("run", "--store", "runs.db", *words)
        whole = time.monotonic() - started
        notes = [json.loads(line) for line in (self.folder / "notes.jsonl").read_text().splitlines()]
        size, start, end = store.stat().st_size, notes[0], notes[-1]
        started = time.monotonic()
        self.type("replay", "--store", "runs.db")
        return {
            "cpu": end["cpu"] - start["cpu"],
            "wall": end["wall"] - start["wall"],
            "peak": end["peak"] / 1e6,
            "whole": whole,
            "replay": time.monotonic() - started,
            "size": size,
        }

    def tool_seconds(self, tool):
        """Return the seconds that each answered call of a tool took, from the traces of the last run."""
        with sqlite3.connect(self.folder / "runs.db") as database:
            packed = [blob for (blob,) in database.execute("SELECT data FROM trace")]
        events = (json.loads(line) for blob in packed for line in zlib.decompress(blob).splitlines())
        return [e["seconds"] for e in events if e["kind"] == "tool" and e["tool"] == tool and not e["error"]]


def harness(bench):
    """CPU per model call (a reply of agent or user), share of the ideal, flat cost, memory."""
    calls, talks = 12, 50
    with_books = bench.run("--track", "bench-talk")["peak"]
    bench.disabled = "books"
    used = bench.run("--track", "bench-talk", "--trials", "20")
    bare = f"bare asyncio: {1000 * bare_loop(calls * 1000):.4f} ms; elsewhere: {PEERS}"
    per_call = 1000 * used["cpu"] / (20 * talks * calls)
    bench.row("CPU per model call, no-op components, journal on", per_call, "ms", ("<=", 0.25), bare)
    latency = ("--set", "agent.latency=0.2", "--set", "user.latency=0.2")
    used = bench.run("--track", "bench-talk", "--trials", "5", "--concurrency", "50", *latency)
    ideal = 5 * calls * 0.2
    share = ideal / used["wall"]
    bench.row("share of the ideal, 50 conversations x 200 ms", share, "", (">=", 0.95), f"ideal {ideal:.1f} s")
    cost, peak = {}, {}
    for trials, repeats in ((1, 7), (20, 3), (200, 1)):
        found = [bench.run("--track", "bench-talk", "--trials", str(trials)) for _ in range(repeats)]
        cost[trials] = statistics.median(1000 * f["cpu"] for f in found) / (trials * talks)
        peak[trials] = statistics.median(f["peak"] for f in found)
    for trials, spent in cost.items():
        ratio = f"{spent / cost[1]:.2f} x the cost at 50"
        bench.row(f"CPU per trial at {trials * talks:,} trials", spent, "ms", None, ratio)
    bench.row("cost at 10,000 trials / cost at 50", cost[200] / cost[1], "x", ("<=", 1.2))
    bench.row("peak RSS before statistics, 1,000 trials, no catalog", peak[20], "MB", ("<=", 100))
    bench.row("growth of peak RSS from 1,000 to 10,000 trials", peak[200] - peak[20], "MB", ("<=", 5))
    bench.row("the same peak with the books plugin installed and unused", with_books, "MB", None)
    bench.disabled = ""


def bare_loop(calls):
    """Return CPU seconds per await of a coroutine that does nothing, the floor of any harness on asyncio."""
    import asyncio

    async def noop():
        return None

    async def loop():
        for _ in range(calls):
            await asyncio.create_task(noop())

    started = time.process_time()
    asyncio.run(loop())
    return (time.process_time() - started) / calls


def start_up(bench):
    """CPU of `recfw --help`, and what it loads."""

    def cpu(*command):
        spent = []
        for _ in range(7):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run(command, check=True, capture_output=True, env=bench.env())
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            spent.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        return statistics.median(spent)

    bare = cpu(sys.executable, "-c", "import click, attrs, pluggy")
    bench.row(
        "recfw --help", cpu(*RECFW, "--help"), "s CPU", ("<=", 0.3), f"python + click, attrs, pluggy: {bare:.2f} s"
    )
    code = (
        "import sys; from recfw.cli.main import invoke; invoke(['--help']);"
        "print(sorted({'numpy','sqlmodel','scipy','sqlalchemy'} & set(sys.modules)), file=sys.stderr)"
    )
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=bench.env()).stderr
    bench.row("heavy libraries that recfw --help loads", len(json.loads(loaded.replace("'", '"'))), "", ("<=", 0))


def books(bench):
    """The main job, its replay and its searches, memory with the catalog, bytes of a conversation."""
    used = bench.run("--plugin", "books")
    bench.row("1,350 reference trials", used["wall"], "s", ("<=", 15))
    bench.row("the whole command `recfw run --plugin books`", used["whole"], "s", ("<=", 20))
    ratio = f"{used['replay'] / used['whole']:.2f} x the run"
    bench.row("their replay, without a difference", used["replay"], "s", None, ratio)
    bench.row("peak RSS before statistics, with the books catalog", used["peak"], "MB", None)
    six = ("--plugin", "books", "--agent", "bench-six", "--tasks", "condition=mixed", "--concurrency", "1")
    bench.run(*six, "--interface", "keyword")
    searched(bench, "keyword", 1.0)
    few, many = (bench.run(*six, "--trials", trials)["size"] for trials in ("2", "6"))
    searched(bench, "structured", 0.5)
    each = (many - few) / (4 * 150) / 1000
    name = "growth of the store for a six-turn conversation, six searches of 20 books"
    bench.row(name, each, "kB", ("<=", 15), "elsewhere: tau2, inspect_ai 20 to 55 kB")


def searched(bench, interface, target):
    """Latency of search_books as the last run's traces have it: schema check, deadline and answer included."""
    p50, p95 = bench_search.percentiles(bench.tool_seconds("search_books"))
    bench.row(f"a search_books call within a run, {interface}, p50", p50, "ms", ("<=", target))
    bench.row(f"a search_books call within a run, {interface}, p95", p95, "ms", None)


PARTS = {"search": bench_search.search, "harness": harness, "start-up": start_up, "books": books}


def situated(bench):
    """Renders, observations, walks, and whole episodes with and without pictures."""
    import bench_situated

    bench_situated.situated(bench)
    bench_situated.episodes(bench)


def orchestration(bench):
    """Tool calls in process, over stdio and HTTP beside the bare SDK; the default run and its replay."""
    import bench_orchestration_runs
    import bench_orchestration_servers

    bench_orchestration_servers.servers(bench)
    bench_orchestration_runs.runs(bench)


LONG = {
    "scale": bench_scale.scale,
    "models": bench_models.models,
    "retrievers": bench_search.retrievers,
    "situated": situated,
    "orchestration": orchestration,
}
"""Parts that take more than three minutes, or need a plugin besides books, and are measured where they are named."""


def main():
    """Run the parts that are named, or all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    every = {**PARTS, **LONG}
    parser.add_argument(
        "parts", nargs="*", choices=[*every, []], help=f"which parts; default all but {', '.join(LONG)}"
    )
    parser.add_argument("--out", type=Path, help="also write the figures as a page of Markdown")
    parser.add_argument("--note", default="", help="a sentence on the machine, for the page")
    told = parser.parse_args()
    chosen = told.parts or list(PARTS)
    with tempfile.TemporaryDirectory() as scratch:
        bench = Bench(Path(scratch))
        for name in chosen:
            print(f"\n{name}: {every[name].__doc__}")
            every[name](bench)
    missed = [row[0] for row in bench.rows if row[4] == "MISSED"]
    print(f"\n{len(bench.rows)} figures, {len(missed)} targets missed{': ' + '; '.join(missed) if missed else ''}")
    if told.out:
        told.out.write_text(page(bench.rows, chosen, told.out.name, told.note), encoding="utf-8")
    sys.exit(bool(missed))


def page(rows, chosen, name, note):
    """Return the figures as a page of docs/ of this name, with a note on the machine."""
    told = [] if chosen == list(PARTS) else [*chosen, f"--out docs/{name}"]
    words = " ".join(["python benchmarks/run.py", *(told or ["--out docs/benchmarks.md"])])
    tox = " ".join(["tox -e bench", *(["--", *told] if told else [])])
    lines = [
        "# Benchmarks" if not told else f"# Benchmarks: {', '.join(chosen)}",
        "",
        f"Written by `{words}` (in tox:",
        f"`{tox}`), which anyone can run again: Python {platform.python_version()},",
        f"{os.cpu_count()} cores, {platform.machine()}. Times are of one noisy machine;",
        "trust the ratios. Every figure but those of the part `search`, which times the search classes beside their",
        "peers, is of `recfw run` on its usual path, and every run that is measured is replayed without a difference.",
        *([note] if note else []),
        "",
        "| figure | value | target | | compared with |",
        "| --- | ---: | ---: | --- | --- |",
        *(
            f"| {name} | {value:.3f} {unit} | {wanted} | {met} | {compared} |"
            for name, value, unit, wanted, met, compared in rows
        ),
        "",
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    main()
