"""Groups whose commands are imported one by one, when they are invoked: core's larger ones, and those of plugins."""

from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Any

import click

from recfw.errors import PluginError, words_of
from recfw.known import suggestion
from recfw.plugins import switch
from recfw.protocols import CommandRef


class LazyGroup(click.Group):
    """
    A group given by references: ``@click.group(cls=LazyGroup, refs=(CommandRef(…), …))``.

    Its help and its completion of names import no command; an unknown name gets the closest known one.
    """

    def __init__(self, *args: Any, refs: Iterable[CommandRef] = (), **extra: Any) -> None:
        super().__init__(*args, **extra)
        self._refs = {ref.name: ref for ref in refs}
        self._steps: list[Callable[[str, click.Command], None]] = []

    def prepare(self, step: Callable[[str, click.Command], None]) -> None:
        """Have something done, once, with each command (name, command), now or when it is imported."""
        for name, command in self.commands.items():
            step(name, command)
        self._steps.append(step)

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Return all names, in their order."""
        return list(self._refs)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's signature
        """Import and return a command; None where there is none of that name."""
        return self.named(cmd_name) if cmd_name in self._refs else None

    def named(self, name: str) -> click.Command:
        """Import and return a command; PluginError where its reference leads nowhere."""
        if name not in self.commands:
            command = load(self._refs[name])
            for step in self._steps:
                step(name, command)
            self.commands[name] = command
        return self.commands[name]

    def everything(self) -> dict[str, click.Command]:
        """Import all commands, and return them by name."""
        return {name: self.named(name) for name in self._refs}

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Resolve a command; an unknown one gets the closest known name."""
        if args and not args[0].startswith("-") and args[0] not in self._refs:
            message = f"no command '{args[0]}' (known: {', '.join(self._refs)})."
            raise click.UsageError(f"{message} {suggestion(args[0], self._refs)}".rstrip(), ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's signature
        """Write the list of commands without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl([(ref.name, ref.summary) for ref in self._refs.values()])


def below(group: click.Group) -> dict[str, click.Command]:
    """Return a group's commands by name; those of a lazy one are imported."""
    return group.everything() if isinstance(group, LazyGroup) else dict(group.commands)


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
