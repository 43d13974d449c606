"""
The planning state: what the planner sees of its rounds, compressed from the oldest on when it grows too long.

Compression loses no round: each keeps its place, its tools' names, their key arguments and what was found
(:mod:`recfw_orchestration.rollout.telling`). The trace, which holds every reply and every result whole, is never
compressed.
"""

from collections.abc import Collection, Sequence

from attrs import define, field, frozen

from recfw.model.reply import Reply, ToolCall, ToolResult
from recfw.model.view import SYSTEM, TOOL, Message, TextPart
from recfw_orchestration.rollout.telling import KEPT_NOTE, call_words, finding_words, shortened, shown, tokens_of


@frozen
class Round:
    """One round: the planner's words, its calls, and their results by position."""

    text: str
    calls: tuple[ToolCall, ...]
    results: tuple[ToolResult, ...]

    def messages(self, candidates: Collection[str]) -> list[Message]:
        """Return the round as a planner sees a recent one."""
        parts = (TextPart(self.text),) if self.text else ()
        answers = [
            Message(TOOL, (TextPart(shown(result.content, candidates)),), call=position, error=result.error)
            for position, result in enumerate(self.results)
        ]
        return [Message("agent", parts, calls=self.calls), *answers]

    def words(self, number: int, candidates: Collection[str], *, tight: bool) -> str:
        """Return the round compressed; its number counts from 1."""
        note = f" ({shortened(' '.join(self.text.split()), KEPT_NOTE)})" if self.text.strip() and not tight else ""
        lines = [f"Round {number}{note}:"]
        for position, (call, result) in enumerate(zip(self.calls, self.results, strict=True), start=1):
            found = finding_words(result.content, candidates, error=result.error, tight=tight)
            lines.append(f"  {number}.{position} {call_words(call)} -> {found}")
        return "\n".join(lines)


@frozen
class Compressed:
    """What a compression did: why, how many rounds are compressed now, and the state's tokens before and after."""

    why: str
    rounds: int
    before: int
    after: int


@define
class PlanningState:
    """
    The rounds so far, as the planner sees them.

    Args:
        budget: Tokens (as :func:`recfw_orchestration.rollout.telling.tokens_of` counts them) that the rounds may take.
        candidates: The task's candidates, whose entries in results are the last to be cut.
    """

    budget: int
    candidates: Collection[str] = ()
    rounds: list[Round] = field(factory=list)
    compressed: int = 0
    tight: bool = False
    _messages: list[Message] | None = field(default=None, init=False)

    def take(self, reply: Reply, results: Sequence[ToolResult]) -> Compressed | None:
        """Add a round; return what compression did, where the state had grown over its budget."""
        self.rounds.append(Round(reply.text, reply.calls, tuple(results)))
        self._messages = None
        return self.compress("budget") if self.tokens > self.budget else None

    def compress(self, why: str) -> Compressed | None:
        """
        Compress until the state fits: one round after the other, at last all of them tightly.

        After an empty response (``why`` is ``empty``) at least one step is taken, whatever fits. None is returned where
        there is nothing left to compress.
        """
        before, first = self.tokens, True
        while self.tokens > self.budget or (why == "empty" and first):
            if not self._step():
                break
            first = False
        return None if first else Compressed(why, self.compressed, before, self.tokens)

    def _step(self) -> bool:
        if self.compressed < len(self.rounds):
            self.compressed += 1
        elif self.rounds and not self.tight:
            self.tight = True
        else:
            return False
        self._messages = None
        return True

    @property
    def messages(self) -> list[Message]:
        """The rounds as messages: those compressed in one, the others in full."""
        if self._messages is None:
            early = enumerate(self.rounds[: self.compressed], start=1)
            old = [one.words(number, self.candidates, tight=self.tight) for number, one in early]
            made = [Message.say(SYSTEM, "\n".join(["Earlier rounds, compressed:", *old]))] if old else []
            for recent in self.rounds[self.compressed :]:
                made += recent.messages(self.candidates)
            self._messages = made
        return self._messages

    @property
    def tokens(self) -> int:
        """How many tokens the messages are taken for, calls included."""
        return sum(
            tokens_of(message.text) + sum(tokens_of(call.name + call.arguments) for call in message.calls)
            for message in self.messages
        )
