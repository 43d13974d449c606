"""Checks of the result store: does it open, is it whole, what was left over, and is there room."""

import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

from recfw.cli.common import cache_folder, open_store
from recfw.cli.findings import Finding, note, ok, wrong
from recfw.errors import RecfwError
from recfw.report.words import counted
from recfw.store.names import DEFAULT_PLACE, default_store
from recfw.store.postgres import is_postgres
from recfw.store.progress import faults, journals
from recfw.store.repository import Store

LITTLE = 200_000_000
"""Bytes of free space below which a run is likely to fill the disk."""
AHEAD = 60.0
"""Seconds that a run may seem to have been started in the future."""


def store_health(place: str | None) -> Iterator[Finding]:
    """Yield what there is to say about a store; a missing one is no fault."""
    where = place or default_store(os.environ)
    path = None if is_postgres(where) else Path(where)
    if path is not None and not path.exists():
        yield ok("store", f"{where}: none yet, the first run makes it")
    else:
        try:
            with open_store(place) as store:
                yield from _opened(store, path)
        except RecfwError as error:
            yield wrong("store", error.message.rstrip("."), error.hint)
    yield from _room(path or Path(DEFAULT_PLACE))
    yield from _cache(cache_folder(place))


def _opened(store: Store, path: Path | None) -> Iterator[Finding]:
    runs = store.runs()
    size = f", {_bytes(_size(path))}" if path is not None else ""
    yield ok("store", f"{store.where}: schema {store.database.schema}, {counted(len(runs), 'run')}{size}")
    damage = faults(store)
    if damage:
        hint = "Copy what can be read with `recfw export`, or restore an older copy of the file."
        yield wrong("store", f"the database's own check finds: {'; '.join(damage[:3])}", hint)
    elif path is not None:
        yield ok("store", "the database's own check (quick_check) finds nothing")
    if path is not None and not (os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)):
        yield note("store", f"{path} cannot be written: it can be read, and not be added to",
                   "Make it and its folder writable, or name another place with --store.")  # fmt: skip
    known = {summary.info.id: summary.info for summary in runs}
    newest = max((info.created for info in known.values()), default=0.0)
    if newest > time.time() + AHEAD:
        words = f"the newest run was started {_span(newest - time.time())} from now"
        yield wrong("clock", words, "Set the clock: run ids and their order come from it.")
    yield from _carried(store, {name: info.status for name, info in known.items()}, local=path is not None)


def _carried(store: Store, runs: dict[str, str], *, local: bool) -> Iterator[Finding]:
    """Hold what the store says of runs against the journals beside it."""
    beside = {found.run: found for found in journals(store)}
    going = [name for name, found in beside.items() if found.carrier]
    for name in going:
        yield ok("run", f"{name} is being carried out by process {beside[name].carrier}")
    for name, status in runs.items():
        if status != "running" or name in going or not (local or name in beside):
            continue
        cut = beside[name].attempts if name in beside else 0
        left = f", {cut} cut off in mid-trial" if cut else ""
        yield wrong("run", f"{name} is marked running, and no process here carries it{left}",
                    f"Go on with it: recfw run --resume {name}")  # fmt: skip
    for name, found in beside.items():
        if found.attempts and name not in runs:
            yield note("journal", f"{found.folder} holds {found.attempts} attempts of a run that is not stored",
                       "Read them if you miss something, then remove the folder.")  # fmt: skip
        elif found.attempts and name not in going and runs[name] != "running":
            yield note("journal", f"{name}: {found.attempts} attempts are left over",
                       f"`recfw run --resume {name}` keeps them, or plays them again.")  # fmt: skip


def _room(path: Path) -> Iterator[Finding]:
    folder = _nearest(path.absolute().parent)
    free, size = shutil.disk_usage(folder).free, _size(path)
    if not os.access(folder, os.W_OK):
        yield wrong("disk", f"{folder} cannot be written", "Make it writable, or name another place with --store.")
    if free < LITTLE:
        yield wrong("disk", f"{_bytes(free)} free at {folder}", "Free some space before the next run.")
    elif free < size:
        yield note("disk", f"{_bytes(free)} free at {folder}, less than the store holds", "Free some space soon.")
    else:
        yield ok("disk", f"{_bytes(free)} free at {folder}")


def _cache(folder: Path) -> Iterator[Finding]:
    if not folder.is_dir():
        yield ok("cache", f"{folder}: empty")
        return
    size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
    if os.access(folder, os.W_OK):
        yield ok("cache", f"{folder}: {_bytes(size)}, which may be deleted at any time")
    else:
        yield wrong("cache", f"{folder} cannot be written", "Make it writable, or delete it.")


def _nearest(folder: Path) -> Path:
    """Return a folder, or the nearest above it that exists."""
    return next(found for found in (folder, *folder.parents) if found.is_dir())


def _size(path: Path) -> int:
    return sum(file.stat().st_size for file in (path, Path(f"{path}-wal")) if file.is_file())


def _bytes(count: float) -> str:
    for unit in ("B", "KB", "MB"):
        if count < 1000:
            return f"{count:.0f} {unit}"
        count /= 1000
    return f"{count:,.1f} GB"


def _span(seconds: float) -> str:
    return f"{seconds / 86400:.1f} days" if seconds > 86400 else f"{seconds / 60:.0f} minutes"
