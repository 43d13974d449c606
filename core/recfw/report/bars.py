"""Bars of text: a plot of values from zero up, one line each, with the interval as shades."""

from collections.abc import Sequence

from attrs import frozen
from rich.cells import cell_len, set_cell_size

from recfw.model.document import CellValue, Plot
from recfw.report.tables import series_points
from recfw.report.words import DASH, one_line, shown, with_interval

LEGEND = "█ value, of which ▓ lies within the interval; ░ the rest of the interval"

_LONGEST_BAR = 40


@frozen
class _Bar:
    label: str
    value: float | None
    low: float | None
    high: float | None


def has_bars(plot: Plot) -> bool:
    """Return whether a plot can be shown as bars: no line, and no value or interval below zero."""
    points = [point for series in plot.series for _, *point in series_points(plot, series)]
    return plot.form != "line" and all(number is None or number >= 0 for point in points for number in point)


def bar_lines(plot: Plot, width: int) -> list[str]:
    """
    Return a line for each value: label, bar, number; ordered by x and then by series.

    Args:
        plot: A plot that ``has_bars``.
        width: Columns; at least 40.
    """
    bars = _bars(plot)
    top = max((n for bar in bars for n in (bar.value, bar.high) if n is not None), default=0.0)
    numbers = [with_interval(bar.value, bar.low, bar.high, top) or DASH for bar in bars]
    label_width = min(max((cell_len(bar.label) for bar in bars), default=0), width // 3)
    number_width = max((len(number) for number in numbers), default=0)
    length = max(5, min(_LONGEST_BAR, width - label_width - number_width - 4))
    return [
        f"{_cropped(bar.label, label_width)}  {_drawn(bar, top, length)}  {number.rjust(number_width)}"
        for bar, number in zip(bars, numbers, strict=True)
    ]


def _bars(plot: Plot) -> list[_Bar]:
    points = [series_points(plot, series) for series in plot.series]
    places: dict[CellValue, None] = {x: None for series in points for x, _, _, _ in series}
    return [
        _Bar(one_line(f"{shown(x)} {series.name}" if len(points) > 1 else shown(x)), value, low, high)
        for x in places
        for series, of_series in zip(plot.series, points, strict=True)
        for x_of_series, value, low, high in of_series
        if x_of_series == x
    ]


def _cropped(label: str, width: int) -> str:
    return set_cell_size(label, width) if cell_len(label) <= width else set_cell_size(label, width - 1) + "…"


def _drawn(bar: _Bar, top: float, length: int) -> str:
    if bar.value is None or top <= 0:
        return " " * length
    low, value, high = (round(n / top * length) for n in _ends(bar, bar.value))
    return ("█" * low + "▓" * (value - low) + "░" * (high - value)).ljust(length)


def _ends(bar: _Bar, value: float) -> Sequence[float]:
    """Return low, value and high, the ends moved to the value where there is no interval or it does not hold it."""
    low = value if bar.low is None else min(bar.low, value)
    high = value if bar.high is None else max(bar.high, value)
    return low, value, high
