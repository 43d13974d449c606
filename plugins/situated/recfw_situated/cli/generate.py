"""``recfw situated generate``: a pool of tasks."""

from pathlib import Path

import click

from recfw.errors import UsageError
from recfw_situated.actions.user import SCENES
from recfw_situated.scenes.files import folder_of
from recfw_situated.scenes.load import load_scene, own_scene
from recfw_situated.tasks.generate import SEED, draw_tasks
from recfw_situated.tasks.own import SHOPPERS, draw_own, read_words
from recfw_situated.tasks.pool import OWN, encode
from recfw_situated.tasks.records import SituatedTask


@click.command()
@click.option("--scene", metavar="NAME", help="A scene's name, or the folder of one's own. [default: both that ship]")
@click.option("--seed", metavar="N", type=int, default=SEED, show_default=True, help="Equal seeds give equal tasks.")
@click.option(
    "--shoppers", metavar="N", type=click.IntRange(1, SHOPPERS), help="How many, in a store of one's own. [default: 25]"
)
@click.option(
    "--out", metavar="FILE", type=click.Path(path_type=Path), help="Where. [default: tasks.json in the store's folder]"
)
@click.option("--force", is_flag=True, help="Replace a file that is there.")
def generate(scene: str | None, seed: int, shoppers: int | None, out: Path | None, *, force: bool) -> None:
    """
    Draw profiles and tasks: 50 and 200 for the two scenes that ship, whose own pool has the default seed.

    For a store of one's own each shopper has up to four tasks, around different products of the store; how shoppers
    call its goods may be said in its words.yaml.

    \b
    Examples:
      recfw situated generate --seed 7 --out pool.json
      recfw situated validate --tasks pool.json
      recfw run --plugin situated --set track.tasks_file=pool.json
    \b
      recfw situated generate --scene ./my-store
      recfw run --plugin situated --set track.scene=./my-store
    """  # noqa: D301 - click reads \b as the character that it stands for
    own = scene is not None and scene not in SCENES
    if shoppers is not None and not own:
        raise UsageError("--shoppers is for a store of one's own.", "Name its folder with --scene.")
    if scene is not None and own:
        tasks, place = _own(scene, seed, shoppers or SHOPPERS)
        out = out or place
    else:
        tasks = draw_tasks({name: load_scene(name) for name in SCENES if scene in {None, name}}, seed)
    if out is None:
        raise UsageError("--out is missing.", "Name the file to write, such as --out pool.json.")
    if out.exists() and not force:
        raise UsageError(f"{out} is there already.", "Give another name, or --force to replace it.")
    try:
        out.write_bytes(encode(tasks))
    except OSError as error:
        raise UsageError(f"{out} cannot be written ({error.strerror or error}).", "Choose another --out.") from error
    profiles = len({task.profile.id for task in tasks})
    click.echo(f"Wrote {len(tasks)} tasks of {profiles} profile{'s' if profiles > 1 else ''} to {out}.")


def _own(scene: str, seed: int, shoppers: int) -> tuple[list[SituatedTask], Path]:
    """Return the tasks of a store of one's own, and the file in its folder that holds them."""
    records, folder = own_scene(scene), folder_of(scene)
    return draw_own(records, read_words(records, folder), seed, shoppers), Path(scene) / OWN
