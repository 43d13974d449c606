"""``recfw books fields``: which fields agent turns ask about, as the rule-based user hears them, and how well."""

import sys
from pathlib import Path

import click

from recfw_books.cli.common import print_table
from recfw_books.cli.turns import lines_of, read_turns
from recfw_books.user.fields_cli import match_lines
from recfw_books.user.matcher import asked_fields
from recfw_books.user.score import error_lines, judge, share_table


@click.command()
@click.option("--score", "labelled", metavar="FILE", type=Path, help="Compare with labelled turns; print the figures.")
@click.option("--errors", is_flag=True, help="With --score: list each turn that is not exactly right, too.")
@click.option("--why", is_flag=True, help="Print the reasons, too: what speaks for and against each field.")
def fields(labelled: Path | None, *, errors: bool, why: bool) -> None:
    """
    Read JSON lines {"text": …} on standard input; print {"fields": […]} for each.

    The fields are those that the rule-based user takes an agent's turn to ask about.

    --why adds, for an open request and for each field, what the turn is worth (above 0 it asks), the sentence that
    weighs most, and the signs in it that count most.

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
        for line in match_lines(lines_of(sys.stdin.buffer), reasons=why):
            click.echo(line)
        return
    if why:
        raise click.UsageError("--why reads standard input; leave out --score.")
    judged = judge(read_turns(labelled), asked_fields)
    print_table(share_table(judged))
    if errors:
        for line in error_lines(judged):
            click.echo(line)
