"""
A snapshot's folder: raw responses, a journal of those that are whole, and what was asked.

``snapshot.json`` is written first, each response under another name and then moved into ``responses/``, its line in
``journal.jsonl`` last. So whatever stops a fetch, a response counts only when all of it is on the disk.
"""

import fcntl
import hashlib
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

import orjson
from attrs import asdict, define, field, frozen

from recfw.errors import DataError, UsageError

SETTINGS_FILE, JOURNAL_FILE, RESPONSES = "snapshot.json", "journal.jsonl", "responses"
FORMAT = 1

_PART = ".part"


@frozen
class Settings:
    """
    What a snapshot was asked for; a fetch that goes on must ask for the same.

    Args:
        queries: Query -> SHA-256 (hex) of its text.
        genres: SHA-256 (hex) of the mapped genres, by which works are found.
        size: Works after which no more are asked for; 0 for all.
    """

    queries: Mapping[str, str]
    genres: str
    size: int = 0


@frozen
class Entry:
    """
    The journal's line of one whole response.

    Args:
        response: Its file in ``responses/``.
        query: The query's name.
        part: Which of its parts: a genre label, or the first of the entities asked for.
        after: The address after which a page of works begins.
        last: The address of its last work.
        done: Whether it is the part's last page.
        works: How many works it holds.
        rows: How many rows.
        sha256: Of its bytes.
        endpoint: The query service that gave it.
        at: When, in UTC.
    """

    response: str
    query: str
    part: str
    after: str
    last: str
    done: bool
    works: int
    rows: int
    sha256: str
    endpoint: str
    at: str


@define
class Snapshot:
    """A snapshot's folder, its settings and what of it is whole."""

    folder: Path
    settings: Settings
    entries: list[Entry] = field(factory=list)
    finished: bool = False

    def bytes_of(self, entry: Entry) -> bytes:
        """Return a response as it was saved; DataError where it is not what the journal says."""
        path = self.folder / RESPONSES / entry.response
        try:
            data = path.read_bytes()
        except OSError as error:
            raise DataError(f"{path}: cannot be read ({error.strerror or error}).", _AGAIN) from error
        if hashlib.sha256(data).hexdigest() != entry.sha256:
            raise DataError(f"{path}: not the response that the journal names (its SHA-256 differs).", _AGAIN)
        return data


_AGAIN = "Copy the snapshot again, or fetch a new one."


def is_snapshot(folder: Path) -> bool:
    """Tell whether a folder was made by a fetch."""
    return (folder / SETTINGS_FILE).is_file()


def read_journal(folder: Path) -> Snapshot:
    """
    Return a snapshot as its journal tells it; a last line that was cut off is passed over.

    Raises:
        DataError: The settings or a line cannot be read, or are not what a fetch writes.
    """
    try:
        settings = orjson.loads((folder / SETTINGS_FILE).read_bytes())
        journal = folder / JOURNAL_FILE
        lines = journal.read_bytes().split(b"\n")[:-1] if journal.exists() else []
    except OSError as error:
        raise DataError(f"{folder}: the snapshot cannot be read ({error.strerror or error}).") from error
    except orjson.JSONDecodeError as error:
        raise DataError(f"{folder / SETTINGS_FILE}: not JSON ({error}).", _AGAIN) from error
    if type(settings) is not dict or settings.pop("format", None) != FORMAT:
        raise DataError(f"{folder / SETTINGS_FILE}: not of format {FORMAT}, the only one that is known here.", _AGAIN)
    snapshot = Snapshot(folder, _made(Settings, settings, SETTINGS_FILE))
    for place, line in enumerate(lines, start=1):
        where = f"{JOURNAL_FILE}: line {place}"
        try:
            row = orjson.loads(line)
        except orjson.JSONDecodeError as error:
            raise DataError(f"{folder / where}: not JSON ({error}).", _AGAIN) from error
        if row == {"finished": True}:
            snapshot.finished = True
        else:
            snapshot.entries.append(_made(Entry, row, where))
    return snapshot


def _made(kind: Any, row: Any, where: str) -> Any:
    try:
        return kind(**row)
    except TypeError as error:
        raise DataError(f"{where}: not what a fetch writes ({error}).", _AGAIN) from error


