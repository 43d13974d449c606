"""Sections of lines as parts: every line, digest, checksum and count held against what it must be."""

import hashlib
import re
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import orjson
from attrs import asdict, field, frozen

from recfw.errors import DataError, UsageError
from recfw.model.run import RunSpec, Status
from recfw.model.task import Task
from recfw.serialize import checksum, digest, event_line, from_data, parse, read_event
from recfw.store.labels import check_note, check_tag
from recfw.store.names import NEWEST
from recfw.store.records import STATUSES
from recfw.store.repository import DELETING
from recfw.store.transfer.lines import (
    EVENT,
    EXPORT_SCHEMA,
    AttachmentLine,
    EndLine,
    RunLine,
    ScoreLine,
    TaskLine,
    TrialLine,
    attachment_of,
    end_line,
    event_of,
    score_of,
)
from recfw.store.transfer.records import AttachmentPart, Part, RunPart, ScorePart, TaskPart, TrialPart
from recfw.store.writing import row_checksum, score_checksum

T = TypeVar("T")

MOST_SCORES = 10_000
"""Scores of one attempt: they are in memory together."""
MOST_TAGS = 10_000
"""Of one run, to which many stores may have added theirs."""
_RUN_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
_SHA = re.compile(r"[0-9a-f]{64}")
_ATTACHMENT = b'{"attachment":'
_INTEGER, _SEED = 1 << 31, 1 << 63
LATEST = 253_402_300_800
"""Seconds since 1970 up to the end of the year 9999, the last that dates are written of."""

Fetch = Callable[[str, int], bytes]


def _within(limit: int) -> Callable[[Any, Any, Any], None]:
    def check(_: Any, attribute: Any, value: int) -> None:
        if not 0 <= value < limit:
            raise ValueError(f"{attribute.name} is {value}, out of range")

    return check


def _text(_: Any, attribute: Any, value: str) -> None:
    if "\0" in value:
        raise ValueError(f"{attribute.name} holds a zero character")


def _status(_: Any, attribute: Any, value: str) -> None:  # noqa: ARG001 - attrs' signature
    if value not in set(Status):
        raise ValueError(f"no status '{value}'")


def _run_status(_: Any, attribute: Any, value: str) -> None:  # noqa: ARG001 - attrs' signature
    if value not in STATUSES:
        raise ValueError(f"no status {value[:80]!r} of a run")


def _digest(_: Any, attribute: Any, value: str) -> None:
    if not _SHA.fullmatch(value):
        raise ValueError(f"{attribute.name} is {value[:80]!r}, which is no SHA-256")


@frozen
class Facts:
    """What the columns of an attempt may hold (:data:`recfw.store.transfer.records.FACTS`)."""

    cell: str = field(validator=_text)
    task_id: str = field(validator=_text)
    trial: int = field(validator=_within(_INTEGER))
    attempt: int = field(validator=_within(_INTEGER))
    seed: int = field(validator=_within(_SEED))
    status: str = field(validator=_status)
    stop: str = field(validator=_text)
    error: str = field(validator=_text)
    started: float
    seconds: float
    events: int = field(validator=_within(_INTEGER))
    usage: dict[str, dict[str, float]]


@frozen
class Record:
    """What a run's record may hold."""

    id: str
    created: float = field(validator=_within(LATEST))
    spec: dict[str, Any]
    spec_digest: str = field(validator=_text)
    content_digest: str = field(validator=_digest)
    versions: dict[str, str]
    status: str = field(validator=_run_status)
    planned: int = field(validator=_within(_INTEGER))
    tags: tuple[str, ...]
    note: str


def read_parts(lines: Iterator[bytes], fetch: Fetch | None = None, *, thorough: bool = True) -> Iterator[Part]:
    """
    Yield the parts of all sections.

    Args:
        lines: Lines with their ends.
        fetch: Gives the bytes of an attachment by SHA-256 and size, where they are not in the lines.
        thorough: Read every event; otherwise only its checksum is looked at.

    Raises:
        DataError: Something is not as `recfw export` writes it; the message names the line.
    """
    reader = _Reader(lines, fetch, thorough=thorough)
    part, parts, ids = 0, 1, set[str]()
    while part < parts:
        part += 1
        first, said = reader.begin()
        if said.part != part or (part > 1 and said.parts != parts):
            raise DataError(f"line {reader.number}: part {said.part} of {said.parts} where part {part} was to come.")
        if first.id in ids:
            raise DataError(f"line {reader.number}: run {first.id} comes twice.")
        ids.add(first.id)
        parts = said.parts
        yield first
        yield from reader.rest(first)
    reader.finish()


def _plain(line: bytes, where: str) -> Any:
    """Return a line's JSON values; DataError also where they are nested too deeply to be written again."""
    data = parse(line, where)
    try:
        orjson.dumps(data)
    except TypeError as error:
        raise DataError(f"{where}: is nested more deeply than anything that recfw writes.") from error
    return data


