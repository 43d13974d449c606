"""
Conducting a run: prepare or resume it, hand its trials to an executor, store what comes back, tell observers.

The process that conducts is the only writer of the store.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib.metadata import version
from pathlib import Path
from typing import Any

from attrs import define, evolve, field, frozen

from recfw.engine.carried import without_carried
from recfw.engine.limits import INFRASTRUCTURE
from recfw.engine.plan import trials
from recfw.engine.request import find_track
from recfw.engine.scoring import metrics_of, score_metrics
from recfw.engine.stage import Setting, settings_of
from recfw.errors import DataError, OutageError, PluginError, RecfwError, StoreError, UsageError, words_of
from recfw.executors.budget import Budget, Purse, spending_of
from recfw.executors.local import LocalExecutor
from recfw.executors.parcels import Assignment, WorkOrder, unpack_trial
from recfw.hookspecs import HOOK_API
from recfw.model.draws import derive_seed
from recfw.model.results import RunInfo
from recfw.model.run import ComponentSpec, RunSpec, Status, Trial, TrialKey
from recfw.model.task import Task
from recfw.model.trace import Trace
from recfw.model.usage import usage_of
from recfw.protocols import NO_FACILITIES, Executor, Facilities
from recfw.registry import Registry
from recfw.serialize import canonical, digest, dumps, to_data, unpack_trace
from recfw.store.journal import Journal, Leftover
from recfw.store.repository import Store

LOG = logging.getLogger(__name__)
NO_BUDGET = Budget()
BATCH = 32
"""Most finished trials that wait for one transaction."""
WAIT = 0.1
"""Most seconds that a finished trial waits for its transaction; until then its journal holds it."""


@frozen
class Prepared:
    """
    A stored run that is ready to go on: its record, its tracks and tasks, and the trials still to be run.

    Who has it holds the journal's lock, so that no other process can play any of these trials.
    """

    run: RunInfo
    journal: Journal
    settings: Mapping[str, Setting]
    pending: tuple[TrialKey, ...]
    attempts: Mapping[TrialKey, int]


@define
class Tally:
    """What a conducted run has come to so far; ``stopped`` says why it went no further, if it was stopped."""

    pending: int
    completed: int = 0
    failed: int = 0
    retried: int = 0
    warnings: list[str] = field(factory=list)
    kinds: dict[str, int] = field(factory=dict)
    stopped: str = ""

    def count(self, trial: Trial, *, last: bool) -> None:
        """Count one stored attempt; ``last`` tells whether a failed one is not tried again."""
        if trial.status is Status.COMPLETED:
            self.completed += 1
        elif last:
            self.failed += 1
            self.kinds[trial.stop] = self.kinds.get(trial.stop, 0) + 1
        else:
            self.retried += 1


def content_digest(settings: Mapping[str, Setting]) -> str:
    """Return the digest of all that a run is asked of: the contents of its cells, wherever they were read from."""
    distinct = {id(setting.track): setting for setting in settings.values()}
    return digest(sorted({setting.content_digest() for setting in distinct.values()}))


def versions_of(registry: Registry, spec: RunSpec) -> dict[str, str]:
    """Return the versions that a run's figures depend on: distributions, hook interface, components."""
    found = {"recfw": version("recfw"), "hook_api": HOOK_API}
    used: set[tuple[str, str]] = {("tracks", spec.track)}
    track = registry.find("tracks", spec.track)
    used |= {(track.roles[role].kind, c.name) for cell in spec.cells for role, c in cell.roles.items()}
    used |= {("metrics", name) for name in track.metrics} | {("judges", judge.name) for judge in spec.judges}
    for kind, name in sorted(used):
        provider = registry.provider(kind, name)
        if provider.distribution:
            found[provider.distribution] = provider.version
        found[f"{kind[:-1]} {name}"] = str(getattr(registry.find(kind, name), "version", "1"))
    return found


def new_run_id(now: float, entropy: bytes) -> str:
    """Return a run id: UTC time to the second, then six letters that tell runs of one second apart."""
    stamp = time.strftime("%Y%m%d-%H%M%S", time.gmtime(now))
    number = derive_seed(now.hex(), entropy.hex())
    letters = "".join("abcdefghijkmnpqrstuvwxyz"[(number >> (5 * i)) % 24] for i in range(6))
    return f"{stamp}-{letters}"


