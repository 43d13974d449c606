"""Words and numbers: what may reach a page, and how numbers are shown."""

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recfw.errors import DataError
from recfw.report.words import DASH, counted, looks_numeric, one_line, shown, with_interval


@settings(deadline=None)
@given(st.text())
def test_a_line_holds_nothing_that_steers(text: str) -> None:
    """No control, surrogate, reversing or line-breaking character is left, but for the two joiners."""
    left = {unicodedata.category(char) for char in one_line(text) if char not in "\u200c\u200d"}
    assert left & {"Cc", "Cf", "Cs", "Zl", "Zp"} == set()


def test_an_escape_sequence_is_spelt_out() -> None:
    """What would colour a terminal is shown as what it is."""
    assert one_line("a\x1b[31mred\u202e") == r"a\x1b[31mred\u202e"


def test_white_space_becomes_single_spaces() -> None:
    """Lines, tabs and runs of blanks are one blank each, and none at the ends."""
    assert one_line("  a\n\tb\u2028c  ") == "a b c"


def test_other_scripts_stand_as_they_are() -> None:
    """Letters of any script and joined emoji are not spelt out."""
    assert one_line("Übung 日本 👩\u200d👧") == "Übung 日本 👩\u200d👧"


@pytest.mark.parametrize(
    ("value", "form", "expected"),
    [
        (None, ".3f", DASH),
        (float("nan"), "", DASH),
        (float("inf"), ".3f", DASH),
        (0, "", "0"),
        (1234, ",d", "1,234"),
        (0.5, ".3f", "0.500"),
        (1 / 3, "", "0.333333"),
        ("x", ".3f", "x"),
    ],
)
def test_cells_by_format(value: str | float | None, form: str, expected: str) -> None:
    """None and what is not finite are a dash, zero is zero, numbers take the column's format, text does not."""
    assert shown(value, form) == expected


def test_a_wrong_format_is_named() -> None:
    """A format that the number cannot take is an error that names both."""
    with pytest.raises(DataError, match=r"'d' is no format for the number 0\.5"):
        shown(0.5, "d")


@pytest.mark.parametrize(
    ("scale", "expected"),
    [(1.0, "0.956 [0.93, 0.98]"), (9.0, "0.96 [0.93, 0.98]"), (12.0, "1.0 [0.9, 1.0]"), (500.0, "1 [1, 1]")],
)
def test_decimals_follow_the_scale(scale: float, expected: str) -> None:
    """The larger the values shown side by side, the fewer the decimals."""
    assert with_interval(0.956, 0.93, 0.98, scale) == expected


def test_no_interval_no_brackets() -> None:
    """A mean without an interval stands alone, and no mean is None."""
    assert (with_interval(0.5, None, None), with_interval(None, None, None)) == ("0.500", None)


def test_no_negative_zero() -> None:
    """A tiny negative mean is not shown as minus zero."""
    assert with_interval(-0.0001, -0.001, 0.001) == "0.000 [0.00, 0.00]"


@pytest.mark.parametrize(
    ("text", "expected"),
    [("0.956 [0.93, 0.98]", True), ("-3", True), (DASH, True), ("1e-07", True), ("x [a]", False), ("3 days", False)],
)
def test_what_looks_numeric(text: str, expected: bool) -> None:
    """Numbers, with an interval or not, and dashes are aligned as numbers; words are not."""
    assert looks_numeric(text) == expected


@pytest.mark.parametrize(("number", "words"), [(0, "0 trials"), (1, "1 trial"), (1200, "1,200 trials")])
def test_one_is_singular(number: int, words: str) -> None:
    """A single thing is named in the singular."""
    assert words == counted(number, "trial")
