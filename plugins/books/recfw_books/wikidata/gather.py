"""From rows to works: what all responses say of each work, put together, whatever their order."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping

import orjson
from attrs import define, field, frozen

from recfw_books.wikidata.items import Item, Term, number
from recfw_books.wikidata.responses import Row, entity, is_unknown

EDGES = ("class", "language", "country")
"""Variables of the queries that ask what something lies under."""

_DATE = re.compile(r"([+-]?[0-9]{4,6})-[0-9]{2}-[0-9]{2}(T.*)?")
_WHOLE = re.compile(r"[0-9]{1,9}")
_YEAR_PRECISION = 9
"""Wikidata's number for dates that are precise to the year; smaller numbers are decades, centuries, millennia."""
_PROPERTIES = ("class", "form", "author", "genre", "language", "country")
_LANGUAGES = ("en", "mul")
"""Labels in English, or for all languages, in the order in which they count."""


@frozen
class Gathered:
    """
    What the rows of a snapshot say.

    Args:
        items: The works, in the order of their numbers.
        parents: Kind (a variable of ``EDGES``) -> entity -> what it lies right under.
        counts: Rows, and what was left out of them or chosen between.
    """

    items: tuple[Item, ...]
    parents: Mapping[str, Mapping[str, frozenset[str]]]
    counts: Mapping[str, int]


@define
class _Said:
    """What rows say of one work."""

    values: defaultdict[str, set[str]] = field(factory=lambda: defaultdict(set))
    years: set[int] = field(factory=set)
    vague: set[str] = field(factory=set)
    sitelinks: set[int] = field(factory=set)


def gather(lines: Iterable[bytes]) -> Gathered:
    """
    Put together what rows say, each row a canonical JSON line; the result does not depend on their order.

    Repeated rows say nothing new. Unknown values count as missing, so do labels in other languages, and what the label
    service returns in place of a label (the entity's id).
    """
    gatherer = _Gatherer()
    for line in lines:
        gatherer.take(orjson.loads(line))
    return gatherer.done()


class _Gatherer:
    def __init__(self) -> None:
        self._said: defaultdict[str, _Said] = defaultdict(_Said)
        self._labels: defaultdict[str, set[tuple[int, str]]] = defaultdict(set)
        self._parents: dict[str, defaultdict[str, set[str]]] = {kind: defaultdict(set) for kind in EDGES}
        self._counts: Counter[str] = Counter()

    def take(self, row: Row) -> None:
        self._counts["rows, each once"] += 1
        for variable in row:
            if variable.endswith("Label"):
                self._label(row, variable)
        item = entity(row.get("item"))
        if item is not None:
            self._work(self._said[item], row)
            return
        parent = entity(row.get("parent"))
        for kind in EDGES:
            child = entity(row.get(kind))
            if child is not None and parent is not None and "item" not in row:
                self._parents[kind][child].add(parent)
                return
        self._counts["rows that name no work and no parent"] += 1

    def _label(self, row: Row, variable: str) -> None:
        named, cell = entity(row.get(variable.removesuffix("Label"))), row[variable]
        text, language = " ".join(cell["value"].split()), cell.get("xml:lang")
        if named is not None and language in _LANGUAGES and text and text != named:
            self._labels[named].add((_LANGUAGES.index(language), text))

    def _work(self, said: _Said, row: Row) -> None:
        for name in _PROPERTIES:
            value = entity(row.get(name))
            if value is not None:
                said.values[name].add(value)
            elif is_unknown(row.get(name)):
                self._counts[f"rows with an unknown {name}"] += 1
        if "date" in row:
            self._date(said, row)
        links = row.get("sitelinks", {}).get("value", "")
        if _WHOLE.fullmatch(links):
            said.sitelinks.add(int(links))

    def _date(self, said: _Said, row: Row) -> None:
        value = row["date"]["value"]
        found = _DATE.fullmatch(value)
        if is_unknown(row["date"]) or found is None:
            self._counts["rows with an unknown date"] += 1
            return
        precision = row.get("precision", {}).get("value", "")
        if _WHOLE.fullmatch(precision) and int(precision) < _YEAR_PRECISION:
            said.vague.add(value)
        else:
            said.years.add(int(found[1]))

    def done(self) -> Gathered:
        several = sum(len(labels) > 1 for labels in self._labels.values())
        self._counts["labels chosen among several"] = several
        items = tuple(self._item(item) for item in sorted(self._said, key=number))
        parents = {
            kind: {child: frozenset(found) for child, found in edges.items()} for kind, edges in self._parents.items()
        }
        return Gathered(items, parents, dict(self._counts))

    def _item(self, item: str) -> Item:
        said = self._said[item]
        values = {name: tuple(sorted(said.values[name], key=number)) for name in _PROPERTIES}
        terms = {name: self._terms(values[name]) for name in ("author", "language", "country")}
        return Item(
            item,
            self._named(item),
            values["class"],
            values["form"],
            terms["author"],
            len(values["author"]) - len(terms["author"]),
            tuple(sorted(said.years)),
            len(said.vague),
            values["genre"],
            terms["language"],
            terms["country"],
            max(said.sitelinks, default=None),
        )

    def _terms(self, entities: Iterable[str]) -> tuple[Term, ...]:
        return tuple(Term(value, self._named(value)) for value in entities if self._named(value))

    def _named(self, value: str) -> str:
        """Return the label that counts: English before that of all languages, then the first in code point order."""
        return min(self._labels[value])[1] if value in self._labels else ""
