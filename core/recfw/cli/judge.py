"""``recfw judge``: rate stored trials, without playing them again."""

import asyncio
from collections.abc import Mapping
from fnmatch import fnmatchcase
from typing import Any

import click

from recfw.cli.carrying import answer_options, budget_from, facilities_from, spending_options
from recfw.cli.carrying import checked_words as words_of_check
from recfw.cli.common import open_store, registry_of, store_option
from recfw.cli.output import tell
from recfw.cli.progress import progress
from recfw.engine.request import OptionValue, judge_spec, parse_setting
from recfw.errors import ExitCode, OutageError, UsageError
from recfw.executors.interrupt import run_interruptible
from recfw.executors.judging import Judged, Judging
from recfw.executors.preflight import preflight_judge
from recfw.model.run import Status, TrialKey
from recfw.store.repository import Store


@click.command()
@click.argument("name", metavar="[RUN]", default="latest")
@click.option("--judge", metavar="NAME", required=True, help="Who rates the trials.")
@click.option("--set", "set_", metavar="judge.OPTION=VALUE", multiple=True, help="Option of the judge.")
@click.option("--cell", metavar="NAME", multiple=True, help="Only trials of this cell (a glob; may be repeated).")
@click.option("--tasks", metavar="PATTERN", multiple=True, help="Only trials of these tasks (ids or globs).")
@click.option("--concurrency", metavar="N", type=click.IntRange(1), default=8, show_default=True, help="At a time.")
@answer_options
@spending_options
@store_option
@click.pass_context
def judge(ctx: click.Context, /, **words: Any) -> int:
    """
    Rate stored trials by a judge, without playing them again (default: the newest run).

    Scores are added beside those that are there, under the judge's identity (model, rubric, settings). A trial that
    this very judge has rated is not rated, or paid for, again; so a broken-off judging is gone on with by the same
    command.

    \b
    Examples:
      recfw judge --judge NAME --set judge.OPTION=VALUE
      recfw judge RUN --judge NAME --tasks PATTERN --max-cost 2
    """  # noqa: D301 - click reads \b as the character that it stands for
    registry, store = registry_of(ctx), open_store(words["place"], read_only=False)
    run = store.run(words["name"])
    facilities = facilities_from(words)
    settings = [parse_setting(text) for text in words["set_"]]
    _check_settings(settings, words["judge"])
    component = judge_spec(registry, words["judge"], settings)
    keys = _chosen(store, run.id, words)
    judging = Judging(store, registry, run, component, facilities, budget_from(words))
    pending = judging.pending(keys)
    if not pending:
        click.echo(f"All {len(keys)} trials are rated by {judging.identity} already. Nothing to do.")
        return ExitCode.DONE
    if words["preflight"]:
        checked = asyncio.run(preflight_judge(registry, run.spec, component, facilities))
        if checked is not None:
            tell(words_of_check(checked))
    found = _rate(store, run.id, judging, pending, words["concurrency"])
    if found is None:
        return ExitCode.INTERRUPTED
    found.already = len(keys) - len(pending)
    return _tell(found)


def _check_settings(settings: list[OptionValue], name: str) -> None:
    for setting in settings:
        if setting.component not in {"judge", name}:
            message = f"--set {setting.component}.{setting.option}: only options of the judge can be set here."
            raise UsageError(message, "Write judge.OPTION=VALUE.")


def _chosen(store: Store, run: str, words: Mapping[str, Any]) -> list[TrialKey]:
    """Return the completed trials that the words select."""
    found = [
        TrialKey(row.cell, row.task, row.trial)
        for row in store.rows(run)
        if row.status is Status.COMPLETED
        and all(not globs or any(fnmatchcase(name, glob) for glob in globs)
                for name, globs in ((row.cell, words["cell"]), (row.task, words["tasks"])))
    ]  # fmt: skip
    if not found:
        raise UsageError(f"run {run} has no completed trial that fits.", f"`recfw runs show {run}` says what it has.")
    return found


def _rate(store: Store, run: str, judging: Judging, pending: list[TrialKey], concurrency: int) -> Judged | None:
    """Rate the trials; None when it was interrupted."""
    again = "Those that were rated are stored; the same command goes on with the others."
    with progress("trials judged", len(pending)) as shown, store.journal(run).lock():
        try:
            return run_interruptible(
                lambda: judging.rate(pending, min(concurrency, len(pending)), lambda failed: shown.step(failed=failed)),
                [],
                again,
            )
        except OutageError as error:
            error.hint = f"{error.hint} {again}".strip()
            raise
        except (KeyboardInterrupt, asyncio.CancelledError):
            tell(f"Interrupted. {again}")
            return None


def _tell(found: Judged) -> int:
    click.echo(f"{found.identity}: {found.trials} trials judged, {found.already} were before.")
    for figure, values in sorted(found.values.items()):
        given = [value for value in values if value is not None]
        mean = f"mean {sum(given) / len(given):.3f}" if given else "no score"
        none = f", {len(values) - len(given)} without a score" if len(given) < len(values) else ""
        click.echo(f"  {figure}: {mean} over {len(given)} trials{none}")
    for used in found.spent.values():
        cost = f"{used['cost']:.4f} USD" if "cost" in used else "cost not known"
        tokens = f"{used.get('input_tokens', 0):,.0f} + {used.get('output_tokens', 0):,.0f} tokens"
        click.echo(f"  spent: {tokens}, {cost}")
    for trial, fault in list(found.failed.items())[:5]:
        tell(f"Not rated: {trial}: {fault}")
    if found.failed:
        tell(f"{len(found.failed)} trials could not be rated; the same command tries them again.")
        return ExitCode.INFRASTRUCTURE
    if found.stopped:
        tell(f"Stopped: {found.stopped} The same command goes on.")
        return ExitCode.FOUND
    return ExitCode.DONE
