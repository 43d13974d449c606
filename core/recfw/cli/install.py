"""``recfw plugins search`` and ``recfw plugins install``: known plugins, and the pip command that installs one."""

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeVar

import click
import orjson

from recfw.cli.output import chatter
from recfw.cli.root import manager_of
from recfw.errors import DataError, ExitCode, PluginError, UsageError
from recfw.known import KnownPlugin, suggestion
from recfw.plugins import disabled_by
from recfw.registries import VARIABLE, known_in, named
from recfw.report.words import one_line, printable

F = TypeVar("F", bound=Callable[..., Any])

LAST_LINES = 12
"""How many lines of a failed installation are shown; the cause stands at the end."""


def registry_option(command: F) -> F:
    """Add ``--registry``."""
    return click.option(
        "--registry",
        "registries",
        metavar="FILE",
        multiple=True,
        help=f"A file that lists further plugins (may be repeated). [default: {VARIABLE}]",
    )(command)


@click.command("search")
@click.argument("words", nargs=-1)
@registry_option
@click.option("--json", "as_json", is_flag=True, help="Print a JSON list.")
@click.pass_context
def search(ctx: click.Context, words: tuple[str, ...], registries: tuple[str, ...], *, as_json: bool) -> None:
    """
    Search the known plugins, installed or not, for WORDS (default: all).

    A word may stand in a plugin's name, its summary, or the name or kind of what it provides.

    \b
    Examples:
      recfw plugins search
      recfw plugins search tracks
    """  # noqa: D301 - click reads \b as the character that it stands for
    manager = manager_of(ctx)
    found = {name: plugin for name, plugin in _known(registries).items() if _matches(name, plugin, words)}
    rows = [
        {
            "name": name,
            "state": _state(plugin, installed=name in manager.plugins, disabled=name in manager.disabled),
            "distribution": plugin.distribution,
            "source": plugin.source,
            "core": plugin.core,
            "status": plugin.status,
            "homepage": plugin.homepage,
            "task_sets": plugin.task_sets,
            "summary": one_line(plugin.summary),
            "provides": {kind: list(names) for kind, names in plugin.provides.items()},
        }
        for name, plugin in sorted(found.items())
    ]
    if as_json:
        click.echo(orjson.dumps(rows, option=orjson.OPT_INDENT_2))
        return
    if not rows:
        chatter(f"No known plugin matches {' '.join(map(repr, words))}. `recfw plugins search` lists all.")
    for row in rows:
        click.echo(f"{row['name']:14} {row['state']:13} {row['summary']}")


def _known(registries: tuple[str, ...]) -> Mapping[str, KnownPlugin]:
    """Return recfw's known plugins, and those of further registries."""
    return known_in(named(os.environ, registries))


def _matches(name: str, plugin: KnownPlugin, words: tuple[str, ...]) -> bool:
    offers = [word for kind, names in plugin.provides.items() for word in (kind, *names)]
    text = " ".join((name, plugin.distribution, plugin.summary, *offers)).casefold()
    return all(word.casefold() in text for word in words)


def _state(plugin: KnownPlugin, *, installed: bool, disabled: bool) -> str:
    if installed or disabled:
        return "installed" if installed else "disabled"
    return "planned" if plugin.status == "planned" else "not installed"


@click.command("install")
@click.argument("name")
@registry_option
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--dry-run", is_flag=True, help="Print the command, and stop.")
@click.pass_context
def install(ctx: click.Context, name: str, registries: tuple[str, ...], *, yes: bool, dry_run: bool) -> None:
    """
    Install the known plugin NAME into this Python environment.

    The pip command is printed, and asked for, before it runs. Where it installs from is the plugin's source in
    recfw's list of known plugins, or in the registry that you name; a name is never looked up in a package index.

    \b
    Examples:
      recfw plugins install NAME --dry-run
      recfw plugins install NAME
    """  # noqa: D301 - click reads \b as the character that it stands for
    manager = manager_of(ctx)
    if name in manager.plugins:
        chatter(f"The plugin '{name}' is installed already. Nothing to do.")
        return
    if name in manager.disabled:
        raise PluginError(f"the plugin '{name}' is disabled.", disabled_by([name]))
    command = install_command(find_known(name, _known(registries)), Path.cwd())
    click.echo(shlex.join(command))
    if dry_run:
        return
    if not yes and not sys.stdin.isatty():
        raise UsageError("installing asks first, and there is no terminal to ask on.", "Say --yes.")
    if not yes and not click.confirm("Run this command?"):
        raise UsageError("nothing was installed.")
    _carry_out(command, name)
    click.echo(f"Installed '{name}'. See what it offers with: recfw plugins info {name}")


