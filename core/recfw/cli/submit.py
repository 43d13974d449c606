"""``recfw submit``: a run signed off as one file that others can check and rank."""

import os
import sys
from pathlib import Path

import click

from recfw.cli.common import open_store, registry_of, store_option
from recfw.cli.measures import size_words
from recfw.cli.objects import json_option, print_json
from recfw.cli.output import chatter
from recfw.cli.progress import progress
from recfw.errors import UsageError
from recfw.secrets import Secrets
from recfw.store.transfer.guard import Guard
from recfw.store.transfer.records import Part, TrialPart
from recfw.submission.making import check_cells, check_complete, counts_of, make_bundle
from recfw.submission.manifest import STATEMENT, sign_off

ASKED = {
    "name": "Who signs it off (a person or a group)",
    "contact": "Where to reach you (it is published)",
    "system": "What was evaluated, in a sentence or two",
}
"""What is asked for on a terminal where an option does not say it."""


@click.command()
@click.argument("name", metavar="RUN")
@click.option("--out", metavar="FILE", required=True, help="The bundle to write, such as mine.tar.")
@click.option("--name", "who", metavar="WHO", help="Who signs it off: a person or a group.")
@click.option("--contact", metavar="WORDS", help="Where to reach them; published.")
@click.option("--system", metavar="WORDS", help="What was evaluated: models, prompts, training on such tasks.")
@click.option("--homepage", metavar="URL", default="", help="https:// address of a paper or repository.")
@click.option("--cell", "cells", metavar="CELL", multiple=True, help="A cell to be ranked. [default: all of the run]")
@click.option("--sign-off", "signed", is_flag=True, help="Sign the statement above, instead of being asked.")
@click.option("--incomplete", is_flag=True, help="Also a run that lacks trials; the leaderboard shows that.")
@click.option("--redact", is_flag=True, help="Replace what looks like a credential, instead of refusing.")
@click.option("--overwrite", is_flag=True, help="Replace a file that is there.")
@json_option
@store_option
@click.pass_context
def submit(
    ctx: click.Context,
    name: str,
    out: str,
    who: str | None,
    contact: str | None,
    system: str | None,
    homepage: str,
    cells: tuple[str, ...],
    *,
    signed: bool,
    incomplete: bool,
    redact: bool,
    overwrite: bool,
    as_json: bool,
    place: str | None,
) -> None:
    """
    Write a stored run as a bundle: one file with its traces, figures, digests and versions, signed off by somebody.

    `recfw verify` checks it elsewhere, and `recfw leaderboard` ranks it. The same run and words give the same bytes.
    Whoever signs it off declares: "This is one run as recfw recorded it: nothing of it was left out, chosen among
    repetitions or altered by hand. It may be published, with what is declared here."

    \b
    Examples:
      recfw submit latest --out mine.tar
      recfw submit RUN --out mine.tar --cell my-agent --name "A. Nother"
          --contact a@example.org --system "My model, zero-shot." --sign-off
    """  # noqa: D301 - click reads \b as the character that it stands for
    path = _free(out, overwrite=overwrite)
    registry, secrets = registry_of(ctx), Secrets(os.environ)
    with open_store(place) as store:
        run = store.run(name)
        counts = counts_of(store, run)
        if not incomplete:
            check_complete(run, counts)
        chosen = check_cells(run, cells)
        given = {"name": who, "contact": contact, "system": system}
        words = {option: _asked(option, value) for option, value in given.items()}
        declared = sign_off(words["name"], words["contact"], words["system"], homepage, secrets)
        _sign(signed=signed)
        with progress("trials", run.planned) as shown:

            def passed(part: Part) -> None:
                if isinstance(part, TrialPart):
                    shown.step()

            made = make_bundle(store, registry, run, path, chosen, declared, Guard(secrets, redact=redact), passed)
    if as_json:
        told = {"run": run.id, "out": out, "bytes": made.size, "sha256": made.sha256, "signed_off_by": declared.name}
        print_json(told | {"cells": list(chosen), "redacted": made.manifest.redacted})
        return
    click.echo(f"Wrote run {run.id} to {out} ({size_words(made.size)}), signed off by {declared.name}.")
    click.echo(f"SHA-256 {made.sha256}")
    if redact:
        click.echo(f"Replaced {made.manifest.redacted} values that look like credentials.")
    chatter(f"Check it as others will: recfw verify {out}")


def _free(out: str, *, overwrite: bool) -> Path:
    """Return where to write; UsageError where something is that must not be lost, or no folder to write in."""
    if not out:
        raise UsageError("--out is empty.", "Give it the name of a file.")
    path = Path(out)
    if not path.parent.is_dir():
        raise UsageError(f"{out}: there is no folder {path.parent}.", "Make it first.")
    if path.is_dir():
        raise UsageError(f"{out}: is a folder.", "Name a file, such as mine.tar.")
    if path.exists() and not overwrite:
        raise UsageError(f"{out}: exists already.", "Name another file, or say --overwrite.")
    return path


def _asked(option: str, value: str | None) -> str:
    """Return what an option says, or else what is typed."""
    if value is not None:
        return value
    if not sys.stdin.isatty():
        raise UsageError(f"--{option} is missing, and there is no terminal to ask on.", f"Say --{option} WORDS.")
    return str(click.prompt(ASKED[option], err=True))


def _sign(*, signed: bool) -> None:
    """Have the statement signed; UsageError where it is not."""
    if signed:
        return
    if not sys.stdin.isatty():
        raise UsageError("a bundle must be signed off, and there is no terminal to ask on.", "Say --sign-off.")
    click.echo(STATEMENT, err=True)
    if not click.confirm("Do you sign this off?", err=True):
        raise UsageError("nothing was written, because it was not signed off.")
