"""The track's figures on hand-made traces, and variants of them that must lower a figure."""

from typing import Any

import pytest
from attrs import evolve

from recfw.elicitation.predicates import Reveal
from recfw.model.reply import Reply, ToolCall
from recfw.model.task import Task
from recfw.model.trace import EndEvent, Event, ReplyEvent, Trace, WorldEvent
from recfw.protocols import Metric
from recfw_books.goal import to_task
from recfw_books.metrics import CHECKS, BooksSuccess
from recfw_books.model import BookTask

GENRE = {"field": "genre", "op": "contains", "value": "Horror"}
LANGUAGE = {"field": "language", "op": "==", "value": "English"}


def told(**more: Any) -> dict[str, Any]:
    """Return what a user told in one turn."""
    empty: dict[str, Any] = {name: [] for name in ("asked", "revealed", "declined", "no_preference", "settled")}
    return {**empty, "formats": None, **more}


def proposal(item: str, verdict: str) -> WorldEvent:
    """Return a proposal's event."""
    return WorldEvent("proposal", {"turn": 2, "item": item, "verdict": verdict})


def recommended(item: str | None, **more: Any) -> WorldEvent:
    """Return the event of a good recommendation, changed as told; of an abstention where there is no item."""
    good: dict[str, Any] = {
        "violated": [],
        "in_history": False,
        "format_accepted": True,
        "formats_checked": True,
        "returned": True,
        "proposed": True,
        "accepted": True,
        "rank": 5,
        "of": 20,
    }
    return WorldEvent("recommended", {"turn": 3, "item": item, "others": [], **(good if item else {}), **more})


OPENING = WorldEvent("opening", told(revealed=[GENRE]))
ASKED = WorldEvent("asked", {"turn": 1, **told(asked=["language", "format"], revealed=[LANGUAGE], formats=["ebook"])})


def trace(*events: Event) -> Trace:
    """Return a whole trace with these events after the opening."""
    return Trace((OPENING, ReplyEvent("agent", 1, Reply("?")), *events, EndEvent("recommended")))


GOOD = (ASKED, proposal("wd_Q5", "rejected"), proposal("wd_Q1", "accepted"), recommended("wd_Q1"))


@pytest.fixture
def task(book_task: BookTask) -> Task:
    """Return the mixed task."""
    return to_task(book_task)


@pytest.fixture
def nvr(book_task: BookTask) -> Task:
    """Return the task as one without a valid recommendation."""
    return to_task(evolve(book_task, nvr=True, history=(), accepted_formats=()))


def figures(task: Task, *events: Event) -> dict[str, float | None]:
    """Return the figures of a trace."""
    return dict(BooksSuccess().score(task, trace(*events)))


def test_a_good_trial_has_known_figures(task: Task) -> None:
    """Every figure of a trial that did all well."""
    assert figures(task, *GOOD) == {
        "success": 1.0,
        "correct_ending": 1.0,
        "one_recommendation": 1.0,
        "not_from_history": 1.0,
        "formats_checked": 1.0,
        "abstains_on_nvr": None,
        "recommends_otherwise": 1.0,
        "proposals": 2.0,
        "rejections": 1.0,
        "proposals_to_success": 2.0,
        "rejections_to_success": 1.0,
        "fields_asked": 2.0,
        "elicited_share": 1.0,
        "fields_unasked": 0.0,
        "fields_missed": 0.0,
        "fields_untold": 0.0,
        "fields_declined": 0.0,
        "proposed_before_commit": 1.0,
        "accepted_before_commit": 1.0,
        "returned_by_search": 1.0,
        "named_untagged": 0.0,
        "exposure_rank": 5.0,
        "exposure_share": 0.25,
        "leaks": 0.0,
    }


def test_every_figure_is_named_and_given(task: Task) -> None:
    """The names that the class declares are the names that it gives."""
    assert list(figures(task, *GOOD)) == list(BooksSuccess.figures)
    assert set(CHECKS) < set(BooksSuccess.figures)
    assert BooksSuccess.name == "books-success"
    assert callable(Metric.score)


