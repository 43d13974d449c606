"""Each way to fail, played by a scripted agent through the engine's own loop, and told apart from all others."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest
from attrs import evolve

from recfw.elicitation.users import CostlyOptions
from recfw.engine.episode import Episode
from recfw.engine.toolbox import Toolbox
from recfw.model.reply import Reply, ToolCall
from recfw.model.results import ResultRow
from recfw.model.run import Limits, Status
from recfw.model.trace import Event, Trace
from recfw.model.view import View
from recfw.protocols import Context, ContextOverflow
from recfw_books.analysis.failure_modes import MODES, failure_mode
from recfw_books.catalog.records import BookCatalog
from recfw_books.environment import BooksEnvironment
from recfw_books.goal import to_task
from recfw_books.metrics import CHECKS, BooksSuccess
from recfw_books.model import BookTask
from recfw_books.track import BooksTrack
from recfw_books.user.rules import BooksCostly, BooksRules

Maker = Callable[[BookCatalog, BookTask], BooksEnvironment]
Step = Reply | Callable[[], Any]
"""What a scripted agent does next: a reply, or something that happens instead of one."""


def call(tool: str, **arguments: object) -> ToolCall:
    """Return a tool call."""
    return ToolCall.of(tool, **arguments)


def calls(*made: ToolCall) -> Reply:
    """Return a reply of calls."""
    return Reply(calls=made)


def pick(item: str | None = None) -> Reply:
    """Return a recommendation, or an abstention."""
    return calls(call("recommend", **({"item_id": item} if item else {})))


def propose(item: str) -> Reply:
    """Return a proposal."""
    return Reply(f"How about this one? [[candidate_id:{item}]]")


ASK = Reply("What genre, language, country, year and format do you prefer?")
CHECK = calls(call("check_formats", item_id="wd_Q1"))
GOOD, OLD, READ = "wd_Q1", "wd_Q5", "wd_Q3"


def overflow() -> None:
    """Be unable to read the view."""
    raise ContextOverflow("The dialogue is too long for me.")


def crash() -> None:
    """Break."""
    raise RuntimeError("The agent broke.")


class Script:
    """An agent that does prepared things, the last of them for ever."""

    def __init__(self, steps: Sequence[Step]) -> None:
        self._steps: Iterator[Step] = iter(steps)
        self._last = steps[-1]

    async def reply(self, view: View) -> Reply:
        """Do the next thing."""
        step = next(self._steps, self._last)
        if isinstance(step, Reply):
            return step
        step()
        await asyncio.sleep(30)
        raise AssertionError("the time cap did not end the episode")


class Curt:
    """A user that tells nothing beyond its opening, and reports these fields as asked about."""

    def __init__(self, asked: Sequence[str]) -> None:
        self._asked = list(asked)
        self._rules = BooksRules().episode(Context("user", "t", 0))

    async def reply(self, view: View) -> Reply:
        """Open as the rule-based user does, then be curt."""
        if view.facts["agent_text"] is None:
            return await self._rules.reply(view)
        return Reply("I see.", data={"asked": self._asked})


class Kept:
    """A recorder that keeps nothing: the episode's own trace is read."""

    def append(self, event: Event) -> None:
        """Take an event."""


def play(environment: BooksEnvironment, steps: Sequence[Step], limits: Limits, user: Any) -> Trace:
    """Return the trace of an episode."""
    episode = Episode(environment, BooksTrack.roles, limits, Kept(), Toolbox())  # type: ignore[arg-type]  # all it uses
    episode.players.update(agent=Script(steps), user=user)
    asyncio.run(episode.play())
    return episode.trace


QUICK = evolve(BooksTrack.limits, seconds={"agent": 0.2})
TERSE = evolve(BooksTrack.limits, replies={"agent": 2})
RULES = "rules"

CASES: dict[str, tuple[Sequence[Step], str, dict[str, Any]]] = {
    "asked_nothing": ([pick(OLD)], "recommended", {}),
    "never_asked": ([Reply("Which language do you prefer?"), pick(OLD)], "recommended", {}),
    "missed": ([ASK, pick(OLD)], "recommended", {"user": Curt([])}),
    "untold": ([ASK, pick(OLD)], "recommended", {"user": Curt(["language", "format"])}),
    "untested": ([ASK, pick(OLD)], "recommended", {}),
    "rejected": ([ASK, propose(OLD), pick(OLD)], "recommended", {}),
    "abstained": ([ASK, pick()], "abstained", {}),
    "recommended_on_nvr": ([ASK, pick(GOOD)], "recommended", {"nvr": True}),
    "second_recommendation": (
        [ASK, CHECK, calls(call("recommend", item_id=GOOD), call("recommend", item_id="wd_Q2"))],
        "recommended",
        {"check": "one_recommendation"},
    ),
    "from_history": (
        [ASK, calls(call("check_formats", item_id=READ)), pick(READ)],
        "recommended",
        {"check": "not_from_history"},
    ),
    "formats_unchecked": ([ASK, pick(GOOD)], "recommended", {"check": "formats_checked"}),
    "turn_cap": ([Reply("Hello!")], "agent_turn_limit", {}),
    "time_cap": ([lambda: None], "agent_time_limit", {"limits": QUICK}),
    "tool_cap": ([calls(call("get_reading_history"))], "agent_call_limit", {}),
    "context": ([ASK, overflow], "context_overflow", {}),
    "reply_cap": ([calls(call("get_reading_history"))], "agent_reply_limit", {"limits": TERSE}),
    "repair_cap": ([Reply("")], "agent_repair_limit", {}),
    "user_left": (
        [ASK],
        "user_left",
        {"user": BooksCostly(CostlyOptions(patience=1)).episode(Context("user", "t", 0))},
    ),
    "error": ([crash], "agent_error", {}),
}
"""Mode -> what the agent does, the stop reason, and what is unusual: user, limits, NVR, the one check that fails."""


