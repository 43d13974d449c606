"""Table 4 and the other differences of ``books-paper``: the twelve tests, pairs of agents, exploratory ones."""

from collections.abc import Iterable, Sequence

from recfw.model.document import Block, CellValue, Column, Heading, Measure, Note, Table
from recfw.stats.results import Contrast, SignFlip
from recfw_books.analysis.beside import paper_contrasts
from recfw_books.analysis.found import Findings
from recfw_books.analysis.twelve import Tested

POINTS = 10.0
"""Differences are shown with two decimals of a point."""


def contrast_blocks(found: Findings) -> Iterable[Block]:
    """Yield the tables of differences."""
    yield Heading("Tests")
    yield from _table_4(found)
    yield from _kept(found)
    yield from _pairs(found)
    yield from _extras(found)


def _table_4(found: Findings) -> Iterable[Block]:
    in_paper = paper_contrasts()
    rows: list[tuple[CellValue, ...]] = []
    for one in found.tested:
        told = in_paper.get(one.plan.key)
        paper = Measure(told["points"], told["low"], told["high"], POINTS) if told else None
        rows.append((one.plan.name, *_numbers(one), paper))
    columns = (
        Column("contrast"),
        Column("points"),
        Column("p", ".4f"),
        Column("Holm", ".4f"),
        Column("templates", ".3f"),
        Column("paper"),
    )
    yield Table(
        columns, tuple(rows), "table 4: paired differences of pass^1 in points, with 95 % intervals over families"
    )
    yield Note(_set_words(found.tested))
    yield Note(
        "p: bootstrap over families; Holm: the same, adjusted; templates: exact sign-flip test over the templates that "
        "are present; paper: the paper's difference, of its own agents."
    )
    yield from _rests(found)


def _rests(found: Findings) -> Iterable[Block]:
    """Show what each test rests on, and what the runs lack for those that they do not allow."""
    rows: list[tuple[CellValue, ...]] = []
    for one in found.tested:
        contrast, templates = one.contrast, one.templates
        if contrast is None or templates is None:
            rows.append((one.plan.name, *(None,) * 5, f"not in these runs: {one.plan.missing}"))
        else:
            counts = (contrast.n_tasks, contrast.n_clusters, templates.n_groups, one.plan.left_out)
            rows.append((one.plan.name, *counts, one.detectable, _over(one.plan.over)))
    columns = (
        Column("contrast"),
        *(Column(title, "d") for title in ("pairs", "families", "templates", "left out")),
        Column("finds", ".1f"),
        Column("over"),
    )
    caption = (
        "what each test rests on: pairs of tasks (or of families, between conditions), those left out because not all "
        "that is averaged over has them, and the smallest true difference found with 80 % power at the level 0.05"
    )
    yield Table(columns, tuple(rows), caption)


def _over(names: Sequence[str]) -> str:
    return ", ".join(names) if len(names) < 3 else f"the mean of {len(names)}"


def _numbers(one: Tested) -> tuple[CellValue, ...]:
    contrast = one.contrast
    if contrast is None:
        return (None,) * 4
    return points(contrast), contrast.p, contrast.p_adjusted, _p(one.templates)


def points(contrast: Contrast) -> Measure | None:
    """Return a difference with its interval as a table's cell."""
    return None if contrast.value is None else Measure(contrast.value, contrast.low, contrast.high, POINTS)


def _p(flip: SignFlip | None) -> float | None:
    return flip.p if flip else None


def _set_words(tested: Iterable[Tested]) -> str:
    tests = list(tested)
    run = [one for one in tests if one.contrast is not None]
    alone, held = (sum(one.plan.corrected == corrected for one in run) for corrected in (False, True))
    return (
        f"The set has {len(tests)} tests here (the paper, with four agents and two users: 12), of which these runs "
        f"allow {len(run)}: {alone} alone and uncorrected, {held} under Holm's correction over {held}."
    )


def _kept(found: Findings) -> Iterable[Block]:
    rows = [
        (one.plan.name, points(one.kept), one.kept.p, _p(one.kept_templates), one.kept.n_tasks)
        for one in found.tested
        if one.kept is not None
    ]
    if rows:
        columns = (Column("contrast"), Column("points"), Column("p", ".4f"), Column("templates", ".3f"),
                   Column("tasks", "d"))  # fmt: skip
        caption = "interface tests without trials that ended by a context overflow or at the tool budget, uncorrected"
        yield Table(columns, tuple(rows), caption)


def _pairs(found: Findings) -> Iterable[Block]:
    pairs = found.pairs
    if not pairs.pairs:
        return
    rows = tuple(
        (one.first, one.second, points(one.contrast), "yes" if one.contrast.separated else "no", one.contrast.n_tasks)
        for one in pairs.pairs
    )
    columns = (Column("first"), Column("second"), Column("first - second"), Column("separated"), Column("tasks", "d"))
    yield Table(columns, rows, "which agents these families tell apart: pass^1 over all conditions, in points")
    finds = [value for value in (pairs.detectable(), pairs.detectable(hidden=True)) if value is not None]
    words = f"{pairs.separated} of {len(pairs.pairs)} pairs are separated (95 % interval wholly on one side of zero)"
    if len(finds) == 2:
        words += f"; with 80 % power a pair shows {finds[0]:.1f} points, on hidden tasks {finds[1]:.1f} (medians)"
    yield Note(f"{words}.")


def _extras(found: Findings) -> Iterable[Block]:
    rows = tuple(
        (one.name, points(one.contrast), one.contrast.p, one.contrast.n_tasks, _over(one.over)) for one in found.extras
    )
    if rows:
        columns = (Column("difference"), Column("points"), Column("p", ".4f"), Column("tasks", "d"), Column("over"))
        yield Table(columns, rows, "exploratory differences, uncorrected")
