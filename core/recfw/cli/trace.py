"""``recfw trace``: one trial as a dialogue that people can read."""

import re
from itertools import islice
from typing import Any

import click
import orjson

from recfw.cli.common import find_trial, open_store, store_option
from recfw.errors import UsageError
from recfw.model.run import TrialKey
from recfw.model.trace import EndEvent, Event, PictureEvent, RefusalEvent, ReplyEvent, ToolEvent, WorldEvent
from recfw.report.words import one_line, printable
from recfw.serialize import read_event, trace_lines
from recfw.store.repository import Store

PAGE = 500
"""Events of one page."""
COLOURS = {"agent": "cyan", "user": "green"}
MOST = 600


@click.command()
@click.argument("name", metavar="RUN")
@click.argument("words", metavar="TRIAL")
@click.option("--attempt", metavar="N", type=int, help="Which attempt. [default: the one that counts]")
@click.option("--events", "span", metavar="A..B", help="Only these events, by number; `..` for all.")
@click.option("--page", metavar="N", type=click.IntRange(1), help=f"Only the Nth {PAGE} events.")
@click.option("--full", is_flag=True, help="Do not shorten tool answers and events.")
@click.option("--json", "as_json", is_flag=True, help="Print the events as JSON lines.")
@store_option
def trace(
    name: str,
    words: str,
    attempt: int | None,
    span: str | None,
    page: int | None,
    *,
    full: bool,
    as_json: bool,
    place: str | None,
) -> None:
    """
    Read one trial: who said what, which tools answered what, what the world ruled.

    TRIAL is cell/task/number, as `recfw report` and errors name it; cell and number may be left out where that is
    clear. Of a long trial the first page is shown.
    """
    if span is not None and page is not None:
        raise UsageError("--events and --page both say which events.", "Leave one of them out.")
    with open_store(place) as store:
        run = store.run(name)
        key = find_trial(store, run.id, words)
        if attempt is not None:
            _check_attempt(store, run.id, key, attempt)
        info = store.trial(run.id, key, attempt)
        packed = store.packed_trace(run.id, key, attempt)
        scores = store.scores(run.id, key, attempt)
    where = f"run {run.id}, trial {key}"
    chosen = _span(span, page, everything=as_json)
    lines = islice(enumerate(trace_lines(packed, where)), chosen.start, chosen.stop)
    if as_json:
        for _, line in lines:
            click.echo(line)
        return
    head = f"{key}, attempt {info.attempt}: {info.status.value}, {info.stop}, {info.seconds:.2f} s"
    click.secho(one_line(head), bold=True)
    if info.error:
        click.secho(f"  {printable(info.error)}", fg="red")
    shown = 0
    for number, line in lines:
        shown += 1
        _show(read_event(line, f"{where}, event {number}"), full=full)
    for score in scores:
        value = "-" if score.value is None else f"{score.value:g}"
        click.echo(f"  {one_line(score.metric):28} {value:>8}  {one_line(score.scorer)}")
    if shown < info.events:
        click.echo(_rest(chosen.start, shown, info.events))


def _span(span: str | None, page: int | None, *, everything: bool) -> slice:
    """Return which events to show: those asked for, or the first page."""
    if span is not None:
        found = re.fullmatch(r"(\d*)(\.\.)?(\d*)", span.strip())
        if found is None or not span.strip():
            raise UsageError(f"--events {span}: names no events.", "Write A..B, A.., ..B or a number; they begin at 0.")
        first = int(found[1] or 0)
        return slice(first, first + 1 if not found[2] else int(found[3]) + 1 if found[3] else None)
    if page is not None:
        return slice((page - 1) * PAGE, page * PAGE)
    return slice(0, None if everything else PAGE)


def _rest(first: int, shown: int, total: int) -> str:
    if not shown:
        return f"\nThere are {total:,} events, and none of those numbers."
    following = f"--page {(first + shown) // PAGE + 1}" if first + shown < total else ""
    more = f" Go on with {following}, or" if following else " There is"
    return f"\nEvents {first:,} to {first + shown - 1:,} of {total:,}.{more} --events A..B (`..` for all)."


def _check_attempt(store: Store, run: str, key: TrialKey, attempt: int) -> None:
    known = [info.attempt for info in store.trials(run, cell=key.cell, task=key.task) if info.key == key]
    if attempt not in known:
        raise UsageError(
            f"trial {key} of run {run} has no attempt {attempt}.", f"It has: {', '.join(map(str, known))}."
        )


def _show(event: Event, *, full: bool) -> None:
    match event:
        case ReplyEvent(role, turn, reply):
            head = click.style(one_line(f"{role} {turn}"), fg=COLOURS.get(role, "magenta"), bold=True)
            click.echo(f"\n{head}  {_shorten(reply.text, full=full)}".rstrip())
            if reply.data is not None:
                click.secho(f"  data {_json(reply.data, full=full)}", fg="magenta")
        case ToolEvent():
            colour = "red" if event.error else "yellow"
            asked = _json(event.arguments, full=full) if event.arguments is not None else "(refused)"
            click.secho(f"  {one_line(event.tool)} {asked}", fg=colour)
            click.echo(f"    -> {_json(event.content, full=full)}")
        case WorldEvent(name, data):
            click.secho(f"  [{one_line(name)}] {_json(data, full=full)}", fg="blue")
        case RefusalEvent(role, _, words):
            click.secho(f"  refused: {printable(words)}", fg="red")
        case PictureEvent():
            seen = one_line(f"{event.role} looked at {event.handle} ({event.sha256[:12]})")
            click.secho(f"  {seen}", dim=True)
        case EndEvent(stop, summary, error):
            click.secho(f"\nend: {one_line(stop)} {printable(error)}".rstrip(), bold=True)
            if summary:
                click.echo(f"  {_json(summary, full=full)}")


def _json(value: Any, *, full: bool) -> str:
    return _shorten(value if isinstance(value, str) else orjson.dumps(value).decode(), full=full)


def _shorten(text: str, *, full: bool) -> str:
    text = printable(text)
    return text if full or len(text) <= MOST else f"{text[:MOST]}… ({len(text)} characters, --full shows all)"
