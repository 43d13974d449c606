"""A bundle taken apart: its parts held against their digests, its run checked and brought into a store of its own."""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any

from attrs import field, frozen

from recfw.errors import DataError
from recfw.model.results import RunInfo
from recfw.serialize import to_data
from recfw.store.repository import Store
from recfw.store.transfer.entering import check, import_runs
from recfw.store.transfer.pack import Limit
from recfw.store.transfer.records import RunPart
from recfw.store.transfer.sources import Source, open_source
from recfw.submission.archive import Reader, opened
from recfw.submission.figures import apart, read_figures
from recfw.submission.making import counts_of, tasks_digest
from recfw.submission.manifest import FIGURES, MANIFEST, RUN, SEAL, Digests, Manifest, Part, read_manifest

MOST_SAID = 1 << 20
"""Bytes of a manifest at most."""
MOST_FIGURES = 64 << 20
"""Bytes of declared figures at most."""


@frozen
class Bundle:
    """
    A bundle whose parts are as its manifest says.

    Args:
        manifest, figures: What it declares.
        sha256: SHA-256 (hex) of the whole file.
        store: A store that holds its run and nothing else.
        place: That store's path.
        run: The run as it is stored there.
    """

    manifest: Manifest
    figures: dict[str, Any] = field(repr=False)
    sha256: str
    store: Store = field(repr=False)
    place: Path
    run: RunInfo = field(repr=False)


@contextmanager
def open_bundle(path: Path, scratch: Path, limit: Limit = None) -> Iterator[Bundle]:
    """
    Take a bundle apart.

    Args:
        path: Its file.
        scratch: A folder for what it unpacks to, which nobody else writes to.
        limit: Most bytes that its run may unpack to.

    Raises:
        UsageError: There is no such file.
        DataError: It is no bundle: cut off, altered, made to do harm, or its run is not sound.
    """
    exported, place = scratch / RUN, scratch / "runs.db"
    try:
        manifest, figures, sha256 = _unpack(path, exported)
        with open_source(str(exported), limit) as source:
            check(source)
            _check_runs(source, manifest)
            with Store.open(place) as store:
                list(import_runs(store, source))
        exported.unlink()
    except DataError as error:
        words = error.message.replace(f"{exported}: ", f"{RUN}: ")
        raise DataError(f"{path}: {words}", error.hint) from error
    with Store.open(place, create=False, read_only=True) as store:
        yield Bundle(manifest, figures, sha256, store, place, store.run(manifest.run))


def _unpack(path: Path, exported: Path) -> tuple[Manifest, dict[str, Any], str]:
    with opened(path) as file:
        reader = Reader(file)
        told, declared, seal = BytesIO(), BytesIO(), BytesIO()
        _, sha256 = reader.part(MANIFEST, MOST_SAID, told)
        manifest = read_manifest(told.getvalue())
        wanted = {part.name: part for part in manifest.parts}
        _check_part(wanted[FIGURES], *reader.part(FIGURES, MOST_FIGURES, declared))
        with exported.open("wb") as out:
            _check_part(wanted[RUN], *reader.part(RUN, None, out))
        reader.part(SEAL, hashlib.sha256().digest_size * 2 + 1, seal)
        if seal.getvalue() != f"{sha256}\n".encode():
            raise DataError(f"{MANIFEST} is not the one that was sealed (SHA-256).", "Get a whole copy.")
        return manifest, read_figures(declared.getvalue()), reader.end()


def _check_runs(source: Source, manifest: Manifest) -> None:
    if [part.id for part in source.parts(False) if isinstance(part, RunPart)] != [manifest.run]:
        raise DataError(f"{RUN} holds other runs than {manifest.run!r}, which the manifest names.")


def _check_part(wanted: Part, size: int, sha256: str) -> None:
    if (wanted.size, wanted.sha256) != (size, sha256):
        raise DataError(f"{wanted.name} is not the part that the manifest names (SHA-256).", "Get a whole copy.")


def contradictions(bundle: Bundle) -> list[str]:
    """Return what the manifest says otherwise than the run itself."""
    run, manifest = bundle.run, bundle.manifest
    digests = Digests(run.spec_digest, {run.spec.track: run.content_digest}, tasks_digest(bundle.store, run))
    held = {
        "plugin": run.spec.plugin,
        "track": run.spec.track,
        "digests": to_data(digests),
        "counts": to_data(counts_of(bundle.store, run)),
        "played with": run.versions,
    }
    told = {
        "plugin": manifest.plugin,
        "track": manifest.track,
        "digests": to_data(manifest.digests),
        "counts": to_data(manifest.counts),
        "played with": manifest.environment.played,
    }
    found = [apart(told[name], held[name], name) for name in held]
    strange = sorted(set(manifest.cells) - {cell.name for cell in run.spec.cells})
    cells = [f"cells: the run has no cell {name!r}" for name in strange]
    return [*filter(None, found), *cells]
