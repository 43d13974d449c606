"""Exports of runs: a file of lines, packed or not, or a folder; whole under their name, or not there at all."""

import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from glob import escape
from pathlib import Path
from typing import BinaryIO

from attrs import frozen

from recfw.errors import DataError, UsageError
from recfw.store.faults import disk_fault
from recfw.store.repository import Store
from recfw.store.transfer.guard import Guard
from recfw.store.transfer.leaving import parts_of
from recfw.store.transfer.lines import Position, lines_of
from recfw.store.transfer.pack import pack
from recfw.store.transfer.records import AttachmentPart, Part

GZIP, LINES, FOLDER = "jsonl.gz", "jsonl", "dir"
FORMATS = (GZIP, LINES, FOLDER)
ATTACHMENTS = "attachments"
"""The folder of attachments within a folder export."""
LONGEST = 256 << 20
"""Most bytes of one line."""
DAY = 86_400.0

Passed = Callable[[Part], None]


@frozen
class Exported:
    """What an export came to: its size in bytes, and how many credentials were replaced in it."""

    size: int
    redacted: int


def format_of(path: Path, asked: str = "") -> str:
    """
    Return the format of an export: the one asked for, or what the name says.

    Raises:
        UsageError: The name ends like another kind of file.
    """
    if asked:
        return asked
    if path.name.endswith(".jsonl.gz"):
        return GZIP
    if path.suffix == ".jsonl":
        return LINES
    if path.suffix:
        raise UsageError(
            f"{path}: the name does not say in which format.",
            f"End it in .jsonl.gz or .jsonl, or say --format ({', '.join(FORMATS)}).",
        )
    return FOLDER


def export_runs(
    store: Store, runs: Sequence[str], path: Path, form: str, guard: Guard, passed: Passed = lambda _: None
) -> Exported:
    """
    Write runs to a file or a folder.

    Args:
        store: Where they are.
        runs: Their ids, in order.
        path: The file or folder; it appears when it is whole, in the place of an earlier file.
        form: One of :data:`FORMATS`.
        guard: Looks for credentials.
        passed: Called with each part, for progress.

    Raises:
        DataError: A run is not sound, or holds a credential that is not to be replaced.
        StoreError: The disk refuses.
    """
    replaced = 0

    def section(run: str, position: Position, keep: Callable[[AttachmentPart], None] | None) -> Iterator[bytes]:
        nonlocal replaced
        parts = guard.pass_on(_told(parts_of(store, run), passed))
        yield from _limited(lines_of(parts, lambda: guard.count, position, keep), run)
        replaced += guard.count

    try:
        _sweep(path)
        if form == FOLDER:
            size = _write_folder(path, runs, section)
        else:
            lines = (line for n, run in enumerate(runs, 1) for line in section(run, Position(n, len(runs)), None))
            size = _write_file(path, form, lines)
    except OSError as error:
        raise disk_fault(error, path, "--out") from error
    return Exported(size, replaced)


def _sweep(path: Path) -> None:
    """Remove what exports to this place left when they were killed; what is younger than a day may be under way."""
    for left in path.parent.glob(f".{escape(path.name)}-*.part"):
        with suppress(OSError):
            if left.lstat().st_mtime < time.time() - DAY:
                if left.is_dir() and not left.is_symlink():
                    shutil.rmtree(left)
                else:
                    left.unlink()


def _told(parts: Iterator[Part], passed: Passed) -> Iterator[Part]:
    for part in parts:
        passed(part)
        yield part


def _limited(lines: Iterator[bytes], run: str) -> Iterator[bytes]:
    for line in lines:
        if len(line) > LONGEST:
            raise DataError(
                f"run {run} has an attachment or an event of {len(line):,} bytes, too many for a line.",
                "Export it to a folder, where attachments are files.",
            )
        yield line


def _write_file(path: Path, form: str, lines: Iterator[bytes]) -> int:
    with _beside(path) as (file, name):
        if form == GZIP:
            pack(lines, file)
        else:
            file.writelines(lines)
        size = file.tell()
        file.flush()
        os.fsync(file.fileno())
        name.replace(path)
    return size


@contextmanager
def _beside(path: Path) -> Iterator[tuple[BinaryIO, Path]]:
    """Give a new file beside the one that it is to become; it is gone in the end unless it was given that name."""
    handle, name = tempfile.mkstemp(prefix=f".{path.name}-", suffix=".part", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            Path(name).chmod(0o666 & ~_umask())
            yield file, Path(name)
    finally:
        with suppress(FileNotFoundError):
            Path(name).unlink()


def _umask() -> int:
    current = os.umask(0o022)
    os.umask(current)
    return current


def _write_folder(
    path: Path,
    runs: Sequence[str],
    section: Callable[[str, Position, Callable[[AttachmentPart], None]], Iterator[bytes]],
) -> int:
    made = Path(tempfile.mkdtemp(prefix=f".{path.name}-", suffix=".part", dir=path.parent))
    try:
        made.chmod(0o777 & ~_umask())
        kept = made / ATTACHMENTS
        kept.mkdir()

        def keep(part: AttachmentPart) -> None:
            place = kept / part.sha256
            if not place.exists():
                place.write_bytes(part.data)

        for run in runs:
            with (made / f"{run}.jsonl").open("wb") as file:
                file.writelines(section(run, Position(), keep))
        size = sum(item.stat().st_size for item in made.rglob("*") if item.is_file())
        with suppress(OSError):
            path.rmdir()  # an empty folder of that name gives way
        made.rename(path)
    finally:
        shutil.rmtree(made, ignore_errors=True)
    return size
