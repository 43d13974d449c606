"""Shows a report as one CSV table in long form: a line for each cell of a table and each point of a plot."""

import csv
from collections.abc import Iterator
from io import StringIO
from math import isfinite
from numbers import Integral
from typing import Any, assert_never

from attrs import frozen

from recfw.model.document import CellValue, Document, Heading, Image, Measure, Note, Paragraph, Plot, Report, Table
from recfw.protocols import Renderer
from recfw.report.tables import check_rows, series_points
from recfw.report.words import image_words, one_line

FIELDS = ("block", "kind", "section", "title", "row", "column", "label", "name", "value", "low", "high", "text")
"""The columns; :class:`CsvRenderer` says what each holds."""

_FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "'")  # noqa: RUF001 - what some locales of Excel read as formulas
_BOM = "\ufeff"


@frozen
class CsvOptions:
    """
    Options of the CSV renderer.

    Args:
        bom: Begin with a byte-order mark, by which Excel knows UTF-8 when a file is opened by a double click.
    """

    bom: bool = False


class CsvRenderer(Renderer):
    """
    One header, then a line for each cell of a table, point of a plot, paragraph, note and picture (RFC 4180, UTF-8).

    ``block`` numbers the blocks of the document, ``kind`` says what each is, ``section`` is the heading above it,
    ``title`` the caption. ``row`` and ``column`` are the cell's place, from 1; ``label`` is what the first column holds
    in that row, ``name`` the column's header. Of a plot, ``column`` counts the series, ``name`` is the series' and
    ``label`` is x. A number stands in ``value``, with the ends of its interval in ``low`` and ``high``, in the fewest
    digits that give the same float back; words stand in ``text``. What there is none of is empty.

    Text that a spreadsheet would take for a formula (it begins with ``=``, ``+``, ``-`` or ``@``) has an apostrophe put
    before it, and so has text that begins with an apostrophe: taking one away gives back what it was. Numbers, negative
    ones too, stay numbers.
    """

    name = "csv"
    summary = "Every table and plot as one long CSV table, numbers unrounded."
    suffixes = (".csv",)
    Options = CsvOptions

    def __init__(self, options: CsvOptions) -> None:
        self._options = options

    def render(self, report: Report) -> str:
        """Return the text, with the line ends of the RFC (CR LF); DataError where a table or plot is malformed."""
        page = StringIO()
        writer = csv.writer(page, lineterminator="\r\n")
        writer.writerow(FIELDS)
        writer.writerows(_lines(report.document))
        return (_BOM if self._options.bom else "") + page.getvalue()


def text_cell(text: str) -> str:
    """Return text on one line, with an apostrophe before what a spreadsheet would take for a formula."""
    line = one_line(text)
    return f"'{line}" if line.startswith(_FORMULA) else line


def _lines(document: Document) -> Iterator[tuple[str | int, ...]]:
    section = ""
    for number, block in enumerate(document.blocks, start=1):
        head = (number, block.kind, section)
        match block:
            case Heading(text):
                section = text_cell(text)
            case Paragraph(text) | Note(text):
                yield (*head, *_words("", text))
            case Image():
                yield (*head, *_words(block.caption, image_words(block)))
            case Table():
                yield from ((*head, text_cell(block.caption), *cell) for cell in _cells(block))
            case Plot():
                yield from ((*head, text_cell(block.title), *point) for point in _points(block))
            case _:
                assert_never(block)


def _words(title: str, text: str) -> tuple[str, ...]:
    return (text_cell(title), "", "", "", "", "", "", "", text_cell(text))


def _cells(table: Table) -> Iterator[tuple[str | int, ...]]:
    check_rows(table)
    for number, row in enumerate(table.rows, start=1):
        for place, (column, value) in enumerate(zip(table.columns, row, strict=True), start=1):
            yield (number, place, _label(row[0]), text_cell(column.title), *_values(value))


def _points(plot: Plot) -> Iterator[tuple[str | int, ...]]:
    for place, series in enumerate(plot.series, start=1):
        for number, (x, *numbers) in enumerate(series_points(plot, series), start=1):
            yield (number, place, _label(x), text_cell(series.name or plot.y_label), *map(_number, numbers), "")


def _values(value: CellValue) -> tuple[str, str, str, str]:
    """Return value, low, high and text."""
    match value:
        case None:
            return ("", "", "", "")
        case str():
            return ("", "", "", text_cell(value))
        case Measure():
            return (_number(value.value), _number(value.low), _number(value.high), "")
        case _:
            return (_number(value), "", "", "")


def _label(value: CellValue) -> str:
    number, *_, text = _values(value)
    return number or text


def _number(value: Any) -> str:
    if value is None or not isfinite(value):
        return ""
    return str(int(value)) if isinstance(value, Integral) else repr(float(value) + 0.0)  # + 0.0: there is one zero