@pytest.mark.parametrize("mode", CASES)
def test_each_mode_is_produced_and_told_apart(
    few: BookCatalog, book_task: BookTask, new_environment: Maker, mode: str
) -> None:
    """The trial fails with its own stop reason, in its own mode alone, and fails no check but the one it is about."""
    steps, stop, unusual = CASES[mode]
    chosen = evolve(book_task, nvr=True, history=()) if unusual.get("nvr") else book_task
    user = unusual.get("user") or BooksRules().episode(Context("user", "t", 0))
    trace = play(new_environment(few, chosen), steps, unusual.get("limits", BooksTrack.limits), user)
    task = to_task(chosen)
    scores = dict(BooksSuccess().score(task, trace))
    row = ResultRow("r", "c", task.id, 0, Status.COMPLETED, trace.stop, 1, 0.0, {}, scores)
    assert (trace.stop, scores["success"], failure_mode(task, row)) == (stop, 0.0, mode)
    if check := unusual.get("check"):
        assert [name for name in CHECKS if scores[name] == 0] == [check]
        assert scores["correct_ending"] == 1.0


def test_the_other_two_checks_fail_by_the_wrong_kind_of_ending(
    few: BookCatalog, book_task: BookTask, new_environment: Maker
) -> None:
    """A book on NVR and none on another task fail one check each, which no other ending fails."""
    user = BooksRules().episode(Context("user", "t", 0))
    found = []
    for nvr, steps in ((True, [CHECK, pick(GOOD)]), (False, [ASK, pick()])):
        chosen = evolve(book_task, nvr=nvr, history=())
        trace = play(new_environment(few, chosen), steps, BooksTrack.limits, user)
        scores = BooksSuccess().score(to_task(chosen), trace)
        found.append([name for name in CHECKS if scores[name] == 0])
    assert found == [["abstains_on_nvr"], ["recommends_otherwise"]]


def test_no_mode_is_left_out() -> None:
    """Every mode but the one for what cannot be told has a case, and every check is failed by one."""
    assert set(CASES) == {mode.name for mode in MODES} - {"unclassified"}


def row(task: str, stop: str = "recommended", **scores: float | None) -> ResultRow:
    """Return a completed trial."""
    return ResultRow("r", "c", task, 0, Status.COMPLETED, stop, 1, 0.0, {}, dict(scores))


def test_a_success_and_a_trial_without_a_score_have_no_mode(book_task: BookTask) -> None:
    """Only a success of 0 is a failure."""
    task = to_task(book_task)
    assert [failure_mode(task, row(task.id, success=success)) for success in (1.0, None)] == [None, None]
    assert failure_mode(task, row(task.id)) is None


def test_what_an_older_metric_scored_is_unclassified_where_it_must_be(book_task: BookTask) -> None:
    """Without the figures of elicitation a wrong book on a mixed task may be anything; on a hidden one it may not."""
    task = to_task(book_task)
    hidden = to_task(evolve(book_task, condition="hidden"))
    wrong = row(task.id, success=0.0, correct_ending=0.0, proposed_before_commit=0.0)
    assert [failure_mode(one, wrong) for one in (task, hidden)] == ["unclassified", "untested"]


def test_hidden_trials_are_of_untested_commitments_whatever_they_asked(book_task: BookTask) -> None:
    """The paper's figure 3 has its own modes for hidden tasks: elicitation is no mode of theirs."""
    hidden = to_task(evolve(book_task, condition="hidden"))
    wrong = row(
        hidden.id, success=0.0, correct_ending=0.0, proposed_before_commit=0.0, fields_unasked=2.0, fields_asked=0.0
    )
    assert failure_mode(hidden, wrong) == "untested"


def test_one_field_truly_unasked_makes_the_failure_the_agents_own(book_task: BookTask) -> None:
    """Missed is only what would have been all elicited, had the matcher heard it."""
    task = to_task(book_task)
    common: dict[str, float | None] = {"success": 0.0, "correct_ending": 0.0, "proposed_before_commit": 0.0}
    cases = [
        {"fields_asked": 0.0, "fields_unasked": 1.0, "fields_missed": 1.0, "fields_untold": 0.0},
        {"fields_asked": 1.0, "fields_unasked": 0.0, "fields_missed": 1.0, "fields_untold": 1.0},
        {"fields_asked": 1.0, "fields_unasked": 0.0, "fields_missed": 0.0, "fields_untold": 1.0},
    ]
    found = [failure_mode(task, row(task.id, **common, **case)) for case in cases]
    assert found == ["never_asked", "missed", "untold"]
