"""The reports in reading order: the run's own table, and the paper's tables and figures with what is lacking."""

from collections.abc import Iterable, Iterator, Mapping

from attrs import field, frozen

from recfw.model.document import Block, Column, Heading, Image, Note, Paragraph, Plot, Series, Table
from recfw_situated.analysis import plots, tables
from recfw_situated.analysis.navigate import Suggested
from recfw_situated.analysis.settings import Setting
from recfw_situated.analysis.study import Study, named
from recfw_situated.human.agreement import Agreement
from recfw_situated.judging.rubric import DIMENSIONS

MEANING = (
    "SR: episodes that end with something in the cart. Turn: recorded turns. AFR: legal suggested actions whose name "
    "the user's action has; LNSR: those whose direction or target it has too; both averaged over episodes with any. "
    "R@5, NDCG@10: saved rankings against the final cart, 0 without a purchase."
)
SPREAD = (
    "A mean with ± is the mean of the four subset means with their sample SD (subsets of 25 tasks in a whole run); one "
    "without is over all episodes, because not all four subsets have any, or because the paper pools it."
)
COUNTING = (
    "Every completed trial is an episode. One that infrastructure ended has no figures; it is counted as failed, and "
    "left out of every mean."
)


@frozen
class Extra:
    """
    What ``situated-paper`` holds beyond scores.

    Args:
        suggested: (setting, scene) -> suggestions within Navigate replies.
        questionnaire: Item -> assistant -> mean; empty without one.
        missing: Planned interactions without a questionnaire.
        performance: Agreement of the two sets of runs, by figure (table 4); empty without a second set.
        ratings: Agreement of questionnaire and judge on the second set, by item; empty likewise.
        frames: Pictures of an episode that was asked for.
    """

    suggested: Mapping[tuple[Setting, str], Suggested] = field(repr=False)
    questionnaire: Mapping[str, Mapping[str, float]] = field(factory=dict, repr=False)
    missing: int = 0
    performance: tuple[Agreement, ...] = ()
    ratings: tuple[Agreement, ...] = ()
    frames: tuple[Image, ...] = ()


def title(study: Study) -> Iterator[Block]:
    """Yield the heading and what the report is of."""
    runs = study.runs
    what = f"run {runs[0].info.id}" if len(runs) == 1 else f"{len(runs)} runs"
    yield Heading(f"situated: {what}", 1)
    tasks = {name for run in runs for name in run.tasks}
    shoppers = {task.cluster for run in runs for task in run.tasks.values()}
    content = ", ".join(sorted({run.info.content_digest[:12] for run in runs}))
    yield Paragraph(f"{len(tasks):,} tasks of {len(shoppers)} shoppers, user {study.main}. Content {content}.")


def short(study: Study) -> Iterator[Block]:
    """Yield the report of ``situated``: what a run came to."""
    yield from title(study)
    for scene in study.scenes:
        rows = tables.full(study, scene)
        if rows:
            yield tables.measured(rows, (*tables.MAIN, tables.RPR), f"{named(scene)}: means")
            yield tables.endings(rows, f"{named(scene)}: how episodes ended")
    for scene in study.scenes:
        yield from tables.conditions(study, scene, (*tables.ABLATED, tables.RPR), "ablation")
    for user in study.others:
        for scene in study.scenes:
            if rows := study.rows(scene, user):
                yield tables.measured(rows, (*tables.MAIN, tables.RPR), f"{named(scene)}: means, user {user}")
    for scene in study.scenes:
        if rows := tables.judged(tables.full(study, scene)):
            yield tables.measured(rows, tables.DIALOGUE, f"{named(scene)}: ratings by a judge, 1 to 5")
    for scene in study.scenes:
        rows = tables.full(study, scene)
        if any(pool.total(figure) for pool in rows.values() for figure in tables.SLIPS):
            yield tables.slips(rows, f"{named(scene)}: slips")
    yield from tables.trials(study)
    yield Note(MEANING)
    yield Note(SPREAD)
    yield from uneven(study)
    yield from judges(study)
    yield Note(COUNTING)


