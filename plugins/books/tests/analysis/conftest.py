"""Runs as analyses of the paper see them: small ones made by hand, and a random one with every factor."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import product
from typing import Any

import pytest
from attrs import evolve, field, frozen

from recfw.model.draws import Draws
from recfw.model.results import ResultRow
from recfw.model.run import Cell, ComponentSpec, Limits, RunSpec, Status
from recfw.model.task import Task
from recfw.testing.results import MemoryResults, memory_run

CONDITIONS = ("volunteer", "mixed", "hidden")

Experiment = Callable[..., MemoryResults]


def family(
    number: int, *, nvr: bool = False, template: str = "", tier: str = "simple", blocks: Iterable[str] = ()
) -> list[Task]:
    """Return a family's three tasks."""
    shared = {
        "tier": tier,
        "template": template or f"template {number}",
        "nvr": "yes" if nvr else "no",
        "panel": "yes" if "panel" in blocks else "no",
        "reliability": "yes" if "reliability" in blocks else "no",
    }
    return [Task(f"b{number}-{name}", str(number), {**shared, "condition": name}) for name in CONDITIONS]


def cell(name: str, agent: str | ComponentSpec, user: str | ComponentSpec = "books-rules", **options: Any) -> Cell:
    """Return a cell."""
    roles = {"agent": agent, "user": user}
    return Cell(
        name, {role: ComponentSpec(one) if isinstance(one, str) else one for role, one in roles.items()}, options
    )


def run(
    cells: Sequence[Cell],
    tasks: Sequence[Task],
    rows: Iterable[ResultRow],
    trials: int = 1,
    name: str = "run-1",
    limits: Limits | None = None,
) -> MemoryResults:
    """Return results of one run."""
    results = memory_run([evolve(row, run=name) for row in rows], tasks, [one.name for one in cells], trials, name)
    spec = RunSpec("books", "books", tuple(cells), trials=trials)
    info = evolve(results.runs[0], spec=evolve(spec, limits=limits) if limits else spec)
    return evolve(results, runs=(info,))


def together(*results: MemoryResults) -> MemoryResults:
    """Return several runs as one set of results."""
    return MemoryResults(
        tuple(info for one in results for info in one.runs),
        {name: tasks for one in results for name, tasks in one.tasks_of.items()},
        {name: rows for one in results for name, rows in one.rows_of.items()},
    )


def done(where: str, task: str, trial: int = 0, stop: str = "recommended", **scores: float | None) -> ResultRow:
    """Return a completed trial."""
    return ResultRow("run-1", where, task, trial, Status.COMPLETED, stop, 1, 0.5, {}, dict(scores))


@frozen
class Tools:
    """What tests of the analysis make runs of."""

    family: Callable[..., list[Task]] = family
    cell: Callable[..., Cell] = cell
    run: Callable[..., MemoryResults] = run
    together: Callable[..., MemoryResults] = together
    done: Callable[..., ResultRow] = done


@pytest.fixture(scope="session")
def make() -> Tools:
    """Return what runs are made of."""
    return Tools()


@frozen
class Random:
    """A random experiment: its results, and its trials as plain records that share nothing with the analysis."""

    results: MemoryResults
    trials: Sequence[Mapping[str, Any]] = field(repr=False)
    tasks: Mapping[str, Task] = field(repr=False)


STOPS = ("recommended", "abstained", "agent_turn_limit", "context_overflow", "agent_call_limit")


