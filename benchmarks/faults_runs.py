"""
Runs against the stub provider that goes wrong, and what they left, asked of the database itself.

The track is core's fake dialogue, whose agent is a model that has to call tools; the stub plays the model so that one
trial in five fails by its own fault, whatever the provider does. Every trial sends a seed of its own, so that faults
are drawn for each trial apart, and what a fault met is known by the seed in the request that it met.
"""

import contextlib
import io
import json
import os
import sqlite3
import sys
import time
from collections import Counter, defaultdict
from contextlib import closing
from pathlib import Path

from attrs import evolve, field, frozen

from recfw.cli.main import invoke
from recfw.serialize import trace_lines
from recfw.testing.provider import WAYS, Answer, Call, Faults, StubProvider
from recfw.testing.provider.brains import echo

TESTS = Path(__file__).resolve().parents[1] / "tests"
SEEDS = 2**31
"""A trial's seed is sent modulo this."""
QUICK = ("timeout=1", "max_wait=0.2")
"""Options of the agent: a request that hangs takes a second, and so does a wait that the provider asks for."""
LATE = 2.0
"""Seconds that late answers of the stub take, which is beyond the deadline."""


def shopper(request):
    """Play the fake dialogue's agent: look one thing up, ask, propose, choose; one trial in five chooses wrongly."""
    if request.schema is not None:
        return echo(request)
    heard = [str(said.get("content")) for said in request.messages if said["role"] == "user"]
    if len(heard) < 2:
        return (
            Answer(calls=(Call("look_up", {"item": "red-cube"}),)) if not request.called else "Which color and shape?"
        )
    color = next((name for name in ("red", "blue") if any(name in words for words in heard[1:])), "red")
    shape = next((name for name in ("cube", "ball") if any(name in words for words in heard[1:])), "cube")
    if int(request.body.get("seed", 0)) % 5 == 0:
        shape = "ball" if shape == "cube" else "cube"
    if len(heard) == 2:
        return f"What of [{color}-{shape}]?"
    return Answer(calls=(Call("choose", {"item": f"{color}-{shape}"}),))


class Model:
    """
    The stub with the shopper in it, which draws what goes wrong and notes it.

    Ways that concern tool calls are drawn only where the shopper calls a tool, so that a way that is harmless to a call
    puts none in the place of words.

    Attributes:
        met: Seed of a trial -> how often each way met it.
        bodies: Hash of a request's body -> how often it was sent.
        times: The same -> when, by the monotonic clock.
    """

    def __init__(self):
        self.met, self.bodies, self.times = defaultdict(Counter), Counter(), defaultdict(list)
        self.stub = StubProvider(brain=self._say)
        self.faulty()

    def faulty(self, rate=0.0, ways=(), seed=0, attempts=0, after=0):
        """Let so many requests go wrong, drawn evenly over ways or kinds, ``after`` so many further requests."""
        chosen = [way for way in WAYS.values() if not ways or {way.name, way.kind} & set(ways)]
        talking = tuple(way.name for way in chosen if not way.needs_tool)
        self._calling = Faults(rate, tuple(way.name for way in chosen), seed, attempts)
        self._talking = Faults(rate if talking else 0.0, talking, seed, attempts)
        self.stub.change(faults=Faults(slow=LATE))
        self.met, self._begin = defaultdict(Counter), self.bodies.total() + after

    def _say(self, request):
        """Answer, and note what goes wrong, which is drawn from the request alone."""
        said = shopper(request)
        answer = Answer(said) if isinstance(said, str) else said
        self.bodies[request.digest] += 1
        self.times[request.digest].append(time.monotonic())
        if self.bodies.total() <= self._begin:
            return answer
        way = (self._calling if answer.calls else self._talking).draw(request)
        if way is None:
            return answer
        self.met[request.body.get("seed")][way.name] += 1
        return evolve(answer, fault=way.name, attempts=request.attempt + 1)

    def __enter__(self):
        self.stub.__enter__()
        return self

    def __exit__(self, *error):
        self.stub.__exit__(*error)


@frozen
class Ended:
    """How a command ended: exit status, what it printed for scripts, what it said, wall-clock seconds."""

    status: int
    told: dict = field(factory=dict)
    said: str = ""
    seconds: float = 0.0


@frozen
class Attempt:
    """A stored attempt of a trial: which, its seed, how it ended, the figures that it has, and its traces' rows."""

    task: str
    seed: int
    attempt: int
    status: str
    stop: str
    scores: tuple
    traces: int


