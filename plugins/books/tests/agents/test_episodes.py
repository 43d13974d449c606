"""The reference agents at play, in the real environment with the rule-based user, over small catalogs."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from attrs import evolve

from recfw.elicitation import Op, Predicate, Reveal, failed
from recfw.model.draws import Draws
from recfw.protocols import Agent
from recfw_books.agents.eliminating import Eliminating
from recfw_books.agents.no_ask import NoAsk
from recfw_books.agents.popularity import QUESTION, Popularity
from recfw_books.catalog.records import BookCatalog
from recfw_books.model import BookTask
from recfw_books.user.matcher import asked_fields

AGENTS = (Popularity, Eliminating, NoAsk)
ASKING = (Popularity, Eliminating)

Play = Callable[..., Any]
TaskOf = Callable[..., BookTask]
CatalogOf = Callable[[Sequence[dict[str, Any]]], BookCatalog]

WAR = ("genre", "contains", "War", "stated")


def test_the_question_names_every_field() -> None:
    """The one question is understood to ask about all five fields."""
    assert {"genre", "language", "country", "year", "format"} == asked_fields(QUESTION)


@pytest.mark.parametrize("agent", ASKING)
def test_asks_once_and_proposes_the_most_popular_match(
    agent: type[Agent], play: Play, catalog_of: CatalogOf, task_of: TaskOf
) -> None:
    """Told everything when it asks, the agent proposes the most popular match and recommends it once accepted."""
    catalog = catalog_of(
        [{}, {"genres": ("War",), "year": 1980}, {"genres": ("War",)}, {"genres": ("War",), "sitelinks": 0}]
    )
    played = play(agent(None), catalog, task_of(WAR, ("year", ">=", 1990, "on_ask")))
    assert ["wd_Q3"] == played.proposed
    assert ("recommended", "wd_Q3") == (played.stop, played.recommended["item"])
    assert [QUESTION, "", "I suggest this book: [[candidate_id:wd_Q3]].", ""] == [r.text for r in played.replies]


@pytest.mark.parametrize("agent", ASKING)
def test_two_genres_are_both_met(agent: type[Agent], play: Play, catalog_of: CatalogOf, task_of: TaskOf) -> None:
    """The tool takes one genre; the proposal has both."""
    special = [{"genres": ("War",)}] * 70 + [{"genres": ("Horror", "War")}] + [{}] * 90
    played = play(agent(None), catalog_of(special), task_of(WAR, ("genre", "contains", "Horror", "on_ask")))
    assert ["wd_Q71"] == played.proposed
    assert "wd_Q71" == played.recommended["item"]


@pytest.mark.parametrize("agent", AGENTS)
def test_formats_are_checked_where_one_was_named(
    agent: type[Agent], play: Play, catalog_of: CatalogOf, task_of: TaskOf
) -> None:
    """With a format named, its check precedes the recommendation of a book that has it; else there is none."""
    catalog = catalog_of([{"formats": ("hardcover",)}, {"formats": ("ebook", "hardcover")}])
    named = task_of(("genre", "contains", "Horror", "stated"), condition="volunteer", accepted_formats=("ebook",))
    played = play(agent(None), catalog, named)
    assert [{"item_id": "wd_Q2"}] == played.arguments("check_formats")
    assert ("wd_Q2", True) == (played.recommended["item"], played.recommended["formats_checked"])
    free = play(agent(None), catalog, evolve(named, accepted_formats=()))
    assert ([], "wd_Q1") == (free.arguments("check_formats"), free.recommended["item"])


@pytest.mark.parametrize("agent", AGENTS)
def test_keyword_matches_in_another_format_are_passed_over(
    agent: type[Agent], play: Play, catalog_of: CatalogOf, task_of: TaskOf
) -> None:
    """The keyword interface has no filter of formats: each match is checked, and only one that suits is put forward."""
    catalog = catalog_of([{"formats": ("hardcover",)}, {"formats": ("paperback",)}, {"formats": ("ebook",)}])
    task = task_of(("genre", "contains", "Horror", "stated"), condition="volunteer", accepted_formats=("ebook",))
    played = play(agent(None), catalog, task, keyword=True)
    assert ["wd_Q1", "wd_Q2", "wd_Q3"] == [each["item_id"] for each in played.arguments("check_formats")]
    assert set(played.proposed) <= {"wd_Q3"}
    assert "wd_Q3" == played.recommended["item"]


@pytest.mark.parametrize("agent", AGENTS)
def test_abstains_where_nothing_matches(agent: type[Agent], play: Play, catalog_of: CatalogOf, task_of: TaskOf) -> None:
    """A request that no book meets ends in abstention, without a proposal."""
    played = play(agent(None), catalog_of([{}]), task_of(WAR, condition="volunteer"))
    assert ("abstained", []) == (played.stop, played.proposed)


def test_no_ask_takes_the_opening_for_the_wish(play: Play, catalog_of: CatalogOf, task_of: TaskOf) -> None:
    """The floor says nothing to the user and recommends the most popular unread match of the opening."""
    catalog = catalog_of([{}, {"genres": ("War",)}, {"genres": ("War",)}])
    played = play(NoAsk(None), catalog, task_of(WAR, ("year", ">=", 2010, "on_ask"), history=("wd_Q2",)))
    assert all(not reply.text for reply in played.replies)
    assert "wd_Q3" == played.recommended["item"]


def test_popularity_goes_down_the_list(play: Play, catalog_of: CatalogOf, task_of: TaskOf) -> None:
    """Rejections teach the popularity agent nothing but the next book; without one left it abstains."""
    genres = [("War",), ("War",), ("Crime", "War"), ("War",)]
    catalog = catalog_of([{"genres": each} for each in genres])
    hidden = task_of(WAR, ("genre", "contains", "Crime", "hidden"))
    assert ["wd_Q1", "wd_Q2", "wd_Q3"] == play(Popularity(None), catalog, hidden).proposed
    never = play(Popularity(None), catalog, task_of(WAR, ("genre", "contains", "Drama", "hidden")))
    assert (["wd_Q1", "wd_Q2", "wd_Q3", "wd_Q4"], "abstained") == (never.proposed, never.stop)


def test_eliminating_infers_from_decline_and_rejection(play: Play, catalog_of: CatalogOf, task_of: TaskOf) -> None:
    """
    A declined genre beside War is another genre: books without one are not proposed, and a rejection rules out its own.

    Shares: Horror 3, Crime 2, Drama 1. The first Horror book goes first, then Crime; Drama remains.
    """
    genres = [("War",), ("Drama", "War"), ("Crime", "War"), ("Horror", "War"), ("Crime", "War")] + [
        ("Horror", "War")
    ] * 2
    catalog = catalog_of([{"genres": each} for each in genres])
    found = play(Eliminating(None), catalog, task_of(WAR, ("genre", "contains", "Drama", "hidden")))
    assert ["wd_Q4", "wd_Q3", "wd_Q2"] == found.proposed
    assert "wd_Q2" == found.recommended["item"]
    never = play(Eliminating(None), catalog, task_of(WAR, ("genre", "contains", "Poetry", "hidden")))
    assert (["wd_Q4", "wd_Q3", "wd_Q2"], "abstained") == (never.proposed, never.stop)


def test_eliminating_finds_a_hidden_parent_label(play: Play, catalog_of: CatalogOf, task_of: TaskOf) -> None:
    """A hidden country that covers the labels of the books is met by a book of any of them."""
    countries = ["Gaul", "Gaul", "Gaul", "Mona", "Erin", "Erin"]
    catalog = catalog_of([{"country": each} for each in countries])
    played = play(
        Eliminating(None),
        catalog,
        task_of(("genre", "contains", "Horror", "stated"), ("country", "==", "Isles", "hidden")),
    )
    assert ["wd_Q1", "wd_Q5"] == played.proposed
    assert "wd_Q5" == played.recommended["item"]


def test_long_lists_are_gathered_over_turns(play: Play, catalog_of: CatalogOf, task_of: TaskOf) -> None:
    """With more pages than a turn's calls, gathering goes on in the next turn; no turn holds more than 150 calls."""
    special: list[dict[str, Any]] = [{"genres": ("War",), "language": "French"}] * 3200
    special[3190] = {"genres": ("War",), "language": "Latin"}
    task = task_of(WAR, ("language", "==", "Latin", "hidden"))
    played = play(Eliminating(None), catalog_of(special), task)
    assert ["wd_Q1", "wd_Q3191"] == played.proposed
    assert "wd_Q3191" == played.recommended["item"]
    assert max(played.calls.values()) <= 150
    assert 160 == len(played.arguments("search_books"))


