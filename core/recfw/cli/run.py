"""``recfw run``: play a track's tasks, store every trial, report."""

import asyncio
import os
import shlex
import signal
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from typing import Any

import click
from attrs import asdict, evolve

from recfw.cli.carrying import (
    answer_options,
    budget_from,
    budget_options,
    checked_words,
    estimate_lines,
    facilities_from,
)
from recfw.cli.common import cache_folder, open_store, registry_of, store_option
from recfw.cli.defaults import MANY, take_defaults, under
from recfw.cli.executor import CONCURRENCY, LANES, LOCAL, check_lanes, choose, executor_words, with_lanes
from recfw.cli.objects import print_json
from recfw.cli.outcome import outcome, plan
from recfw.cli.output import chatter, quiet_option, tell
from recfw.cli.progress import failed, progress
from recfw.cli.report import show
from recfw.cli.request import request_from
from recfw.cli.runfile import CARRIED, read_config
from recfw.cli.wrapping import hanging
from recfw.engine.carried import with_settings
from recfw.engine.plan import count
from recfw.engine.request import RunRequest, build_spec, find_track
from recfw.engine.stage import settings_of
from recfw.errors import ExitCode, RecfwError, UsageError
from recfw.executors.calibrate import calibration_sample, estimate
from recfw.executors.conductor import Conductor, Prepared, Tally, new_run_id, prepare, resume
from recfw.executors.interrupt import run_interruptible
from recfw.executors.preflight import preflight
from recfw.model.run import ComponentSpec, RunSpec, Trial, TrialKey
from recfw.protocols import Facilities
from recfw.registry import Registry
from recfw.report.words import counted, one_line
from recfw.store.carrying import executor_of, keep_executor
from recfw.store.repository import Store

RENDERER = "terminal"


@click.command()
@click.option("--plugin", metavar="NAME", help="Plugin whose track is run (`recfw plugins list`).")
@click.option("--track", metavar="NAME", help="Which of the plugin's tracks, if it offers several.")
@click.option("--agent", metavar="NAME", multiple=True, help="Agent under evaluation; repeat to compare several.")
@click.option("--user", metavar="NAME", multiple=True, help="User simulator.")
@click.option("--role", metavar="ROLE=NAME", multiple=True, help="Who fills any other role.")
@click.option("--judge", metavar="NAME", multiple=True, help="Judge that rates finished trials.")
@click.option(
    "--interface", metavar="NAME", multiple=True, help="Which tools the agent gets, where a track has a choice."
)
@click.option("--retriever", metavar="NAME", multiple=True, help="Search engine under the tools.")
@click.option("--catalog", metavar="PATH", multiple=True, help="Another catalog than the track's own.")
@click.option("--data", metavar="PATH", multiple=True, help="Imported data that a track is played over.")
@click.option(
    "--tasks", metavar="PATTERN", multiple=True, help="Task ids, globs, or facet=value; repeat to select more."
)
@click.option("--trials", metavar="N", type=int, help="Trials of each task in each cell. [default: 1]")
@click.option(
    "--concurrency", metavar="N", type=click.IntRange(1), help=f"Episodes at a time. [default: {CONCURRENCY}]"
)
@click.option("--workers", metavar="N", type=click.IntRange(0), help="Worker processes; 0 plays in this process.")
@click.option("--executor", metavar="NAME", help="What carries trials to workers. [default: local]")
@click.option("--seed", metavar="N", type=int, help="Seed of all draws. [default: 0]")
@click.option(
    "--set",
    "set_",
    metavar="C.OPTION=VALUE",
    multiple=True,
    help="Option of a component (role, component name, track or limits); repeat for a matrix.",
)
@answer_options
@budget_options
@store_option
@click.option("--config", metavar="FILE", help="Run file (YAML) with any of the above; words win over it.")
@click.option("--resume", "resumed", metavar="RUN", help="Go on with a stored run, by id or its beginning.")
@click.option("--dry-run", is_flag=True, help="Show what would be run, and stop.")
@quiet_option
@click.option("--json", "as_json", is_flag=True, help="Print counts and status as JSON, in place of the table.")
@click.option("--strict", is_flag=True, help="Exit with 3 when an observing plugin, a metric or a judge fails.")
@click.pass_context
def run(ctx: click.Context, /, **words: Any) -> int:
    """
    Play a track's tasks with agents and simulated users, store every trial, and report.

    Repeated options make a matrix of cells, all played on the same tasks and draws. Ctrl-C stops cleanly;
    --resume goes on.

    \b
    Examples:
      recfw run --plugin NAME
      recfw run --plugin NAME --agent FIRST --agent SECOND --tasks FACET=VALUE
      recfw run --resume 20260101
    """  # noqa: D301 - click reads \b as the character that it stands for
    registry = registry_of(ctx)
    words["set"] = words.pop("set_")
    config = _config(words, take_defaults(ctx, words))
    request = request_from(config, words)
    facilities = facilities_from(words)
    with ExitStack() as held:
        if words["resumed"]:
            store = open_store(words["place"], read_only=False)
            stored = store.run(words["resumed"])
            executor, request = _executor(registry, request, words, stored.spec, executor_of(store.database, stored.id))
            asked = _asked(registry, stored.spec, request, {*config, *_given(words)} - {*CARRIED})
            prepared = held.enter_context(resume(store, registry, stored.id, asked))
        else:
            executor, request = _executor(registry, request, words, request)
            spec = build_spec(registry, request)
            if words["dry_run"]:
                _describe(registry, spec, executor, as_json=words["as_json"])
                return ExitCode.DONE
            store = open_store(words["place"], create=True, read_only=False)
            _preflight(registry, spec, facilities, words)
            prepared = held.enter_context(prepare(store, registry, spec, new_run_id(time.time(), os.urandom(8))))
        if words["dry_run"] or not prepared.pending:
            _say_pending(registry, store, prepared, words)
            return ExitCode.DONE
        if words["resumed"]:
            _preflight(registry, prepared.run.spec, facilities, words)
        keep_executor(store.database, prepared.run.id, executor)
        sample: tuple[TrialKey, ...] = ()
        if words["calibrate"]:
            sample = calibration_sample(prepared.pending, words["calibrate"], prepared.run.spec.seed)
        return _play(registry, store, prepared, executor, words, facilities, sample)


