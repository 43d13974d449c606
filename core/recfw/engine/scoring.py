"""Scoring a finished trace: metrics purely, judges by asking; what fails is None with a reason, never 0."""

import math
from collections.abc import Sequence
from functools import partial
from typing import Any

from recfw.engine.deadline import Passing, allowing, within
from recfw.errors import OutageError, words_of
from recfw.model.run import ComponentSpec
from recfw.model.score import Score
from recfw.model.task import Task
from recfw.model.trace import Trace
from recfw.protocols import Judge, Metric, Track
from recfw.registry import Registry, option_fields

SCORER_SECONDS = 600.0
"""Deadline of one metric's or judge's figures of one trace."""


def scorer_identity(metric: Metric) -> str:
    """Return who gives a metric's figures: its name and version."""
    return f"{metric.name}@{metric.version}"


def metrics_of(registry: Registry, track: type[Track] | Track) -> list[Metric]:
    """Return a track's metrics; one with an option ``role`` is given the role under evaluation."""
    evaluated = next(role for role, spec in track.roles.items() if spec.evaluated)
    made: list[Metric] = []
    for name in track.metrics:
        has_role = "role" in option_fields(registry.find("metrics", name))
        made.append(registry.create("metrics", ComponentSpec(name, {"role": evaluated} if has_role else {})))
    return made


def score_metrics(metrics: Sequence[Metric], task: Task, trace: Trace) -> list[Score]:
    """Return every figure of every metric; a metric that fails gives None for each, with what it raised."""
    scores: list[Score] = []
    for metric in metrics:
        scorer = scorer_identity(metric)
        try:
            with allowing(SCORER_SECONDS):
                figures = metric.score(task, trace)
            scores += [_figure(name, value, scorer) for name, value in figures.items()]
        except Passing:
            raise
        except BaseException as error:  # noqa: BLE001 - a metric cannot lose a trial
            detail: dict[str, Any] = {"error": words_of(error)}
            scores += [Score(name, None, scorer, detail) for name in metric.figures]
    return scores


def _figure(name: str, value: Any, scorer: str) -> Score:
    if value is None:
        return Score(name, None, scorer)
    number = float(value)
    if not math.isfinite(number):
        return Score(name, None, scorer, {"error": f"the figure is {number}"})
    return Score(name, number, scorer)


def _checked(scores: Sequence[Score]) -> list[Score]:
    for score in scores:
        if not isinstance(score, Score):
            raise TypeError(f"the judge gave {score!r}, not a Score")
    return list(scores)


def _without_a_value(judge: Judge, detail: dict[str, Any]) -> list[Score]:
    names = tuple(getattr(judge, "figures", ()))
    return [Score(name, None, judge.identity, detail) for name in names] or [
        Score(judge.name, None, judge.name, detail)
    ]


async def score_judges(judges: Sequence[Judge], task: Task, trace: Trace) -> tuple[list[Score], str]:
    """
    Return every judge's scores, and words on why judging cannot go on, if it cannot.

    A judge that fails gives None for each of its figures, with what it raised; under its own name where it names none.
    """
    scores: list[Score] = []
    halt = ""
    for judge in judges:
        try:
            scores += _checked(await within(SCORER_SECONDS, partial(judge.judge, task, trace)))
        except Exception as error:  # noqa: BLE001 - a judge cannot lose a trial
            detail: dict[str, Any] = {"error": words_of(error)}
            scores += _without_a_value(judge, detail)
            halt = words_of(error) if isinstance(error, OutageError) else halt
    return scores, halt
