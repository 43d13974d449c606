"""The shape of the fictional catalog: how genres, years, countries, languages and popularity fall together."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from importlib.resources import files
from itertools import pairwise
from math import sqrt
from typing import Any

from attrs import frozen

from recfw.model.draws import Draws
from recfw_books.catalog.fiction.world import Country, Tongue
from recfw_books.model import GENRES

# Share of works with one, two and three genres.
_GENRE_COUNTS = ((1, 0.51), (2, 0.37), (3, 0.12))
# Share of works whose year is the later of two draws: recent decades are listed more fully than they were written.
_LATER_OF_TWO = 0.3
# A label without a work takes one from a country with more works than this.
_DONOR_SIZE = 3
# Sitelinks have the tail P(links >= k) ~ (1.3 / (k + 1)) ** (4 / 3): two in five works have none, about sixty of 20,000
# have more than 100. Values above the cap are drawn again, so that none piles up on it.
_LINKS_SCALE, _LINKS_CAP = 1.3, 320


@frozen
class GenreShape:
    """A genre: its weight as a work's main genre, when its works were written, and what it goes with."""

    label: str
    weight: float
    years: tuple[tuple[int, float], ...]
    companions: tuple[tuple[str, float], ...]

    def year(self, draws: Draws) -> int:
        """Draw a year from the cumulative shares at the genre's knots (linear between them)."""
        point = draws.random()
        for (left, low), (right, high) in pairwise(self.years):
            if point < high:
                return left + int((right - left + 1) * (point - low) / (high - low))
        return self.years[-1][0]


@frozen
class Outline:
    """What a work is before it has authors and a title; ``genres`` begins with the main one."""

    genres: tuple[str, ...]
    year: int
    country: Country
    tongue: Tongue


def read_genres() -> Mapping[str, GenreShape]:
    """Return label -> shape for all 19 genres, from ``genres.json``."""
    text = (files("recfw_books.catalog.fiction") / "genres.json").read_text(encoding="utf-8")
    raw: dict[str, dict[str, Any]] = json.loads(text)
    return {
        label: GenreShape(
            label,
            raw[label]["weight"],
            tuple((year, share) for year, share in raw[label]["years"]),
            tuple((other, raw[label]["with"][other]) for other in GENRES if other in raw[label]["with"]),
        )
        for label in GENRES
    }


def draw_outlines(count: int, seed: int, countries: Sequence[Country]) -> list[Outline]:
    """
    Draw the outlines of ``count`` works, oldest first, every country and language label on at least one of them.

    Args:
        count: How many works; a few thousand at least, or labels cannot all find a work of their time.
        seed: Names the stream.
        countries: What :func:`recfw_books.catalog.fiction.world.read_countries` returns.
    """
    shapes = read_genres()
    draws = Draws(seed, "outlines")
    main = [shapes[label] for label in GENRES]
    weights = [shape.weight for shape in main]
    outputs: dict[tuple[int, str], list[float]] = {}
    outlines = []
    for _ in range(count):
        genres = _genres(draws, draws.weighted(main, weights), shapes)
        year = _year(draws, genres, shapes)
        cell = (year, genres[0])
        if cell not in outputs:
            outputs[cell] = [country.output(year, genres[0]) for country in countries]
        country = draws.weighted(countries, outputs[cell])
        outlines.append(Outline(genres, year, country, country.tongue(draws, year)))
    outlines.sort(key=lambda outline: outline.year)
    _fill_labels(outlines, draws, countries)
    return outlines


def _genres(draws: Draws, main: GenreShape, shapes: Mapping[str, GenreShape]) -> tuple[str, ...]:
    number = draws.weighted([n for n, _ in _GENRE_COUNTS], [share for _, share in _GENRE_COUNTS])
    genres = [main.label]
    while len(genres) < number:
        source = shapes[draws.choice(genres)]
        fitting = [
            (label, weight)
            for label, weight in source.companions
            if label not in genres and all(_go_together(shapes[label], shapes[genre]) for genre in genres)
        ]
        if not fitting:
            break
        genres.append(draws.weighted([label for label, _ in fitting], [weight for _, weight in fitting]))
    return tuple(genres)


def _go_together(one: GenreShape, other: GenreShape) -> bool:
    """Tell whether either genre lists the other as a companion."""
    return other.label in dict(one.companions) or one.label in dict(other.companions)


def _year(draws: Draws, genres: Sequence[str], shapes: Mapping[str, GenreShape]) -> int:
    """Draw from the main genre, again while another genre did not exist yet (no Young Adult before 1940)."""
    earliest = max(shapes[genre].years[0][0] for genre in genres)
    shape = shapes[genres[0]]
    while (year := shape.year(draws)) < earliest:
        pass
    return max(year, shape.year(draws)) if draws.random() < _LATER_OF_TWO else year


def _fill_labels(outlines: list[Outline], draws: Draws, countries: Sequence[Country]) -> None:
    """Give each country label, then each language label, that no work carries to one work of a fitting time."""
    taken = Counter(outline.country.label for outline in outlines)
    for country in countries:
        if not taken[country.label]:
            donors = {label for label, number in taken.items() if number > _DONOR_SIZE}
            place = draws.choice(_places(outlines, donors, country.first, country.last))
            taken[outlines[place].country.label] -= 1
            taken[country.label] += 1
            old = outlines[place]
            outlines[place] = Outline(old.genres, old.year, country, country.tongue(draws, old.year))
    spoken = Counter(outline.tongue.label for outline in outlines)
    for country in countries:
        for tongue in country.tongues:
            if not spoken[tongue.label]:
                place = draws.choice(_places(outlines, {country.label}, country.first, tongue.last, spoken))
                old = outlines[place]
                spoken[old.tongue.label] -= 1
                spoken[tongue.label] += 1
                outlines[place] = Outline(old.genres, old.year, country, tongue)


def _places(
    outlines: Sequence[Outline], donors: set[str], first: int, last: int, spoken: Mapping[str, int] | None = None
) -> list[int]:
    """Return the positions of works of these countries and years whose language label others carry too."""
    return [
        place
        for place, outline in enumerate(outlines)
        if outline.country.label in donors
        and first <= outline.year <= last
        and (spoken is None or spoken[outline.tongue.label] > 1)
    ]


def draw_sitelinks(draws: Draws, year: int, language: str) -> int:
    """Draw a work's sitelinks: a heavy tail, stretched a little for what is older than 1950 or written in English."""
    stretch = (1.35 if year < 1950 else 1.0) * (1.06 if language == "English" else 0.8)
    while True:
        u = 1.0 - draws.random()
        links = int(stretch * _LINKS_SCALE / sqrt(u * sqrt(u))) - 1
        if links <= _LINKS_CAP:
            return max(links, 0)
