"""Shows a report as LaTeX to paste into a paper: booktabs tables, pgfplots drawings, intervals set small."""

import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import assert_never

from attrs import field, frozen, validators

from recfw.model.document import Block, Heading, Image, Note, Paragraph, Plot, Report, Table
from recfw.protocols import Renderer
from recfw.report.chart import chart
from recfw.report.latex_plot import picture
from recfw.report.latex_words import breakable
from recfw.report.tables import ShownTable, shown_table
from recfw.report.words import DASH, image_words

PACKAGES = (
    r"\usepackage{array}",
    r"\usepackage{booktabs}",
    r"\usepackage{longtable}",
    r"\usepackage{adjustbox}",
    r"\usepackage{pgfplots}",
    r"\pgfplotsset{compat=1.18}",
)
FONTS = (r"\usepackage[T1]{fontenc}", r"\usepackage[utf8]{inputenc}")

_LEVELS = (r"\section*", r"\subsection*", r"\subsubsection*", r"\paragraph*")

_NUMBER = re.compile(r"([-+]?[0-9][0-9.,e+-]*)(%?)(?: \[([0-9.,e+ -]*)\])?")
"""A number, perhaps with an interval: nothing in it needs to be escaped."""

_LONG = 45
"""Rows that a page has room for; a table with more runs over several pages."""

_PAGE, _GAP = 92, 3
"""Letters that the width of a page has room for, and those that two columns are apart."""

_FLOATS = 15
"""Tables and figures that may follow one another before a page is ended."""

_WIDE = 40
"""Letters of a cell beyond which its column gets a fixed width and wraps."""


@frozen
class LatexOptions:
    r"""
    Options of the LaTeX renderer.

    Args:
        standalone: A whole document that compiles, instead of a fragment to ``\input``.
        label: What labels of tables and figures begin with: ``\ref{tab:recfw-1}``.
        unicode: Leave the characters of all scripts as they are, for LuaLaTeX or XeLaTeX; pdfLaTeX lacks most.
    """

    standalone: bool = False
    label: str = field(default="recfw", validator=validators.matches_re(r"[A-Za-z0-9:.-]*"))
    unicode: bool = False


