"""Words and numbers as reports show them: one line, nothing that steers a terminal, fixed decimals."""

import re
import unicodedata
from math import isfinite

from recfw.errors import DataError
from recfw.model.document import CellValue, Image, Measure

DASH = "-"
"""Stands for a value that does not exist; never for zero."""

_JOINERS = "\u200c\u200d"
_HIDDEN = {"Cc", "Cf", "Cs", "Zl", "Zp"}
_NUMBER_LIKE = re.compile(r"[-+]?\d[\d.,%e+-]*( \[.*\])?")


def one_line(text: str) -> str:
    r"""
    Return text on one line: runs of white space become one space, and what steers or hides is spelt out (``\x1b``).

    That is every control, surrogate and format character (escape sequences, reversed writing) but the joiners that some
    scripts and emoji need.
    """
    line = " ".join(text.split())
    if line.isascii() and line.isprintable():
        return line
    return "".join(_spelt_out(char) for char in line)


def printable(text: str) -> str:
    """Return text of several lines with whatever steers or hides spelt out; line ends stay."""
    return "\n".join("".join(_spelt_out(char) for char in line) for line in text.splitlines())


def counted(number: int, noun: str) -> str:
    """Return a number of things in words: ``1 trial``, ``1,200 trials``."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _spelt_out(char: str) -> str:
    if unicodedata.category(char) not in _HIDDEN or char in _JOINERS:
        return char
    return ascii(char)[1:-1]


def shown(value: CellValue, form: str = "") -> str:
    """
    Return a table cell's text; ``form`` is a format of numbers (``.3f``), which text ignores.

    A dash stands for None and for what is no finite number. A measure's decimals follow its scale.

    Raises:
        DataError: The format is none for this number.
    """
    if value is None or (isinstance(value, float) and not isfinite(value)):
        return DASH
    if isinstance(value, Measure):
        return with_interval(value.value, value.low, value.high, value.scale) or DASH
    if isinstance(value, str):
        return one_line(value)
    if not form:
        return str(value) if isinstance(value, int) else f"{value:.6g}"
    try:
        return format(value, form)
    except ValueError as error:
        raise DataError(f"{form!r} is no format for the number {value!r}.", "Mend the table's column.") from error


def looks_numeric(text: str) -> bool:
    """Return whether text is a number, perhaps with an interval after it: such columns are aligned to the right."""
    return text == DASH or _NUMBER_LIKE.fullmatch(text) is not None


def with_interval(value: float | None, low: float | None, high: float | None, scale: float = 1.0) -> str | None:
    """
    Return a mean and its interval as ``0.956 [0.93, 0.98]``; without the brackets where there is no interval.

    ``scale`` is the largest value that it is shown beside: up to 1 the mean has three decimals and the ends two, up to
    10 both have two, up to 100 one, and above none.
    """
    if value is None or not isfinite(value):
        return None
    decimals = 2 if scale < 10 else 1 if scale < 100 else 0
    mean = f"{value:z.{3 if scale <= 1 else decimals}f}"
    return mean if low is None or high is None else f"{mean} [{low:z.{decimals}f}, {high:z.{decimals}f}]"


def image_words(image: Image) -> str:
    """Return the line that stands for a picture where none can be shown."""
    parts = (one_line(image.alt), f"{image.media_type}, {len(image.data):,} bytes")
    return f"[picture: {'; '.join(part for part in parts if part)}]"
