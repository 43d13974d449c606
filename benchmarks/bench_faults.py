"""
Runs against a provider that goes wrong in every way, and how each ends: python benchmarks/bench_faults.py

A run of 500 trials with 5 % of requests failing evenly over the ways, a run of 50 trials for every single way, outages
that stop a run, and runs that are killed with -9 while answers are kept. Everything is checked in the database, by
sqlite3 alone. Exit status 1 where anything was found. --out writes docs/faults.md.
"""

import argparse
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from itertools import pairwise
from pathlib import Path
from textwrap import fill

from attrs import evolve, field, frozen
from faults_runs import TESTS, Model, Runs, differences, faults_of

from recfw.testing.provider import WAYS

EACH = 50
"""Trials of the run for one way."""
MANY = 500
"""Trials of the run for all ways."""
SHARE = 0.05
"""Requests of it that go wrong."""
HALF = 0.5
"""Requests that go wrong, of a run for one way: some go wrong three times in a row, and the trial fails."""
LONG_AGO = 0.5
"""Seconds before a kill at which a request was sent whose answer must have arrived: the stub takes 0.02 of them."""
ON_ITS_WAY = 0.2
"""Seconds after a kill in which the stub may still note a request that was sent before."""
WIDTH = 120
"""Characters of a line of the page that is written."""
SUBSET = (
    "http_429_seconds", "http_500", "http_502_html", "hang", "drop_in_body", "reset", "invalid_json", "error_in_200",
    "empty_choices", "null_message", "null_content", "usage_null", "surrogates", "reasoning_leaked", "tool_ids_missing",
    "refusal", "length", "content_filter_400", "arguments_not_json", "unknown_tool", "context_length_exceeded",
    "context_length_llama", "invalid_key", "quota", "model_not_found", "bad_request",
)  # fmt: skip
"""The ways that litellm itself makes something of, in a transport or an exception of its own."""


@frozen
class Line:
    """What a run of one way came to."""

    component: str
    way: str
    requests: int
    completed: int
    failed: dict
    endings: dict
    resumed: str
    words: str
    seconds: float
    faults: list = field(factory=list)

    def row(self):
        """Return its cells."""
        failed = ", ".join(f"{count} {kind}" for kind, count in sorted(self.failed.items())) or "0"
        endings = ", ".join(f"{count} {stop}" for stop, count in sorted(self.endings.items())) or "-"
        kind = WAYS[self.way].kind
        return f"| {self.way} | {kind} | {self.requests} | {self.completed} | {failed} | {endings} | {self.resumed} |"


