"""Success: an item that meets every constraint, or none where there is none."""

from collections.abc import Mapping
from typing import Any, ClassVar

from recfw.model.task import Task
from recfw.model.trace import Trace
from recfw.protocols import Metric, NoOptions


class TauRecMetric(Metric):
    """Figures of one trial, from its trace alone."""

    name: ClassVar[str] = "tau-rec-v1"
    summary: ClassVar[str] = "success, proposals and leaks"
    Options: ClassVar[type] = NoOptions
    figures: ClassVar[Mapping[str, str]] = {
        "success": "1 for an item that meets every constraint and is new to the user, or none where none does",
        "proposals": "proposals that drew a verdict",
        "leaks": "user turns that gave a hidden value away",
    }

    def __init__(self, options: Any = None) -> None:
        self.options = options

    def score(self, task: Task, trace: Trace) -> Mapping[str, float | None]:
        """Return the figures."""
        chosen = [event.data for event in trace.world("chosen")]
        nothing = bool(chosen) and chosen[0]["item"] is None
        success = nothing if task.private["nvr"] else bool(chosen) and chosen[0]["accepted"]
        return {
            "success": float(success),
            "proposals": float(len(trace.world("proposal"))),
            "leaks": float(len(trace.world("leak"))),
        }
