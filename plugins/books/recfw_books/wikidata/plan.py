"""What is asked of the query service, in which order, and what is left of it."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from string import Template

from attrs import field, frozen

from recfw_books.model import GENRES
from recfw_books.wikidata.items import number
from recfw_books.wikidata.responses import Row, entity
from recfw_books.wikidata.rules import Rules
from recfw_books.wikidata.snapshot import Entry, Settings

WORKS = "works"
SEEDED: Mapping[str, tuple[str, ...]] = {
    "classes": ("class", "form"),
    "languages": ("language",),
    "countries": ("country",),
}
"""Query -> the variables of works whose entities it asks about."""
_SEEDS = 100
"""Entities that one such query asks about."""


@frozen
class Request:
    """One thing to ask: the query's text, and what the journal will say of it."""

    query: str
    part: str
    page: int
    after: str
    text: str = field(repr=False)

    @property
    def response(self) -> str:
        """The name of its response's file."""
        letters = "".join(letter if letter.isalnum() else "-" for letter in self.part.lower())
        slug = "-".join(word for word in letters.split("-") if word)
        return f"{self.query}-{slug}-{self.page:04d}.json"


def templates() -> Mapping[str, str]:
    """Return the queries as they stand in their files, by name."""
    folder = files(__package__) / "queries"
    return {name: (folder / f"{name}.rq").read_text(encoding="utf-8") for name in (WORKS, *SEEDED)}


def settings_of(rules: Rules, size: int) -> Settings:
    """Return what a snapshot by these rules asks for."""
    queries = {name: hashlib.sha256(text.encode()).hexdigest() for name, text in templates().items()}
    listed = "\n".join(f"{label} {' '.join(genres)}" for label, genres in _groups(rules).items())
    return Settings(queries, hashlib.sha256(listed.encode()).hexdigest(), size)


def _groups(rules: Rules) -> Mapping[str, Sequence[str]]:
    """Return label -> genres that are mapped to it first, in the order of their numbers."""
    groups: dict[str, list[str]] = {label: [] for label in GENRES}
    for genre, labels in sorted(rules.genres.items(), key=lambda pair: number(pair[0])):
        if labels:
            groups[labels[0]].append(genre)
    return {label: genres for label, genres in groups.items() if genres}


def next_page(rules: Rules, entries: Sequence[Entry], limit: int) -> Request | None:
    """Return the next page of works to ask for; None where every genre label has its last page."""
    text = Template(templates()[WORKS])
    for label, genres in _groups(rules).items():
        pages = [entry for entry in entries if entry.query == WORKS and entry.part == label]
        if not pages or not pages[-1].done:
            after = pages[-1].last if pages else ""
            values = {"genres": _values(genres), "after": after, "limit": str(limit)}
            return Request(WORKS, label, len(pages) + 1, after, text.substitute(values))
    return None


def seeded(query: str, seeds: Sequence[str]) -> Iterator[Request]:
    """Yield what one query asks of entities, some at a time; nothing where there is none."""
    text = Template(templates()[query])
    for start in range(0, len(seeds), _SEEDS):
        some = seeds[start : start + _SEEDS]
        yield Request(query, some[0], start // _SEEDS + 1, "", text.substitute({"seeds": _values(some)}))


def _values(entities: Sequence[str]) -> str:
    return " ".join(f"wd:{name}" for name in entities)


def works_in(rows: Sequence[Row]) -> set[str]:
    """Return the addresses of the works in rows."""
    return {row["item"]["value"] for row in rows if entity(row.get("item")) is not None}


def seeds_in(rows: Sequence[Row]) -> Mapping[str, set[str]]:
    """Return query -> the entities in rows of works that it asks about."""
    found: dict[str, set[str]] = {query: set() for query in SEEDED}
    for row in rows:
        for query, variables in SEEDED.items():
            found[query] |= {name for variable in variables if (name := entity(row.get(variable))) is not None}
    return found
