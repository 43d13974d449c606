"""The agents pass the contract suite, and take up what a user tells later."""

import asyncio
from collections.abc import Sequence

import orjson

from recfw.model.reply import ToolCall
from recfw.model.view import SYSTEM, TOOL, Message, TextPart, View
from recfw.protocols import Agent
from recfw.testing.contracts import ParticipantContract
from recfw.testing.fakes import context
from recfw_books.agents.eliminating import Eliminating
from recfw_books.agents.no_ask import NoAsk
from recfw_books.agents.popularity import Popularity
from recfw_books.tools import SPECS

OPENING = "I'm looking for one book. It should include War. I can only read it as an ebook."


def _item(number: int, genre: str) -> dict[str, object]:
    return {"id": f"wd_Q{number}", "genres": ["War", genre], "language": "English", "country": "Erin", "year": 2000}


def _answers(*contents: object) -> list[Message]:
    return [Message(TOOL, (TextPart(orjson.dumps(c).decode()),), call=i) for i, c in enumerate(contents)]


def _views(*parts: Sequence[Message]) -> list[View]:
    """Return the Views of an episode whose conversation grows by each part."""
    messages, views = [Message.say(SYSTEM, "PROMPT"), Message.say("user", OPENING)], []
    for part in parts:
        messages += part
        views.append(View("agent", tuple(messages), SPECS["structured"]))
    return views


PAGE = {"total": 2, "page": 1, "pages": 1, "items": [_item(1, "Crime"), _item(2, "Horror")]}
FOUND = _answers({"items": []}, PAGE)


class _AskingContract(ParticipantContract):
    def views(self) -> Sequence[View]:
        """Return an episode of two proposals."""
        said = [Message.say("user", "I'd rather not say more about the genre.")]
        rejected = [Message.say("user", "###REJECTED### I have nothing to add.")]
        accepted = [Message.say("user", "###ACCEPTED###")]
        checked = _answers({"id": "wd_Q2", "formats": ["ebook"]})
        return _views([], said, FOUND, rejected, accepted, checked)


class TestPopularity(_AskingContract):
    """The popularity agent."""

    component = Popularity


class TestEliminating(_AskingContract):
    """The eliminating agent."""

    component = Eliminating


class TestNoAsk(ParticipantContract):
    """The no-ask floor."""

    component = NoAsk

    def views(self) -> Sequence[View]:
        """Return an episode with a format to check."""
        return _views([], FOUND, _answers({"id": "wd_Q1", "formats": ["ebook"]}))


def _calls(agent: Agent, views: Sequence[View]) -> list[tuple[ToolCall, ...] | str]:
    async def run() -> list[tuple[ToolCall, ...] | str]:
        player = agent.episode(context())
        replies = [await player.reply(view) for view in views]
        return [reply.calls or reply.text for reply in replies]

    return asyncio.run(run())


def test_what_is_told_later_is_taken_up() -> None:
    """A requirement that comes with a rejection leads to a new search, without asking for the history again."""
    told = [Message.say("user", "###REJECTED### As for that, it should be in French.")]
    views = _views([], [Message.say("user", "Any format is fine.")], FOUND, told)
    assert (
        ToolCall.of("search_books", genre="War", language="French"),
    ) == _calls(Popularity(None), views)[-1]  # fmt: skip


def test_a_refused_recommendation_ends_in_abstention() -> None:
    """Where recommend is answered with an error, the agent recommends none rather than going on."""
    accepted = [Message.say("user", "###ACCEPTED###")]
    checked = _answers({"id": "wd_Q1", "formats": ["ebook"]})
    error = [Message(TOOL, (TextPart("There is no such book."),), call=0, error=True)]
    views = _views([], [Message.say("user", "I have nothing to add.")], FOUND, accepted, checked, error, error)
    assert [
        (ToolCall.of("recommend", item_id="wd_Q1"),),
        (ToolCall.of("recommend"),),
        (ToolCall.of("recommend"),),
    ] == _calls(Eliminating(None), views)[-3:]


def test_a_book_without_its_format_is_passed_over() -> None:
    """Where an accepted book turns out to lack the format, the agent goes on to the next."""
    accepted = [Message.say("user", "###ACCEPTED###")]
    checked = _answers({"id": "wd_Q1", "formats": ["hardcover"]})
    views = _views([], [Message.say("user", "I have nothing to add.")], FOUND, accepted, checked)
    assert "I suggest this book: [[candidate_id:wd_Q2]]." == _calls(Popularity(None), views)[-1]
