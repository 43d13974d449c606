"""Labelled turns as the commands read them."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from recfw.errors import DataError
from recfw_books.user.score import Labelled, read_labelled


def read_turns(path: Path) -> tuple[Labelled, ...]:
    """
    Read a file of labelled turns.

    Raises:
        DataError: It cannot be read, or a line is no labelled turn.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise DataError(f"{path}: {error.strerror}.", "Give a file of labelled turns.") from None
    return read_labelled(lines_of(content.splitlines()))


def lines_of(raw: Iterable[bytes]) -> Iterator[str]:
    """Yield lines as UTF-8, whatever the locale."""
    for number, line in enumerate(raw, start=1):
        try:
            yield line.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError as error:
            raise DataError(f"line {number}: not UTF-8 ({error.reason}).", "Save the turns as UTF-8.") from error
