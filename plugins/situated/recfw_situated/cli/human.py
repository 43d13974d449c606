"""``recfw situated human-plan`` and ``human-import``: forms for people, and what they answered."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from recfw.cli.common import open_store, store_option
from recfw.errors import DataError, UsageError
from recfw.model.document import Block, Document, Heading, Note, Report, Table
from recfw_situated.actions.user import SCENES
from recfw_situated.human.answers import Answers, read_answers, read_plan, read_profiles
from recfw_situated.human.forms import ASSIGNMENT, PROFILES, QUESTIONNAIRE, written
from recfw_situated.human.plan import PARTICIPANTS, SEED, make_plan
from recfw_situated.judging.rubric import DIMENSIONS
from recfw_situated.tasks.pool import read_pool, shipped


@click.command("human-plan")
@click.option("--assistant", "assistants", metavar="NAME", multiple=True, required=True,
              help="An assistant, by the name that reports give it; repeat, the paper has five.")  # fmt: skip
@click.option("--participants", metavar="N", type=int, default=PARTICIPANTS, show_default=True,
              help="How many people, and so how many tasks.")  # fmt: skip
@click.option("--scene", type=click.Choice(SCENES), default=SCENES[0], show_default=True, help="Whose tasks.")
@click.option("--tasks-file", metavar="FILE", help="A pool of tasks. [default: the one that ships]")
@click.option("--seed", metavar="N", type=int, default=SEED, show_default=True, help="Of tasks and letters.")
@click.option("--out", metavar="FOLDER", type=Path, required=True, help="Where the forms go; made where there is none.")
def human_plan(
    assistants: tuple[str, ...], participants: int, scene: str, tasks_file: str | None, seed: int, out: Path
) -> None:
    """
    Plan a human evaluation, and write its forms as CSV files.

    Each person plays two adjacent tasks of those drawn, cyclically, with every assistant on each; assistants go by
    letters, in an order that varies. assignment.csv tells which letter is whom and is for the experimenter alone;
    questionnaire.csv and profiles.csv are filled in; tasks.csv and questions.csv are read.

    \b
    Example:
      recfw situated human-plan --assistant A --assistant B --out study
    """  # noqa: D301 - click reads \b as the character that it stands for
    pool = read_pool(tasks_file) if tasks_file else shipped()
    tasks = {task.id: task for task in pool if task.scene == scene}
    plan = make_plan(list(tasks), assistants, participants, seed)
    files = written(plan, tasks)
    if present := [name for name in files if (out / name).exists()]:
        words = f"{out / present[0]} is there already, and may have been filled in."
        raise UsageError(words, "Choose another --out, or move it away.")
    try:
        out.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            (out / name).write_text(text, encoding="utf-8", newline="")
    except OSError as error:
        raise DataError(f"{out}: the forms cannot be written ({error.strerror}).", "Choose another --out.") from error
    click.echo(
        f"{out}: {participants} participants, {participants} tasks, {len(assistants)} assistants, "
        f"{len(plan)} interactions; {', '.join(files)}."
    )


@click.command("human-import")
@click.argument("folder", metavar="FOLDER", type=Path)
@click.argument("runs", metavar="[RUN]...", nargs=-1)
@click.option("--plan", metavar="FILE", type=Path, help="[default: assignment.csv in FOLDER]")
@click.option("--answers", metavar="FILE", type=Path, help="[default: questionnaire.csv in FOLDER]")
@click.option("--profiles", metavar="FILE", type=Path, help="[default: profiles.csv in FOLDER, if it is there]")
@store_option
def human_import(
    folder: Path, runs: tuple[str, ...], plan: Path | None, answers: Path | None, profiles: Path | None,
    place: str | None,
) -> None:  # fmt: skip
    """
    Check filled-in questionnaires, and show their means by assistant.

    With the RUNs that hold the same interactions, rated by a judge, it shows how far judge and people agree. Faults are
    told with their lines, all of one file at once. The same files go into the report: recfw report RUN --analysis
    situated-paper --set analysis.plan=FILE --set analysis.answers=FILE.

    \b
    Examples:
      recfw situated human-import study
      recfw situated human-import study 20260101
    """  # noqa: D301 - click reads \b as the character that it stands for
    from recfw.report.render_terminal import TerminalOptions, TerminalRenderer  # noqa: PLC0415 - loads rich
    from recfw_situated.human.agreement import questionnaire_means  # noqa: PLC0415 - loads scipy

    visits = read_plan(plan or folder / ASSIGNMENT)
    given = read_answers(answers or folder / QUESTIONNAIRE, visits)
    people = {visit.participant for visit in visits}
    sheet = profiles or folder / PROFILES
    known = read_profiles(sheet, visits) if profiles or sheet.exists() else {}
    filled = sum(any(profile.values()) for profile in known.values())
    if not given.given:
        raise DataError(f"{answers or folder / QUESTIONNAIRE}: nobody has answered yet.")
    means = questionnaire_means(given.given)
    blocks = list(_blocks(given, means, f"{filled} of {len(people)} profiles are filled in."))
    if runs:
        blocks.append(_against(place, runs, means))
    click.echo(TerminalRenderer(TerminalOptions()).render(Report(Document(tuple(blocks)))))


def _blocks(given: Answers, means: Mapping[str, Mapping[str, float]], profiles: str) -> Sequence[Block]:
    from recfw_situated.analysis.blocks import questionnaire  # noqa: PLC0415 - --help must not wait for it

    held = len(given.given)
    return (
        Heading("Questionnaires", 1),
        *questionnaire(means, len(given.missing)),
        Note(f"{held} of {held + len(given.missing)} planned interactions have a questionnaire. {profiles}"),
    )


def _against(place: str | None, runs: Sequence[str], means: Mapping[str, Mapping[str, float]]) -> Table:
    """Return how the judge's ratings of the runs agree with the questionnaire."""
    from recfw.store.results import StoredResults  # noqa: PLC0415 - --help must not wait for it
    from recfw_situated.analysis.blocks import correlations  # noqa: PLC0415 - likewise
    from recfw_situated.analysis.study import read_study  # noqa: PLC0415 - likewise
    from recfw_situated.analysis.tables import DIALOGUE  # noqa: PLC0415 - likewise
    from recfw_situated.human.agreement import agree  # noqa: PLC0415 - loads scipy

    with open_store(place) as store:
        study = read_study(StoredResults(store, [store.run(name).id for name in runs], {"intervals": False}))
    rows = {setting: pool for (setting, _), pool in study.pools.items()}
    found = []
    for column in DIALOGUE:
        judged = {setting.row: column.of(pool, whole=True).value for setting, pool in rows.items()}
        found.append(agree(DIMENSIONS[column.figure], dict(means[column.figure]), judged))
    if not any(one.assistants for one in found):
        names = ", ".join(sorted({setting.row for setting in rows})) or "none"
        asked = ", ".join(sorted({name for held in means.values() for name in held}))
        words = f"no assistant of the plan ({asked}) was rated by a judge in these runs (there: {names})."
        raise UsageError(words, "Rate the runs with recfw judge; the plan must name assistants as the report does.")
    return correlations(tuple(found), "questionnaire against judge, over assistants")