@contextmanager
def prepare(store: Store, registry: Registry, spec: RunSpec, run_id: str) -> Iterator[Prepared]:
    """
    Store a new run and give it with every trial pending; the block holds the run.

    Raises:
        UsageError: Two cells have different tasks under one id, which no figure could compare.
    """
    settings = settings_of(registry, spec)
    _check_one_task_each(settings)
    pending = tuple(planned(spec, settings))
    content, versions = content_digest(settings), versions_of(registry, spec)
    journal = store.journal(run_id)
    with journal.lock():
        run = store.create_run(run_id, spec, content_digest=content, versions=versions, planned=len(pending))
        store.add_tasks(run.id, _tasks(settings))
        yield Prepared(run, journal, settings, pending, {})


def _tasks(settings: Mapping[str, Setting]) -> Iterable[Task]:
    return {task.id: task for setting in settings.values() for task in setting.tasks.values()}.values()


def _check_one_task_each(settings: Mapping[str, Setting]) -> None:
    seen: dict[str, tuple[Task, str]] = {}
    for cell, setting in settings.items():
        for task in setting.tasks.values():
            known, other = seen.setdefault(task.id, (task, cell))
            if known is not task and known != task:
                message = f"the cells '{other}' and '{cell}' have different tasks under the id '{task.id}'."
                raise UsageError(message, "Play them as runs of their own, and report them together.")


def planned(spec: RunSpec, settings: Mapping[str, Setting]) -> Iterator[TrialKey]:
    """Yield every trial of a run, in the order in which they are played."""
    return trials(spec, {name: list(setting.tasks.values()) for name, setting in settings.items()})


@contextmanager
def resume(store: Store, registry: Registry, name: str, asked: RunSpec | None) -> Iterator[Prepared]:
    """
    Give a stored run with the trials that have no completed attempt; the block holds the run.

    Args:
        store: Where it is stored.
        registry: Where components are found by name.
        name: The run's id, or the beginning of it.
        asked: What the command line asks for now, or None when it asks for nothing but to resume.

    Raises:
        UsageError: What is asked for, the content, or a version differs from what the run was started with.
        StoreError: Another process carries the run.
    """
    run = store.run(name)
    find_track(registry, run.spec.plugin, run.spec.track)
    settings = settings_of(registry, run.spec)
    _check_same(run, registry, settings, asked)
    run = evolve(run, spec=asked or run.spec)  # equal but for how things are carried out
    journal = store.journal(run.id)
    with journal.lock():
        store.add_tasks(run.id, _tasks(settings))  # a run that was killed while it was being stored may have none
        store.add_trials(run.id, _whole(run, journal, settings, registry, store.done_keys(run.id)))
        store.keep_leftovers(run, journal)
        done = store.done_keys(run.id)
        pending = tuple(key for key in planned(run.spec, settings) if key not in done)
        if not pending and run.status in {"running", "interrupted", "incomplete"}:
            store.set_run_status(run.id, "completed")  # it was killed between its last trial and its last word
        yield Prepared(run, journal, settings, pending, store.attempts(run.id))


def _check_same(run: RunInfo, registry: Registry, settings: Mapping[str, Setting], asked: RunSpec | None) -> None:
    stored, now = (_by_name(without_carried(registry, spec)) for spec in (run.spec, asked or run.spec))
    differences = _apart("asked for", stored, now)
    if content_digest(settings) != run.content_digest:
        differences.append("content: the catalog, tasks, prompts or rules are not those that the run was started with")
    differences += _apart("version of", run.versions, versions_of(registry, run.spec))
    if differences:
        shown = "".join(f"\n  {difference}" for difference in differences)
        message = f"run {run.id} cannot be resumed, because this differs from when it was started:{shown}\n"
        raise UsageError(message, "Start a new run, or restore what has changed.")


def _whole(
    run: RunInfo, journal: Journal, settings: Mapping[str, Setting], registry: Registry, done: Collection[TrialKey]
) -> Iterator[Trial]:
    """
    Yield the trials that had ended when their process was killed, but were not stored yet.

    One attempt of a trial, and none of those in ``done``: where a worker died between a trial's end and its delivery,
    the trial was handed out again, and another attempt may have ended, too. A run with judges plays them again: a
    judge's answer is not in the journal.
    """
    if run.spec.judges:
        return
    kept = set(done)
    metrics = metrics_of(registry, settings[run.spec.cells[0].name].track)
    for left in journal.leftovers():
        trace = _left_trace(left)
        task = settings[left.key.cell].tasks.get(left.key.task)
        if left.key in kept or task is None or trace.end is None or trace.stop == INFRASTRUCTURE:
            continue
        kept.add(left.key)
        yield Trial(
            key=left.key,
            attempt=left.attempt,
            seed=left.key.seed(run.spec.seed),
            status=Status.COMPLETED,
            stop=trace.stop,
            started=left.started,
            seconds=left.seconds,
            events=len(trace.events),
            usage=usage_of(trace.events),
            scores=tuple(score_metrics(metrics, task, trace)),
            trace=left.packed(),
            attachments=left.attachments,
        )


