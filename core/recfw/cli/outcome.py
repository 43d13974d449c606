"""What ``recfw run --json`` prints: one object for scripts, in place of the table."""

import shlex
import time
from collections.abc import Mapping, Sequence
from typing import Any

from recfw.executors.conductor import Tally
from recfw.model.run import ComponentSpec, RunSpec
from recfw.serialize import to_data
from recfw.store.carrying import executor_of
from recfw.store.repository import Store
from recfw.store.watcher import Watcher


def outcome(store: Store, run_id: str, again: str, tally: Tally | None = None, **more: Any) -> dict[str, Any]:
    """
    Return where a run stands.

    Args:
        store: Where it is stored.
        run_id: The run.
        again: The command that goes on with it.
        tally: What playing it has just come to.
        more: Further facts.
    """
    run, executor = store.run(run_id), executor_of(store.database, run_id)
    sight, spent = Watcher(store, run).look(time.time()), store.spending(run_id)
    return {
        "run": run_id,
        "status": sight.status,
        "store": store.where,
        "executor": executor and to_data(executor),
        "planned": sight.planned,
        "completed": sight.completed,
        "failed": sight.failed,
        "kinds": sight.kinds,
        "tokens": int(sum(used.get("input_tokens", 0) + used.get("output_tokens", 0) for used in spent.values())),
        "cost": round(sum(used.get("cost", 0.0) for used in spent.values()), 6),
        "warnings": list(dict.fromkeys(tally.warnings)) if tally else [],
        "stopped": tally.stopped if tally else "",
        "resume": shlex.split(again),
        **more,
    }


def plan(spec: RunSpec, planned: int, tasks: Sequence[str], executor: ComponentSpec) -> dict[str, Any]:
    """Return what a run would be, and who would carry it out."""
    cells: Mapping[str, Any] = {
        cell.name: {"roles": {role: part.name for role, part in cell.roles.items()}, "options": cell.options}
        for cell in spec.cells
    }
    return {
        "run": None,
        "plugin": spec.plugin,
        "track": spec.track,
        "planned": planned,
        "trials": spec.trials,
        "seed": spec.seed,
        "cells": cells,
        "tasks": list(tasks),
        "executor": to_data(executor),
    }
