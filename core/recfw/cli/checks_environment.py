"""Checks of the environment: configuration, variables, what may phone home, the terminal."""

import os
import re
import shutil
import sys
from collections.abc import Iterator, Mapping
from difflib import get_close_matches

import click

from recfw.cli.config import all_commands, in_force, public
from recfw.cli.findings import Finding, note, ok, wrong
from recfw.cli.root import settings_in
from recfw.cli.settings import FILE_VARIABLE, SHARED, config_files, current_folder, options_of, variable_of
from recfw.errors import RecfwError
from recfw.plugins import DISABLE_VARIABLE, EXTRA_VARIABLE

SWITCHES = ("DO_NOT_TRACK", "HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE", "HF_DATASETS_OFFLINE", "HF_HUB_DISABLE_TELEMETRY")
"""Variables by which libraries that many plugins use are kept from the network, or from telling on their users."""
PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY")
NARROW = 80
CLOSE = 0.85
"""How alike a variable must be to one that is read to be taken for a slip of the finger."""
_OURS = re.compile(r"RECFW_[A-Z0-9_]+")


def environment(ctx: click.Context) -> Iterator[Finding]:
    """Yield what there is to say about the environment."""
    faults: list[RecfwError] = []
    commands = dict(all_commands(ctx, faults))
    yield from (wrong("command", error.message.rstrip("."), error.hint) for error in faults)
    yield from _settings(ctx)
    yield from _variables(commands)
    on = [name for name in SWITCHES if os.environ.get(name)]
    yield ok("offline", f"switches that are on: {', '.join(on) or 'none'}; core itself needs no network")
    proxies = [name for name in PROXIES if os.environ.get(name) or os.environ.get(name.lower())]
    yield ok("proxies", ", ".join(f"{name}={_proxy(name)}" for name in proxies) or "none")
    yield from _terminal()


def _settings(ctx: click.Context) -> Iterator[Finding]:
    files = config_files(os.environ, current_folder())
    try:
        found = list(in_force(ctx, settings_in(ctx), faults=[]))
    except RecfwError as error:
        yield wrong("config", error.message.rstrip("."), error.hint)
        return
    where = ", ".join(map(str, files)) or "no file"
    hint = "`recfw config show` lists them." if found else ""
    yield (note if hint else ok)("config", f"{where}; {len(found)} defaults are set", *([hint] if hint else []))


def _variables(commands: Mapping[str, click.Command]) -> Iterator[Finding]:
    """Tell the variables of recfw that are set; one that nothing reads is likely misspelt."""
    known = {FILE_VARIABLE, EXTRA_VARIABLE, DISABLE_VARIABLE, *SHARED.values()}
    for command, found in commands.items():
        known |= {str(option.envvar or variable_of(key)) for key, option in options_of(found, command).items()}
    for name in sorted(filter(_OURS.fullmatch, os.environ)):
        if name in known:
            yield ok("variable", f"{name}={public(os.environ[name])}")
        elif close := get_close_matches(name, known, 1, CLOSE):
            yield wrong("variable", f"{name} is set, and nothing reads it", f"Did you mean '{close[0]}'?")
        else:
            yield note("variable", f"{name} is set, and core does not read it")


def _proxy(name: str) -> str:
    value = os.environ.get(name) or os.environ.get(name.lower(), "")
    return re.sub(r"(://[^:/@]*):[^@/]*@", r"\1:***@", value)


def _terminal() -> Iterator[Finding]:
    if sys.stdout is None:  # it was closed
        yield note("terminal", "standard output is closed")
        return
    there = sys.stdout.isatty()
    width = shutil.get_terminal_size().columns
    colour = "never" if os.environ.get("NO_COLOR") else "always" if os.environ.get("FORCE_COLOR") else "on a terminal"
    encoding = sys.stdout.encoding or "unknown"
    words = f"{'a terminal' if there else 'no terminal'}, {width} columns, {encoding}, colours {colour}"
    if there and width < NARROW:
        yield note("terminal", words, f"Tables read best in {NARROW} columns or more.")
    else:
        yield ok("terminal", words)
    try:
        "↳ …█".encode(encoding)
    except (UnicodeEncodeError, LookupError):
        yield wrong("terminal", f"{encoding} cannot show what reports hold", "Set PYTHONIOENCODING=utf-8.")
