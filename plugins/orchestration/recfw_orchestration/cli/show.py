"""``recfw orchestration show``: a task, its request as it was and as it is told, its gold workflow drawn."""

from collections.abc import Sequence
from pathlib import Path
from textwrap import fill
from typing import Any

import click
import orjson

from recfw.errors import UsageError
from recfw.known import suggestion
from recfw.model.task import Task
from recfw_orchestration.cli.common import tasks_of, tasks_option
from recfw_orchestration.tasks.drawing import check_picture, draw_picture, drawn
from recfw_orchestration.tasks.records import phrases_of, workflow_of

WIDTH = 80


@click.command()
@click.argument("name", metavar="TASK")
@tasks_option
@click.option("--picture", metavar="FILE", type=Path, help="Draw the workflow, too, into a .png or .svg file.")
@click.option("--json", "as_json", is_flag=True, help="Print the whole task as JSON.")
def show(name: str, file: Path | None, picture: Path | None, *, as_json: bool) -> None:
    """
    Show a task: request, context, fuzzy phrases, target, and its gold workflow as a drawing.

    \b
    Examples:
      recfw orchestration show local-L4-001
      recfw orchestration show electronics-L3-010 --picture flow.png
    """  # noqa: D301 - click reads \b as the character that it stands for
    if picture is not None:
        check_picture(picture)
    pool, named = tasks_of(file)
    task = next((task for task in pool.tasks if task.id == name), None)
    if task is None:
        raise UsageError(f"{named}: there is no task '{name}'.", _next_step(name, [task.id for task in pool.tasks]))
    if as_json:
        whole = {"id": task.id, "facets": task.facets, "public": task.public, "private": task.private}
        click.echo(orjson.dumps(whole, option=orjson.OPT_INDENT_2).decode())
    else:
        click.echo(told(task))
    if picture is not None:
        draw_picture(workflow_of(task), f"{task.id}: {workflow_of(task).flow}", picture)
        click.echo(f"Picture: {picture}", err=True)


def _next_step(name: str, known: Sequence[str]) -> str:
    """Return the closest id; where none is close, what ids look like."""
    if not known:
        return "It holds no task."
    return suggestion(name, known) or f"Its {len(known):,} tasks are named like '{known[0]}' and '{known[-1]}'."


def told(task: Task) -> str:
    """Return a task in words."""
    public, private, facets = task.public, task.private, task.facets
    known = {name: public[name] for name in ("user_id", "place", "time") if public.get(name)}
    lines = [
        f"{task.id}: {facets['level']}, {facets['domain']}, {facets['ambiguity']} ambiguity",
        "",
        fill(public["instruction"], WIDTH),
        "",
        *(f"{name.replace('_', ' ')}: {_plain(value)}" for name, value in known.items()),
        fill(f"candidates ({len(public['candidates'])}): {', '.join(public['candidates'])}", WIDTH),
        f"tools: {len(public['tools'])}",
        "",
        "Hidden from the agent",
        fill(f"plain: {private['plain']}", WIDTH),
        *(_phrase(phrase) for phrase in phrases_of(task)),
        f"target: {private['target']}",
        "",
        drawn(workflow_of(task)),
    ]
    return "\n".join(lines)


def _plain(value: Any) -> str:
    return ", ".join(f"{name} {inner}" for name, inner in value.items()) if isinstance(value, dict) else str(value)


def _phrase(phrase: Any) -> str:
    meant = "; ".join(f"'{word}' means {slot} {phrase.values[slot]}" for slot, word in phrase.words.items())
    return fill(f"{phrase.type.replace('_', ' ')}: {phrase.text}{f' ({meant})' if meant else ''}", WIDTH)