def _left_trace(left: Leftover) -> Trace:
    """Return what an attempt left in the journal; nothing where it cannot be read whole, so that it is played again."""
    kept = {attachment.sha256: attachment.data for attachment in left.attachments}

    def fetch(sha256: str) -> bytes:
        if sha256 not in kept:
            raise DataError(f"the payload {sha256} of {left.key} is missing or damaged.")
        return kept[sha256]

    try:
        return unpack_trace(left.packed(), f"journal of {left.key}", fetch) if left.lines else Trace()
    except DataError:
        return Trace()


def _by_name(spec: RunSpec) -> dict[str, Any]:
    """Return a spec as data, its cells by name, so that differences can be told one by one."""
    return {**to_data(spec), "cells": {cell.name: to_data(cell) for cell in spec.cells}}


def _apart(what: str, stored: Any, now: Any, path: str = "") -> list[str]:
    """Return a line for each place where two JSON values differ."""
    if isinstance(stored, Mapping) and isinstance(now, Mapping):
        names = sorted(stored.keys() | now.keys())
        inner = [(stored.get(n), now.get(n), f"{path}.{n}" if path else n) for n in names]
        return [line for one, other, at in inner for line in _apart(what, one, other, at)]
    return [] if stored == now else [f"{what} {path}: {_shown(stored)} -> {_shown(now)}"]


def _shown(value: Any) -> str:
    text = value if isinstance(value, str) else "absent" if value is None else canonical(value).decode()
    return text if len(text) <= 120 else f"{text[:120]}…"


