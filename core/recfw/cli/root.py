"""The root command: finds commands by hook, and imports one only when it is invoked."""

import os
from importlib import import_module
from importlib.metadata import version
from typing import Any

import click

from recfw.errors import PluginError, words_of
from recfw.known import suggestion
from recfw.plugins import DISABLE_VARIABLE, Manager, build_manager, describe, switch
from recfw.protocols import CommandRef

BUILTIN = (
    CommandRef("run", "Play a track's tasks with agents and users, and report.", "recfw.cli.run:run"),
    CommandRef("report", "Show the figures of stored runs.", "recfw.cli.report:report"),
    CommandRef("runs", "List, show and delete stored runs.", "recfw.cli.runs:runs"),
    CommandRef("trace", "Read one trial as a dialogue.", "recfw.cli.trace:trace"),
    CommandRef("replay", "Play stored trials again and say where anything differs.", "recfw.cli.replay:replay"),
    CommandRef("plugins", "List plugins and what they offer.", "recfw.cli.plugins:plugins"),
)


_PROVIDER = "recfw.provider:"


class Commands(click.Group):
    """The root group: core's commands and those that plugins offer."""

    def _refs(self, ctx: click.Context) -> dict[str, CommandRef]:
        manager = manager_of(ctx)
        found = {ref.name: ref for ref in BUILTIN}
        for plugin, ref in manager.collect("recfw_register_commands"):
            if not isinstance(ref, CommandRef) or not all(
                isinstance(text, str) for text in (ref.name, ref.summary, ref.target)
            ):
                message = f"{describe(plugin)} offers {type(ref).__name__} among its commands, which is no CommandRef."
                raise PluginError(message, switch(plugin.name))
            if ref.name in found:
                message = f"{describe(plugin)} offers the command '{ref.name}', which exists already."
                raise PluginError(message, switch(plugin.name))
            found[ref.name] = ref
            ctx.find_root().meta[_PROVIDER + ref.name] = plugin.name
        return found

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return all names, core's first."""
        return list(self._refs(ctx))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return a command."""
        ref = self._refs(ctx).get(cmd_name)
        return None if ref is None else load(ref, ctx.find_root().meta.get(_PROVIDER + cmd_name, ""))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Resolve a command; an unknown one gets the closest known name."""
        refs = self._refs(ctx)
        if args and not args[0].startswith("-") and args[0] not in refs:
            message = f"no command '{args[0]}' (known: {', '.join(refs)})."
            raise click.UsageError(f"{message} {suggestion(args[0], refs)}".rstrip(), ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl([(ref.name, ref.summary) for ref in self._refs(ctx).values()])


def load(ref: CommandRef, plugin: str = "") -> click.Command:
    """Return the command that a reference of a plugin points to; PluginError where there is none."""
    module, _, attribute = ref.target.partition(":")
    of, hint = (f" (plugin {plugin})", switch(plugin)) if plugin else ("", "")
    try:
        command: Any = getattr(import_module(module), attribute)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        message = f"the command '{ref.name}'{of} cannot be loaded from {ref.target}: {words_of(error)}."
        raise PluginError(message, hint) from error
    if not isinstance(command, click.Command):
        raise PluginError(f"the command '{ref.name}'{of}: {ref.target} is no click command.", hint)
    return command


def manager_of(ctx: click.Context) -> Manager:
    """Return the plugins, loaded once per invocation."""
    root = ctx.find_root()
    if not isinstance(root.obj, Manager):
        root.obj = build_manager()
    return root.obj


def _disable(ctx: click.Context, param: click.Parameter, value: tuple[str, ...]) -> tuple[str, ...]:  # noqa: ARG001 - click's signature
    """Disable plugins before any is loaded; worker processes inherit it."""
    names = [*filter(None, os.environ.get(DISABLE_VARIABLE, "").split(",")), *value]
    if value:
        os.environ[DISABLE_VARIABLE] = ",".join(dict.fromkeys(names))
    return value


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.option(
    "--disable-plugin",
    metavar="NAME",
    multiple=True,
    is_eager=True,
    expose_value=False,
    callback=_disable,
    help="Go on without this plugin (may be repeated).",
)
@click.version_option(version("recfw"), "--version", "-V", prog_name="recfw", message="%(prog)s %(version)s")
def cli() -> None:
    """
    Evaluate conversational and agentic recommenders.

    Start with `recfw run --plugin NAME`, which plays a track's tasks with its reference agents and prints a table;
    `recfw plugins list` names what is installed.
    """