class Campaign:
    """
    All runs through one component.

    Args:
        folder: Scratch.
        model: The stub.
        component: ``endpoint`` or ``litellm``.
    """

    def __init__(self, folder, model, component):
        self.folder, self.model, self.component = folder / component, model, component
        self._alone = {}

    def runs(self, name):
        """Return a place for a run."""
        return Runs(self.folder / name, self.model.stub.url, self.component)

    def alone(self, trials):
        """Return the completed attempts of a run without faults."""
        if trials not in self._alone:
            self.model.faulty()
            runs = self.runs(f"alone-{trials}")
            ended = runs.type(*runs.words(trials))
            found = faults_of(runs, ended, trials)
            assert not found, found
            self._alone[trials] = runs.completed()
        return self._alone[trials]

    def one(self, way, trials=EACH, rate=HALF):
        """Play a run in which one way goes wrong, and resume it without."""
        fatal = WAYS[way].kind == "fatal"
        alone, runs, before = self.alone(trials), self.runs(way), self.model.stub.stats.requests
        self.model.faulty(SHARE if fatal else rate, (way,))
        settings = ("retries=2", *(("timeout=60",) if way == "huge" else ()))  # megabytes a request take their time
        ended = runs.type(*runs.words(trials, *settings, more=("--no-preflight",)))
        requests = self.model.stub.stats.requests - before
        found = faults_of(runs, ended, trials, stopped=fatal)
        attempts, completed = runs.attempts(), runs.completed()
        kinds = Counter(one.stop for one in {a.task: a for a in attempts}.values() if one.status == "failed")
        met, resumed = self.model.met, "-"
        if fatal:
            found += self._refused(way)
        if ended.status:
            resumed, more = self.resumed(runs, trials)
            found += more
        found += differences(runs, alone, met)
        endings = Counter(one.stop for one in completed.values())
        words = _last(ended.said) if fatal else ""
        return Line(self.component, way, requests, len(completed), kinds, endings, resumed, words, ended.seconds, found)

    def resumed(self, runs, trials):
        """Go on with a run, the fault lifted."""
        self.model.faulty()
        again = runs.resume()
        found = faults_of(runs, again, trials)
        done = len(runs.completed())
        return (f"{done} of {trials}", found) if done == trials else ("no", [*found, "the resumed run is not complete"])

    def _refused(self, way):
        """The same from the start: the check before the first trial tells, and nothing is stored."""
        self.model.faulty(1.0, (way,))
        runs = self.runs(f"{way}-at-once")
        ended = runs.type(*runs.words(4))
        if ended.status != 6 or runs.attempts() or "Traceback" in ended.said:
            return [f"from the start: exit status {ended.status}, {len(runs.attempts())} attempts: {ended.said}"]
        return []

    def all(self, trials=MANY, rate=SHARE):
        """Play a run in which every way but the fatal ones goes wrong now and then."""
        alone, runs, before = self.alone(trials), self.runs(f"all-{trials}"), self.model.stub.stats.requests
        self.model.faulty(rate, ("recoverable", "harmless", "agent", "context"))
        ended = runs.type(*runs.words(trials))
        requests, met = self.model.stub.stats.requests - before, self.model.met
        drawn = Counter(way for ways in met.values() for way in ways.elements())
        found = faults_of(runs, ended, trials) + differences(runs, alone, met)
        endings = Counter(one.stop for one in runs.completed().values())
        failed = Counter(one.stop for one in runs.attempts() if one.status == "failed")
        apart = f" ({_told(failed)})" if failed else ""
        words = (
            f"`{self.component}`: {trials} trials, {requests:,} requests, {drawn.total()} of them went wrong in "
            f"{len(drawn)} ways and met {len(met)} trials. {len(runs.completed())} trials completed "
            f"({_told(endings)}), {failed.total()} attempts failed as infrastructure{apart}, "
            f"{ended.seconds:.0f} s. Of the {trials - len(met)} trials that no fault met, every figure is that of a "
            "run without faults."
        )
        return words, found


def _told(counts):
    return ", ".join(f"{count} {name}" for name, count in sorted(counts.items()))


def _last(said):
    """Return the error that a command ended with."""
    return next((line for line in reversed(said.splitlines()) if line.startswith("Error")), said[-200:])


def outages(folder, model, trials=EACH):
    """Return (scene, words, faults) of runs that a provider's failure as a whole stops, and that resume completes."""
    scenes = (
        ("down from the start", {"rate": 1.0, "ways": ("drop_before_headers",)}, (), 0),
        ("down in the middle", {"rate": 1.0, "ways": ("http_503",)}, ("breaker=20", "breaker_seconds=1"), 3 * trials),
        ("the key refused in the middle", {"rate": 1.0, "ways": ("invalid_key",)}, (), 3 * trials),
        ("429 for ever", {"rate": 1.0, "ways": ("http_429",)}, ("retries=2", "max_wait=0.05"), 3 * trials),
    )
    campaign = Campaign(folder / "outages", model, "endpoint")
    for name, faults, settings, after in scenes:
        runs = campaign.runs(name.replace(" ", "-"))
        model.faulty(after=after, **faults)
        ended = runs.type(*runs.words(trials, *settings))
        found = faults_of(runs, ended, trials, stopped="429" not in name)
        stored = len(runs.completed())
        if not after and (stored or runs.attempts()):
            found.append("something was played though nothing answers")
        if after:
            found += campaign.resumed(runs, trials)[1] + differences(runs, campaign.alone(trials), {})
        words = (
            _last(ended.said)
            if "429" not in name
            else next(line for line in ended.said.splitlines() if "trials failed" in line)
        )
        yield name, f"{stored} completed, exit status {ended.status}: {words}", found