def paper(study: Study, extra: Extra) -> Iterator[Block]:
    """Yield the report of ``situated-paper``."""
    yield from title(study)
    yield Note(MEANING)
    yield Note(SPREAD)
    yield Heading("Outcome, navigation and recommendation")
    yield from _main(study)
    yield Heading("Dialogue quality")
    yield from _dialogue(study)
    yield Heading("People and simulated users")
    yield from _people(study, extra)
    yield Heading("Ablation of the assistant's context")
    yield from _ablation(study)
    yield Heading("Purchase quality")
    yield from _purchase(study)
    yield Heading("Goal visibility")
    yield from _visibility(study)
    yield Heading("Dialogue actions, suggestions and endings")
    yield from _conduct(study, extra)
    if extra.frames:
        yield Heading("An episode")
        yield from extra.frames
    yield Heading("Trials")
    yield from tables.trials(study)
    yield from uneven(study)
    yield from judges(study)
    yield Note(COUNTING)


def judges(study: Study) -> Iterator[Note]:
    """Yield who rated; ratings of different judges are not comparable."""
    found = sorted({name for run in study.runs for given in run.judged.values() for name in given})
    for name in found:
        yield Note(f"Judged by {name}. Ratings of different judges are not comparable.")


def uneven(study: Study) -> Iterator[Note]:
    """Yield where rows that stand in one table are over different tasks."""
    for user in (study.main, *study.others):
        for scene in study.scenes:
            held = [p.played for (s, of), p in study.pools.items() if (s.user, of, s.second) == (user, scene, False)]
            if len(set(held)) > 1:
                yield Note(
                    f"{named(scene)}, user {user}: rows are over different tasks, from {min(map(len, held))} to "
                    f"{max(map(len, held))} of them. `recfw compare` compares on the tasks that both have."
                )


def _main(study: Study) -> Iterable[Block]:
    for scene in study.scenes:
        if rows := tables.full(study, scene):
            yield tables.measured(rows, tables.MAIN, f"Table 3, {named(scene)}: user {study.main}")
            yield plots.success_by_turn(rows, f"Figure 4, {named(scene)}: success by turn")
    for user in study.others:
        for scene in study.scenes:
            if rows := study.rows(scene, user):
                yield tables.measured(rows, tables.MAIN, f"Table 7, {named(scene)}: user {user}")
    if not study.others:
        yield Note("Table 7 and figures 6 and 8 need runs with another user; report on them together with these.")


def _dialogue(study: Study) -> Iterable[Block]:
    found = False
    for figure, user in [("Figure 3", study.main), *(("Figure 6", user) for user in study.others)]:
        for scene in study.scenes:
            if rows := tables.judged(study.rows(scene, user)):
                found = True
                yield tables.measured(rows, tables.DIALOGUE, f"{figure}, {named(scene)}: ratings, user {user}")
                yield plots.ratings(rows, f"{figure}, {named(scene)}: mean ratings, user {user}")
    if not found:
        yield Note(
            "Figures 3 and 6 need a judge's ratings. They are added with: recfw judge RUN --judge litellm "
            "--set judge.model=MODEL --set judge.rubric=dialogue"
        )


def _people(study: Study, extra: Extra) -> Iterable[Block]:
    for scene in study.scenes:
        if rows := study.rows(scene, second=True):
            yield tables.measured(rows, tables.MAIN, f"Second set, {named(scene)}: means over all episodes", whole=True)
            if judged := tables.judged(rows):
                yield tables.measured(
                    judged, tables.DIALOGUE, f"Figure 5b, {named(scene)}: the judge's ratings", whole=True
                )
                yield plots.ratings(judged, f"Figure 5b, {named(scene)}: mean ratings by the judge", whole=True)
    if extra.questionnaire:
        yield from questionnaire(extra.questionnaire, extra.missing)
    else:
        yield Note(
            "Figure 5a needs a questionnaire: --set analysis.plan=assignment.csv "
            "--set analysis.answers=questionnaire.csv (recfw situated human-plan writes both)."
        )
    if extra.ratings:
        yield correlations(extra.ratings, "Figure 5: questionnaire against judge on the second set, over assistants")
    if extra.performance:
        yield correlations(extra.performance, "Table 4: first against second set, over assistants")
    else:
        yield Note("Table 4 needs a second set with the same assistants: --set analysis.second=RUN or a user's name.")


