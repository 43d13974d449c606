"""The tables of both reports: one row an assistant, means as the paper gives them."""

from collections.abc import Iterable, Mapping

from attrs import frozen

from recfw.model.document import Block, CellValue, Column, Table
from recfw_situated.analysis.settings import CONDITIONS, FULL, Setting
from recfw_situated.analysis.spread import Spread
from recfw_situated.analysis.study import Pool, Study, named
from recfw_situated.endings import REASONS
from recfw_situated.judging.rubric import DIMENSIONS
from recfw_situated.metrics.component import ACTS, act_figure


@frozen
class Measured:
    """
    A column.

    Args:
        title: Its header.
        figure: Its name in the figures for scripts.
        scale: 100 for per cent.
        pooled: Whether the paper gives it over all episodes, without subsets.
        counts: Of a share of events: figures that count those that count, and all.
    """

    title: str
    figure: str
    scale: float = 100.0
    pooled: bool = False
    counts: tuple[str, str] | None = None

    def of(self, pool: Pool, *, whole: bool = False) -> Spread:
        """Return its mean over a pool; over all episodes where ``whole`` asks for that, as of people's."""
        if self.counts is not None:
            return pool.share(*self.counts)
        if whole or self.pooled:
            return pool.whole(self.figure, self.scale)
        return pool.mean(self.figure, self.scale)


SR, TURNS = Measured("SR (%)", "success"), Measured("Turn", "turns", 1.0)
AFR, LNSR = Measured("AFR (%)", "afr"), Measured("LNSR (%)", "lnsr")
RECALL, NDCG = Measured("R@5 (%)", "recall_at_5"), Measured("NDCG@10 (%)", "ndcg_at_10")
RPR, RPR_CART = Measured("RPR (%)", "rpr", pooled=True), Measured("RPR|Cart (%)", "rpr_given_cart", pooled=True)
MRR = Measured("R-MRR@10 (%)", "r_mrr_at_10")
CATALOG = Measured("Catalog (%)", "catalog_validity", counts=("ranked_known", "ranked"))

MAIN = (SR, TURNS, AFR, LNSR, RECALL, NDCG)
"""Columns of tables 3 and 7."""
PURCHASE = (RPR, RPR_CART, MRR, CATALOG)
"""Columns of table 8."""
ABLATED = (SR, AFR, LNSR, RECALL, NDCG)
"""Columns of table 5's first half; table 9 has the first two of :data:`PURCHASE`."""
DIALOGUE = tuple(Measured(title, figure, 1.0) for figure, title in DIMENSIONS.items())
"""The judge's seven dimensions, 1 to 5."""
COMPARED = (SR, AFR, LNSR, RECALL, NDCG, *DIALOGUE)
"""Columns of table 4."""

SLIPS = {
    "actions_refused": "refused actions",
    "labels_assistant": "labels spoken by assistant",
    "labels_user": "labels spoken by user",
    "unannotated": "unannotated recommendations",
    "neutral_assistant": "invalid turns of assistant",
    "neutral_user": "invalid turns of user",
    "goals_unresolved": "goals that name no place",
}
"""Count -> its column's title."""


def measured(rows: Mapping[Setting, Pool], columns: Iterable[Measured], caption: str, *, whole: bool = False) -> Table:
    """Return a table of means, one row a setting, with the number of episodes; without subsets where ``whole``."""
    held = tuple(columns)
    return Table(
        (Column("assistant"), *(Column(column.title) for column in held), Column("n", ",d")),
        tuple(
            (setting.row, *(column.of(pool, whole=whole).words() for column in held), pool.episodes)
            for setting, pool in rows.items()
        ),
        caption,
    )


def conditions(study: Study, scene: str, columns: Iterable[Measured], caption: str) -> Iterable[Table]:
    """Yield a table of ablation conditions for each assistant that has any beside the full context."""
    held = tuple(columns)
    for row, pools in study.ablated(scene).items():
        yield Table(
            (Column("condition"), *(Column(column.title) for column in held), Column("n", ",d")),
            tuple(
                (title, *(column.of(pools[name]).words() for column in held), pools[name].episodes)
                for name, title in CONDITIONS.items()
                if name in pools
            ),
            f"{caption}: {row}, {named(scene)}",
        )


