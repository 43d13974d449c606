"""Progress of a run: a bar with rate and ETA on a terminal, plain lines elsewhere."""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from recfw.cli.output import is_quiet, tell
from recfw.cli.pace import pace_words
from recfw.model.run import Status, Trial

EVERY = 10.0
"""Seconds between plain lines."""


class Progress(Protocol):
    """Is told of work that is done."""

    def step(self, *, failed: bool = False) -> None:
        """One more is done."""
        ...


class _Silence:
    def step(self, *, failed: bool = False) -> None:
        pass


class _Lines:
    def __init__(self, what: str, total: int, lanes: int) -> None:
        self._what, self._total, self._lanes, self._done, self._failed = what, total, lanes, 0, 0
        self._start = self._said = time.monotonic()

    def step(self, *, failed: bool = False) -> None:
        self._done += 1
        self._failed += failed
        now = time.monotonic()
        if now - self._said >= EVERY:
            self._said = now
            lost = f", {self._failed} failed" if self._failed else ""
            pace = pace_words(self._done, self._total, now - self._start, self._lanes)
            tell(f"{self._done}/{self._total} {self._what}{lost}, {pace}")


class _Bar:
    def __init__(self, what: str, total: int, lanes: int) -> None:
        from rich.console import Console  # noqa: PLC0415 - only on a terminal
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn  # noqa: PLC0415
        from rich.progress import Progress as RichProgress  # noqa: PLC0415

        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[pace]}"),
        )
        self._bar = RichProgress(*columns, console=Console(stderr=True), transient=True)
        self._task = self._bar.add_task(what, total=total, pace="")
        self._what, self._total, self._lanes, self._done, self._failed = what, total, lanes, 0, 0
        self._start = time.monotonic()
        self._bar.start()

    def step(self, *, failed: bool = False) -> None:
        self._done += 1
        self._failed += failed
        pace = pace_words(self._done, self._total, time.monotonic() - self._start, self._lanes)
        words = f"{self._what}, {self._failed} failed" if self._failed else self._what
        self._bar.update(self._task, advance=1, pace=pace, description=words)

    def stop(self) -> None:
        self._bar.stop()


@contextmanager
def progress(what: str, total: int, lanes: int = 1) -> Iterator[Progress]:
    """
    Show progress on standard error while the block runs: nothing under --quiet, lines where something is logged.

    ``lanes`` says how many are under way at a time.
    """
    terminal = sys.stderr is not None and sys.stderr.isatty()  # there is none where it was closed
    if is_quiet() or not terminal or os.environ.get("RECFW_LOG_LEVEL") in {"debug", "info"}:
        yield _Silence() if is_quiet() else _Lines(what, total, lanes)
        return
    bar = _Bar(what, total, lanes)
    try:
        yield bar
    finally:
        bar.stop()


def failed(trial: Trial) -> bool:
    """Tell whether a stored attempt is to be shown as failed."""
    return trial.status is not Status.COMPLETED
