"""``recfw plugins new``: write a complete distribution of a plugin."""

import re
import shlex
import sys
import time
from pathlib import Path

import click

from recfw.cli.root import manager_of
from recfw.cli.template import KINDS, LICENCES, distribution_files
from recfw.errors import DataError, UsageError
from recfw.known import known_plugins
from recfw.report.words import one_line

_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_LONGEST = 40


@click.command("new")
@click.argument("name")
@click.option(
    "--kind",
    metavar="KIND",
    type=click.Choice(list(KINDS)),
    default="track",
    help=f"What it offers: {', '.join(KINDS)}. [default: track]",
)
@click.option(
    "--licence",
    "--license",
    metavar="NAME",
    type=click.Choice(LICENCES, case_sensitive=False),
    help=f"Its licence: {', '.join(LICENCES)}; asked for at a terminal. [default: MIT]",
)
@click.option("--author", metavar="TEXT", help='Who holds the copyright. [default: "the recfw-NAME authors"]')
@click.option("--out", metavar="FOLDER", help="Where it is written, an empty or new folder. [default: ./recfw-NAME]")
@click.pass_context
def new(ctx: click.Context, name: str, kind: str, licence: str | None, author: str | None, out: str | None) -> None:
    """
    Write a complete distribution for a new plugin NAME.

    It installs, runs, passes its own tests and type checks as it is written: setup.cfg, README, CHANGELOG, licence,
    tox.ini, a CI file, one working component, and tests on the contract suites of recfw. A track comes with a small
    catalog, tasks and a reference agent, and is played by core's rule-based user.

    \b
    Examples:
      recfw plugins new films
      recfw plugins new terse --kind agent --licence Apache-2.0
    """  # noqa: D301 - click reads \b as the character that it stands for
    _check_name(name, manager_of(ctx).plugins)
    holder = one_line(author or f"the recfw-{name} authors")
    if licence is None and sys.stdin.isatty():
        licence = click.prompt("Licence", type=click.Choice(LICENCES, case_sensitive=False), default=LICENCES[0])
    folder = Path(out or f"recfw-{name}")
    made = distribution_files(name, kind, holder, licence or LICENCES[0], time.gmtime().tm_year)
    _write(folder, made)
    where = shlex.quote(str(folder))
    click.echo(f"Wrote {len(made)} files to {folder}. Next:")
    click.echo(f"  cd {where} && pip install -e '.[test]'")
    click.echo(f"  {KINDS[kind].command.format(name=name)}")
    click.echo(f"  pytest && recfw plugins check {name}")


def _check_name(name: str, installed: object) -> None:
    bare = name.removeprefix("recfw-").removeprefix("recfw_")
    if bare != name and _NAME.fullmatch(bare):
        raise UsageError(f"'{name}': a plugin is named without 'recfw-', its distribution with it.", f"Say: {bare}")
    if not _NAME.fullmatch(name) or len(name) > _LONGEST:
        raise UsageError(
            f"{name!r} is no name of a plugin: small letters, digits and single hyphens, a letter first, at most "
            f"{_LONGEST} in all."
        )
    if name in known_plugins() or (isinstance(installed, dict) and name in installed) or name in {"core", "sample"}:
        raise UsageError(
            f"there is a plugin '{name}' already.", "`recfw plugins search` lists the names that are taken."
        )


def _write(folder: Path, made: dict[str, str]) -> None:
    """Write files into an empty or new folder; nothing that is there is touched."""
    try:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise UsageError(f"{folder} is there already, and is no empty folder.", "Name another with --out.")
        for path, text in made.items():
            place = folder / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text, encoding="utf-8")
    except OSError as error:
        raise DataError(f"{folder} cannot be written ({error.strerror}).", "Name another folder with --out.") from error
