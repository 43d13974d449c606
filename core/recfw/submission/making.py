"""Writing a bundle: the run is exported, read back as anybody would read it, and its figures are computed from that."""

import hashlib
import os
import platform
import tempfile
from collections.abc import Callable, Sequence
from importlib.metadata import version
from io import BytesIO
from pathlib import Path

import orjson
from attrs import frozen

from recfw.errors import UsageError
from recfw.known import suggestion
from recfw.model.results import RunInfo
from recfw.registry import Registry
from recfw.serialize import canonical, digest, to_data
from recfw.store.faults import disk_fault
from recfw.store.repository import Store
from recfw.store.results import StoredResults
from recfw.store.transfer.entering import check, import_runs
from recfw.store.transfer.guard import Guard
from recfw.store.transfer.records import Part as RunPart
from recfw.store.transfer.sources import open_source
from recfw.store.transfer.writing import GZIP, export_runs
from recfw.submission.archive import pieces_of, write_end, write_part
from recfw.submission.figures import figures_of
from recfw.submission.manifest import (
    BUNDLE_SCHEMA,
    FIGURES,
    MANIFEST,
    RUN,
    SEAL,
    Counts,
    Digests,
    Environment,
    Manifest,
    Part,
    SignOff,
    Written,
)


@frozen
class Made:
    """What became of it: the bundle's manifest, its size in bytes and the SHA-256 (hex) of the whole file."""

    manifest: Manifest
    size: int
    sha256: str


def counts_of(store: Store, run: RunInfo) -> Counts:
    """Return how many of a run's trials were planned, completed, and ended by infrastructure."""
    summary = next(one for one in store.runs() if one.info.id == run.id)
    return Counts(run.planned, summary.completed, summary.failed)


def check_complete(run: RunInfo, counts: Counts) -> None:
    """Refuse a run that lacks trials: which ones count would be the submitter's choice."""
    if counts.completed < counts.planned or run.status == "running":
        raise UsageError(
            f"run {run.id} is not complete: {counts.completed:,} of {counts.planned:,} trials are completed,"
            f" {counts.failed:,} were ended by infrastructure.",
            f"Go on with it: recfw run --resume {run.id}. Or say --incomplete, which the leaderboard shows.",
        )


def check_cells(run: RunInfo, cells: Sequence[str]) -> tuple[str, ...]:
    """Return the cells that are submitted, in the run's order: those that are named, or all; UsageError for others."""
    known = [cell.name for cell in run.spec.cells]
    for name in cells:
        if name not in known:
            has = f"run {run.id} has no cell '{name}' (it has: {', '.join(known)})."
            raise UsageError(has, suggestion(name, known))
    return tuple(name for name in known if not cells or name in cells)


def tasks_digest(store: Store, run: RunInfo) -> str:
    """Return the SHA-256 (hex) of the tasks that a run's cells were played on: their ids and contents, in no order."""
    cells = {cell.name: store.tasks(run.id, cell.name) for cell in run.spec.cells}
    played = sorted({(name, digest(task)) for tasks in cells.values() for name, task in tasks.items()})
    return digest([list(pair) for pair in played])


def make_bundle(
    store: Store,
    registry: Registry,
    run: RunInfo,
    path: Path,
    cells: Sequence[str],
    declared: SignOff,
    guard: Guard,
    passed: Callable[[RunPart], None] = lambda _: None,
) -> Made:
    """
    Write a bundle; it appears when it is whole, in the place of an earlier file.

    Args:
        store: Where the run is.
        registry: Where core's analysis is found.
        run: The run.
        path: The file to write.
        cells: The cells that are submitted.
        declared: Who signs it off.
        guard: Looks for credentials in what leaves.
        passed: Called with each part of the run, for progress.

    Raises:
        DataError: The run is not sound, or holds a credential that is not to be replaced.
        StoreError: The disk refuses.
    """
    try:
        with tempfile.TemporaryDirectory(prefix=f".{path.name}-", suffix=".part", dir=path.parent) as scratch:
            return _make(store, registry, run, path, cells, declared, guard, passed, Path(scratch))
    except OSError as error:
        raise disk_fault(error, path, "--out") from error


def _make(
    store: Store,
    registry: Registry,
    run: RunInfo,
    path: Path,
    cells: Sequence[str],
    declared: SignOff,
    guard: Guard,
    passed: Callable[[RunPart], None],
    scratch: Path,
) -> Made:
    exported = scratch / RUN
    redacted = export_runs(store, [run.id], exported, GZIP, guard, passed).redacted
    with open_source(str(exported)) as source, Store.open(scratch / "runs.db") as again:
        check(source)
        list(import_runs(again, source))
        left = again.run(run.id)
        figures = canonical(figures_of(registry, StoredResults(again, [run.id])))
        manifest = Manifest(
            BUNDLE_SCHEMA,
            left.id,
            left.spec.plugin,
            left.spec.track,
            check_cells(left, cells),
            declared,
            Digests(left.spec_digest, {left.spec.track: left.content_digest}, tasks_digest(again, left)),
            counts_of(again, left),
            Environment(left.versions, _writer()),
            redacted,
            (Part(FIGURES, len(figures), hashlib.sha256(figures).hexdigest()), _part(exported)),
        )
    whole = scratch / "bundle"
    sha256 = _write(whole, manifest, figures, exported)
    whole.replace(path)
    return Made(manifest, path.stat().st_size, sha256)


def _writer() -> Written:
    return Written(version("recfw"), platform.python_version(), f"{platform.system()} {platform.machine()}")


def _part(path: Path) -> Part:
    with path.open("rb") as file:
        return Part(path.name, path.stat().st_size, hashlib.file_digest(file, "sha256").hexdigest())


def _write(whole: Path, manifest: Manifest, figures: bytes, exported: Path) -> str:
    """Write the parts to a new file; return its SHA-256 (hex)."""
    told = orjson.dumps(to_data(manifest), option=orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS) + b"\n"
    seal = hashlib.sha256(told).hexdigest().encode() + b"\n"
    with whole.open("wb") as file, exported.open("rb") as run:
        for name, data in ((MANIFEST, told), (FIGURES, figures)):
            write_part(file, name, len(data), pieces_of(BytesIO(data)))
        write_part(file, RUN, exported.stat().st_size, pieces_of(run))
        write_part(file, SEAL, len(seal), pieces_of(BytesIO(seal)))
        write_end(file)
        file.flush()
        os.fsync(file.fileno())
    with whole.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
