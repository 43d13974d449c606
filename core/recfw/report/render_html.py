"""Shows a report as one HTML file: no script, nothing from a network, readable on a phone and on paper."""

import re
from base64 import b64encode
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any, assert_never
from xml.etree.ElementTree import Element

from recfw.model.document import Block, Heading, Image, Note, Paragraph, Plot, Report, Table
from recfw.protocols import Renderer
from recfw.report.chart import chart
from recfw.report.html_plot import drawing
from recfw.report.html_style import STYLE
from recfw.report.html_tags import lines, tag, written
from recfw.report.tables import ShownTable, plot_table, shown_table
from recfw.report.words import one_line

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
"""What a browser may do with the page: show its own styles and pictures, and nothing else."""

_WORD = re.compile(r"\[.*\]|\S+")
"""What does not wrap within a cell: a word, or an interval."""

_LONG = 40
"""Letters of a cell beyond which its column wraps."""

_SHORT = 25
"""Rows of a table that is not parted between two sheets of paper."""

_SHEET = 140
"""Letters that stand beside one another on a sheet of paper; a table that needs more is printed across it."""

_CONTENTS = 4
"""From how many headings below the title on the page begins with a table of contents."""


class HtmlRenderer(Renderer):
    """
    A page with tables, drawn plots and pictures within it.

    Nothing in a report can act: words are escaped and what steers or hides is spelt out, there is no script and no
    address but those of the page's own headings, and a policy in the page forbids all else. Equal reports give equal
    bytes.
    """

    name = "html"
    summary = "One self-contained HTML file: tables and plots for screen, phone and paper."
    suffixes = (".html", ".htm")

    def __init__(self, options: Any) -> None: ...

    def render(self, report: Report) -> str:
        """Return the page; DataError where a table or plot is malformed."""
        blocks = report.document.blocks
        title = next((one_line(block.text) for block in blocks if isinstance(block, Heading)), "") or "recfw report"
        head = lines(
            tag("meta", charset="utf-8"),
            tag("meta", http_equiv="Content-Security-Policy", content=POLICY),
            tag("meta", name_="viewport", content="width=device-width, initial-scale=1"),
            tag("title", title),
            tag("style", STYLE),
        )
        body = tag("body", "\n", tag("main", "\n", *lines(*_page(blocks))), "\n")
        return written(tag("html", "\n", tag("head", "\n", *head), "\n", body, "\n", lang="en"))


def _page(blocks: tuple[Block, ...]) -> Iterator[Element]:
    headings = [block for block in blocks if isinstance(block, Heading)]
    below = [number for number, heading in enumerate(headings, start=1) if heading.level > 1]
    contents = _contents(headings, below) if len(below) >= _CONTENTS else None
    met = 0
    for number, (kind, group) in enumerate(groupby(blocks, type), start=1):
        if kind is Note:
            yield _notes(group)
            continue
        for place, block in enumerate(group, start=1):
            if isinstance(block, Heading):
                met += 1
                yield tag(f"h{min(max(block.level, 1), 6)}", one_line(block.text), id=f"h{met}")
                if met == 1 and contents is not None:
                    yield contents
            else:
                yield _shown(block, f"b{number}-{place}")


def _contents(headings: list[Heading], below: list[int]) -> Element:
    items = [tag("li", tag("a", one_line(headings[number - 1].text), href=f"#h{number}")) for number in below]
    return tag("nav", tag("ul", "\n", *lines(*items)), aria_label="Contents")


def _notes(notes: Iterable[Block]) -> Element:
    items = [tag("li", one_line(note.text)) for note in notes if isinstance(note, Note)]
    return tag("ul", "\n", *lines(*items), class_="notes")


def _shown(block: Block, name: str) -> Element:
    match block:
        case Paragraph():
            return tag("p", one_line(block.text))
        case Table():
            kind = "whole" * (len(block.rows) <= _SHORT), "wide" * (_least(shown_table(block)) > _SHEET)
            return _figure(block.caption, "", name, [_table(block, name)], kind)
        case Plot():
            numbers = [] if block.repeats else [_numbers(block, name)]
            unit = "" if block.y_label in block.title else block.y_label
            return _figure(block.title, unit, name, [*drawing(chart(block)), *numbers], ("whole",))
        case Image():
            return _image(block)
        case Heading() | Note():
            raise AssertionError(block)
        case _:
            assert_never(block)


def _figure(caption: str, unit: str, name: str, content: list[Element], kind: Iterable[str]) -> Element:
    """Return a figure below its caption; ``whole`` is kept on one sheet of paper, ``wide`` is printed across it."""
    words: list[str | Element] = [one_line(caption)]
    if unit:
        words += [" ", tag("span", f"({one_line(unit)})", class_="unit")]
    caption_tag = tag("figcaption", *words, id=f"{name}-caption")
    return tag("figure", "\n", *lines(caption_tag, *content), class_=" ".join(filter(None, kind)))


def _table(table: Table, name: str) -> Element:
    """Return a table in a box of its own that scrolls sideways where the page is too narrow for it."""
    text = shown_table(table)
    columns = range(len(text.titles))
    long = [max((len(row[place]) for row in text.rows), default=0) > _LONG for place in columns]
    kinds = ["n" if text.numeric[place] else "w" if long[place] else "" for place in columns]
    titles = [tag("th", title, scope="col", class_=kind) for title, kind in zip(text.titles, kinds, strict=True)]
    rows = []
    for row in text.rows:
        cells = [tag("td", *_cell(cell, kind), class_=kind) for cell, kind in zip(row, kinds, strict=True)]
        if cells and not text.numeric[0]:
            cells[0] = tag("th", row[0], scope="row", class_=kinds[0])
        rows.append(tag("tr", *cells))
    whole = tag("table", tag("thead", tag("tr", *titles)), "\n", tag("tbody", "\n", *lines(*rows)),
                aria_labelledby=f"{name}-caption")  # fmt: skip
    # A box that scrolls must be reachable by the keyboard.
    return tag("div", whole, class_="scroll", tabindex="0", role="region", aria_labelledby=f"{name}-caption")


def _least(text: ShownTable) -> int:
    """Return how many letters a table needs side by side where its cells and headers wrap between words."""
    columns = zip(text.titles, *text.rows, strict=True)
    words = ([len(word) for cell in column for word in _WORD.findall(cell)] for column in columns)
    return sum(2 + min(max(lengths, default=0), _LONG) for lengths in words)


def _cell(text: str, kind: str) -> list[str | Element]:
    """Return a cell's content; the interval after a number is set back."""
    value, gap, interval = text.partition(" [")
    return [value, " ", tag("span", f"[{interval}", class_="i")] if kind == "n" and gap else [text]


def _numbers(plot: Plot, name: str) -> Element:
    return tag("details", tag("summary", "Numbers"), _table(plot_table(plot), name))


def _image(image: Image) -> Element:
    address = f"data:{image.media_type};base64,{b64encode(image.data).decode('ascii')}"
    picture = tag("img", src=address, alt=one_line(image.alt) or "picture without a description")
    words = one_line(image.caption)
    caption = [tag("figcaption", words)] if words else []
    return tag("figure", picture, *caption, class_="whole")