def test_no_abstention_on_an_incomplete_list(play: Play, catalog_of: CatalogOf, task_of: TaskOf) -> None:
    """Although its first 2,700 books are ruled out by one rejection, the agent sees every page before it abstains."""
    special = [{"genres": ("War",), "language": "French"}] * 6000
    played = play(Eliminating(None), catalog_of(special), task_of(WAR, ("language", "==", "Latin", "hidden")))
    assert "abstained" == played.stop
    assert set(range(1, 301)) == {arguments.get("page", 1) for arguments in played.arguments("search_books")}
    assert 2 == len(played.proposed)


def _random_task(catalog: BookCatalog, draws: Draws, task_of: TaskOf, condition: str) -> BookTask:
    """Return a task drawn round a book that answers it, with a history, half of them with one format."""
    anchor = draws.choice(catalog.books)
    options = [
        *(Predicate("genre", Op.CONTAINS, genre) for genre in anchor.genres[:2]),
        Predicate("language", Op.EQ, anchor.language),
        Predicate("country", Op.EQ, anchor.country),
        Predicate("year", Op.GE, anchor.year - draws.below(3)),
        Predicate("year", Op.LE, anchor.year + draws.below(3)),
    ]
    chosen = draws.sample(options, draws.between(2, 4))
    reveals = {
        "volunteer": [Reveal.STATED] * 4,
        "mixed": [Reveal.STATED] + [Reveal.ON_ASK] * 3,
        "hidden": [Reveal.STATED, Reveal.HIDDEN, Reveal.ON_ASK, Reveal.HIDDEN],
    }[condition]
    predicates = tuple(evolve(p, reveal=r) for p, r in zip(chosen, reveals, strict=False))
    formats = (draws.choice(anchor.formats),) if draws.below(2) else ()
    read = tuple(book.id for book in draws.sample(catalog.books, 40) if book.id != anchor.id)
    return evolve(task_of(condition=condition, accepted_formats=formats, history=read), predicates=predicates)


