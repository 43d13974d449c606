"""
One episode: who holds the floor, what each role sees, verdicts and endings (spec sections 3 to 5).

The user opens. The agent keeps the floor while its replies hold tool calls; a reply of words alone goes to the user
and passes the floor. Words beside tool calls are not shown to the user, so a proposal among them is none.

World events, ``turn`` counting the agent's turns from 1:

- ``opening`` and ``asked``: what the user told (:func:`recfw_books.disclosed.told`), the latter with its turn;
- ``proposal``: {turn, item, verdict, known, violated, in_history, format_accepted, others};
- ``unsaid``: {turn, items}, proposal tags in words beside tool calls;
- ``named``: {turn, items}, acceptable books that the words to the user name, by title or id, without a tag;
- ``left``: {turn}, where the user had no patience for another question; the trial ends as ``user_left``;
- ``leak``: {fields} of hidden requirements whose values the user's words gave away;
- ``recommended``: {turn, item, others} and, for a book, {violated, in_history, format_accepted, formats_checked,
  returned, proposed, accepted, rank, of}; ``item`` is null for an abstention, ``rank`` is the book's by popularity
  among the ``of`` books in play, ``grade`` (only with a user of soft preferences) how well it meets those, null where
  it is not acceptable or there are none.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from recfw.elicitation.leaks import leaked
from recfw.elicitation.manners import USER_LEFT, has_left
from recfw.elicitation.predicates import Predicate, Reveal
from recfw.elicitation.preferences import Preference, grade
from recfw.elicitation.proposals import TAG, proposals
from recfw.elicitation.records import preference_data, requirement_data
from recfw.model.reply import Reply, ToolResult
from recfw.model.task import Task
from recfw.model.trace import WorldEvent
from recfw.model.view import SYSTEM, TOOL, Message, Picture, TextPart, View
from recfw.protocols import Accepted, Ended, Refused, Ruling
from recfw_books.catalog.records import BookCatalog
from recfw_books.disclosed import predicates_told, told
from recfw_books.goal import Goal
from recfw_books.naming import ids_named
from recfw_books.prompts import prompt_hash
from recfw_books.tools import Tools
from recfw_books.user.brief import user_brief, verdict_note
from recfw_books.user.heard import heard

ACCEPTED, REJECTED = "###ACCEPTED###", "###REJECTED###"
RULES = "1"
"""Version of the trial rules; part of the content digest."""

_FORGED = re.compile(r"#+\s*(?:ACCEPTED|REJECTED)\s*#+", re.IGNORECASE)
_EMPTY = "Your last reply was empty. Write to the user or call a tool."


class BooksEnvironment:
    """
    The world of one episode.

    Args:
        task: The task; only its public half bears on the agent's first View.
        catalog: The books.
        tools: The tools of the interface in play, shared by all episodes.
        prompt: The agent's system prompt.
        preferences: What the user would like besides; only a user of soft preferences speaks of it.
    """

    def __init__(
        self,
        task: Task,
        catalog: BookCatalog,
        tools: Tools,
        prompt: str,
        preferences: Sequence[Preference] = (),
    ) -> None:
        self._task, self._catalog, self._tools = task, catalog, tools
        self._goal, self._prompt = Goal.read(task.private), prompt_hash(prompt)
        self._brief = Message.say(SYSTEM, user_brief(task.private))
        self._hidden = [p for p in self._goal.predicates if p.reveal is Reveal.HIDDEN]
        self._role, self._turn, self._spoken = "user", 0, 0
        self._seen: dict[str, list[Message]] = {"agent": [Message.say(SYSTEM, prompt)], "user": []}
        self._results: list[dict[str, Any]] = []
        self._agent_text: str | None = None
        self._verdict: str | None = None
        self._violated: list[dict[str, Any]] = []
        self._grade: float | None = None
        self._preferences, self._soft = preferences, False
        self._free: list[Predicate] = []
        self._clean: set[str] = set()
        self._verdicts: dict[str, str] = {}
        self._returned: set[str] = set()
        self._checked: set[str] = set()
        self._count = {"proposals": 0, "searches": 0}

    def next_role(self) -> str:
        """Return the role that holds the floor now."""
        return self._role

    async def view(self, role: str) -> View:
        """
        Return what a role sees.

        The agent's facts: ``results``, the answers to its last reply's calls: {tool, content, error} by position.
        The user's: ``opening`` and ``stated_formats`` (what the opening states), ``goal`` (the task's private half),
        ``agent_text`` (null before the opening), ``verdict`` (``accepted``, ``rejected`` or null), ``violated`` (the
        requirements that a rejected book misses), ``preferences``, ``grade`` (of an accepted book, by those).
        """
        if role == "agent":
            return View(role, tuple(self._seen[role]), self._tools.specs, facts={"results": self._results})
        messages = self._user_messages()
        goal = {name: value for name, value in self._task.private.items() if name != "nvr"}
        facts = {
            **self._task.public,
            "goal": goal,
            "agent_text": self._agent_text,
            "verdict": self._verdict,
            "violated": self._violated,
            "preferences": [preference_data(each) for each in self._preferences],
            "grade": self._grade,
        }
        return View(role, messages, facts=facts)

    async def call(self, role: str, tool: str, arguments: dict[str, Any]) -> ToolResult:  # noqa: ARG002 - one role calls
        """Answer one of the agent's tool calls."""
        return self._tools.answer(tool, arguments, self._goal.history)

    async def receive(self, role: str, reply: Reply, results: Sequence[ToolResult]) -> Ruling:
        """Take a reply: the user's words go to the agent; the agent's go to the user, or its calls are noted."""
        if role == "user":
            return self._hear_user(reply)
        self._spoken = self._turn
        if reply.calls:
            return self._note_calls(reply, results)
        if not reply.text.strip():
            self._seen["agent"].append(Message.say(SYSTEM, _EMPTY))
            return Refused(_EMPTY)
        return self._hear_agent(reply.text)

    async def picture(self, handle: str) -> Picture:
        """Raise KeyError: this track shows no pictures."""
        raise KeyError(handle)

    def summary(self) -> dict[str, Any]:
        """Return how many turns, proposals, searches and distinct books found there were, and the prompt's hash."""
        return {"turns": self._spoken, **self._count, "returned": len(self._returned), "prompt": self._prompt}

    def _user_messages(self) -> tuple[Message, ...]:
        """Return the dialogue as the user sees it: what a model needs to voice it, before it and after a verdict."""
        note = (Message.say(SYSTEM, verdict_note(self._verdict)),) if self._verdict is not None else ()
        return (self._brief, *self._seen["user"], *note)

    # --- The user -----------------------------------------------------------------------------------------------------

    def _hear_user(self, reply: Reply) -> Ruling:
        words = _FORGED.sub("", reply.text).strip()
        if not words and self._verdict is None:
            self._seen["user"].append(Message.say(SYSTEM, _EMPTY))
            return Refused(_EMPTY)
        opens = self._agent_text is None
        data = told(self._heard(words) if reply.data is None else reply.data)
        self._free += predicates_told(data)
        self._soft = self._soft or "preferred" in data
        events = [WorldEvent("opening" if opens else "asked", data if opens else {"turn": self._turn, **data})]
        events += self._leaks(words)
        if self._verdict is not None:
            tag = ACCEPTED if self._verdict == "accepted" else REJECTED
            words = f"{tag} {words}".rstrip()
        self._say("user", words)
        if has_left(reply.data):
            return Ended(USER_LEFT, (*events, WorldEvent("left", {"turn": self._turn})))
        self._role, self._turn, self._results = "agent", self._turn + 1, []
        return Accepted(tuple(events))

    def _heard(self, words: str) -> dict[str, Any]:
        """Return what the words of a user told that reports no data, as one that a model voices."""
        return heard(self._goal, words, self._agent_text, self._catalog.trees)

    def _leaks(self, words: str) -> list[WorldEvent]:
        """Note hidden values in words; words once found clean stay so, since what is free to be said only grows."""
        if not self._hidden or words in self._clean:
            return []
        found = leaked(self._hidden, words, revealed=self._free, trees=self._catalog.trees)
        if not found:
            self._clean.add(words)
            return []
        return [WorldEvent("leak", {"fields": sorted({p.field for p in found})})]

    def _say(self, role: str, words: str) -> None:
        message = Message.say(role, words)
        self._seen["agent"].append(message)
        self._seen["user"].append(message)

    # --- The agent ----------------------------------------------------------------------------------------------------

    def _hear_agent(self, text: str) -> Ruling:
        self._say("agent", text)
        self._role, self._agent_text, self._verdict = "user", text, None
        self._violated, self._grade = [], None
        tagged = proposals(text)
        return Accepted((*self._named(text, tagged), *((self._judge(tagged),) if tagged else ())))

    def _named(self, text: str, tagged: Sequence[str]) -> Sequence[WorldEvent]:
        """Note acceptable books that are named without a tag: the user does not judge those."""
        bare = TAG.sub(" ", text)
        mentioned = dict.fromkeys((*self._catalog.titles.named(bare), *ids_named(bare)))
        items = [item for item in mentioned if item not in tagged and self._check(item)["accepted"]]
        return (WorldEvent("named", {"turn": self._turn, "items": items}),) if items else ()

    def _judge(self, named: Sequence[str]) -> WorldEvent:
        """Judge the first proposal; a book that the catalog does not have is rejected."""
        first, others = named[0], list(named[1:])
        facts = self._check(first)
        self._verdict = "accepted" if facts.pop("accepted") else "rejected"
        self._verdicts[first] = self._verdict
        self._react(first)
        self._count["proposals"] += 1
        return WorldEvent(
            "proposal", {"turn": self._turn, "item": first, "verdict": self._verdict, **facts, "others": others}
        )

    def _react(self, item: str) -> None:
        """Note what a user may say of the book that was judged, beyond the verdict."""
        book = self._catalog.by_id.get(item)
        if book is None:
            return
        trees = self._catalog.trees
        if self._verdict == "accepted":
            self._grade = grade(self._preferences, book.fields(), trees)
        else:
            self._violated = [requirement_data(each) for each in self._goal.violations(book, trees)]

    def _check(self, item: str) -> dict[str, Any]:
        book = self._catalog.by_id.get(item)
        if book is None:
            return {"known": False, "accepted": False, "violated": [], "in_history": False, "format_accepted": False}
        verdict = self._goal.check(book, self._catalog.trees)
        return {
            "known": True,
            "accepted": verdict.accepted,
            "violated": list(verdict.violated),
            "in_history": verdict.in_history,
            "format_accepted": verdict.format_accepted,
        }

    def _note_calls(self, reply: Reply, results: Sequence[ToolResult]) -> Ruling:
        parts = (TextPart(reply.text),) if reply.text else ()
        answers = [
            Message(TOOL, (TextPart(result.text()),), call=position, error=result.error)
            for position, result in enumerate(results)
        ]
        self._seen["agent"] += [Message("agent", parts, calls=reply.calls), *answers]
        self._results = [
            {"tool": call.name, "content": result.content, "error": result.error}
            for call, result in zip(reply.calls, results, strict=True)
        ]
        named = proposals(reply.text)
        events = (WorldEvent("unsaid", {"turn": self._turn, "items": named}),) if named else ()
        answered = [one for one in self._results if not one["error"]]
        chosen = [one["content"]["recommended"] for one in answered if one["tool"] == "recommend"]
        for one in answered:
            if one["tool"] == "search_books":
                self._count["searches"] += 1
                self._returned.update(found["id"] for found in one["content"]["items"])
        if chosen:
            return Ended("recommended" if chosen[0] else "abstained", (*events, self._commit(chosen)))
        self._checked.update(one["content"]["id"] for one in answered if one["tool"] == "check_formats")
        return Accepted(events)

    def _commit(self, chosen: Sequence[str | None]) -> WorldEvent:
        """Note the first recommendation; a format counts as checked only where an earlier reply's call was answered."""
        first, others = chosen[0], list(chosen[1:])
        facts: Mapping[str, Any] = {}
        if first is not None:
            checked = self._check(first)
            facts = {
                **{name: checked[name] for name in ("violated", "in_history", "format_accepted")},
                "formats_checked": first in self._checked,
                "returned": first in self._returned,
                "proposed": first in self._verdicts,
                "accepted": self._verdicts.get(first) == "accepted",
                "rank": self._catalog.popularity[first],
                "of": len(self._catalog.books),
            }
            if self._soft:
                book = self._catalog.by_id[first]
                met = grade(self._preferences, book.fields(), self._catalog.trees)
                facts = {**facts, "grade": met if checked["accepted"] else None}
        return WorldEvent("recommended", {"turn": self._turn, "item": first, "others": others, **facts})
