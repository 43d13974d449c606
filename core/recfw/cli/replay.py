"""``recfw replay``: play stored trials again and compare."""

import asyncio
from pathlib import Path

import click

from recfw.cli.common import find_trial, open_store, registry_of, store_option
from recfw.cli.progress import Progress, progress
from recfw.engine.replay import replay as replay_trial
from recfw.engine.request import find_track
from recfw.engine.stage import Stage, settings_of
from recfw.errors import DataError, ExitCode
from recfw.executors.conductor import content_digest
from recfw.model.results import RunInfo
from recfw.model.run import Status, TrialKey
from recfw.registry import Registry
from recfw.store.repository import Store

SHOWN = 20


@click.command()
@click.argument("name", metavar="[RUN]", default="latest")
@click.option("--trial", "words", metavar="TRIAL", multiple=True, help="Only this trial (cell/task/number).")
@store_option
@click.pass_context
def replay(ctx: click.Context, name: str, words: tuple[str, ...], place: str | None) -> int:
    """
    Play stored trials again and say where anything differs (default: the newest run).

    Every tool call, every reply of a deterministic component, every ruling and every score is computed anew; only
    replies of models are read from the trace. Exit status 1 when something differs.
    """
    registry, store = registry_of(ctx), open_store(place)
    run = store.run(name)
    find_track(registry, run.spec.plugin, run.spec.track)
    keys = [find_trial(store, run.id, text) for text in words] or [
        TrialKey(row.cell, row.task, row.trial) for row in store.rows(run.id) if row.status is Status.COMPLETED
    ]
    with progress("trials", len(keys)) as shown:
        found = asyncio.run(_replay(registry, store, run, keys, shown))
    for line in found[:SHOWN]:
        click.echo(line)
    if len(found) > SHOWN:
        click.echo(f"… and {len(found) - SHOWN} more")
    differing = f"{len(found)} differ" if found else "no difference"
    click.echo(f"Run {run.id}: {len(keys)} trials replayed, {differing}.")
    return ExitCode.FOUND if found else ExitCode.DONE


async def _replay(registry: Registry, store: Store, run: RunInfo, keys: list[TrialKey], shown: Progress) -> list[str]:
    settings = settings_of(registry, run.spec)
    if content_digest(settings, run.spec) != run.content_digest:
        message = f"run {run.id} was played on other content (catalog, tasks, prompts or rules) than what is installed."
        raise DataError(message, "Restore that content, or the plugin's version, to replay it.")
    found = []
    async with Stage(registry, run.spec, Path(".recfw/cache"), settings) as stage:
        for key in keys:
            try:
                trace = store.trace(run.id, key)
                difference = await replay_trial(stage, key, trace, store.scores(run.id, key))
            except DataError as error:
                found.append(str(error))
            else:
                found += [str(difference)] if difference else []
            shown.step()
    return found
