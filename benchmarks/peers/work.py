"""
The work that every harness is given: what is said, what is called, what comes back, and how long a model takes.

A conversation has six turns. In each the user, a mock model, says a sentence; the agent, a mock model, calls a tool,
reads its answer of twenty books, and says a sentence: 18 model calls and 6 tool calls. Only the standard library is
imported, so that it works in the environment of any harness.
"""

import asyncio
import atexit
import json
import os
import random
from pathlib import Path

TURNS = 6
CALLS = 3 * TURNS
"""Model calls of a conversation."""
LATENCY = float(os.environ.get("PEERS_LATENCY", "0"))
"""Seconds that a mock model takes."""
CONVERSATIONS = int(os.environ.get("PEERS_CONVERSATIONS", "2"))
CONCURRENCY = int(os.environ.get("PEERS_CONCURRENCY", "50"))
LOGS = os.environ.get("PEERS_LOGS", "logs")
"""Where the harness is to leave what it stores."""

SYSTEM = "You help people to find books. Search before you propose anything, and ask when you are not sure."
USER = "I am looking for something like the last one that you named, but a little shorter and more recent."
AGENT = "There are a few that may suit you: shall I look for one that is set by the sea, or rather in a town?"
TOOL, DESCRIPTION = "search_books", "Search the catalog; gives twenty books, the best match first."
PARAMETERS = {
    "type": "object",
    "properties": {"query": {"type": "string"}, "page": {"type": "integer"}},
    "required": ["query", "page"],
}
WORDS = (
    "river",
    "winter",
    "garden",
    "letter",
    "stone",
    "house",
    "daughter",
    "silent",
    "last",
    "city",
    "island",
    "glass",
)


def arguments(turn):
    """Return the arguments of a turn's call."""
    return {"query": f"{WORDS[turn]} novel", "page": turn + 1}


def search(query, page):
    """Return twenty books as JSON, about 2 kB, the same for the same query."""
    draws = random.Random(f"{query}/{page}/{draw_number()}")
    return json.dumps(
        [
            {
                "id": f"b{draws.randrange(10**6):06}",
                "title": " ".join(draws.choices(WORDS, k=4)).title(),
                "year": draws.randrange(1900, 2026),
                "rating": round(draws.uniform(1, 5), 2),
            }
            for _ in range(20)
        ]
    )


class _Count:
    """How often what was done, which is written down at the end for whoever started this process."""

    thoughts = searches = 0

    @classmethod
    def tell(cls):
        """Write the counts beside the logs."""
        Path(f"{LOGS}.counts").write_text(f"{cls.thoughts} {cls.searches}")


if "PEERS_LOGS" in os.environ:
    atexit.register(_Count.tell)


def draw_number():
    """Return a number that no two searches share, so that no store gains by keeping equal answers once."""
    _Count.searches += 1
    return _Count.searches


async def think():
    """Take as long as a model does."""
    _Count.thoughts += 1
    if LATENCY:
        await asyncio.sleep(LATENCY)