def scores_of(draws: Draws, task: Task, chance: float) -> tuple[str, dict[str, float | None]]:
    """Return a random trial's stop reason and consistent figures."""
    nvr, condition = task.facets["nvr"] == "yes", task.facets["condition"]
    success = draws.below(1000) < chance * 1000
    stop = ("abstained" if nvr else "recommended") if success else draws.choice(STOPS)
    book = stop == "recommended"
    correct = success or (stop == ("abstained" if nvr else "recommended") and draws.below(10) == 0)
    if not success and nvr and stop == "abstained":
        correct = True
    proposals, accepted = draws.below(6), success and draws.below(2)
    undisclosed = [draws.below(3) == 0 for _ in range(3)]
    asked = condition != "volunteer"
    checks = ("one_recommendation", "not_from_history", "formats_checked")
    broken = draws.choice(checks) if correct and not success else ""
    figures: dict[str, float | None] = {
        "success": float(success),
        "correct_ending": float(correct),
        **{check: float(check != broken) for check in checks},
        "proposals": float(proposals),
        "proposals_to_success": float(proposals) if success else None,
        "rejections_to_success": float(max(0, proposals - accepted)) if success else None,
        "fields_asked": float(draws.below(4)),
        "elicited_share": 1 - sum(undisclosed) / 3 if asked else None,
        **{
            name: float(left) if asked else None
            for name, left in zip(("fields_unasked", "fields_missed", "fields_untold"), undisclosed, strict=True)
        },
        "fields_declined": float(draws.below(2)),
        "proposed_before_commit": float(draws.below(2)) if book else None,
        "accepted_before_commit": 0.0 if book else None,
        "returned_by_search": float(draws.below(20) > 0) if book else None,
        "named_untagged": float(draws.below(5) == 0),
        "leaks": 0.0,
    }
    rank = 1 + draws.below(40)
    return stop, {
        **figures,
        "exposure_rank": float(rank) if book else None,
        "exposure_share": rank / 200 if book else None,
    }


@pytest.fixture(scope="session")
def random_experiment() -> Random:
    """Return four runs: two agents and a script, both interfaces, two sizes, a second prompt and a voiced user."""
    draws = Draws(11, "experiment")
    tasks: list[Task] = []
    for number in range(24):
        blocks = [block for block, most in (("panel", 20), ("reliability", 8)) if number < most]
        tier = ("simple", "medium", "complex")[number % 3]
        tasks += family(number, nvr=number % 7 == 6, template=f"t{number % 6}", tier=tier, blocks=blocks)
    agents = {name: ComponentSpec("litellm", {"model": name}) for name in ("m1", "m2")}
    agents["popularity"] = ComponentSpec("popularity")
    voice = ComponentSpec("litellm", {"model": "voice"})
    main = [cell(f"{a}-{i}", agents[a], interface=i) for a, i in product(agents, ("structured", "keyword"))]
    small = [
        cell(f"{a}-{i}", agents[a], interface=i, size=5000) for a, i in product(("m1", "m2"), ("structured", "keyword"))
    ]
    voiced = [cell("m1", agents["m1"], voice, interface="structured")]
    protocol = [cell(a, agents[a], interface="structured", prompt="protocol") for a in ("m1", "m2")]
    block = [task for task in tasks if task.facets["reliability"] == "yes"]
    told = [task for task in tasks if task.facets["condition"] != "hidden"]
    parts = [
        ("a", main, tasks, 4),
        ("b", small, told, 3),
        ("c", voiced, block, 4),
        ("d", protocol, block, 4),
        ("e", main, block, 4),
    ]
    results, trials = [], list[Mapping[str, Any]]()
    for name, cells, chosen, repeats in parts:
        rows = []
        for one, task, trial in product(cells, chosen, range(repeats)):
            if draws.below(50) == 0:
                continue  # a trial that is missing
            base = {"volunteer": 0.95, "mixed": 0.7, "hidden": 0.35}[task.facets["condition"]]
            better = 0.05 * (one.options["interface"] == "structured") + 0.05 * (one.options.get("size") == 5000)
            worse = 0.1 * (one.roles["user"].name == "litellm") + 0.02 * (int(task.cluster) % 6)
            stop, scores = scores_of(draws, task, base + better - worse)
            if draws.below(60) == 0:
                rows.append(ResultRow(name, one.name, task.id, trial, Status.FAILED, "provider", 2, 1.0))
                continue
            rows.append(evolve(done(one.name, task.id, trial, stop, **scores), run=name))
            agent = one.roles["agent"].options.get("model") or one.roles["agent"].name
            trials.append(
                {
                    "agent": agent,
                    "interface": one.options["interface"],
                    "size": one.options.get("size", 0),
                    "prompt": one.options.get("prompt", "base"),
                    "user": "voice" if one.roles["user"].name == "litellm" else "rules",
                    "task": task.id,
                    "stop": stop,
                    **scores,
                }
            )
        results.append(run(cells, chosen, rows, repeats, name))
    return Random(together(*results), tuple(trials), {task.id: task for task in tasks})
