"""The words that models are briefed with: one template a role, filled by :mod:`recfw_situated.briefs`."""

from functools import cache
from importlib.resources import files

NAMES = ("assistant", "assistant-blind", "user", "moderator", "rules-supermarket", "rules-furnishings")


@cache
def template(name: str) -> str:
    """Return a template; slots are written ``{{name}}``."""
    return (files("recfw_situated.prompts") / f"{name}.txt").read_text(encoding="utf-8").strip()


def fill(name: str, **slots: str) -> str:
    """Return a template with its slots filled."""
    text = template(name)
    for slot, words in slots.items():
        text = text.replace(f"{{{{{slot}}}}}", words)
    return text
