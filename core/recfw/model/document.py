"""A report as data: blocks that any renderer can show, beside the figures that scripts read."""

from typing import Any, ClassVar

from attrs import Factory, frozen

CellValue = str | int | float | None


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
    """A plot as data: ``form`` is ``line``, ``bar`` or ``points``."""

    kind: ClassVar[str] = "plot"
    title: str
    form: str
    x_label: str
    y_label: str
    series: tuple[Series, ...]


Block = Heading | Paragraph | Note | Table | Plot


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
