"""
A View as a conversation that any provider takes.

The viewing role's own words are the assistant's; ``system`` at the beginning is the system message; everybody else is
the user, with names before the words where several others speak. Some chat templates refuse two messages of one side in
a row, a system message in the middle, a conversation without a user, or one that ends with the assistant; so messages
of one side are joined, later words of ``system`` are told as ``[system] …``, and where nobody else has the last word,
``[system] It is your turn.`` is added. Every call of an assistant message is answered, in order, directly behind it.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from attrs import define, field

from recfw.model.reply import ToolCall
from recfw.model.view import SYSTEM, TOOL, Message, PicturePart, TextPart, View
from recfw.serialize import clean
from recfw_litellm.tools import Names, call_id, call_of

Part = dict[str, Any]
Extras = dict[str, Any]
Key = tuple[str, tuple[tuple[str, str], ...]]
Thoughts = Mapping[Key, Extras]
"""What a provider wants back with a message of its model, by the message's text and calls (:func:`key_of`)."""

YOUR_TURN = "[system] It is your turn."
UNANSWERED = "(no answer)"
EMPTY = "(empty)"


def key_of(text: str, calls: Iterable[ToolCall]) -> Key:
    """Return by what a message of the model is known again in a later View: ids mean nothing."""
    return text.strip(), tuple((call.name, call.arguments) for call in calls)


def handles_of(view: View) -> Iterator[str]:
    """Yield the handles of the pictures that a model is shown, each once, in order."""
    seen = dict.fromkeys(
        part.handle
        for message in view.messages
        if message.speaker != view.role
        for part in message.parts
        if isinstance(part, PicturePart)
    )
    yield from seen


def messages_of(
    view: View, names: Names, pictures: Mapping[str, str], thoughts: Thoughts | None = None, ending: str = ""
) -> tuple[dict[str, Any], ...]:
    """
    Return a View's conversation in the chat-completions shape.

    Args:
        view: What the role sees.
        names: Tool names as they are sent.
        pictures: Handle -> data URL of the pictures to show; the others are told by their ``alt``.
        thoughts: What goes back with the model's own messages of the turn that is under way.
        ending: Words to end the system message with.
    """
    writer = _Writer(view, names, pictures, thoughts or {})
    for position, message in enumerate(view.messages):
        writer.add(message, position)
    return tuple(writer.close(ending))


