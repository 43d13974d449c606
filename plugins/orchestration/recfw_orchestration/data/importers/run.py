"""The import as a whole: planned files into the staging file, from there into a store; it continues after a kill."""

import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Protocol

from attrs import evolve

from recfw.errors import DataError, StoreError
from recfw_orchestration.data.finish import finish
from recfw_orchestration.data.importers import foursquare
from recfw_orchestration.data.importers.kinds import FAMILIES, PARSERS, Kind
from recfw_orchestration.data.importers.lines import LineReader, Place, record, size_of
from recfw_orchestration.data.importers.plan import Plan, Planned
from recfw_orchestration.data.reading import Reader
from recfw_orchestration.data.staging import Row, Source, Staging, staging_path

READ = "read"
"""The fate of lines that are kept, at least for the time being."""
_BROKEN = "Run the same command with --skip-broken to leave such lines out, and it continues here."
_TOLD = 2_000
"""Lines between two words on progress."""


class Watcher(Protocol):
    """Who is told how an import goes on."""

    def reading(self, path: Path, done: int, size: int, lines: int) -> None:
        """A file is being read: so many of its bytes, and lines of it, are done."""

    def step(self, name: str) -> None:
        """A step of building the store has begun."""


def import_files(plan: Plan, store: Path, watcher: Watcher, *, force: bool = False, skip_broken: bool = False) -> None:
    """
    Read what a plan names into a store.

    What was read is kept beside the store until the import is through: after an interruption, even kill -9, the same
    call continues where it was. Other domains of an existing store are kept.

    Args:
        plan: Files, by :func:`recfw_orchestration.data.importers.plan.plan`.
        store: The store's file.
        watcher: Who is told.
        force: Forget an unfinished import and replace domains that the store already has.
        skip_broken: Count lines that are no records instead of stopping at the first.

    Raises:
        DataError: A file is damaged, holds a line that is no record, or has changed since the import was begun.
        StoreError: The store holds the domain already, or cannot be written.
    """
    staged = staging_path(store)
    if force:
        staged.unlink(missing_ok=True)
        staged.with_name(f"{staged.name}-journal").unlink(missing_ok=True)
    _check_store(plan, store, force=force)
    with Staging(staged) as staging:
        _check_sources(plan.files, staging)
        for planned in plan.files:
            _read(planned, staging, watcher, skip_broken=skip_broken)
    finish(staged, store, watcher.step)
    staged.unlink()


def _check_store(plan: Plan, store: Path, *, force: bool) -> None:
    if not store.exists() or force:
        return
    reader = Reader(store)
    held = [
        FAMILIES[one.kind.family].domain for one in plan.files if FAMILIES[one.kind.family].domain in reader.manifest
    ]
    reader.close()
    if held:
        raise StoreError(
            f"{store}: holds data of domain {held[0]} already.", "Give --force to replace it, or another --store."
        )


def _check_sources(files: Sequence[Planned], staging: Staging) -> None:
    """Refuse to mix an unfinished import with another one."""
    planned = {str(one.path): one for one in files}
    try:
        begun = [row[0] for row in staging.db.execute("SELECT path FROM sources ORDER BY path")]
    except sqlite3.Error as error:
        raise StoreError(f"{staging.path}: no unfinished import ({error}).", "Give --force to begin anew.") from error
    for path in begun:
        if path not in planned:
            raise DataError(
                f"{staging.path}: an unfinished import of other files ({path}).",
                "Run that one again to finish it, or give --force to begin anew.",
            )
        known = staging.source(path)
        if known is not None and (known.size, known.changed) != size_of(Path(path)):
            raise DataError(
                f"{path}: has changed since its import was begun.", "Give --force to begin anew."
            )  # fmt: skip


def _read(planned: Planned, staging: Staging, watcher: Watcher, *, skip_broken: bool) -> None:
    """Read a file from where it was left."""
    size, changed = size_of(planned.path)
    kind = planned.kind
    domain = FAMILIES[kind.family].domain
    known = staging.source(str(planned.path)) or Source(str(planned.path), domain, kind.about, size, changed)
    if known.done:
        watcher.reading(planned.path, size, size, known.lines)
        return
    place, done = Place(known.lines, known.offset), Place(known.lines, known.offset)
    reader = LineReader(planned.path, place)
    try:
        for fate in _rows(reader, kind, skip_broken=skip_broken):
            if isinstance(fate, str):
                staging.count(domain, kind.rows, fate)
            else:
                staging.count(domain, kind.rows, READ)
                for row in fate:
                    staging.add(domain, row)
            done.lines, done.offset = place.lines, place.offset
            if staging.full:
                staging.commit(_reached(known, done))
            if done.lines % _TOLD == 0:
                watcher.reading(planned.path, reader.raw(), size, done.lines)
    except DataError:
        # What was read before the damage is good.
        staging.commit(_reached(known, done))
        raise
    staging.commit(evolve(_reached(known, done), done=True))
    watcher.reading(planned.path, size, size, done.lines)


def _reached(source: Source, place: Place) -> Source:
    return evolve(source, offset=place.offset, lines=place.lines)


def _rows(reader: LineReader, kind: Kind, *, skip_broken: bool) -> Iterator[Sequence[Row] | str]:
    """Yield each line's rows, or why it has none."""
    of_record = PARSERS.get((kind.family, kind.rows))
    for line in reader:
        if not line.strip():
            continue
        if of_record is None:
            yield foursquare.rows(line)
            continue
        try:
            found = of_record(record(line))
        except ValueError as error:
            if not skip_broken:
                begins = line[:60].decode("utf-8", "replace")
                raise reader.error(f"{error}: {begins}", _BROKEN) from None
            found = "no JSON"
        yield found
