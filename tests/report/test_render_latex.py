"""The LaTeX renderer: what compiles, what is escaped, what an author finds at the top."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recfw.model.document import Block, Column, Document, Heading, Image, Measure, Note, Plot, Report, Series, Table
from recfw.report.latex_words import breakable, escaped
from recfw.report.render_latex import LatexOptions, LatexRenderer
from recfw.report.words import one_line
from recfw.testing.contracts import sample_report

HOSTILE = st.text() | st.text("\\{}$&#%_^~<>|`\"[]*-',?! x1\n") | st.sampled_from(
    ["\\input{/etc/passwd}", "\\write18{ls}", "5 [\\input{x}]", "% x", "^^5c", "}\\end{document}", "$x_1^2$"]
)  # fmt: skip
COMMAND = re.compile(r"\\([A-Za-z]+|.)")
BREAKS = {"allowbreak", "raggedright", "par"}
"""Commands where a word is so long that it may be broken."""
ESCAPES = BREAKS | {*COMMAND.findall(" ".join(escaped(chr(code)) for code in range(32, 0x2600)))}


def render(*blocks: Block, **options: object) -> str:
    """Render blocks."""
    return LatexRenderer(LatexOptions(**options)).render(Report(Document(blocks)))  # type: ignore[arg-type]


def skeleton(page: str) -> list[str]:
    """Return a page's environments and commands other than those that words are escaped with."""
    return [name for name in COMMAND.findall(page) if name not in ESCAPES]


@settings(deadline=None)
@given(HOSTILE)
def test_nothing_special_is_left(text: str) -> None:
    """Escaped words have balanced braces, no comment, no cell or parameter mark, and no command but an escape's."""
    check_bare(escaped(text))
    check_bare(breakable(4 * text))


def check_bare(page: str) -> None:
    """Check that nothing in escaped words means anything to LaTeX."""
    bare = re.sub(r"\\[{}$&#%_]", "", page)
    depths = [bare[: place + 1].count("{") - bare[: place + 1].count("}") for place in range(len(bare))]
    assert (min(depths, default=0), depths[-1] if depths else 0) == (0, 0)
    assert re.findall(r"[#&%~\n]", bare) == []
    assert bare.count("$") % 2 == 0
    outside = re.sub(r"\$[^$]*\$", "", bare)
    assert re.findall(r"[_^]", outside) == []


@settings(deadline=None, max_examples=40)
@given(HOSTILE)
def test_words_bring_no_command_of_their_own(text: str) -> None:
    """Whatever a report's words hold, the commands and environments of the page are those of harmless words."""
    options, like = LatexOptions(), "plain" if one_line(text) else ""
    plain, hostile = (LatexRenderer(options).render(sample_report(words)) for words in (like, text))
    assert skeleton(hostile) == skeleton(plain)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a_b & 5 %", r"a\_b \& 5 \%"),
        ("\\x{y}^2", r"\textbackslash{}x\{y\}\textasciicircum{}2"),
        ("--set ''x''", "-{}-set '{}'x'{}'"),
        ("Žižek ↳ ≥ β", r"Žižek $\hookrightarrow$ $\geq$ $\beta$"),
        ("日\x1b", r"\texttt{U+65E5}\textbackslash{}x1b"),
        ("[x]*", "{[}x{]}{*}"),
    ],
)
def test_words_by_hand(text: str, expected: str) -> None:
    """Special characters are spelt out, ligatures kept apart, and what pdfLaTeX's fonts lack is given by number."""
    assert escaped(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x" * 30, "x" * 30),
        ("日本", r"\texttt{U+65E5}\allowbreak{}\texttt{U+672C}"),
        ("a " + "x" * 31, "a " + r"\allowbreak{}".join(["x" * 10] * 3 + ["x"])),
        ("\\" * 31, r"\allowbreak{}".join([r"\textbackslash{}" * 10] * 3 + [r"\textbackslash{}"])),
    ],
)
def test_a_very_long_word_may_be_broken(text: str, expected: str) -> None:
    """After every ten letters as they stand, not as they are escaped; shorter words are left alone."""
    assert breakable(text) == expected


@pytest.mark.parametrize(("rows", "parts"), [(10, 3), (60, 5)])
def test_a_table_wider_than_a_page_comes_in_parts(rows: int, parts: int) -> None:
    """Each begins with the first column; a long table cannot be shrunk, so it has more parts."""
    cells = tuple((f"agent {row}", *(f"cell {row}.{n}" for n in range(25))) for row in range(rows))
    page = render(Table((Column("agent"), *(Column(f"c{n}") for n in range(25))), cells, "wide"))
    captions = re.findall(r"\\caption\{wide \(part (\d) of (\d)\)\}\\label\{(\S+)\}", page)
    heads = re.findall(r"^  agent & .*$", page, re.MULTILINE)
    assert captions == [(str(n), str(parts), f"tab:recfw-1{f'-{n}' if n > 1 else ''}") for n in range(1, parts + 1)]
    assert (len(heads), sum(head.count("&") for head in heads)) == (parts, 25)


def test_every_part_of_a_table_tells_its_rows_apart() -> None:
    """Where the first column repeats itself, the next one is shown again with it."""
    columns = (Column("level"), Column("agent"), *(Column(f"c{n}") for n in range(25)))
    rows = tuple((level, agent, *(f"cell {n}" * 2 for n in range(25))) for level in ("L1", "L2") for agent in "xy")
    page = render(Table(columns, rows, "wide"))
    assert page.count("level & agent & ") == page.count(r"\begin{tabular}") > 1


