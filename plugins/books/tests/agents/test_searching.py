"""Gathering candidates: which calls are made, what is kept, when the list counts as complete."""

from collections.abc import Callable, Generator
from typing import Any

import orjson

from recfw.model.reply import Reply
from recfw.model.view import TOOL, Message, TextPart, View
from recfw_books.agents.conversation import Conversation
from recfw_books.agents.reading import Requirement
from recfw_books.agents.searching import FilterSearch, History, KeywordSearch, Search
from recfw_books.agents.wish import Wish
from recfw_books.model import GENRES
from recfw_books.tools import SPECS

Answer = Callable[[str, dict[str, Any]], dict[str, Any] | None]


class _Table:
    """A conversation whose calls are answered by a function; an answer of None is a failed call."""

    def __init__(self, interface: str = "structured") -> None:
        self.conversation = Conversation(View("agent", (), SPECS[interface]))
        self._messages: list[Message] = []

    def play(self, script: Generator[Reply, View, None], answer: Answer) -> list[tuple[str, dict[str, Any]]]:
        """Play a part of a script and return the calls that it made."""
        calls: list[tuple[str, dict[str, Any]]] = []
        try:
            reply = next(script)
            while True:
                made = [(call.name, orjson.loads(call.arguments)) for call in reply.calls]
                calls += made
                self._messages += [_message(i, answer(name, given)) for i, (name, given) in enumerate(made)]
                reply = script.send(View("agent", tuple(self._messages)))
        except StopIteration:
            return calls


def _message(position: int, content: dict[str, Any] | None) -> Message:
    text = '{"error": "No."}' if content is None else orjson.dumps(content).decode()
    return Message(TOOL, (TextPart(text),), call=position, error=content is None)


def _wish(*told: tuple[str, Any], **more: Any) -> Wish:
    return Wish(requirements=tuple(Requirement(*pair) for pair in told), **more)


def _item(number: int, genres: tuple[str, ...] = ("War",), **more: Any) -> dict[str, Any]:
    return {"id": f"wd_Q{number}", "genres": genres, "language": "English", "country": "Erin", "year": 2000, **more}


def _ids(search: Search) -> list[str]:
    return [item["id"] for item in search.items]


