"""Stored runs as one experiment: trials pooled by setting, and the setting and tasks that the paper's tables are of."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from math import fsum
from typing import Any

from attrs import asdict, evolve, field, frozen

from recfw.errors import UsageError
from recfw.known import suggestion
from recfw.model.results import Results, RunInfo
from recfw.model.run import Limits
from recfw.model.task import Task
from recfw.report.figures import Counts, RunTrials, Spent, Trials, facet_values, read_trials
from recfw.serialize import digest, to_data
from recfw.stats.passk import pass_k
from recfw.stats.results import PassK
from recfw_books.analysis.enriched import Enriched
from recfw_books.analysis.settings import (
    SCRIPTED,
    USUAL,
    WHOLE,
    Names,
    Setting,
    is_voiced,
    setting_of,
    size_words,
    user_of,
)
from recfw_books.track import BooksTrack

SUCCESS = "success"
EVERYTHING = "all"
BLOCKS = ("panel", "reliability")

_LISTED = 4
"""How many settings a remark lists."""


@frozen
class Pool:
    """
    The trials of one setting, from one run or several.

    Args:
        parts: The trials of each cell that played it.
        spent: What each part took, in the same order.
    """

    parts: tuple[Trials, ...]
    spent: tuple[Spent, ...] = field(default=(), repr=False)

    @property
    def tasks(self) -> dict[str, Task]:
        """The tasks of any part, in order of ids."""
        return dict(sorted({name: task for part in self.parts for name, task in part.tasks.items()}.items()))

    def of(self, tasks: Collection[str]) -> "Pool":
        """Return the trials of some of the tasks."""
        return evolve(self, parts=tuple(part.of(tasks) for part in self.parts))

    def values(self, figure: str) -> dict[str, Sequence[float]]:
        """Return task -> the values of its trials, in no particular order; tasks without any are left out."""
        found: dict[str, list[float]] = {}
        for part in self.parts:
            for task, values in part.scores.get(figure, {}).items():
                found.setdefault(task, []).extend(values)
        return {task: found[task] for task in sorted(found) if found[task]}

    def flat(self, figure: str) -> list[float]:
        """Return the values of all trials, smallest first."""
        return sorted(value for values in self.values(figure).values() for value in values)

    def means(self, figure: str) -> dict[str, float]:
        """Return task -> mean over its trials."""
        return {task: fsum(values) / len(values) for task, values in self.values(figure).items()}

    def pass_k(self, k: int) -> PassK:
        """Return pass^k; tasks with fewer than k scored trials are left out."""
        found = self.values(SUCCESS)
        return pass_k({task: (int(fsum(found.get(task, ()))), len(found.get(task, ()))) for task in self.tasks}, k)

    def counts(self) -> Counts:
        """Return how many trials there are, over all parts; tasks count once."""
        each = [asdict(part.counts()) for part in self.parts]
        summed = {name: sum(one[name] for one in each) for name in each[0]} if each else {}
        return Counts(**{**summed, "tasks": len(self.tasks)})

    def stops(self, *, completed: bool) -> dict[str, int]:
        """Return stop reason (or kind of failure) -> trials, the most frequent first, then by name."""
        total = Counter[str]()
        for part in self.parts:
            total.update(part.stops(completed))
        return dict(sorted(total.items(), key=lambda item: (-item[1], item[0])))


@frozen
class Chosen:
    """
    What the tables and tests are of: settings other than these are compared with it, one factor at a time.

    Args:
        size: Books in play; 0 for the whole catalog.
        prompt, user, retriever, catalog, other: The values of these factors.
        block: The families: ``panel``, ``reliability`` or ``all``.
        agents: The agents of the tests.
    """

    size: int
    prompt: str
    user: str
    retriever: str
    catalog: str
    other: str
    block: str
    agents: tuple[str, ...]


@frozen
class Study:
    """
    Runs as one experiment.

    Args:
        runs: They, in order of ids.
        pools: Setting -> its trials, in order of settings.
        tasks: All tasks by id.
        chosen: What the tables and tests are of.
        voiced: The users that a model voices.
        remarks: What a reader must know about the choice, in sentences.
    """

    runs: tuple[RunTrials, ...] = field(repr=False)
    pools: Mapping[Setting, Pool] = field(repr=False)
    tasks: Mapping[str, Task] = field(repr=False)
    chosen: Chosen
    voiced: frozenset[str]
    remarks: tuple[str, ...]

    @property
    def in_block(self) -> frozenset[str]:
        """The tasks of the chosen families."""
        return block_tasks(self.tasks, self.chosen.block)

    @property
    def agents(self) -> tuple[str, ...]:
        """All agents: those of the tests, then the others by name."""
        others = sorted({setting.agent for setting in self.pools} - set(self.chosen.agents))
        return (*self.chosen.agents, *others)

    def setting(self, agent: str, interface: str, **factors: Any) -> Setting:
        """Return the chosen setting of an agent and an interface, with other factors as told."""
        chosen = self.chosen
        common = {name: getattr(chosen, name) for name in ("size", "prompt", "user", "catalog", "other")}
        retriever = chosen.retriever if interface == "keyword" else ""
        return Setting(agent, interface, **{**common, "retriever": retriever, **factors})

    def pool(self, agent: str, interface: str, **factors: Any) -> Pool | None:
        """Return the trials of that setting, of the chosen families; None where nobody played it."""
        found = self.pools.get(self.setting(agent, interface, **factors))
        return found.of(self.in_block) if found else None

    @property
    def main(self) -> dict[Setting, Pool]:
        """The trials of the chosen setting, agents of the tests first; of all families."""
        found = [s for s in self.pools if s == self.setting(s.agent, s.interface)]
        order = {agent: place for place, agent in enumerate(self.agents)}
        return {s: self.pools[s] for s in sorted(found, key=lambda s: (order[s.agent], s.interface != "structured"))}


def block_tasks(tasks: Mapping[str, Task], block: str) -> frozenset[str]:
    """Return the tasks of a block of families, or of all."""
    return frozenset(tasks) if block == EVERYTHING else facet_values(tasks, block).get("yes", frozenset())


def read_study(results: Results, asked: Mapping[str, str]) -> Study:
    """
    Read runs and pool their trials by setting.

    Args:
        results: The runs; neither their order nor that of their rows matters.
        asked: What the tables are to be of: values of ``prompt``, ``user``, ``retriever``, ``catalog``, ``block`` and
            ``agents`` (names with commas between), ``size`` as a number; empty ones are chosen here.

    Raises:
        UsageError: A run is of another track; runs hold different tasks under one id, were scored by different metrics,
            or played one setting under different limits; or what was asked for is in none of them.
        DataError: Stored rows contradict their run.
    """
    infos = sorted(results.runs, key=lambda info: info.id)
    _check_tracks(infos)
    tasks = _same_tasks(results, infos)
    cells = [cell for info in infos for cell in info.spec.cells]
    agents = Names.make(cell.roles["agent"] for cell in cells if "agent" in cell.roles)
    users = Names.make(user_of(cell) for cell in cells)
    runs = tuple(read_trials(Enriched(results), info) for info in infos)
    parts: dict[Setting, list[tuple[Trials, Spent]]] = {}
    limits: dict[Setting, tuple[str, Limits]] = {}
    for run in runs:
        for cell, trials, spent in zip(run.info.spec.cells, run.cells, run.spent, strict=True):
            setting = setting_of(cell, agents, users)
            if setting is not None:
                _check_limits(limits, setting, run.info)
                parts.setdefault(setting, []).append((trials, spent))
    _check_scorers(runs)
    pools = {
        setting: Pool(tuple(trials for trials, _ in found), tuple(spent for _, spent in found))
        for setting, found in sorted(parts.items())
    }
    chosen, remarks = _choose(pools, tasks, asked)
    voiced = frozenset(users.name(user_of(cell)) for cell in cells if is_voiced(user_of(cell)))
    pooled = [setting.name for setting, pool in pools.items() if len(pool.parts) > 1]
    if pooled:
        more = f" and {len(pooled) - _LISTED} more" if len(pooled) > _LISTED else ""
        remarks.append(
            f"Trials that several cells played in one setting are pooled: {'; '.join(pooled[:_LISTED])}{more}."
        )
    return Study(runs, pools, tasks, chosen, voiced, tuple(remarks))


def _check_tracks(infos: Iterable[RunInfo]) -> None:
    for info in infos:
        if info.spec.track != BooksTrack.name:
            told = f"run {info.id} is of the track '{info.spec.track}', and this analysis of '{BooksTrack.name}' alone."
            raise UsageError(told, "Leave it out.")


def _same_tasks(results: Results, infos: Iterable[RunInfo]) -> dict[str, Task]:
    """Return all tasks; UsageError where two runs hold different ones under one id."""
    found: dict[str, Task] = {}
    origin: dict[str, str] = {}
    for info in infos:
        for name, task in results.tasks(info.id).items():
            if name in found and found[name] != task and digest(found[name]) != digest(task):
                told = f"the task '{name}' of run {info.id} is another one than that of run {origin[name]}"
                raise UsageError(
                    f"{told}, so their trials cannot stand in one table.",
                    "Report runs of different catalogs or families apart; `recfw runs show RUN` tells which.",
                )
            found.setdefault(name, task)
            origin.setdefault(name, info.id)
    return dict(sorted(found.items()))


def _check_limits(seen: dict[Setting, tuple[str, Limits]], setting: Setting, info: RunInfo) -> None:
    run, limits = seen.setdefault(setting, (info.id, info.spec.limits))
    if limits != info.spec.limits:
        one, other = to_data(limits), to_data(info.spec.limits)
        names = ", ".join(name for name in sorted(one) if one[name] != other[name])
        raise UsageError(
            f"runs {run} and {info.id} played '{setting.name}' under different limits ({names}), so their trials "
            "cannot be pooled.",
            "Report them apart, or compare them: recfw compare RUN RUN",
        )


def _check_scorers(runs: Sequence[RunTrials]) -> None:
    found: dict[str, set[str]] = {}
    for run in runs:
        for cell in run.cells:
            for scorer in cell.scorers.get(SUCCESS, ()):
                found.setdefault(scorer, set()).add(run.info.id)
    if len(found) > 1:
        words = "; ".join(f"{scorer or 'unknown'}: {', '.join(sorted(found[scorer]))}" for scorer in sorted(found))
        raise UsageError(
            f"the runs were scored by different metrics, whose figures are not comparable ({words}).",
            "Report those of one metric apart.",
        )


def _choose(
    pools: Mapping[Setting, Pool], tasks: Mapping[str, Task], asked: Mapping[str, str]
) -> tuple[Chosen, list[str]]:
    """Return what the tables are of, and remarks where that is not the paper's main experiment."""
    remarks: list[str] = []
    values: dict[str, str] = {}
    left = list(pools)
    for name in ("catalog", "other", "user", "prompt", "retriever"):
        present = sorted({getattr(s, name) for s in left if name != "retriever" or s.interface == "keyword"})
        values[name] = _value(name, present, USUAL[name], asked.get(name, ""))
        if present and values[name] != USUAL[name]:
            remarks.append(f"The tables are of the {name} '{values[name]}'.")
        left = [s for s in left if getattr(s, name) == values[name] or (name == "retriever" and not s.retriever)]
    size = _size({s.size for s in left}, asked.get("size", ""))
    if size:
        remarks.append(f"The tables are of catalogs of {size:,} books.")
    block, words = _block(tasks, asked.get("block", ""))
    agents, told = _agents({s.agent for s in pools}, asked.get("agents", ""))
    return Chosen(size=size, **values, block=block, agents=agents), [*words, *told, *remarks]


