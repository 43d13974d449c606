"""The rubric, what a judge is shown, and the rule-based judge."""

import asyncio
from typing import Any

import pytest

from recfw.model.task import Task
from recfw.model.trace import Trace
from recfw.testing.contracts import JudgeContract
from recfw_orchestration.judging.judge import RuleJudge
from recfw_orchestration.judging.rubric import rubric
from recfw_orchestration.judging.rules import FIGURES
from recfw_orchestration.judging.transcript import transcript
from recfw_orchestration.metrics.component import OrchestrationFigures
from recfw_orchestration.tasks.records import Allowed, Edge

IDS = ["C01", "C07"]


def chain(made: Any, level: str) -> Task:
    """Return a task of two steps."""
    task: Task = made.task(
        level,
        made.gold("c1", "history", user_id="U1"),
        made.gold("c2", "filter", Edge("c1", "item_id", "item_ids"), item_ids=Allowed((IDS,), "set"), min_rating=4.5),
        rounds=2,
    )
    return task


def rounds(made: Any) -> list[list[Any]]:
    """Return what gold sends for it."""
    return [
        [made.sent("history", {"user_id": "U1"}, made.items(*IDS))],
        [made.sent("filter", {"item_ids": IDS, "min_rating": 4.5}, made.items("C07"))],
    ]


def points(task: Task, trace: Trace) -> dict[str, float | None]:
    """Return the rule-based judge's points."""
    return {score.metric: score.value for score in asyncio.run(RuleJudge().judge(task, trace))}


@pytest.mark.parametrize(
    ("level", "names"),
    [
        ("L1", {"parameters"}),
        ("L2", {"parameters"}),
        ("L3", {"grounding", "dependency"}),
        ("L4", {"planning", "efficiency", "parameters", "grounding"}),
    ],
)
def test_both_judges_are_asked_what_the_level_asks(made: Any, level: str, names: set[str]) -> None:
    """The table of the specification, on the scale of 1 to 10, each judge under names of its own."""
    task = chain(made, level)
    asked = rubric().of(task).criteria
    assert {one.name for one in asked} == {f"judged_{name}" for name in names}
    assert {(one.low, one.high) for one in asked} == {(1, 10)}
    assert set(points(task, made.trace(*rounds(made)))) == {f"ruled_{name}" for name in names}
    assert rubric().evaluations == 5


def test_no_figure_stands_in_anothers_column() -> None:
    """Names of metrics, of the model judge and of the rule-based one have nothing in common."""
    judged = {criterion.name for criterion in rubric().criteria}
    assert judged.isdisjoint(FIGURES)
    assert set(OrchestrationFigures.figures).isdisjoint({*judged, *FIGURES})


def test_only_the_judge_of_chains_is_shown_the_reference(made: Any) -> None:
    """What only gold knows of a filter stands in the briefing of L3, and of no other level."""
    for level in ("L1", "L2", "L3", "L4"):
        shown = transcript(chain(made, level), made.trace())
        assert ("4.5" in shown.briefing) == (level == "L3")
        assert "C07" in shown.briefing  # among the candidates, unmarked


def test_a_transcript_tells_rounds_calls_results_and_the_answer(made: Any) -> None:
    """Calls are named by round and position; long results are cut."""
    long = [made.sent("web", {"query": "x"}, {"text": "word " * 500})]
    shown = transcript(chain(made, "L4"), made.trace(*rounds(made), long))
    who = [name for name, _ in shown.dialogue]
    assert who == ["user", "round 1, call 1: history", "round 2, call 1: filter", "round 3, call 1: web", "assistant",
                   "end"]  # fmt: skip
    words = dict(shown.dialogue)
    assert words["round 2, call 1: filter"].startswith('{"item_ids":["C01","C07"],"min_rating":4.5} -> {"items":')
    assert words["round 3, call 1: web"].endswith("… (2,511 characters)")


def test_rules_give_a_sound_rollout_ten_points(made: Any) -> None:
    """Grounded arguments, a ranking that results hold, every edge met, no idle call."""
    trace = made.trace(*rounds(made))
    assert set(points(chain(made, "L3"), trace).values()) == {10.0}
    assert set(points(chain(made, "L4"), trace).values()) == {10.0}
    assert set(points(chain(made, "L4"), made.trace()).values()) == {1.0}


@pytest.mark.parametrize(
    ("arguments", "share"),
    [
        ({"user_id": "U1", "query": "lighter cameras"}, 1.0),
        ({"user_id": "U2", "query": "lighter cameras"}, 0.5),
        ({"user_id": "U1", "query": "toaster"}, 0.5),
        ({"item_ids": ["C01", "X1"]}, 0.0),
        ({"lat": 40.7001, "lon": -74.0}, 1.0),
        ({"lat": 41.0, "lon": -74.0}, 0.5),
        ({"local_time": "2024-05-01T19:45"}, 1.0),
        ({"local_time": "2024-05-01T23:45"}, 0.0),
        ({"sort": "recent", "limit": 5, "min_rating": 4}, 1.0),
    ],
)
def test_parameters_must_have_a_ground(made: Any, arguments: dict[str, Any], share: float) -> None:
    """In the request, the known facts, or an earlier result."""
    place = {"lat": 40.7, "lon": -74.0, "name": "the station"}
    task = made.task("L1", made.gold("c1", "search"), place=place, time="2024-05-01T19:30")
    rated = points(task, made.trace([made.sent("search", arguments)]))
    assert rated == {"ruled_parameters": pytest.approx(1 + 9 * share)}


def test_a_failed_call_has_no_ground_and_an_empty_one_half(made: Any) -> None:
    """Whatever its arguments."""
    task = made.task("L1", made.gold("c1", "search"))
    empty = made.sent("search", {"user_id": "U1"}, made.items(), new=0)
    failed = made.sent("search", {"user_id": "U1"}, "no", error=True, new=0)
    assert points(task, made.trace([empty]))["ruled_parameters"] == pytest.approx(5.5)
    assert points(task, made.trace([failed]))["ruled_parameters"] == 1.0


def test_a_ranking_from_nowhere_is_not_grounded(made: Any) -> None:
    """The first place and two of three stand in no result: (0 + 1/3) / 2."""
    rated = points(chain(made, "L3"), made.trace(*rounds(made), ranking=["X1", "C07", "X2"]))
    assert rated["ruled_grounding"] == pytest.approx(1 + 9 / 6)


class TestRuleJudge(JudgeContract):
    """The rule-based judge as a component."""

    component = RuleJudge

    @pytest.fixture(autouse=True)
    def _take(self, made: Any) -> None:
        self.made = made

    def cases(self) -> list[tuple[Task, Trace]]:
        """Return a sound rollout and an empty one."""
        return [(chain(self.made, "L4"), self.made.trace(*rounds(self.made))), (chain(self.made, "L3"), Trace())]
