"""`recfw books stats`: a small catalog's shape by hand, in every format, and as a picture."""

import json
import os
from importlib.util import find_spec
from pathlib import Path

import pytest

from recfw.cli.main import invoke
from recfw.elicitation.labels import LabelTree
from recfw.model.document import Table
from recfw_books.catalog.records import BookCatalog, write_catalog
from recfw_books.model import Book
from recfw_books.stats.document import stats_report
from recfw_books.stats.figures import shape_of
from recfw_books.stats.picture import draw_picture

TREES = {"language": LabelTree({"English": ["British English"]}), "country": LabelTree({"United Kingdom": ["Wales"]})}
CATALOG = BookCatalog(
    (
        Book("wd_Q1", "A", ("X",), 1849, ("Horror", "War"), "English", "Wales", 0, ("ebook",)),
        Book("wd_Q2", "B", ("X",), 1951, ("Horror",), "British English", "United Kingdom", 4, ("ebook", "paperback")),
        Book("wd_Q3", "C", ("X",), 1959, ("Crime",), "French", "France", 10, ("audiobook",)),
        Book("wd_Q4", "D", ("X",), 1970, ("Horror",), "English", "United States", 0, ("audiobook", "hardcover")),
    ),
    TREES,
)

# A missing matplotlib is an error under tox, where the extra's test must not vanish unseen.
needs_matplotlib = pytest.mark.skipif(
    find_spec("matplotlib") is None and "TOX_ENV_NAME" not in os.environ,
    reason="matplotlib is not installed; under tox this fails",
)


def test_shape_by_hand() -> None:
    """Every count of four books."""
    shape = shape_of(CATALOG)
    assert (shape.books, shape.sizes, shape.years, shape.without_sitelinks) == (4, (4,), (1849, 1970), 2)
    assert list(shape.genres.items()) == [("Horror", 3), ("Crime", 1), ("War", 1)]
    assert list(shape.languages.items()) == [("English", 2), ("British English", 1), ("French", 1)]
    assert dict(shape.covered["country"]) == {"United Kingdom": 2}
    assert {decade: count for decade, count in shape.decades.items() if count} == {1840: 1, 1950: 2, 1970: 1}
    assert dict(shape.formats) == {"audiobook": 2, "ebook": 2, "hardcover": 1, "paperback": 1}
    assert dict(shape.formats_each) == {1: 2, 2: 2}
    assert [shape.sitelinks[percent] for percent in (0, 25, 50, 75, 90, 100)] == [0, 0, 0, 4, 10, 10]


def test_shares_count_what_a_label_covers() -> None:
    """English covers British English; a label without children counts its own books; an absent one none."""
    shape = shape_of(CATALOG)
    shares = [shape.share("language", "English"), shape.share("country", "France"), shape.share("country", "Peru")]
    assert shares == [0.75, 0.25, 0.0]


def test_the_paper_stands_beside() -> None:
    """The first table has each of the paper's figures in its last column."""
    first = next(block for block in stats_report(shape_of(CATALOG), "mine").document.blocks if isinstance(block, Table))
    assert ("English", "75.0 %", "83.2 %") in first.rows
    assert ("United Kingdom", "50.0 %", "13.4 %") in first.rows
    assert ("books", "4", "20,000") in first.rows


def test_old_decades_are_one_bar() -> None:
    """What is older than 1850 is counted together, and every decade since has a bar, empty ones too."""
    blocks = stats_report(shape_of(CATALOG), "mine").document.blocks
    (years,) = (block.series[0] for block in blocks if getattr(block, "title", "") == "Years")
    bars = dict(zip(years.x, years.y, strict=True))
    assert (years.x[0], bars["before 1850"], bars["1950s"], bars["1960s"], len(bars)) == ("before 1850", 1, 2, 0, 14)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write the catalog to `mine` in an empty folder, and go there."""
    write_catalog(CATALOG, tmp_path / "mine")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_every_format(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Terminal, Markdown and JSON all show it, the JSON with every count."""
    assert [invoke(["books", "stats", "--catalog", "mine", "--format", name]) for name in ("terminal", "markdown")] == [
        0,
        0,
    ]
    capsys.readouterr()
    assert invoke(["books", "stats", "--catalog", "mine", "--format", "json"]) == 0
    figures = json.loads(capsys.readouterr().out)["figures"]["catalog"]
    assert (figures["books"], figures["genres"]) == (4, {"Crime": 1, "Horror": 3, "War": 1})


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (
            ("--format", "markdwn"),
            "no renderer 'markdwn' (known: csv, html, json, latex, markdown, terminal). Did you mean 'markdown'?",
        ),
        (("--picture", "a.pdf"), "a.pdf: no picture can be drawn in this format. Let the name end with .png or .svg."),
    ],
)
def test_mistakes_are_told(folder: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], told: str) -> None:
    """An unknown format of the report or of the picture; exit status 2."""
    assert (invoke(["books", "stats", *words]), capsys.readouterr().err) == (2, f"Error: {told}\n")


def test_without_matplotlib_the_extra_is_named(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is printed and the extra that draws pictures is named; exit status 2."""
    monkeypatch.setitem(__import__("sys").modules, "matplotlib", None)
    status = invoke(["books", "stats", "--catalog", "mine", "--picture", "a.svg"])
    out, err = capsys.readouterr()
    assert (status, out, "recfw-books[pictures]" in err) == (2, "", True)


@needs_matplotlib
@pytest.mark.parametrize(("name", "begins"), [("a.svg", b"<?xml"), ("a.png", b"\x89PNG")])
def test_a_picture_is_drawn(folder: Path, name: str, begins: bytes) -> None:
    """The command draws it, and drawing it again gives the same bytes: no date is in it."""
    assert invoke(["books", "stats", "--catalog", "mine", "--picture", name]) == 0
    drawn = Path(name).read_bytes()
    draw_picture(shape_of(CATALOG), "Catalog: mine", Path(f"again-{name}"))
    assert (drawn[: len(begins)], drawn) == (begins, Path(f"again-{name}").read_bytes())


@needs_matplotlib
def test_a_picture_that_cannot_be_written(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One line; exit status 4."""
    assert invoke(["books", "stats", "--catalog", "mine", "--picture", "nix/a.svg"]) == 4
    assert capsys.readouterr().err == "Error: nix/a.svg: cannot be written (No such file or directory).\n"
