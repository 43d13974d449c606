"""What a role sees when it holds the floor."""

from typing import Any

from attrs import Factory, frozen

from recfw.model.reply import ToolCall


@frozen
class TextPart:
    """Words within a message."""

    text: str


@frozen
class PicturePart:
    """
    A picture within a message, as a handle.

    It is rendered, encoded and stored only when a component asks its context for it.

    Args:
        handle: The environment's own name of the picture, valid within the episode.
        alt: What the picture shows, in words, for components that do not look.
    """

    handle: str
    alt: str = ""


Part = TextPart | PicturePart


@frozen
class Picture:
    """An encoded picture: its bytes and media type (``image/png`` …)."""

    data: bytes
    media_type: str


SYSTEM, TOOL = "system", "tool"


@frozen
class Message:
    """
    One message of a conversation.

    Args:
        speaker: ``system``, ``tool``, or the role that said it (the viewing role's own words included).
        parts: Text and pictures, in order.
        calls: Tool calls that came with the words.
        call: For ``tool``: the position of the call that this answers, among the calls of the message before.
        error: For ``tool``: whether the call failed.
    """

    speaker: str
    parts: tuple[Part, ...] = ()
    calls: tuple[ToolCall, ...] = ()
    call: int | None = None
    error: bool = False

    @classmethod
    def say(cls, speaker: str, text: str) -> "Message":
        """Return a message of text alone."""
        return cls(speaker, (TextPart(text),))

    @property
    def text(self) -> str:
        """The message's words, pictures left out."""
        return "\n".join(part.text for part in self.parts if isinstance(part, TextPart))


@frozen
class ToolSpec:
    """
    A tool that a role may call.

    Args:
        name: Letters, digits, ``_`` and ``-`` only: some providers refuse others.
        description: What it does and answers, for the caller.
        parameters: JSON Schema (2020-12) of the arguments, an object schema.
    """

    name: str
    description: str
    parameters: dict[str, Any]


@frozen
class View:
    """
    Everything that a role sees: pure data, built by the track from the trace and the environment.

    Args:
        role: Who is looking.
        messages: The conversation as this role sees it, oldest first.
        tools: The tools that it may call now.
        output_schema: JSON Schema of ``Reply.data``, where the track wants structured output.
        facts: Structured facts for components written in code (a user's private goal, what was asked …).
    """

    role: str
    messages: tuple[Message, ...] = ()
    tools: tuple[ToolSpec, ...] = ()
    output_schema: dict[str, Any] | None = None
    facts: dict[str, Any] = Factory(dict)
