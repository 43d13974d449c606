"""What a plugin's commands say of themselves: help texts that fit a terminal, and one for every option."""

from collections.abc import Iterator

import click

from recfw.checking.findings import Notes, listed
from recfw.cli.help import Context, lay_out
from recfw.cli.lazy import below, load
from recfw.errors import RecfwError
from recfw.plugins import Manager
from recfw.protocols import CommandRef

COLUMNS = 80
"""What a terminal has that nobody made wider."""


def look_at_commands(notes: Notes, manager: Manager) -> None:
    """Tell whether each command, and each below it, has a help that fits a terminal and explains its options."""
    count, sound = 0, True
    for _, ref in manager.collect("recfw_register_commands"):
        try:
            if not isinstance(ref, CommandRef):
                continue  # was told of among the names
            command = load(ref)
            lay_out(command)
        except RecfwError as error:
            notes.wrong(f"command '{ref.name}'", error.message.rstrip("."), error.hint)
            sound = False
            continue
        root = Context(click.Group("recfw"), info_name="recfw", terminal_width=COLUMNS, max_content_width=COLUMNS)
        for context in _all(command, ref.name, root):
            count += 1
            sound = _look(notes, context) and sound
    if count and sound:
        notes.ok("commands", f"the helps of {count} explain every option, on lines of at most {COLUMNS} columns")


def _all(command: click.Command, name: str, parent: click.Context) -> Iterator[click.Context]:
    """Yield the contexts in which the helps of a command and of all below it are shown."""
    context = Context(command, info_name=name, parent=parent, terminal_width=COLUMNS, max_content_width=COLUMNS)
    yield context
    if isinstance(command, click.Group):
        for inner, found in below(command).items():
            yield from _all(found, inner, context)


def _look(notes: Notes, context: click.Context) -> bool:
    command, sound = context.command, True
    subject = f"command '{context.command_path.removeprefix('recfw ')}'"
    long = [line for line in command.get_help(context).splitlines() if len(line) > COLUMNS]
    if long:
        words = f"its help has a line of {len(long[0])} columns, more than {COLUMNS}: {long[0].strip()[:60]}…"
        notes.wrong(subject, words, "Break the line, or shorten the name or metavar that makes it so long.")
        sound = False
    if not (command.help or "").strip():
        notes.wrong(subject, "has no help text", "Give its function a docstring.")
        sound = False
    options = [option for option in command.params if isinstance(option, click.Option) and not option.hidden]
    silent = [max(option.opts, key=len) for option in options if not (option.help or "").strip()]
    if silent:
        notes.wrong(subject, f"options without a help text: {listed(silent)}", "Say in help= what each is for.")
        sound = False
    return sound
