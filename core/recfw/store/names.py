"""How people name a store, and runs in it: by id, by a tag, by the beginning of an id, or as the newest."""

from collections.abc import Mapping, Sequence
from difflib import get_close_matches

from recfw.errors import UsageError

DEFAULT_PLACE = ".recfw/runs.db"
NEWEST = frozenset({"latest", "@"})


def default_store(env: Mapping[str, str]) -> str:
    """Return where results are kept when nothing else is said: ``RECFW_STORE``, or ``.recfw/runs.db`` here."""
    return env.get("RECFW_STORE") or DEFAULT_PLACE


def run_named(name: str, ids: Sequence[str], where: str, tags: Mapping[str, Sequence[str]] | None = None) -> str:
    """
    Return the run id that a name means.

    Args:
        name: An id, ``latest`` (short ``@``), a tag that one run has, or a unique beginning of an id. A tag that is
            also the beginning of another run's id means neither: what is deleted must not hang on who wrote which tag.
        ids: All ids, in order of creation.
        where: The store, for messages.
        tags: Run -> its tags.

    Raises:
        UsageError: The name means no run, or more than one.
    """
    if not ids:
        raise UsageError(f"{where}: there are no runs yet.", "`recfw run` makes one.")
    if name in NEWEST:
        return ids[-1]
    if name in ids:
        return name
    tagged = [run for run in ids if name in (tags or {}).get(run, ())]
    if len(tagged) > 1:
        raise UsageError(f"{len(tagged)} runs have the tag '{name}': {_some(tagged)}.", "Name one by its id.")
    begun = [run for run in ids if name and run.startswith(name)]
    if others := [run for run in begun if tagged and run not in tagged]:
        words = f"'{name}' is a tag of {tagged[0]}, and the id of {_some(others)} begins with it."
        raise UsageError(words, "Name the run that you mean by its whole id.")
    found = tagged or begun
    if len(found) == 1:
        return found[0]
    if found:
        raise UsageError(f"{len(found)} runs begin with '{name}': {_some(found)}.", "Write more of the id.")
    close = get_close_matches(name, [*ids, *sorted({tag for held in (tags or {}).values() for tag in held})], n=1)
    hint = f"Did you mean '{close[0]}'?" if close else "`latest` is the newest."
    raise UsageError(f"{where}: no run '{name}' (newest first: {_some(ids[::-1])}).", hint)


def _some(ids: Sequence[str], most: int = 5) -> str:
    return ", ".join(ids[:most]) + (", …" if len(ids) > most else "")