def test_many_floats_end_a_page_now_and_then() -> None:
    """LaTeX holds back only so many; after fifteen in a row it is told to set them."""
    tables = [Table((Column("a"),), (("x",),), f"t{n}") for n in range(31)]
    page = render(*tables)
    before = [part.count(r"\begin{table}") for part in page.split(r"\clearpage")]
    assert before == [15, 15, 1]


def test_every_script_on_request() -> None:
    """For an engine that reads Unicode, letters of all scripts stay."""
    page = render(Note("日本 ↳ _"), unicode=True)
    assert (r"\item 日本 ↳ \_" in page, "fontspec" in page) == (True, True)


def test_a_table() -> None:
    """Intervals are small, a minus is a minus, and what is missing is a dash."""
    page = render(
        Table((Column("a"), Column("x")), (("m", Measure(0.956, 0.9, 1.0)), ("n", Measure(-0.5)), ("o", None)), "t")
    )
    assert page.splitlines()[-15:] == [
        r"\begin{table}[htbp]",
        r"\centering\small",
        r"\caption{t}\label{tab:recfw-1}",
        r"\begin{adjustbox}{max width=\linewidth}",
        r"\begin{tabular}{lr}",
        r"  \toprule",
        r"  a & \multicolumn{1}{r}{x} \\",
        r"  \midrule",
        r"  m & 0.956 {\scriptsize $[0.90, 1.00]$} \\",
        r"  n & $-0.500$ \\",
        r"  o & -- \\",
        r"  \bottomrule",
        r"\end{tabular}",
        r"\end{adjustbox}",
        r"\end{table}",
    ]


def test_words_that_look_like_an_interval_are_escaped() -> None:
    """Only numbers between the brackets are taken for an interval."""
    page = render(Table((Column("a"),), (("5 [\\input{x}]",),)))
    assert r"  5 {[}\textbackslash{}input\{x\}{]} \\" in page


def test_a_long_table_runs_over_pages() -> None:
    """A table with more rows than a page has room for repeats its head on each."""
    page = render(Table((Column("a"),), tuple((str(n),) for n in range(60)), "t"))
    assert (r"\begin{longtable}" in page, r"\endhead" in page, "adjustbox}{max" in page) == (True, True, False)


def test_the_packages_are_named() -> None:
    """A fragment begins with comments that name what it needs; a whole document loads it."""
    fragment, whole = render(Heading("T", 1)), render(Heading("T", 1), standalone=True)
    named = re.findall(r"^%   (\\\w+(?:\[\S+\])?\{\S+\})$", fragment, re.MULTILINE)
    assert (len(named) >= 6, [line for line in named if line not in whole.splitlines()]) == (True, [])
    assert [r"\documentclass" in page for page in (fragment, whole)] == [False, True]


def test_a_picture_is_a_comment() -> None:
    """A picture leaves a comment of one line each for what it is and its caption, whatever they hold."""
    page = render(Image("a\n\\dot", "image/png", b"12", "b\r\\input{x}"))
    assert page.splitlines()[-2:] == [
        r"% {[}picture: a \textbackslash{}dot; image/png, 2 bytes{]}",
        r"% b \textbackslash{}input\{x\}",
    ]


def test_a_gap_in_a_line_stays_a_gap() -> None:
    """A missing value is no coordinate that the line would leap over."""
    page = render(
        Plot("T", "line", "x", "y", (Series("", (1, 2, 3), (0.5, None, 0.7), (0.4, None, 0.6), (0.8, None, 0.9)),))
    )
    assert re.findall(r"^ +(\(.*)$", page, re.MULTILINE) == [
        "(1,0.5) += (0,0.3) -= (0,0.1)",
        "(2,nan)",
        "(3,0.7) += (0,0.2) -= (0,0.1)",
    ]


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="there is no pdflatex")
def test_it_compiles(tmp_path: Path) -> None:
    """A document with every block, and hostile words in each, compiles without an error."""
    words = [
        "w" * 100, "x\\", "{{{", "A & B", "\N{MATHEMATICAL ITALIC SMALL X}\u0301 \u2211", "plain",
        "\\input{x} $x_1^2$ % # & ~ {}[]*", "日本 Привет é ½ ≥ --- ?` ''", "}\\end{document}",
    ]  # fmt: skip
    blocks = tuple(block for text in words for block in sample_report(text).document.blocks)
    wide = tuple(("x" * 100, *(f"cell {row}.{n}" for n in range(25))) for row in range(60))
    tables = [Table(tuple(Column(f"c{n}") for n in range(26)), wide[:rows], "wide") for rows in (5, 60)]
    (tmp_path / "page.tex").write_text(render(*tables, *blocks, standalone=True), encoding="utf-8")
    done = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "page.tex"],
        cwd=tmp_path, capture_output=True, timeout=100,
    )  # fmt: skip
    told = done.stdout.decode(errors="replace")
    assert done.returncode == 0, told[-2000:]
    assert [float(points) for points in re.findall(r"Overfull \\hbox \(([\d.]+)pt", told) if float(points) > 30] == []
