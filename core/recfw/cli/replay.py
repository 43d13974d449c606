"""``recfw replay``: play stored trials again and compare."""

import asyncio
from pathlib import Path

import click

from recfw.cli.common import find_trial, open_store, registry_of, store_option
from recfw.cli.progress import Progress, progress
from recfw.engine.replay import Difference, compare_tasks, replay_stored
from recfw.engine.request import find_track
from recfw.engine.stage import Setting, Stage, settings_of
from recfw.errors import DataError, ExitCode
from recfw.executors.conductor import content_digest
from recfw.model.results import RunInfo
from recfw.model.run import Status, TrialKey
from recfw.registry import Registry
from recfw.store.repository import Store

SHOWN = 20
ALTERED_LINE = "the stored line is not the one that was recorded (checksum)"
ALTERED = "what is stored is not what was recorded (checksum)"


@click.command()
@click.argument("name", metavar="[RUN]", default="latest")
@click.option("--trial", "words", metavar="TRIAL", multiple=True, help="Only this trial (cell/task/number).")
@store_option
@click.pass_context
def replay(ctx: click.Context, name: str, words: tuple[str, ...], place: str | None) -> int:
    """
    Play stored trials again and say where anything differs (default: the newest run).

    Every tool call, every reply of a deterministic component, every ruling and every score is computed anew; only
    replies of models are read from the trace. What cannot be computed anew is held against the checksums that were
    stored with it. Exit status 1 when something differs.
    """
    registry, store = registry_of(ctx), open_store(place)
    run = store.run(name)
    find_track(registry, run.spec.plugin, run.spec.track)
    keys = [find_trial(store, run.id, text) for text in words] or [
        TrialKey(row.cell, row.task, row.trial) for row in store.rows(run.id) if row.status is Status.COMPLETED
    ]
    settings = _settings(registry, run)
    found, stored = _tasks(store, run, settings), _Stored(store, run.id)
    with progress("trials", len(keys)) as shown:
        stage = Stage(registry, run.spec, Path(".recfw/cache"), settings)
        found += asyncio.run(_replay(stage, stored, keys, shown))
    if not words:
        found += stored.others()
    for line in found[:SHOWN]:
        click.echo(line)
    if len(found) > SHOWN:
        click.echo(f"… and {len(found) - SHOWN} more")
    count = f"{len(found) or 'no'} difference{'s' if len(found) > 1 else ''}"
    click.echo(f"Run {run.id}: {len(keys)} trials replayed, {count}.")
    return ExitCode.FOUND if found else ExitCode.DONE


def _settings(registry: Registry, run: RunInfo) -> dict[str, Setting]:
    settings = settings_of(registry, run.spec)
    if content_digest(settings) != run.content_digest:
        message = f"run {run.id} was played on other content (catalog, tasks, prompts or rules) than what is installed."
        raise DataError(message, "Restore that content, or the plugin's version, to replay it.")
    return settings


def _tasks(store: Store, run: RunInfo, settings: dict[str, Setting]) -> list[str]:
    try:
        content = {task.id: task for setting in settings.values() for task in setting.tasks.values()}
        return compare_tasks(store.tasks(run.id), content)
    except DataError as error:
        return [str(error)]


async def _replay(stage: Stage, stored: "_Stored", keys: list[TrialKey], shown: Progress) -> list[str]:
    """Replay the trials; return a line for each in which something differs, with the first thing that does."""
    found = []
    async with stage:
        for key in keys:
            try:
                apart = await stored.replay(stage, key)
            except DataError as error:
                found.append(str(error))
            else:
                found += [str(apart)] if apart else []
            shown.step()
    return found


class _Stored:
    """The stored side of a replay: attempts as they are now, and what the checksums say of them."""

    def __init__(self, store: Store, run: str) -> None:
        self._store, self._run = store, run
        self._altered = store.altered_rows(run)

    async def replay(self, stage: Stage, key: TrialKey) -> Difference | None:
        """Return the first difference of a trial; DataError where it cannot be read."""
        altered = self._altered.pop(key, None)
        stored = self._store.stored(self._run, key)
        faults = {} if stored.altered_event is None else {stored.altered_event: ALTERED_LINE}
        apart = await replay_stored(stage, stored.trial, faults, lambda sha: self._store.attachment(sha).data)
        if apart is None and altered is not None:
            return _altered_record(key, altered)
        if apart is None and stored.altered_scores:
            score = stored.altered_scores[0]
            return Difference(key, -1, fault=ALTERED, part=f"{score.metric} by {score.scorer}")
        return apart

    def others(self) -> list[str]:
        """Return a line for each altered record of a trial that was not replayed."""
        return [str(_altered_record(key, attempt)) for key, attempt in self._altered.items()]


def _altered_record(key: TrialKey, attempt: int) -> Difference:
    return Difference(key, -1, fault=ALTERED, part=f"record of attempt {attempt}")