class Kills:
    """
    Kills a run with -9 at random moments and resumes it, its answers kept, and counts what was paid for twice.

    Args:
        folder: Scratch.
        model: The stub, which counts requests by their bodies.
        seed: Of the moments.
    """

    def __init__(self, folder, model, seed=0):
        self.model, self.draws = model, random.Random(seed)
        self.runs = Runs(folder / f"kills-{seed}", model.stub.url)
        self.kills, self.moments, self.found = 0, [], []

    def play(self, kills, trials=MANY, workers=0, concurrency=8):
        """Kill so often, then let it end; return how many requests were sent again, how long before a kill at most."""
        self.model.faulty()
        self.model.stub.change(latency=0.02)
        self.model.bodies.clear()
        self.model.times.clear()
        more = ("--no-preflight", "--cache", str(self.runs.folder / "answers"), "--workers", str(workers))
        words = [*self.runs.words(trials, more=more)]
        words[words.index("--concurrency") + 1] = str(concurrency)
        again = self._killed(words, kills, concurrency, max(6, 4 * trials // (kills + 2)))
        self.model.stub.change(latency=0.0)
        self.found += faults_of(self.runs, again, trials)
        paid = self.model.bodies.total() - len(self.model.bodies)
        if paid > kills * concurrency:
            self.found.append(f"{paid} requests were sent again, {kills} kills with {concurrency} in flight each")
        age = max((self._age(times) for times in self.model.times.values() if len(times) > 1), default=0.0)
        if age > LONG_AGO:
            self.found.append(f"a request that was sent {age:.2f} s before a kill was sent again")
        return paid, age

    def _age(self, times):
        """
        Return how long before a kill a request was sent that was sent again after it; infinite where no kill came.

        One that was on its way when the run was killed is noted a little later.
        """
        ages = []
        for one, other in pairwise(times):
            between = [max(0.0, kill - one) for kill in self.moments if one - ON_ITS_WAY <= kill <= other]
            ages.append(min(between, default=float("inf")))
        return max(ages)

    def _killed(self, words, kills, concurrency, most):
        while self.kills < kills:
            before = self.model.bodies.total()
            process = self._start(words)
            self._wait(process, before, self.draws.randint(5, most))
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                self.moments.append(time.monotonic())
                self.kills += 1
            process.wait()
            if process.returncode == 0:
                break  # it was through before its moment came
            if self.runs.store.exists() and self.runs.ask("SELECT count(*) FROM run")[0][0]:
                words = self._again(words, self.runs.ask("SELECT id FROM run")[0][0], concurrency)
        name = self.runs.ask("SELECT id FROM run")[0][0]
        return self.runs.type(*self._again(words, name, concurrency))

    @staticmethod
    def _again(words, name, concurrency):
        """Return the words that go on with a run."""
        kept = words[words.index("--cache") + 1]
        words = ["run", "--resume", name, "--json", "--no-preflight", "--cache", kept]
        return [*words, "--concurrency", str(concurrency)]

    def _wait(self, process, before, requests):
        """Wait until so many requests were sent, and a random moment more."""
        until = time.monotonic() + 60
        while self.model.bodies.total() < before + requests and process.poll() is None:
            if time.monotonic() > until:
                self.found.append("a run sent nothing for a minute")
                return
            time.sleep(0.005)
        time.sleep(self.draws.random() * 0.05)

    def _start(self, words):
        path = os.pathsep.join([str(TESTS), os.environ.get("PYTHONPATH", "")])
        mine = {"RECFW_STORE": str(self.runs.store), "RECFW_PLUGINS": "fakes.plugin", "OPENAI_API_KEY": "sk-stub"}
        return subprocess.Popen(
            [sys.executable, "-m", "recfw.cli.main", *words], cwd=self.runs.folder,
            env={**os.environ, **mine, "PYTHONPATH": path}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            start_new_session=True,
        )  # fmt: skip


HEAD = """# How runs end when a provider goes wrong

Measured by `python benchmarks/bench_faults.py --out docs/faults.md`, with the stub provider of
[recfw.testing.provider](how-to/test-models.md) in the model's place and core's fake dialogue as the track; one trial in
five fails by the model's own fault. All counts are read from the database with sqlite3 alone. Requests time out after
one second (a minute where replies have megabytes), and no wait is longer than 0.2 s.
"""

WAYS_HEAD = """
## One way at a time

A run of {each} trials for every way, in which half of all requests go wrong (5 % where the way stops the run), and each
is sent three times at most. *Failed* are the trials that failed as infrastructure, twice; they have no scores.
*Resumed* is how many are complete after `recfw run --resume` with the fault lifted. Wherever a fault was nobody's, or
harmless, the trial's figures are those of a run without faults. What the model itself does wrong stands in its trace
and its figures.
"""


def document(parts):
    """Return the page."""
    lines = [HEAD, "## All ways at once\n", *(f"{words}\n" for words in parts["all"]), WAYS_HEAD.format(each=EACH)]
    for component, found in parts["ways"].items():
        lines += [f"### `{component}`\n", "| way | kind | requests | completed | failed | endings | resumed |"]
        lines += ["| --- | --- | ---: | ---: | --- | --- | --- |", *(line.row() for line in found), ""]
        told = [line for line in found if line.words]
        if told:
            lines += ["These stop the run, with exit status 6 and these words:\n"]
            lines += [line for one in told for line in (f"`{one.way}`\n", f"> {one.words}\n")]
    lines += ["## A provider that is down, refuses the key, or refuses everything\n"]
    lines += [line for name, words in parts["outages"] for line in (f"{name}\n", f"> {words}\n")]
    lines += ["## Killed with -9 while answers are kept\n", *(f"{words}\n" for words in parts["kills"])]
    text = "\n".join(lines).rstrip().replace("\n\n\n", "\n\n") + "\n"
    return "\n".join(map(_wrapped, text.split("\n")))


def _wrapped(line):
    """Return a line of prose in lines that are not too long."""
    quote = "> " if line.startswith("> ") else ""
    whole = len(line) <= WIDTH or line.startswith("|")
    return line if whole else fill(line, WIDTH, subsequent_indent=quote, break_long_words=False, break_on_hyphens=False)


class Bench:
    """The whole of it."""

    def __init__(self, words, folder, model):
        self.words, self.folder, self.model, self.found = words, folder, model, []
        self.parts = {"all": [], "ways": {}, "outages": [], "kills": []}

    def note(self, what, words, found):
        """Keep and print what a part came to."""
        self.found += [f"{what}: {fault}" for fault in found]
        print(f"{what}: {words}", *(f"\n    FOUND {fault[:400]}" for fault in found[:5]), flush=True)

    def play(self):
        """Play all that was asked for."""
        for component in self.words.component:
            self._component(component)
        for name, words, found in outages(self.folder, self.model):
            self.note(name, words, found)
            self.parts["outages"].append((f"**{name.capitalize()}.**", self._shown(words)))
        for workers in (0, 2) if self.words.kills else ():
            self._kills(workers)

    def _shown(self, words):
        """Return what was said without what differs from one time to the next."""
        words = words.replace(self.model.stub.url, "http://127.0.0.1:8104/v1").replace(str(self.folder), "…")
        return re.sub(r"\d{8}-\d{6}-[a-z]{6}", "RUN", words)

    def _component(self, component):
        campaign = Campaign(self.folder, self.model, component)
        words, found = campaign.all(self.words.trials)
        self.note(f"all ways, {component}", words, found)
        self.parts["all"].append(words)
        ways = [way for way in WAYS if component == "endpoint" or self.words.all_ways or way in SUBSET]
        lines = self.parts["ways"].setdefault(component, [])
        for way in ways:
            line = campaign.one(way)
            lines.append(evolve(line, words=self._shown(line.words)))
            self.note(f"{component} {way}", f"{line.row()} {line.seconds:.0f} s {line.words}", line.faults)

    def _kills(self, workers):
        kills = Kills(self.folder, self.model, workers)
        paid, age = kills.play(self.words.kills, self.words.trials, workers)
        sent = self.model.bodies.total()
        words = (
            f"{self.words.trials} trials with {workers} worker processes, 8 at a time, killed {kills.kills} times at "
            f"random moments and resumed: {sent:,} requests were sent for {len(self.model.bodies):,} distinct ones. "
            f"{paid} were in flight when the run was killed and were sent again, none of them sent longer than "
            f"{age:.2f} s before it; an answer takes 0.02 s of the stub alone. No answer that had arrived was paid for "
            "twice."
        )
        self.note(f"kills, {workers} workers", words, kills.found)
        self.parts["kills"].append(words)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--component", nargs="*", default=["endpoint", "litellm"], choices=("endpoint", "litellm"))
    parser.add_argument("--all-ways", action="store_true", help="play all ways through litellm too, not a choice")
    parser.add_argument("--trials", type=int, default=MANY, help="of the runs with all ways, and of those killed")
    parser.add_argument("--kills", type=int, default=20, help="kills, without and with worker processes each")
    parser.add_argument("--out", type=Path, help="Markdown file to write")
    words = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="faults-") as folder, Model() as model:
        bench = Bench(words, Path(folder), model)
        bench.play()
    if words.out:
        words.out.write_text(document(bench.parts), encoding="utf-8")
    print(f"{len(bench.found)} faults found.", *bench.found, sep="\n")
    return 1 if bench.found else 0


if __name__ == "__main__":
    sys.exit(main())
