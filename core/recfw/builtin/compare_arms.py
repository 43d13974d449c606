"""The arms of a comparison: every cell of every run, its trials, its name, and what its tasks are matched by."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from attrs import field, frozen

from recfw.builtin.compare_conditions import arm_names, conditions
from recfw.engine.plan import select
from recfw.errors import UsageError
from recfw.known import suggestion
from recfw.model.results import Results, RunInfo
from recfw.model.task import Task
from recfw.report.figures import RunTrials, Trials, read_trials
from recfw.serialize import digest

SHOWN = 8
"""How many names a message lists."""


@frozen
class Arm:
    """
    One arm.

    Args:
        name: Short, and unique within the comparison.
        run: Its run.
        trials: The trials of its cell, of the tasks under comparison.
        keys: Task id -> what the task is matched by: equal where two arms have the same task, content and all.
        conditions: All that decides its figures, by name.
    """

    name: str
    run: RunInfo
    trials: Trials = field(repr=False)
    keys: Mapping[str, str] = field(repr=False)
    conditions: Mapping[str, str] = field(repr=False)

    def values(self, figure: str) -> dict[str, Sequence[float]]:
        """Return key -> values of a figure, for the tasks that have any."""
        found = self.trials.scores.get(figure, {})
        return {self.keys[task]: found[task] for task in sorted(found) if found[task]}

    def means(self, figure: str) -> dict[str, float]:
        """Return key -> mean of a figure over the task's trials, for the tasks that have any."""
        return {self.keys[task]: mean for task, mean in self.trials.means(figure).items()}


@frozen
class Arms:
    """
    The arms, ordered by run id and cell.

    Args:
        arms: They.
        runs: Their runs, ordered by id.
        tasks: Key -> task, of all tasks of any arm.
        other_content: Ids of the tasks whose content differs between runs, in order; they are not matched.
        roles: All roles of any cell, in order of names.
    """

    arms: tuple[Arm, ...]
    runs: tuple[RunTrials, ...]
    tasks: Mapping[str, Task] = field(repr=False)
    other_content: tuple[str, ...]
    roles: tuple[str, ...]


def read_arms(results: Results, patterns: Sequence[str], evaluated: str) -> Arms:
    """
    Read every cell of every run as an arm.

    Args:
        results: The runs; their order does not matter.
        patterns: Which tasks, as ``recfw run --tasks`` takes them; none for all.
        evaluated: The role under evaluation.

    Raises:
        UsageError: There are fewer than two arms, runs of several tracks, no task that two arms share, or a pattern
            that names no task.
        DataError: Stored rows contradict their run.
    """
    infos = sorted(results.runs, key=lambda info: info.id)
    _check_arms(infos)
    runs = tuple(read_trials(results, info) for info in infos)
    keys, other_content = _keys(runs)
    chosen = _chosen(runs, patterns)
    cells = [(run, cell, spec) for run in runs for cell, spec in zip(run.cells, run.info.spec.cells, strict=True)]
    cells.sort(key=lambda found: (found[0].info.id, found[2].name))
    found = [conditions(run.info, spec, evaluated) for run, _, spec in cells]
    names = arm_names([(run.info.id, spec.name) for run, _, spec in cells], found)
    arms = tuple(
        Arm(name, run.info, cell.of(chosen[run.info.id]), keys[run.info.id], one)
        for name, (run, cell, _), one in zip(names, cells, found, strict=True)
    )
    _check_shared(arms)
    return Arms(
        arms=arms,
        runs=runs,
        tasks={keys[run.info.id][task]: run.tasks[task] for run in runs for task in chosen[run.info.id]},
        other_content=tuple(task for task in other_content if any(task in ids for ids in chosen.values())),
        roles=tuple(sorted({role for _, _, spec in cells for role in spec.roles})),
    )


