"""The paper's figures as plots: success over turns, goal visibility, ratings, dialogue actions, endings."""

from collections.abc import Mapping

from recfw.model.document import CellValue, Column, Plot, Series, Table
from recfw_situated.analysis.navigate import Suggested
from recfw_situated.analysis.settings import Setting
from recfw_situated.analysis.study import Pool
from recfw_situated.analysis.tables import DIALOGUE, act_shares
from recfw_situated.metrics.component import ACTS, seen_figure
from recfw_situated.metrics.following import NAMES

TURNS = 20
"""The turn limit, to which the curve of success is drawn."""
HORIZONS = (1, 2, 3, 4, 5)
END = "End"

Rows = Mapping[Setting, Pool]


def success_by_turn(rows: Rows, title: str) -> Plot:
    """Return SR(t) (figure 4)."""
    turns = tuple(range(1, TURNS + 1))
    series = (Series(s.row, turns, tuple(pool.success_by(turn) for turn in turns)) for s, pool in rows.items())
    return Plot(title, "line", "turn", "SR(t) (%)", tuple(series))


def gains(pool: Pool) -> dict[str, float | None]:
    """Return CGV(h) - CGV(0) by horizon and through the end, in percentage points, of pooled goals."""
    goals, now = pool.total("goals"), pool.total(seen_figure(0))
    seen = {str(h): pool.total(seen_figure(h)) for h in HORIZONS} | {END: pool.total("goals_seen_end")}
    return {horizon: 100 * (count - now) / goals if goals else None for horizon, count in seen.items()}


def visibility(rows: Rows, title: str) -> Plot:
    """Return the gain in goal visibility (figures 7 and 8)."""
    found = {setting: gains(pool) for setting, pool in rows.items() if pool.total("goals")}
    series = (Series(setting.row, tuple(gain), tuple(gain.values())) for setting, gain in found.items())
    return Plot(
        title, "line", "turns after the goal was named", "CGV(h) - CGV(0) (points)", tuple(series), repeats=True
    )


def visibility_table(rows: Rows, caption: str) -> Table:
    """Return the same as a table, with CGV(0) and the number of goals."""
    lines = []
    for setting, pool in rows.items():
        goals = pool.total("goals")
        now = 100 * pool.total(seen_figure(0)) / goals if goals else None
        lines.append((setting.row, int(goals), now, *gains(pool).values()))
    titles = (*(f"+{h}" for h in HORIZONS), END)
    head = (Column("assistant"), Column("goals", ",d"), Column("CGV(0) (%)", ".1f"))
    return Table((*head, *(Column(title, ".1f") for title in titles)), tuple(lines), caption)


def ratings(rows: Rows, title: str, *, whole: bool = False) -> Plot:
    """Return mean ratings by dimension (figures 3, 5b and 6)."""
    names = tuple(column.title for column in DIALOGUE)
    series = (
        Series(s.row, names, tuple(column.of(pool, whole=whole).value for column in DIALOGUE))
        for s, pool in rows.items()
    )
    return Plot(title, "bar", "dimension", "rating, 1 to 5", tuple(series), repeats=True)


def act_plot(rows: Rows, title: str) -> Plot:
    """Return shares of dialogue actions (figure 9)."""
    series = (Series(s.row, ACTS, tuple(act_shares(pool).values())) for s, pool in rows.items())
    return Plot(title, "bar", "dialogue action", "share (%)", tuple(series), repeats=True)


def ending_plot(rows: Rows, title: str) -> Plot:
    """Return shares of endings (figure 11)."""
    names = tuple(sorted({stop for pool in rows.values() for stop in pool.stops()}))
    series = []
    for setting, pool in rows.items():
        stops = pool.stops()
        n = sum(stops.values())
        series.append(Series(setting.row, names, tuple(100 * stops.get(name, 0) / n if n else None for name in names)))
    return Plot(title, "bar", "ending", "share (%)", tuple(series), repeats=True)


def suggested_table(found: Mapping[Setting, Suggested], caption: str) -> Table:
    """Return what is suggested within Navigate replies: share, and in brackets how often the user did the same."""
    names = [name for name in NAMES if any(counts.names[name] for counts in found.values())]
    lines: list[tuple[CellValue, ...]] = []
    for name in names:
        cells: list[CellValue] = []
        for counts in found.values():
            share, rate = counts.share(name), counts.rate(name)
            cells.append(None if not share or rate is None else f"{share:.1f} ({rate:.1f})")
        lines.append((name, *cells))
    lines.append(("(replies)", *(counts.replies for counts in found.values())))
    head = (Column("suggested action, % (same, %)"), *(Column(setting.row) for setting in found))
    return Table(head, tuple(lines), caption)


def suggested_plot(found: Mapping[Setting, Suggested], title: str) -> Plot:
    """Return the same-action rates as points (figure 10; the shares stand in the table)."""
    names = tuple(name for name in NAMES if any(counts.names[name] for counts in found.values()))
    series = (Series(s.row, names, tuple(counts.rate(name) for name in names)) for s, counts in found.items())
    return Plot(title, "points", "suggested action", "same-action rate (%)", tuple(series), repeats=True)
