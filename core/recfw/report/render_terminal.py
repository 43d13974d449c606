"""Shows a report on a terminal: tables laid out to its width, plots as bars."""

import os
import sys
from io import StringIO
from shutil import get_terminal_size
from typing import assert_never

from attrs import field, frozen, validators
from rich import box
from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from recfw.model.document import Block, Heading, Image, Note, Paragraph, Plot, Report, Table
from recfw.protocols import Renderer
from recfw.report.bars import LEGEND, bar_lines, has_bars
from recfw.report.layout import GAP, lay_out
from recfw.report.tables import ShownTable, plot_caption, plot_table, shown_table
from recfw.report.words import image_words, one_line

WIDTH = 80
"""Columns where there is no terminal to ask."""

NARROWEST = 40


@frozen
class TerminalOptions:
    """
    Options of the terminal renderer.

    Args:
        width: Columns; 0 for the terminal's own number, or 80 where the output is none.
        color: ``always``, ``never``, or ``auto``: not under ``NO_COLOR``, else under ``FORCE_COLOR`` or on a terminal.
    """

    width: int = field(default=0, validator=validators.ge(0))
    color: str = field(default="auto", validator=validators.in_(("auto", "always", "never")))


class TerminalRenderer(Renderer):
    """
    Headings, paragraphs, notes, aligned tables and bars, within the terminal's width.

    A table that is too wide first wraps its texts, then puts intervals on a second line, then is cut into several that
    repeat its labels: nothing is left out but plots whose numbers stand in a table. A picture is a line of words.
    """

    name = "terminal"
    summary = "Tables and bars for a terminal, 80 columns wide where there is none."
    suffixes = (".txt",)
    Options = TerminalOptions

    def __init__(self, options: TerminalOptions) -> None:
        self._options = options

    def render(self, report: Report) -> str:
        """Return the text, without escape sequences unless colours are wanted; DataError where a block is malformed."""
        width = max(self._options.width or _terminal_width(), NARROWEST)
        page = StringIO()
        console = self._console(page, width)
        previous: Block | None = None
        for block in report.document.blocks:
            if isinstance(block, Plot) and block.repeats:
                continue
            if previous is not None and not (isinstance(previous, Note) and isinstance(block, Note)):
                console.print()
            _print(console, block, width)
            previous = block
        return "".join(f"{line.rstrip()}\n" for line in page.getvalue().split("\n")[:-1])

    def _console(self, page: StringIO, width: int) -> Console:
        wanted = self._options.color
        color = wanted == "always" or (wanted == "auto" and _wants_color())
        return Console(
            file=page,
            width=width,
            force_terminal=color,
            color_system="standard" if color else None,
            no_color=not color,
            force_jupyter=False,
            legacy_windows=False,
        )


def _wants_color() -> bool:
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or (sys.stdout is not None and sys.stdout.isatty())


def _terminal_width() -> int:
    return get_terminal_size((WIDTH, 24)).columns if sys.stdout is not None and sys.stdout.isatty() else WIDTH


def _print(console: Console, block: Block, width: int) -> None:
    match block:
        case Heading():
            _print_words(console, block.text, "bold cyan" if block.level <= 1 else "bold")
        case Paragraph():
            _print_words(console, block.text)
        case Note():
            hanging = RichTable.grid(padding=(0, 1, 0, 0))
            hanging.add_column(width=1)
            hanging.add_column(width=width - 2, overflow="fold")
            hanging.add_row(Text("·"), Text(one_line(block.text)))
            console.print(hanging)
        case Table():
            _print_table(console, shown_table(block), width)
        case Plot():
            _print_plot(console, block, width)
        case Image():
            _print_words(console, image_words(block))
            if one_line(block.caption):
                _print_words(console, block.caption, "italic")
        case _:
            assert_never(block)


def _print_words(console: Console, text: str, style: str = "") -> None:
    console.print(Text(one_line(text), style=style, overflow="fold"))


def _print_table(console: Console, table: ShownTable, width: int) -> None:
    if table.caption:
        _print_words(console, table.caption, "italic")
    for number, part in enumerate(lay_out(table, width)):
        if number:
            console.print()
        # Padding and divider make up the gap; widths are fixed, so that nothing is left for the library to decide.
        grid = RichTable(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, GAP - 1, 0, 0))
        for column, column_width in zip(part.columns, part.widths, strict=True):
            grid.add_column(
                Text(table.titles[column]),
                width=column_width,
                justify="right" if table.numeric[column] else "left",
                overflow="fold",
            )
        for row in part.table.rows:
            grid.add_row(*(Text(row[column]) for column in part.columns))
        console.print(grid)


def _print_plot(console: Console, plot: Plot, width: int) -> None:
    if not has_bars(plot):
        _print_table(console, shown_table(plot_table(plot)), width)
        return
    _print_words(console, plot_caption(plot), "italic")
    for line in bar_lines(plot, width):
        console.print(Text(line, no_wrap=True, overflow="crop"))
    if any(series.low for series in plot.series):
        _print_words(console, LEGEND)
