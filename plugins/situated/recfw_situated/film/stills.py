"""A few frames of an episode for a report: the first view, before and after the last inspection, the end."""

from itertools import pairwise

from attrs import evolve

from recfw.errors import UsageError
from recfw.model.document import Image
from recfw.model.results import ResultRow, Results
from recfw_situated.driver.pool import Stores
from recfw_situated.film.frames import Shot, encoded, shoot
from recfw_situated.film.scenario import Moment, scenario, source_of
from recfw_situated.scenes.load import load_scene
from recfw_situated.views.labels import USER


def stills(results: Results, words: str) -> tuple[Image, ...]:
    """
    Return the user's views of one trial, with what was said and done as captions.

    Args:
        results: The runs under analysis.
        words: ``cell/task/number``.

    Raises:
        UsageError: No run has that trial, or several have.
        InfrastructureError: A store does not start or answer.
    """
    row = _row(results, words)
    spec = next(run.spec for run in results.runs if run.id == row.run)
    source = source_of(spec, row.cell, results.tasks(row.run)[row.task])
    scene = load_scene(source)
    film = scenario(results.trace(row), scene)
    chosen = evolve(film, moments=telling(film.moments))
    return tuple(_image(shot, words) for shot in shoot(chosen, Stores(scene, source=source), (USER,)))


def telling(moments: tuple[Moment, ...]) -> tuple[Moment, ...]:
    """Return the first and last moments, and those before and after something was last taken to hand or checked."""
    wanted = {0, len(moments) - 1}
    taken = [
        number
        for number, (before, after) in enumerate(pairwise(moments), 1)
        if (after.held or after.shown) and (after.held, after.shown) != (before.held, before.shown)
    ]
    wanted |= {taken[-1] - 1, taken[-1]} if taken else set()
    return tuple(moment for number, moment in enumerate(moments) if number in wanted)


def _row(results: Results, words: str) -> ResultRow:
    rows = [row for run in results.runs for row in results.rows(run.id)]
    found = [row for row in rows if f"{row.cell}/{row.task}/{row.trial}" == words]
    if len(found) == 1:
        return found[0]
    example = f"Name one as cell/task/number, such as {rows[0].cell}/{rows[0].task}/{rows[0].trial}." if rows else ""
    trouble = "no run of the report has" if not found else "several runs of the report have"
    raise UsageError(f"film: {trouble} the trial '{words}'.", example)


def _image(shot: Shot, words: str) -> Image:
    moment = shot.moment
    last = moment.assistant is None and moment.user is None
    where = "at the end" if last else f"turn {moment.turn}"
    said = [f"Assistant: {moment.assistant}"] if moment.assistant else []
    said += [f"Customer: {moment.user}"] if moment.user else []
    said += [f"Action: {moment.action}"] if moment.action else []
    caption = f"{words}, {where}. {' '.join(said)}".strip()
    return Image(f"what the customer saw, {where}", "image/webp", encoded(shot.views[USER]), caption)
