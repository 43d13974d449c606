"""The terminal renderer: width, alignment, colour, hostile strings."""

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from recfw.errors import DataError
from recfw.model.document import (
    Block,
    Column,
    Document,
    Heading,
    Image,
    Measure,
    Note,
    Paragraph,
    Plot,
    Report,
    Series,
    Table,
)
from recfw.report.render_terminal import TerminalOptions, TerminalRenderer
from recfw.report.words import one_line

HOSTILE = st.text() | st.sampled_from(
    ["\x1b[2J", "[red]x[/red]", "[/]", ":smile:", "a|b", "\r\n", "\x9b31m", "日本" * 60]
)


def render(*blocks: Block, width: int = 80, color: str = "never") -> str:
    """Render blocks."""
    return TerminalRenderer(TerminalOptions(width, color)).render(Report(Document(blocks)))


def lines(*text: str) -> str:
    """Join lines, each ended."""
    return "".join(f"{line}\n" for line in text)


NARROW = Table(
    (Column("agent"), Column("n", ",d"), Column("pass^1")),
    (("first", 1200, "0.956 [0.93, 0.98]"), ("second", None, "1.000 [1.00, 1.00]")),
    "a table",
)


def wide(columns: int) -> Table:
    """Return a table of one row with a label and that many intervals."""
    titles = (Column("agent"), *(Column(f"value {i}") for i in range(columns)))
    return Table(titles, (("first", *(["0.956 [0.93, 0.98]"] * columns)),))


def test_a_page() -> None:
    """Headings, prose, a table with numbers to the right, and notes look like this."""
    page = render(Heading("Title", 1), Paragraph("Some words."), NARROW, Note("one"), Note("two"))
    assert page == lines(
        "Title",
        "",
        "Some words.",
        "",
        "a table",
        "agent       n              pass^1",
        "─────────────────────────────────",
        "first   1,200  0.956 [0.93, 0.98]",
        "second      -  1.000 [1.00, 1.00]",
        "",
        "· one",
        "· two",
    )


def test_intervals_go_to_a_second_line_where_space_is_short() -> None:
    """Five intervals do not fit into 80 columns side by side, unless each stands below its mean."""
    page = render(wide(4))
    assert page == lines(
        "agent       value 0       value 1       value 2       value 3",
        "─────────────────────────────────────────────────────────────",
        "first         0.956         0.956         0.956         0.956",
        "       [0.93, 0.98]  [0.93, 0.98]  [0.93, 0.98]  [0.93, 0.98]",
    )


def test_a_table_is_cut_where_nothing_else_helps() -> None:
    """The second part begins with the first column again, and no column is lost."""
    page = render(wide(7))
    assert page == lines(
        "agent       value 0       value 1       value 2       value 3       value 4",
        "───────────────────────────────────────────────────────────────────────────",
        "first         0.956         0.956         0.956         0.956         0.956",
        "       [0.93, 0.98]  [0.93, 0.98]  [0.93, 0.98]  [0.93, 0.98]  [0.93, 0.98]",
        "",
        "agent       value 5       value 6",
        "─────────────────────────────────",
        "first         0.956         0.956",
        "       [0.93, 0.98]  [0.93, 0.98]",
    )


def test_every_part_of_a_table_tells_its_rows_apart() -> None:
    """Where the first column repeats itself, the next one that tells rows apart is shown again with it."""
    columns = (Column("level"), Column("agent"), Column("why"), *(Column(f"number {n}") for n in range(4)))
    rows = tuple((level, agent, "same", *range(4)) for level in ("L1", "L2") for agent in ("gold", "random"))
    parts = render(Table(columns, rows), width=40).split("\n\n")
    assert len(parts) > 1
    for part in parts:
        assert [line.split()[:2] for line in part.splitlines()[2:]] == [[*row[:2]] for row in rows]


def test_labels_that_leave_no_room_are_not_repeated() -> None:
    """Then the first column stands for them, as in a table of long texts."""
    words = ("a" * 18, "b" * 18)
    columns = (Column("one"), Column("two"), *(Column(f"number {n}") for n in range(4)))
    rows = tuple((words[0], word, *range(4)) for word in (words[1], words[1][:-1] + "c"))
    parts = render(Table(columns, rows), width=40).split("\n\n")
    assert [part.count(words[1]) for part in parts] == [1] + [0] * (len(parts) - 1)


def test_long_words_wrap_before_numbers_do() -> None:
    """Text gives way to numbers, which stay on one line."""
    table = Table((Column("what"), Column("n")), (("long words " * 10, 123456789),))
    page = render(table, width=40)
    assert page.splitlines()[2:4] == ["long words long words long     123456789", "words long words long words"]


def test_a_bar_chart() -> None:
    """A bar ends at the value, its shades at the interval; a missing value is a dash."""
    plot = Plot(
        "Success",
        "bar",
        "agent",
        "pass^1",
        (Series("", ("a", "b", "c"), (0.5, 1.0, None), (0.4, 1.0, None), (0.6, 1.0, None)),),
    )
    page = render(plot)
    assert page == lines(
        "Success (pass^1)",
        "a  ████████████████▓▓▓▓░░░░                  0.500 [0.40, 0.60]",
        "b  ████████████████████████████████████████  1.000 [1.00, 1.00]",
        "c                                                             -",
        "█ value, of which ▓ lies within the interval; ░ the rest of the interval",
    )


