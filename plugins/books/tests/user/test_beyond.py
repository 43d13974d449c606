"""The users beyond the paper: their words, their contracts, and what the environment makes of them."""

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from recfw.elicitation import Answer, Fact, Predicate, Preference
from recfw.model.reply import Reply, ToolCall
from recfw.model.view import View
from recfw.protocols import Accepted, Ended, Ruling, UserSimulator
from recfw.testing.contracts import ParticipantContract
from recfw.testing.fakes import context
from recfw_books.agents.reading import Liking, Requirement, read
from recfw_books.catalog.records import BookCatalog
from recfw_books.disclosed import told
from recfw_books.environment import BooksEnvironment
from recfw_books.goal import to_task
from recfw_books.model import FORMATS, Book, BookTask
from recfw_books.search.structured import StructuredSearch
from recfw_books.tools import StructuredTool, Tools
from recfw_books.user.rules import BooksCostly, BooksCritiquing, BooksRules, BooksSoft
from recfw_books.user.wording import reply_text

EVERYTHING = "Which genre, language, country, year and format would you like?"
FRENCH = Predicate("language", "==", "French", "on_ask")
LIKINGS = (
    Preference(Predicate("genre", "contains", "War", "on_ask"), 3),
    Preference(Predicate("country", "==", "France", "on_ask"), 2),
    Preference(Predicate("year", "<=", 1999, "on_ask"), 1),
)
TASK = BookTask(
    id="b001-hidden",
    family="001",
    condition="hidden",
    tier="medium",
    template="genre_language_from",
    nvr=False,
    predicates=(
        Predicate("genre", "contains", "Horror", "stated"),
        FRENCH,
        Predicate("year", ">=", 1990, "hidden"),
    ),
    accepted_formats=("ebook",),
    history=(),
    persona="You are brief.",
    panel=False,
    reliability=False,
)


def book(number: int, **more: Any) -> Book:
    """Return a book that meets the task, but for what is said of it."""
    base = {"genres": ("Horror",), "language": "French", "country": "Wales", "year": 2000, "formats": ("ebook",)}
    return Book(id=f"wd_Q{number}", title=f"T {number}", authors=("A",), sitelinks=number, **{**base, **more})


CATALOG = BookCatalog(
    (
        book(1),
        book(2, genres=("Horror", "War"), country="France", year=1995),
        book(3, language="English", year=1950),
        book(4, formats=FORMATS[2:]),
        book(5, genres=("Horror", "War")),
    ),
    {},
)


def environment() -> BooksEnvironment:
    """Return a world of five books: 1, 2 and 5 are acceptable."""
    tools = Tools(CATALOG, StructuredTool(StructuredSearch(CATALOG)))
    return BooksEnvironment(to_task(TASK), CATALOG, tools, "PROMPT", LIKINGS)


def converse(user: UserSimulator, turns: Sequence[str]) -> tuple[list[str], list[Ruling], BooksEnvironment]:
    """Let a user open and answer an agent's turns; return what the agent hears and the rulings on the user."""
    world = environment()

    async def play() -> list[Ruling]:
        player = user.episode(context("user"))
        rulings = []
        for text in (None, *turns):
            if text is not None:
                await world.receive("agent", Reply(text), ())
            reply = await player.reply(await world.view("user"))
            rulings.append(await world.receive("user", reply, ()))
        return rulings

    rulings = asyncio.run(play())
    heard = [m.text for m in asyncio.run(world.view("agent")).messages if m.speaker == "user"]
    return heard, rulings, world


def propose(number: int) -> str:
    """Return a turn that proposes a book."""
    return f"How about [[candidate_id:wd_Q{number}]]"


def events(ruling: Ruling) -> dict[str, dict[str, Any]]:
    """Return a ruling's events by name."""
    assert isinstance(ruling, Accepted | Ended)
    return {event.name: event.data for event in ruling.events}


