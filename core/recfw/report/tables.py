"""Tables as text cells, and plots as tables: what every renderer starts from."""

from attrs import frozen

from recfw.errors import DataError
from recfw.model.document import CellValue, Column, Measure, Plot, Series, Table
from recfw.report.words import looks_numeric, one_line, shown


@frozen
class ShownTable:
    """
    A table as text, every cell on one line and free of control characters.

    Args:
        titles: The columns' headers.
        numeric: Whether each column holds numbers, and is aligned to the right.
        rows: The cells.
        caption: What the table shows; may be empty.
    """

    titles: tuple[str, ...]
    numeric: tuple[bool, ...]
    rows: tuple[tuple[str, ...], ...]
    caption: str

    @property
    def labels(self) -> int:
        """How many columns at the beginning, the fewest, tell rows apart as well as its leading columns of words do."""
        words = next((place for place, numeric in enumerate(self.numeric) if numeric), len(self.numeric))
        apart = [len({row[:count] for row in self.rows}) for count in range(1, words + 1)]
        return apart.index(max(apart)) + 1 if apart else 1


def check_rows(table: Table) -> None:
    """
    Check that every row is as long as the columns.

    Raises:
        DataError: A row is longer or shorter.
    """
    for number, row in enumerate(table.rows, start=1):
        if len(row) != len(table.columns):
            raise DataError(
                f"table {table.caption!r}: row {number} has {len(row)} cells for {len(table.columns)} columns.",
                "Mend the analysis that made it.",
            )


def shown_table(table: Table) -> ShownTable:
    """
    Return a table as text.

    Raises:
        DataError: A row is longer or shorter than the columns, or a column's format is none.
    """
    check_rows(table)
    rows = tuple(
        tuple(shown(value, column.format) for value, column in zip(row, table.columns, strict=True))
        for row in table.rows
    )
    columns = range(len(table.columns))
    return ShownTable(
        titles=tuple(one_line(column.title) for column in table.columns),
        numeric=tuple(all(looks_numeric(row[i]) for row in rows) for i in columns),
        rows=rows,
        caption=one_line(table.caption),
    )


def plot_table(plot: Plot) -> Table:
    """
    Return a plot's data as a table: a row for each x in the order of first mention, a column for each series.

    Raises:
        DataError: The lists of a series differ in length.
    """
    places: dict[CellValue, None] = {}
    columns: list[dict[CellValue, CellValue]] = []
    scale = max((abs(y) for series in plot.series for y in series.y if y is not None), default=1.0)
    for series in plot.series:
        points = series_points(plot, series)
        places.update((x, None) for x, _, _, _ in points)
        columns.append({x: Measure(y, low, high, scale) for x, y, low, high in points})
    return Table(
        columns=(Column(plot.x_label), *(Column(series.name or plot.y_label) for series in plot.series)),
        rows=tuple((x, *(column.get(x) for column in columns)) for x in places),
        caption=plot_caption(plot),
    )


def plot_caption(plot: Plot) -> str:
    """Return a plot's title with what its values are."""
    return f"{plot.title} ({plot.y_label})" if plot.y_label else plot.title


def series_points(plot: Plot, series: Series) -> list[tuple[CellValue, float | None, float | None, float | None]]:
    """
    Return a series as (x, y, low, high), the ends None where there is no interval.

    Raises:
        DataError: Its lists differ in length.
    """
    size = len(series.x)
    if len(series.y) != size or len(series.low) not in {0, size} or len(series.high) not in {0, size}:
        raise DataError(
            f"plot {plot.title!r}: the lists of series {series.name!r} differ in length.",
            "Mend the analysis that made it.",
        )
    nothing = (None,) * size
    return list(zip(series.x, series.y, series.low or nothing, series.high or nothing, strict=True))