@pytest.mark.parametrize(
    ("figure", "ending"),
    [
        ("correct_ending", recommended("wd_Q1", violated=["year"])),
        ("correct_ending", recommended("wd_Q4", format_accepted=False)),
        ("correct_ending", recommended(None)),
        ("recommends_otherwise", recommended(None)),
        ("one_recommendation", recommended("wd_Q1", others=["wd_Q2"])),
        ("one_recommendation", recommended("wd_Q1", others=[None])),
        ("not_from_history", recommended("wd_Q3", in_history=True)),
        ("not_from_history", recommended("wd_Q1", others=["wd_Q3"])),
        ("formats_checked", recommended("wd_Q1", formats_checked=False)),
        ("proposed_before_commit", recommended("wd_Q1", proposed=False)),
        ("accepted_before_commit", recommended("wd_Q1", accepted=False)),
        ("returned_by_search", recommended("wd_Q1", returned=False)),
    ],
)
def test_each_fault_lowers_its_figure(task: Task, figure: str, ending: WorldEvent) -> None:
    """One fault in the ending takes one figure from 1 to 0, and success with it where it is a check or the ending."""
    found = figures(task, *GOOD[:-1], ending)
    assert found[figure] == 0.0
    assert found["success"] == (0.0 if figure in {*CHECKS, "correct_ending"} else 1.0)


def test_a_trial_that_was_cut_off_is_no_success(task: Task) -> None:
    """Without a recommendation nothing was committed, and the checks of a book do not apply."""
    found = figures(task, *GOOD[:-1])
    names = (
        "success",
        "correct_ending",
        "one_recommendation",
        "recommends_otherwise",
        "not_from_history",
        "formats_checked",
    )
    assert [found[name] for name in names] == [0.0, 0.0, 1.0, 0.0, None, None]
    assert found["proposals_to_success"] is None


def test_formats_need_no_check_before_the_user_names_one(task: Task) -> None:
    """An agent that never asked about formats is not held to check them; a wrong one still fails."""
    unasked = WorldEvent("asked", {"turn": 1, **told(asked=["language"], revealed=[LANGUAGE])})
    found = figures(task, unasked, recommended("wd_Q1", formats_checked=False))
    assert (found["formats_checked"], found["success"]) == (None, 1.0)
    assert figures(task, unasked, recommended("wd_Q4", format_accepted=False))["success"] == 0.0


def test_any_format_names_none(task: Task) -> None:
    """A user who takes every format names no format to check."""
    any_format = WorldEvent("asked", {"turn": 1, **told(asked=["format"], formats=[])})
    assert figures(task, any_format, recommended("wd_Q1", formats_checked=False))["formats_checked"] is None


def test_without_a_history_there_is_none_to_check(book_task: BookTask) -> None:
    """The check is None, and success does not hang on it."""
    found = figures(to_task(evolve(book_task, history=())), *GOOD)
    assert (found["not_from_history"], found["success"]) == (None, 1.0)


def test_abstention_is_right_where_there_is_no_answer(nvr: Task) -> None:
    """An NVR trial succeeds by abstaining, and fails by any book or by not ending."""
    assert figures(nvr, recommended(None))["success"] == 1.0
    assert figures(nvr, recommended(None))["abstains_on_nvr"] == 1.0
    assert figures(nvr, recommended("wd_Q1"))["abstains_on_nvr"] == 0.0
    assert [figures(nvr, *events)["success"] for events in ((recommended("wd_Q1"),), ())] == [0.0, 0.0]
    assert figures(nvr, recommended(None))["recommends_otherwise"] is None


@pytest.mark.parametrize(
    ("events", "share"),
    [
        ((), 0.0),
        ((ASKED,), 1.0),
        ((WorldEvent("asked", {"turn": 1, **told(revealed=[LANGUAGE])}),), 0.5),
        ((WorldEvent("asked", {"turn": 1, **told(revealed=[GENRE])}),), 0.0),
        ((WorldEvent("asked", {"turn": 1, **told(revealed=[{**LANGUAGE, "value": "Welsh"}])}),), 0.0),
        ((ASKED, ASKED), 1.0),
        ((WorldEvent("asked", {"turn": 1, **told(formats=["paperback"])}),), 0.0),
        ((WorldEvent("asked", {"turn": 1, **told(formats=["ebook"])}),), 0.5),
    ],
)
def test_the_elicited_share_counts_askable_facts_once(task: Task, events: tuple[Event, ...], share: float) -> None:
    """Of a language and a format on ask; stated facts, hidden ones and what is not asked for do not count."""
    assert figures(task, *events)["elicited_share"] == share