class _Contract(ParticipantContract):
    role = "user"

    def views(self) -> Sequence[View]:
        """Return an opening, two questions, a rejected and an accepted proposal."""
        world = environment()
        views = [asyncio.run(world.view("user"))]
        asyncio.run(world.receive("user", Reply("Horror."), ()))
        for text in (EVERYTHING, "Which genre?", propose(3), propose(2)):
            asyncio.run(world.receive("agent", Reply(text), ()))
            views.append(asyncio.run(world.view("user")))
            asyncio.run(world.receive("user", Reply("Well."), ()))
        return views


class TestCritiquing(_Contract):
    """The critiquing user."""

    component = BooksCritiquing


class TestCostly(_Contract):
    """The costly user."""

    component = BooksCostly


class TestSoft(_Contract):
    """The user of soft preferences."""

    component = BooksSoft


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (Answer(critiqued=(FRENCH,)), "Not that one: it should be in French."),
        (Answer(critiqued=(Fact("format", ("ebook",)),)), "Not that one: I can only read it as an ebook."),
        (Answer(preferred=LIKINGS[:1]), "I'd very much like it to include War."),
        (Answer(preferred=LIKINGS[1:2]), "I'd like it to come from France."),
        (
            Answer(preferred=LIKINGS[2:]),
            "If there's a choice, I'd like it to have been published no later than 1999.",
        ),
        (
            Answer(spent=True, declined=("year",)),
            "I'd rather not say more about the year. That's enough questions for me.",
        ),
        (Answer(unanswered=("year",)), "No more questions, please."),
        (Answer(left=True, unanswered=("year",)), "That's one question too many. Goodbye."),
        (Answer(pleased=1.0), "That's just what I would like."),
        (Answer(pleased=0.5), "That will do, though not all is as I'd like it."),
        (Answer(pleased=0.4), "That will do, but I'd like another more."),
    ],
)
def test_words_of_each_manner(answer: Answer, words: str) -> None:
    """Each has its sentence."""
    assert words == reply_text(answer)


def test_agents_read_what_the_users_say() -> None:
    """A critique is a requirement, a preference is none, and weariness is heard."""
    heard = read(reply_text(Answer(critiqued=(FRENCH,), preferred=LIKINGS, spent=True)))
    assert (Requirement("language", "French"),) == heard.requirements
    wishes = (("genre", "War", 3), ("country", "France", 2), ("year_max", 1999, 1))
    assert tuple(Liking(Requirement(f, v), w) for f, v, w in wishes) == heard.likings
    assert heard.tired


def test_the_critiquing_user_states_what_a_book_violates() -> None:
    """One requirement a rejected book, in the task's order, hidden ones and formats too; none of it is a leak."""
    heard, rulings, _ = converse(BooksCritiquing(), [propose(3), propose(3), propose(4), propose(4)])
    assert [
        "###REJECTED### Not that one: it should be in French.",
        "###REJECTED### Not that one: it should have been published no earlier than 1990.",
        "###REJECTED### Not that one: I can only read it as an ebook.",
        "###REJECTED### I have nothing to add.",
    ] == heard[1:]
    found = [events(ruling) for ruling in rulings]
    assert not any("leak" in each for each in found)
    assert [["language"], ["year"], [], []] == [[p["field"] for p in each["asked"]["revealed"]] for each in found[1:]]
    assert ["ebook"] == found[3]["asked"]["formats"]
    assert [1, 1, 1, 0] == [len(each["asked"]["critiqued"]) for each in found[1:]]


def test_the_rules_user_never_says_why() -> None:
    """The paper's user is not told more than before by what it can see of a violation."""
    heard, _, _ = converse(BooksRules(), [propose(3)])
    assert "###REJECTED### I have nothing to add." == heard[1]


