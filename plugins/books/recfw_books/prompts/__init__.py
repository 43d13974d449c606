"""The agent's system prompts, by name; a line for each search interface is set into them."""

from importlib.resources import files

from recfw.errors import UsageError

_SLOT = "{search_books}"


def names() -> tuple[str, ...]:
    """Return the names of the prompts, sorted."""
    found = (path.name for path in files(__name__).iterdir())
    return tuple(sorted(n.removesuffix(".txt") for n in found if n.endswith(".txt") and not n.startswith("search-")))


def system_prompt(name: str, interface: str) -> str:
    """Return a prompt for an interface; UsageError where there is no such prompt."""
    if name not in names():
        raise UsageError(f"no prompt '{name}' (known: {', '.join(names())}).", "Name one of them.")
    return _read(name).replace(_SLOT, _read(f"search-{interface}"))


def _read(name: str) -> str:
    return (files(__name__) / f"{name}.txt").read_text(encoding="utf-8").strip()
