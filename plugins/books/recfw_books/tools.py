"""
The tools that a recommender calls: their schemas and what they answer (spec section 4).

===================  ================================================  =================================================
tool                 arguments                                         answer
===================  ================================================  =================================================
search_books         structured: genre?, language?, country?,          {"total": n, "page": p, "pages": k, "items": […]}
                     year_min?, year_max?, formats?, sort?, page?
search_books         keyword: query                                    {"items": […]}, at most 20
get_metadata         item_id, or item_ids (1 to 50)                    an item; or {"items": […], "unknown": [ids]}
check_formats        item_id                                           {"id": …, "formats": ["ebook", …]}
get_reading_history  none                                              {"items": […]}
recommend            item_id? (absent or null: abstain)                {"recommended": id or null}; ends the trial
===================  ================================================  =================================================

An item is {"id", "title", "authors", "year", "genres", "language", "country"}: popularity shows only in the order,
formats only in ``check_formats``. Optional arguments may be null. Whatever is wrong with a call is answered in words.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from recfw.errors import DataError
from recfw.model.reply import ToolResult
from recfw.model.view import ToolSpec
from recfw.protocols import Retriever
from recfw_books.catalog.records import BookCatalog
from recfw_books.model import FORMATS, Book
from recfw_books.search.structured import PAGE, SORTS, Filters, StructuredSearch

MOST_IDS = 50
_MOST = 2**31 - 1

Arguments = Mapping[str, Any]


def _object(properties: dict[str, Any], required: Sequence[str] = ()) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }


def _optional(kind: str, description: str, **more: Any) -> dict[str, Any]:
    return {"type": [kind, "null"], "description": description, **more}


_ITEM_ID = {"type": "string", "description": "A book's id, such as wd_Q1234."}

STRUCTURED = ToolSpec(
    "search_books",
    "Search the catalog by filters; a book must meet all that are given. Answers the number of matches and one page of "
    f"{PAGE} books.",
    _object(
        {
            "genre": _optional("string", "One genre that the book must have among its genres."),
            "language": _optional("string", "Original language; a broader label covers the narrower ones."),
            "country": _optional("string", "Country of origin; a broader label covers the narrower ones."),
            "year_min": _optional("integer", "Earliest year of publication."),
            "year_max": _optional("integer", "Latest year of publication."),
            "formats": _optional(
                "array",
                f"Formats of which the book must have at least one: {', '.join(FORMATS)}.",
                items={"type": "string"},
            ),
            "sort": _optional("string", "Order: popularity (default) or recency.", enum=[*SORTS, None]),
            "page": _optional("integer", "Page number, from 1 (default).", minimum=1),
        }
    ),
)
KEYWORD = ToolSpec(
    "search_books",
    f"Search the catalog by keywords. Answers at most {PAGE} books, best match first.",
    _object({"query": {"type": "string", "description": "Keywords."}}, ["query"]),
)
GET_METADATA = ToolSpec(
    "get_metadata",
    "Look up books by id: title, authors, year, genres, language and country. Give either item_id or item_ids.",
    _object(
        {
            "item_id": _optional("string", "One book's id, such as wd_Q1234."),
            "item_ids": _optional(
                "array", f"Up to {MOST_IDS} ids.", items={"type": "string"}, minItems=1, maxItems=MOST_IDS
            ),
        }
    ),
)
CHECK_FORMATS = ToolSpec(
    "check_formats", "Look up which formats a book is available in.", _object({"item_id": _ITEM_ID}, ["item_id"])
)
GET_READING_HISTORY = ToolSpec("get_reading_history", "List the books that the user has already read.", _object({}))
RECOMMEND = ToolSpec(
    "recommend",
    "Make the final recommendation and end the conversation. Give the id of one book, or leave item_id out when no "
    "book in the catalog meets the request.",
    _object({"item_id": _optional("string", "The recommended book's id; absent or null to recommend none.")}),
)


_SHARED = (GET_METADATA, CHECK_FORMATS, GET_READING_HISTORY, RECOMMEND)
SPECS: Mapping[str, tuple[ToolSpec, ...]] = {"structured": (STRUCTURED, *_SHARED), "keyword": (KEYWORD, *_SHARED)}
"""Interface -> its tools."""


def item(book: Book) -> dict[str, Any]:
    """Return a book as the tools show it, a new object each time."""
    return {
        "id": book.id,
        "title": book.title,
        "authors": list(book.authors),
        "year": book.year,
        "genres": list(book.genres),
        "language": book.language,
        "country": book.country,
    }


class SearchTool(Protocol):
    """The tool ``search_books`` of one interface."""

    @property
    def spec(self) -> ToolSpec:
        """The tool's schema."""

    def answer(self, arguments: Arguments) -> ToolResult:
        """Answer one call."""