class LatexRenderer(Renderer):
    r"""
    A fragment to ``\input``, whose first lines name the packages that it needs; or a whole document.

    Tables are booktabs, no wider than the text; plots are pgfplots code; notes are a list in small print. A picture is
    a comment that says what it is: LaTeX takes pictures from files of their own.
    """

    name = "latex"
    summary = "LaTeX for a paper: booktabs tables and pgfplots drawings."
    suffixes = (".tex",)
    Options = LatexOptions

    def __init__(self, options: LatexOptions) -> None:
        self._options = options

    def render(self, report: Report) -> str:
        """Return the text; DataError where a table or plot is malformed."""
        body = "\n\n".join("\n".join(lines) for lines in self._blocks(report.document.blocks))
        fonts = (r"\usepackage{fontspec}",) if self._options.unicode else FONTS
        packages = (*fonts, *PACKAGES)
        if not self._options.standalone:
            needs = "\n".join(f"%   {line}" for line in packages)
            return f"% Made by recfw. Needs in the preamble:\n{needs}\n\n{body}\n"
        head = (r"\documentclass{article}", r"\usepackage[margin=2.5cm]{geometry}", *packages, r"\begin{document}")
        return "\n".join((*head, "", body or r"\mbox{}", "", r"\end{document}", ""))

    def _blocks(self, blocks: Iterable[Block]) -> Iterator[list[str]]:
        """Yield the lines of each block; too many floats in a row would be more than LaTeX can hold back."""
        floats = 0
        for lines in self._lines(blocks):
            floats += lines[0].startswith((r"\begin{table}", r"\begin{figure}"))
            if floats > _FLOATS:
                yield [r"\clearpage"]
                floats = 1
            yield lines

    def _lines(self, blocks: Iterable[Block]) -> Iterator[list[str]]:
        tables = plots = 0
        for kind, group in groupby(blocks, type):
            if kind is Note:
                yield self._notes(group)
                continue
            for block in group:
                match block:
                    case Heading():
                        yield [self._heading(block)]
                    case Paragraph():
                        yield [rf"\noindent {_ragged(self._words(block.text), end=True)}"]
                    case Table():
                        tables += 1
                        label = f"tab:{self._options.label}-{tables}"
                        for number, part in enumerate(_parts(shown_table(block)), start=1):
                            yield self._table(part, label if number == 1 else f"{label}-{number}")
                    case Plot():
                        plots += 1
                        yield self._figure(block, f"fig:{self._options.label}-{plots}")
                    case Image():
                        told = (self._words(image_words(block)), self._words(block.caption))
                        yield [f"% {words}" for words in told if words]
                    case Note():
                        raise AssertionError(block)
                    case _:
                        assert_never(block)

    def _words(self, text: str) -> str:
        return breakable(text, every=self._options.unicode)

    def _heading(self, heading: Heading) -> str:
        return f"{_LEVELS[min(max(heading.level, 1), 4) - 1]}{{{_ragged(self._words(heading.text))}}}"

    def _notes(self, notes: Iterable[Block]) -> list[str]:
        items = [rf"  \item {_ragged(self._words(n.text), end=True)}" for n in notes if isinstance(n, Note)]
        return [r"\begin{itemize}\footnotesize", *items, r"\end{itemize}"]

    def _table(self, table: ShownTable, label: str) -> list[str]:
        caption = rf"\caption{{{self._words(table.caption)}}}"
        if not table.titles:
            return [rf"\noindent {self._words(table.caption)}"]
        columns = "".join(_column(table, place) for place in range(len(table.titles)))
        head = " & ".join(
            self._title(title, right=right and len(title) <= _WIDE)
            for title, right in zip(table.titles, table.numeric, strict=True)
        )
        rows = [rf"  {' & '.join(self._cell(cell) for cell in row)} \\" for row in table.rows]
        rules = [r"  \toprule", rf"  {head} \\", r"  \midrule"]
        if len(rows) > _LONG:
            begin = [r"{\small", rf"\begin{{longtable}}{{{columns}}}", rf"  {caption}\label{{{label}}} \\"]
            ends = [r"  \endhead", r"  \bottomrule", r"  \endfoot"]
            return [*begin, *rules, *ends, *rows, r"\end{longtable}}"]
        begin = [r"\begin{table}[htbp]", r"\centering\small", rf"{caption}\label{{{label}}}"]
        box = [r"\begin{adjustbox}{max width=\linewidth}", rf"\begin{{tabular}}{{{columns}}}"]
        ends = [r"  \bottomrule", r"\end{tabular}", r"\end{adjustbox}", r"\end{table}"]
        return [*begin, *box, *rules, *rows, *ends]

    def _title(self, title: str, *, right: bool) -> str:
        words = self._words(title)
        return rf"\multicolumn{{1}}{{r}}{{{words}}}" if right else words

    def _cell(self, text: str) -> str:
        """Return a cell; the interval after a number is set smaller, and a minus is a minus."""
        number = _NUMBER.fullmatch(text)
        if number is None:
            return "--" if text == DASH else self._words(text)
        value, sign, interval = number.groups()
        value = f"${value}$" if value.startswith("-") else value
        small = rf" {{\scriptsize $[{interval}]$}}" if interval else ""
        return value + (r"\%" if sign else "") + small

    def _figure(self, plot: Plot, label: str) -> list[str]:
        caption = rf"\caption{{{self._words(plot.title)}}}\label{{{label}}}"
        drawn = picture(chart(plot), self._words)
        return [r"\begin{figure}[htbp]", r"\centering", *drawn, caption, r"\end{figure}"]


def _ragged(words: str, *, end: bool = False) -> str:
    """Return words whose lines may be shorter than others where a word was broken; ``end`` ends their paragraph."""
    if r"\allowbreak" not in words:
        return words
    return rf"{{\raggedright {words}\par}}" if end else rf"\raggedright {words}"


def _longest(table: ShownTable, place: int) -> int:
    return max(len(words) for words in (table.titles[place], *(row[place] for row in table.rows)))


def _column(table: ShownTable, place: int) -> str:
    wraps = _longest(table, place) > _WIDE
    if table.numeric[place]:
        return r">{\raggedleft\arraybackslash}p{0.2\linewidth}" if wraps else "r"
    return r">{\raggedright\arraybackslash}p{0.4\linewidth}" if wraps else "l"


def _parts(table: ShownTable) -> Iterator[ShownTable]:
    """
    Yield the tables that show one, side by side on a page: a wide one in parts that each begin with its labels.

    A short table may be shrunk to two thirds of its size, a long one cannot be.
    """
    room = _PAGE if len(table.rows) > _LONG else _PAGE * 3 // 2
    widths = [min(_longest(table, place), _WIDE) + _GAP for place in range(len(table.titles))]
    labels = table.labels if sum(widths[: table.labels]) <= room // 2 else 1
    groups: list[list[int]] = [[]]
    for place in range(labels, len(widths)):
        if groups[-1] and sum(widths[:labels]) + sum(widths[each] for each in groups[-1]) + widths[place] > room:
            groups.append([])
        groups[-1].append(place)
    if len(groups) == 1:
        yield table
        return
    for number, group in enumerate(groups, start=1):
        places = (*range(labels), *group)
        part = ShownTable(
            tuple(table.titles[place] for place in places),
            tuple(table.numeric[place] for place in places),
            tuple(tuple(row[place] for place in places) for row in table.rows),
            f"{table.caption} (part {number} of {len(groups)})".lstrip(),
        )
        yield part
