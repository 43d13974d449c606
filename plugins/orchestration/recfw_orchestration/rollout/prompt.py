"""What the planner is told before its first round, and after refusals: all words of the environment."""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from recfw_orchestration.rollout.budget import Allowance

PROMPT = """\
You recommend items to a user who has said vaguely what he or she wants. You work in rounds. In each round you call
tools; calls of one round run at the same time, so put calls that do not need each other's results into one round, and
call a tool that needs an earlier result in a later round. Take arguments from the request, from what is known about
the user below, and from results; do not invent ids.

Older rounds may be shown compressed, and long results are cut, candidates last. Every item that a result named stays on
the candidate bus under its id: to read more of it, call a tool for that id.

When you know enough, or when no calls are left, answer without calling a tool: a JSON object with "ranking", the ids of
candidates from the best on, and "explanation", one or two sentences that say which results the first place rests on.
Exactly one candidate is right; rank it first."""

EMPTY = "Your last response was empty. Call tools, or answer with a ranking."
NO_RANKING = (
    'Your last response held neither calls nor a ranking. Answer with a JSON object: "ranking", a list of at least one '
    'item id, the best first, and "explanation".'
)
SPENT = "No {what} are left. Answer now with the ranking."
BRIEF = (
    "You play a user who asks a recommender for something and then waits in silence. Your request is below. Say it to "
    "the recommender in these very words, and nothing else."
)

MOST_ON_BUS = 8
"""Items of the candidate bus, beside the candidates, that the planner is shown by name."""


def prompt_hash() -> str:
    """Return the SHA-256 (hex) of all fixed words."""
    return hashlib.sha256("\n".join((PROMPT, EMPTY, NO_RANKING, SPENT, BRIEF)).encode()).hexdigest()


def opening(public: Mapping[str, Any], candidates: Sequence[str], allowance: Allowance) -> str:
    """Return the planner's system message: how it works, its limits, and what is known about the user."""
    known = {"user id": public.get("user_id"), "place": public.get("place"), "time": public.get("time")}
    facts = [f"- {name}: {_told(value)}" for name, value in known.items() if value not in (None, "", {}, [])]
    limits = f"You have at most {allowance.rounds} rounds and {allowance.calls} calls."
    listed = f"Candidates ({len(candidates)}): {', '.join(candidates)}"
    return "\n".join([PROMPT, "", limits, "", "What is known about the user:", *facts, "", listed])


def _told(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {inner}" for name, inner in value.items())
    return str(value)


def standing(rounds: int, calls: int, allowance: Allowance, bus: str) -> str:
    """Return the state in words, which follows the rounds: what was used, and the candidate bus."""
    used = f"{rounds} of {allowance.rounds} rounds and {calls} of {allowance.calls} calls used."
    return f"{used} Candidate bus: {bus}"
