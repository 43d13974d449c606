"""``recfw orchestration``: a group that imports a command only when it is invoked."""

import click

from recfw.cli.lazy import LazyGroup
from recfw.protocols import CommandRef

_AT = "recfw_orchestration.cli"

COMMANDS = (
    CommandRef("import", "Read Amazon, Yelp and Foursquare downloads into a store.", f"{_AT}.import_:import_data"),
    CommandRef("data", "Show what a store holds, and where it comes from.", f"{_AT}.data:data"),
    CommandRef("world", "Build the embedded fictional world, or say where it is.", f"{_AT}.world:world"),
    CommandRef("generate", "Make tasks for a store, by running workflows.", f"{_AT}.generate:generate"),
    CommandRef("validate", "Check tasks against their store, on live servers.", f"{_AT}.validate:validate"),
    CommandRef("stats", "Count tasks beside the paper's; tools, phrasings.", f"{_AT}.stats:stats"),
    CommandRef("show", "Show a task and draw its gold workflow.", f"{_AT}.show:show"),
    CommandRef("serve", "Offer one of the MCP servers over stdio or HTTP.", f"{_AT}.serve:serve"),
    CommandRef("tools", "List the servers' tools with their arguments.", f"{_AT}.tools:tools"),
)


@click.group(cls=LazyGroup, refs=COMMANDS)
def orchestration() -> None:
    """Serve tools, import data, and generate, validate and inspect tasks of the orchestration track."""
