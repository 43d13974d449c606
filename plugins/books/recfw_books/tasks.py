"""Where tasks come from: the shipped set, a file, or families generated for a catalog and kept for the next run."""

import hashlib
import os
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

from recfw_books.catalog.records import BookCatalog
from recfw_books.families.generate import generate
from recfw_books.model import BookTask
from recfw_books.taskfile import TASKS_FILE, parse_tasks, read_tasks, write_tasks


def own(source: str) -> Sequence[BookTask] | None:
    """
    Return the tasks that come with a catalog, or None where it has none.

    The embedded catalog (an empty ``source``) has its shipped ones, a folder those of the tasks.jsonl in it.
    """
    if not source:
        return shipped()
    beside = Path(source) / TASKS_FILE
    return read_tasks(beside) if beside.is_file() else None


def shipped() -> Sequence[BookTask]:
    """Return the embedded catalog's own tasks."""
    return parse_tasks((files("recfw_books") / "data" / TASKS_FILE).read_bytes(), TASKS_FILE)


def from_file(path: str) -> Sequence[BookTask]:
    """Return the tasks of a tasks.jsonl; DataError where it is none."""
    return read_tasks(Path(path))


def generated(catalog: BookCatalog, seed: int) -> Sequence[BookTask]:
    """
    Return the families drawn for a catalog, read from the cache where they were drawn before.

    The cache is keyed by the catalog's content, the seed and the generator's own source; a cache that cannot be read or
    written is passed over, since drawing again gives the same.
    """
    kept = _cache() / f"{catalog.digest[:16]}-{seed}-{_generator()[:16]}.jsonl"
    if kept.is_file():
        return read_tasks(kept)
    tasks = generate(catalog, seed)
    try:
        kept.parent.mkdir(parents=True, exist_ok=True)
        fresh = kept.with_name(f"{kept.name}.{os.getpid()}")
        write_tasks(tasks, fresh)
        fresh.replace(kept)
    except OSError:
        pass
    return tasks


def _cache() -> Path:
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "recfw" / "books"


def _generator() -> str:
    sources = sorted((path for path in files("recfw_books.families").iterdir() if path.name.endswith(".py")), key=str)
    return hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()
