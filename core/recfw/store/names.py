"""How people name runs: by id, by the beginning of one, or as the newest."""

from collections.abc import Sequence
from difflib import get_close_matches

from recfw.errors import UsageError


def run_named(name: str, ids: Sequence[str], where: str) -> str:
    """
    Return the run id that a name means.

    Args:
        name: An id, a unique beginning of one, or ``latest`` (short ``@``).
        ids: All ids, in order of creation.
        where: The store, for messages.

    Raises:
        UsageError: The name means no run, or more than one.
    """
    if not ids:
        raise UsageError(f"{where}: there are no runs yet.", "`recfw run` makes one.")
    if name in {"latest", "@"}:
        return ids[-1]
    if name in ids:
        return name
    found = [run for run in ids if name and run.startswith(name)]
    if len(found) == 1:
        return found[0]
    if found:
        raise UsageError(f"{len(found)} runs begin with '{name}': {_some(found)}.", "Write more of the id.")
    close = get_close_matches(name, ids, n=1)
    hint = f"Did you mean '{close[0]}'?" if close else "`latest` is the newest."
    raise UsageError(f"{where}: no run '{name}' (newest first: {_some(ids[::-1])}).", hint)


def _some(ids: Sequence[str], most: int = 5) -> str:
    return ", ".join(ids[:most]) + (", …" if len(ids) > most else "")
