"""Figures and ratings: what cannot be had is None with a reason, never 0."""

import asyncio
from typing import Any

import pytest

from recfw.engine.scoring import score_judges, score_metrics
from recfw.errors import OutageError
from recfw.model.score import Score
from recfw.model.task import Task
from recfw.model.trace import Trace

TASK, TRACE = Task("t", "c"), Trace()


class Figures:
    """A metric that gives, or raises, what it is told."""

    name, version, figures = "m", "2", {"a": "one", "b": "two"}

    def __init__(self, value: Any) -> None:
        self.value = value

    def score(self, task: Task, trace: Trace) -> Any:
        """Return or raise."""
        if isinstance(self.value, BaseException):
            raise self.value
        return self.value


class Rater(Figures):
    """A judge that gives, or raises, what it is told."""

    name, identity = "j", "j@1:model"

    async def judge(self, task: Task, trace: Trace) -> Any:
        """Return or raise."""
        return self.score(task, trace)


def scores(value: Any) -> list[Score]:
    """Return the scores of one metric."""
    return score_metrics([Figures(value)], TASK, TRACE)


def test_figures_name_their_scorer() -> None:
    """Every figure carries the metric's name and version."""
    assert scores({"a": 1, "b": None}) == [Score("a", 1.0, "m@2"), Score("b", None, "m@2")]


def test_truth_values_are_figures() -> None:
    """A metric may say yes and no."""
    assert [score.value for score in scores({"a": True, "b": False})] == [1.0, 0.0]


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (ZeroDivisionError("by zero"), "ZeroDivisionError: by zero"),
        (SystemExit(1), "SystemExit: 1"),
        (None, "AttributeError"),
        ({"a": "high", "b": 1}, "ValueError"),
    ],
)
def test_a_metric_that_fails_gives_none_for_each_figure(value: Any, reason: str) -> None:
    """What it raised is told with every figure; none of them is 0 or missing."""
    found = scores(value)
    assert [(score.metric, score.value) for score in found] == [("a", None), ("b", None)]
    assert all(score.detail["error"].startswith(reason) for score in found)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf")])
def test_what_is_no_number_is_none_with_a_reason(value: float) -> None:
    """NaN and infinity are not figures; the one beside them stands."""
    found = scores({"a": value, "b": 1})
    assert found == [Score("a", None, "m@2", {"error": f"the figure is {value}"}), Score("b", 1.0, "m@2")]


def test_a_failing_metric_does_not_spoil_the_next() -> None:
    """Metrics are scored one by one."""
    found = score_metrics([Figures(ZeroDivisionError()), Figures({"a": 1.0})], TASK, TRACE)
    assert [score.value for score in found] == [None, None, 1.0]


@pytest.mark.parametrize("value", [ZeroDivisionError("z"), None, [1], [{"metric": "a"}]])
def test_a_judge_that_fails_gives_none(value: Any) -> None:
    """A judge that raises, or gives no scores, has a None for each of its figures with a reason and loses no trial."""
    found, halt = asyncio.run(score_judges([Rater(value)], TASK, TRACE))
    assert [(s.metric, s.value, s.scorer) for s in found] == [("a", None, "j@1:model"), ("b", None, "j@1:model")]
    assert all(score.detail["error"] for score in found)
    assert halt == ""


def test_a_judge_that_names_no_figures_fails_under_its_own_name() -> None:
    """What it raised stands beside one None."""
    rater = Rater(ZeroDivisionError("z"))
    rater.figures = ()
    (score,), _ = asyncio.run(score_judges([rater], TASK, TRACE))
    assert (score.metric, score.value, score.scorer) == ("j", None, "j")


def test_an_outage_of_a_judge_is_told() -> None:
    """Words on why judging cannot go on come beside the scores."""
    _, halt = asyncio.run(score_judges([Rater(OutageError("the key is refused."))], TASK, TRACE))
    assert halt == "the key is refused."


def test_a_judges_scores_are_its_own() -> None:
    """A judge says itself who gave its scores."""
    rating = Score("tone", 4.0, "j@1:model", {"scale": "1-5"})
    assert asyncio.run(score_judges([Rater([rating])], TASK, TRACE)) == ([rating], "")
