"""``recfw situated film``: a stored episode as a page or an animated picture."""

from pathlib import Path

import click

from recfw.cli.common import find_trial, open_store, store_option
from recfw.errors import DataError, UsageError
from recfw_situated.driver.mapping import read_mapping
from recfw_situated.driver.pool import Stores
from recfw_situated.film.frames import ROLES, shoot
from recfw_situated.film.page import page
from recfw_situated.film.scenario import scenario, source_of
from recfw_situated.film.strip import strip
from recfw_situated.scenes.load import load_scene
from recfw_situated.tasks.records import Goal, goal_of

ENDINGS = (".html", ".png", ".apng")
TRACK = "situated"


@click.command()
@click.argument("name", metavar="RUN")
@click.argument("words", metavar="TRIAL")
@click.option("--attempt", metavar="N", type=int, help="Which attempt. [default: the one that counts]")
@click.option("--role", type=click.Choice(["both", "user", "assistant"]), default="both", show_default=True,
              help="Whose marks are drawn.")  # fmt: skip
@click.option("--out", metavar="FILE", type=Path, required=True, help="A page (.html) or an animated picture (.png).")
@click.option("--host", metavar="HOST", default="127.0.0.1", show_default=True, help="Where a store listens …")
@click.option("--port", metavar="N", type=click.IntRange(1, 65535), help="… and its port. [default: start one]")
@click.option("--mapping", metavar="FILE", type=Path, help="YAML file that names that store's objects and functions.")
@click.option("--scene", metavar="FOLDER", help="A store of one's own that has moved. [default: the run's]")
@store_option
def film(
    name: str,
    words: str,
    attempt: int | None,
    role: str,
    out: Path,
    host: str,
    port: int | None,
    mapping: Path | None,
    scene: str | None,
    place: str | None,
) -> None:
    """
    Show a stored episode: what both roles saw, with their marks, and what they said and did.

    The frames are rendered anew from the poses and the state that the trace holds, so a run needs no stored pictures.
    TRIAL is cell/task/number, as `recfw report` and errors name it.

    \b
    Examples:
      recfw situated film latest index-guided/s01.1/0 --out episode.html
      recfw situated film latest s01.1 --role user --out episode.png
    """  # noqa: D301 - click reads \b as the character that it stands for
    if out.suffix.casefold() not in ENDINGS:
        raise UsageError(f"--out is '{out}', whose ending is none of {', '.join(ENDINGS)}.", "Such as --out film.html.")
    with open_store(place) as store:
        run = store.run(name)
        if run.spec.track != TRACK:
            raise UsageError(f"run {run.id} is of the track '{run.spec.track}', not '{TRACK}'.")
        key = find_trial(store, run.id, words)
        trace = store.trace(run.id, key, attempt)
        task = store.tasks(run.id, key.cell)[key.task]
    source = scene or source_of(run.spec, key.cell, task)
    records = load_scene(source)
    shown = scenario(trace, records)
    addresses = ((host, port),) if port else ()
    stores = Stores(records, addresses, read_mapping(mapping) if mapping else None, source=source)
    shots = shoot(shown, stores, ROLES if role == "both" else (role,))
    title = f"{key.cell}, task {key.task}, trial {key.trial} of run {run.id}"
    if out.suffix.casefold() == ".html":
        data = page(shown, shots, title, errand(goal_of(task.private))).encode()
    else:
        data = strip(shown, shots)
    try:
        out.write_bytes(data)
    except OSError as error:
        raise DataError(f"{out} cannot be written ({error.strerror or error}).", "Choose another --out.") from error
    click.echo(f"{out}: {title}, {shown.turns} turns, ended: {shown.stop or 'cut off'}, {len(data) / 1e6:.1f} MB.")


def errand(goal: Goal) -> str:
    """Return what the user wants, in lines."""
    wishes, unwanted = ("; ".join(wish.words for wish in held) for held in (goal.preferences, goal.unwanted))
    lines = [goal.request, f"Looking for {goal.category_words}, for {goal.use}."]
    lines += [f"Something {wishes}."] if wishes else []
    lines += [f"Nothing {unwanted}."] if unwanted else []
    return "\n".join([*lines, f"At most ${goal.budget:g}."])
