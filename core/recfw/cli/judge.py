"""``recfw judge``: rate stored trials, without playing them again."""

import asyncio
from collections.abc import Mapping
from fnmatch import fnmatchcase
from typing import Any

import click

from recfw.cli.carrying import answer_options, budget_from, facilities_from, spending_options
from recfw.cli.carrying import checked_words as words_of_check
from recfw.cli.common import open_store, registry_of, store_option
from recfw.cli.objects import json_option, print_json
from recfw.cli.output import tell
from recfw.cli.progress import progress
from recfw.engine.request import OptionValue, judge_spec, parse_setting
from recfw.errors import ExitCode, OutageError, UsageError
from recfw.executors.interrupt import run_interruptible
from recfw.executors.judging import Judged, Judging
from recfw.executors.preflight import preflight_judge
from recfw.model.run import Status, TrialKey
from recfw.report.words import counted
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
@json_option
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
        _print(run.id, Judged(judging.identity, already=len(keys)), 0, as_json=words["as_json"])
        return ExitCode.DONE
    if words["preflight"]:
        checked = asyncio.run(preflight_judge(registry, run.spec, component, facilities))
        if checked is not None:
            tell(words_of_check(checked))
    found = _rate(store, run.id, judging, pending, words["concurrency"])
    left = len(judging.pending(keys)) if found is None or words["as_json"] else 0
    if found is None:
        if words["as_json"]:
            rated = Judged(judging.identity, len(pending) - left, len(keys) - len(pending), stopped="Interrupted.")
            _print(run.id, rated, left, as_json=True)
        return ExitCode.INTERRUPTED
    found.already = len(keys) - len(pending)
    _print(run.id, found, left, as_json=words["as_json"])
    return _verdict(found)


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


def _print(run: str, found: Judged, left: int, *, as_json: bool) -> None:
    """Print what judging came to; ``left`` counts the trials that are still to be rated."""
    given = {name: [value for value in values if value is not None] for name, values in sorted(found.values.items())}
    if as_json:
        figures = {
            name: {"mean": sum(values) / len(values) if values else None, "scored": len(values),
                   "unscored": len(found.values[name]) - len(values)}
            for name, values in given.items()
        }  # fmt: skip
        counts = {"judged": found.trials, "already": found.already, "left": left, "failed": found.failed}
        told = {"run": run, "judge": found.identity, **counts, "figures": figures}
        print_json(told | {"spent": found.spent, "stopped": found.stopped})
        return
    if not found.trials and not found.failed and not found.stopped:
        click.echo(f"All {found.already} trials are rated by {found.identity} already. Nothing to do.")
        return
    click.echo(f"{found.identity}: {counted(found.trials, 'trial')} judged, {found.already} were before.")
    for name, values in given.items():
        mean = f"mean {sum(values) / len(values):.3f}" if values else "no score"
        without = len(found.values[name]) - len(values)
        click.echo(f"  {name}: {mean} over {len(values)} trials{f', {without} without a score' if without else ''}")
    for used in found.spent.values():
        cost = f"{used['cost']:.4f} USD" if "cost" in used else "cost not known"
        tokens = f"{used.get('input_tokens', 0):,.0f} + {used.get('output_tokens', 0):,.0f} tokens"
        click.echo(f"  spent: {tokens}, {cost}")


def _verdict(found: Judged) -> int:
    """Tell what is still to be done, and return the exit status."""
    for trial, fault in list(found.failed.items())[:5]:
        tell(f"Not rated: {trial}: {fault}")
    if found.failed:
        tell(f"{counted(len(found.failed), 'trial')} could not be rated; the same command tries them again.")
        return ExitCode.INFRASTRUCTURE
    if found.stopped:
        tell(f"Stopped: {found.stopped} The same command goes on.")
        return ExitCode.FOUND
    return ExitCode.DONE
