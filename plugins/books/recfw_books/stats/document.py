"""A catalog's shape in words, tables and bars."""

from collections.abc import Iterable, Mapping
from typing import Any

from attrs import asdict

from recfw.model.document import Block, CellValue, Column, Document, Heading, Note, Plot, Report, Series, Table
from recfw_books.stats.figures import Shape

SHOWN = 15
"""How many languages and countries a table lists; the JSON figures have them all."""

FIRST_DECADE = 1850
"""Older books are one bar."""

PAPER: Mapping[str, str] = {
    "books": "20,000",
    "nested catalogs": "5,000, 10,000, 20,000",
    "years": "1460-2026",
    "genre labels": "19",
    "language labels": "151",
    "country labels": "166",
    "commonest genre": "Science Fiction",
    "English": "83.2 %",
    "United States": "41.5 %",
    "United Kingdom": "13.4 %",
}
"""What the paper says of its catalog (sections 3 and 8)."""


def stats_report(shape: Shape, name: str) -> Report:
    """Return the report of a catalog's shape; ``name`` says which catalog it is."""
    return Report(Document(tuple(_blocks(shape, name))), figures={"catalog": _figures(shape), "paper": dict(PAPER)})


def _figures(shape: Shape) -> dict[str, Any]:
    return asdict(shape)


def _blocks(shape: Shape, name: str) -> Iterable[Block]:
    yield Heading(f"Catalog: {name}", 1)
    ours = _beside_paper(shape)
    yield Table(
        (Column("what"), Column("this catalog"), Column("paper")),
        tuple((what, ours[what], told) for what, told in PAPER.items()),
        "shape of the catalog beside the paper's",
    )
    yield Note(
        "Languages and countries count what their label covers (English: British English too); shares are of all books."
    )
    yield _bars("Genres", "genre", shape.genres)
    yield _bars("Years", "decade", _decades(shape))
    yield from _labels("language", shape.languages, shape.books)
    yield from _labels("country", shape.countries, shape.books)
    yield Table(
        (Column("format"), Column("books", ",d"), Column("share", ".1%")),
        tuple((label, count, count / shape.books) for label, count in shape.formats.items()),
        f"formats (simulated, fixed by id); {_each(shape.formats_each)}",
    )
    yield Table(
        (*(Column(_percentile(percent), ",d") for percent in shape.sitelinks), Column("none", ".1%")),
        ((*shape.sitelinks.values(), shape.without_sitelinks / shape.books),),
        "sitelinks (popularity): percentiles, and the share of books that have none",
    )


def _beside_paper(shape: Shape) -> dict[str, str]:
    return {
        "books": f"{shape.books:,}",
        "nested catalogs": ", ".join(f"{size:,}" for size in shape.sizes),
        "years": "{}-{}".format(*shape.years),
        "genre labels": str(len(shape.genres)),
        "language labels": str(len(shape.languages)),
        "country labels": str(len(shape.countries)),
        "commonest genre": next(iter(shape.genres)),
        "English": f"{100 * shape.share('language', 'English'):.1f} %",
        **{label: f"{100 * shape.share('country', label):.1f} %" for label in ("United States", "United Kingdom")},
    }


def _decades(shape: Shape) -> dict[str, int]:
    """Return label -> books: what is older than the first decade shown, then decade by decade."""
    older = sum(count for decade, count in shape.decades.items() if decade < FIRST_DECADE)
    shown = {f"{decade}s": count for decade, count in shape.decades.items() if decade >= FIRST_DECADE}
    return {f"before {FIRST_DECADE}": older, **shown} if older else shown


def _bars(title: str, label: str, counts: Mapping[str, int]) -> Plot:
    return Plot(title, "bar", label, "books", (Series("", tuple(counts), tuple(float(n) for n in counts.values())),))


def _labels(name: str, counts: Mapping[str, int], books: int) -> Iterable[Block]:
    shown = list(counts.items())[:SHOWN]
    rows: list[tuple[CellValue, ...]] = [(label, count, count / books) for label, count in shown]
    rest = sum(counts.values()) - sum(count for _, count in shown)
    if rest:
        rows.append((f"{len(counts) - len(shown)} others", rest, rest / books))
    columns = (Column(name), Column("books", ",d"), Column("share", ".1%"))
    yield Table(columns, tuple(rows), f"{name}: {len(counts)} labels, as books carry them")


def _each(counts: Mapping[int, int]) -> str:
    words = ", ".join(f"{count:,} in {number}" for number, count in counts.items())
    return f"books by number of formats: {words}"


def _percentile(percent: int) -> str:
    return {0: "least", 50: "median", 100: "most"}.get(percent, f"{percent} %")