def _pages(total: int, read: tuple[int, ...] = ()) -> Answer:
    """Return answers of a catalog of numbered books, 20 a page."""

    def answer(name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        if name == "get_reading_history":
            return {"items": [_item(number) for number in read]}
        page = arguments.get("page", 1)
        found = range(20 * (page - 1), min(20 * page, total))
        return {"total": total, "page": page, "pages": -(-total // 20), "items": [_item(n) for n in found]}

    return answer


def test_pages_follow_until_the_last() -> None:
    """The first call tells the number of pages, the others are fetched in order; then the list is complete."""
    table = _Table()
    search = FilterSearch(_wish(("genre", "War"), ("year_min", 1990)), table.conversation, History())
    first = table.play(search.more(), _pages(45))
    assert [
        ("get_reading_history", {}),
        ("search_books", {"genre": "War", "year_min": 1990}),
    ] == first
    assert not search.complete
    rest = table.play(search.more(1), _pages(45)) + table.play(search.more(50), _pages(45))
    assert [2, 3] == [arguments["page"] for _, arguments in rest]
    assert search.complete
    assert [f"wd_Q{n}" for n in range(45)] == _ids(search)


def test_read_books_never_enter() -> None:
    """A book of the history is no candidate."""
    table = _Table()
    search = FilterSearch(_wish(), table.conversation, History())
    table.play(search.more(), _pages(4, read=(1, 3)))
    assert ["wd_Q0", "wd_Q2"] == _ids(search)


def test_without_the_history_nothing_enters() -> None:
    """Where the history could not be had, no book counts as unread and the search stays open."""
    table = _Table()
    search = FilterSearch(_wish(), table.conversation, History())
    table.play(
        search.more(), lambda name, arguments: None if name == "get_reading_history" else _pages(4)(name, arguments)
    )
    assert ([], False) == (_ids(search), search.complete)
    table.play(search.more(), _pages(4))
    assert (4, True) == (len(search.items), search.complete)


def test_without_the_history_no_hit_enters() -> None:
    """The same holds for what keyword queries find."""
    table = _Table("keyword")
    search = KeywordSearch(_wish(("genre", "War")), table.conversation, History())
    table.play(search.more(), lambda name, _: None if name == "get_reading_history" else {"items": [_item(1)]})
    assert [] == _ids(search)


def test_a_failed_page_is_fetched_again() -> None:
    """Pages from a failed call on are left for later, so that order and completeness hold."""
    table = _Table()
    search = FilterSearch(_wish(), table.conversation, History())
    table.play(search.more(), _pages(100))
    table.play(search.more(), lambda name, arguments: None if arguments["page"] == 3 else _pages(100)(name, arguments))
    assert (40, False) == (len(search.items), search.complete)
    again = table.play(search.more(), _pages(100))
    assert [3, 4, 5] == [arguments["page"] for _, arguments in again]
    assert [f"wd_Q{n}" for n in range(100)] == _ids(search)


def test_an_unknown_label_means_no_match() -> None:
    """A search that is refused, as for a label that this catalog does not have, is complete and empty."""
    table = _Table()
    search = FilterSearch(_wish(("language", "Nowherish")), table.conversation, History())
    table.play(search.more(), lambda name, _: {"items": []} if name == "get_reading_history" else None)
    assert ([], True) == (_ids(search), search.complete)


def test_the_rarer_of_two_genres_filters() -> None:
    """Of two genres the one with fewer matches is the filter, and the other is looked up in the items."""
    table = _Table()

    def answer(name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        if name == "get_reading_history":
            return {"items": []}
        if arguments["genre"] == "War":
            return {"total": 90, "page": 1, "pages": 5, "items": [_item(n) for n in range(20)]}
        items = [_item(1, ("Crime",)), _item(2, ("Crime", "War")), _item(3, ("War", "Crime"))]
        return {"total": 3, "page": 1, "pages": 1, "items": items}

    search = FilterSearch(_wish(("genre", "War"), ("genre", "Crime")), table.conversation, History())
    table.play(search.more(), answer)
    assert (["wd_Q2", "wd_Q3"], True) == (_ids(search), search.complete)


def test_filters_hold_all_that_was_told() -> None:
    """Labels, the tightest year bounds and the formats are filters."""
    wish = _wish(
        ("language", "English"), ("country", "Erin"), ("year_min", 1900), ("year_min", 1950), ("year_max", 2000),
        formats=("ebook",),
    )  # fmt: skip
    expected = {"language": "English", "country": "Erin", "year_min": 1950, "year_max": 2000, "formats": ["ebook"]}
    assert [expected] == wish.filters()


def test_keyword_queries_are_built_of_labels() -> None:
    """All labels together, then all but one; the year is in no query; matches are judged by their metadata."""
    table = _Table("keyword")
    found = [_item(1), _item(2, year=1900), _item(3, ("Crime",)), _item(4, language="French"), _item(5)]
    wish = _wish(("genre", "War"), ("language", "English"), ("year_min", 1990))
    search = KeywordSearch(wish, table.conversation, History())
    calls: list[tuple[str, dict[str, Any]]] = []
    while not search.complete:
        calls += table.play(search.more(), lambda name, _: {"items": [] if name == "get_reading_history" else found})
    queries = [arguments["query"] for name, arguments in calls if name == "search_books"]
    assert ["War English", "English", "War"] == queries
    assert ["wd_Q1", "wd_Q5"] == _ids(search)


def test_keyword_queries_without_labels_go_through_the_genres() -> None:
    """With no label told, each genre is a query."""
    table = _Table("keyword")
    search = KeywordSearch(_wish(("year_min", 1990)), table.conversation, History())
    calls = table.play(search.more(), lambda *_: {"items": []})
    assert list(GENRES) == [arguments["query"] for name, arguments in calls if name == "search_books"]


def test_keyword_queries_try_values_of_declined_fields() -> None:
    """A declined field adds its values: every genre, or the countries seen so far."""
    table = _Table("keyword")
    wish = _wish(("genre", "War"), declined=("country", "year"))
    search = KeywordSearch(wish, table.conversation, History())
    calls: list[tuple[str, dict[str, Any]]] = []
    answer = [_item(1), _item(2, country="Mona")]
    while not search.complete:
        calls += table.play(search.more(), lambda name, _: {"items": [] if name == "get_reading_history" else answer})
    queries = [arguments["query"] for name, arguments in calls if name == "search_books"]
    assert ["War", "War Erin", "War Mona"] == queries


def test_a_wide_search_tries_values_of_every_field() -> None:
    """Without any declined field, every genre, and the languages and countries seen, are tried beside the labels."""
    table = _Table("keyword")
    table.conversation.wide = True
    search = KeywordSearch(_wish(("genre", "War")), table.conversation, History())
    calls: list[tuple[str, dict[str, Any]]] = []
    while not search.complete:
        calls += table.play(
            search.more(), lambda name, _: {"items": [] if name == "get_reading_history" else [_item(1)]}
        )
    queries = [arguments["query"] for name, arguments in calls if name == "search_books"]
    assert ["War", *(f"War {genre}" for genre in GENRES if genre != "War"), "War English", "War Erin"] == queries


def test_the_calls_of_a_turn_are_rationed() -> None:
    """Past its own ration of calls the agent says a word to the user first, and so begins another turn."""
    table = _Table()
    search = FilterSearch(_wish(), table.conversation, History())
    table.play(search.more(), _pages(4000))
    made = [table.play(search.more(), _pages(4000)) for _ in range(4)]
    assert [50, 50, 38, 50] == [len(calls) for calls in made]
    assert table.conversation.calls_left == 140 - 50
