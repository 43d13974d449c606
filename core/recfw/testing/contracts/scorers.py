"""What every metric, judge and analysis must do."""

import asyncio
import math
from collections.abc import Sequence

from recfw.model.results import Results
from recfw.model.score import Score
from recfw.model.task import Task
from recfw.model.trace import Trace
from recfw.serialize import canonical
from recfw.testing.contracts.base import Contract
from recfw.testing.results import Repeated


class MetricContract(Contract):
    """What every metric must do. Override :meth:`cases` with tasks and finished traces that it can score."""

    def cases(self) -> Sequence[tuple[Task, Trace]]:
        """Return tasks with finished traces."""
        raise NotImplementedError("override cases() with tasks and finished traces")

    def test_names_its_figures(self) -> None:
        """Every figure that it gives is named in ``figures`` with a sentence."""
        assert self.component.figures
        assert all(words.strip() for words in self.component.figures.values())
        for task, trace in self.cases():
            assert set(self.make().score(task, trace)) <= set(self.component.figures)

    def test_figures_are_numbers_or_none(self) -> None:
        """Figures are finite numbers or None."""
        for task, trace in self.cases():
            for name, value in self.make().score(task, trace).items():
                assert value is None or math.isfinite(float(value)), name

    def test_scores_purely(self) -> None:
        """The same trace gets the same figures from any instance, and is left as it was."""
        for task, trace in self.cases():
            before = canonical([task, trace])
            assert dict(self.make().score(task, trace)) == dict(self.make().score(task, trace))
            assert before == canonical([task, trace])

    def test_an_empty_trace_is_scored(self) -> None:
        """A trace without events is no exception."""
        task, _ = self.cases()[0]
        assert set(self.make().score(task, Trace())) <= set(self.component.figures)


class JudgeContract(Contract):
    """What every judge must do. Override :meth:`cases` with tasks and finished traces that it can rate."""

    def cases(self) -> Sequence[tuple[Task, Trace]]:
        """Return tasks with finished traces."""
        raise NotImplementedError("override cases() with tasks and finished traces")

    def test_scores_carry_its_identity(self) -> None:
        """Every score names the judge's identity, and is a finite number or None."""

        async def rate(cases: Sequence[tuple[Task, Trace]]) -> list[Score]:
            judge = self.make()
            async with judge.open():
                return [score for task, trace in cases for score in await judge.judge(task, trace)]

        scores = asyncio.run(rate(self.cases()))
        assert scores
        identity = self.make().identity
        for score in scores:
            assert identity == score.scorer
            assert score.value is None or math.isfinite(score.value)


class AnalysisContract(Contract):
    """What every analysis must do. Override :meth:`results` with stored results that it understands."""

    def results(self) -> Sequence[Results]:
        """Return results to analyse."""
        raise NotImplementedError("override results() with stored results")

    def test_reports_the_same_twice(self) -> None:
        """Equal results give an equal document and equal figures, and the figures survive as JSON."""
        for results in self.results():
            first, second = self.make().report(results), self.make().report(results)
            assert canonical(first.document) == canonical(second.document)
            assert canonical(first.figures) == canonical(second.figures)

    def test_figures_are_those_of_the_outcome(self) -> None:
        """Runs of equal outcome give equal figures, byte for byte: no run id, date, attempts, time or cost."""
        for results in self.results():
            first, second = self.make().report(results), self.make().report(Repeated(results))
            hint = "what differs from day to day belongs into Report.operational"
            assert canonical(first.figures) == canonical(second.figures), hint

    def test_shows_something(self) -> None:
        """The document is not empty."""
        for results in self.results():
            assert self.make().report(results).document.blocks
