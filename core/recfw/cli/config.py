"""``recfw config``: which defaults are in force, and where each comes from."""

import os
from collections.abc import Iterator
from typing import Any

import click
import orjson
from attrs import asdict, frozen

from recfw.cli.root import APPLIED, Commands, check_sections, manager_of, settings_in
from recfw.cli.settings import (
    FILE_VARIABLE,
    PROJECT_FILE,
    SHARED,
    Settings,
    checked_value,
    config_files,
    current_folder,
    defaults_of,
    option_name,
    options_of,
    variable_of,
)
from recfw.errors import DataError, RecfwError, UsageError
from recfw.registry import Registry
from recfw.report.words import one_line
from recfw.store.postgres import is_postgres, public_address

OFFERED = {"analysis": "analyses", "executor": "executors", "format": "renderers", "judge": "judges", "track": "tracks"}
"""Options that take the name of what plugins offer -> its kind."""


@frozen
class InForce:
    """A default that is in force: its key, its value, and where it comes from (a file, a variable, recfw itself)."""

    key: str
    value: Any
    origin: str


@click.group()
def config() -> None:
    """Show which defaults are in force, and where from."""


@config.command("show")
@click.option("--all", "everything", is_flag=True, help="Also list options that nothing sets.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
@click.pass_context
def show(ctx: click.Context, *, everything: bool, as_json: bool) -> None:
    """
    Show the defaults that files and variables set, and check the files.

    What is typed wins over environment variables, these over the project's recfw.toml, and that over your own
    config.toml.
    """
    settings = settings_in(ctx)
    found = list(in_force(ctx, settings, everything=everything))
    files = [str(path) for path in config_files(os.environ, current_folder())]
    if as_json:
        data = {"files": files, "settings": [asdict(item) for item in found]}
        click.echo(orjson.dumps(data, option=orjson.OPT_INDENT_2))
        return
    for path in files:
        click.echo(f"file: {one_line(path)}")
    if not files:
        click.echo(f"No configuration file: neither a {PROJECT_FILE} here nor your own recfw/config.toml.")
    width = max((len(item.key) for item in found), default=0)
    for item in found:
        click.echo(f"{item.key:{width}} = {_text(item.value)}  ({one_line(item.origin)})")


def in_force(
    ctx: click.Context, settings: Settings, *, everything: bool = False, faults: list[RecfwError] | None = None
) -> Iterator[InForce]:
    """
    Yield what is in force, the keys outside sections first, then command by command.

    Raises:
        DataError: A file has an unknown section or key, or a value of another type; or nobody offers what is named.
        UsageError: A variable has a value that its option does not take.
    """
    applied = ctx.find_root().meta.get(APPLIED, {})
    for key, variable in SHARED.items():
        if variable in applied:
            yield InForce(key, settings.values[key].value, settings.values[key].file)
        elif os.environ.get(variable):
            yield InForce(key, public(os.environ[variable]), variable)
        elif everything:
            yield InForce(key, None, "default")
    if os.environ.get(FILE_VARIABLE):
        yield InForce("configuration file", os.environ[FILE_VARIABLE], FILE_VARIABLE)
    commands = dict(all_commands(ctx, faults))
    check_sections(settings, commands)
    for name, command in commands.items():
        defaults_of(command, name, settings)
        for key, option in options_of(command, name).items():
            variable = option.envvar if isinstance(option.envvar, str) else variable_of(key)
            if os.environ.get(variable):
                _check_names(ctx, option, _of_variable(ctx, option, variable), variable)
                yield InForce(key, os.environ[variable], variable)
            elif key in settings.values:
                value, file = checked_value(option, settings.values[key]), settings.values[key].file
                _check_names(ctx, option, value, f"{file}: '{key}'")
                yield InForce(key, value, file)
            elif everything:
                default = option.get_default(ctx, call=False)
                known = isinstance(default, str | int | float | list | tuple)
                yield InForce(key, default if known else None, "default")


def _of_variable(ctx: click.Context, option: click.Option, variable: str) -> Any:
    """Return what a variable says, as its option takes it."""
    told = os.environ[variable]
    try:
        return option.type_cast_value(ctx, option.type.split_envvar_value(told) if option.multiple else told)
    except click.BadParameter as error:
        raise UsageError(f"{variable}: {error.message}", "Mend the variable, or unset it.") from error


def _check_names(ctx: click.Context, option: click.Option, value: Any, where: str) -> None:
    """Refuse a name that no plugin offers, of what an option of a name takes that plugins offer."""
    kind = OFFERED.get(option_name(option), "")
    if not kind or isinstance(option.type, click.Choice):
        return
    registry = Registry(manager_of(ctx))
    for name in value if isinstance(value, tuple) else (value,):
        try:
            registry.find(kind, name)
        except UsageError as error:
            raise DataError(f"{where}: {error.message}", error.hint) from error


def all_commands(ctx: click.Context, faults: list[RecfwError] | None = None) -> Iterator[tuple[str, click.Command]]:
    """Yield (name, command) of core's commands and of those that plugins offer; ``faults`` takes what cannot be had."""
    root = ctx.find_root()
    if not isinstance(root.command, Commands):
        return
    for name in root.command.list_commands(root):
        try:
            command = root.command.bare_command(root, name)
        except RecfwError as error:
            if faults is None:
                raise
            faults.append(error)
            continue
        if command is not None:
            yield name, command


def public(value: str) -> str:
    """Return a value without the password of an address."""
    return public_address(value) if is_postgres(value) else value


def _text(value: Any) -> str:
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_text, value))}]"
    return "-" if value is None else str(value).lower() if isinstance(value, bool) else one_line(str(value))
