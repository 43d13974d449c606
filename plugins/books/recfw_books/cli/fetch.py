"""``recfw books fetch``: a snapshot of Wikidata's query service, politely, page by page, to be gone on with."""

import shlex
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import click
from click.core import ParameterSource

from recfw.errors import DataError, ExitCode, InfrastructureError, UsageError
from recfw_books.wikidata.plan import settings_of
from recfw_books.wikidata.rules import read_rules
from recfw_books.wikidata.snapshot import Writer, opened, read_journal, resumable
from recfw_books.wikidata.waiting import Patience

ENDPOINT = "https://query.wikidata.org/sparql"


@click.command()
@click.option("--out", metavar="SNAPSHOT", required=True, type=Path, help="Folder to make, or to go on with.")
@click.option("--endpoint", metavar="URL", default=ENDPOINT, show_default=True, help="The query service.")
@click.option("--resume", is_flag=True, help="Go on with a snapshot that is not finished.")
@click.option("--size", metavar="N", default=0, type=click.IntRange(min=0), help="Stop asking for works after N.")
@click.option(
    "--page-size",
    "page",
    metavar="N",
    default=1000,
    show_default=True,
    type=click.IntRange(1, 10_000),
    help="Works a page.",
)
@click.option("--user-agent", metavar="TEXT", help="Who asks; name an address at which you can be reached.")
@click.option(
    "--delay",
    metavar="SECONDS",
    default=1.0,
    show_default=True,
    type=click.FloatRange(0, 3600),
    help="Least pause between requests.",
)
@click.option(
    "--tries", metavar="N", default=6, show_default=True, type=click.IntRange(1, 100), help="Tries for each request."
)
@click.option("--rules", metavar="DIR", type=Path, help="Rule files, for their genres. [default: the plugin's]")
@click.pass_context
def fetch(
    ctx: click.Context,
    out: Path,
    endpoint: str,
    size: int,
    page: int,
    user_agent: str | None,
    delay: float,
    tries: int,
    rules: Path | None,
    *,
    resume: bool,
) -> int:
    """
    Save what Wikidata's query service says of books, for `recfw books build --snapshot`.

    One request at a time, with pauses; a response that fails or is cut off is asked for again, and a Retry-After is
    heeded. Whatever stops it, whole responses are kept: go on with --resume.

    \b
    Examples:
      recfw books fetch --out wikidata --user-agent 'study/1 (me@example.org)'
      recfw books fetch --out wikidata --resume
    """  # noqa: D301 - click reads \b as the character that it stands for
    _check(endpoint, delay)
    agent = user_agent or f"recfw-books/{version('recfw-books')} (catalog for research; no address given)"
    known = read_rules(rules)
    with opened(out, settings_of(known, size), resume=resume) as writer:
        try:
            from recfw_books.wikidata.client import Client, chance  # noqa: PLC0415 - httpx is an extra
            from recfw_books.wikidata.fetch import Fetch  # noqa: PLC0415

            with Client(endpoint, agent, Patience(delay, tries, chance), _say) as client:
                Fetch(client, writer, known, page, endpoint, _say).run()
        except KeyboardInterrupt:
            click.echo(f"Interrupted. {_how_to_go_on(ctx, writer)}", err=True)
            return ExitCode.INTERRUPTED
        except (InfrastructureError, DataError) as error:
            raise type(error)(error.message, f"{error.hint} {_how_to_go_on(ctx, writer)}".strip()) from error
        works = sum(entry.works for entry in writer.snapshot.entries)
        responses = len(writer.snapshot.entries)
    click.echo(f"{out}: finished; {responses} responses, {works:,} works (those of two genres counted twice).")
    click.echo(f"Build it: recfw books build --snapshot {shlex.quote(str(out))} --out my-catalog")
    return ExitCode.DONE


def _check(endpoint: str, delay: float) -> None:
    if not endpoint.startswith(("http://", "https://")):
        raise UsageError(f"{endpoint!r} is no address of a query service.", "Give one that begins with https://.")
    if delay != delay:  # noqa: PLR0124 - nan, which passes every range
        raise UsageError("--delay must be a number of seconds.")
    if find_spec("httpx") is None:
        raise UsageError(
            "responses are fetched by httpx, which is not installed.", "Install the extra 'recfw-books[wikidata]'."
        )


def _say(words: str) -> None:
    click.echo(words, err=True)


def _how_to_go_on(ctx: click.Context, writer: Writer) -> str:
    """Return the sentence that tells how to go on, with the options that were typed."""
    words = ["recfw", "books", "fetch", "--resume"]
    for option in ctx.command.params:
        typed = option.name is not None and ctx.get_parameter_source(option.name) is ParameterSource.COMMANDLINE
        if typed and option.name != "resume":
            words += [option.opts[0], shlex.quote(str(ctx.params[option.name or ""]))]
    kept = read_journal(writer.snapshot.folder).entries  # the disk knows, wherever an interrupt fell
    return resumable(words, len(kept))
