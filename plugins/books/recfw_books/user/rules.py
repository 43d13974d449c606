"""The rule-based user ``books-rules``: it opens, answers what it is asked by the disclosure rules, and adds nothing."""

from typing import Any, ClassVar

from recfw.elicitation import Answer, Disclosure, Fact
from recfw.model.reply import Reply
from recfw.model.view import View
from recfw.protocols import Context, NoOptions, Player, UserSimulator
from recfw_books.disclosed import report
from recfw_books.goal import Goal, read_predicate
from recfw_books.user.matcher import asked_fields
from recfw_books.user.wording import opening_text, reply_text


class RulesPlayer:
    """The user of one episode; the goal does not change, so its rules are built once."""

    def __init__(self) -> None:
        self._disclosure: Disclosure | None = None

    async def reply(self, view: View) -> Reply:
        """Open with what is stated, or answer the agent's turn; ``data`` says what was asked and told."""
        facts = view.facts
        if facts["agent_text"] is None:
            answer = opening_answer(facts)
            return Reply(opening_text(answer), data=report(answer))
        if self._disclosure is None:
            self._disclosure = Goal.read(facts["goal"]).disclosure()
        asked = asked_fields(facts["agent_text"])
        answer = self._disclosure.ask(asked)
        return Reply(reply_text(answer), data=report(answer, asked))


def opening_answer(facts: dict[str, Any]) -> Answer:
    """Return what an opening states, from the View's public facts alone, so that it depends on nothing private."""
    formats = facts["stated_formats"]
    return Answer(
        revealed=tuple(read_predicate(data) for data in facts["opening"]),
        extras=() if formats is None else (Fact("format", formats),),
    )


class BooksRules(UserSimulator):
    """Matches questions by rules and answers in fixed sentences (the paper, section 4.1)."""

    name: ClassVar[str] = "books-rules"
    summary: ClassVar[str] = "Answers by fixed disclosure rules; never gives a reason or a hidden value"
    Options: ClassVar[type] = NoOptions
    version: ClassVar[str] = "1"
    tracks: ClassVar[tuple[str, ...]] = ("books",)
    deterministic: ClassVar[bool] = True

    def __init__(self, options: Any = None) -> None:
        self.options = options

    def episode(self, context: Context) -> Player:  # noqa: ARG002 - nothing is drawn
        """Return the user of one episode."""
        return RulesPlayer()
