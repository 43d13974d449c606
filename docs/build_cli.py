"""Writes docs/reference/cli.md from the commands themselves: python docs/build_cli.py [--check]."""

import inspect
import re
import sys
from collections.abc import Iterable, Iterator

import click
from generated import DOCS, keep, table

from recfw.cli.root import cli
from recfw.errors import ExitCode

TARGET = DOCS / "reference" / "cli.md"

HEAD = """\
# Command line

<!-- Written by docs/build_cli.py from the commands themselves; edit their help texts instead. -->

Every command answers `--help`. Commands that plugins add stand below those of core; `recfw plugins list` says who
offers what. RUN is a run's id, the beginning of one, or `latest` (short `@`). TRIAL is `cell/task/number`, such as
`eliminating/b001-hidden/0`; cell and number may be left out where that is clear.
"""

EXITS = {
    ExitCode.DONE: "Done.",
    ExitCode.FOUND: "A check found something: `recfw replay` a difference, a validation a broken rule, `recfw doctor` "
    "a fault, `recfw runs watch` a run that no process carries.",
    ExitCode.USAGE: "The words of the command or an option's value are off.",
    ExitCode.PLUGIN: "A plugin cannot be loaded, is not installed, or clashes with another.",
    ExitCode.DATA: "A task file, catalog, run file, registry or trace does not hold what it must.",
    ExitCode.STORE: "The result store cannot be read or written.",
    ExitCode.INFRASTRUCTURE: "Something outside the agent failed; after a run, some trials did.",
    ExitCode.INTERRUPTED: "Interrupted by Ctrl-C.",
    ExitCode.TERMINATED: "Ended by SIGTERM.",
}

VARIABLES = {
    "RECFW_STORE": "The result store, where `--store` names none: a path or `postgresql://…`.",
    "RECFW_DISABLE_PLUGINS": "Names of plugins to go on without, with commas between.",
    "RECFW_REGISTRY": "[Files that list plugins](registry.md), with commas between, where `--registry` names none.",
    "RECFW_PLUGINS": "Modules that are loaded as plugins although no distribution installs them, with commas between.",
    "RECFW_CONFIG_FILE": "The only [configuration file](../how-to/configure.md) to read; `/dev/null` for none.",
    "RECFW_LOG_LEVEL": "What `--log-level` says, for worker processes too.",
    "RECFW_COLOR": "What `--color` says.",
    "RECFW_QUIET": "What `--quiet` says: `1` or `0`.",
    "RECFW_COMMAND_OPTION": "The default of any option: `RECFW_RUN_CONCURRENCY=16`, `RECFW_RUNS_WATCH_INTERVAL=5`.",
    "NO_COLOR": "No colours, if it is not empty; wins over `FORCE_COLOR`.",
    "FORCE_COLOR": "Colours also where the output is no terminal, if it is not empty.",
}


def page() -> str:
    """Return the whole page."""
    parts = [HEAD, _summary(), *_sections(), _table("Exit status", "status", _exits()), _variables()]
    return "\n".join(parts)


def commands(command: click.Command, name: str) -> Iterator[tuple[click.Command, click.Context]]:
    """Yield a command and all below it, each with its context."""
    context = click.Context(command, info_name=name, **command.context_settings)
    yield from _walk(command, context)


def _walk(command: click.Command, context: click.Context) -> Iterator[tuple[click.Command, click.Context]]:
    yield command, context
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            found = command.get_command(context, name)
            if found is not None:
                yield from _walk(found, click.Context(found, info_name=name, parent=context))


def _summary() -> str:
    rows = []
    for command, context in commands(cli, "recfw"):
        path = context.command_path
        if command is not cli:
            anchor = path.replace(" ", "-")
            rows.append((f"[`{path}`](#{anchor})", command.get_short_help_str(200)))
    return _rows("command", rows)


def _sections() -> Iterator[str]:
    for command, context in commands(cli, "recfw"):
        path = context.command_path
        usage = " ".join([path, *command.collect_usage_pieces(context)])
        text = f"## {path}\n\n```text\n{usage}\n```\n"
        if command.help:
            text += f"\n{_prose(command.help)}\n"
        options = [_option(p, context) for p in command.get_params(context) if isinstance(p, click.Option)]
        yield text + ("\n" + _rows("option", options) if options else "")


def _prose(text: str) -> str:
    """Return a help text as Markdown: paragraphs that ask click to keep their lines become code blocks."""
    blocks = []
    for block in re.split(r"\n\s*\n", inspect.cleandoc(text)):
        if block.startswith("\b"):
            title, *lines = block.removeprefix("\b").strip("\n").split("\n")
            indent = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
            body = "\n".join(line[indent:] for line in lines)
            blocks.append(f"{title}\n\n```text\n{body}\n```" if lines else title)
        else:
            blocks.append(" ".join(block.split()))
    return "\n\n".join(blocks)


def _option(option: click.Option, context: click.Context) -> tuple[str, str]:
    record = option.get_help_record(context)
    words = re.sub(r"\s+", " ", record[1]) if record else ""
    names = ", ".join(f"`{name}`" for name in (*option.opts, *option.secondary_opts))
    metavar = "" if option.is_flag or option.count else f" {option.make_metavar(context)}"
    return f"{names}{metavar}", words


def _exits() -> list[tuple[str, str]]:
    return [(str(int(code)), EXITS[code]) for code in ExitCode]


def _variables() -> str:
    return _table("Environment variables", "variable", [(f"`{name}`", words) for name, words in VARIABLES.items()])


def _table(title: str, first: str, rows: Iterable[tuple[str, str]]) -> str:
    return f"## {title}\n\n{_rows(first, rows)}"


def _rows(first: str, rows: Iterable[tuple[str, str]]) -> str:
    return table((first, "what it does" if first == "command" else "meaning"), rows)


if __name__ == "__main__":
    sys.exit(keep(TARGET, page(), __file__))
