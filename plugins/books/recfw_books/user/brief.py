"""What a language model is told that voices the user: who it is, its requirements with their tags, and the rules."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from recfw.elicitation.predicates import Reveal
from recfw_books.goal import Goal
from recfw_books.user.wording import clause_text, formats_text

TAGS = {Reveal.STATED: "[say it at once]", Reveal.ON_ASK: "[tell when asked]", Reveal.HIDDEN: "[never tell]"}


@cache
def template() -> str:
    """Return the brief with its slots ``{persona}`` and ``{facts}``."""
    return (files("recfw_books.user") / "brief.txt").read_text(encoding="utf-8").strip()


def user_brief(private: Mapping[str, Any]) -> str:
    """Return the brief of a task's private half."""
    persona = Goal.read(private).persona
    return template().replace("{persona}", persona).replace("{facts}", facts_text(private))


def facts_text(private: Mapping[str, Any]) -> str:
    """Return a task's requirements, a line each, with the tag that says when it is told."""
    goal = Goal.read(private)
    facts = [f"- {p.field}: {clause_text(p)} {TAGS[p.reveal]}" for p in goal.predicates]
    return "\n".join([*facts, f"- format: {formats_text(goal.accepted_formats)} {TAGS[goal.formats_reveal]}"])


def verdict_note(verdict: str) -> str:
    """Return how the user is told what the check made of the book that was proposed."""
    return f"The book was checked: it is {verdict}. Reply in one sentence, as this person would, without a reason."
