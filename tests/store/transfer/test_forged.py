"""Lines that were forged, with a closing line that fits, are held against what each of them must be."""

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fakes.moving import put_out, read_lines, sign, take_in

from recfw.errors import DataError
from recfw.serialize import checksum, digest
from recfw.store.repository import Store
from recfw.store.transfer.lines import EVENT
from recfw.store.transfer.records import TrialPart
from recfw.store.writing import row_checksum

Edit = Callable[[list[Any]], Any]


def first(lines: list[Any], kind: str) -> int:
    """Return the number of the first line of a kind."""
    return next(n for n, line in enumerate(lines) if kind in line)


def of_run(**fields: Any) -> Edit:
    """Edit the run's record."""
    return lambda lines: lines[0]["run"].update(fields)


def of_trial(**fields: Any) -> Edit:
    """Edit an attempt's record, and give it the checksum that fits."""

    def edit(lines: list[Any]) -> None:
        line = lines[first(lines, "trial")]
        line["trial"].update(fields)
        try:
            line["checksum"] = row_checksum({**line["trial"], "run_id": "r1"}).hex()
        except (KeyError, TypeError):
            line["checksum"] = "00" * 8

    return edit


def of_spec(**fields: Any) -> Edit:
    """Edit the specification, and give it the digest that fits."""

    def edit(lines: list[Any]) -> None:
        run = lines[0]["run"]
        run["spec"].update(fields)
        run["spec_digest"] = digest(run["spec"])

    return edit


def at(kind: str, **fields: Any) -> Edit:
    """Edit the first line of a kind."""
    return lambda lines: lines[first(lines, kind)].update(fields)


def twice(kind: str) -> Edit:
    """Repeat the first line of a kind."""
    return lambda lines: lines.insert(first(lines, kind), lines[first(lines, kind)])


def without(kind: str) -> Edit:
    """Leave the first line of a kind out."""
    return lambda lines: lines.pop(first(lines, kind))


def twice_trial(lines: list[Any]) -> None:
    """Repeat the first attempt with all that belongs to it."""
    begin = first(lines, "trial")
    end = next(n for n in range(begin + 1, len(lines)) if "trial" in lines[n])
    lines[end:end] = lines[begin:end]
    lines[0]["trials"] += 1


def swap_trials(lines: list[Any]) -> None:
    """Put the second attempt before the first."""
    begin, second = [n for n, line in enumerate(lines) if "trial" in line][:2]
    end = [n for n, line in enumerate(lines) if "trial" in line][2]
    lines[begin:end] = lines[second:end] + lines[begin:second]


def other_attachment(lines: list[Any]) -> None:
    """Let an attempt refer to what is not there."""
    lines[first(lines, "trial")]["attachments"] = [hashlib.sha256(b"other").hexdigest()]


