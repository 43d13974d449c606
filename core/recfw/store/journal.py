"""
The journal: what episodes in progress have recorded so far, so that a killed process leaves readable traces.

A run has a folder; within it every attempt in progress has one file of JSON lines, the first naming the trial and each
further one an event, and a folder of the payloads that it took. (One file an attempt, and not one a worker: it is
dropped whole when the store has the trial, and read whole when it is left over.) Every event is one write to the
operating system, so it survives the death of this process; the store, not the journal, survives a power cut.
"""

import fcntl
import hashlib
import os
import re
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import FileIO
from pathlib import Path

import orjson
from attrs import field, frozen

from recfw.errors import DataError, StoreError
from recfw.model.run import Attachment, TrialKey
from recfw.model.trace import Event
from recfw.model.usage import Spending, usage_of
from recfw.serialize import checksum, digest, pack_trace, read_event, recorded_line
from recfw.store.faults import disk_fault
from recfw.store.holders import LOCK, carrier_of

JOURNAL_SCHEMA = 1

_SUFFIX, _PAYLOADS = ".jsonl", ".payloads"


@frozen
class Leftover:
    """
    What an attempt had recorded when its process died.

    Args:
        key, attempt: Which attempt.
        lines: Its event lines, a torn last one left out.
        attachments: The payloads that it took.
        started: When it began, in seconds since the epoch.
        seconds: From there to its last write.
    """

    key: TrialKey
    attempt: int
    lines: tuple[bytes, ...] = field(repr=False)
    attachments: tuple[Attachment, ...] = ()
    started: float = 0.0
    seconds: float = 0.0

    def packed(self) -> bytes:
        """Return the partial trace as a packed trace."""
        return pack_trace(self.lines)

    def usage(self) -> Spending:
        """Return what roles had consumed, as far as the lines can be read: it was paid for."""
        with suppress(DataError):
            return usage_of([read_event(line) for line in self.lines])
        return {}


@frozen
class InFlight:
    """An attempt that is being recorded, or was when its process died; ``started`` is in seconds since the epoch."""

    key: TrialKey
    attempt: int
    started: float


class Journal:
    """
    One run's journal.

    Any process may write attempts through recorders; the one that carries the run holds the lock.

    Args:
        folder: The run's own folder; made when first needed.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._held = False

    def recorder(self) -> "JournalRecorder":
        """Return a recorder for one episode."""
        return JournalRecorder(self.folder)

    def discard(self, key: TrialKey, attempt: int) -> None:
        """Drop an attempt's file and payloads, once the store has the trial; nothing happens where there are none."""
        self._remove(self.folder / _stem(key, attempt))

    def leftovers(self) -> Iterator[Leftover]:
        """
        Yield what attempts left behind, in the order of their files' names; files that name no trial are passed over.

        Raises:
            StoreError: A file cannot be read, or a newer recfw wrote it.
        """
        for path in self._files():
            left = _read(path)
            if left is not None:
                yield left

    def in_flight(self) -> Iterator[InFlight]:
        """Yield the attempts that have a file now, in the order of the files' names, by their first lines alone."""
        for path in self._files():
            with suppress(OSError), path.open("rb") as file:
                head = _json(file.readline())
                if isinstance(head, dict) and head.get("recfw_journal") == JOURNAL_SCHEMA:
                    key = TrialKey(head["cell"], head["task"], head["trial"])
                    yield InFlight(key, head["attempt"], head["started"])

    def carrier(self) -> int | None:
        """Return the process that carries the run, or None where no process here does; the lock is not touched."""
        return carrier_of(self.folder)

    def clear(self) -> None:
        """Drop every attempt's file and payloads; call it under the lock, when the store has what they hold."""
        for path in self._files():
            self._remove(path.with_suffix(""))

    @property
    def held(self) -> bool:
        """Whether this object holds the lock."""
        return self._held

    @contextmanager
    def lock(self) -> Iterator[None]:
        """
        Hold the run, so that no second process carries it at the same time; nested use is one hold.

        The operating system drops the lock when the process dies. An empty journal is removed in the end.

        Raises:
            StoreError: Another process holds the run (named by its pid), or the folder cannot be written.
        """
        if self._held:
            yield
            return
        handle = self._acquire()
        self._held = True
        try:
            yield
        finally:
            self._held = False
            self._tidy()
            os.close(handle)

    def _acquire(self) -> int:
        path = self.folder / LOCK
        while True:
            try:
                self.folder.mkdir(parents=True, exist_ok=True)
                handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
            except OSError as error:
                raise disk_fault(error, path) from error
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                pid = os.read(handle, 20).decode(errors="replace").strip() or "unknown"
                os.close(handle)
                raise StoreError(
                    f"Run {self.folder.name} is being carried out by another process (pid {pid}).",
                    "Wait until it has finished, or end it and resume the run then.",
                ) from error
            if _same_file(handle, path):
                with suppress(OSError):  # a full disk may not keep the pid, and the lock holds without it
                    os.truncate(handle, 0)
                    os.pwrite(handle, f"{os.getpid()}\n".encode(), 0)
                return handle
            os.close(handle)

    def _tidy(self) -> None:
        """Remove an empty journal; whoever waits at its lock file sees that the file is gone and makes another."""
        with suppress(OSError):
            if [item.name for item in self.folder.iterdir()] == [LOCK]:
                (self.folder / LOCK).unlink()
                self.folder.rmdir()

    def _files(self) -> list[Path]:
        return sorted(self.folder.glob(f"*{_SUFFIX}"))

    def _remove(self, stem: Path) -> None:
        """Drop an attempt's payloads, then its file: who is killed in between leaves what is dropped later."""
        payloads = Path(f"{stem}{_PAYLOADS}")
        if payloads.is_dir():
            shutil.rmtree(payloads, ignore_errors=True)
        try:
            Path(f"{stem}{_SUFFIX}").unlink(missing_ok=True)
        except OSError as error:
            raise disk_fault(error, self.folder) from error


