"""The CSV renderer: well-formed, values as they were, nothing that a spreadsheet would calculate."""

import csv
from io import StringIO
from math import isfinite

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recfw.errors import DataError
from recfw.model.document import Block, CellValue, Column, Document, Heading, Image, Measure, Note, Plot, Series, Table
from recfw.model.document import Report as Found
from recfw.report.render_csv import FIELDS, CsvOptions, CsvRenderer
from recfw.report.words import one_line

TEXT = (
    st.text()
    | st.text("=+-@'\"\t\r\n,;\uff1d\uff0dx1 ")
    | st.sampled_from(["=1+1", "-3", "@x", "'=x", "a\r\nb", '"', ""])
)
FORMULAS = ("=", "+", "-", "@", "\t", "\r", "\uff1d", "\uff0b", "\uff0d", "\uff20")
NUMBERS = st.none() | st.floats() | st.integers(-(10**20), 10**20)
CELLS = TEXT | NUMBERS | st.builds(Measure, NUMBERS, NUMBERS, NUMBERS)


def lines(*blocks: Block) -> list[dict[str, str]]:
    """Render blocks and read them back."""
    page = CsvRenderer(CsvOptions()).render(Found(Document(blocks)))
    return list(csv.DictReader(StringIO(page, newline=""), strict=True))


def plain(text: str) -> str:
    """Return a text cell as it was before it was guarded."""
    return text.removeprefix("'")


def number(text: str) -> float | None:
    """Return a number cell's number."""
    return float(text) if text else None


def finite(value: float | None) -> float | None:
    """Return a number, or None where it is none that CSV can hold."""
    return None if value is None or not isfinite(value) else float(value)


@settings(deadline=None)
@given(st.lists(CELLS, max_size=6), TEXT, TEXT)
def test_values_come_back(cells: list[CellValue], title: str, caption: str) -> None:
    """Whatever a table holds, the csv module reads the same numbers, and the same words on one line."""
    found = lines(Table((Column(title),), tuple((cell,) for cell in cells), caption))
    assert [plain(line["title"]) for line in found] == [one_line(caption)] * len(cells)
    assert [plain(line["name"]) for line in found] == [one_line(title)] * len(cells)
    for cell, line in zip(cells, found, strict=True):
        told = [number(line[name]) for name in ("value", "low", "high")]
        if isinstance(cell, str):
            assert (plain(line["text"]), told) == (one_line(cell), [None] * 3)
        elif isinstance(cell, Measure):
            assert (line["text"], told) == ("", [finite(cell.value), finite(cell.low), finite(cell.high)])
        else:
            assert (line["text"], told) == ("", [finite(cell), None, None])


@settings(deadline=None)
@given(TEXT)
def test_no_text_is_a_formula(text: str) -> None:
    """No cell of words begins with a sign that a spreadsheet calculates, in whatever block it stands."""
    blocks = (Heading(text), Note(text), Table((Column(text),), ((text,),), text), Image(text, "image/png", b"", text))
    plot = Plot(text, "bar", text, text, (Series(text, (text,), (1.0,)),))
    words = [line[name] for line in lines(*blocks, plot) for name in ("section", "title", "label", "name", "text")]
    assert [word for word in words if word.startswith(FORMULAS)] == []


@pytest.mark.parametrize("sign", ["=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20", "'"])
def test_what_a_spreadsheet_would_calculate_is_quoted(sign: str) -> None:
    """An apostrophe stands before it; also before an apostrophe, so that taking one away always restores the text."""
    assert lines(Note(f"{sign}cmd|' /C calc'!A0"))[0]["text"] == f"'{sign}cmd|' /C calc'!A0"


@settings(deadline=None)
@given(st.lists(st.lists(CELLS, min_size=3, max_size=3).map(tuple), max_size=4))
def test_the_rfc(rows: list[tuple[CellValue, ...]]) -> None:
    """Every line has as many fields as the header and ends in CR LF, and no field holds a line's end."""
    page = CsvRenderer(CsvOptions()).render(Found(Document((Table((Column("a"),) * 3, tuple(rows)),))))
    read = list(csv.reader(StringIO(page, newline=""), strict=True))
    assert ({len(line) for line in read}, page.count("\r\n"), page.count("\n")) == ({12}, len(read), len(read))


def test_a_table_can_be_put_together_again() -> None:
    """Row and column are the place, label what the first column holds, name the header, section the heading above."""
    table = Table((Column("agent"), Column("share", ".1f"), Column("share", ".1f")), (("a", 1 / 3, None),), "shares")
    found = lines(Heading("Part"), table)
    place = {"block": "2", "kind": "table", "section": "Part", "title": "shares", "row": "1", "label": "a"}
    empty = {"value": "", "low": "", "high": "", "text": ""}
    assert found == [
        {**place, **empty, "column": "1", "name": "agent", "text": "a"},
        {**place, **empty, "column": "2", "name": "share", "value": "0.3333333333333333"},
        {**place, **empty, "column": "3", "name": "share"},
    ]


def test_a_plot_is_its_points() -> None:
    """Each point has the series' name, x as its label, and the ends of its interval; also where a table has them."""
    series = (Series("s", (0, "b"), (-1.5, None), (-2.0, None), (-1.0, None)), Series("", (2.5,), (0.0,)))
    found = lines(Plot("T", "points", "x", "y", series, repeats=True))
    told = [[line[name] for name in ("row", "column", "label", "name", "value", "low", "high")] for line in found]
    assert told == [
        ["1", "1", "0", "s", "-1.5", "-2.0", "-1.0"],
        ["2", "1", "b", "s", "", "", ""],
        ["1", "2", "2.5", "y", "0.0", "", ""],
    ]


def test_words_and_pictures_are_lines_too() -> None:
    """A note is its text; a picture is a note that says what it is, without its bytes."""
    found = lines(Note("n"), Image("a dot", "image/png", b"12345", "Frame"))
    assert [(line["kind"], line["title"], line["text"]) for line in found] == [
        ("note", "", "n"),
        ("image", "Frame", "[picture: a dot; image/png, 5 bytes]"),
    ]


def test_numbers_of_numpy_are_numbers() -> None:
    """An analysis may leave numpy's scalars in its tables; there is one zero."""
    row = (np.float64(0.1), np.int64(3), -0.0)
    found = lines(Table((Column("x"),) * 3, (row,)))
    assert [line["value"] for line in found] == ["0.1", "3", "0.0"]


def test_a_mark_for_excel_on_request() -> None:
    """With `bom` the page begins with a byte-order mark; nothing else differs."""
    document = Found(Document((Note("é"),)))
    marked, page = (CsvRenderer(CsvOptions(bom=bom)).render(document) for bom in (True, False))
    assert (marked, page.split("\r\n")[0]) == ("\ufeff" + page, ",".join(FIELDS))


def test_a_ragged_table_is_an_error() -> None:
    """A row of the wrong length is named."""
    with pytest.raises(DataError, match="row 1 has 1 cells for 2 columns"):
        lines(Table((Column("a"), Column("b")), (("x",),), "t"))