@pytest.mark.parametrize("condition", ["volunteer", "mixed", "hidden"])
@pytest.mark.parametrize("keyword", [False, True])
@pytest.mark.parametrize("agent", AGENTS)
def test_rules_hold_on_random_tasks(
    agent: type[Agent], keyword: bool, condition: str, play: Play, random_catalog: BookCatalog, task_of: TaskOf
) -> None:
    """
    Whatever the task and interface: no read book is proposed or recommended, no book twice, no turn passes 150 calls.

    What is recommended by an asking agent was accepted; on the structured interface it solves all that it is told.
    """
    draws = Draws(3, "tasks", condition)
    for _ in range(12):
        task = _random_task(random_catalog, draws, task_of, condition)
        played = play(agent(None), random_catalog, task, keyword=keyword)
        assert not set(played.proposed) & set(task.history)
        assert len(played.proposed) == len(set(played.proposed))
        assert max(played.calls.values()) <= 150
        if played.stop == "recommended":
            book = random_catalog.by_id[played.recommended["item"]]
            assert book.id not in task.history
            assert played.recommended["formats_checked"] or not (task.accepted_formats and agent in ASKING)
            if agent in ASKING:
                assert played.recommended["accepted"]
                assert not failed(task.predicates, book.fields(), random_catalog.trees)
        if not keyword and agent in ASKING and condition != "hidden":
            assert "recommended" == played.stop


def test_elimination_needs_fewer_proposals(play: Play, random_catalog: BookCatalog, task_of: TaskOf) -> None:
    """Over random hidden tasks the eliminating agent solves more, within the turns, than the popularity agent."""
    draws = Draws(11, "hidden")
    tasks = [_random_task(random_catalog, draws, task_of, "hidden") for _ in range(30)]
    solved = {
        agent.name: sum(play(agent(None), random_catalog, task).stop == "recommended" for task in tasks)
        for agent in ASKING
    }
    assert 30 == solved["eliminating"]
    assert solved["popularity"] < 30