class Conductor:
    """
    Conducts one prepared run, within the block that prepared or resumed it.

    Args:
        store: Where results go.
        registry: Where components are found by name.
        cache: Folder for what can be rebuilt.
        executor: Name and options of the executor.
        stored: Called after each stored attempt, for progress.
        facilities: How the run is carried out, for components that have a use for it.
        budget: What it may spend, all its stored attempts included.
    """

    def __init__(
        self,
        store: Store,
        registry: Registry,
        cache: Path,
        executor: ComponentSpec,
        stored: Callable[[Tally, Trial], None] = lambda _tally, _trial: None,
        facilities: Facilities = NO_FACILITIES,
        budget: Budget = NO_BUDGET,
    ) -> None:
        self.store, self.registry = store, registry
        self._cache, self._executor, self._stored = cache, executor, stored
        self._facilities, self._budget = facilities, budget
        self._waiting: list[Trial] = []
        self._since = 0.0

    async def conduct(self, prepared: Prepared) -> Tally:
        """
        Run every pending trial, failed ones again up to the run's attempts.

        Raises:
            OutageError: A component said that nothing further can succeed; what was finished is stored.
            RecfwError: The store, a worker or a component's set-up failed; likewise.
            asyncio.CancelledError: The run was interrupted; what was finished is stored.
        """
        run, journal, tally = prepared.run, prepared.journal, Tally(len(prepared.pending))
        tally.warnings += self.registry.manager.emit("recfw_run_started", run=run, pending=tally.pending)
        self.store.set_run_status(run.id, "running")
        LOG.info("run %s: %d trials, %s %s", run.id, tally.pending, self._executor.name, self._executor.options)
        status = "interrupted"
        try:
            await self._rounds(prepared, tally)
            status = "incomplete" if tally.failed or tally.stopped else "completed"
        except OutageError:
            status = "incomplete"
            raise
        finally:
            self._flush(run, journal, tally)
            self.store.keep_leftovers(run, journal)
            self.store.set_run_status(run.id, status)
            LOG.info("run %s is %s: %d completed, %d failed", run.id, status, tally.completed, tally.failed)
            tally.warnings += self.registry.manager.emit("recfw_run_finished", run=run, status=status)
        return tally

    async def _rounds(self, prepared: Prepared, tally: Tally) -> None:
        spec, run, journal = prepared.run.spec, prepared.run, prepared.journal
        order = dumps(WorkOrder(spec, str(journal.folder), str(self._cache), self._facilities))
        attempts, pending = dict(prepared.attempts), prepared.pending
        earlier = {} if self._budget == NO_BUDGET else self.store.spending(run.id)
        purse, halts = Purse(self._budget, earlier), list[str]()
        for left in range(spec.attempts - 1, -1, -1):
            failed: list[TrialKey] = []
            waiting = set(pending)

            def deliver(
                parcel: bytes, last: bool = left == 0, failed: list[TrialKey] = failed, waiting: set[TrialKey] = waiting
            ) -> None:
                trial = self._awaited(parcel, waiting)
                purse.add(spending_of(trial))
                if trial.status is not Status.COMPLETED:
                    attempts[trial.key] = trial.attempt
                    failed.append(trial.key)
                if trial.halt:
                    halts.append(trial.halt)
                LOG.debug("%s, attempt %d: %s, %s", trial.key, trial.attempt, trial.status.value, trial.stop)
                tally.count(trial, last=last or bool(halts))
                self._keep(run, journal, tally, trial)

            def assignments(pending: tuple[TrialKey, ...] = pending) -> Iterator[bytes]:
                for key in pending:
                    tally.stopped = tally.stopped or purse.over()
                    if halts or tally.stopped:
                        return
                    purse.begin()
                    yield dumps(Assignment(key, attempts.get(key, 0) + 1))

            flusher = asyncio.create_task(self._flush_often(run, journal, tally))
            try:
                await self._execute(prepared, order, assignments(), deliver)
            finally:
                flusher.cancel()
            self._flush(run, journal, tally)
            if halts:
                raise OutageError(halts[0])
            if waiting and not tally.stopped:
                words = f"{len(waiting)} of {len(pending)} trials were not delivered (one is {min(waiting)})"
                raise self._fault(f"is done, but {words}")
            if not failed or tally.stopped:
                return
            LOG.info("run %s: %d trials failed and are played again", run.id, len(failed))
            pending = tuple(failed)

    async def _execute(
        self, prepared: Prepared, order: bytes, keys: Iterator[bytes], deliver: Callable[[bytes], None]
    ) -> None:
        """Have assignments carried out by a new executor; whatever one of a plugin raises names it."""
        executor: Executor = self.registry.create("executors", self._executor)
        if isinstance(executor, LocalExecutor):
            executor.lend(self.registry, prepared.settings)
            await executor.execute(order, keys, deliver)
            return
        try:
            await executor.execute(order, keys, deliver)
        except RecfwError:
            raise
        except (Exception, SystemExit) as error:
            raise self._fault(f"fails: {words_of(error)}") from error

    def _awaited(self, parcel: bytes, waiting: set[TrialKey]) -> Trial:
        """Return a delivered trial, which nobody waits for any more."""
        try:
            trial = unpack_trial(parcel)
        except Exception as error:
            raise self._fault(f"delivers what is no trial: {words_of(error)}".rstrip(".")) from error
        if trial.key not in waiting:
            raise self._fault(f"delivers the trial {trial.key}, which it was not given, or for the second time")
        waiting.remove(trial.key)
        return trial

    def _fault(self, words: str) -> PluginError:
        return self.registry.fault("executors", self._executor.name, words)

    def _keep(self, run: RunInfo, journal: Journal, tally: Tally, trial: Trial) -> None:
        if not self._waiting:
            self._since = time.monotonic()
        self._waiting.append(trial)
        if len(self._waiting) >= BATCH or time.monotonic() - self._since > WAIT:
            self._flush(run, journal, tally)

    async def _flush_often(self, run: RunInfo, journal: Journal, tally: Tally) -> None:
        with suppress(StoreError):  # what waits is kept, and the next flush tells
            while True:
                await asyncio.sleep(WAIT)
                self._flush(run, journal, tally)

    def _flush(self, run: RunInfo, journal: Journal, tally: Tally) -> None:
        """Store what is waiting in one transaction, then let the journal drop it, then tell."""
        waiting, self._waiting = self._waiting, []
        if not waiting:
            return
        try:
            self.store.add_trials(run.id, waiting)
        except StoreError:
            self._waiting = waiting + self._waiting
            raise
        for trial in waiting:
            journal.discard(trial.key, trial.attempt)
            tally.warnings += self.registry.manager.emit("recfw_trial_finished", run=run, trial=trial)
            tally.warnings += [
                f"{score.scorer} fails on {trial.key}: {score.detail['error']}"
                for score in trial.scores
                if "error" in score.detail
            ]
            self._stored(tally, trial)
