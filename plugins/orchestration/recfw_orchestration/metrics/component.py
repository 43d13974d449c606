"""The track's metrics as core knows them: figures by level, errors, the budget, and the rule-based judge's points."""

from collections.abc import Mapping
from typing import Any, ClassVar

from recfw.model.task import Task
from recfw.model.trace import Trace
from recfw.protocols import NoOptions
from recfw_orchestration import taxonomy
from recfw_orchestration.judging import rules
from recfw_orchestration.metrics import ratios
from recfw_orchestration.metrics.edges import dependency_awareness
from recfw_orchestration.metrics.parameters import parameter_accuracy
from recfw_orchestration.metrics.played import Played, read
from recfw_orchestration.tasks.records import Workflow, workflow_of

ROBUST = ("tool_name_valid", "schema_compliance", "execution_success")
HITS = ("hit", "hit_at_3", "hit_at_5")
BY_LEVEL: Mapping[str, tuple[str, ...]] = {
    "L1": (*ROBUST, "selection_accuracy", "parameter_accuracy", *HITS),
    "L2": (*ROBUST, "selection_f1", "parameter_accuracy", "parallel_ratio", "efficiency", *HITS),
    "L3": (*ROBUST, "selection_f1", "parameter_accuracy", "sequential_efficiency", "dependency_awareness", *HITS),
    "L4": (*ROBUST, "selection_f1", "dependency_awareness", *HITS),
}
"""The figures by rule of each level; the others are None there."""


class OrchestrationFigures:
    """Every figure by rule that the task's level has; a rollout without a call has 0 of each."""

    name: ClassVar[str] = "orchestration"
    summary: ClassVar[str] = "validity, selection, parameters, parallelism, efficiency and hit ratio, by level"
    Options: ClassVar[type] = NoOptions
    version: ClassVar[str] = "1"
    figures: ClassVar[Mapping[str, str]] = {
        "tool_name_valid": "share of calls whose tool exists",
        "schema_compliance": "share of calls to existing tools whose raw arguments fit the strict schema",
        "execution_success": "share of calls without an error and with a non-empty result",
        "selection_accuracy": "1 where exactly the gold tools were called (L1)",
        "selection_f1": "F1 of the set of called tools against gold's (L2 to L4)",
        "parameter_accuracy": "right arguments under the best pairing of calls with gold calls (L1 to L3)",
        "parallel_ratio": "largest number of gold calls issued in one round, of all gold calls (L2)",
        "efficiency": "share of gold calls covered, times gold calls over calls where there are more (L2)",
        "sequential_efficiency": "1 less the share of calls that repeat an earlier one exactly (L3)",
        "dependency_awareness": "share of gold edges whose consumer took its value from the producer (L3, L4)",
        "hit": "1 where the target is ranked first",
        "hit_at_3": "1 where the target is among the first three",
        "hit_at_5": "1 where the target is among the first five",
        "success": "the hit ratio: what reports compare agents by",
    }

    def __init__(self, options: Any = None) -> None:
        self.options = options

    def score(self, task: Task, trace: Trace) -> Mapping[str, float | None]:
        """Return every figure of a finished trial."""
        played, flow, target = read(trace), workflow_of(task), str(task.private["target"])
        asked = BY_LEVEL[flow.level]
        found = {name: value if name in asked else None for name, value in _figures(played, flow, target).items()}
        return {**found, "success": found["hit"]}


def _figures(played: Played, flow: Workflow, target: str) -> dict[str, float | None]:
    calls, gold = played.calls, [call.tool for call in flow.calls]
    if not calls:
        return dict.fromkeys((name for name in OrchestrationFigures.figures if name != "success"), 0.0)
    return {
        "tool_name_valid": ratios.tool_name_valid(calls),
        "schema_compliance": ratios.schema_compliance(calls),
        "execution_success": ratios.execution_success(calls),
        "selection_accuracy": ratios.selection_accuracy(calls, gold),
        "selection_f1": ratios.selection_f1(calls, gold),
        "parameter_accuracy": parameter_accuracy(calls, flow.calls),
        "parallel_ratio": ratios.parallel_ratio(played, gold),
        "efficiency": ratios.efficiency(calls, gold),
        "sequential_efficiency": ratios.sequential_efficiency(calls),
        "dependency_awareness": dependency_awareness(calls, flow),
        "hit": ratios.hit(played, target),
        "hit_at_3": ratios.hit(played, target, 3),
        "hit_at_5": ratios.hit(played, target, 5),
    }


class OrchestrationConduct:
    """What a rollout used against what gold uses, its errors, and the points of the rule-based judge."""

    name: ClassVar[str] = "orchestration-conduct"
    summary: ClassVar[str] = "rounds and calls against gold's, error taxonomy, the rule-based judge's points"
    Options: ClassVar[type] = NoOptions
    version: ClassVar[str] = "1"
    figures: ClassVar[Mapping[str, str]] = {
        "rounds": "rounds of calls",
        "calls": "calls",
        "expected_rounds": "rounds of the gold workflow",
        "expected_calls": "calls of the gold workflow",
        "compressions": "how often the planning state was compressed",
        "dependency_failure": "1 where an edge of the gold workflow is not met",
        "retrieval_miss": "1 where the target is not ranked first and no result named it",
        "premature_end": "1 where it ended before it had called what gold calls",
        "unproductive_exploration": "1 where more calls were unproductive than gold makes",
        "no_clear_failure": "1 where none of the four errors holds",
        **rules.FIGURES,
    }

    def __init__(self, options: Any = None) -> None:
        self.options = options

    def score(self, task: Task, trace: Trace) -> Mapping[str, float | None]:
        """Return every figure of a finished trial; points only for what the rule-based judge is asked at the level."""
        played, flow, target = read(trace), workflow_of(task), str(task.private["target"])
        gold = [call.tool for call in flow.calls]
        dependency = dependency_awareness(played.calls, flow)
        found = taxonomy.errors(played, gold, flow.rounds, target, dependency)
        return {
            "rounds": float(played.rounds),
            "calls": float(len(played.calls)),
            "expected_rounds": float(flow.rounds),
            "expected_calls": float(len(gold)),
            "compressions": float(len(trace.world("compressed"))),
            **{name: float(holds) for name, holds in found.items()},
            **rules.rate(task, played, flow),
        }
