"""Gathers what ``situated-paper`` holds beyond scores: suggestions in traces, questionnaires, correlations, frames."""

from collections.abc import Mapping
from pathlib import Path

from attrs import evolve

from recfw.model.results import Results
from recfw_situated.analysis.blocks import Extra
from recfw_situated.analysis.navigate import suggestions
from recfw_situated.analysis.settings import Setting
from recfw_situated.analysis.study import Pool, Study
from recfw_situated.analysis.tables import COMPARED, DIALOGUE, Measured, full
from recfw_situated.human.agreement import Agreement, agree, questionnaire_means
from recfw_situated.human.answers import read_answers, read_plan


def read_extra(results: Results, study: Study, paths: tuple[Path, Path] | None, film: str) -> Extra:
    """
    Gather it.

    Args:
        results: The runs.
        study: The same, read.
        paths: Plan and questionnaire, or None.
        film: A trial of which frames are shown; empty for none.
    """
    extra = Extra(suggestions(results, study), performance=_performance(study))
    if paths is not None:
        answers = read_answers(paths[1], read_plan(paths[0]))
        means = questionnaire_means(answers.given)
        ratings = _ratings(study, means)
        extra = evolve(extra, questionnaire=means, missing=len(answers.missing), ratings=ratings)
    if film:
        from recfw_situated.film.stills import stills  # noqa: PLC0415 - starts a simulator; no other report needs it

        extra = evolve(extra, frames=stills(results, film))
    return extra


def _performance(study: Study) -> tuple[Agreement, ...]:
    """Return table 4, of the first scene that both sets have with assistants in common."""
    for scene in study.scenes:
        first, second = full(study, scene), study.rows(scene, second=True)
        if {s.row for s in first} & {s.row for s in second}:
            return tuple(
                agree(column.title.removesuffix(" (%)"), _means(first, column), _whole(second, column))
                for column in COMPARED
            )
    return ()


def _ratings(study: Study, means: Mapping[str, Mapping[str, float]]) -> tuple[Agreement, ...]:
    for scene in study.scenes:
        second = study.rows(scene, second=True)
        if {s.row for s in second} & {name for held in means.values() for name in held}:
            return tuple(agree(column.title, dict(means[column.figure]), _whole(second, column)) for column in DIALOGUE)
    return ()


def _means(rows: Mapping[Setting, Pool], column: Measured) -> dict[str, float | None]:
    """Return assistant -> mean over subsets, unrounded."""
    return {setting.row: column.of(pool).value for setting, pool in rows.items()}


def _whole(rows: Mapping[Setting, Pool], column: Measured) -> dict[str, float | None]:
    """Return assistant -> mean over all trajectories, as the paper has it of people's."""
    return {setting.row: column.of(pool, whole=True).value for setting, pool in rows.items()}
