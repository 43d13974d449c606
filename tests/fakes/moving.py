"""A run to move from store to store, and what writes and reads exports of it."""

import gzip
import hashlib
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
from attrs import evolve

from recfw.model.reply import Reply
from recfw.model.run import Attachment, Status, Trial
from recfw.model.score import Score
from recfw.model.task import Task
from recfw.model.trace import EndEvent, PictureEvent, ReplyEvent
from recfw.secrets import Secrets
from recfw.serialize import checksum, event_line, pack_trace
from recfw.store.repository import Store
from recfw.store.transfer.entering import Arrived, check, import_runs
from recfw.store.transfer.guard import Guard
from recfw.store.transfer.leaving import parts_of
from recfw.store.transfer.lines import end_line
from recfw.store.transfer.sources import open_source
from recfw.store.transfer.writing import export_runs, format_of

CONTENT, OTHER_CONTENT = (hashlib.sha256(words).hexdigest() for words in (b"content", b"other content"))
"""Digests of what runs were asked of."""
PICTURE = Attachment(hashlib.sha256(b"\x00\xffpicture").hexdigest(), "image/png", b"\x00\xffpicture")
EVENTS = (
    PictureEvent("agent", "strip", PICTURE.sha256, "image/png"),
    ReplyEvent("agent", 1, Reply("hello, Zoë")),
    EndEvent("done", {"n": 1.5}),
)
TASKS = (Task("t2", "c", {"tier": "1"}, {"p": [1.5]}, {"goal": "x\u0000y"}), Task("t1", "d"))

MakeTrial = Callable[..., Trial]


def trace(*words: str) -> dict[str, Any]:
    """Return the fields of a trial that says these words."""
    events = [ReplyEvent("agent", n, Reply(word)) for n, word in enumerate(words)] + [EndEvent("done", {})]
    lines = [event_line(event) for event in events]
    return {"trace": pack_trace(lines), "checksums": b"".join(map(checksum, lines)), "events": len(lines)}


def fill(store: Store, make_trial: MakeTrial, run: str = "r1", numbers: range = range(4)) -> None:
    """Give a run tasks, and trials of every kind."""
    store.add_tasks(run, TASKS)
    whole = {"trace": pack_trace(map(event_line, EVENTS)), "events": 3, "attachments": (PICTURE,)}
    for number in numbers:
        store.add_trial(run, make_trial(task="t1", trial=number, **whole))
    store.add_trials(
        run,
        [
            make_trial(task="t2", trial=numbers[0], status=Status.FAILED, error="down: \u20ac", scores=()),
            make_trial(task="t2", trial=numbers[0], attempt=2),
            make_trial(task="t2", trial=numbers[1], status=Status.INTERRUPTED, scores=(), trace=pack_trace([])),
        ],
    )
    key = make_trial(task="t1", trial=numbers[0]).key
    store.add_scores(run, {(key, 1): [Score("passed", 0.5, "later:1", {"why": "é"}), Score("open", None, "later:1")]})


def put_out(store: Store, path: Path, *runs: str, guard: Guard | None = None) -> Path:
    """Export runs; return where."""
    export_runs(store, runs or ("r1",), path, format_of(path), guard or Guard(Secrets({})))
    return path


def take_in(store: Store, path: Path | str, limit: int | None = None) -> list[Arrived]:
    """Check and import; return what came of each run."""
    with open_source(str(path), limit) as source:
        check(source)
        return list(import_runs(store, source))


def held(store: Store, run: str = "r1") -> list[Any]:
    """Return all parts of a run."""
    return list(parts_of(store, run))


def unlabelled(parts: list[Any]) -> list[Any]:
    """Return the parts of a run without its tags, its note and its status."""
    return [evolve(parts[0], tags=(), note="", status=""), *parts[1:]]


def read_lines(path: Path) -> list[Any]:
    """Return an export's lines as values."""
    data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return [orjson.loads(line) for line in data.splitlines()]


KINDS = {"recfw_export": "run", "task": "task", "attachment": "attachment", "trial": "trial", "event": "event"}


def sign(lines: list[Any]) -> bytes:
    """Return edited lines as a file whose closing line fits them, as whoever forges one would write it."""
    done = b"".join(orjson.dumps(line) + b"\n" for line in lines[:-1])
    counts = Counter(next((kind for key, kind in KINDS.items() if key in line), "score") for line in lines[:-1])
    run = lines[0]["run"]["id"] if isinstance(lines[0].get("run"), dict) else ""
    return done + end_line(run, counts, 0, hashlib.sha256(done).hexdigest())
