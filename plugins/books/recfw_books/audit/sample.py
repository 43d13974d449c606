"""The stratified sample: records across genres and among the popular, families by NVR and tier."""

from collections.abc import Sequence
from itertools import zip_longest
from typing import TypeVar

from attrs import frozen

from recfw.elicitation import Disclosure, Fact
from recfw.errors import UsageError
from recfw.model.draws import Draws
from recfw_books.audit.questions import FAMILY, RECORD
from recfw_books.catalog.records import BookCatalog
from recfw_books.goal import ASKABLE
from recfw_books.model import Book, BookTask
from recfw_books.user.wording import clause_text, formats_text, opening_text, reply_text

T = TypeVar("T")

POPULAR = 500
"""So many of the most popular books are a stratum of their own (paper, section 3)."""

TIERS = ("simple", "medium", "complex")


@frozen
class Item:
    """One thing to judge: its name in the sheets, its kind, its id, the stratum that it stands for, what is shown."""

    name: str
    kind: str
    id: str
    stratum: str
    shown: str


def sample(catalog: BookCatalog, tasks: Sequence[BookTask], n: int, families: int, seed: int) -> list[Item]:
    """
    Return the items, records first: equal arguments give equal items.

    Args:
        catalog: The books.
        tasks: Their tasks.
        n: How many records: half of them in turn from each genre, half from the most popular books.
        families: How many families: NVR ones up to half, the others in turn from each tier.
        seed: Of the draws.

    Raises:
        UsageError: There are not so many.
    """
    if not 2 <= n <= len(catalog.books):
        raise UsageError(f"no sample of {n} records.", f"Use 2 to {len(catalog.books)}.")
    by_family: dict[str, list[BookTask]] = {}
    for task in tasks:
        by_family.setdefault(task.family, []).append(task)
    if not 0 <= families <= len(by_family):
        raise UsageError(f"no sample of {families} families.", f"Use 0 to {len(by_family)}.")
    records = _records(catalog, n, Draws(seed, "audit", "records"))
    chosen = _families(by_family, families, Draws(seed, "audit", "families"))
    return [
        *(
            Item(f"R{i:03}", RECORD, book.id, stratum, record_text(book))
            for i, (book, stratum) in enumerate(records, 1)
        ),
        *(
            Item(f"F{i:03}", FAMILY, variants[0].family, stratum, family_text(variants))
            for i, (variants, stratum) in enumerate(chosen, 1)
        ),
    ]


def _records(catalog: BookCatalog, n: int, draws: Draws) -> list[tuple[Book, str]]:
    popular = sorted(catalog.books, key=lambda book: catalog.popularity[book.id])[:POPULAR]
    genres = sorted({genre for book in catalog.books for genre in book.genres})
    piles = [(genre, _shuffled([b for b in catalog.books if genre in b.genres], draws)) for genre in genres]
    found: dict[str, tuple[Book, str]] = {}
    across = [(book, f"genre {genre}") for row in _rows(piles) for genre, book in row]
    for ranked, most in ((across, n - n // 2), ([(book, "popular") for book in _shuffled(popular, draws)], n)):
        for book, stratum in ranked:
            if len(found) < most:
                found.setdefault(book.id, (book, stratum))
    for book, stratum in across:  # a catalog with few popular books beside those drawn already
        if len(found) < n:
            found.setdefault(book.id, (book, stratum))
    return list(found.values())


def _families(by_family: dict[str, list[BookTask]], n: int, draws: Draws) -> list[tuple[list[BookTask], str]]:
    variants = list(by_family.values())
    nvr = _shuffled([each for each in variants if each[0].nvr], draws)
    tiers = [
        (tier, _shuffled([each for each in variants if not each[0].nvr and each[0].tier == tier], draws))
        for tier in TIERS
    ]
    others = [(each, f"tier {tier}") for row in _rows(tiers) for tier, each in row]
    impossible = [(each, "NVR") for each in nvr]
    first = impossible[: max(n // 2, n - len(others))]
    return [*first, *others[: n - len(first)]]


def _shuffled(items: Sequence[T], draws: Draws) -> list[T]:
    return draws.sample(items, len(items)) if items else []


def _rows(piles: Sequence[tuple[str, list[T]]]) -> list[list[tuple[str, T]]]:
    """Return the first of each pile, then the second of each, and so on."""
    columns = [[(name, item) for item in pile] for name, pile in piles]
    return [[each for each in row if each is not None] for row in zip_longest(*columns)]


def record_text(book: Book) -> str:
    """Return what is shown of a book."""
    link = f"\nhttps://www.wikidata.org/wiki/{book.id[3:]}" if book.id.startswith("wd_Q") else ""
    return (
        f"{book.id}\n{book.title}\nby {', '.join(book.authors)}\nfirst published {book.year}\n"
        f"genres: {', '.join(book.genres)}\nlanguage: {book.language}\ncountry: {book.country}{link}"
    )


def family_text(variants: Sequence[BookTask]) -> str:
    """Return what is shown of a family: the requirements, and what the user of each variant says."""
    first = variants[0]
    lines = [f"family {first.family} ({first.tier}); " + ("NO book is right" if first.nvr else "some book is right")]
    lines += [f"requires: {clause_text(each)}" for each in first.predicates]
    lines += [f"formats: {formats_text(first.accepted_formats)}", f"already read: {len(first.history)} books"]
    for task in variants:
        formats = Fact("format", task.accepted_formats, "stated" if task.condition == "volunteer" else "on_ask")
        rules = Disclosure(ASKABLE, task.predicates, (formats,))
        lines += [
            f"{task.condition}, opening: {opening_text(rules.opening())}",
            f"{task.condition}, asked about everything: {reply_text(rules.ask(ASKABLE))}",
        ]
    return "\n".join(lines)
