"""Words for wishes: slots filled with values as people write them, or with the lexicon's words for them."""

import re
from collections.abc import Mapping
from typing import Any

from recfw.model.draws import Draws
from recfw_orchestration.tasks.lexicon import lexicon

_SLOT = re.compile(r"\{(~?)(\w+)\}")
WORDED = ("aspect", "local_aspect")
"""Slots whose words are phrasings of their own, so that masking leaves them."""


def fuzzy_slots(template: str) -> list[str]:
    """Return the slots that take the lexicon's words."""
    return [name for fuzzy, name in _SLOT.findall(template) if fuzzy]


def words_of(template: str, values: Mapping[str, Any], draws: Draws) -> dict[str, str] | None:
    """Return slot -> a word of the lexicon for each fuzzy slot that has a value; None where one has no word."""
    found = {}
    for name in fuzzy_slots(template):
        if name in values:
            words = lexicon()[name].words_for(values[name])
            if not words:
                return None
            found[name] = draws.choice(words)
    return found


def filled(template: str, values: Mapping[str, Any], words: Mapping[str, str]) -> str:
    """Return a template with its slots filled; a slot without a value is left empty."""

    def fill(match: re.Match[str]) -> str:
        fuzzy, name = match.groups()
        return words.get(name, "") if fuzzy else told(values.get(name, ""))

    return _SLOT.sub(fill, template)


def masked(template: str, words: Mapping[str, str]) -> str:
    """Return the pattern of a wording: its slots masked, except those whose words are the phrasing itself."""

    def mask(match: re.Match[str]) -> str:
        fuzzy, name = match.groups()
        return words.get(name, "") if fuzzy and name in WORDED else f"<{name}>"

    return _SLOT.sub(mask, template)


def told(value: Any) -> str:
    """Return a value as it is written in a sentence."""
    if isinstance(value, float):
        return f"{value:g}" if abs(value) < 10 and value == round(value, 1) else f"{value}"
    return str(value)