class StructuredTool:
    """``search_books`` by filters."""

    spec = STRUCTURED

    def __init__(self, search: StructuredSearch) -> None:
        self._search = search

    def answer(self, arguments: Arguments) -> ToolResult:
        """Answer one page of matches; an unknown value with the valid vocabulary; a bad range in words."""
        given = {name: value for name, value in arguments.items() if value is not None}
        filters = Filters(**{name: _whole(value) for name, value in given.items()})
        if filters.year_min is not None and filters.year_max is not None and filters.year_min > filters.year_max:
            return _wrong(f"year_min {filters.year_min} is later than year_max {filters.year_max}.")
        try:
            page = self._search.search(filters)
        except DataError as error:
            return _wrong(f"{error.message[:1].upper()}{error.message[1:]} {error.hint}")
        items = [item(book) for book in page.books]
        return ToolResult({"total": page.total, "page": page.page, "pages": page.pages, "items": items})


def _whole(value: Any) -> Any:
    """Return a number as a whole one within 32 bits: JSON Schema counts 1990.0 and 1e300 as integers."""
    if isinstance(value, int | float):
        return int(max(-_MOST, min(value, _MOST)))
    return value


class KeywordTool:
    """``search_books`` by keywords, over titles, authors, genres, languages and countries; the year is not indexed."""

    spec = KEYWORD

    def __init__(self, catalog: BookCatalog, retriever: Retriever) -> None:
        self._books = catalog.by_id
        self._retriever = retriever

    def answer(self, arguments: Arguments) -> ToolResult:
        """Answer the best matches, without their scores."""
        hits = self._retriever.search(str(arguments["query"]), PAGE)
        return ToolResult({"items": [item(self._books[hit.id]) for hit in hits]})


def indexed(catalog: BookCatalog) -> list[tuple[str, dict[str, str]]]:
    """Return what a retriever indexes: each book's id and the texts of its five searchable fields."""
    return [
        (
            book.id,
            {
                "title": book.title,
                "authors": " ".join(book.authors),
                "genres": " ".join(book.genres),
                "language": book.language,
                "country": book.country,
            },
        )
        for book in catalog.books
    ]


class Tools:
    """All tools over one catalog; each call hands in the user's history, so that one object serves all episodes."""

    def __init__(self, catalog: BookCatalog, search: SearchTool) -> None:
        self._books = catalog.by_id
        self.specs = (search.spec, *_SHARED)
        self._answers: dict[str, Callable[[Arguments, Sequence[str]], ToolResult]] = {
            "search_books": lambda arguments, _: search.answer(arguments),
            "get_metadata": lambda arguments, _: self._metadata(arguments),
            "check_formats": lambda arguments, _: self._formats(arguments),
            "get_reading_history": lambda _, history: self._history(history),
            "recommend": lambda arguments, _: self._recommend(arguments),
        }

    def answer(self, tool: str, arguments: Arguments, history: Sequence[str]) -> ToolResult:
        """
        Answer a call whose arguments passed the tool's schema.

        Args:
            tool: The tool's name.
            arguments: Its arguments.
            history: Ids of the books that this episode's user has read.
        """
        known = self._answers.get(tool)
        if known is None:
            return _wrong(f"There is no tool {tool!r}. Use one of: {', '.join(self._answers)}.")
        return known(arguments, history)

    def _metadata(self, arguments: Arguments) -> ToolResult:
        one, several = arguments.get("item_id"), arguments.get("item_ids")
        if (one is None) == (several is None):
            return _wrong("Give either item_id or item_ids.")
        if one is not None:
            book = self._books.get(one)
            return ToolResult(item(book)) if book else _unknown(one)
        wanted = list(dict.fromkeys(several or ()))
        found = [self._books[each] for each in wanted if each in self._books]
        unknown = [each for each in wanted if each not in self._books]
        return ToolResult({"items": [item(book) for book in found], "unknown": unknown})

    def _formats(self, arguments: Arguments) -> ToolResult:
        book = self._books.get(arguments["item_id"])
        return ToolResult({"id": book.id, "formats": list(book.formats)}) if book else _unknown(arguments["item_id"])

    def _history(self, history: Sequence[str]) -> ToolResult:
        return ToolResult({"items": [item(self._books[each]) for each in history if each in self._books]})

    def _recommend(self, arguments: Arguments) -> ToolResult:
        wanted = arguments.get("item_id")
        return ToolResult({"recommended": wanted}) if wanted is None or wanted in self._books else _unknown(wanted)


def _wrong(words: str) -> ToolResult:
    return ToolResult(words, error=True)


def _unknown(item_id: str) -> ToolResult:
    return _wrong(f"There is no book with the id {item_id[:80]!r}. Ids come from search_books, such as wd_Q1234.")
