"""The table of commands: templates with typed arguments, matched as UnrealCV's dispatcher matches them."""

import math
import re
from collections.abc import Callable

import attrs

from recfw_situated.simulator.world import World

Answer = str | bytes
Handler = Callable[..., Answer]

_TYPES = {"str": r"([^ ]*)", "uint": r"(\d*)", "float": r"([-+]?\d*[.]?\d+)"}
_SLOT = re.compile(r"\[(\w+)\]")


class CommandError(Exception):
    """A command that cannot be carried out; its words follow "error " in the answer."""


@attrs.frozen
class _Entry:
    template: str
    pattern: re.Pattern[str]
    kinds: tuple[str, ...]
    handler: Handler


class Dispatcher:
    """Templates and their handlers, in the order of registration; the first that matches answers."""

    def __init__(self) -> None:
        """Start without commands."""
        self._entries: list[_Entry] = []

    @property
    def templates(self) -> list[str]:
        """Every template."""
        return [entry.template for entry in self._entries]

    def add(self, template: str, handler: Handler) -> None:
        """Let `handler(world, *arguments)` answer a template; [uint] comes as int, [float] as float, [str] as text."""
        pieces = _SLOT.split(template)
        pattern = "".join(_TYPES[piece] if index % 2 else re.escape(piece) for index, piece in enumerate(pieces))
        self._entries.append(_Entry(template, re.compile(pattern), tuple(pieces[1::2]), handler))

    def answer(self, world: World, command: str) -> Answer:
        """Carry out a command; whatever it is, there is exactly one answer."""
        line = command.strip()
        for entry in self._entries:
            match = entry.pattern.fullmatch(line)
            if match is not None:
                try:
                    return entry.handler(world, *map(_value, entry.kinds, match.groups()))
                except CommandError as error:
                    return f"error {error}"
        return f"error No handler found for URI '{line[:200]}'"


def _value(kind: str, text: str) -> int | float | str:
    """An argument's value."""
    if kind == "str":
        return text
    if not text or len(text) > 40:
        raise CommandError("Argument Invalid")
    return int(text) if kind == "uint" else number(text)


def number(text: str) -> float:
    """A finite number in the form that UnrealCV accepts."""
    if re.fullmatch(_TYPES["float"], text) is None:
        raise CommandError("Argument Invalid")
    value = float(text)
    if not math.isfinite(value) or abs(value) > 1e7:
        raise CommandError("Argument Invalid")
    return value


def written(*values: float) -> str:
    """Numbers as answers have them."""
    return " ".join(f"{value:.4f}" for value in values)
