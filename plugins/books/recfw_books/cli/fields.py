"""``recfw books fields``: which fields agent turns ask about, as the rule-based user hears them."""

import sys
from collections.abc import Iterator

import click

from recfw.errors import DataError
from recfw_books.user.fields_cli import match_lines


@click.command()
def fields() -> None:
    """
    Read JSON lines {"text": …} on standard input; print {"fields": […]} for each.

    The fields are those that the rule-based user takes an agent's turn to ask about.

    \b
    Example:
      echo '{"text": "Which genre do you like?"}' | recfw books fields
    """  # noqa: D301 - click reads \b as the character that it stands for
    for line in match_lines(_lines()):
        click.echo(line)


def _lines() -> Iterator[str]:
    """Yield the lines of standard input, UTF-8 whatever the locale."""
    for number, line in enumerate(sys.stdin.buffer, start=1):
        try:
            yield line.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError as error:
            raise DataError(f"line {number}: not UTF-8 ({error.reason}).", "Save the turns as UTF-8.") from error
