"""``recfw books build``: a catalog directory made from a table, whole or not at all, with a manifest of its content."""

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

from recfw.errors import DataError, UsageError
from recfw_books.catalog.records import BookCatalog, write_catalog
from recfw_books.catalog.table import build_from_table

MANIFEST_FILE = "manifest.json"


def build_catalog(
    table: Path,
    preset: str,
    out: Path,
    *,
    labels: Path | None = None,
    size: int | None = None,
    compress: bool = False,
    force: bool = False,
) -> Mapping[str, int]:
    """
    Build a catalog from a table into a new directory and return the counts of rows (:func:`build_from_table`).

    The directory appears complete or not at all: ``catalog.jsonl`` (or ``.gz``), ``labels.json`` and ``manifest.json``.

    Args:
        table: The table.
        preset: Its layout's name.
        out: The directory to make.
        labels: A file of label trees in place of the default ones.
        size: Keep the first so many works.
        compress: Gzip the records.
        force: Replace ``out`` where it is a catalog that was built before (or an empty directory).

    Raises:
        UsageError: ``out`` exists and ``force`` is not set, or it is no built catalog; the size is below 1.
        DataError: The table or the labels are faulty, or the directory cannot be written.
    """
    if size is not None and size < 1:
        raise UsageError(f"a catalog of {size} books cannot be built.", "Give a size of 1 or more.")
    _check_target(out, force)
    catalog, counts = build_from_table(table, preset, labels, size)
    source = {"table": table.name, "table_sha256": _sha256(table), "preset": preset}
    write_whole(catalog, out, {"source": source, "counts": dict(counts)}, compress=compress)
    return counts


def write_whole(catalog: BookCatalog, out: Path, facts: Mapping[str, object], *, compress: bool = False) -> None:
    """
    Write a catalog directory with a manifest in one step: into a directory beside ``out``, which is then renamed.

    An older ``out`` is moved aside first and removed last. ``facts`` enter the manifest as they are.
    """
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        scratch = Path(tempfile.mkdtemp(prefix=f".{out.name}-", dir=out.parent))
        try:
            new = scratch / "new"
            written = write_catalog(catalog, new, compress=compress)
            manifest = {
                **facts,
                "books": len(catalog.books),
                "sizes": list(catalog.sizes),
                "digest": catalog.digest,
                "files": {path.name: _sha256(path) for path in written},
            }
            text = json.dumps(manifest, ensure_ascii=False, indent=2, sort_keys=True)
            (new / MANIFEST_FILE).write_text(text + "\n", encoding="utf-8")
            _swap(new, out, scratch / "old")
        finally:
            shutil.rmtree(scratch, ignore_errors=True)
    except OSError as error:
        raise DataError(f"{out}: the catalog cannot be written ({error.strerror or error}).") from error


def _swap(new: Path, out: Path, aside: Path) -> None:
    """Put ``new`` in the place of ``out``; where that fails, put back what was there."""
    replaced = out.exists()
    if replaced:
        os.replace(out, aside)  # noqa: PTH105 -- Path.replace hides that both must be on one file system
    try:
        os.replace(new, out)  # noqa: PTH105 -- as above
    except OSError:
        if replaced:
            os.replace(aside, out)  # noqa: PTH105 -- as above
        raise


def _check_target(out: Path, force: bool) -> None:
    if not out.exists() and not out.is_symlink():
        return
    if not force:
        raise UsageError(f"{out} exists already.", "Choose another --out, or replace it with --force.")
    ours = out.is_dir() and not out.is_symlink() and ((out / MANIFEST_FILE).is_file() or not any(out.iterdir()))
    if not ours:
        raise UsageError(f"{out} is no catalog that was built before.", "Choose another --out; this one is left alone.")


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
