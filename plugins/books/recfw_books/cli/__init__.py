"""``recfw books``: a group that imports a command only when it is invoked."""

import click

from recfw.cli.root import load
from recfw.known import suggestion
from recfw.protocols import CommandRef

COMMANDS = {
    ref.name: ref
    for ref in (
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
    )
}


class BooksCommands(click.Group):
    """The commands of the books track, by name."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Return all names."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's signature
        """Import and return a command."""
        return load(COMMANDS[cmd_name]) if cmd_name in COMMANDS else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Resolve a command; an unknown one gets the closest known name."""
        if args and not args[0].startswith("-") and args[0] not in COMMANDS:
            message = f"no command '{args[0]}' (known: {', '.join(COMMANDS)})."
            raise click.UsageError(f"{message} {suggestion(args[0], COMMANDS)}".rstrip(), ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's signature
        """Write the list of commands without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl([(ref.name, ref.summary) for ref in COMMANDS.values()])


@click.group(cls=BooksCommands)
def books() -> None:
    """Build, generate, validate and inspect books catalogs and tasks."""
