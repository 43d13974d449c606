"""``recfw plugins check``: look at plugins from all sides, each in a process of its own."""

import os
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click
import orjson

from recfw.cli.findings import Finding, State, lines
from recfw.cli.objects import print_json
from recfw.cli.output import chatter, is_quiet
from recfw.errors import ExitCode, PluginError
from recfw.known import known_plugins, suggestion
from recfw.plugins import CORE, GROUP
from recfw.report.words import counted, one_line

LAST_LINES = 3
"""How many lines that a process wrote before it died are shown."""


@click.command("check")
@click.argument("names", metavar="[NAME]...", nargs=-1)
@click.option(
    "--format",
    "form",
    metavar="FORM",
    type=click.Choice(["table", "json"]),
    default="table",
    help="table or json. [default: table]",
)
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object, as --format json does.")
@click.option(
    "--budget",
    metavar="MS",
    type=click.FloatRange(min=0, min_open=True),
    default=50.0,
    help="CPU time that importing the plugin may take, in milliseconds. [default: 50]",
)
@click.option(
    "--tasks",
    metavar="N",
    type=click.IntRange(1),
    default=3,
    help="Play N tasks of each track, in each of its default cells. [default: 3]",
)
@click.option(
    "--timeout", metavar="S", type=click.IntRange(1), default=900, help="Seconds for each plugin. [default: 900]"
)
def check(names: tuple[str, ...], form: str, *, as_json: bool, budget: float, tasks: int, timeout: int) -> int:
    """
    Look at plugins from all sides (default: each that is installed).

    Each is loaded in a process of its own, which reports whether it fits the hooks, what its import costs, what its
    distribution declares, its components' names, options and docstrings, whether its tasks break none of their rules
    and its reference agents replay without a difference, and the contract suite of each component. What could not be
    tried is named. Nothing is stored, and nothing is sent anywhere. Exit status 1 when something is wrong.

    \b
    Examples:
      recfw plugins check NAME
      recfw plugins check --format json > findings.json
    """  # noqa: D301 - click reads \b as the character that it stands for
    as_json = as_json or form == "json"
    chosen = list(dict.fromkeys(names)) or _installed()
    for name in names:
        _check_known(name)
    told: list[dict[str, Any]] = []
    for name in chosen:
        chatter(f"Checking {name} …")
        found = look(name, budget, tasks, timeout)
        told.append({"name": name, **_distribution(name), "ok": not _wrong(found), "findings": found})
        if not as_json:
            _show(told[-1])
    if as_json:
        print_json({"ok": all(p["ok"] for p in told), "plugins": told})
    return ExitCode.DONE if all(plugin["ok"] for plugin in told) else ExitCode.FOUND


def _installed() -> list[str]:
    return sorted({entry.name for entry in entry_points(group=GROUP)} - {CORE})


def _check_known(name: str) -> None:
    """Refuse a name that is neither an installed plugin nor a module."""
    installed = {entry.name for entry in entry_points(group=GROUP)}
    if name in installed or _is_module(name):
        return
    if name in known_plugins():
        raise PluginError(f"the plugin '{name}' is not installed.", known_plugins()[name].how_to_install("It"))
    known = ", ".join(sorted(installed))
    raise PluginError(f"no plugin or module '{name}' is installed (known: {known}).", suggestion(name, installed))


def _is_module(name: str) -> bool:
    """Tell whether a module of this name can be found; its package is imported in a process of its own."""
    if not all(part.isidentifier() for part in name.split(".")):
        return False
    if "." not in name:
        return find_spec(name) is not None
    code = "import importlib.util, sys; sys.exit(importlib.util.find_spec(sys.argv[1]) is None)"
    done = subprocess.run([sys.executable, "-c", code, name], capture_output=True, check=False)  # noqa: S603 - this Python
    return done.returncode == 0


def _distribution(name: str) -> dict[str, str]:
    found = next((entry.dist for entry in entry_points(group=GROUP) if entry.name == name and entry.dist), None)
    return {"distribution": found.name if found else "", "version": found.version if found else ""}


def look(name: str, budget: float, tasks: int, timeout: int) -> list[dict[str, Any]]:
    """Return what a process of its own finds out about a plugin; that it dies or hangs is a finding, too."""
    with tempfile.TemporaryDirectory(prefix="recfw-check-") as folder:
        file = Path(folder) / "findings"
        words, status = _run(name, file, {"budget": budget, "tasks": tasks}, timeout)
        told = list(_lines(file))
    found = [line for line in told if "state" in line]
    if any(line.get("done") for line in told) and status == 0:
        return found
    section = next((line["begin"] for line in reversed(told) if "begin" in line), "load")
    died = f"nothing more was heard after {timeout} s" if status is None else f"the process ended with status {status}"
    hint = "Raise --timeout, or see what hangs." if status is None else words
    return [*found, {"section": section, "state": "wrong", "subject": name, "words": died, "hint": hint, "figures": {}}]


def _run(name: str, file: Path, settings: Mapping[str, float], timeout: int) -> tuple[str, int | None]:
    """Look at a plugin; return the last words of the process, and its status (None where it ran out of time)."""
    with file.open("wb") as sink, (file.parent / "errors").open("w+b") as errors, _lifeline() as alive:
        asked = orjson.dumps({"name": name, "file": sink.fileno(), "alive": alive, **settings}).decode()
        environ = {key: value for key, value in os.environ.items() if key != "RECFW_STORE"}
        process = subprocess.Popen(  # noqa: S603 - this Python and our own module
            [sys.executable, "-m", "recfw.checking", asked],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=errors,
            pass_fds=[sink.fileno(), alive],
            env=environ,
            process_group=0,
        )
        try:
            status: int | None = process.wait(timeout)
        except subprocess.TimeoutExpired:
            status = None
        finally:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)  # and whatever the plugin started and did not stop
            process.wait()
        errors.seek(0)
        last = errors.read().decode(errors="replace").strip().splitlines()[-LAST_LINES:]
    return one_line(" / ".join(last)), status


@contextmanager
def _lifeline() -> Iterator[int]:
    """Give the end of a pipe that can be read when this process is gone, however it ended."""
    alive, ours = os.pipe()
    try:
        yield alive
    finally:
        os.close(alive)
        os.close(ours)


def _lines(file: Path) -> Iterator[dict[str, Any]]:
    """Yield the lines of a file of findings; the last may be cut off where the process died."""
    for line in file.read_bytes().splitlines():
        try:
            yield orjson.loads(line)
        except orjson.JSONDecodeError:
            return


def _wrong(found: Iterable[Mapping[str, Any]]) -> int:
    return sum(finding["state"] == "wrong" for finding in found)


def _show(plugin: Mapping[str, Any]) -> None:
    """Print one plugin's findings, only what is wrong where only results are wanted."""
    found = plugin["findings"]
    where = f"{plugin['distribution']} {plugin['version']}" if plugin["distribution"] else "a module, no distribution"
    click.echo(f"{plugin['name']} ({where})")
    for each in found:
        if each["state"] == "wrong" or not is_quiet():
            words = f"{each['subject']}: {each['words']}"
            click.echo("\n".join(lines(Finding(each["section"], State(each["state"]), words, each["hint"]))))
    counts = Counter(each["state"] for each in found)
    untried = f", {counts['untried']} not tried" if counts["untried"] else ""
    words = f"{counts['wrong'] or 'nothing'} wrong, {counts['note']} worth knowing{untried}"
    click.echo(f"{counted(len(found), 'finding')}, {words}.")
