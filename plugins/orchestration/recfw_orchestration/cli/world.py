"""``recfw orchestration world``: the embedded world's store, built when it is needed or where it is wanted."""

from pathlib import Path

import click

from recfw.errors import UsageError
from recfw_orchestration.cli.data import show
from recfw_orchestration.data.store import Data
from recfw_orchestration.world.embedded import SEED, build, embedded_store


@click.command()
@click.option("--out", metavar="FILE", type=Path, help="Build a store there. [default: the one in the cache]")
@click.option("--seed", metavar="N", default=SEED, show_default=True, help="Another seed is another world.")
@click.option("--force", is_flag=True, help="Replace a file that is there.")
def world(out: Path | None, seed: int, *, force: bool) -> None:
    """
    Build the embedded fictional world, and show what it holds.

    Runs do so by themselves on first use; the store is kept in the cache (XDG_CACHE_HOME or ~/.cache).

    \b
    Example:
      recfw orchestration world
      recfw orchestration world --seed 7 --out other.db
    """  # noqa: D301 - click reads \b as the character that it stands for
    if out is None and seed != SEED:
        raise UsageError("another seed's world is not kept in the cache.", "Give --out FILE.")
    if out is not None and out.exists() and not force:
        raise UsageError(f"{out}: is there already.", "Give --force to replace it.")

    def told(step: str) -> None:
        click.echo(f"building: {step}", err=True)

    if out is not None:
        build(out, seed, told)
    found = Data.open(out or embedded_store(told))
    show(found)
    found.close()
