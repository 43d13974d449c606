"""Lays a table out to the width of a terminal: nothing is left out, what does not fit wraps or moves below."""

import re
from collections.abc import Sequence

from attrs import evolve, frozen
from rich.cells import cell_len

from recfw.report.tables import ShownTable

GAP = 2
"""Blank columns between two columns of a table."""

_WORD = 24
"""A longer word may be broken."""

_INTERVAL = re.compile(r"(\S+) (\[.*\])")


@frozen
class Part:
    """Some columns of a table, beside one another: positions, and the width of each."""

    table: ShownTable
    columns: tuple[int, ...]
    widths: tuple[int, ...]


def lay_out(table: ShownTable, width: int) -> tuple[Part, ...]:
    """
    Return the parts that show a table, one below the other; each but the first begins with the labels again.

    Labels are the columns that tell the rows apart; where these take more than half the width, the first column alone.
    In order of preference: the table as it is; texts wrapped; intervals on a second line; cut into parts.
    """
    everything = tuple(range(len(table.titles)))
    stacked = _stacked(table)
    for candidate in (table, stacked):
        if widths := _widths(candidate, everything, width):
            return (Part(candidate, everything, widths),)
    return tuple(_cut(stacked, width)) if everything else ()


def _stacked(table: ShownTable) -> ShownTable:
    """Return the table with the intervals of its numeric columns below their means."""
    rows = (
        tuple(
            _INTERVAL.sub(r"\1\n\2", cell) if numeric else cell
            for cell, numeric in zip(row, table.numeric, strict=True)
        )
        for row in table.rows
    )
    return evolve(table, rows=tuple(rows))


def _cut(table: ShownTable, width: int) -> list[Part]:
    parts: list[Part] = []
    labels = tuple(range(table.labels))
    least = sum(_bounds(table, column, width)[0] + GAP for column in labels)
    if len(labels) > 1 and least > width // 2:
        labels = (0,)
    columns = labels
    for column in range(len(labels), len(table.titles)):
        if columns != labels and not _widths(table, (*columns, column), width):
            parts.append(_part(table, columns, width))
            columns = labels
        columns = (*columns, column)
    return [*parts, _part(table, columns, width)]


def _part(table: ShownTable, columns: tuple[int, ...], width: int) -> Part:
    half = (width - GAP) // 2
    return Part(table, columns, _widths(table, columns, width) or tuple(half for _ in columns))


def _widths(table: ShownTable, columns: Sequence[int], width: int) -> tuple[int, ...]:
    """Return a width for each column, or nothing where they do not fit beside one another."""
    bounds = [_bounds(table, column, width) for column in columns]
    widths = [least for least, _ in bounds]
    spare = width - GAP * (len(columns) - 1) - sum(widths)
    if spare < 0:
        return ()
    while spare:
        wanting = [place for place, (_, most) in enumerate(bounds) if widths[place] < most]
        if not wanting:
            break
        narrowest = min(wanting, key=lambda place: widths[place])
        widths[narrowest] += 1
        spare -= 1
    return tuple(widths)


def _bounds(table: ShownTable, column: int, width: int) -> tuple[int, int]:
    """Return the least width that a column can do with, and the most that it can use."""
    title, cells = table.titles[column], [row[column] for row in table.rows]
    longest = max((cell_len(line) for cell in cells for line in cell.split("\n")), default=1)
    most = max(1, cell_len(title), longest)
    words = title.split() if table.numeric[column] else [word for text in (title, *cells) for word in text.split()]
    least = max((min(cell_len(word), _WORD) for word in words), default=1)
    if table.numeric[column]:
        least = max(least, longest)
    return min(max(least, min(most, 8)), (width - GAP) // 2), most
