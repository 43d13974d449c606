"""Stored results made by hand: whole banks of tasks, and trials whose scores are given."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from recfw.model.results import ResultRow, RunInfo
from recfw.model.run import Cell, ComponentSpec, RunSpec, Status
from recfw.model.task import Task
from recfw.model.trace import Trace
from recfw.testing.results import MemoryResults

Scores = dict[str, float | None]

NOTHING: Scores = {
    "success": 0.0, "turns": 20.0, "turns_to_purchase": None, "afr": None, "lnsr": None, "recall_at_5": 0.0,
    "ndcg_at_10": 0.0, "rpr": 0.0, "rpr_given_cart": None, "r_mrr_at_10": None,
}  # fmt: skip


def bank(scene: str = "supermarket", shoppers: int = 25) -> list[Task]:
    """Return four tasks a shopper, the n-th in subset n."""
    letter = scene[0]
    return [
        Task(
            f"{letter}{shopper:02d}.{number}",
            f"{letter}{shopper:02d}",
            {"scene": scene, "subset": f"{scene} {number}"},
            {"scene": scene},
        )
        for shopper in range(1, shoppers + 1)
        for number in range(1, 5)
    ]


def cell(name: str, user: str = "rules", model: str = "", **options: Any) -> Cell:
    """Return a cell: an assistant of the cell's name, a user, options of the track."""
    agent = ComponentSpec("litellm", {"model": model}) if model else ComponentSpec(name)
    return Cell(name, {"agent": agent, "user": ComponentSpec(user)}, options)


def run(
    name: str,
    cells: Iterable[Cell],
    tasks: Iterable[Task],
    score: Callable[[str, Task], Scores | None],
    stop: Callable[[str, Task], str] = lambda cell, task: "turn_limit",
) -> MemoryResults:
    """
    Return the results of one run with a trial of each cell and task.

    Args:
        name: Its id.
        cells: Its cells.
        tasks: Its tasks.
        score: (cell, task) -> scores beside :data:`NOTHING`; None for a trial that failed.
        stop: (cell, task) -> how it ended.
    """
    made, held = tuple(cells), {task.id: task for task in tasks}
    rows = []
    for one in made:
        for task in held.values():
            given = score(one.name, task)
            status = Status.FAILED if given is None else Status.COMPLETED
            scores = {} if given is None else {**NOTHING, **given}
            ended = "connection" if given is None else stop(one.name, task)
            rows.append(ResultRow(name, one.name, task.id, 0, status, ended, 1, 1.0, {}, scores))
    spec = RunSpec("situated", "situated", made, tuple(held))
    info = RunInfo(name, spec, "5" * 64, "c" * 64, {}, "completed", 0.0, len(held) * len(made))
    return MemoryResults((info,), {name: held}, {name: tuple(rows)})


def together(*parts: MemoryResults, traces: Mapping[tuple[str, str, int], Trace] | None = None) -> MemoryResults:
    """Return several runs as one; trials without a trace of their own get an empty one."""
    found = dict(traces or {})
    for part in parts:
        for rows in part.rows_of.values():
            for row in rows:
                found.setdefault((row.cell, row.task, row.trial), Trace())
    return MemoryResults(
        tuple(info for part in parts for info in part.runs),
        {name: tasks for part in parts for name, tasks in part.tasks_of.items()},
        {name: rows for part in parts for name, rows in part.rows_of.items()},
        {},
        found,
    )


def number(task: Task) -> int:
    """Return which of its shopper's four tasks one is."""
    return int(task.id.rpartition(".")[2])
