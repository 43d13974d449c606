"""
A run as lines of JSON, and back: the format of exports (docs/reference/export-format.md).

A section is one run: a line for its record, one for each task and each attachment; for each attempt a line, one for
each of its events and one for each of its scores; and a closing line with counts and the SHA-256 of all lines before
it. An event stands in its line byte for byte as it was recorded.
"""

import base64
import binascii
import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import orjson
from attrs import Factory, asdict, frozen

from recfw.errors import DataError
from recfw.serialize import trace_lines
from recfw.store.transfer.records import AttachmentPart, Part, RunPart, TaskPart, TrialPart

EXPORT_SCHEMA = 1

EVENT, SUM = b'{"event":', b',"checksum":"'
"""What stands before an event, and between it and its checksum."""
EVENT_END = len(SUM) + 16 + len(b'"}')


@frozen
class RunLine:
    """The first line: the schema, which part of how many it begins, and the run's record."""

    recfw_export: int
    part: int
    parts: int
    redacted: bool
    tasks: int
    trials: int
    run: dict[str, Any]


@frozen
class TaskLine:
    """A task."""

    task: dict[str, Any]
    cell: str
    id: str
    position: int
    digest: str


@frozen
class AttachmentLine:
    """An attachment; ``data`` in base64, or nothing where its bytes lie in a file."""

    attachment: str
    media_type: str
    size: int
    data: str = ""


@frozen
class TrialLine:
    """An attempt; as many lines of events and scores as it says follow."""

    trial: dict[str, Any]
    checksum: str
    lines: int
    scores: int
    attachments: tuple[str, ...]


@frozen
class ScoreLine:
    """A figure of the attempt above."""

    score: dict[str, Any]
    checksum: str


@frozen
class EndLine:
    """The closing line of a run: how many lines of each kind it has, credentials replaced, and their digest."""

    end: str
    counts: dict[str, int] = Factory(dict)
    redacted: int = 0
    sha256: str = ""


@frozen
class Position:
    """Which section of how many a file has."""

    part: int = 1
    parts: int = 1


Keep = Callable[[AttachmentPart], None]


def lines_of(
    parts: Iterable[Part], replaced: Callable[[], int], position: Position, keep: Keep | None = None
) -> Iterator[bytes]:
    """
    Yield a section's lines, each with its end.

    Args:
        parts: A run's parts.
        replaced: How many credentials were replaced; asked when all parts have gone by.
        position: Which section of how many.
        keep: Keeps an attachment's bytes elsewhere; without it they stand in its line.
    """
    digest, counts, run = hashlib.sha256(), Counter[str](), ""
    for part in parts:
        run = part.id if isinstance(part, RunPart) else run
        for kind, line in _lines(part, position, keep):
            whole = line + b"\n"
            digest.update(whole)
            counts[kind] += 1
            yield whole
    yield end_line(run, counts, replaced(), digest.hexdigest())


def end_line(run: str, counts: Counter[str], redacted: int, sha256: str) -> bytes:
    """Return a section's closing line; it depends on nothing else, so that a reader can tell it byte for byte."""
    named = {kind: counts[kind] for kind in ("task", "attachment", "trial", "event", "score")}
    return orjson.dumps(asdict(EndLine(run, named, redacted, sha256))) + b"\n"


def _lines(part: Part, position: Position, keep: Keep | None) -> Iterator[tuple[str, bytes]]:
    match part:
        case RunPart():
            data = asdict(part)
            tasks, trials, redacted = (data.pop(name) for name in ("tasks", "trials", "redacted"))
            line = RunLine(EXPORT_SCHEMA, position.part, position.parts, redacted, tasks, trials, data)
            yield "run", _dumps(line)
        case TaskPart():
            yield "task", _dumps(TaskLine(part.data, part.cell, part.id, part.position, part.digest))
        case AttachmentPart():
            yield "attachment", _attachment(part, keep)
        case TrialPart():
            yield from _trial(part)


def _attachment(part: AttachmentPart, keep: Keep | None) -> bytes:
    data = asdict(AttachmentLine(part.sha256, part.media_type, len(part.data)))
    if keep is None:
        data["data"] = base64.b64encode(part.data).decode()
    else:
        del data["data"]
        keep(part)
    return orjson.dumps(data)


def _trial(part: TrialPart) -> Iterator[tuple[str, bytes]]:
    count = len(part.checksums) // 8
    yield "trial", _dumps(TrialLine(part.facts, part.checksum, count, len(part.scores), part.attachments))
    for number, line in enumerate(trace_lines(part.trace, str(part))):
        checksum = part.checksums[8 * number : 8 * number + 8].hex().encode()
        yield "event", b"".join((EVENT, line, SUM, checksum, b'"}'))
    for score in part.scores:
        data = asdict(score)
        checksum_ = data.pop("checksum")
        yield "score", _dumps(ScoreLine(data, checksum_))


def _dumps(line: Any) -> bytes:
    return orjson.dumps(asdict(line, recurse=False))


# --- Reading ----------------------------------------------------------------------------------------------------------


def event_of(line: bytes) -> tuple[bytes, bytes]:
    """Return an event and its checksum out of a line that begins as one; DataError where it is none."""
    body, tail = line[len(EVENT) : -EVENT_END], line[-EVENT_END:]
    if not tail.startswith(SUM) or not tail.endswith(b'"}'):
        raise DataError("no event line: it does not end in a checksum.")
    try:
        return body, bytes.fromhex(tail[len(SUM) : -2].decode("ascii"))
    except ValueError as error:
        raise DataError(f"no checksum ({error}).") from error


def attachment_of(line: AttachmentLine, fetch: Callable[[str, int], bytes] | None) -> AttachmentPart:
    """
    Return an attachment, its bytes from its line or, by SHA-256 and size, from elsewhere.

    Raises:
        DataError: They are missing, of another size, or do not have that SHA-256.
    """
    try:
        data = fetch(line.attachment, line.size) if fetch else base64.b64decode(line.data, validate=True)
    except binascii.Error as error:
        raise DataError(f"attachment {line.attachment}: no valid base64 ({error}).") from error
    if len(data) != line.size or hashlib.sha256(data).hexdigest() != line.attachment:
        raise DataError(f"attachment {line.attachment}: its bytes are not those that were exported (SHA-256).")
    return AttachmentPart(line.attachment, line.media_type, data)


def score_of(line: ScoreLine) -> dict[str, Any]:
    """Return the fields of a :class:`ScorePart` as data, to be checked as one."""
    return {**line.score, "checksum": line.checksum}