def find_known(name: str, known: Mapping[str, KnownPlugin]) -> KnownPlugin:
    """
    Return a plugin that can be installed.

    Raises:
        UsageError: None of this name is known.
        PluginError: It is planned, and nothing can be installed yet; or it is made for another recfw.
    """
    if name not in known:
        hint = suggestion(name, known) or "`recfw plugins search` lists the known plugins."
        raise UsageError(f"no known plugin '{name}' (known: {', '.join(known)}).", hint)
    plugin = known[name]
    if plugin.status == "planned":
        raise PluginError(
            f"the plugin '{name}' ({plugin.distribution}) is planned: there is nothing to install yet.",
            "`recfw plugins search` shows which ones exist.",
        )
    _check_core(name, plugin.core)
    return plugin


def _check_core(name: str, wanted: str) -> None:
    """Refuse a plugin that is not made for this recfw."""
    from packaging.specifiers import InvalidSpecifier, SpecifierSet  # noqa: PLC0415 - needed only here

    try:
        fits = SpecifierSet(wanted).contains(version("recfw"), prereleases=True)
    except InvalidSpecifier as error:
        raise DataError(f"registry.yaml: '{name}' has the core range '{wanted}', which is none.") from error
    if not fits:
        message = f"the plugin '{name}' works with recfw {wanted}, and this is {version('recfw')}."
        raise PluginError(message, "Install a recfw of that range first.")


def install_command(plugin: KnownPlugin, here: Path) -> list[str]:
    """
    Return the command that installs a plugin into this Python's environment, as a list that no shell reads.

    Args:
        plugin: What to install; its source was checked when it was read.
        here: Where a checkout of the registry's repository is looked for, if recfw itself does not run from one.

    Raises:
        PluginError: Its source is a folder that is not there, or there is nothing to install with.
    """
    source = _found(plugin.source, here) if plugin.source.startswith(("./", "/")) else plugin.source
    if find_spec("pip") is not None:
        return [sys.executable, "-m", "pip", "install", source]
    if uv := shutil.which("uv"):
        return [uv, "pip", "install", "--python", sys.executable, source]
    message = f"neither pip (in {sys.prefix}) nor uv is there to install with."
    raise PluginError(message, f"Get pip with: {shlex.join([sys.executable, '-m', 'ensurepip'])}")


def _found(source: str, here: Path) -> str:
    """Return the folder that a source names, absolute."""
    roots = [Path("/")] if source.startswith("/") else _checkouts(here)
    for root in roots:
        folder = (root / source).resolve()
        inside = folder.is_relative_to(root.resolve())
        if inside and any((folder / name).is_file() for name in ("pyproject.toml", "setup.cfg", "setup.py")):
            return str(folder)
    if source.startswith("/"):
        raise PluginError(f"the source {source} is no folder with a Python distribution.", "Get it there first.")
    looked = f" (looked in {', '.join(map(str, roots))})" if roots else ""
    raise PluginError(
        f"the source {source} is a folder of recfw's own repository, and is found only in a checkout of it{looked}.",
        "Type the command in a checkout that has it, or give pip that folder yourself.",
    )


def _checkouts(here: Path) -> list[Path]:
    """Return the checkouts of recfw's repository that are at hand: the one that recfw runs from, and the one here."""
    own = Path(__file__).resolve().parents[3]
    return [folder for folder in dict.fromkeys((own, here, *here.parents)) if _is_checkout(folder)]


def _is_checkout(folder: Path) -> bool:
    return (folder / "registry.yaml").is_file() and (folder / "core" / "recfw" / "registry.yaml").is_file()


def _carry_out(command: list[str], name: str) -> None:
    """Run an installation, and see in a fresh process that the plugin is there."""
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)  # noqa: S603 - printed, asked for, its source checked
    except OSError as error:
        raise PluginError(f"{command[0]} cannot be run ({error.strerror}).") from error
    if done.returncode:
        lines = printable((done.stdout + done.stderr).decode(errors="replace")).splitlines()[-LAST_LINES:]
        shown = "".join(f"\n  {line}" for line in lines)
        message = f"nothing was installed, the command ended with status {done.returncode}:{shown}\n"
        raise PluginError(message, "Mend what it says, or run the command yourself.")
    listed = [sys.executable, "-m", "recfw.cli.main", "plugins", "list", "--json"]
    seen = subprocess.run(listed, stdin=subprocess.DEVNULL, capture_output=True, check=False)  # noqa: S603 - our own command
    if seen.returncode != ExitCode.DONE:
        raise PluginError(f"the command was successful, and now: {seen.stderr.decode(errors='replace').strip()}")
    if name not in {plugin["name"] for plugin in orjson.loads(seen.stdout)["plugins"]}:
        raise PluginError(
            f"the command was successful, but no distribution offers a plugin '{name}' now.",
            "Report it to whoever keeps the plugin; `recfw plugins list` shows what is there.",
        )
