"""The analysis ``compare`` in words, tables and a plot."""

from collections.abc import Collection, Iterable, Iterator, Sequence

from attrs import field, frozen

from recfw.builtin.compare_arms import Arms
from recfw.builtin.compare_conditions import CONTENT, SPEC, Difference
from recfw.builtin.compare_findings import FEW_CLUSTERS, LEVEL, Comparison, Pair, detectable
from recfw.model.document import Block, CellValue, Column, Heading, Measure, Note, Paragraph, Plot, Series, Table
from recfw.report.figures import COUNTING_RULE
from recfw.report.words import counted
from recfw.stats.contrasts import P_VALUE
from recfw.stats.noise import NOISE_FLOOR

MOST_PAIRS = 10
"""All pairs are shown where there are no more."""

SHOWN_NAMES = 4
SHOWN_TEXT = 40

HOLM_RULE = "p values are corrected by Holm's method over all pairs of arms, whichever of them a table shows"

TIERS_RULE = (
    "the arm with the highest mean leads the first tier; going down by mean, an arm begins and leads the next tier if "
    f"it is told apart from the leader of the one above (adjusted p below {LEVEL}, and a difference above the noise "
    "floor where that is known), and else joins it; an arm that shares no task with that leader has no tier; the order "
    "within a tier means nothing"
)


@frozen
class Compared:
    """
    All that there is to say of a comparison.

    Args:
        arms: The arms.
        found: Their figures.
        scorer: Who gave the figure; may be empty.
        baseline: Name of the arm that the others are held against; empty for none.
        all_pairs: Whether every pair is shown.
        evaluated: The role under evaluation.
        differences: What sets the arms apart.
        clustered_by: What a cluster is, in a word; may be empty.
    """

    arms: Arms = field(repr=False)
    found: Comparison = field(repr=False)
    scorer: str
    baseline: str
    all_pairs: bool
    evaluated: str
    differences: tuple[Difference, ...]
    clustered_by: str

    @property
    def unit(self) -> str | None:
        """The unit of differences: points for shares; None where it is the figure's own."""
        return "points" if self.found.scale != 1 else None

    @property
    def confounds(self) -> tuple[Difference, ...]:
        """What sets arms apart besides the evaluated role."""
        return tuple(one for one in self.differences if not one.compared)

    def turned(self, pairs: Iterable[Pair]) -> Iterator[Pair]:
        """Yield pairs with the baseline, if there is one, as what is subtracted."""
        for one in pairs:
            yield one.turned() if one.first == self.baseline else one

    def shown(self) -> tuple[Pair, ...]:
        """Return the pairs to show: all, those with the baseline, or those that decided the tiers."""
        pairs = self.found.pairs
        if not self.all_pairs and self.baseline:
            pairs = tuple(one for one in pairs if self.baseline in {one.first, one.second})
        elif not self.all_pairs and len(pairs) > MOST_PAIRS:
            held = set(_held_against(self.found.tiers))
            pairs = tuple(one for one in pairs if (one.first, one.second) in held)
        return tuple(self.turned(pairs))


def _held_against(tiers: Sequence[Sequence[str]]) -> Iterator[tuple[str, str]]:
    """Yield (leader, arm) for each arm but the first: the leader that it was held against when tiers were made."""
    for number, tier in enumerate(tiers):
        if number:
            yield tiers[number - 1][0], tier[0]
        yield from ((tier[0], name) for name in tier[1:])


def compare_blocks(compared: Compared) -> Iterator[Block]:
    """Yield what there is to say, in reading order."""
    arms, found = compared.arms, compared.found
    track = arms.arms[0].run.spec.track
    yield Heading(f"{track}: {len(arms.arms)} arms compared" + (f" by {found.figure}" if found.figure else ""), 1)
    yield Paragraph(_opening(compared))
    for words in warnings(compared):
        yield Note(f"Careful: {words}")
    if not found.figure:
        yield _conditions(compared)
        return
    yield _tiers(compared)
    yield _pairs(compared)
    yield _plot(compared)
    yield _noise(compared)
    if compared.differences:
        yield _conditions(compared)
    yield from (Note(words) for words in _rules(compared))


def _opening(compared: Compared) -> str:
    arms, found = compared.arms, compared.found
    if not found.figure:
        return "There is nothing to compare, because no completed trial has a score."
    clusters = len({arms.tasks[key].cluster for key in found.common})
    by = f" ({compared.clustered_by})" if compared.clustered_by else ""
    scorer = f", scored by {compared.scorer}" if compared.scorer else ""
    return (
        f"Figure {found.figure}{scorer}. {counted(len(arms.arms), 'arm')} of {counted(len(arms.runs), 'run')}; of "
        f"{counted(len(arms.tasks), 'task')}, {len(found.common):,} have a value in every arm, in "
        f"{counted(clusters, 'cluster')}{by}. Differences are paired by task{', in points' if compared.unit else ''}."
    )


