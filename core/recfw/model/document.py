"""A report as data: blocks that any renderer can show, beside the figures that scripts read."""

from typing import Any, ClassVar

from attrs import Attribute, Factory, field, frozen

from recfw.errors import DataError

PICTURES = ("image/png", "image/jpeg", "image/gif", "image/webp")
"""What an image may be: pictures of dots only, which no reader can take for a program."""


@frozen
class Measure:
    """
    A number with its interval, as a table's cell.

    Args:
        value: The number; None where there is none.
        low: Lower end of the interval; None where there is no interval.
        high: Upper end.
        scale: The largest value that it is shown beside, which decides its decimals.
    """

    value: float | None
    low: float | None = None
    high: float | None = None
    scale: float = 1.0


CellValue = str | int | float | Measure | None


@frozen
class Heading:
    """A heading; ``level`` 1 is the document's title."""

    kind: ClassVar[str] = "heading"
    text: str
    level: int = 2


@frozen
class Paragraph:
    """Plain prose."""

    kind: ClassVar[str] = "paragraph"
    text: str


@frozen
class Note:
    """A remark that a reader of the figures must see."""

    kind: ClassVar[str] = "note"
    text: str


@frozen
class Column:
    """A table's column: its header, and how numbers are shown (``.3f`` …; empty for text)."""

    title: str
    format: str = ""


@frozen
class Table:
    """Rows of values under columns; every row is as long as the columns. None shows as a dash."""

    kind: ClassVar[str] = "table"
    columns: tuple[Column, ...]
    rows: tuple[tuple[CellValue, ...], ...]
    caption: str = ""


@frozen
class Series:
    """One line or set of bars of a plot; ``low`` and ``high`` are interval ends, empty or as long as ``y``."""

    name: str
    x: tuple[CellValue, ...]
    y: tuple[float | None, ...]
    low: tuple[float | None, ...] = ()
    high: tuple[float | None, ...] = ()


@frozen
class Plot:
    """
    A plot as data.

    Args:
        title: What it shows.
        form: ``line``, ``bar`` or ``points``.
        x_label: What ``x`` of its series is.
        y_label: What ``y`` is.
        series: The lines or sets of bars.
        repeats: Whether a table of the document holds the same numbers: what cannot draw then leaves the plot out.
    """

    kind: ClassVar[str] = "plot"
    title: str
    form: str
    x_label: str
    y_label: str
    series: tuple[Series, ...]
    repeats: bool = False


@frozen
class Image:
    """
    A picture.

    Raises:
        DataError: The media type is none of a picture.

    Args:
        alt: What is to be seen, in words, for those who do not see it.
        media_type: One of :data:`PICTURES`.
        data: The file's bytes.
        caption: What stands below it.
    """

    kind: ClassVar[str] = "image"
    alt: str
    media_type: str = field()
    data: bytes = field(repr=False)
    caption: str = ""

    @media_type.validator
    def _check_media_type(self, attribute: "Attribute[str]", value: str) -> None:
        if value not in PICTURES:
            raise DataError(f"{value!r} is no {attribute.name} of an image.", f"Reports show {', '.join(PICTURES)}.")


Block = Heading | Paragraph | Note | Table | Plot | Image


@frozen
class Document:
    """Blocks in reading order."""

    blocks: tuple[Block, ...] = ()


@frozen
class Report:
    """
    What an analysis found.

    Args:
        document: For people.
        figures: For scripts: scores, counts and intervals only; a resumed and an uninterrupted run give the same bytes.
        operational: For scripts: times, costs, attempts, dates.
    """

    document: Document
    figures: dict[str, Any] = Factory(dict)
    operational: dict[str, Any] = Factory(dict)