class _Reader:
    """Reads sections one line after the other."""

    def __init__(self, lines: Iterator[bytes], fetch: Fetch | None, *, thorough: bool) -> None:
        self.number = 0
        self._source, self._fetch, self._thorough = lines, fetch, thorough
        self._digest, self._counts = hashlib.sha256(), Counter[str]()

    @property
    def where(self) -> str:
        """The line that was taken last, for messages."""
        return f"line {self.number}"

    def finish(self) -> None:
        """Check that nothing follows."""
        if next(self._source, None) is not None:
            raise DataError(f"line {self.number + 1}: more lines follow the last closing line.")

    def _line(self) -> bytes:
        line = next(self._source, b"")
        self.number += 1
        if not line.endswith(b"\n"):
            raise DataError(f"{self.where}: the export is cut off here.", "Get a whole copy.")
        return line

    def _take(self, kind: str) -> bytes:
        line = self._line()
        self._count(kind, line)
        return line[:-1]

    def _count(self, kind: str, line: bytes) -> None:
        self._digest.update(line)
        self._counts[kind] += 1

    # --- The run ------------------------------------------------------------------------------------------------------

    def begin(self) -> tuple[RunPart, RunLine]:
        """Return a section's run, and its first line."""
        self._digest, self._counts = hashlib.sha256(), Counter[str]()
        data = _plain(self._take("run"), self.where)
        schema = data.get("recfw_export") if isinstance(data, dict) else None
        if type(schema) is not int:
            raise DataError(f"{self.where}: is no export of recfw.", "`recfw export RUN --out PATH` writes one.")
        if schema != EXPORT_SCHEMA:
            raise DataError(
                f"{self.where}: has export schema {schema}, this recfw reads {EXPORT_SCHEMA}.", "Upgrade recfw."
            )
        line = from_data(data, RunLine, self.where)
        part = RunPart(
            **asdict(from_data(line.run, Record, self.where), recurse=False),
            tasks=line.tasks,
            trials=line.trials,
            redacted=line.redacted,
        )
        self._check_run(part)
        return part, line

    def _check_run(self, part: RunPart) -> None:
        if not _RUN_ID.fullmatch(part.id) or part.id in NEWEST:
            raise DataError(f"{self.where}: {part.id[:100]!r} cannot be the id of a run.")
        if digest(part.spec) != part.spec_digest:
            raise DataError(f"{self.where}: the specification of run {part.id} does not have its digest.")
        spec = from_data(part.spec, RunSpec, f"{self.where}, specification")
        names = [cell.name for cell in spec.cells]
        if min(spec.trials, spec.attempts, len(names)) < 1 or len(set(names)) < len(names):
            raise DataError(f"{self.where}: no run has such a specification (trials, attempts, cells).")
        if part.status == DELETING:
            raise DataError(f"{self.where}: run {part.id} was half deleted.")
        try:
            if len(part.tags) > MOST_TAGS or check_note(part.note) != part.note:
                raise DataError(f"{self.where}: run {part.id} has too many tags, or a note that no recfw writes.")
            for tag in part.tags:
                check_tag(tag)
        except UsageError as error:
            raise DataError(f"{self.where}: {error.message}") from error

    # --- What belongs to it -------------------------------------------------------------------------------------------

    def rest(self, run: RunPart) -> Iterator[Part]:
        """Yield the parts of a section that has begun, and check its end."""
        cells = {cell["name"] for cell in run.spec["cells"]}
        tasks, attached = set[tuple[str, str]](), set[str]()
        last: tuple[str, str, int, int] | None = None
        while True:
            raw = self._line()
            read = parse if raw.startswith(_ATTACHMENT) else _plain  # an attachment may be large, and is flat
            data = read(raw, self.where)
            match data:
                case {"task": _} if not attached and last is None:
                    self._count("task", raw)
                    task = self._task(data)
                    self._once(tasks, (task.cell, task.id), "task")
                    yield task
                case {"attachment": _} if last is None:
                    self._count("attachment", raw)
                    kept = self._attachment(data)
                    self._once(attached, kept.sha256, "attachment")
                    yield kept
                case {"trial": _}:
                    self._count("trial", raw)
                    trial = self._trial(data, run.id, attached)
                    if trial.facts["cell"] not in cells:
                        raise DataError(f"{self.where}: the run has no cell '{trial.facts['cell']}'.")
                    cell, name = trial.facts["cell"], trial.facts["task_id"]
                    if tasks.isdisjoint({("", name), (cell, name)}):
                        raise DataError(f"{self.where}: the run has no task '{name}'.")
                    if last is not None and trial.place <= last:
                        raise DataError(f"{self.where}: {trial} comes twice, or out of order.")
                    last = trial.place
                    yield trial
                case {"end": _}:
                    self._end(data, raw, run)
                    return
                case _:
                    raise DataError(f"{self.where}: is no line that could come here.")

    def _once(self, seen: set[Any], key: Any, what: str) -> None:
        if key in seen:
            raise DataError(f"{self.where}: this {what} comes twice.")
        seen.add(key)

    def _end(self, data: Any, raw: bytes, run: RunPart) -> None:
        told = from_data(data, EndLine, self.where)
        counted = self._counts["task"], self._counts["trial"], bool(told.redacted) <= run.redacted
        wanted = end_line(run.id, self._counts, told.redacted, self._digest.hexdigest())
        if raw != wanted or counted != (run.tasks, run.trials, True):
            raise DataError(
                f"{self.where}: the closing line of run {run.id} does not fit the lines before it:"
                " they are not all there, or not as they were written.",
                "Get a whole copy.",
            )

    def _task(self, data: Any) -> TaskPart:
        line = from_data(data, TaskLine, self.where)
        task = from_data(line.task, Task, self.where)
        if task.id != line.id or digest(line.task) != line.digest:
            raise DataError(f"{self.where}: task '{line.id}' does not have its digest.")
        if not 0 <= line.position < _INTEGER or "\0" in line.cell + line.id:
            raise DataError(f"{self.where}: task '{line.id!r}' has no valid cell, id or position.")
        return TaskPart(line.cell, line.id, line.position, line.digest, line.task)

    def _attachment(self, data: Any) -> AttachmentPart:
        if self._fetch is not None and isinstance(data, dict) and "data" in data:
            raise DataError(f"{self.where}: an attachment's bytes stand here, and not in a file.")
        line = from_data(data, AttachmentLine, self.where)
        if not _SHA.fullmatch(line.attachment) or "\0" in line.media_type or line.size < 0:
            raise DataError(f"{self.where}: {line.attachment[:100]!r} is no SHA-256, or its type or size is none.")
        try:
            return attachment_of(line, self._fetch)
        except DataError as error:
            error.message = f"{self.where}: {error.message}"
            raise

    def _trial(self, data: Any, run: str, attached: set[str]) -> TrialPart:
        line = from_data(data, TrialLine, self.where)
        from_data(line.trial, Facts, self.where)
        if row_checksum({**line.trial, "run_id": run}).hex() != line.checksum:
            raise DataError(f"{self.where}: the record of the attempt does not have its checksum.")
        missing = set(line.attachments) - attached
        if missing or list(line.attachments) != sorted(set(line.attachments)):
            raise DataError(f"{self.where}: attachments are missing or not in order: {sorted(missing)[:3]}.")
        if not 0 <= line.scores <= MOST_SCORES:
            raise DataError(f"{self.where}: {line.scores} scores of one attempt, more than {MOST_SCORES:,}.")
        packed, checksums = self._trace(line.lines)
        scores = tuple(self._score() for _ in range(line.scores))
        names = [(score.metric, score.scorer) for score in scores]
        if names != sorted(set(names)):
            raise DataError(f"{self.where}: a score comes twice, or out of order.")
        return TrialPart(line.trial, line.checksum, packed, checksums, scores, line.attachments)

    def _trace(self, count: int) -> tuple[bytes, bytes]:
        """Return as many events as a packed trace, with the checksums of their lines."""
        packer, packed, checksums = zlib.compressobj(1), bytearray(), bytearray()
        for number in range(count):
            line = self._take("event")
            if not line.startswith(EVENT):
                raise DataError(f"{self.where}: an event was to come here.")
            try:
                body, told = event_of(line)
            except DataError as error:
                raise DataError(f"{self.where}: {error.message}") from error
            if not self._is_recorded(body, told):
                raise DataError(f"{self.where}: the event does not have its checksum.")
            packed += packer.compress(b"\n" + body if number else body)
            checksums += told
        packed += packer.flush()
        return bytes(packed), bytes(checksums)

    def _is_recorded(self, body: bytes, told: bytes) -> bool:
        if not self._thorough:
            return True  # the closing line tells whether the lines are those that were read thoroughly before
        _plain(body, self.where)
        event = read_event(body, self.where)
        return checksum(body) == told or checksum(event_line(event)) == told

    def _score(self) -> ScorePart:
        line = from_data(_plain(self._take("score"), self.where), ScoreLine, self.where)
        score = from_data(score_of(line), ScorePart, self.where)
        told = score_checksum(score.metric, score.scorer, score.value, score.detail)
        if told.hex() != score.checksum or "\0" in score.metric + score.scorer or not 0 <= score.scored < _INTEGER:
            raise DataError(f"{self.where}: the score {score.metric!r} does not have its checksum.")
        return score
