"""Scripted components: an agent and a user that say what a file says, for tests, demonstrations and traces by hand."""

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from attrs import field, frozen

from recfw.errors import DataError, UsageError, reading_fault
from recfw.model.reply import Reply
from recfw.model.view import View
from recfw.protocols import PATH, Agent, Context, Player, UserSimulator
from recfw.serialize import from_data, parse

ANY_TASK = "*"


@frozen
class ScriptOptions:
    """
    Options of a scripted component.

    Args:
        script: A JSON file: task id (or ``*``) -> list of replies, each an object with any of ``text``, ``calls``
            (``name``, ``arguments`` as JSON text) and ``data``.
    """

    script: str = field(default="", metadata=PATH)


class _Scripted:
    summary: ClassVar[str] = "says what a JSON file says"
    Options: ClassVar[type] = ScriptOptions
    deterministic: ClassVar[bool] = True

    def __init__(self, options: ScriptOptions) -> None:
        self._script = read_script(options.script)

    def episode(self, context: Context) -> Player:
        """Return a player that says this task's lines."""
        lines = self._script.get(context.task, self._script.get(ANY_TASK))
        if lines is None:
            raise DataError(f"the script has no lines for the task '{context.task}', and none for '{ANY_TASK}'.")
        return _Lines(lines)


class ScriptedAgent(_Scripted, Agent):
    """An agent that says what a file says."""

    name: ClassVar[str] = "scripted"


class ScriptedUser(_Scripted, UserSimulator):
    """A user that says what a file says."""

    name: ClassVar[str] = "scripted"


class _Lines:
    def __init__(self, lines: Sequence[Reply]) -> None:
        self._lines, self._next = lines, 0

    async def reply(self, view: View) -> Reply:  # noqa: ARG002 - a script hears nothing
        """Return the next line, and the last one again when the script is over."""
        line = self._lines[min(self._next, len(self._lines) - 1)]
        self._next += 1
        return line


def read_script(path: str) -> dict[str, tuple[Reply, ...]]:
    """
    Return the replies of a script file, by task id.

    Raises:
        UsageError: No file is named.
        DataError: The file cannot be read, or a line of it is no reply.
    """
    if not path:
        raise UsageError("a scripted component needs a script.", "Name one: --set agent.script=FILE.json")
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"{path}: the script cannot be read: {reading_fault(error)}.") from error
    script = from_data(parse(text, path), dict[str, tuple[Reply, ...]], path)
    for task, lines in script.items():
        if not lines:
            raise DataError(f"{path}: the script has no lines for '{task}'.")
    return script
