"""``recfw situated``: a group that imports a command only when it is invoked."""

import click

from recfw.cli.lazy import LazyGroup
from recfw.protocols import CommandRef

COMMANDS = (
    CommandRef("stats", "Show a store's counts beside the paper's.", "recfw_situated.cli.stats:stats"),
    CommandRef("map", "Draw a store from above.", "recfw_situated.cli.map:map_"),
    CommandRef("view", "Write what a role sees from somewhere.", "recfw_situated.cli.view:view"),
    CommandRef("film", "Show a stored episode as a page or an animated picture.", "recfw_situated.cli.film:film"),
    CommandRef("human-plan", "Plan a human evaluation and write its forms.", "recfw_situated.cli.human:human_plan"),
    CommandRef("human-import", "Check filled-in questionnaires.", "recfw_situated.cli.human:human_import"),
    CommandRef("check", "Tell what a store behind a port offers and lacks.", "recfw_situated.cli.check:check"),
    CommandRef("generate", "Draw a pool of tasks.", "recfw_situated.cli.generate:generate"),
    CommandRef("validate", "Check tasks against their scenes from scratch.", "recfw_situated.cli.validate:validate"),
    CommandRef("serve", "Serve a store over UnrealCV's protocol.", "recfw_situated.cli.serve:serve"),
)


@click.group(cls=LazyGroup, refs=COMMANDS)
def situated() -> None:
    """Serve, draw, view and inspect 3D stores."""
