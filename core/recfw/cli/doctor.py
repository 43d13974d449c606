"""``recfw doctor``: is everything that a run needs in order, and if not, what to do."""

from collections import Counter
from collections.abc import Iterator

import click
import orjson
from attrs import asdict

from recfw.cli.checks import installation
from recfw.cli.checks_environment import environment
from recfw.cli.checks_store import store_health
from recfw.cli.common import store_option
from recfw.cli.findings import Finding, State, lines
from recfw.cli.output import is_quiet
from recfw.errors import ExitCode


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
@store_option
@click.pass_context
def doctor(ctx: click.Context, *, as_json: bool, place: str | None) -> int:
    """
    Check versions, plugins, the result store, the environment and the terminal.

    Nothing is changed. Every finding that wants something done comes with the next step, and the exit status is 1
    then. With --quiet only those are shown.

    \b
    Examples:
      recfw doctor
      recfw --quiet doctor --store postgresql://user@host/runs
    """  # noqa: D301 - click reads \b as the character that it stands for
    found = []
    for finding in _findings(ctx, place):
        found.append(finding)
        if not as_json and (finding.state is State.WRONG or not is_quiet()):
            click.echo("\n".join(lines(finding)))
    counts = Counter(finding.state for finding in found)
    if as_json:
        told = {"ok": not counts[State.WRONG], "findings": [asdict(finding) for finding in found]}
        click.echo(orjson.dumps(told, option=orjson.OPT_INDENT_2))
    elif not is_quiet():
        many = counts[State.WRONG]
        click.echo(f"{len(found)} checks, {many or 'nothing'} wrong.")
    return ExitCode.FOUND if counts[State.WRONG] else ExitCode.DONE


def _findings(ctx: click.Context, place: str | None) -> Iterator[Finding]:
    yield from installation(ctx)
    yield from store_health(place)
    yield from environment(ctx)
