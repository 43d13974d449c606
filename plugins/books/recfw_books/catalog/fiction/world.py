"""The world of the fictional works: countries and when they existed, languages written there, and the label trees."""

from collections.abc import Sequence
from importlib.resources import files
from itertools import pairwise

from attrs import frozen

from recfw.elicitation.labels import LabelTree
from recfw.model.draws import Draws
from recfw_books.model import LAST_YEAR

# Relative output of a country by year (knots, linear between them): some markets are old, some began with independence.
_CURVES: dict[str, tuple[tuple[int, float], ...]] = {
    "old": ((1460, 3.0), (1800, 3.0), (1850, 2.2), (1900, 1.7), (1950, 1.15), (1980, 1.0), (2026, 0.9)),
    "ancient": ((1460, 2.2), (1800, 1.8), (1900, 0.9), (1950, 0.9), (2026, 1.1)),
    "new": ((1776, 0.1), (1800, 0.25), (1850, 0.55), (1900, 0.8), (1950, 1.05), (2026, 1.0)),
    "late": ((1460, 0.05), (1850, 0.15), (1920, 0.35), (1950, 0.6), (1980, 0.95), (2026, 1.25)),
}
# Written languages that gave way to another: the last year in which works of fiction carry the label.
_LAST_WRITTEN = {
    "Latin": 1810,
    "Early Modern English": 1720,
    "Middle French": 1620,
    "Early New High German": 1680,
    "Early Modern Japanese": 1870,
    "Classical Chinese": 1925,
    "Written Vernacular Chinese": 1925,
    "Ottoman Turkish": 1928,
}
# What a market publishes more of than others; everything else counts once.
_LEANINGS: dict[str, dict[str, float]] = {
    "United States": {"Science Fiction": 1.25, "Young Adult": 1.25, "Thriller": 1.15, "Poetry": 0.6, "Drama": 0.7},
    "United Kingdom": {"Mystery": 1.3, "Crime": 1.2, "Fantasy": 1.15, "Children's": 1.15, "Drama": 0.8},
    "England": {"Mystery": 1.3, "Historical Fiction": 1.3},
    "Scotland": {"Crime": 1.6},
    "Ireland": {"Drama": 1.4, "Humor & Satire": 1.4},
    "Canada": {"Young Adult": 1.2},
    "Australia": {"Children's": 1.4, "Crime": 1.1},
    "France": {"Crime": 1.2, "Drama": 1.5, "Adventure": 1.2},
    "Germany": {"Biography & Memoir": 1.3, "Non-fiction": 1.3, "Drama": 1.4},
    "Russia": {"War": 1.6, "Drama": 1.4},
    "Soviet Union": {"War": 2.0, "Science Fiction": 1.4},
    "Poland": {"Science Fiction": 1.3, "War": 1.5},
    "Japan": {"Mystery": 1.5, "Horror": 1.3, "Science Fiction": 1.1},
    "Sweden": {"Crime": 2.2, "Children's": 1.5},
    "Norway": {"Crime": 2.2},
    "Denmark": {"Crime": 1.8},
    "Iceland": {"Crime": 1.8},
    "Italy": {"Historical Fiction": 1.3, "Mystery": 1.2},
    "Spain": {"Historical Fiction": 1.4, "Drama": 1.3},
    "China": {"Science Fiction": 1.2, "Historical Fiction": 1.4},
    "India": {"Drama": 1.3, "Historical Fiction": 1.2},
    "Nigeria": {"Drama": 1.6, "Science Fiction": 0.8},
}


@frozen
class Tongue:
    """A language as written in a country: its label, relative share there and the cultures of its writers' names."""

    label: str
    share: float
    cultures: tuple[tuple[str, float], ...]

    @property
    def last(self) -> int:
        """Return the last year in which works carry this language's label."""
        return _LAST_WRITTEN.get(self.label, LAST_YEAR)


@frozen
class Country:
    """A country label: the years in which works may carry it (both included), its weight and what is written there."""

    label: str
    curve: str
    first: int
    last: int
    weight: float
    tongues: tuple[Tongue, ...]

    def output(self, year: int, genre: str) -> float:
        """Return the relative number of works of a genre that carry this label in a year; 0 outside its years."""
        if not self.first <= year <= self.last:
            return 0.0
        return self.weight * _between(_CURVES[self.curve], year) * _LEANINGS.get(self.label, {}).get(genre, 1.0)

    def tongue(self, draws: Draws, year: int) -> Tongue:
        """Draw a language that was written in this country in a year."""
        written = [tongue for tongue in self.tongues if year <= tongue.last]
        return draws.weighted(written, [tongue.share for tongue in written])


def _between(knots: Sequence[tuple[int, float]], year: int) -> float:
    """Return a value between knots, linear; the ends' values outside. Only + - * /, so equal on every machine."""
    if year <= knots[0][0]:
        return knots[0][1]
    for (left, low), (right, high) in pairwise(knots):
        if year <= right:
            return low + (high - low) * (year - left) / (right - left)
    return knots[-1][1]


def read_rows(name: str, columns: int) -> list[list[str]]:
    """Return the cells of a ``|``-separated data file of this package, comments and blank lines left out."""
    text = (files("recfw_books.catalog.fiction") / name).read_text(encoding="utf-8")
    rows = [[cell.strip() for cell in line.split("|")] for line in text.splitlines() if line and line[0] != "#"]
    if any(len(row) != columns for row in rows):
        raise ValueError(f"{name} must have {columns} columns in every row")
    return rows


def read_countries() -> tuple[Country, ...]:
    """Return every country label, in the order of ``countries.txt``."""
    countries = []
    for label, curve, years, weight, cultures, languages in read_rows("countries.txt", 6):
        first, _, last = years.partition("-")
        own = _cultures(cultures)
        tongues = tuple(_tongue(text.strip(), own) for text in languages.split(","))
        countries.append(Country(label, curve, int(first), int(last or LAST_YEAR), float(weight), tongues))
    return tuple(countries)


def _cultures(text: str) -> tuple[tuple[str, float], ...]:
    pairs = (word.partition(":") for word in text.split())
    return tuple((name, float(share or 1)) for name, _, share in pairs)


def _tongue(text: str, own: tuple[tuple[str, float], ...]) -> Tongue:
    named, _, share = text.rpartition(" ")
    label, _, culture = named.partition("@")
    return Tongue(label, float(share), ((culture, 1.0),) if culture else own)


def read_trees() -> dict[str, LabelTree]:
    """Return field -> label tree, from ``labels.txt``."""
    trees: dict[str, dict[str, list[str]]] = {"country": {}, "language": {}}
    for tree_field, parent, children in read_rows("labels.txt", 3):
        trees[tree_field][parent] = [child.strip() for child in children.split(",")]
    return {name: LabelTree(tree) for name, tree in trees.items()}
