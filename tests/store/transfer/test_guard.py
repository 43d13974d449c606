"""Credentials do not leave a store: refused by the place where they stand, or replaced with all digests made to fit."""

from pathlib import Path
from typing import Any

import orjson
import pytest
from attrs import evolve
from fakes.moving import EVENTS, MakeTrial, held, put_out, read_lines, take_in, trace

from recfw.errors import DataError
from recfw.model.run import Attachment, Cell, ComponentSpec, RunSpec
from recfw.model.score import Score
from recfw.model.task import Task
from recfw.model.trace import ToolEvent
from recfw.secrets import MARK, Secrets
from recfw.serialize import digest, event_line, pack_trace
from recfw.store.repository import Store
from recfw.store.transfer.guard import Guard

KEY = 'pass"word-of-mine'
KNOWN = Secrets({"ACME_API_KEY": KEY})
INSIDE = f"before {KEY} after"


def kept_apart(media_type: str = "application/json") -> dict[str, Any]:
    """Return the fields of a trial whose tool's content was kept apart, with a credential in it."""
    import hashlib

    data = orjson.dumps({"page": [INSIDE, 1.5]})
    sha = hashlib.sha256(data).hexdigest()
    event = ToolEvent("agent", 1, 0, "look", {}, {"$attachment": sha})
    return {
        "trace": pack_trace([event_line(event), event_line(EVENTS[-1])]),
        "attachments": (Attachment(sha, media_type, data),),
    }


PLACES = {
    "an event": "trial a/t7/0, attempt 1, event 1",
    "a score": "trial a/t7/0, attempt 1, passed",
    "an error": "trial a/t7/0, attempt 1",
    "a usage": "trial a/t7/0, attempt 1",
    "a task": "task 't7'",
    "an attachment": "attachment ",
    "the note": "record",
    "the specification": "record",
}


@pytest.fixture
def leaky(source: Store, spec: RunSpec, make_trial: MakeTrial, request: pytest.FixtureRequest) -> Store:
    """The store with a run ``leaky`` that has a credential in one place."""
    cells = (Cell("a", {"agent": ComponentSpec("scripted", {"key": KEY, "n": 1})}),)
    where = request.param
    source.create_run("leaky", evolve(spec, cells=cells) if where == "the specification" else spec, digest("c"), {}, 1)
    fields: dict[str, Any] = {
        "an event": trace("hello", INSIDE, INSIDE),
        "a score": {"scores": (Score("passed", 1.0, "exact:1", {"why": [INSIDE]}),)},
        "an error": {"error": INSIDE},
        "a usage": {"usage": {INSIDE: {"cost": 1.0}}},
        "an attachment": kept_apart(),
    }.get(where, {})
    source.add_trial("leaky", make_trial(task="t7", **fields))
    source.add_tasks("leaky", [Task("t7", "c", {}, {}, {"goal": INSIDE} if where == "a task" else {})])
    source.labels.set_note("leaky", INSIDE if where == "the note" else "")
    return source


@pytest.mark.parametrize("leaky", PLACES, indirect=True)
@pytest.mark.parametrize("name", ["out.jsonl.gz", "out"])
def test_refused(leaky: Store, tmp_path: Path, name: str, request: pytest.FixtureRequest) -> None:
    """The place is named, the value is not shown whole, and no file is left."""
    where = request.node.callspec.params["leaky"]
    with pytest.raises(DataError) as caught:
        put_out(leaky, tmp_path / name, "leaky", guard=Guard(KNOWN))
    assert f"run leaky, {PLACES[where]}" in caught.value.message
    assert caught.value.message.endswith("holds what looks like the value of ACME_API_KEY: pass… (17 characters).") or (
        "pass… (18 characters)" in caught.value.message
    )
    assert "--redact" in caught.value.hint
    assert KEY not in str(caught.value)
    assert not list(tmp_path.glob("*out*"))


