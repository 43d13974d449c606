"""One connected build: commands with the build's own names, answers as values, errors as infrastructure failures."""

import math
import re
from collections.abc import Mapping, Sequence

import orjson

from recfw.errors import InfrastructureError
from recfw_situated.driver.link import Answer, Link
from recfw_situated.driver.mapping import BuildMap
from recfw_situated.scenes.records import Color, Pose

CHUNK = 250
"""Commands in one batch: enough to hide the round trip, few enough for one deadline."""

_COLOR = re.compile(r"\(R=(\d+),G=(\d+),B=(\d+)")


def number(value: float) -> str:
    """Return a number as UnrealCV's dispatcher takes it: it knows no exponent and no lone point."""
    text = f"{value:.4f}"
    return "0.0000" if text == "-0.0000" else text


def refused(answer: Answer) -> bool:
    """Tell whether an answer is an error message."""
    return isinstance(answer, str) and answer.lstrip().lower().startswith("error")


class Build:
    """
    Speaks to one build through its mapping.

    Args:
        link: The connection.
        mapping: What the build calls things.
    """

    def __init__(self, link: Link, mapping: BuildMap) -> None:
        self.link, self.mapping = link, mapping

    async def ask(self, commands: Sequence[str]) -> list[Answer]:
        """Send commands, in batches that each have a deadline."""
        answers: list[Answer] = []
        for start in range(0, len(commands), CHUNK):
            answers += await self.link.ask(commands[start : start + CHUNK])
        return answers

    async def tell(self, *commands: str) -> list[str]:
        """Send commands that must succeed, and return their answers as text."""
        answers = await self.link.ask(commands)
        for command, answer in zip(commands, answers, strict=True):
            if refused(answer) or not isinstance(answer, str):
                raise self.fault(command, answer)
        return [str(answer) for answer in answers]

    def fault(self, command: str, answer: Answer) -> InfrastructureError:
        """Return the error for an answer that cannot be used."""
        said = f"{len(answer)} bytes" if isinstance(answer, bytes) else f"'{' '.join(answer.split())[:120]}'"
        words = f"The store at {self.link.where} answered {said} to '{command[:80]}'."
        return InfrastructureError(words, "See what it offers with: recfw situated check", kind="protocol")

    async def call(self, name: str, **arguments: str) -> Mapping[str, str]:
        """Make a call on the player and return its out-parameters, under the build's names."""
        command = self.mapping.call(name, **arguments)
        assert command is not None, name
        (answer,) = await self.tell(command)
        return self.parameters(command, answer)

    def parameters(self, command: str, answer: Answer) -> Mapping[str, str]:
        """Return the out-parameters in an answer to a blueprint call."""
        try:
            values = orjson.loads(answer)
        except orjson.JSONDecodeError as error:
            raise self.fault(command, answer) from error
        if not isinstance(values, dict):
            raise self.fault(command, answer)
        return {str(key): str(value) for key, value in values.items()}

    def read_pose(self, command: str, values: Mapping[str, str]) -> Pose:
        """Return the pose among the out-parameters of a call."""
        try:
            x, y, yaw, pitch = (_finite(values[self.mapping.answer(key)]) for key in ("x", "y", "yaw", "pitch"))
        except (KeyError, ValueError) as error:
            raise self.fault(command, str(dict(values))) from error
        return self.pose_of((x, y), (pitch, yaw))

    def pose_of(self, place: Sequence[float], rotation: Sequence[float]) -> Pose:
        """Return a pose in the records' frame from a place and (pitch, yaw) in the level's."""
        x, y = self.mapping.from_level(place[0], place[1])
        return Pose(x, y, wrapped(rotation[1] - self.mapping.origin[3]), rotation[0])

    def numbers(self, command: str, answer: Answer, count: int) -> list[float]:
        """Return the numbers of an answer such as a location."""
        try:
            values = [_finite(word) for word in str(answer).split()]
        except ValueError as error:
            raise self.fault(command, answer) from error
        if len(values) != count:
            raise self.fault(command, answer)
        return values

    def color_of(self, command: str, answer: Answer) -> Color:
        """Return the colour in an answer such as ``(R=127,G=63,B=0,A=255)``."""
        match = _COLOR.match(answer.strip()) if isinstance(answer, str) else None
        if match is None:
            raise self.fault(command, answer)
        red, green, blue = map(int, match.groups())
        return red, green, blue


def _finite(word: str) -> float:
    """Return the number that a word is; ValueError also of NaN and infinities, which are no place in a store."""
    value = float(word)
    if not math.isfinite(value):
        raise ValueError(word)
    return value


def wrapped(yaw: float) -> float:
    """Return an angle within [-180, 180)."""
    return (yaw + 180.0) % 360.0 - 180.0