@pytest.mark.parametrize(("form", "y"), [("line", 0.5), ("bar", -0.5)])
def test_what_no_bar_can_show_becomes_a_table(form: str, y: float) -> None:
    """A line and negative values are shown as numbers."""
    page = render(Plot("T", form, "x", "y", (Series("s", (1,), (y,)), Series("r", (2,), (None,)))))
    assert page == lines(
        "T (y)",
        "x" + "s".rjust(len(f"{y:.3f}") + 2) + "  r",
        "─" * (len(f"{y:.3f}") + 6),
        f"1  {y:.3f}  -",
        f"2  {'-'.rjust(len(f'{y:.3f}'))}  -",
    )


@settings(deadline=None)
@given(text=HOSTILE, width=st.sampled_from([40, 80, 133]))
def test_hostile_strings_stay_within_the_page(text: str, width: int) -> None:
    """Whatever a name holds, no line is too long and no control character gets out."""
    table = Table((Column("x"), Column(text), Column("n")), ((text, text, 1), ("b", "[bold]", 2)), text)
    plot = Plot(
        text,
        "bar",
        text,
        text,
        (Series(text, (text, "b"), (1.0, 2.0), (0.5, 1.0), (2.0, 3.0)), Series("t", (text,), (1.0,))),
    )
    page = render(Heading(text, 1), Paragraph(text), Note(text), table, plot, width=width)
    controls = {char for char in page if unicodedata.category(char) in {"Cc", "Cs", "Zl"}} - {"\n"}
    assert (controls, max(cell_len(line) for line in page.splitlines()) <= width) == (set(), True)


@settings(deadline=None)
@given(HOSTILE)
def test_hostile_strings_are_shown_whole(text: str) -> None:
    """Markup, emoji codes and escape sequences are shown letter by letter, and nothing is left out."""
    page = render(Paragraph(text), width=10_000)
    assert page == f"{one_line(text)}\n"


def test_colour_only_where_it_is_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal gets escape sequences; NO_COLOR, a file and `never` do not."""
    monkeypatch.delenv("NO_COLOR", raising=False)
    heading = Heading("Title", 1)
    on_file = render(heading, color="auto")
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    on_terminal = render(heading, color="auto")
    never = render(heading, color="never")
    monkeypatch.setenv("NO_COLOR", "1")
    no_color = render(heading, color="auto")
    assert (on_file, on_terminal, never, no_color) == ("Title\n", "\x1b[1;36mTitle\x1b[0m\n", "Title\n", "Title\n")


def test_eighty_columns_where_there_is_no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """The width of a page in a file does not depend on the environment."""
    monkeypatch.setenv("COLUMNS", "200")
    page = render(Paragraph("word " * 40), width=0)
    assert max(len(line) for line in page.splitlines()) == 79


def test_a_ragged_table_is_an_error() -> None:
    """A row of the wrong length is named, not shown askew."""
    with pytest.raises(DataError, match="row 1 has 1 cells for 2 columns"):
        render(Table((Column("a"), Column("b")), (("x",),), "t"))


@pytest.mark.parametrize(
    "series",
    [
        Series("s", ("a", "b"), (1.0,)),
        Series("s", ("a",), (1.0,), (0.5, 0.6), (2.0,)),
        Series("s", ("a",), (1.0,), (0.5,), (2.0, 3.0)),
    ],
)
def test_a_ragged_plot_is_an_error(series: Series) -> None:
    """Lists of different length are named."""
    with pytest.raises(DataError, match="series 's' differ in length"):
        render(Plot("T", "bar", "x", "y", (series,)))


def test_names_that_look_like_intervals_stay_on_a_line() -> None:
    """Only columns of numbers are stacked."""
    table = Table((Column("x"), *(Column(f"v{i}") for i in range(4))), (("a [b]", *(["0.956 [0.93, 0.98]"] * 4)),))
    assert render(table).splitlines()[2].startswith("a [b]  ")


def test_empty_blocks_are_harmless() -> None:
    """A table without rows or columns and a plot without series can be shown."""
    page = render(Table((Column("a"),), ()), Table((), (), "c"), Plot("T", "bar", "x", "y", ()))
    assert page == lines("a", "─", "", "c", "", "T (y)")


def test_a_plot_that_repeats_a_table_is_left_out() -> None:
    """What stands in a table is not shown twice."""
    plot = Plot("T", "bar", "x", "y", (Series("s", ("a",), (1.0,)),), repeats=True)
    assert render(Paragraph("p"), plot, Paragraph("q")) == lines("p", "", "q")


def test_a_picture_is_a_line_of_words() -> None:
    """A terminal says what is to be seen, what kind of file it is and how large."""
    assert render(Image("a [red]dot", "image/png", b"12345", "Frame 1")) == lines(
        "[picture: a [red]dot; image/png, 5 bytes]", "Frame 1"
    )


def test_a_measure_is_a_number_with_its_interval() -> None:
    """Its decimals follow its scale, and it is aligned as a number; without a value it is a dash."""
    rows = ((Measure(0.956, 0.93, 0.98),), (Measure(12.5, 10.0, 15.0, 50.0),), (Measure(None, 0.0, 1.0),))
    assert render(Table((Column("x"),), rows)).splitlines()[2:] == [
        "0.956 [0.93, 0.98]",
        " 12.5 [10.0, 15.0]",
        "                 -",
    ]
