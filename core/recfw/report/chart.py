"""The geometry of plots: which values an axis spans, where its ticks are, and where each point stands."""

import sys
from collections.abc import Iterable
from math import floor, isfinite, log10

from attrs import field, frozen

from recfw.model.document import CellValue, Plot
from recfw.report.tables import series_points
from recfw.report.words import one_line, shown

_FEWEST_TICKS = 4
_SMALLEST = 1e-290
_LARGEST = sys.float_info.max


@frozen
class Axis:
    """
    A straight scale.

    Args:
        low: What stands at its beginning.
        high: What stands at its end; always above ``low``.
        ticks: Where it is marked, in order, each with its label.
    """

    low: float
    high: float
    ticks: tuple[tuple[float, str], ...]

    def place(self, value: float) -> float:
        """Return where a value stands, from 0 at the axis' beginning to 1 at its end."""
        whole = self.high / 2 - self.low / 2  # halves, because the difference of two floats may be too large for one
        return (value / 2 - self.low / 2) / whole


@frozen
class Point:
    """
    One value of a series: its place along x, its number and its interval's ends.

    Args:
        x: Its number, or the position of its category from 0.
        label: x in words.
        value: y; None where there is no finite number.
        low: Lower end of the interval; None where there is none.
        high: Upper end.
    """

    x: float
    label: str
    value: float | None
    low: float | None
    high: float | None

    @property
    def numbers(self) -> tuple[float, ...]:
        """Return value and ends, as far as there are such."""
        return tuple(n for n in (self.value, self.low, self.high) if n is not None)


@frozen
class Chart:
    """
    A plot with everything in its place.

    Args:
        plot: What is plotted.
        names: The series' names on one line.
        series: The points of each.
        categories: The labels along x in order of first mention; empty where x is a number.
        values: The axis of y.
    """

    plot: Plot
    names: tuple[str, ...]
    series: tuple[tuple[Point, ...], ...] = field(repr=False)
    categories: tuple[str, ...]
    values: Axis

    @property
    def lies_down(self) -> bool:
        """Whether it is drawn as a row for each category, with the values from left to right."""
        return self.plot.form == "bar" or (self.plot.form != "line" and bool(self.categories))

    @property
    def has_intervals(self) -> bool:
        """Whether any value has an interval."""
        return any(point.low is not None for points in self.series for point in points)

    @property
    def places(self) -> Axis:
        """The axis of x, for a chart that does not lie down: numbers, or the positions of the categories."""
        if self.categories:
            last = len(self.categories) - 1
            ticks = tuple((float(position), label) for position, label in enumerate(self.categories))
            return Axis(min(0.0, last / 2 - 0.5), max(float(last), last / 2 + 0.5), ticks)
        return axis((point.x for points in self.series for point in points), from_zero=False)


def chart(plot: Plot) -> Chart:
    """
    Return a plot with everything in its place.

    Raises:
        DataError: The lists of a series differ in length.
    """
    told = [series_points(plot, series) for series in plot.series]
    xs: dict[CellValue, None] = {x: None for points in told for x, *_ in points}
    by_name = plot.form == "bar" or not all(_is_number(x) for x in xs)
    positions = {x: float(position) for position, x in enumerate(xs)}
    series = tuple(
        tuple(
            Point(positions[x] if by_name else _number(x), one_line(shown(x)), *map(_finite, numbers))
            for x, *numbers in points
        )
        for points in told
    )
    numbers = (number for points in series for point in points for number in point.numbers)
    return Chart(
        plot=plot,
        names=tuple(one_line(one.name) for one in plot.series),
        series=series,
        categories=tuple(one_line(shown(x)) for x in xs) if by_name else (),
        values=axis(numbers, from_zero=plot.form == "bar"),
    )


def axis(numbers: Iterable[float], *, from_zero: bool) -> Axis:
    """Return the axis that spans numbers, from one round number to another; with zero on it where that is wanted."""
    known = list(numbers) or [0.0, 1.0]
    low, high = min(known), max(known)
    if from_zero:
        low, high = min(low, 0.0), max(high, 0.0)
    if low >= 0 and high <= 1:
        low, high = 0.0, 1.0 if high > 0.2 else high  # shares are seen against the whole
    size = max(abs(low), abs(high))
    if high - low <= max(1e-9 * size, _SMALLEST):  # as good as one number, which then stands in the middle
        room = size / 2 if size > _SMALLEST else 0.5
        low, high = max(low - room, -_LARGEST), min(high + room, _LARGEST)
    if size > _LARGEST / 1e6:
        return Axis(low, high, ((low, f"{low:.3g}"), (high, f"{high:.3g}")))
    step = _round_step((high - low) / _FEWEST_TICKS)
    first, last = floor(low / step), -floor(-high / step)
    ticks = tuple(position * step for position in range(first, last + 1))
    return Axis(ticks[0], ticks[-1], tuple((tick, _label(tick, step)) for tick in ticks))


def _round_step(most: float) -> float:
    """Return the largest of 1, 2 and 5 times a power of ten that is not above ``most``."""
    power = 10.0 ** floor(log10(most))
    return max((power * n for n in (1, 2, 5) if power * n <= most * (1 + 1e-9)), default=most)


def _label(tick: float, step: float) -> str:
    if max(abs(tick), step) >= 1e6 or step < 1e-4:
        return f"{tick:z.3g}"
    return f"{tick:z,.{max(0, -floor(log10(step) + 1e-9))}f}"


def _is_number(x: CellValue) -> bool:
    return isinstance(x, int | float) and isfinite(x)


def _number(x: CellValue) -> float:
    return float(x) if isinstance(x, int | float) else 0.0


def _finite(number: float | None) -> float | None:
    return float(number) if number is not None and isfinite(number) else None
