"""``recfw situated generate``: a pool of tasks."""

from pathlib import Path

import click

from recfw.errors import UsageError
from recfw_situated.actions.user import SCENES
from recfw_situated.scenes.load import load_scene
from recfw_situated.tasks.generate import SEED, draw_tasks
from recfw_situated.tasks.pool import encode


@click.command()
@click.option("--seed", metavar="N", type=int, default=SEED, show_default=True, help="Equal seeds give equal tasks.")
@click.option("--out", metavar="FILE", required=True, type=click.Path(path_type=Path), help="Where to write the pool.")
@click.option("--force", is_flag=True, help="Replace a file that is there.")
def generate(seed: int, out: Path, *, force: bool) -> None:
    """
    Draw 50 profiles and 200 tasks for the two scenes; the pool that ships has the default seed.

    \b
    Example:
      recfw situated generate --seed 7 --out pool.json
      recfw situated validate --tasks pool.json
      recfw run --plugin situated --set track.tasks_file=pool.json
    """  # noqa: D301 - click reads \b as the character that it stands for
    if out.exists() and not force:
        raise UsageError(f"{out} is there already.", "Give another name, or --force to replace it.")
    tasks = draw_tasks({name: load_scene(name) for name in SCENES}, seed)
    try:
        out.write_bytes(encode(tasks))
    except OSError as error:
        raise UsageError(f"{out} cannot be written ({error.strerror or error}).", "Choose another --out.") from error
    click.echo(f"Wrote {len(tasks)} tasks of {len({task.profile.id for task in tasks})} profiles to {out}.")
