"""``recfw runs delete|prune|tag|note|merge``: what changes stored runs."""

import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

import click

from recfw.cli.common import open_store, store_option
from recfw.cli.imports import bring_in
from recfw.cli.measures import read_age, size_words
from recfw.cli.objects import json_option, print_json, printed_at_last
from recfw.cli.runs_list import run_data
from recfw.errors import StoreError, UsageError
from recfw.known import suggestion
from recfw.report.words import one_line, printable
from recfw.store.records import STATUSES, RunSummary
from recfw.store.repository import Store
from recfw.store.space import space_of
from recfw.store.transfer.sources import store_source


@click.command("delete")
@click.argument("names", metavar="RUN...", nargs=-1, required=True)
@click.option("--yes", is_flag=True, help="Do not ask.")
@json_option
@store_option
def delete(names: tuple[str, ...], *, yes: bool, as_json: bool, place: str | None) -> None:
    """Delete runs with all their trials, traces and pictures."""
    deleted: list[str] = []
    with printed_at_last({"deleted": deleted}, as_json=as_json), open_store(place, read_only=False) as store:
        found = list({info.id: info for info in map(store.run, names)}.values())
        _check_can_ask(yes=yes)
        for info in found:
            if not yes and not _confirmed(f"Delete run {info.id} ({info.planned} trials planned, {info.status})?"):
                raise UsageError("nothing was deleted.")
        for info in found:
            with store.journal(info.id).lock():
                store.delete_run(info.id)
            deleted.append(info.id)
            if not as_json:
                click.echo(f"Deleted {info.id}.")


