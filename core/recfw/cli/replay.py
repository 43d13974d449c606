"""``recfw replay``: play stored trials again and compare."""

import asyncio
import os
import signal
from collections.abc import Iterator
from typing import Any

import click
import orjson

from recfw.cli.common import cache_folder, find_trial, open_store, registry_of, store_option
from recfw.cli.output import tell
from recfw.cli.progress import progress
from recfw.errors import ExitCode, UsageError
from recfw.executors.interrupt import run_interruptible
from recfw.executors.replays import TRIALS_A_WORKER, Finding, Replay, sample
from recfw.model.run import TrialKey
from recfw.report.words import counted, printable
from recfw.store.names import default_store
from recfw.store.repository import Store

SHOWN = 20


@click.command()
@click.argument("name", metavar="[RUN]", default="latest")
@click.option("--trial", "words", metavar="TRIAL", multiple=True, help="Only this trial (cell/task/number).")
@click.option("--sample", "size", metavar="N", type=click.IntRange(1), help="Only N trials, always the same ones.")
@click.option(
    "--workers",
    metavar="N",
    type=click.IntRange(0),
    help=f"Worker processes; 0 replays in this one. [default: one a core, with at least {TRIALS_A_WORKER} trials each]",
)
@click.option("--json", "as_json", is_flag=True, help="Every difference as a line of JSON, and a last one that counts.")
@store_option
@click.pass_context
def replay(
    ctx: click.Context,
    name: str,
    words: tuple[str, ...],
    size: int | None,
    workers: int | None,
    *,
    as_json: bool,
    place: str | None,
) -> int:
    """
    Play stored trials again and say where anything differs (default: the newest run).

    Every tool call, every reply of a deterministic component, every ruling and every score is computed anew; only
    replies of models are read from the trace. What cannot be computed anew is held against the checksums that were
    stored with it. Exit status 1 when something differs, or a trial cannot be replayed.
    """
    if words and size:
        raise UsageError("--trial and --sample exclude each other.", "Leave one of them out.")
    registry, store = registry_of(ctx), open_store(place)
    run = store.run(name)
    again = Replay(store, place or default_store(os.environ), registry, run, cache_folder(place))
    keys = _keys(store, run.id, words, size)
    workers = min(_cores(), len(keys) // TRIALS_A_WORKER) if workers is None else min(workers, len(keys))
    tasks, signals = again.tasks(), list[int]()
    stopped = False
    try:
        with progress("trials", len(keys)) as shown:
            run_interruptible(lambda: again.replay(keys, workers, shown.step), signals, "Stopped at once.")
    except (KeyboardInterrupt, asyncio.CancelledError):
        stopped = True
    found = [*tasks, *again.findings(others=not words and not stopped)]
    for line in _lines(found, run.id, again.done, len(keys), as_json=as_json):
        click.echo(line)
    if stopped:
        tell(f"Interrupted: {again.done} of {len(keys)} trials were replayed.")
        return ExitCode.TERMINATED if signal.SIGTERM in signals else ExitCode.INTERRUPTED
    return ExitCode.FOUND if found else ExitCode.DONE


def _keys(store: Store, run: str, words: tuple[str, ...], size: int | None) -> list[TrialKey]:
    """Return the trials to replay: those that are named, or a sample or all of those with a completed attempt."""
    if words:
        return list(dict.fromkeys(find_trial(store, run, text) for text in words))
    done = store.done_keys(run)
    return sorted(done) if size is None else sample(done, size, seed=0)


def _cores() -> int:
    """Return on how many cores this process may run."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _lines(found: list[Finding], run: str, done: int, asked: int, *, as_json: bool) -> Iterator[str]:
    if as_json:
        yield from (orjson.dumps(_data(finding)).decode() for finding in found)
        summary = {"kind": "summary", "run": run, "asked": asked, "replayed": done, "differences": len(found)}
        yield orjson.dumps(summary).decode()
        return
    yield from (printable(finding.words) for finding in found[:SHOWN])
    if len(found) > SHOWN:
        yield f"… and {len(found) - SHOWN} more (--json gives all)"
    count = f"{len(found) or 'no'} difference{'s' if len(found) > 1 else ''}"
    yield f"Run {run}: {counted(done, 'trial')} replayed, {count}."


def _data(finding: Finding) -> dict[str, Any]:
    """Return a finding for scripts; what does not apply to it is null."""
    apart = finding.difference
    event = None if apart is None or apart.event < 0 else apart.event
    return {
        "kind": "difference" if finding.key is None or apart is not None else "failure",
        "trial": None if finding.key is None else str(finding.key),
        "event": event,
        "part": None if apart is None or event is not None else apart.part,
        "stored": apart.stored or None if apart else None,
        "replayed": apart.found or None if apart else None,
        "fault": apart.fault or None if apart else None,
        "words": finding.words,
    }