class Writer:
    """
    A snapshot that a fetch adds to; made by :func:`opened`.

    Raises:
        DataError: From every method, where the disk refuses; what is whole stays so.
    """

    def __init__(self, snapshot: Snapshot, journal: IO[bytes]) -> None:
        self.snapshot = snapshot
        self._journal = journal

    def add(self, entry: Entry, data: bytes) -> None:
        """Save a response, then its line."""
        path = self.snapshot.folder / RESPONSES / entry.response
        with _written(path):
            _write_whole(path, data)
        self._line(asdict(entry))
        self.snapshot.entries.append(entry)

    def finish(self) -> None:
        """Note that there is nothing left to ask for."""
        self._line({"finished": True})
        self.snapshot.finished = True

    def _line(self, row: Mapping[str, Any]) -> None:
        with _written(self.snapshot.folder / JOURNAL_FILE):
            place = self._journal.tell()
            try:
                self._journal.write(orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE))
                self._journal.flush()
                os.fsync(self._journal.fileno())
            except OSError:
                with suppress(OSError):
                    self._journal.truncate(place)
                raise


@contextmanager
def opened(folder: Path, settings: Settings, *, resume: bool) -> Iterator[Writer]:
    """
    Begin a snapshot, or go on with one.

    Raises:
        UsageError: The folder exists and ``resume`` is not set, or is no snapshot, or was asked for something else.
        DataError: It cannot be read or written, or another fetch writes it.
    """
    if resume:
        if not is_snapshot(folder):
            raise UsageError(f"{folder} is no snapshot to go on with.", "Leave --resume out to begin one.")
        _check_same(read_journal(folder).settings, settings, folder)
    elif folder.exists() or folder.is_symlink():
        hint = "Go on with it by --resume, or choose another --out." if is_snapshot(folder) else "Choose another --out."
        raise UsageError(f"{folder} exists already.", hint)
    with _written(folder):
        (folder / RESPONSES).mkdir(parents=True, exist_ok=True)
        if not resume:
            text = orjson.dumps({"format": FORMAT, **asdict(settings)}, option=orjson.OPT_INDENT_2)
            _write_whole(folder / SETTINGS_FILE, text + b"\n")
        journal = (folder / JOURNAL_FILE).open("ab", buffering=0)
    with journal:
        try:
            fcntl.flock(journal, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise DataError(f"{folder}: another fetch writes this snapshot.", "Wait for it to end.") from error
        snapshot = read_journal(folder)
        with _written(folder):
            _tidy(folder, journal)
        yield Writer(snapshot, journal)


def _check_same(before: Settings, now: Settings, folder: Path) -> None:
    differs = [
        name for name in sorted({*before.queries, *now.queries}) if before.queries.get(name) != now.queries.get(name)
    ]
    words = [f"the query {name}" for name in differs]
    words += ["the mapped genres"] if before.genres != now.genres else []
    words += [f"--size ({before.size} then, {now.size} now)"] if before.size != now.size else []
    if words:
        raise UsageError(
            f"{folder} was asked for something else; these differ: {', '.join(words)}.",
            "Go on with the version and options that began it, or begin another snapshot.",
        )


def _tidy(folder: Path, journal: IO[bytes]) -> None:
    """Remove what a killed fetch left: parts of responses, and the piece of a line."""
    for part in sorted((folder / RESPONSES).glob(f"*{_PART}")):
        part.unlink()
    data = (folder / JOURNAL_FILE).read_bytes()
    journal.truncate(data.rfind(b"\n") + 1)
    journal.seek(0, os.SEEK_END)


def _write_whole(path: Path, data: bytes) -> None:
    part = path.with_name(path.name + _PART)
    try:
        with part.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except OSError:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        raise


@contextmanager
def _written(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise DataError(f"{path}: cannot be written ({error.strerror or error}).", _ROOM) from error


_ROOM = "Make room or choose another folder; what was saved before is whole."


def resumable(command: Sequence[str], entries: int) -> str:
    """Return the sentence that tells how to go on."""
    kept = {0: "No response is", 1: "1 response is"}.get(entries, f"{entries} responses are")
    return f"{kept} kept; go on with: {' '.join(command)}"