class JournalRecorder:
    """
    Records one episode into the journal: a :class:`recfw.protocols.Recorder`.

    Close it (or take :meth:`packed`, which does) when the episode is over; the file stays until
    :meth:`Journal.discard`.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._file: FileIO | None = None
        self._path = folder
        self._header = 0
        self._attached: dict[str, str] = {}
        self._checksums: list[bytes] = []
        self.events = 0

    def begin(self, key: TrialKey, attempt: int) -> None:
        """
        Start an attempt's file.

        Raises:
            StoreError: The disk refuses, or the attempt has a file already, which is never overwritten.
        """
        self.close()
        self._path = self._folder / f"{_stem(key, attempt)}{_SUFFIX}"
        head = {"recfw_journal": JOURNAL_SCHEMA, "cell": key.cell, "task": key.task, "trial": key.trial}
        line = orjson.dumps(head | {"attempt": attempt, "started": time.time()}) + b"\n"
        self._header, self._attached, self._checksums, self.events = len(line), {}, [], 0
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            self._file = FileIO(self._path, "xb")
        except FileExistsError as error:
            raise StoreError(
                f"{self._path}: trial {key}, attempt {attempt}, has a journal already.",
                "Resume the run, which keeps what was left over.",
            ) from error
        except OSError as error:
            raise disk_fault(error, self._path) from error
        self._write(line)

    def append(self, event: Event) -> None:
        """Write one event; StoreError where the disk refuses."""
        line = recorded_line(event, self.attach)
        self._write(line + b"\n")
        self._checksums.append(checksum(line))
        self.events += 1

    def attach(self, data: bytes, media_type: str) -> str:
        """Keep a payload beside the file; return its SHA-256 (hex)."""
        sha = hashlib.sha256(data).hexdigest()
        if sha not in self._attached:
            folder = self._path.with_suffix(_PAYLOADS)
            try:
                folder.mkdir(exist_ok=True)
                (folder / sha).write_bytes(media_type.encode() + b"\n" + data)
            except OSError as error:
                raise disk_fault(error, folder) from error
            self._attached[sha] = media_type
        return sha

    def packed(self) -> bytes:
        """Close the file and return the packed trace of the lines that were written."""
        self.close()
        try:
            return pack_trace([self._path.read_bytes()[self._header : -1]] if self.events else [])
        except OSError as error:
            raise disk_fault(error, self._path) from error

    @property
    def checksums(self) -> bytes:
        """The checksum of each event's line, one after the other."""
        return b"".join(self._checksums)

    @property
    def attachments(self) -> tuple[Attachment, ...]:
        """The payloads taken, in the order they came, read back from the disk."""
        return _payloads(self._path.with_suffix(_PAYLOADS), list(self._attached))

    def close(self) -> None:
        """Close the file; more than once is harmless."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def _write(self, line: bytes) -> None:
        if self._file is None:
            raise StoreError(f"{self._path}: no attempt has begun, or it is over.", "Call begin() first.")
        try:
            written = self._file.write(line)
            while written < len(line):
                written += self._file.write(line[written:])
        except OSError as error:
            raise disk_fault(error, self._path) from error


def _stem(key: TrialKey, attempt: int) -> str:
    """Return an attempt's file name without suffix: legible, and unique by a digest of the key."""
    legible = re.sub(r"[^A-Za-z0-9_-]+", "_", str(key))[:80]
    return f"{legible}-{digest([key.cell, key.task, key.trial])[:12]}-{attempt}"


def _read(path: Path) -> Leftover | None:
    try:
        data, changed = path.read_bytes(), path.stat().st_mtime
    except OSError as error:
        raise disk_fault(error, path) from error
    first, *rest = data.split(b"\n")
    head = _json(first)
    if not isinstance(head, dict) or "recfw_journal" not in head:
        return None
    if head["recfw_journal"] != JOURNAL_SCHEMA:
        raise StoreError(f"{path}: was written by another recfw.", "Resume the run with the recfw that began it.")
    lines: list[bytes] = []
    for line in rest:
        if _json(line) is None:
            break
        lines.append(line)
    payloads = path.with_suffix(_PAYLOADS)
    names = sorted(item.name for item in payloads.iterdir()) if payloads.is_dir() else []
    key = TrialKey(head["cell"], head["task"], head["trial"])
    kept = _payloads(payloads, names, whole=True)
    return Leftover(key, head["attempt"], tuple(lines), kept, head["started"], max(0.0, changed - head["started"]))


def _json(line: bytes) -> object:
    try:
        return orjson.loads(line)
    except orjson.JSONDecodeError:
        return None


def _payloads(folder: Path, names: list[str], *, whole: bool = False) -> tuple[Attachment, ...]:
    """Return payload files as attachments; with ``whole`` only those whose bytes still have their digest."""
    found = []
    for name in names:
        try:
            media_type, _, data = (folder / name).read_bytes().partition(b"\n")
        except OSError as error:
            raise disk_fault(error, folder / name) from error
        if not whole or hashlib.sha256(data).hexdigest() == name:
            found.append(Attachment(name, media_type.decode(), data))
    return tuple(found)


def _same_file(handle: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(handle), path.stat())
    except FileNotFoundError:
        return False
