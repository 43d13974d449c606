"""How help texts are laid out: as click does it, but no text ends with a lone short word on its last line."""

import re
from collections.abc import Iterable

import click

from recfw.cli.lazy import LazyGroup

SHORT = 12
"""Letters below which a last word is kept with the one before it."""
_BOUND = "\u00a0"
_LAST = re.compile(rf"\s+(?=\S{{1,{SHORT}}}\Z)")


class Formatter(click.HelpFormatter):
    """Keeps the last two words of every text on one line."""

    def write_text(self, text: str) -> None:
        """Write paragraphs."""
        super().write_text("\n\n".join(map(_bound, text.split("\n\n"))))

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        """Write names, each with its text beside it."""
        super().write_dl([(name, _bound(text)) for name, text in rows], col_max, col_spacing)

    def getvalue(self) -> str:
        """Return what was written."""
        return super().getvalue().replace(_BOUND, " ")


def _bound(text: str) -> str:
    return text if text.lstrip().startswith("\b") else _LAST.sub(_BOUND, text.rstrip())


class Context(click.Context):
    """A context whose help is laid out so."""

    formatter_class = Formatter


def lay_out(command: click.Command) -> None:
    """Have a command's help, and that of all below it, laid out so."""
    command.context_class = Context
    if isinstance(command, LazyGroup):
        command.prepare(lambda _, below: lay_out(below))
    elif isinstance(command, click.Group):
        for below in command.commands.values():
            lay_out(below)
