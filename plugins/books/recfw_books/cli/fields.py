"""``recfw books fields``: which fields agent turns ask about, as the rule-based user hears them, and how well."""

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import click

from recfw.errors import DataError
from recfw_books.cli.common import print_table
from recfw_books.user.fields_cli import match_lines
from recfw_books.user.matcher import asked_fields
from recfw_books.user.score import error_lines, judge, read_labelled, share_table


@click.command()
@click.option("--score", "labelled", metavar="FILE", type=Path, help="Compare with labelled turns; print the figures.")
@click.option("--errors", is_flag=True, help="With --score: list each turn that is not exactly right, too.")
def fields(labelled: Path | None, *, errors: bool) -> None:
    """
    Read JSON lines {"text": …} on standard input; print {"fields": […]} for each.

    The fields are those that the rule-based user takes an agent's turn to ask about.

    --score reads turns labelled with "fields" (and "generic": true for open requests) from a file instead, and prints
    precision and recall over all fields' labels and of each field, recall on open requests, and how many turns are
    exactly right, with Wilson's 95 % intervals.

    \b
    Examples:
      echo '{"text": "Which genre do you like?"}' | recfw books fields
      recfw books fields --score fixtures/books_turns_develop.jsonl --errors
    """  # noqa: D301 - click reads \b as the character that it stands for
    if labelled is None:
        if errors:
            raise click.UsageError("--errors needs --score FILE.")
        for line in match_lines(_lines(sys.stdin.buffer)):
            click.echo(line)
        return
    try:
        content = labelled.read_bytes()
    except OSError as error:
        raise DataError(f"{labelled}: {error.strerror}.", "Give a file of labelled turns.") from None
    judged = judge(read_labelled(_lines(content.splitlines())), asked_fields)
    print_table(share_table(judged))
    if errors:
        for line in error_lines(judged):
            click.echo(line)


def _lines(raw: Iterable[bytes]) -> Iterator[str]:
    """Yield lines as UTF-8, whatever the locale."""
    for number, line in enumerate(raw, start=1):
        try:
            yield line.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError as error:
            raise DataError(f"line {number}: not UTF-8 ({error.reason}).", "Save the turns as UTF-8.") from error
