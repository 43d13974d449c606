"""
The steps from works to a catalog, each a pure function that tells what it did.

They stand here in the order in which they run (spec section 1): what is kept, what is dropped, one value of each
property, duplicates, exclusions, the order, the size. Corrections have a module of their own.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from attrs import frozen

from recfw.model.draws import Draws
from recfw_books.catalog.normalise import work_key
from recfw_books.catalog.table import SHUFFLE_SEED
from recfw_books.model import FIRST_YEAR, GENRES, LAST_YEAR
from recfw_books.wikidata.items import Item, Work, number
from recfw_books.wikidata.rules import Exclusion, Kind

T = TypeVar("T")


@frozen
class Step:
    """
    What a step did.

    Args:
        name: What it keeps or does, in words.
        before: Works that it was given.
        after: Works that it left.
        dropped: Reason -> works; their sum is ``before - after``.
        noted: Remark -> works that it holds for; they are kept.
    """

    name: str
    before: int
    after: int
    dropped: Mapping[str, int]
    noted: Mapping[str, int]


def _filtered(name: str, works: Sequence[T], reason: Callable[[T], str]) -> tuple[list[T], Step]:
    """Keep the works for which ``reason`` is empty."""
    kept, dropped = [], Counter[str]()
    for work in works:
        words = reason(work)
        if words:
            dropped[words] += 1
        else:
            kept.append(work)
    return kept, Step(name, len(works), len(kept), dict(sorted(dropped.items())), {})


class Classes:
    """
    What classes mean for the catalog: what the rules say of a class, or of the nearest class that it lies under.

    Args:
        kinds: Class -> what it means.
        parents: Class -> the classes right above it.
    """

    def __init__(self, kinds: Mapping[str, Kind], parents: Mapping[str, frozenset[str]]) -> None:
        self._kinds = kinds
        self._parents = parents
        self._known: dict[str, Kind | None] = {}

    def kind(self, name: str) -> Kind | None:
        """Return what a class means; None where the rules name nothing that it lies under."""
        if name not in self._known:
            self._known[name] = self._search(name)
        return self._known[name]

    def _search(self, name: str) -> Kind | None:
        level, seen = {name}, {name}
        while level:
            found = [self._kinds[one] for one in sorted(level, key=number) if one in self._kinds]
            if found:  # of several that are equally near, one to drop counts
                return min(found, key=lambda kind: (kind.kept, kind.name))
            level = {above for one in level for above in self._parents.get(one, ())} - seen
            seen |= level
        return None

    def as_genre(self, name: str) -> Kind | None:
        """Return what a genre means that is also named as a class to drop; None for any other."""
        kind = self._kinds.get(name)
        return kind if kind is not None and kind.as_genre else None


def keep_literary(items: Sequence[Item], classes: Classes) -> tuple[list[Item], Step]:
    """Keep what is an instance of a class of literary or written works, dropped kinds among them."""

    def reason(item: Item) -> str:
        return "" if any(classes.kind(name) for name in item.classes) else "no class of literary or written works"

    return _filtered("literary or written works", items, reason)


def keep_authored(items: Sequence[Item]) -> tuple[list[Item], Step]:
    """Keep works of which an author is known by name."""

    def reason(item: Item) -> str:
        return "" if item.authors else "authors without an English label" if item.nameless else "no known author"

    return _filtered("with an author", items, reason)


def keep_dated(items: Sequence[Item]) -> tuple[list[Item], Step]:
    """Keep works with a publication date that is precise to the year."""

    def reason(item: Item) -> str:
        return "" if item.years else "dates less precise than a year" if item.vague else "no known publication date"

    return _filtered("with a publication date", items, reason)


def keep_in_a_language(items: Sequence[Item]) -> tuple[list[Item], Step]:
    """Keep works whose language is known."""
    return _filtered("with a language", items, lambda item: "" if item.languages else "no language")


def keep_titled(items: Sequence[Item]) -> tuple[list[Item], Step]:
    """Keep works with an English title: a label in English or for all languages."""
    return _filtered("with an English title", items, lambda item: "" if item.title else "no English label")


def keep_in_a_genre(items: Sequence[Item], genres: Mapping[str, tuple[str, ...]]) -> tuple[list[Item], Step]:
    """Keep works with a genre that is mapped to a label of the catalog."""

    def reason(item: Item) -> str:
        if any(genres.get(name) for name in item.genres):
            return ""
        return "only unmapped genres" if item.genres else "no genre"

    return _filtered("with a mapped genre", items, reason)


def keep_from_a_country(items: Sequence[Item]) -> tuple[list[Item], Step]:
    """Keep works whose country is known: a record has one, though the paper does not name it among its conditions."""
    return _filtered("with a country", items, lambda item: "" if item.countries else "no country")


def drop_kinds(items: Sequence[Item], classes: Classes) -> tuple[list[Item], Step]:
    """Drop editions, series, articles, chapters, plays, poems, short stories … by class, form or genre."""

    def reason(item: Item) -> str:
        found = [classes.kind(name) for name in (*item.classes, *item.forms)]
        found += [classes.as_genre(name) for name in item.genres]
        return min((kind.name for kind in found if kind is not None and not kind.kept), default="")

    return _filtered("no edition, series, play …", items, reason)


def settle(items: Sequence[Item], genres: Mapping[str, tuple[str, ...]]) -> tuple[list[Work], Step]:
    """
    Settle on one value of each property: the earliest year, and of several languages or countries the first by number.

    All named authors are kept, by number; genres become the catalog's labels; missing sitelinks count as 0.
    """
    noted = Counter[str]()
    works = []
    for item in items:
        noted["earliest of several years"] += len(item.years) > 1
        noted["first of several languages"] += len(item.languages) > 1
        noted["first of several countries"] += len(item.countries) > 1
        noted["an author without an English label left out"] += item.nameless > 0
        noted["no sitelinks, counted as 0"] += item.sitelinks is None
        labels = {label for name in item.genres for label in genres.get(name, ())}
        works.append(
            Work(
                item.id,
                item.title,
                item.authors,
                item.years[0],
                tuple(label for label in GENRES if label in labels),
                item.languages[0],
                item.countries[0],
                item.sitelinks or 0,
            )
        )
    return works, Step("one value of each property", len(items), len(works), {}, {**noted})


def keep_in_years(works: Sequence[Work]) -> tuple[list[Work], Step]:
    """Keep works of the years that the catalog covers."""

    def reason(work: Work) -> str:
        return "" if FIRST_YEAR <= work.year <= LAST_YEAR else f"year outside {FIRST_YEAR}-{LAST_YEAR}"

    return _filtered(f"of {FIRST_YEAR} to {LAST_YEAR}", works, reason)


def deduplicate(works: Sequence[Work], name: str = "each title and authors once") -> tuple[list[Work], Step]:
    """Keep, of works with equal normalised titles and authors, the one with most sitelinks, then the lowest number."""
    best: dict[object, Work] = {}
    for work in sorted(works, key=lambda work: (-work.sitelinks, number(work.id))):
        best.setdefault(work_key(work.title, (author.label for author in work.authors)), work)
    kept = {work.id for work in best.values()}
    return _filtered(name, works, lambda work: "" if work.id in kept else "same title and authors")


def exclude(works: Sequence[Work], exclusions: Sequence[Exclusion]) -> tuple[list[Work], Step]:
    """Drop works to which an exclusion rule applies; the first that does is counted."""

    def reason(work: Work) -> str:
        values = {"id": [work.id], "title": [work.title], "author": [author.label for author in work.authors]}
        found = (rule for rule in exclusions if any(map(rule.pattern.search, values[rule.field])))
        rule = next(found, None)
        return f"rule {rule.name}" if rule is not None else ""

    return _filtered("no exclusion rule applies", works, reason)


def shuffle(works: Sequence[Work]) -> tuple[list[Work], Step]:
    """Put works into the catalog's order: shuffled from the order of their numbers by draws that never change."""
    ordered = sorted(works, key=lambda work: number(work.id))
    Draws(SHUFFLE_SEED, "wikidata order").shuffle(ordered)
    return ordered, Step("in a fixed shuffled order", len(works), len(ordered), {}, {})


def take(works: Sequence[Work], size: int) -> tuple[list[Work], Step]:
    """Take the first ``size`` works, so that smaller catalogs are prefixes of larger ones."""
    kept = list(works[:size])
    beyond = {"beyond the size asked for": len(works) - len(kept)} if len(works) > size else {}
    return kept, Step(f"the first {size:,}", len(works), len(kept), beyond, {})