def said(text: str) -> ReplyEvent:
    """Return the event of words to the user."""
    return ReplyEvent("agent", 2, Reply(text))


NONE = WorldEvent("asked", {"turn": 1, **told()})
SILENT = WorldEvent("asked", {"turn": 1, **told(asked=["language", "format"])})


@pytest.mark.parametrize(
    ("events", "found"),
    [
        ((NONE,), (2.0, 0.0, 0.0)),
        ((ASKED,), (0.0, 0.0, 0.0)),
        ((SILENT,), (0.0, 0.0, 2.0)),
        ((NONE, said("In which tongue? And the format?")), (1.0, 1.0, 0.0)),
        ((NONE, said("Please share your requirements.")), (0.0, 2.0, 0.0)),
        ((NONE, said("A fine English paperback [[candidate_id:wd_Q1]], is the language right?")), (2.0, 0.0, 0.0)),
        ((NONE, said("I looked at the language and the format.")), (2.0, 0.0, 0.0)),
        ((SILENT, said("Which language?")), (0.0, 0.0, 2.0)),
    ],
)
def test_an_undisclosed_fact_was_unasked_missed_or_untold(
    task: Task, events: tuple[Event, ...], found: tuple[float, ...]
) -> None:
    """Each field of an undisclosed fact counts once: the matcher has the first word, then the second look."""
    names = ("fields_unasked", "fields_missed", "fields_untold")
    assert tuple(figures(task, *events)[name] for name in names) == found


def test_words_beside_tool_calls_ask_for_nothing(task: Task) -> None:
    """The user does not see them, so the second look does not count them."""
    aside = ReplyEvent("agent", 2, Reply("Which language?", calls=(ToolCall.of("get_reading_history"),)))
    assert figures(task, NONE, aside)["fields_unasked"] == 2.0


def test_declined_fields_and_untagged_books_are_counted_once(task: Task) -> None:
    """Two declines of one field are one, as is a book that is named twice."""
    declines = WorldEvent("asked", {"turn": 1, **told(asked=["year"], declined=["year"])})
    named = WorldEvent("named", {"turn": 1, "items": ["wd_Q1", "wd_Q2"]})
    again = WorldEvent("named", {"turn": 2, "items": ["wd_Q1"]})
    found = figures(task, declines, declines, named, again)
    assert (found["fields_declined"], found["named_untagged"]) == (1.0, 2.0)


def test_an_ending_without_a_rank_has_no_exposure(task: Task) -> None:
    """A trace recorded before ranks were noted, and an abstention, have none."""
    old = recommended("wd_Q1")
    del old.data["rank"]
    assert [figures(task, ending)["exposure_rank"] for ending in (old, recommended(None))] == [None, None]


def test_nothing_askable_gives_no_share(book_task: BookTask) -> None:
    """A volunteer's share is None, not 0 or 1."""
    stated = tuple(evolve(p, reveal=Reveal.STATED) for p in book_task.predicates)
    volunteer = to_task(evolve(book_task, condition="volunteer", predicates=stated))
    found = figures(volunteer, recommended("wd_Q1"))
    names = ("elicited_share", "fields_unasked", "fields_missed", "fields_untold")
    assert [found[name] for name in names] == [None] * 4


def test_rejections_after_the_first_acceptance_do_not_count(task: Task) -> None:
    """Within r rejections means accepted by proposal r + 1; without an acceptance all rejections count."""
    later = (ASKED, proposal("wd_Q1", "accepted"), proposal("wd_Q5", "rejected"), recommended("wd_Q1"))
    never = (ASKED, proposal("wd_Q5", "rejected"), recommended("wd_Q1"))
    assert [figures(task, *events)["rejections_to_success"] for events in (later, never)] == [0.0, 1.0]
    assert figures(task, *never[:-1])["rejections_to_success"] is None


def test_leaks_are_counted_by_turn(task: Task) -> None:
    """Two user turns that gave something away count two."""
    leak = WorldEvent("leak", {"fields": ["year"]})
    assert figures(task, leak, leak)["leaks"] == 2.0