def warnings(compared: Compared) -> Iterator[str]:
    """Yield a sentence for each thing that a reader must know before the figures."""
    arms, found = compared.arms, compared.found
    if compared.confounds:
        names = ", ".join(one.what for one in compared.confounds)
        yield (
            f"arms differ not only in the {compared.evaluated}, but also in: {names}. A difference of figures may come "
            "from that."
        )
    if arms.other_content:
        names = _listed(arms.other_content)
        does, is_ = ("differs", "is") if len(arms.other_content) == 1 else ("differ", "are")
        number = counted(len(arms.other_content), "task")
        yield f"{number} {does} in content between runs and {is_} not matched: {names}."
    left_out = len(arms.tasks) - len(found.common)
    if left_out and found.figure:
        of = f"{left_out:,} of {counted(len(arms.tasks), 'task')}"
        yield f"{of} lack a value in some arm; each pair is compared on the tasks that both have."
    tiered = {name for tier in found.tiers for name in tier}
    if alone := [name for name in found.order if found.means[name].n_tasks and name not in tiered]:
        yield f"{_listed(alone)}: no tier, because no task is shared with the arm that leads it, so no test could tell."
    yield from _missing(compared)
    if found.figure and not all(noise.n_repeated for noise in found.noise.values()):
        yield _no_floor(compared)
    yield from _too_few(compared)


def _missing(compared: Compared) -> Iterator[str]:
    counts = [(arm.name, arm.trials.counts()) for arm in compared.arms.arms]
    failed = [(name, n.failed) for name, n in counts if n.failed]
    if failed:
        words = _listed([f"{number:,} of {name}" for name, number in failed])
        yield f"trials that infrastructure ended have no score: {words}. `recfw run --resume RUN` plays them again."
    for run in compared.arms.runs:
        if run.missing:
            missing = f"{run.missing:,} of {counted(run.info.planned, 'trial')}"
            names = [arm.name for arm in compared.arms.arms if arm.run.id == run.info.id]
            yield f"the run of {_listed(names)} lacks {missing}. `recfw run --resume RUN` plays them."


def _no_floor(compared: Compared) -> str:
    found = compared.found
    arms = [name for name in found.order if not found.noise[name].n_repeated]
    whose = "no arm has" if len(arms) == len(found.order) else f"these arms do not have ({_listed(arms)})"
    words = f"the noise floor needs several trials of a task (--trials), which {whose}"
    effects = [effect for one in found.pairs if (effect := detectable(one.contrast)) is not None]
    if not effects:
        return f"{words}."
    largest = _number(max(effects), found)
    return (
        f"{words}. What the clustering of tasks tells without them: a true difference of {largest} between two arms "
        "would be found in 80 of 100 cases, before correction."
    )


def _too_few(compared: Compared) -> Iterator[str]:
    found = compared.found
    smallest = [_smallest_p(one, compared) for one in found.pairs if one.contrast.n_tasks]
    if smallest and min(smallest) * len(found.pairs) >= LEVEL:
        yield (
            f"no difference can be told apart here, however large: with {counted(len(found.pairs), 'pair')} and so few "
            f"clusters the smallest adjusted p is {min(1.0, min(smallest) * len(found.pairs)):.3g}. Use tasks of more "
            "clusters, or compare fewer arms."
        )


def _smallest_p(one: Pair, compared: Compared) -> float:
    """Return the smallest p that the tests can give this pair; 1 where they can give none."""
    if one.contrast.p is None:
        return 1.0
    bootstrap = 1 / (1 + compared.found.bootstrap.n_resamples)
    return bootstrap if one.p_sign_flip is None else max(bootstrap, 2.0 / 2**one.contrast.n_clusters)


def _tiers(compared: Compared) -> Table:
    found = compared.found
    scale = max((abs(e.value) for e in found.means.values() if e.value is not None), default=1.0)
    by_name = {arm.name: arm.trials for arm in compared.arms.arms}
    tier_of = {name: number for number, tier in enumerate(found.tiers, start=1) for name in tier}
    own = bool(found.common) and any(estimate.n_tasks != len(found.common) for estimate in found.means.values())
    rows: list[tuple[CellValue, ...]] = []
    for name in found.order:
        mean, counts = found.means[name], by_name[name].counts()
        means: list[CellValue] = [Measure(mean.value, mean.low, mean.high, scale)]
        means += [Measure(found.matched[name], scale=scale)] if own else []
        numbers = (mean.n_tasks, by_name[name].scored(found.figure), counts.failed, counts.missing)
        rows.append((tier_of.get(name), name, *means, *numbers))
    titles = ("mean", "common") if own else ("mean",)
    tallied = (Column(title, ",d") for title in ("tasks", "trials", "failed", "missing"))
    caption = f"tiers by {found.figure}; tasks and trials are those with a value"
    if own:
        caption += (
            f"; common: mean over the {counted(len(found.common), 'task')} that all arms have, by which they stand"
        )
    elif not found.common:
        caption += "; no task has a value in every arm, so each stands by its own"
    return Table((Column("tier"), Column("arm"), *map(Column, titles), *tallied), tuple(rows), caption)


