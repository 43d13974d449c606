"""Where a catalog comes from: the embedded one, a directory that was built or exported, or a single file in one."""

import hashlib
import json
from importlib.resources import files
from pathlib import Path

from recfw.errors import DataError
from recfw_books.catalog.records import LABELS_FILE, MANIFEST_FILE, RECORDS_FILE, BookCatalog, read_records

EMBEDDED = "embedded"

_NEXT_STEP = "Build one with 'recfw books build --table FILE --preset NAME --out PATH', or leave --catalog out."

_UNBUILT = f"Build the catalog again; where the change is meant, remove {MANIFEST_FILE}."


def load_catalog(source: str | None = None) -> BookCatalog:
    """
    Return the catalog named by ``source``; every call reads it anew.

    Args:
        source: ``None`` or ``embedded`` for the one shipped in the plugin; else a directory with ``catalog.jsonl`` (or
            ``catalog.jsonl.gz``) and ``labels.json``, or the records file itself with ``labels.json`` beside it.

    Raises:
        DataError: There is no such catalog, it does not hold what it must, or not what its manifest says.
    """
    if source is None or source == EMBEDDED:
        data = files("recfw_books") / "data"
        return read_records(data / f"{RECORDS_FILE}.gz", data / LABELS_FILE)
    path = Path(source)
    if path.is_dir():
        records = _records_in(path)
    elif path.is_file():
        records = path
        if not path.name.endswith((".jsonl", ".jsonl.gz")):
            raise DataError(f"{source} is no catalog: its name must end with .jsonl or .jsonl.gz.", _NEXT_STEP)
    else:
        raise DataError(f"no catalog at {source!r}: there is no such file or directory.", _NEXT_STEP)
    labels = records.with_name(LABELS_FILE)
    if not labels.is_file():
        raise DataError(f"{source} is no catalog: there is no {LABELS_FILE} beside {records.name}.", _NEXT_STEP)
    _check_manifest(records, labels)
    return read_records(records, labels)


def _check_manifest(*read: Path) -> None:
    """Refuse files that are not what the manifest beside them says that was built."""
    manifest = read[0].with_name(MANIFEST_FILE)
    if not manifest.exists():
        return
    try:
        named = json.loads(manifest.read_text(encoding="utf-8"))["files"]
        expected = {path: named[path.name] for path in read if path.name in named}
    except (OSError, ValueError, RecursionError, LookupError, TypeError):
        raise DataError(f"{manifest}: no manifest of a built catalog.", _UNBUILT) from None
    for path, digest in expected.items():
        with path.open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
        if found != digest:
            raise DataError(
                f"{path}: not as it was built: its SHA-256 is {found}, the manifest says {digest}.", _UNBUILT
            )


def _records_in(directory: Path) -> Path:
    found = [path for path in (directory / RECORDS_FILE, directory / f"{RECORDS_FILE}.gz") if path.is_file()]
    if not found:
        raise DataError(f"{directory} is no catalog: it holds no {RECORDS_FILE} or {RECORDS_FILE}.gz.", _NEXT_STEP)
    if len(found) == 2:
        raise DataError(
            f"{directory} holds both {found[0].name} and {found[1].name}.", "Remove one, or name the file to read."
        )
    return found[0]