@pytest.mark.parametrize("leaky", PLACES, indirect=True)
@pytest.mark.parametrize("name", ["out.jsonl", "out"])
def test_redacted(leaky: Store, target: Store, tmp_path: Path, name: str) -> None:
    """What is redacted is imported as any export, says that it was redacted, and holds no credential."""
    guard = Guard(KNOWN, redact=True)
    path = put_out(leaky, tmp_path / name, "leaky", guard=guard)
    assert guard.count > 0
    files = [path] if path.is_file() else [file for file in path.rglob("*") if file.is_file()]
    text = "".join(file.read_text() for file in files)
    assert "word-of-mine" not in text
    (arrived,) = take_in(target, path)
    assert arrived.attempts == 1
    lines = read_lines(path if path.is_file() else path / "leaky.jsonl")
    assert (lines[0]["redacted"], lines[-1]["redacted"]) == (True, guard.count)
    again = Guard(KNOWN)
    put_out(target, tmp_path / "again.jsonl.gz", "leaky", guard=again)


@pytest.mark.parametrize("leaky", ["an attachment"], indirect=True)
def test_redacted_attachment_is_found_again(leaky: Store, target: Store, tmp_path: Path) -> None:
    """A redacted payload has another digest, by which its event refers to it."""
    take_in(target, put_out(leaky, tmp_path / "out", "leaky", guard=Guard(KNOWN, redact=True)))
    key = next(target.trials("leaky")).key
    (event,) = target.trace("leaky", key).tools()
    assert event.content == {"page": [f"before {MARK} after", 1.5]}


@pytest.mark.parametrize("leaky", ["an event"], indirect=True)
def test_only_what_held_it_changes(leaky: Store, target: Store, tmp_path: Path) -> None:
    """Other events of the trial stay as they were recorded, byte for byte."""
    take_in(target, put_out(leaky, tmp_path / "out.jsonl.gz", "leaky", guard=Guard(KNOWN, redact=True)))
    before, after = (next(part for part in held(store, "leaky") if hasattr(part, "facts")) for store in (leaky, target))
    assert [before.checksums[n : n + 8] == after.checksums[n : n + 8] for n in (0, 8, 16, 24)] == [
        True,
        False,
        False,
        True,
    ]


def test_picture(source: Store, spec: RunSpec, make_trial: MakeTrial, tmp_path: Path) -> None:
    """A credential in the bytes of a picture cannot be replaced, and the picture does not leave."""
    source.create_run("p", spec, digest("c"), {}, 1)
    source.add_trial("p", make_trial(**kept_apart("image/png")))
    known = Secrets({"A_TOKEN": "word-of-mine"})
    with pytest.raises(DataError, match="a credential within image/png cannot be replaced"):
        put_out(source, tmp_path / "out", "p", guard=Guard(known, redact=True))


def test_escaped_letters(source: Store, spec: RunSpec, make_trial: MakeTrial, tmp_path: Path) -> None:
    r"""A credential whose letters are written as \u0041 in a stored line is found as well."""
    line = event_line(EVENTS[-1]).replace(b'"n"', b'"\\u0073ecret-of-ours"')
    source.create_run("e", spec, digest("c"), {}, 1)
    source.add_trial("e", make_trial(trace=pack_trace([line])))
    with pytest.raises(DataError, match="event 0 holds what looks like the value of A_TOKEN"):
        put_out(source, tmp_path / "out", "e", guard=Guard(Secrets({"A_TOKEN": "secret-of-ours"})))


def test_clean_run_is_not_changed(source: Store, tmp_path: Path) -> None:
    """Where nothing is found, --redact changes nothing but what the first line says."""
    plain = put_out(source, tmp_path / "plain.jsonl")
    redacted = put_out(source, tmp_path / "redacted.jsonl", guard=Guard(KNOWN, redact=True))
    told = redacted.read_bytes().replace(b'"redacted":true', b'"redacted":false')
    assert told.splitlines()[:-1] == plain.read_bytes().splitlines()[:-1]
