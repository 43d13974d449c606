"""Planning a run: which trials its cells, tasks and trial numbers make, and which tasks a selection names."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase

from recfw.errors import DataError, UsageError
from recfw.known import suggestion
from recfw.model.run import RunSpec, TrialKey
from recfw.model.task import Task

MOST_TRIALS = 10_000_000
"""Most trials of a run, over all its cells and tasks."""

LISTED = "`recfw run --dry-run` lists what a selection names."


def select(tasks: Sequence[Task], patterns: Sequence[str]) -> list[Task]:
    """
    Return the tasks that a selection names, in the track's order.

    Args:
        tasks: All tasks.
        patterns: Each is an id, a glob over ids (``*-hidden``), or ``facet=value`` (``condition=hidden``, values may be
            globs). Patterns on one facet widen, different facets narrow, ids widen; none selects all.

    Raises:
        UsageError: There is no task at all, or a pattern names no task, or a facet that no task has.
        DataError: Two tasks have one id.
    """
    if not tasks:
        raise UsageError("the track has no tasks under these options.", "Ask for at least one.")
    _check_unique(tasks)
    if not patterns:
        return list(tasks)
    ids = [pattern for pattern in patterns if "=" not in pattern]
    facets: dict[str, list[str]] = {}
    for pattern in patterns:
        name, equals, value = pattern.partition("=")
        if equals:
            facets.setdefault(name, []).append(value)
    _check_facets(tasks, facets)
    _check_ids(tasks, ids)
    chosen = [
        task
        for task in tasks
        if (not ids or any(fnmatchcase(task.id, pattern) for pattern in ids))
        and all(any(fnmatchcase(task.facets.get(n, ""), v) for v in values) for n, values in facets.items())
    ]
    if not chosen:
        raise UsageError(f"no task matches {' '.join(patterns)}.", LISTED)
    return chosen


def _check_unique(tasks: Sequence[Task]) -> None:
    seen: set[str] = set()
    for task in tasks:
        if task.id in seen:
            raise DataError(f"two tasks have the id '{task.id}'.", "Give every task of the track an id of its own.")
        seen.add(task.id)


def _check_facets(tasks: Sequence[Task], facets: Mapping[str, Iterable[str]]) -> None:
    known: dict[str, set[str]] = {}
    for task in tasks:
        for name, value in task.facets.items():
            known.setdefault(name, set()).add(value)
    for name, values in facets.items():
        if name not in known:
            raise UsageError(f"no task has a facet '{name}' (known: {', '.join(known)}).", suggestion(name, known))
        for value in values:
            if not any(fnmatchcase(found, value) for found in known[name]):
                shown = ", ".join(sorted(known[name])[:20])
                raise UsageError(f"no task has {name}={value} (known: {shown}).", suggestion(value, known[name]))


def _check_ids(tasks: Sequence[Task], ids: Iterable[str]) -> None:
    known = {task.id for task in tasks}
    for pattern in ids:
        if pattern not in known and not any(fnmatchcase(task, pattern) for task in known):
            some = ", ".join([f"'{task.id}'" for task in tasks][:3])
            raise UsageError(f"no task '{pattern}'.", suggestion(pattern, known) or f"Tasks are {some} …; {LISTED}")


def count(spec: RunSpec, tasks: Mapping[str, Sequence[Task]]) -> int:
    """
    Return how many trials a run has.

    Args:
        spec: What was asked.
        tasks: Cell -> its selected tasks.

    Raises:
        UsageError: More than ``MOST_TRIALS``.
    """
    each = sum(len(tasks[cell.name]) for cell in spec.cells)
    found = each * spec.trials
    if found > MOST_TRIALS:
        asked = f"{each:,} tasks, over all cells, x {spec.trials:,} trials"
        raise UsageError(f"{asked} are too many: a run has at most {MOST_TRIALS:,} trials.", "Ask for fewer.")
    return found


def trials(spec: RunSpec, tasks: Mapping[str, Sequence[Task]]) -> Iterator[TrialKey]:
    """
    Yield every trial of a run.

    Trial numbers come first and cells last, so that a run cut short has compared every cell on the same tasks.

    Args:
        spec: What was asked.
        tasks: Cell -> its selected tasks.

    Raises:
        UsageError: More than ``MOST_TRIALS``.
    """
    count(spec, tasks)
    order = list(dict.fromkeys(task.id for chosen in tasks.values() for task in chosen))
    members = {cell: {task.id for task in chosen} for cell, chosen in tasks.items()}
    for trial in range(spec.trials):
        for task in order:
            for cell in spec.cells:
                if task in members[cell.name]:
                    yield TrialKey(cell.name, task, trial)
