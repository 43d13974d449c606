"""The agents with one habit changed: what they ask, heed and propose."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from recfw.model.view import SYSTEM, Message, View
from recfw.protocols import Agent
from recfw.testing.contracts import ParticipantContract
from recfw_books.agents import frugal, insistent
from recfw_books.agents.frugal import Frugal
from recfw_books.agents.insistent import Insistent
from recfw_books.agents.pleasing import Pleasing
from recfw_books.agents.popularity import QUESTION
from recfw_books.agents.unheeding import Unheeding
from recfw_books.model import BookTask
from recfw_books.tools import SPECS
from recfw_books.user.matcher import asked_fields

Play = Callable[..., Any]
TaskOf = Callable[..., BookTask]
CatalogOf = Callable[[Sequence[dict[str, Any]]], Any]

WAR = ("genre", "contains", "War", "stated")


class _Contract(ParticipantContract):
    def views(self) -> Sequence[View]:
        """Return an opening."""
        opening = (Message.say(SYSTEM, "PROMPT"), Message.say("user", "I'm looking for one book."))
        return [View("agent", opening, SPECS["structured"])]


class TestFrugal(_Contract):
    """The frugal agent."""

    component = Frugal


class TestInsistent(_Contract):
    """The insistent agent."""

    component = Insistent


class TestPleasing(_Contract):
    """The pleasing agent."""

    component = Pleasing


class TestUnheeding(_Contract):
    """The unheeding agent."""

    component = Unheeding


def test_each_narrow_question_is_about_one_field() -> None:
    """What the agents ask is understood as they mean it."""
    narrow = [asked_fields(text) for _, text in frugal.QUESTIONS]
    assert [{"year"}, {"language"}, {"country"}, {"genre"}] == narrow
    assert [{"genre"}, {"language"}, {"country"}, {"year"}, {"format"}] == [
        asked_fields(q) for q in insistent.QUESTIONS
    ]


def test_frugal_stops_asking_once_few_are_left(play: Play, catalog_of: CatalogOf, task_of: TaskOf) -> None:
    """With five matches or fewer it proposes; with more it asks about what was not stated."""
    few = catalog_of([{"genres": ("War",), "year": 1990 + i} for i in range(5)])
    many = catalog_of([{"genres": ("War",), "year": 1990 + i} for i in range(40)])
    task = task_of(WAR, ("year", ">=", 1993, "on_ask"))
    assert 0 == sum(reply.text.endswith("?") for reply in play(Frugal(None), few, task).replies)
    asked = [reply.text for reply in play(Frugal(None), many, task).replies if reply.text.endswith("?")]
    assert [text for _, text in frugal.QUESTIONS[:3]] == asked


@pytest.mark.parametrize("agent", [Frugal, Insistent, Pleasing, Unheeding])
@pytest.mark.parametrize("keyword", [False, True])
def test_all_find_what_they_are_told(
    agent: type[Agent], keyword: bool, play: Play, catalog_of: CatalogOf, task_of: TaskOf
) -> None:
    """On either interface, each recommends the book that meets a told year."""
    catalog = catalog_of([{"genres": ("War",), "year": 1960 + i} for i in range(12)])
    played = play(agent(None), catalog, task_of(WAR, ("year", ">=", 1971, "on_ask")), keyword=keyword)
    assert ("recommended", "wd_Q12") == (played.stop, played.recommended["item"])


def test_the_broad_question_is_that_of_the_popularity_agent(play: Play, catalog_of: CatalogOf, task_of: TaskOf) -> None:
    """Pleasing and unheeding ask once for everything."""
    catalog = catalog_of([{"genres": ("War",)}])
    for agent in (Pleasing, Unheeding):
        assert QUESTION == play(agent(None), catalog, task_of(WAR)).replies[0].text