def _executor(
    registry: Registry,
    request: RunRequest,
    words: Mapping[str, Any],
    played: RunRequest | RunSpec,
    kept: ComponentSpec | None = None,
) -> tuple[ComponentSpec, RunRequest]:
    """Return who carries trials out, and the request without what it says of that; ``played`` names the track."""
    roles = find_track(registry, played.plugin, played.track)[1].roles
    executor, request = choose(registry, request, roles, words["executor"], kept)
    check_lanes(registry, executor, words["typed"])
    registry.find("renderers", RENDERER)  # what shows the outcome is there, too
    return executor, request


def _preflight(registry: Registry, spec: RunSpec, facilities: Facilities, words: dict[str, Any]) -> None:
    """Ask every model once, before anything is stored or played."""
    if words["preflight"]:
        asyncio.run(preflight(registry, spec, facilities, lambda checked: chatter(checked_words(checked))))


def _say_pending(registry: Registry, store: Store, prepared: Prepared, words: dict[str, Any]) -> None:
    """Say how much of a stored run is still to be played."""
    run, pending = prepared.run, len(prepared.pending)
    if words["as_json"]:
        again = _again(run.id, words, registry.manager.disabled)
        print_json(outcome(store, run.id, again, pending=pending))
    elif pending:
        click.echo(f"Run {run.id}: {pending} of {run.planned} trials are still to be run.")
    else:
        click.echo(f"Run {run.id} is finished: all {run.planned} trials are stored. Nothing to do.")