FORGED: dict[str, tuple[Edit, str]] = {
    "newer schema": (at("recfw_export", recfw_export=2), "has export schema 2, this recfw reads 1. Upgrade recfw."),
    "schema as text": (at("recfw_export", recfw_export="1"), "is no export of recfw"),
    "unknown key": (at("recfw_export", more=1), "more"),
    "unknown key of the run": (of_run(more=1), "more"),
    "unknown key of a task": (at("task", more=1), "more"),
    "unknown key of an attempt": (of_trial(more=1), "more"),
    "unknown kind of line": (lambda lines: lines.insert(2, {"hello": 1}), "is no line that could come here"),
    "a list": (lambda lines: lines.insert(2, [1]), "is no line that could come here"),
    "path as id": (of_run(id="../../x"), "cannot be the id of a run"),
    "folder as id": (of_run(id="a/b"), "cannot be the id of a run"),
    "dots as id": (of_run(id=".."), "cannot be the id of a run"),
    "zero in id": (of_run(id="a\0"), "cannot be the id of a run"),
    "no id": (of_run(id=""), "cannot be the id of a run"),
    "latest as id": (of_run(id="latest"), "cannot be the id of a run"),
    "tag that is none": (of_run(tags=["a b"]), "cannot be a tag"),
    "many tags": (of_run(tags=[f"t{n}" for n in range(10_001)]), "too many tags"),
    "endless note": (of_run(note="x" * 30_000), "the note has 30,000 characters"),
    "deleting": (of_run(status="deleting"), "was half deleted"),
    "status of a run that is none": (of_run(status="won"), "no status 'won' of a run"),
    "content digest that is none": (of_run(content_digest="../x"), "content_digest is '../x', which is no SHA-256"),
    "content digest in capitals": (of_run(content_digest="A" * 64), "which is no SHA-256"),
    "planned below zero": (of_run(planned=-1), "planned is -1, out of range"),
    "created beyond all dates": (of_run(created=1e300), "created is 1e+300, out of range"),
    "created as text": (of_run(created="1"), "created"),
    "other spec": (lambda lines: lines[0]["run"]["spec"].update(seed=9), "does not have its digest"),
    "spec of a newer recfw": (of_spec(novelty=1), "novelty"),
    "spec of wrong type": (of_spec(trials="3"), "trials"),
    "part 2": (at("recfw_export", part=2), "part 2 of 1 where part 1 was to come"),
    "more parts": (at("recfw_export", parts=2), "is cut off here"),
    "other task": (lambda lines: lines[first(lines, "task")]["task"].update(cluster="z"), "does not have its digest"),
    "other task id": (at("task", id="t9"), "does not have its digest"),
    "task twice": (twice("task"), "this task comes twice"),
    "missing task": (without("task"), "the run has no task 't2'"),
    "attachment twice": (twice("attachment"), "this attachment comes twice"),
    "missing attachment": (without("attachment"), "attachments are missing"),
    "no base64": (at("attachment", data="!!"), "no valid base64"),
    "other bytes": (at("attachment", data="AAAA"), "its bytes are not those that were exported"),
    "path as digest": (at("attachment", attachment="../x"), "is no SHA-256"),
    "unknown attachment": (other_attachment, "attachments are missing"),
    "unknown cell": (of_trial(cell="z"), "the run has no cell 'z'"),
    "unknown task": (of_trial(task_id="z"), "the run has no task 'z'"),
    "no trials": (of_spec(trials=-1), "no run has such a specification"),
    "no attempts": (of_spec(attempts=0), "no run has such a specification"),
    "no cells": (of_spec(cells=[]), "no run has such a specification"),
    "status that is none": (of_trial(status="won"), "no status 'won'"),
    "number below zero": (of_trial(trial=-1), "trial is -1, out of range"),
    "number beyond": (of_trial(attempt=1 << 40), "out of range"),
    "seed beyond": (of_trial(seed=1 << 63), "out of range"),
    "number as text": (of_trial(trial="0"), "trial"),
    "zero character": (of_trial(stop="a\0b"), "holds a zero character"),
    "usage of wrong type": (of_trial(usage={"agent": {"cost": "much"}}), "usage"),
    "record without checksum": (lambda lines: lines[first(lines, "trial")]["trial"].update(stop="x"), "its checksum"),
    "attempt twice": (twice_trial, "comes twice, or out of order"),
    "attempts out of order": (swap_trials, "comes twice, or out of order"),
    "more events said": (lambda lines: lines[first(lines, "trial")].update(lines=9), "an event was to come here"),
    "fewer events said": (lambda lines: lines[first(lines, "trial")].update(lines=1), "score"),
    "many scores": (lambda lines: lines[first(lines, "trial")].update(scores=10**9), "more than 10,000"),
    "event of no kind": (lambda lines: lines[first(lines, "event")]["event"].update(kind="x"), "no event kind"),
    "other event": (lambda lines: lines[first(lines, "event")]["event"].update(handle="x"), "have its checksum"),
    "no checksum": (at("event", checksum="zz" * 8), "no checksum"),
    "missing event": (without("event"), "an event was to come here"),
    "other score": (lambda lines: lines[first(lines, "score")]["score"].update(value=3.0), "have its checksum"),
    "score twice": (twice("score"), "a score comes twice"),
    "missing score": (without("score"), ""),
    "task after attempts": (lambda lines: lines.insert(-1, lines[1]), "is no line that could come here"),
    "fewer tasks said": (at("recfw_export", tasks=1), "does not fit the lines before it"),
    "more trials said": (at("recfw_export", trials=9), "does not fit the lines before it"),
}