def _value(name: str, present: Sequence[str], usual: str, asked: str) -> str:
    if asked:
        if asked not in present:
            known = f"no run has the {name} '{asked}' (there: {', '.join(present) or 'none'})."
            raise UsageError(known, suggestion(asked, present))
        return asked
    return usual if usual in present or not present else present[0]


def _size(present: Collection[int], asked: str) -> int:
    """Return the size asked for, or else the whole catalog, or else the largest there is."""
    if asked:
        size = 0 if int(asked) == WHOLE else int(asked)
        if size not in present:
            there = ", ".join(map(size_words, sorted(present)))
            raise UsageError(
                f"no run has the size {size_words(size)} (there: {there or 'none'}).", "0 means all books."
            )
        return size
    return 0 if not present or 0 in present else max(present)


def _block(tasks: Mapping[str, Task], asked: str) -> tuple[str, list[str]]:
    known = (*BLOCKS, EVERYTHING)
    if asked and asked not in known:
        raise UsageError(f"no block of families '{asked}' (known: {', '.join(known)}).", suggestion(asked, known))
    block = asked or "panel"
    if block_tasks(tasks, block):
        return block, []
    if asked:
        raise UsageError(f"no run has a task of the block '{asked}'.", "Use --set analysis.block=all")
    return EVERYTHING, ["No run has a task of the panel, so the tables are of all families."]


def _agents(present: Collection[str], asked: str) -> tuple[tuple[str, ...], list[str]]:
    if asked:
        wanted = tuple(dict.fromkeys(name.strip() for name in asked.split(",") if name.strip()))
        for name in wanted:
            if name not in present:
                known = sorted(present)
                raise UsageError(f"no run has the agent '{name}' (there: {', '.join(known)}).", suggestion(name, known))
        return wanted, []
    others = tuple(sorted(set(present) - set(SCRIPTED)))
    if others:
        return others, []
    scripted = tuple(name for name in SCRIPTED if name in present)
    words = "The tests are of scripted agents, because no run has another agent."
    return scripted, [words] if scripted else []
