"""``recfw situated stats``: a scene's counts beside the paper's, and whether the scene is sound."""

from typing import Any

import click

from recfw.cli.common import registry_of
from recfw.errors import ExitCode
from recfw.model.run import ComponentSpec
from recfw_situated.scenes.files import SCENES
from recfw_situated.scenes.load import load_scene, vocabulary
from recfw_situated.survey.document import stats_report


@click.command()
@click.option("--scene", metavar="NAME", help="A scene's name, or the folder of one's own. [default: both that ship]")
@click.option(
    "--format", "renderer", metavar="NAME", default="terminal", show_default=True, help="terminal, markdown, json …"
)
@click.pass_context
def stats(ctx: click.Context, scene: str | None, renderer: str) -> None:
    """
    Show a store's counts beside the paper's, what stands where, its tags, and whether anything is wrong with it.

    Exit status 1 when the check of a scene found something.

    \b
    Examples:
      recfw situated stats
      recfw situated stats --scene furnishings --format json
      recfw situated stats --scene ./my-store
    """  # noqa: D301 - click reads \b as the character that it stands for
    made: Any = registry_of(ctx).create("renderers", ComponentSpec(renderer, {}))
    found = False
    for name in (scene,) if scene else SCENES:
        report = stats_report(load_scene(name), vocabulary(name))
        click.echo(made.render(report), nl=False)
        found = found or bool(report.figures["problems"])
    if found:
        ctx.exit(ExitCode.FOUND)