@pytest.mark.parametrize("name", FORGED)
def test_forged_lines(source: Store, target: Store, tmp_path: Path, name: str) -> None:
    """Each fault is told with the line's number, and nothing is stored."""
    edit, words = FORGED[name]
    path = put_out(source, tmp_path / "out.jsonl")
    lines = read_lines(path)
    edit(lines)
    path.write_bytes(sign(lines))
    with pytest.raises(DataError) as caught:
        take_in(target, path)
    assert words in str(caught.value)
    assert str(caught.value).startswith(f"{path}: line ")
    assert target.runs() == []


@pytest.mark.parametrize("kind", ["run", "task", "event", "score"])
def test_deep_lines(source: Store, target: Store, tmp_path: Path, kind: str) -> None:
    """What is nested so deeply that it cannot be written again is refused in words, before any digest is computed."""
    path = put_out(source, tmp_path / "out.jsonl")
    lines = path.read_bytes().splitlines(keepends=True)
    where = next(n for n, line in enumerate(lines) if line.startswith(b'{"%s' % kind.replace("run", "recfw").encode()))
    body = lines[where].replace(b":{", b':{"deep":' + b"[" * 300 + b"]" * 300 + b",", 1)
    if kind == "event":
        told = checksum(body.removeprefix(EVENT).rpartition(b',"checksum"')[0]).hex().encode()
        body = body[: body.rindex(b":") + 1] + b'"' + told + b'"}\n'
    path.write_bytes(b"".join([*lines[:where], body, *lines[where + 1 :]]))
    with pytest.raises(DataError, match=rf"line {where + 1}: is nested more deeply than anything that recfw writes\."):
        take_in(target, path)


def test_signed_lines_are_taken(source: Store, target: Store, tmp_path: Path) -> None:
    """What these tests edit and sign is an export when it was not edited."""
    path = put_out(source, tmp_path / "out.jsonl")
    assert sign(read_lines(path)) == path.read_bytes()
    assert take_in(target, path)[0].new


def test_lone_surrogate(source: Store, tmp_path: Path, target: Store) -> None:
    """Half a character, which no database holds, is no valid JSON."""
    path = put_out(source, tmp_path / "out.jsonl")
    path.write_bytes(path.read_bytes().replace(b"two\\nlines", b"\\ud800"))
    with pytest.raises(DataError, match="no valid JSON"):
        take_in(target, path)


def test_run_twice_in_a_file(source: Store, target: Store, tmp_path: Path) -> None:
    """A file may hold each run once."""
    path = put_out(source, tmp_path / "out.jsonl")
    lines = read_lines(path)
    parts = []
    for part in (1, 2):
        lines[0].update(part=part, parts=2)
        parts.append(sign(lines))
    path.write_bytes(b"".join(parts))
    with pytest.raises(DataError, match="run r1 comes twice"):
        take_in(target, path)


def test_redacted_count_of_an_unredacted_file(source: Store, target: Store, tmp_path: Path) -> None:
    """A closing line cannot tell of replaced credentials where the first one does not."""
    path = put_out(source, tmp_path / "out.jsonl")
    path.write_bytes(path.read_bytes().replace(b'"redacted":0', b'"redacted":3'))
    with pytest.raises(DataError, match="does not fit the lines before it"):
        take_in(target, path)


def test_changed_between_check_and_import(source: Store, target: Store, tmp_path: Path) -> None:
    """A file that changes after it was checked is refused, and nothing of it stays."""
    from recfw.store.transfer.entering import check, import_runs
    from recfw.store.transfer.sources import open_source

    path = put_out(source, tmp_path / "out.jsonl")
    with open_source(str(path)) as opened:
        check(opened)
        path.write_bytes(path.read_bytes().replace(b"hello", b"jello"))
        with pytest.raises(DataError, match="does not fit the lines before it"):
            list(import_runs(target, opened))
    assert target.runs() == []


def test_places_are_ordered() -> None:
    """Attempts are ordered as the store orders them, by bytes."""
    facts = {"cell": "é", "task_id": "B", "trial": 1, "attempt": 2}
    assert TrialPart(facts, "", b"", b"").place == ("é", "B", 1, 2)