def _config(words: dict[str, Any], defaults: dict[str, Any]) -> dict[str, Any]:
    """
    Return the run file's content, and let words say what they leave open of how a run is carried out.

    Defaults that nobody typed stand below the file, and ask nothing of a run that is resumed.
    """
    named = (("plugin", ""), ("track", ""), ("executor", ""), ("config", ""), ("place", "store"), ("resumed", "resume"))
    for name, option in named:
        if words[name] == "":
            raise UsageError(f"--{option or name} is empty.", "Give it a value, or leave it out.")
    config = read_config(words["config"]) if words["config"] else {}
    words["typed"] = [name for name in LANES if words[name] is not None or name in config]
    if words["resumed"]:
        defaults = {**defaults, "executor": None}  # the one that carried it before goes on with it
    for name, key in (("place", "store"), *((name, name) for name in ("executor", *LANES))):
        words[name] = config.get(key, defaults.get(name)) if words[name] is None else words[name]
    return config if words["resumed"] else under(defaults, config, words)


def _given(words: dict[str, Any]) -> set[str]:
    said = {name for name in ("plugin", "track", *MANY) if words[name]}
    return said | {name for name in ("trials", "seed") if words[name] is not None}


def _asked(registry: Registry, stored: RunSpec, request: RunRequest, given: set[str]) -> RunSpec | None:
    """Return the spec that the words ask for, everything that they leave open taken from the stored run."""
    given = given if request.settings else given - {"set"}  # what was set may have been the executor's
    if not given:
        return None
    if given == {"set"} and not {setting.component for setting in request.settings} & {"track", "limits"}:
        return with_settings(registry, stored, request.settings)
    filled = evolve(request, plugin=request.plugin or stored.plugin, track=request.track or stored.track)
    spec = build_spec(registry, filled)
    cells = given & {"agent", "user", "role", "roles", "interface", "retriever", "catalog", "data", "options", "set"}
    other = (spec.plugin, spec.track) != (stored.plugin, stored.track)
    return evolve(
        spec,
        cells=spec.cells if cells or other else stored.cells,
        limits=spec.limits if "set" in given or other else stored.limits,
        tasks=spec.tasks if "tasks" in given else stored.tasks,
        trials=spec.trials if "trials" in given else stored.trials,
        seed=spec.seed if "seed" in given else stored.seed,
        judges=spec.judges if given & {"judge", "judges"} else stored.judges,
    )


def _describe(registry: Registry, spec: RunSpec, executor: ComponentSpec, *, as_json: bool) -> None:
    settings = settings_of(registry, spec)
    planned = count(spec, {cell: list(s.tasks.values()) for cell, s in settings.items()})
    tasks = list(dict.fromkeys(task for setting in settings.values() for task in setting.tasks))
    if as_json:
        print_json(plan(spec, planned, tasks, executor))
        return
    each = f"{spec.trials} of each task in each cell"
    carried = "" if executor == ComponentSpec(LOCAL) else f", carried by the executor {executor_words(executor)}"
    what = f"{spec.plugin}, track {spec.track}: {planned} trials ({each}), seed {spec.seed}{carried}"
    click.echo(hanging("", what, 2))
    for cell in spec.cells:
        roles = ", ".join(f"{role} {component.name}" for role, component in cell.roles.items())
        options = ", ".join(
            f"{name}={value}" for name, value in cell.options.items() if value not in ("", None, {}, [])
        )
        told = f"{one_line(f'{cell.name}: {roles}')}{f' ({one_line(options)})' if options else ''}"
        click.echo(hanging("  ", told, 4))
    click.echo(hanging("", one_line(f"{len(tasks)} tasks: {', '.join(tasks[:8])}{' …' if len(tasks) > 8 else ''}"), 2))