@click.command("prune")
@click.option(
    "--older-than", metavar="AGE", callback=read_age, help="Runs begun longer ago than this: 12h, 30d, 8w, 1y."
)
@click.option("--keep", metavar="N", type=click.IntRange(0), help="All runs but the N newest.")
@click.option("--status", metavar="STATUS", multiple=True, help=f"Runs of this status: {', '.join(STATUSES)}.")
@click.option("--track", metavar="NAME", help="Only runs of this track.")
@click.option("--tagged", is_flag=True, help="Tagged runs as well, which are spared otherwise.")
@click.option("--dry-run", is_flag=True, help="Show what would be deleted, and stop.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@json_option
@store_option
def prune(
    older_than: float | None,
    keep: int | None,
    status: tuple[str, ...],
    track: str | None,
    *,
    tagged: bool,
    dry_run: bool,
    yes: bool,
    as_json: bool,
    place: str | None,
) -> None:
    """
    Delete old runs: those to which all of the options apply.

    Runs with a tag are spared unless --tagged is said, and so are runs that are being carried out.

    \b
    Examples:
      recfw runs prune --older-than 30d --dry-run
      recfw runs prune --keep 20 --track NAME
      recfw runs prune --status interrupted --yes
    """  # noqa: D301 - click reads \b as the character that it stands for
    if older_than is None and keep is None and not status:
        raise UsageError("prune was not told which runs.", "Say --older-than, --keep or --status.")
    before = None if older_than is None else time.time() - older_than
    for word in status:
        if word not in STATUSES:
            raise UsageError(f"no run has the status '{one_line(word)}' (known: {', '.join(STATUSES)}).",
                             suggestion(word, STATUSES))  # fmt: skip
    told: dict[str, Any] = {"runs": [], "bytes": 0, "deleted": [], "spared": []}
    say = _silent if as_json else click.echo
    with printed_at_last(told, as_json=as_json), open_store(place, read_only=dry_run) as store:
        listed = [run for run in store.runs() if track in {None, run.info.spec.track}]
        chosen = [run for run in _old(listed, before, keep) if not status or run.info.status in status]
        found = [run for run in chosen if tagged or not run.tags]
        for run in (run for run in chosen if run not in found):
            say(f"Spared {run.info.id}, tagged {', '.join(run.tags)}.")
            told["spared"].append({"id": run.info.id, "why": "tagged"})
        for run in found:
            _show(store, run, told, say)
        if not found or dry_run:
            runs = "1 run" if len(found) == 1 else f"{len(found)} runs"
            verb = "would be" if dry_run else "was" if len(found) == 1 else "were"
            say(f"{runs} {verb} deleted ({size_words(told['bytes'])}).")
            return
        _check_can_ask(yes=yes)
        if not yes and not _confirmed(f"Delete {_these(found)} ({size_words(told['bytes'])})?"):
            raise UsageError("nothing was deleted.")
        _delete(store, found, told, say)


def _these(found: Sequence[RunSummary]) -> str:
    return "this run" if len(found) == 1 else f"these {len(found)} runs"


def _old(listed: Sequence[RunSummary], before: float | None, keep: int | None) -> list[RunSummary]:
    """Return the runs that are old enough, of those listed with the oldest first."""
    beyond = listed[: max(0, len(listed) - keep)] if keep is not None else listed
    return [run for run in beyond if before is None or run.info.created < before]


def _show(store: Store, run: RunSummary, told: dict[str, Any], say: Callable[[str], None]) -> None:
    """Tell what is to be deleted, and add up the bytes that it alone takes."""
    size = space_of(store.database, run.info.id)
    told["bytes"] += size.total - size.shared
    told["runs"].append(run_data(run) | {"bytes": size.total})
    day = time.strftime("%Y-%m-%d", time.gmtime(run.info.created))
    done = f"{run.completed}/{run.info.planned}"
    say(f"{run.info.id}  {day}  {one_line(run.info.spec.track):16} {one_line(run.info.status):12} {done:>13}"
        f"  {size_words(size.total):>8}")  # fmt: skip


def _delete(store: Store, found: Sequence[RunSummary], told: dict[str, Any], say: Callable[[str], None]) -> None:
    for run in found:
        try:
            with store.journal(run.info.id).lock():
                store.delete_run(run.info.id)
        except StoreError as error:
            if not error.message.startswith(f"Run {run.info.id} is being carried out"):
                raise
            say(f"Spared {run.info.id}, which is being carried out.")
            told["spared"].append({"id": run.info.id, "why": "being carried out"})
            continue
        say(f"Deleted {run.info.id}.")
        told["deleted"].append(run.info.id)


def _silent(words: str) -> None:
    """Say nothing: all of it stands in the JSON object."""


def _confirmed(question: str) -> bool:
    """Ask on standard error: what is printed is the result alone."""
    return click.confirm(question, err=True)


def _check_can_ask(*, yes: bool) -> None:
    if not yes and not sys.stdin.isatty():
        raise UsageError("deleting asks first, and there is no terminal to ask on.", "Say --yes.")


@click.command("tag")
@click.argument("name", metavar="RUN")
@click.argument("tags", metavar="[TAG]...", nargs=-1)
@click.option("--remove", is_flag=True, help="Take the tags off the run.")
@json_option
@store_option
def tag(name: str, tags: tuple[str, ...], *, remove: bool, as_json: bool, place: str | None) -> None:
    """
    Give a run tags, or show those that it has.

    A run can be named by a tag that no other run has, and `recfw runs prune` spares tagged runs.

    \b
    Examples:
      recfw runs tag latest paper baseline
      recfw runs tag latest baseline --remove
    """  # noqa: D301 - click reads \b as the character that it stands for
    if remove and not tags:
        raise UsageError("--remove was not told which tags.", "Name them after the run.")
    with open_store(place, read_only=not tags) as store:
        run = store.run(name).id
        if tags:
            (store.labels.remove if remove else store.labels.add)(run, tags)
        held = store.labels.tags().get(run, ())
    if as_json:
        print_json({"run": run, "tags": list(held)})
    else:
        click.echo(f"{run}: {', '.join(held) or 'no tags'}")


@click.command("note")
@click.argument("name", metavar="RUN")
@click.argument("text", metavar="[TEXT]", required=False)
@click.option("--clear", is_flag=True, help="Remove the note.")
@json_option
@store_option
def note(name: str, text: str | None, *, clear: bool, as_json: bool, place: str | None) -> None:
    """
    Write a note on a run, or show the one that it has.

    \b
    Examples:
      recfw runs note latest "the prompt without examples"
      recfw runs note latest
      recfw runs note latest --clear
    """  # noqa: D301 - click reads \b as the character that it stands for
    if clear and text is not None:
        raise UsageError("--clear removes the note, and a text was given too.", "Leave one of them out.")
    if text is not None and not text.strip():
        raise UsageError("the note is empty.", "Say --clear to remove it.")
    change = clear or text is not None
    with open_store(place, read_only=not change) as store:
        run = store.run(name).id
        if change:
            store.labels.set_note(run, text or "")
        held = store.labels.notes().get(run, "")
    if as_json:
        print_json({"run": run, "note": held})
    else:
        click.echo(printable(held) if held else f"{run}: no note")


@click.command("merge")
@click.argument("other", metavar="STORE")
@click.argument("names", metavar="[RUN]...", nargs=-1)
@json_option
@store_option
def merge(other: str, names: tuple[str, ...], *, as_json: bool, place: str | None) -> None:
    """
    Bring runs of another store into this one (default: all of them).

    A run that both have is given here what only the other one holds: trials, scores, tags. It is refused where they
    contradict each other.

    \b
    Examples:
      recfw runs merge ../laptop/.recfw/runs.db
      recfw runs merge postgresql://me@host/results 20260101 --store mine.db
    """  # noqa: D301 - click reads \b as the character that it stands for
    told: list[dict[str, Any]] = []
    with printed_at_last({"runs": told}, as_json=as_json), open_store(other) as source:
        ids = [store.id for store in map(source.run, names)] if names else [run.info.id for run in source.runs()]
        bring_in(store_source(source, list(dict.fromkeys(ids))), place, told, as_json=as_json)
