"""The contract suites of recfw.testing, passed by the track and its components."""

from collections.abc import Sequence
from typing import Any

from recfw.elicitation.predicates import Op, Predicate, Reveal
from recfw.model.task import Task
from recfw.model.trace import EndEvent, Trace, WorldEvent
from recfw.model.view import View
from recfw.testing.contracts import (
    CatalogContract,
    MetricContract,
    ParticipantContract,
    RetrieverContract,
    TrackContract,
)
from recfw_books.catalog.component import BooksCatalog
from recfw_books.goal import to_task
from recfw_books.metrics import BooksSuccess
from recfw_books.model import BookTask
from recfw_books.search.impact import ImpactRetriever
from recfw_books.search.whoosh_index import WhooshRetriever
from recfw_books.track import BooksTrack
from recfw_books.user.rules import BooksRules

TASK = to_task(
    BookTask(
        id="b001-mixed",
        family="001",
        condition="mixed",
        tier="simple",
        template="genre_from",
        nvr=False,
        predicates=(
            Predicate("genre", Op.CONTAINS, "Horror", Reveal.STATED),
            Predicate("year", Op.GE, 1990, Reveal.ON_ASK),
        ),
        accepted_formats=(),
        history=(),
        persona="You are brief.",
        panel=False,
        reliability=False,
    )
)


class TestBooksTrack(TrackContract):
    """The track, with its default cells over the shipped tasks."""

    component = BooksTrack


class TestKeywordInterface(TrackContract):
    """The track on the keyword interface, over the 5k catalog."""

    component = BooksTrack
    options = {"interface": "keyword", "size": 5000}


class TestBooksCatalog(CatalogContract):
    """The embedded catalog as a component."""

    component = BooksCatalog


class TestImpactRetriever(RetrieverContract):
    """The default keyword retriever."""

    component = ImpactRetriever


class TestWhooshRetriever(RetrieverContract):
    """The second keyword retriever."""

    component = WhooshRetriever


class TestBooksRules(ParticipantContract):
    """The rule-based user."""

    component = BooksRules
    role = "user"

    def views(self) -> Sequence[View]:
        """Return an opening, a question, and a proposal's verdict."""
        facts: dict[str, Any] = {**TASK.public, "goal": TASK.private, "verdict": None}
        turns = (None, "Which genre, language, country, year and format would you like?", "[[candidate_id:wd_Q1]]")
        return [View("user", facts={**facts, "agent_text": text}) for text in turns]


class TestBooksSuccess(MetricContract):
    """The track's metric."""

    component = BooksSuccess

    def cases(self) -> Sequence[tuple[Task, Trace]]:
        """Return a trial that abstained and one that was cut off."""
        abstained = WorldEvent("recommended", {"turn": 1, "item": None, "others": []})
        return [(TASK, Trace((abstained, EndEvent("abstained")))), (TASK, Trace((EndEvent("agent_turn_limit"),)))]
