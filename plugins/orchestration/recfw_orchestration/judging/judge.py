"""The rule-based judge as a component: rates stored trials offline, without a model."""

from collections.abc import Sequence
from typing import Any, ClassVar

from recfw.model.score import Score
from recfw.model.task import Task
from recfw.model.trace import Trace
from recfw.protocols import Judge, NoOptions
from recfw_orchestration.judging.rules import FIGURES, rate
from recfw_orchestration.metrics.played import read
from recfw_orchestration.tasks.records import workflow_of


class RuleJudge(Judge):
    """Answers the rubric's questions by rules, under names of its own (:mod:`recfw_orchestration.judging.rules`)."""

    name = "orchestration-rules"
    summary = "the rubric's questions answered by rules, without a model"
    Options: ClassVar[type] = NoOptions
    version = "1"

    def __init__(self, options: Any = None) -> None:
        self.options = options

    @property
    def identity(self) -> str:
        """Who judges: rules, by version."""
        return f"{self.name}@{self.version}"

    @property
    def figures(self) -> Sequence[str]:
        """Names of all questions."""
        return tuple(FIGURES)

    async def judge(self, task: Task, trace: Trace) -> Sequence[Score]:
        """Rate one finished trial."""
        points = rate(task, read(trace), workflow_of(task))
        return [Score(name, value, self.identity, {"scale": [1, 10]}) for name, value in points.items()]
