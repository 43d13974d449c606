"""A folder that is written whole or not at all, and that replaces only a folder of its own kind."""

import shutil
import tempfile
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path

from recfw.errors import DataError, UsageError


@contextmanager
def whole_folder(out: Path, *, force: bool, ours: Collection[str]) -> Iterator[Path]:
    """
    Give a new empty folder; when the block ends well, it takes the place of ``out`` in one step.

    That ``out`` can be written is found out before the block runs, which may take long. An older ``out`` is moved aside
    first, put back where the step fails, and removed last.

    Args:
        out: The folder to make.
        force: Replace what is there, if it holds nothing but files named in ``ours``.
        ours: Names of the files that such a folder may hold.

    Raises:
        UsageError: ``out`` exists and ``force`` is not set, or it holds other things.
        DataError: It cannot be written.
    """
    _check_free(out, force=force, ours=ours)
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        scratch = Path(tempfile.mkdtemp(prefix=f".{out.name}-", dir=out.parent))
    except OSError as error:
        raise _unwritable(out, error) from error
    try:
        new = scratch / "new"
        new.mkdir()
        yield new
        _swap(new, out, scratch / "old")
    except OSError as error:
        raise _unwritable(out, error) from error
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _swap(new: Path, out: Path, aside: Path) -> None:
    """Put ``new`` in the place of ``out``; where that fails, put back what was there."""
    replaced = out.exists()
    if replaced:
        out.replace(aside)
    try:
        new.replace(out)
    except OSError:
        if replaced:
            aside.replace(out)
        raise


def _check_free(out: Path, *, force: bool, ours: Collection[str]) -> None:
    if not out.exists() and not out.is_symlink():
        return
    if not force:
        raise UsageError(f"{out} exists already.", "Choose another --out, or replace it with --force.")
    if out.is_symlink() or not out.is_dir() or {path.name for path in out.iterdir()} - set(ours):
        raise UsageError(
            f"{out} holds other things than a catalog and its tasks.", "Choose another --out; this one is left alone."
        )


def _unwritable(out: Path, error: OSError) -> DataError:
    reason = "a file is in the way" if isinstance(error, FileExistsError) else error.strerror or error
    return DataError(f"{out}: cannot be written ({reason}).", "Choose a folder that can be.")
