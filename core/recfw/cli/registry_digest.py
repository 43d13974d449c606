"""``recfw registry digest``: the digests of installed tracks' default tasks, printed, or put into a registry."""

from collections.abc import Mapping
from pathlib import Path

import click
import orjson

from recfw.cli.common import registry_of
from recfw.cli.root import manager_of
from recfw.engine.request import RunRequest, build_spec
from recfw.engine.stage import settings_of
from recfw.errors import DataError, PluginError, UsageError
from recfw.executors.conductor import content_digest
from recfw.known import known_plugins, read_registry, suggestion
from recfw.registries import faults_of, read_text, with_task_sets
from recfw.registry import Registry


@click.command("digest")
@click.argument("names", metavar="[NAME]...", nargs=-1)
@click.option("--write", "file", metavar="FILE", help="Put them into the entries of this registry.")
@click.option("--json", "as_json", is_flag=True, help="Print plugin -> track -> digest as JSON.")
@click.pass_context
def digest_command(ctx: click.Context, names: tuple[str, ...], file: str | None, *, as_json: bool) -> None:
    """
    Print the content digests of the default tasks of installed plugins' tracks, as an entry's task_sets.

    With --write they are put into the entries that the file has of these plugins, and every other line stays as it is.

    \b
    Examples:
      recfw registry digest NAME
      recfw registry digest --write registry.yaml
    """  # noqa: D301 - click reads \b as the character that it stands for
    offers = registry_of(ctx)
    loaded = manager_of(ctx).plugins
    for name in names:
        if name not in loaded:
            known = known_plugins().get(name)
            hint = known.how_to_install("It") if known else suggestion(name, loaded)
            raise PluginError(f"no plugin '{name}' is loaded (there are: {', '.join(loaded)}).", hint)
    found = {name: digests for name in names or loaded if (digests := digests_of(offers, name))}
    for name in names:
        if name not in found:
            raise UsageError(f"the plugin '{name}' offers no track, so it has no tasks.")
    if file is not None:
        _write(file, found, named=bool(names))
    elif as_json:
        click.echo(orjson.dumps(found, option=orjson.OPT_INDENT_2))
    else:
        for name, digests in found.items():
            lines = "".join(f'\n    {track}: "{sha}"' for track, sha in digests.items())
            click.echo(f"{name}:\n  task_sets:{lines}")


def digests_of(offers: Registry, plugin: str) -> dict[str, str]:
    """Return track -> content digest of its default tasks, as a run of them stores it, of one plugin's tracks."""
    tracks = [name for name in offers.names("tracks") if offers.provider("tracks", name).name == plugin]
    specs = {name: build_spec(offers, RunRequest(plugin=plugin, track=name)) for name in tracks}
    return {name: content_digest(settings_of(offers, spec)) for name, spec in specs.items()}


def _write(file: str, found: Mapping[str, Mapping[str, str]], *, named: bool) -> None:
    if not file:
        raise UsageError("--write is empty.", "Name a registry.")
    before = text = read_text(Path(file))
    if faults_of(text):
        raise DataError(f"{file}: has faults.", f"See them with: recfw registry check {file}")
    entries = read_registry(text, file)
    for name, digests in found.items():
        if name not in entries and not named:
            continue
        held = entries[name].task_sets if name in entries else {}
        text = with_task_sets(text, name, digests, file)
        for track, sha in digests.items():
            if held.get(track) != sha:
                click.echo(f"{file}: {name}: {track}: {held.get(track, 'none')} -> {sha}")
    if text == before:
        click.echo(f"{file}: every digest is that of what is installed.")
        return
    try:
        Path(file).write_text(text, encoding="utf-8")
    except OSError as error:
        raise DataError(f"{file}: cannot be written ({error.strerror}).") from error
