"""What every renderer, executor and recorder must do."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

import pytest

from recfw.engine.request import RunRequest, build_spec
from recfw.engine.stage import settings_of
from recfw.executors.conductor import planned
from recfw.executors.parcels import Assignment, WorkOrder, unpack_trial
from recfw.model.document import (
    Block,
    Column,
    Document,
    Heading,
    Image,
    Measure,
    Note,
    Paragraph,
    Plot,
    Report,
    Series,
    Table,
)
from recfw.model.run import RunSpec, TrialKey
from recfw.model.trace import EndEvent, WorldEvent
from recfw.plugins import build_manager
from recfw.registry import Registry
from recfw.serialize import canonical, dumps, unpack_trace
from recfw.testing.contracts.base import HOSTILE, Contract, Explained


def sample_report(words: str = "plain") -> Report:
    """Return a report with a block of every kind, these words in all of them."""
    columns = (Column(words), Column("n", ".3f"))
    blocks: tuple[Block, ...] = (
        Heading(words, 1),
        Paragraph(words),
        Note(words),
        Table(columns, ((words, 0.5), ("none", None), ("interval", Measure(0.5, 0.4, 0.6))), words),
        *(
            Plot(words, form, words, "y", (Series(words, (words, "b"), (0.5, None), (0.4, None), (0.6, None)),))
            for form in ("bar", "points", "line")
        ),
        Plot(words, "line", words, "y", (Series(words, (1, 2.5), (-0.5, 1e300)),), repeats=True),
        Image(words, "image/png", b"\x89PNG", words),
    )
    return Report(Document(blocks), {"value": 0.5}, {"seconds": 1.25})


class RendererContract(Contract):
    """What every renderer must do."""

    def test_shows_every_block(self) -> None:
        """A report with a block of every kind, or none at all, gives text; equal reports, equal text."""
        assert self.make().render(sample_report())
        assert self.make().render(sample_report()) == self.make().render(sample_report())
        assert isinstance(self.make().render(Report(Document())), str)

    def test_hostile_text_cannot_break_it(self) -> None:
        """Any text in a report is shown without an exception, and without control characters other than line ends."""
        for text in HOSTILE:
            shown = self.make().render(sample_report(text)).replace("\r\n", "\n")
            assert not {char for char in shown if ord(char) < 32 and char not in "\n\t"}


class ExecutorContract(Contract):
    """
    What every executor must do: only bytes cross, each trial is delivered once.

    Attributes:
        track: A track whose default cells are deterministic and quick.
    """

    track: ClassVar[str]

    @pytest.fixture
    def spec(self) -> RunSpec:
        """A run of the track's default cells."""
        return build_spec(Registry(build_manager()), RunRequest(track=self.track, trials=2))

    def outcome(self, spec: RunSpec, folder: Path) -> dict[TrialKey, Any]:
        """Run everything; return what of each trial does not depend on the clock."""
        keys = list(planned(spec, settings_of(Registry(build_manager()), spec)))
        order = dumps(WorkOrder(spec, str(folder / "journal"), str(folder / "cache")))
        parcels: list[bytes] = []
        asyncio.run(self.make().execute(order, [dumps(Assignment(key, 1)) for key in keys], parcels.append))
        trials = [unpack_trial(parcel) for parcel in parcels]
        assert sorted(keys) == sorted(trial.key for trial in trials)
        return {trial.key: (trial.status, trial.stop, trial.seed, canonical(trial.scores)) for trial in trials}

    def test_every_trial_is_delivered_once(self, spec: RunSpec, tmp_path: Path) -> None:
        """Every trial comes back once, completed, with a whole trace."""
        assert all(status == "completed" for status, *_ in self.outcome(spec, tmp_path).values())

    def test_results_do_not_depend_on_the_executor(self, spec: RunSpec, tmp_path: Path) -> None:
        """Two executions of one order give the same endings and scores."""
        assert self.outcome(spec, tmp_path / "one") == self.outcome(spec, tmp_path / "two")

    def test_nothing_to_do_is_done(self, spec: RunSpec, tmp_path: Path) -> None:
        """An order without trials delivers nothing and returns."""
        order = dumps(WorkOrder(spec, str(tmp_path / "journal"), str(tmp_path / "cache")))
        parcels: list[bytes] = []
        asyncio.run(self.make().execute(order, [], parcels.append))
        assert parcels == []


class RecorderContract(Explained):
    """What every recorder that gives its trace back must do; override :meth:`recorder`."""

    def recorder(self, folder: Path) -> Any:
        """Return a new recorder that may write below this folder."""
        raise NotImplementedError("override recorder()")

    def test_gives_back_what_it_recorded(self, tmp_path: Path) -> None:
        """The packed trace holds the events in order, and attachments come back by their SHA-256."""
        recorder = self.recorder(tmp_path)
        recorder.begin(TrialKey("cell", "task", 0), 1)
        events: Sequence[Any] = [WorldEvent(text[:50], {"text": text}) for text in HOSTILE if text.isascii()]
        for event in events:
            recorder.append(event)
        sha256 = recorder.attach(b"payload", "text/plain")
        recorder.append(EndEvent("done"))
        assert (*events, EndEvent("done")) == unpack_trace(recorder.packed()).events
        assert [(sha256, b"payload")] == [(kept.sha256, kept.data) for kept in recorder.attachments]
