"""The geometry of plots: round axes that hold every value, and where points stand."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recfw.model.document import Plot, Series
from recfw.report.chart import axis, chart

NUMBERS = st.floats(allow_nan=False, allow_infinity=False) | st.integers(-5, 5).map(float)


@settings(deadline=None)
@given(st.lists(NUMBERS, max_size=5), st.booleans())
def test_an_axis_holds_every_value(numbers: list[float], from_zero: bool) -> None:
    """Whatever the values, the axis has an extent, a few ticks with labels, and every value within its ends."""
    found = axis(numbers, from_zero=from_zero)
    places = [found.place(number) for number in numbers]
    assert (found.low < found.high, 2 <= len(found.ticks) <= 12, all(label for _, label in found.ticks)) == (True,) * 3
    assert [place for place in places if not -1e-6 <= place <= 1 + 1e-6] == []


@pytest.mark.parametrize(
    ("numbers", "from_zero", "labels"),
    [
        ([0.31, 0.9], False, ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]),
        ([3.0, 7.0], True, ["0", "1", "2", "3", "4", "5", "6", "7"]),
        ([-0.2, 0.4], False, ["-0.2", "-0.1", "0.0", "0.1", "0.2", "0.3", "0.4"]),
        ([1500.0], True, ["0", "200", "400", "600", "800", "1,000", "1,200", "1,400", "1,600"]),
        ([], True, ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]),
        ([2e7], True, ["0", "5e+06", "1e+07", "1.5e+07", "2e+07"]),
    ],
)
def test_ticks_are_round(numbers: list[float], from_zero: bool, labels: list[str]) -> None:
    """Ticks are 1, 2 or 5 times a power of ten apart; shares are seen against the whole."""
    assert [label for _, label in axis(numbers, from_zero=from_zero).ticks] == labels


@pytest.mark.parametrize("numbers", [(-1.7e308, 1.7e308), (-1.0, 1.0), (0.0, 1e300), (-1e-320, 1e-320)])
def test_the_largest_and_the_smallest_have_a_place(numbers: tuple[float, float]) -> None:
    """The distance of two values may be more than a float holds, or less; neither breaks the axis."""
    found = axis(numbers, from_zero=False)
    low, high = (found.place(number) for number in numbers)
    assert 0 <= low <= high <= 1


def test_numbers_along_x_stand_at_their_value() -> None:
    """Points and lines with numbers for x are drawn in a plane."""
    found = chart(Plot("T", "points", "x", "y", (Series("s", (0.5, 2), (1.0, 3.0)),)))
    assert ([point.x for point in found.series[0]], found.categories, found.lies_down) == ([0.5, 2.0], (), False)


def test_names_along_x_are_categories() -> None:
    """Categories stand in the order of first mention, over all series."""
    found = chart(Plot("T", "points", "x", "y", (Series("s", ("b",), (1.0,)), Series("r", ("a", "b"), (1.0, 2.0)))))
    assert ([[point.x for point in points] for points in found.series], found.categories, found.lies_down) == (
        [[0.0], [1.0, 0.0]],
        ("b", "a"),
        True,
    )


def test_what_is_not_finite_has_no_place() -> None:
    """NaN and infinity are drawn nowhere and stretch no axis."""
    found = chart(Plot("T", "line", "x", "y", (Series("s", (1, 2, 3), (float("nan"), float("inf"), 0.5)),)))
    assert ([point.value for point in found.series[0]], found.values.high) == ([None, None, 0.5], 1.0)