def rated(pool: Pool) -> bool:
    """Return whether any episode of a pool was rated by a judge on a dimension."""
    return any(pool.values(figure) for figure in DIMENSIONS)


def judged(rows: Mapping[Setting, Pool]) -> dict[Setting, Pool]:
    """Return the settings that a judge rated."""
    return {setting: pool for setting, pool in rows.items() if rated(pool)}


def endings(rows: Mapping[Setting, Pool], caption: str) -> Table:
    """Return how episodes ended, in numbers; the paper's reasons first, then others as they are named."""
    stops = {setting: pool.stops() for setting, pool in rows.items()}
    others = sorted({name for found in stops.values() for name in found} - set(REASONS))
    names = [*(name for name in REASONS if any(name in found for found in stops.values())), *others]
    return Table(
        (Column("ending"), *(Column(setting.row, ",d") for setting in rows)),
        tuple((name, *(found.get(name, 0) for found in stops.values())) for name in names),
        caption,
    )


def act_shares(pool: Pool) -> dict[str, float | None]:
    """Return dialogue action -> its share of all replies that have one, in per cent."""
    counts = {act: pool.total(act_figure(act)) for act in ACTS}
    replies = sum(counts.values())
    return {act: 100 * count / replies if replies else None for act, count in counts.items()}


def acts(rows: Mapping[Setting, Pool], caption: str) -> Table:
    """Return the shares of the ten dialogue actions, pooled over episodes."""
    shares = {setting: act_shares(pool) for setting, pool in rows.items()}
    return Table(
        (Column("dialogue action (%)"), *(Column(setting.row, ".1f") for setting in rows)),
        tuple((act, *(found[act] for found in shares.values())) for act in ACTS),
        caption,
    )


def slips(rows: Mapping[Setting, Pool], caption: str) -> Table:
    """Return counts of what broke a rule, per episode."""
    return Table(
        (Column("per episode"), *(Column(setting.row, ".2f") for setting in rows)),
        tuple(
            (title, *(pool.total(figure) / pool.episodes if pool.episodes else None for pool in rows.values()))
            for figure, title in SLIPS.items()
        ),
        caption,
    )


def trials(study: Study) -> Iterable[Block]:
    """Yield how many trials there are, and what they took, by cell."""
    rows: list[tuple[CellValue, ...]] = []
    spent: list[tuple[CellValue, ...]] = []
    several = len(study.runs) > 1
    for run in study.runs:
        for cell, used in zip(run.cells, run.spent, strict=True):
            name = f"{run.info.id[:15]} {cell.cell}" if several else cell.cell
            n = cell.counts()
            each = used.seconds / used.trials if used.trials else None
            rows.append((name, n.planned, n.completed, n.failed, n.missing, each))
            for role, usage in used.usage.items():
                if usage.get("input_tokens") or "cost" in usage:
                    cost = f"{usage['cost']:.4f}" if "cost" in usage else None
                    spent.append((name, role, usage.get("input_tokens"), usage.get("output_tokens"), cost))
    titles = ("planned", "completed", "failed", "missing")
    columns = (Column("cell"), *(Column(title, ",d") for title in titles), Column("seconds each", ",.2f"))
    yield Table(columns, tuple(rows), "trials; seconds of wall-clock time, however many ran at once")
    if spent:
        tokens = (Column("tokens in", ",.0f"), Column("tokens out", ",.0f"))
        yield Table((Column("cell"), Column("role"), *tokens, Column("USD")), tuple(spent), "tokens and cost")


def full(study: Study, scene: str) -> dict[Setting, Pool]:
    """Return the main user's settings with the full context."""
    return study.rows(scene, ablation=FULL)
