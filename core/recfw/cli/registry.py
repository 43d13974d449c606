"""``recfw registry``: files that list plugins."""

from importlib.resources import files
from pathlib import Path

import click
import orjson

from recfw.cli.common import registry_of
from recfw.cli.registry_digest import digest_command, digests_of
from recfw.cli.root import manager_of
from recfw.errors import ExitCode, UsageError
from recfw.known import KnownPlugin, read_registry
from recfw.plugins import Manager
from recfw.registries import Fault, faults_of, read_text
from recfw.registry import KINDS, Registry
from recfw.report.words import counted, one_line


@click.group()
def registry() -> None:
    """Check and refresh files that list plugins (docs/reference/registry.md)."""


registry.add_command(digest_command)


@registry.command("check")
@click.argument("file", metavar="[FILE]", required=False)
@click.option("--installed", is_flag=True, help="Also hold entries against the plugins that are installed here.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON list.")
@click.pass_context
def check(ctx: click.Context, file: str | None, *, installed: bool, as_json: bool) -> int:
    """
    Check a registry: every fault with its line (default: the one within recfw). Exit status 1 when there is one.

    With --installed, what an entry says that its plugin provides, and the digests of its tracks' default tasks, are
    held against what is there; entries of plugins that are not installed are not.

    \b
    Examples:
      recfw registry check
      recfw registry check registry.yaml --installed
    """  # noqa: D301 - click reads \b as the character that it stands for
    if file == "":
        raise UsageError("FILE is empty.", "Name a file, or leave it out.")
    name = file or "registry.yaml"
    text = read_text(Path(file)) if file else files("recfw").joinpath("registry.yaml").read_text(encoding="utf-8")
    faults = faults_of(text)
    known = {} if faults else read_registry(text, name)
    lines = {line.strip().removesuffix(":"): n for n, line in reversed(list(enumerate(text.splitlines(), 1)))}
    if installed:
        manager, offers = manager_of(ctx), registry_of(ctx)
        for entry, plugin in known.items():
            faults += [Fault(lines.get(entry, 1), words) for words in _apart(entry, plugin, manager, offers)]
    if as_json:
        found = [{"file": name, "line": fault.line, "fault": fault.words} for fault in faults]
        click.echo(orjson.dumps(found, option=orjson.OPT_INDENT_2))
    else:
        for fault in faults:
            click.echo(f"{name}:{fault.line}: {one_line(fault.words)}")
        number, noun = (len(faults), "fault") if faults else (len(known), "plugin")
        told = f"{counted(number, noun)}{'' if faults else ', no fault'}"
        click.echo(f"{name}: {told}.")
    return ExitCode.FOUND if faults else ExitCode.DONE


def _apart(name: str, plugin: KnownPlugin, manager: Manager, offers: Registry) -> list[str]:
    """Return in what an entry differs from the plugin that is installed; nothing where it is not."""
    if name not in manager.plugins:
        return []
    found = []
    here = {kind: [n for n in offers.names(kind) if offers.provider(kind, n).name == name] for kind in KINDS}
    for kind in KINDS:
        told, there = sorted(plugin.provides.get(kind, ())), sorted(here[kind])
        if told != there:
            words = (
                f"provides {', '.join(told) or 'none'} as {kind}, and the installed one {', '.join(there) or 'none'}"
            )
            found.append(f"plugin '{name}': {words}")
    distribution = manager.plugins[name].distribution
    if distribution and distribution != plugin.distribution:
        found.append(f"plugin '{name}': is installed by the distribution {distribution}, not {plugin.distribution}")
    there_now = digests_of(offers, name)
    for track in dict.fromkeys((*plugin.task_sets, *there_now)):
        sha, now = plugin.task_sets.get(track, "none"), there_now.get(track, "absent")
        if now != sha:
            words = f"the tasks of '{track}' have the digest {now}, not {sha}"
            found.append(f"plugin '{name}': {words} (`recfw registry digest {name} --write FILE` puts it in)")
    return found