def _pairs(compared: Compared) -> Table:
    shown, scale = compared.shown(), _decimals(compared)
    floors = any(one.floor is not None for one in shown)
    sizes = {one.contrast.n_tasks for one in shown}
    rows: list[tuple[CellValue, ...]] = []
    for one in shown:
        contrast = one.contrast
        value = Measure(contrast.value, contrast.low, contrast.high, scale)
        row: list[CellValue] = [contrast.name, value, contrast.p_adjusted, _verdict(one)]
        row += [Measure(one.floor, scale=scale)] if floors else []
        row += [Measure(one.detectable, scale=scale)]
        row += [contrast.n_tasks] if len(sizes) > 1 else []
        rows.append(tuple(row))
    columns = [Column("arms"), Column(compared.unit or "difference"), Column("p (Holm)", ".4f"), Column("apart")]
    columns += [Column("floor")] if floors else []
    columns += [Column("finds")]
    columns += [Column("tasks", ",d")] if len(sizes) > 1 else []
    return Table(tuple(columns), tuple(rows), _pairs_caption(compared, sizes, floors=floors))


def _pairs_caption(compared: Compared, sizes: Collection[int], *, floors: bool) -> str:
    number, of = len(compared.shown()), len(compared.found.pairs)
    kind = "those with the baseline" if compared.baseline else "those that decide the tiers"
    parts = [
        f"differences in {compared.found.figure}" + (f", {number:,} of {of:,} pairs: {kind}" if number < of else ""),
        *(f"over {counted(size, 'task')}" for size in sizes if len(sizes) == 1),
        "apart: told apart",
        *(["floor: noise floor"] if floors else []),
        "finds: the difference found in 80 of 100 cases",
    ]
    return "; ".join(parts)


def _verdict(one: Pair) -> str:
    if one.contrast.p_adjusted is None:
        return "no test"
    return "yes" if one.apart else "noise" if one.significant else "no"


def _plot(compared: Compared) -> Plot:
    shown = compared.shown()
    series = Series(
        "",
        tuple(one.contrast.name for one in shown),
        tuple(one.contrast.value for one in shown),
        tuple(one.contrast.low for one in shown),
        tuple(one.contrast.high for one in shown),
    )
    figure = compared.found.figure
    return Plot(f"differences in {figure}", "points", "arms", compared.unit or figure, (series,), repeats=True)


def _noise(compared: Compared) -> Table:
    found, scale = compared.found, _decimals(compared)
    rows: list[tuple[CellValue, ...]] = []
    for name in found.order:
        noise = found.noise[name]
        rows.append((name, noise.n_repeated, noise.flip_rate, Measure(found.floors[name], scale=scale)))
    columns = (Column("arm"), Column("tasks tried again", ",d"), Column("flip rate", ".1%"), Column("noise floor"))
    caption = "noise: tasks whose trials differ, and the difference that two runs of the same arm stay below"
    return Table(columns, tuple(rows), caption)


def _conditions(compared: Compared) -> Table:
    rows: list[tuple[CellValue, ...]] = []
    for one in compared.differences:
        for number, (value, names) in enumerate(one.values.items()):
            text = value[:12] if one.what in {CONTENT, SPEC} else _short(value)
            rows.append(("" if number else one.what, text, _listed(names)))
    columns = (Column("what"), Column("value"), Column("arms"))
    return Table(columns, tuple(rows), f"what sets the arms apart, the {compared.evaluated} first")


def _rules(compared: Compared) -> Iterator[str]:
    found = compared.found
    bootstrap = found.bootstrap
    yield f"Tiers: {TIERS_RULE}."
    yield (
        f"Test: {bootstrap.level:.0%} {bootstrap.method} cluster bootstrap of paired differences, "
        f"{bootstrap.n_resamples:,} resamples, seed {bootstrap.seed}; {P_VALUE}; with up to {FEW_CLUSTERS} clusters "
        "the larger p of that and of the exact sign-flip test over clusters."
    )
    yield f"Correction: {HOLM_RULE} (here {counted(len(found.pairs), 'pair')})."
    yield f"Noise: {NOISE_FLOOR}."
    yield (
        f"Finds: the smallest true difference that a test at the strictest level of the correction, {LEVEL} / "
        f"{len(found.pairs):,}, finds with 80 % power, by the bootstrap's standard error."
    )
    yield f"Counting: {COUNTING_RULE}."


def _decimals(compared: Compared) -> float:
    """Return the scale by which numbers are rounded: one decimal for points."""
    values = [abs(one.contrast.value) for one in compared.found.pairs if one.contrast.value is not None]
    return 50.0 if compared.unit else max(values, default=1.0)


def _number(value: float, found: Comparison) -> str:
    return f"{value:.1f} points" if found.scale != 1 else f"{value:.3g}"


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:SHOWN_NAMES]) + (
        f" and {len(names) - SHOWN_NAMES} more" if len(names) > SHOWN_NAMES else ""
    )


def _short(text: str) -> str:
    return text if len(text) <= SHOWN_TEXT else f"{text[: SHOWN_TEXT - 1]}…"
