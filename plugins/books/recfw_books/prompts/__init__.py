"""
The agent's system prompts, by name: the base prompt, and what each named one adds to it.

A line for each search interface is set into the base prompt; the ablation ``fields`` adds the list of fields, which the
structured tool's line holds, to the keyword prompt. The texts are ours: the paper's are not in its text.
"""

import hashlib
from collections.abc import Mapping
from importlib.resources import files

from recfw.errors import UsageError
from recfw.known import suggestion

_SLOT = "{search_books}"

PROMPTS: Mapping[str, tuple[str, ...]] = {
    "base": (),
    "ask": ("add-ask",),
    "ask-and-verify": ("add-ask", "add-verify"),
    "protocol": ("add-ask", "add-verify", "add-protocol"),
}
"""Name -> the files that are added to the base prompt, in order."""


def names() -> tuple[str, ...]:
    """Return the names of the prompts."""
    return tuple(PROMPTS)


def system_prompt(name: str, interface: str, *, fields: bool = False) -> str:
    """
    Return a prompt for an interface.

    Args:
        name: One of :func:`names`.
        interface: ``structured`` or ``keyword``.
        fields: Whether the keyword prompt lists the catalog's fields.

    Raises:
        UsageError: There is no such prompt, or the list of fields is asked for where the tool has it.
    """
    if name not in PROMPTS:
        raise UsageError(f"no prompt '{name}' (known: {', '.join(names())}).", suggestion(name, PROMPTS))
    if fields and interface != "keyword":
        raise UsageError("the option field_list is for the keyword interface: the structured tool lists its fields.")
    line = _read(f"search-{interface}") + (f" {_read('fields')}" if fields else "")
    return "\n\n".join([_read("base").replace(_SLOT, line), *map(_read, PROMPTS[name])])


def prompt_hash(prompt: str) -> str:
    """Return the first twelve hexadecimal digits of a prompt's SHA-256, by which traces name it."""
    return hashlib.sha256(prompt.encode()).hexdigest()[:12]


def _read(name: str) -> str:
    return (files(__name__) / f"{name}.txt").read_text(encoding="utf-8").strip()
