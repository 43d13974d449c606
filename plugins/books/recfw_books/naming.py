"""Which books some words name without a tag, by title or id: what an agent mentions but does not propose."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from attrs import frozen

from recfw_books.model import Book

Words = tuple[str, ...]

_WORD = re.compile(r"\w+")
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*[A-Za-z0-9]")


@frozen
class Titles:
    """
    The titles of a catalog, to be found in texts.

    Args:
        ids: Title, as its words -> ids of the books that have it, in catalog order.
        lengths: First word of a title -> in how many words such titles come, the longest first.
    """

    ids: Mapping[Words, Sequence[str]]
    lengths: Mapping[str, Sequence[int]]

    @classmethod
    def of(cls, books: Iterable[Book]) -> "Titles":
        """Return the titles of books; one without a letter or digit can never be found."""
        ids: dict[Words, list[str]] = {}
        lengths: dict[str, set[int]] = {}
        for book in books:
            words = tuple(_WORD.findall(book.title))
            if words:
                ids.setdefault(words, []).append(book.id)
                lengths.setdefault(words[0], set()).add(len(words))
        return cls(ids, {word: tuple(sorted(sizes, reverse=True)) for word, sizes in lengths.items()})

    def named(self, text: str) -> Iterator[str]:
        """
        Yield the ids of the books whose titles stand in a text, in order of mention; all of those with equal titles.

        Words must be equal in case, and at each place the longest title counts: "War" is not named by "War and Peace".
        """
        words, place = tuple(_WORD.findall(text)), 0
        while place < len(words):
            sizes = (n for n in self.lengths.get(words[place], ()) if words[place : place + n] in self.ids)
            size = next(sizes, 0)
            if size:
                yield from self.ids[words[place : place + size]]
            place += size or 1


def ids_named(text: str) -> Iterator[str]:
    """Yield whatever in a text may be an id, in order."""
    yield from _ID.findall(text)
