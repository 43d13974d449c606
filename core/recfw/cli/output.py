"""How the command line speaks: what ``--quiet`` leaves out, ``--color``, and which variables a command may set."""

import os
import sys
from collections.abc import Callable, Iterator, MutableMapping
from contextlib import contextmanager, suppress
from typing import Any, TypeVar

import click

from recfw.cli.settings import SHARED

INHERITED = (*SHARED.values(), "NO_COLOR", "FORCE_COLOR")
"""Variables by which options of the root command, and what files say of them, reach libraries and workers."""
QUIET = "Only results and errors: no progress, no chatter."
_QUIET = "recfw.quiet"

F = TypeVar("F", bound=Callable[..., Any])


def quieten(ctx: click.Context) -> None:
    """Leave out, from here on, whatever is not a result or an error."""
    ctx.find_root().meta[_QUIET] = True


def quiet_option(command: F) -> F:
    """Add ``--quiet`` to a command too, as people write it behind the command's name."""

    def quiet(ctx: click.Context, _parameter: click.Parameter, value: bool) -> None:
        if value:
            quieten(ctx)

    option = click.option("-q", "--quiet", is_flag=True, expose_value=False, callback=quiet, help=QUIET)
    return option(command)


def is_quiet() -> bool:
    """Tell whether only results and errors are wanted."""
    ctx = click.get_current_context(silent=True)
    return ctx is not None and bool(ctx.find_root().meta.get(_QUIET))


def tell(words: str) -> None:
    """Tell on standard error; that its reader has left, or its disk is full, neither stops a run nor fails one."""
    try:
        click.echo(words, err=True)
    except OSError:
        with suppress(OSError, ValueError):  # what is left in its buffer would fail again when the process ends
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())


def chatter(words: str) -> None:
    """Tell on standard error what is no result, unless only results are wanted."""
    if not is_quiet():
        tell(words)


def hold_tongue() -> None:
    """Whoever read our output has left: nothing can be told, and flushing again at exit must not complain."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def choose_color(ctx: click.Context, wanted: str, environ: MutableMapping[str, str]) -> None:
    """
    Settle colours for click, rich and the processes that are started.

    ``auto`` leaves it to ``NO_COLOR`` and ``FORCE_COLOR`` (in this order; an empty one counts as absent), or else to
    whether the output is a terminal, and one that is not ``dumb``.
    """
    if wanted == "auto":
        wanted = "never" if environ.get("NO_COLOR") else "always" if environ.get("FORCE_COLOR") else "auto"
    if wanted == "auto" and environ.get("TERM") == "dumb":
        wanted = "never"
    if wanted == "auto":
        return
    ctx.color = wanted == "always"
    for name in ("NO_COLOR", "FORCE_COLOR"):
        environ.pop(name, None)
    environ["FORCE_COLOR" if ctx.color else "NO_COLOR"] = "1"


@contextmanager
def own_environment() -> Iterator[None]:
    """Put back, in the end, the variables that a command may set."""
    before = {name: os.environ.get(name) for name in INHERITED}
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
