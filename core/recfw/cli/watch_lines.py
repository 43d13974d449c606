"""A look at a run in words: one plain line, or a screen for a terminal."""

from typing import TYPE_CHECKING

from recfw.cli.pace import duration, rate_words
from recfw.cli.runs_list import status_words
from recfw.report.words import one_line
from recfw.store.watcher import Sight

if TYPE_CHECKING:
    from rich.text import Text

MOST_IN_FLIGHT, MOST_CELLS = 8, 20
BAR = 24


def plain_line(sight: Sight) -> str:
    """Return a look as one line for a log."""
    parts = [f"{sight.run} {_state(sight)}: {sight.completed}/{sight.planned} done"]
    if sight.failed:
        parts.append(f"{sight.failed} failed ({_kinds(sight)})")
    if sight.rate:
        parts.append(rate_words(sight.rate))
    if sight.left is not None:
        parts.append(f"{duration(sight.left)} left")
    if sight.in_flight:
        oldest = max(sight.in_flight, key=lambda trial: trial.seconds)
        parts.append(f"{len(sight.in_flight)} in flight (oldest {duration(oldest.seconds)}: {one_line(oldest.trial)})")
    if spent := _spent(sight):
        parts.append(spent)
    return ", ".join(parts)


def screen(sight: Sight) -> "Text":
    """Return a look as lines for a terminal."""
    from rich.text import Text  # noqa: PLC0415 - only on a terminal

    done = sight.completed + sight.failed
    lines = [
        f"{sight.run}  {_state(sight)}{f' by process {sight.pid}' if sight.pid else ''}",
        f"{_bar(done, sight.planned)} {done}/{sight.planned}"
        + (f"  {rate_words(sight.rate)}" if sight.rate else "")
        + (f"  {duration(sight.left)} left" if sight.left is not None else ""),
    ]
    if sight.failed:
        lines.append(f"failed: {sight.failed} ({_kinds(sight)})")
    if spent := _spent(sight):
        lines.append(spent)
    width = max((len(name) for name in sight.cells), default=0)
    for name, cell in list(sight.cells.items())[:MOST_CELLS]:
        count = cell.completed + cell.failed
        of = f"/{cell.planned}" if cell.planned else ""
        lost = f"  {cell.failed} failed" if cell.failed else ""
        lines.append(f"  {one_line(name):{width}}  {_bar(count, cell.planned or 0)} {count}{of}{lost}")
    if sight.in_flight is None:
        lines.append("in flight: not seen from here (the run's journal is elsewhere)")
    elif sight.in_flight:
        lines.append(f"in flight: {len(sight.in_flight)}")
        oldest = sorted(sight.in_flight, key=lambda trial: -trial.seconds)
        for trial in oldest[:MOST_IN_FLIGHT]:
            again = f"  attempt {trial.attempt}" if trial.attempt > 1 else ""
            lines.append(f"  {duration(trial.seconds):>6}  {one_line(trial.trial)}{again}")
    return Text("\n".join(lines), no_wrap=True, overflow="ellipsis")


def _state(sight: Sight) -> str:
    return "running" if sight.state == "running" else status_words(sight.status, sight.state)


def _kinds(sight: Sight) -> str:
    return ", ".join(f"{count} {one_line(kind)}" for kind, count in sight.kinds.items())


def _spent(sight: Sight) -> str:
    parts = [f"{sight.tokens:,} tokens"] if sight.tokens else []
    return ", ".join([*parts, *([f"cost {sight.cost:,.4g}"] if sight.cost else [])])


def _bar(done: int, planned: int) -> str:
    filled = BAR * done // planned if planned else 0
    return "█" * filled + "░" * (BAR - filled) if planned else "░" * BAR