class Runs:
    """
    A folder with a store, in which runs are typed.

    Args:
        folder: An empty folder.
        url: The stub's.
        component: ``endpoint`` or ``litellm``.
    """

    def __init__(self, folder, url, component="endpoint"):
        self.folder, self.url, self.component = Path(folder), url, component
        self.folder.mkdir(parents=True, exist_ok=True)
        self.store = self.folder / "runs.db"

    def words(self, trials, *settings, role="agent", more=()):
        """Return the words of a run of so many trials, whose agent (user, judge) is the model."""
        model = "openai/stub" if self.component == "litellm" else "stub"
        options = dict(option.split("=", 1) for option in (f"model={model}", f"api_base={self.url}", *QUICK, *settings))
        chosen = [word for name, value in options.items() for word in ("--set", f"{role}.{name}={value}")]
        track = ("--track", "fake-dialogue", "--set", f"track.size={trials}")
        return ("run", *track, f"--{role}", self.component, *chosen, "--concurrency", "32", "--json", *more)

    def type(self, *words):
        """Type a command in this process."""
        with _environment(RECFW_STORE=str(self.store), RECFW_PLUGINS="fakes.plugin", OPENAI_API_KEY="sk-stub"):
            out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
            started = time.monotonic()
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                status = invoke(words)
            seconds = time.monotonic() - started
        printed, said = (_read(stream) for stream in (out, err))
        return Ended(status, json.loads(printed) if printed.startswith("{") else {}, said, seconds)

    def resume(self, *more):
        """Go on with the only run."""
        return self.type(
            "run", "--resume", self.ask("SELECT id FROM run")[0][0], "--concurrency", "32", "--json", *more
        )

    def ask(self, query):
        """Ask the database."""
        with closing(sqlite3.connect(self.store)) as connection:
            return connection.execute(query).fetchall()

    def attempts(self):
        """Return every stored attempt, the newest of a trial last."""
        if not self.store.exists():
            return []
        scores = defaultdict(list)
        for trial, metric, value in self.ask("SELECT trial_id, metric, value FROM score ORDER BY metric"):
            scores[trial].append((metric, value))
        traces = Counter(trial for (trial,) in self.ask("SELECT trial_id FROM trace"))
        rows = self.ask("SELECT id, task_id, seed, attempt, status, stop FROM trial ORDER BY task_id, attempt")
        return [Attempt(*row[1:], tuple(scores[row[0]]), traces[row[0]]) for row in rows]

    def events(self, task):
        """Return the events of a task's newest attempt."""
        query = "SELECT data FROM trace JOIN trial t ON t.id = trial_id WHERE task_id = '{}' ORDER BY attempt DESC"
        return [json.loads(line) for line in trace_lines(self.ask(query.format(task))[0][0], task)]

    def completed(self):
        """Return task -> its completed attempt."""
        return {one.task: one for one in self.attempts() if one.status == "completed"}


def _read(stream):
    stream.flush()
    return stream.buffer.getvalue().decode()


@contextlib.contextmanager
def _environment(**more):
    if str(TESTS) not in sys.path:
        sys.path.insert(0, str(TESTS))
    before = {name: os.environ.get(name) for name in more}
    os.environ.update(more)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def faults_of(runs, ended, trials, *, stopped=False):
    """
    Return what is wrong, in sentences, with what a run left; nothing where all is as it must be.

    Args:
        runs: Where it was typed.
        ended: How it ended.
        trials: How many trials it has.
        stopped: Whether it was to stop before its end.
    """
    found, attempts = [], runs.attempts()
    if "Traceback" in ended.said:
        found.append(f"it crashed: {ended.said[-300:]}")
    completed = [one.task for one in attempts if one.status == "completed"]
    failed = {one.task for one in attempts if one.status == "failed"} - set(completed)
    if len(completed) != len(set(completed)):
        found.append("a trial is completed twice")
    if not stopped and len(set(completed) | failed) != trials:
        found.append(f"{trials - len(set(completed) | failed)} trials of {trials} are not accounted for")
    if (ended.status, bool(failed) or stopped) not in {(0, False), (6, True)}:
        found.append(f"exit status {ended.status} with {len(failed)} failed trials: {ended.said[-300:]}")
    for one in attempts:
        if one.status == "failed" and one.scores:
            found.append(f"the failed attempt {one.attempt} of {one.task} has scores")
        if one.status == "completed" and not one.scores:
            found.append(f"the completed {one.task} has no scores")
        if one.stop in {"agent_error", "user_error"}:
            found.append(f"{one.task} ended as {one.stop}")
        if one.traces != 1:
            found.append(f"attempt {one.attempt} of {one.task} has {one.traces} traces")
    return found


def differences(runs, alone, met):
    """
    Return which completed trials differ from those of a run without faults, in sentences.

    A trial that no fault met, or only such as are nobody's, has the same ending and scores. One that met an unusual
    shape, too, but that calls which came twice are two; what the model itself did wrong may change all.

    Args:
        runs: The run with faults.
        alone: Task -> completed attempt without faults.
        met: Seed -> the ways that met a trial.
    """
    found = []
    for task, one in runs.completed().items():
        other, ways = alone[task], set(met.get(one.seed % SEEDS, ()))
        if any(WAYS[way].kind in {"agent", "context"} for way in ways):
            continue
        twice = "tool_ids_duplicate" in ways
        mine, theirs = (_figures(attempt, twice=twice) for attempt in (one, other))
        if mine != theirs:
            found.append(f"{task}, met by {sorted(ways)}, has {mine}, without faults {theirs}")
    return found


def _figures(attempt, *, twice):
    counts = {"tool_calls", "tool_errors"} if twice else set()
    return attempt.seed, attempt.stop, [(name, value) for name, value in attempt.scores if name not in counts]
