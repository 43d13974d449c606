"""The trace of an episode: tagged events, in order, holding all that rescoring and replay need."""

from typing import Any, ClassVar

from attrs import Factory, frozen

from recfw.model.reply import Reply


@frozen
class ReplyEvent:
    """A role replied: ``turn`` counts that role's turns from 1, ``seconds`` is wall-clock time."""

    kind: ClassVar[str] = "reply"
    role: str
    turn: int
    reply: Reply
    seconds: float = 0.0


@frozen
class ToolEvent:
    """
    A tool call was answered.

    Args:
        role: Who called.
        turn: In which of its turns.
        position: Which call of the reply this answers, from 0.
        tool: The name that was called.
        arguments: The arguments as they were executed; None where they were refused (the raw text is in the reply).
        content: The answer, as the role sees it.
        error: Whether the call failed by the caller's fault.
        notes: Facts that no role sees; ``coerced`` lists the places of the arguments that were read leniently.
        seconds: Wall-clock time.
    """

    kind: ClassVar[str] = "tool"
    role: str
    turn: int
    position: int
    tool: str
    arguments: dict[str, Any] | None
    content: Any
    error: bool = False
    notes: dict[str, Any] = Factory(dict)
    seconds: float = 0.0


@frozen
class WorldEvent:
    """Something happened in the environment: a verdict, a disclosure, a physical action's effect."""

    kind: ClassVar[str] = "world"
    name: str
    data: dict[str, Any] = Factory(dict)


@frozen
class RefusalEvent:
    """The environment refused a reply, with words that it shows the role before that tries again."""

    kind: ClassVar[str] = "refusal"
    role: str
    turn: int
    words: str


@frozen
class PictureEvent:
    """A component looked at a picture; its bytes are the attachment ``sha256``."""

    kind: ClassVar[str] = "picture"
    role: str
    handle: str
    sha256: str
    media_type: str


@frozen
class EndEvent:
    """The episode ended for a named reason; ``summary`` holds the environment's closing facts."""

    kind: ClassVar[str] = "end"
    stop: str
    summary: dict[str, Any] = Factory(dict)
    error: str = ""


Event = ReplyEvent | ToolEvent | WorldEvent | RefusalEvent | PictureEvent | EndEvent
EVENTS: dict[str, type[Event]] = {
    cls.kind: cls for cls in (ReplyEvent, ToolEvent, WorldEvent, RefusalEvent, PictureEvent, EndEvent)
}


@frozen
class Trace:
    """The events of one episode, oldest first; whole when the last one is an EndEvent."""

    events: tuple[Event, ...] = ()

    @property
    def end(self) -> EndEvent | None:
        """The closing event, or None where the episode was cut off."""
        last = self.events[-1] if self.events else None
        return last if isinstance(last, EndEvent) else None

    @property
    def stop(self) -> str:
        """The stop reason; empty where the episode was cut off."""
        return self.end.stop if self.end else ""

    def replies(self, role: str) -> tuple[ReplyEvent, ...]:
        """Return one role's replies."""
        return tuple(e for e in self.events if isinstance(e, ReplyEvent) and e.role == role)

    def tools(self, role: str | None = None) -> tuple[ToolEvent, ...]:
        """Return the tool answers, of one role or of all."""
        return tuple(e for e in self.events if isinstance(e, ToolEvent) and (role is None or e.role == role))

    def world(self, name: str) -> tuple[WorldEvent, ...]:
        """Return the environment's events of one name."""
        return tuple(e for e in self.events if isinstance(e, WorldEvent) and e.name == name)
