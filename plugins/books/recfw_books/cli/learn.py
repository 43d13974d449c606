"""``recfw books learn``: the matcher's weights from labelled turns, and how it does on batches held out."""

from pathlib import Path

import click

from recfw.errors import DataError
from recfw_books.cli.common import print_table
from recfw_books.cli.turns import read_turns
from recfw_books.user.learning import Example, examples, held_out, learn
from recfw_books.user.score import batch_table, error_lines
from recfw_books.user.weights import write_weights


@click.command("learn")
@click.argument("turns", metavar="FILE...", nargs=-1, required=True, type=Path)
@click.option("--out", metavar="FILE", type=Path, help="Write the weights here (the package's: data/matcher.tsv.gz).")
@click.option("--held-out", "folds", metavar="N", type=click.IntRange(2), help="Judge batches held out, in N parts.")
@click.option("--errors", is_flag=True, help="With --held-out: list each turn that is not exactly right, too.")
def learn_command(turns: tuple[Path, ...], out: Path | None, folds: int | None, *, errors: bool) -> None:
    """
    Learn from labelled turns what the matcher goes by.

    The same turns give the same weights. --held-out deals the batches ("batch" of a turn) into N parts, learns from all
    but one and judges that one, part by part, and prints the figures of the rules alone and of the matcher, with 95 %
    intervals over batches. Turns without a batch are learned from and not judged.

    \b
    Examples:
      recfw books learn fixtures/books_turns_develop*.jsonl --held-out 5
      recfw books learn fixtures/books_turns_develop*.jsonl --out matcher.tsv.gz
    """  # noqa: D301 - click reads \b as the character that it stands for
    if out is None and folds is None:
        raise click.UsageError("nothing to do: give --out FILE, --held-out N, or both.")
    if errors and folds is None:
        raise click.UsageError("--errors needs --held-out N.")
    given = examples([turn for path in turns for turn in read_turns(path)])
    if folds is not None:
        _judge(given, folds, errors=errors)
    if out is not None:
        weights = learn(given)
        try:
            out.write_bytes(write_weights(weights))
        except OSError as error:
            raise DataError(f"{out}: {error.strerror}.", "Name a file that can be written.") from None
        click.echo(f"{out}: {sum(map(len, weights.values())):,} signs from {len(given):,} turns.")


def _judge(given: tuple[Example, ...], folds: int, *, errors: bool) -> None:
    batches = {each.turn.batch for each in given if each.turn.batch}
    if len(batches) < folds:
        raise DataError(
            f"{len(batches)} batches cannot be dealt into {folds} parts.", "Give fewer parts or more turns."
        )
    by_rules, by_matcher = held_out(given, folds)
    print_table(batch_table({"rules": by_rules, "matcher": by_matcher}))
    if errors:
        for line in error_lines(by_matcher):
            click.echo(line)