@define
class _Writer:
    """A conversation being written."""

    view: View
    names: Names
    pictures: Mapping[str, str]
    thoughts: Thoughts
    system: list[str] = field(factory=list)
    said: list[dict[str, Any]] = field(factory=list)
    open: dict[int, str | None] = field(factory=dict)
    later: list[Part] = field(factory=list)
    called: int = 0
    several: bool = field(init=False)
    turn: int = field(init=False)

    def __attrs_post_init__(self) -> None:
        messages, own = self.view.messages, {SYSTEM, TOOL, self.view.role}
        self.several = len({message.speaker for message in messages} - own) > 1
        others = [n for n, message in enumerate(messages) if message.speaker not in {self.view.role, TOOL}]
        self.turn = others[-1] if others else -1

    def add(self, message: Message, position: int) -> None:
        """Write one message of the View."""
        if message.speaker == TOOL and self._answer(message):
            return
        self._settle()
        if message.speaker == SYSTEM and not self.said:
            self._lead(message)
        elif message.speaker == self.view.role:
            self._own(message, position)
        else:
            self._hear(message)

    def close(self, ending: str) -> Iterator[dict[str, Any]]:
        """Yield the whole conversation."""
        self._settle()
        if not self.said or self.said[-1]["role"] == "assistant":
            self._user([_text(YOUR_TURN)])
        told = "\n\n".join(filter(None, (*self.system, ending)))
        if told:
            yield {"role": "system", "content": told}
        for message in self.said:
            parts = message["content"]
            if message["role"] == "user" and all(part["type"] == "text" for part in parts):
                yield {**message, "content": "\n\n".join(part["text"] for part in parts)}
            else:
                yield message

    def _lead(self, message: Message) -> None:
        """Take the words of a beginning's system message; its pictures are shown as the user's, where all take them."""
        shown = self._parts(message)
        self.system += [part["text"] for part in shown if part["type"] == "text"]
        if pictures := [part for part in shown if part["type"] != "text"]:
            self._user(pictures)

    def _own(self, message: Message, position: int) -> None:
        text = clean(self._words(message))
        if not (message.calls and self.view.tools):
            self._assistant("\n".join(filter(None, (text, *map(_told, message.calls)))), {})
            return
        kept = self.thoughts.get(key_of(text, message.calls), {}) if position > self.turn else {}
        calls = []
        for place, call in enumerate(message.calls):
            self.called += 1
            calls.append(call_of(call, self.called, self.names) | dict(kept.get("calls", {}).get(place, {})))
        self.open = dict.fromkeys(range(len(calls)))
        self._assistant(text, {"tool_calls": calls, **kept.get("message", {})})

    def _hear(self, message: Message) -> None:
        parts = self._parts(message)
        parts += [_text(_told(call)) for call in message.calls]
        if not parts:
            return
        labelled = message.speaker in {SYSTEM, TOOL} or self.several
        if labelled and parts[0]["type"] == "text":
            parts[0] = _text(f"[{message.speaker}] {parts[0]['text']}")
        elif labelled:
            parts.insert(0, _text(f"[{message.speaker}]"))
        self._user(parts)

    def _answer(self, message: Message) -> bool:
        """Take a tool's answer to one of the calls that wait for theirs; False where it answers none."""
        waiting = [place for place, answer in self.open.items() if answer is None]
        place = message.call if message.call is not None else next(iter(waiting), None)
        if place not in waiting or place is None:
            return False
        words = clean(self._words(message)) or EMPTY
        self.open[place] = f"Error: {words}" if message.error else words
        shown = [part for part in self._parts(message) if part["type"] != "text"]
        if shown:
            self.later += [_text(f"[tool] Of answer {place + 1}:"), *shown]
        return True

    def _settle(self) -> None:
        """Write the answers of the calls that wait; the pictures among them follow, since answers hold text alone."""
        first = self.called - len(self.open) + 1
        for place, answer in self.open.items():
            content = UNANSWERED if answer is None else answer
            self.said.append({"role": "tool", "tool_call_id": call_id(first + place), "content": content})
        self.open = {}
        if self.later:
            self._user(self.later)
            self.later = []

    def _assistant(self, text: str, more: dict[str, Any]) -> None:
        if not text and not more:
            return
        last = self.said[-1] if self.said else {}
        if last.get("role") == "assistant" and "tool_calls" not in last:
            text = "\n\n".join(filter(None, (self.said.pop()["content"], text)))
        self.said.append({"role": "assistant", "content": text or None, **more})

    def _user(self, parts: list[Part]) -> None:
        if self.said and self.said[-1]["role"] == "user":
            self.said[-1]["content"] += parts
        else:
            self.said.append({"role": "user", "content": list(parts)})

    def _parts(self, message: Message) -> list[Part]:
        """Return a message's parts, words between pictures joined; empty words are none."""
        parts: list[Part] = []
        for part in message.parts:
            if isinstance(part, PicturePart) and part.handle in self.pictures and message.speaker != self.view.role:
                parts.append({"type": "image_url", "image_url": {"url": self.pictures[part.handle]}})
            elif (words := clean(_spoken(part))).strip():
                if parts and parts[-1]["type"] == "text":
                    words = f"{parts.pop()['text']}\n{words}"
                parts.append(_text(words))
        return parts

    def _words(self, message: Message) -> str:
        return "\n".join(part["text"] for part in self._parts(message) if part["type"] == "text")


def _text(words: str) -> Part:
    return {"type": "text", "text": words}


def _spoken(part: TextPart | PicturePart) -> str:
    if isinstance(part, TextPart):
        return part.text
    return f"[picture: {part.alt}]" if part.alt else "[picture]"


def _told(call: ToolCall) -> str:
    """Return a call in words, for those who cannot make it."""
    return clean(f"[calls {call.name} {call.arguments}]")