def _check_arms(infos: Sequence[RunInfo]) -> None:
    if sum(len(info.spec.cells) for info in infos) < 2:
        what = f"run {infos[0].id} has a single cell" if infos else "no run was named"
        another = f"Name another run to compare it with: recfw compare {infos[0].id if infos else 'RUN'} RUN"
        raise UsageError(f"{what}, so there is nothing to compare.", another)
    tracks: dict[str, list[str]] = {}
    for info in infos:
        tracks.setdefault(info.spec.track, []).append(info.id)
    if len(tracks) > 1:
        words = "; ".join(f"'{track}': {_listed(tracks[track])}" for track in sorted(tracks))
        raise UsageError(f"runs of different tracks cannot be compared ({words}).", "Compare those of one track.")


def _check_shared(arms: Sequence[Arm]) -> None:
    times = Counter(arm.keys[task] for arm in arms for task in arm.trials.tasks)
    if max(times.values(), default=0) < 2:
        raise UsageError(
            "no two arms have a task in common (of the same id and content), so there is nothing to compare.",
            "`recfw runs show RUN` tells a run's tasks and its content's digest.",
        )


def _keys(runs: Sequence[RunTrials]) -> tuple[dict[str, dict[str, str]], tuple[str, ...]]:
    """Return run -> task id -> key, and the ids that stand for several tasks."""
    digests = {run.info.id: {name: digest(task) for name, task in run.tasks.items()} for run in runs}
    contents: dict[str, set[str]] = {}
    for found in digests.values():
        for name, sha in found.items():
            contents.setdefault(name, set()).add(sha)
    several = {name for name, shas in contents.items() if len(shas) > 1}
    keys = {
        run: {name: f"{name}\0{sha}" if name in several else name for name, sha in found.items()}
        for run, found in digests.items()
    }
    return keys, tuple(sorted(several))


def _chosen(runs: Sequence[RunTrials], patterns: Sequence[str]) -> dict[str, set[str]]:
    """Return run -> ids of the tasks that the patterns name; UsageError where one names none in any run."""
    if not patterns:
        return {run.info.id: set(run.tasks) for run in runs}
    every = {name: task for run in runs for name, task in run.tasks.items()}
    chosen = {}
    for run in runs:  # among the tasks of all runs, because a pattern may name some of another run alone
        selected = select(list({**every, **run.tasks}.values()), patterns)
        chosen[run.info.id] = {task.id for task in selected if task.id in run.tasks}
    return chosen


def find_arm(arms: Sequence[Arm], words: str) -> str:
    """
    Return the name of the arm that words mean: its name, a cell's, a run's id (or its beginning), or ``RUN:CELL``.

    Raises:
        UsageError: They mean none, or more than one.
    """
    run, colon, cell = words.partition(":")
    meant = (
        [arm.name for arm in arms if arm.name == words]
        or [arm.name for arm in arms if arm.trials.cell == words]
        or [arm.name for arm in arms if run and arm.run.id.startswith(run) and (not colon or arm.trials.cell == cell)]
    )
    names = [arm.name for arm in arms]
    if not meant:
        known = f"no arm '{words}' (arms: {_listed(names)})"
        raise UsageError(f"{known}.", suggestion(words, names) or "Name its run too, if it is another.")
    if len(meant) > 1:
        raise UsageError(f"'{words}' means {len(meant)} arms: {_listed(meant)}.", "Write RUN:CELL, or an arm's name.")
    return meant[0]


def check_scorers(arms: Iterable[Arm], figure: str) -> str:
    """
    Return the identity of the one scorer that gave a figure to all arms; empty where it is not known.

    Raises:
        UsageError: Arms have it from different scorers, or one of them from several.
    """
    scorers: dict[str, list[str]] = {}
    for arm in arms:
        for scorer in sorted(arm.trials.scorers.get(figure, ())):
            scorers.setdefault(scorer, []).append(arm.name)
    if len(scorers) > 1:
        words = "; ".join(f"{scorer or 'unknown'}: {_listed(scorers[scorer])}" for scorer in sorted(scorers))
        raise UsageError(
            f"the figure '{figure}' comes from different scorers, which cannot be compared ({words}).",
            "Score all of them by one, leave the others out, or compare another figure: --figure NAME",
        )
    return next(iter(scorers), "")


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:SHOWN]) + (f" and {len(names) - SHOWN} more" if len(names) > SHOWN else "")
