"""``recfw books``: a group that imports a command only when it is invoked."""

import click

from recfw.cli.lazy import LazyGroup
from recfw.protocols import CommandRef

COMMANDS = (
    CommandRef("fetch", "Save what Wikidata's query service says of books.", "recfw_books.cli.fetch:fetch"),
    CommandRef("snapshot", "Another name of fetch.", "recfw_books.cli.fetch:fetch"),
    CommandRef("build", "Build a catalog from a table or a snapshot.", "recfw_books.cli.build:build"),
    CommandRef("export", "Write a catalog, its labels and tasks as plain files.", "recfw_books.cli.export:export"),
    CommandRef("generate", "Draw fresh task families for a catalog.", "recfw_books.cli.generate:generate"),
    CommandRef("validate", "Check tasks against their catalog from scratch.", "recfw_books.cli.validate:validate"),
    CommandRef("stats", "Show a catalog's shape beside the paper's.", "recfw_books.cli.stats:stats"),
    CommandRef(
        "audit", "Have two people judge records and tasks; see how far they agree.", "recfw_books.cli.audit:audit"
    ),
    CommandRef("baseline", "Sign a task set; name what has drifted.", "recfw_books.cli.baseline:baseline"),
    CommandRef("fields", "Tell which fields agent turns ask about.", "recfw_books.cli.fields:fields"),
    CommandRef("learn", "Learn from labelled turns what the matcher goes by.", "recfw_books.cli.learn:learn_command"),
)


@click.group(cls=LazyGroup, refs=COMMANDS)
def books() -> None:
    """Build, generate, validate and inspect books catalogs and tasks."""