def test_the_costly_user_leaves_and_the_trial_ends() -> None:
    """Three fields are answered, with a warning; the next question ends the trial as user_left."""
    heard, rulings, world = converse(BooksCostly(), [EVERYTHING, propose(3), "Which format?"])
    assert heard[1].endswith("That's enough questions for me.")
    assert "language" in str(events(rulings[1])["asked"]["revealed"])
    assert {"of": 3, "used": 3} == events(rulings[1])["asked"]["patience"]
    last = rulings[-1]
    assert isinstance(last, Ended)
    assert ("user_left", {"turn": 3}) == (last.stop, events(last)["left"])
    assert 3 == world.summary()["turns"]


def test_the_costly_user_may_stay() -> None:
    """With `then=stop` a question beyond patience stays unanswered and nothing ends."""
    options = BooksCostly.Options(patience=1, then="stop")
    heard, rulings, _ = converse(BooksCostly(options), ["Which language?", "Which format?"])
    assert "As for that, it should be in French. That's enough questions for me." == heard[1]
    assert "No more questions, please." == heard[2]
    assert isinstance(rulings[-1], Accepted)
    assert ["format"] == events(rulings[-1])["asked"]["unanswered"]


def test_nobody_else_can_end_a_trial_by_words() -> None:
    """Only data of a user that says it leaves ends a trial."""
    world = environment()
    for data in (None, {"left": "yes"}, ["left"]):
        assert isinstance(asyncio.run(world.receive("user", Reply("I am leaving.", data=data), ())), Accepted)


def test_the_soft_user_tells_preferences_and_grades() -> None:
    """Asked about a field it tells what it would like; an accepted book is praised by how much of that it meets."""
    heard, _, world = converse(BooksSoft(), ["Which country?", propose(5), propose(2)])
    assert "I'd like it to come from France." == heard[1]
    assert "###ACCEPTED### That will do, though not all is as I'd like it." == heard[2]
    assert "###ACCEPTED### That's just what I would like." == heard[3]
    call = ToolCall.of("recommend", item_id="wd_Q5")
    result = asyncio.run(world.call("agent", "recommend", {"item_id": "wd_Q5"}))
    ended = asyncio.run(world.receive("agent", Reply(calls=(call,)), (result,)))
    assert 0.5 == events(ended)["recommended"]["grade"]


def test_no_grade_is_noted_for_other_users() -> None:
    """What the rule-based user's trials record is as it was: neither grade nor what a manner would add."""
    _, rulings, world = converse(BooksRules(), [EVERYTHING])
    assert not {"critiqued", "preferred", "patience", "left"} & set(events(rulings[1])["asked"])
    result = asyncio.run(world.call("agent", "recommend", {"item_id": "wd_Q5"}))
    ended = asyncio.run(world.receive("agent", Reply(calls=(ToolCall.of("recommend", item_id="wd_Q5"),)), (result,)))
    assert "grade" not in events(ended)["recommended"]


def test_malformed_reports_count_for_nothing() -> None:
    """What a manner's report holds amiss is dropped, so that no metric stumbles over it."""
    data = {"critiqued": [1, {"field": "year"}], "patience": {"used": "2"}, "unanswered": ["x", "year"], "left": 1}
    found = told(data)
    assert ([], ["year"]) == (found["critiqued"], found["unanswered"])
    assert not {"patience", "left", "preferred"} & set(found)


def test_the_agent_sees_nothing_of_it() -> None:
    """Violations, preferences and grades are facts of the user's View alone."""
    _, _, world = converse(BooksCritiquing(), [propose(3)])
    view = asyncio.run(world.view("agent"))
    assert {"results"} == set(view.facts)


def test_a_turn_without_a_proposal_has_nothing_to_react_to() -> None:
    """What a book violated, and its grade, are facts of the very turn that proposed it."""
    world = environment()
    asyncio.run(world.receive("user", Reply("Horror."), ()))
    found = []
    for text in (propose(3), propose(2), "Which genre?"):
        asyncio.run(world.receive("agent", Reply(text), ()))
        facts = asyncio.run(world.view("user")).facts
        found.append((len(facts["violated"]), facts["grade"]))
        asyncio.run(world.receive("user", Reply("Well."), ()))
    assert [(2, None), (0, 1.0), (0, None)] == found
