"""``recfw runs show``: what one run was asked, how far it got, and what it takes of the disk."""

import time

import click
import orjson

from recfw.cli.common import open_store, store_option
from recfw.cli.executor import executor_words
from recfw.cli.measures import size_words
from recfw.cli.runs_list import run_data, status_words
from recfw.cli.wrapping import hanging
from recfw.model.run import ComponentSpec
from recfw.report.words import one_line, printable
from recfw.serialize import to_data
from recfw.store.carrying import executor_of
from recfw.store.holders import carried_in, state_of
from recfw.store.records import RunSummary
from recfw.store.space import Space, space_of


@click.command("show")
@click.argument("name", metavar="[RUN]", default="latest")
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON, with the whole specification.")
@store_option
def show_run(name: str, *, as_json: bool, place: str | None) -> None:
    """
    Show what one run was asked, of what, how far it got and how much of the disk it takes.

    Without RUN it is the newest.
    """
    with open_store(place) as store:
        run, carried = store.run(name).id, carried_in(store.journals)
        summary = next(summary for summary in store.runs() if summary.info.id == run)
        endings, space = store.endings(run), space_of(store.database, run)
        executor = executor_of(store.database, run)
        local = store.database.path is not None
        state = state_of(run, summary.info.status, store.journals, carried, local=local)
    if as_json:
        told = {"state": state, "spec": to_data(summary.info.spec), "endings": endings, "bytes": _bytes(space)}
        told["executor"] = executor and to_data(executor)
        click.echo(orjson.dumps(run_data(summary) | told, option=orjson.OPT_INDENT_2))
        return
    for title, text in _lines(summary, state, space, executor):
        shown = text if title == "note" else one_line(text)  # what was imported may hold words that steer a terminal
        click.echo(f"{title:15} {shown}" if title == "note" else hanging(f"{title:15} ", shown))
    for ending, count in sorted(endings.items(), key=lambda item: (-item[1], item[0])):
        click.echo(hanging(f"{'ending':15} ", f"{count} {one_line(ending)}"))


def _lines(summary: RunSummary, state: str, space: Space, executor: ComponentSpec | None) -> list[tuple[str, str]]:
    info, spec = summary.info, summary.info.spec
    labels = [("tags", ", ".join(summary.tags))] if summary.tags else []
    labels += [("note", printable(summary.note).replace("\n", f"\n{'':16}"))] if summary.note else []
    cells = [
        (cell.name, ", ".join(f"{role} {component.name}" for role, component in cell.roles.items()))
        for cell in spec.cells
    ]
    status = status_words(info.status, state)
    return [
        ("run", info.id),
        *labels,
        ("created", time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime(info.created))),
        ("plugin, track", f"{spec.plugin}, {spec.track}"),
        ("status", f"{status}: {summary.completed} of {info.planned} completed, {summary.failed} failed"),
        ("tasks", ", ".join(spec.tasks) or "all"),
        ("trials, seed", f"{spec.trials}, {spec.seed}"),
        ("spec digest", info.spec_digest),
        ("content digest", info.content_digest),
        ("versions", ", ".join(f"{n} {v}" for n, v in sorted(info.versions.items()) if " " not in n)),
        ("executor", executor_words(executor) if executor else "not recorded"),
        ("disk", _disk(space)),
        *(("cell", f"{name}: {roles}") for name, roles in cells),
    ]


def _disk(space: Space) -> str:
    shared = f" ({size_words(space.shared)} of it shared with other runs)" if space.shared else ""
    parts = f"traces {size_words(space.traces)}, attachments {size_words(space.attachments)}{shared}"
    return f"{size_words(space.total)}: {parts}, records {size_words(space.rows)}; {space.attempts} attempts"


def _bytes(space: Space) -> dict[str, int]:
    return {
        "total": space.total,
        "traces": space.traces,
        "attachments": space.attachments,
        "shared": space.shared,
        "rows": space.rows,
        "attempts": space.attempts,
    }