def questionnaire(means: Mapping[str, Mapping[str, float]], missing: int) -> Iterator[Block]:
    """Yield a questionnaire's means (figure 5a)."""
    names = list(next(iter(means.values()), {}))
    lines = (
        (name, *(means[figure].get(name) for figure in DIMENSIONS))
        for name in names
    )  # fmt: skip
    columns = (Column("assistant"), *(Column(word, ".2f") for word in DIMENSIONS.values()))
    yield Table(columns, tuple(lines), "Figure 5a: questionnaire, mean points from 1 to 5")
    words = tuple(DIMENSIONS.values())
    series = tuple(Series(name, words, tuple(means[figure].get(name) for figure in DIMENSIONS)) for name in names)
    yield Plot("Figure 5a: questionnaire", "bar", "dimension", "points, 1 to 5", series, repeats=True)
    if missing:
        yield Note(f"{missing} planned interactions have no questionnaire; the means are over those that have one.")


def correlations(found: tuple[Agreement, ...], caption: str) -> Table:
    """Return correlations by figure; a dash where one side is constant or fewer than two assistants are in both."""
    lines = tuple((one.figure, one.pearson, one.spearman, len(one.assistants)) for one in found)
    columns = (Column("figure"), Column("Pearson r", ".3f"), Column("Spearman rho", ".3f"), Column("assistants", ",d"))
    return Table(columns, lines, caption)


def _ablation(study: Study) -> Iterable[Block]:
    found: list[Block] = []
    for scene in study.scenes:
        found += tables.conditions(study, scene, tables.ABLATED, "Table 5")
        rated = {row for row, pools in study.ablated(scene).items() if any(map(tables.rated, pools.values()))}
        if rated:
            found += tables.conditions(study, scene, tables.DIALOGUE, "Table 5, ratings")
        found += tables.conditions(study, scene, tables.PURCHASE[:2], "Table 9")
    yield from found
    if not found:
        yield Note(
            "Tables 5 and 9 need runs of one assistant with less context: recfw run … --set track.ablation=no-image, "
            "and no-image-no-text; report on them together with the full one."
        )


def _purchase(study: Study) -> Iterable[Block]:
    for user in (study.main, *study.others):
        for scene in study.scenes:
            if rows := study.rows(scene, user):
                yield tables.measured(rows, tables.PURCHASE, f"Table 8, {named(scene)}: user {user}")


def _visibility(study: Study) -> Iterable[Block]:
    for figure, user in [("Figure 7", study.main), *(("Figure 8", user) for user in study.others)]:
        for scene in study.scenes:
            rows = study.rows(scene, user)
            if any(pool.total("goals") for pool in rows.values()):
                name = f"{figure}, {named(scene)}: gain in goal visibility (points), user {user}"
                yield plots.visibility_table(rows, name)
                yield plots.visibility(rows, name)


def _conduct(study: Study, extra: Extra) -> Iterable[Block]:
    for scene in study.scenes:
        rows = tables.full(study, scene)
        if not rows:
            continue
        what = named(scene)
        yield tables.acts(rows, f"Figure 9, {what}: shares of dialogue actions")
        yield plots.act_plot(rows, f"Figure 9, {what}: dialogue actions")
        found = {s: extra.suggested[s, scene] for s in rows if (s, scene) in extra.suggested}
        if any(counts.replies for counts in found.values()):
            yield plots.suggested_table(found, f"Figure 10, {what}: suggestions within Navigate replies")
            yield plots.suggested_plot(found, f"Figure 10, {what}: same-action rate")
        yield tables.endings(rows, f"Figure 11, {what}: how episodes ended")
        yield plots.ending_plot(rows, f"Figure 11, {what}: endings")
        yield tables.slips(rows, f"{what}: slips")