def _play(
    registry: Registry,
    store: Store,
    prepared: Prepared,
    executor: ComponentSpec,
    words: dict[str, Any],
    facilities: Facilities,
    sample: tuple[TrialKey, ...],
) -> int:
    """Play what is pending, or only a sample of it, which calibrates the rest."""
    whole, prepared = prepared, evolve(prepared, pending=sample or prepared.pending)
    run_id, total = prepared.run.id, len(prepared.pending)
    executor = with_lanes(registry, executor, prepared.run.spec, words, total)
    chatter(f"Run {run_id}: {counted(total, 'trial')}")
    again = _again(run_id, words, registry.manager.disabled)
    signals: list[int] = []
    tried: list[Trial] = []
    try:
        with progress("trials", total, executor.options.get("concurrency", 1)) as shown:

            def stored(_: Tally, trial: Trial) -> None:
                shown.step(failed=failed(trial))
                if sample:
                    tried.append(trial)

            cache, budget = cache_folder(words["place"]), budget_from(words)
            conductor = Conductor(store, registry, cache, executor, stored, facilities, budget)
            tally = _conduct(conductor, prepared, signals, again)
    except (KeyboardInterrupt, asyncio.CancelledError):
        _say_partial(registry, store, prepared, again, as_json=words["as_json"])
        return ExitCode.TERMINATED if signal.SIGTERM in signals else ExitCode.INTERRUPTED
    except RecfwError as error:
        if not isinstance(error, UsageError):  # the same words would be refused again
            error.hint = f"{error.hint} What was finished is stored; go on with: {again}".strip()
        raise
    try:
        if words["as_json"]:
            known = estimate(whole.pending, tried).projections if sample else {}
            print_json(outcome(store, run_id, again, tally, estimate={name: asdict(p) for name, p in known.items()}))
        else:
            _show(registry, store, run_id)
    except RecfwError as error:
        error.hint = f"{error.hint} The run is stored as {run_id}; `recfw report` has other analyses.".strip()
        raise
    if sample and not words["as_json"]:
        click.echo("\n".join([_calibrated(whole, tried), *_estimated(whole, tried, executor)]))
    return _verdict(tally, again, strict=words["strict"])


def _calibrated(whole: Prepared, tried: list[Trial]) -> str:
    return f"Estimated for the {len(whole.pending):,} trials that were pending, by {len(tried)} of them:"


def _estimated(whole: Prepared, tried: list[Trial], executor: ComponentSpec) -> list[str]:
    return estimate_lines(estimate(whole.pending, tried), executor.options.get("concurrency", CONCURRENCY))


def _again(run_id: str, words: Mapping[str, Any], disabled: Sequence[str]) -> str:
    """Return the command that resumes a run, as it can be typed into a shell: with its store, keys and kept answers."""
    without = [word for name in disabled for word in ("--disable-plugin", name)]
    named = (("--store", words["place"]), ("--cache", words["cache"]), ("--env-file", words["env_file"]))
    also = [word for option, value in named if value for word in (option, value)]
    return shlex.join(["recfw", *without, "run", "--resume", run_id, *also])


def _conduct(conductor: Conductor, prepared: Prepared, signals: list[int], again: str) -> Tally:
    farewell = f"Stopped at once. What was finished is stored; go on with:\n  {again}"
    return run_interruptible(lambda: conductor.conduct(prepared), signals, farewell)


def _say_partial(registry: Registry, store: Store, prepared: Prepared, again: str, *, as_json: bool) -> None:
    done = len(store.done_keys(prepared.run.id))
    if as_json:
        print_json(outcome(store, prepared.run.id, again))
    elif done:
        _show(registry, store, prepared.run.id, intervals=False)  # they would take longer than Ctrl-C may
    tell(f"Interrupted: {done} of {prepared.run.planned} trials are stored. Go on with:\n  {again}")


def _show(registry: Registry, store: Store, run_id: str, *, intervals: bool = True) -> None:
    show(registry, store, [run_id], analysis="", renderer=RENDERER, settings={"intervals": intervals})
    sys.stdout.flush()


def _verdict(tally: Tally, again: str, *, strict: bool) -> int:
    for words in list(dict.fromkeys(tally.warnings))[:5]:
        tell(f"Warning: {words}")
    if tally.failed:
        kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(tally.kinds.items()))
        words = f"{counted(tally.failed, 'trial')} failed ({kinds}), kept apart and never scored as the agent's."
        tell(f"{words} Run them again with:\n  {again}")
        return ExitCode.INFRASTRUCTURE
    if tally.stopped:
        tell(f"Stopped: {tally.stopped} Go on with:\n  {again}")
        return ExitCode.FOUND
    return ExitCode.PLUGIN if strict and tally.warnings else ExitCode.DONE
