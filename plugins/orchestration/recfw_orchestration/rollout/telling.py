"""Results and calls in few words: as the planner sees them in a recent round, and in one that was compressed."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import orjson

from recfw.model.reply import ToolCall
from recfw_orchestration.rollout.bus import ID, item_ids

MOST_ITEMS = 10
"""Entries of a list that a recent result shows; the rest are on the bus, or come by a narrower call."""
MOST_CANDIDATES = 30
"""Entries of candidates that it shows: those are what the answer is chosen from, so none of them is cut away."""
MOST_TEXT = 200
"""Characters of a string that a recent result shows."""
MOST_NESTED = 6
"""Entries of a list within a list's entry that a recent result shows."""

KEPT_ITEMS = 12
"""Ids that a compressed result keeps."""
KEPT_TEXT = 48
"""Characters of a string that a compressed result or argument keeps."""
KEPT_FACTS = 3
"""Facts (key and value) of the first entries that a compressed result keeps."""
KEPT_ENTRIES = 6
"""Entries whose facts a compressed result keeps, candidates before others."""
LISTED = 3
"""Elements of a list that a compressed argument keeps, and ids of a result that is told tightly."""
FACT_TEXT = 24
"""Characters of a string among the facts of an entry."""
KEPT_NOTE = 200
"""Characters of the planner's own words beside its calls that compression keeps."""


def tokens_of(text: str) -> int:
    """Return how many tokens a text is taken for: a quarter of its UTF-8 bytes, rounded up."""
    return -(-len(text.encode("utf-8", "replace")) // 4)


def shortened(text: str, most: int) -> str:
    """Return a text cut to so many characters, with a mark where it was cut."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def shown(content: Any, candidates: Collection[str] = ()) -> str:
    """
    Return a recent result as the planner sees it: JSON with long lists and texts cut, and what was cut counted.

    Args:
        content: The result.
        candidates: Items whose entries are not cut away.
    """
    return content if isinstance(content, str) else orjson.dumps(_cut(content, MOST_ITEMS, candidates)).decode()


def _cut(value: Any, most: int, candidates: Collection[str]) -> Any:
    if isinstance(value, str):
        return shortened(value, MOST_TEXT)
    if isinstance(value, Mapping):
        return {str(key): _cut(inner, most, candidates) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        left = list(value) if len(value) <= most else _spared(value, most, candidates)
        kept = [_cut(inner, MOST_NESTED, candidates) for inner in left]
        return [*kept, f"… {len(value) - len(left)} more"] if len(value) > len(left) else kept
    return value


def _spared(entries: Sequence[Any], most: int, candidates: Collection[str]) -> list[Any]:
    """Return what is left of a long list, in its order: candidates, and others up to ``most`` in all."""
    own = [place for place, entry in enumerate(entries) if _named(entry) in candidates][:MOST_CANDIDATES]
    others = [place for place in range(len(entries)) if place not in own][: max(0, most - len(own))]
    return [entries[place] for place in sorted((*own, *others))]


def _named(entry: Any) -> str:
    """Return the id of an entry, or the entry where it is an id itself; empty where it is neither."""
    name = entry.get(ID) if isinstance(entry, Mapping) else entry
    return name if isinstance(name, str) else ""


def call_words(call: ToolCall) -> str:
    """Return a call as ``tool(argument=value, …)``, long values cut; what is no JSON object stands as it was sent."""
    try:
        arguments = orjson.loads(call.arguments or "{}")
    except orjson.JSONDecodeError:
        arguments = None
    if not isinstance(arguments, dict):
        return f"{shortened(call.name, KEPT_TEXT)}({shortened(call.arguments, KEPT_TEXT)})"
    told = ", ".join(f"{shortened(name, KEPT_TEXT)}={_argument(value)}" for name, value in arguments.items())
    return f"{shortened(call.name, KEPT_TEXT)}({told})"


def _argument(value: Any) -> str:
    if isinstance(value, list) and len(value) > LISTED:
        first = ", ".join(shortened(_plain(each), KEPT_TEXT) for each in value[:LISTED])
        return f"[{first}, … {len(value)} in all]"
    return shortened(_plain(value), KEPT_TEXT)


def _plain(value: Any) -> str:
    return orjson.dumps(value).decode()


def finding_words(content: Any, candidates: Collection[str] = (), *, error: bool, tight: bool = False) -> str:
    """
    Return what a compressed result keeps: how many items it named, candidates before others, and facts of a few.

    Args:
        content: The result.
        candidates: The items that matter most.
        error: Whether it is words about what was wrong with the call.
        tight: Keep fewer ids and no facts.
    """
    if error:
        return f"error: {shortened(content if isinstance(content, str) else _plain(content), 2 * KEPT_TEXT)}"
    ids = sorted(dict.fromkeys(item_ids(content)), key=lambda item: item not in candidates)
    most = LISTED if tight else KEPT_ITEMS
    more = f", … {len(ids) - most} more" if len(ids) > most else ""
    told = [f"{len(ids)} {'item' if len(ids) == 1 else 'items'}: {', '.join(ids[:most])}{more}" if ids else "no item"]
    if not tight:
        told += _facts(content, candidates)
    return "; ".join(told)


def _facts(content: Any, candidates: Collection[str]) -> list[str]:
    """Return short scalars, numbers first, of a few of a result's entries, or of the result where it lists none."""
    if not isinstance(content, Mapping):
        return [] if content is None else [shortened(str(content), KEPT_TEXT)]
    listed = content.get("items")
    entries = [each for each in listed if isinstance(each, Mapping)] if isinstance(listed, list) else [content]
    told = []
    for entry in sorted(entries, key=lambda each: _named(each) not in candidates)[:KEPT_ENTRIES]:
        scalars = [(key, value) for key, value in entry.items() if key != ID and isinstance(value, str | int | float)]
        facts = [
            f"{key} {shortened(value, FACT_TEXT) if isinstance(value, str) else _plain(value)}"
            for key, value in sorted(scalars, key=lambda fact: isinstance(fact[1], str))
        ]
        name = f"{entry[ID]}: " if isinstance(entry.get(ID), str) else ""
        if facts:
            told.append(name + ", ".join(facts[:KEPT_FACTS]))
    return told
