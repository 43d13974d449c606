"""``recfw books build``: a catalog directory, whole or not at all, with a manifest of its content; from a table."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from recfw.errors import UsageError
from recfw_books.catalog.folder import whole_folder
from recfw_books.catalog.records import LABELS_FILE, MANIFEST_FILE, RECORDS_FILE, BookCatalog, write_catalog
from recfw_books.catalog.table import build_from_table
from recfw_books.taskfile import TASKS_FILE

OURS = frozenset({RECORDS_FILE, f"{RECORDS_FILE}.gz", LABELS_FILE, TASKS_FILE, MANIFEST_FILE})
"""The files that a folder of a catalog and its tasks may hold."""


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
        force: Replace ``out`` where it holds a catalog and its tasks, or nothing.

    Raises:
        UsageError: ``out`` exists and ``force`` is not set, or it is no built catalog; the size is below 1.
        DataError: The table or the labels are faulty, or the directory cannot be written.
    """
    if size is not None and size < 1:
        raise UsageError(f"a catalog of {size} books cannot be built.", "Give a size of 1 or more.")
    with whole_folder(out, force=force, ours=OURS) as new:
        catalog, counts = build_from_table(table, preset, labels, size)
        source = {"table": table.name, "table_sha256": _sha256(table), "preset": preset}
        write_built(catalog, new, {"source": source, "counts": dict(counts)}, compress=compress)
    return counts


def write_built(catalog: BookCatalog, new: Path, origin: Mapping[str, Any], *, compress: bool = False) -> None:
    """Write a catalog's files and their manifest, which holds ``origin`` beside sizes and SHA-256."""
    written = write_catalog(catalog, new, compress=compress)
    manifest = {
        **origin,
        "books": len(catalog.books),
        "sizes": list(catalog.sizes),
        "digest": catalog.digest,
        "files": {path.name: _sha256(path) for path in written},
    }
    text = json.dumps(manifest, ensure_ascii=False, indent=2, sort_keys=True)
    (new / MANIFEST_FILE).write_text(text + "\n", encoding="utf-8")


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
