"""Stores of any size, filled quickly with trials that were never played: for tests and measurements of scale."""

from collections.abc import Iterator

from recfw.model.reply import Reply
from recfw.model.run import Cell, ComponentSpec, RunSpec, Status, Trial, TrialKey
from recfw.model.score import Score
from recfw.model.task import Task
from recfw.model.trace import EndEvent, ReplyEvent
from recfw.serialize import checksum, event_line, pack_trace
from recfw.store.repository import Store

TOGETHER = 500
"""Trials of one transaction."""
CELLS = ("one", "two")
_SENTENCE = "These are the words of reply {}, as many as somebody would say about what they are looking for."


def fill_store(store: Store, trials: int, *, run: str = "synthetic", events: int = 20) -> None:
    """
    Give a store a completed run.

    Args:
        store: An open store that has no run of this id.
        trials: How many trials, halved between two cells; an even number.
        run: The run's id.
        events: How many events the trace of each trial has.
    """
    spec = RunSpec("synthetic", "synthetic", tuple(Cell(n, {"agent": ComponentSpec(n)}) for n in CELLS), seed=1)
    store.create_run(run, spec, "0" * 64, {"recfw": "0"}, trials, status="completed", created=0.0)
    tasks = [Task(_name(n), f"cluster-{n % 50}", {"tier": str(n % 3)}) for n in range(trials // 2)]
    for first in range(0, len(tasks), TOGETHER):
        store.add_tasks(run, tasks[first : first + TOGETHER])
    packed, checksums = synthetic_trace(events)
    waiting: list[Trial] = []
    for trial in _trials(trials, events, packed, checksums):
        waiting.append(trial)
        if len(waiting) == TOGETHER:
            store.add_trials(run, waiting)
            waiting = []
    store.add_trials(run, waiting)


def synthetic_trace(events: int) -> tuple[bytes, bytes]:
    """Return a packed trace of so many events, and the checksums of its lines."""
    checksums = bytearray()

    def lines() -> Iterator[bytes]:
        for number in range(events):
            said = ReplyEvent("agent" if number % 2 else "user", number // 2, Reply(_SENTENCE.format(number)))
            line = event_line(said if number < events - 1 else EndEvent("done", {"replies": events - 1}))
            checksums.extend(checksum(line))
            yield line

    packed = pack_trace(lines())
    return packed, bytes(checksums)


def _name(number: int) -> str:
    return f"task-{number:06}"


def _trials(count: int, events: int, packed: bytes, checksums: bytes) -> Iterator[Trial]:
    for number in range(count):
        key = TrialKey(CELLS[number % 2], _name(number // 2), 0)
        scores = (
            Score("success", float(number % 3 > 0), "success@1"),
            Score("turns", float(number % 7), "turns@1"),
            Score("cost", number % 11 / 100, "cost@1"),
        )
        yield Trial(
            key,
            1,
            key.seed(1),
            Status.COMPLETED,
            "done",
            started=float(number),
            seconds=2.5,
            events=events,
            usage={"agent": {"replies": events / 2, "input_tokens": 1000, "output_tokens": 100, "cost": 0.01}},
            scores=scores,
            trace=packed,
            checksums=checksums,
        )
