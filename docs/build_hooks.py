"""Writes docs/reference/hooks.md from the hooks' specifications: python docs/build_hooks.py [--check]."""

import inspect
import re
import sys
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

from generated import DOCS, keep, table

from recfw.hookspecs import HOOK_API, PROJECT, commands, components, lifecycle

TARGET = DOCS / "reference" / "hooks.md"

HEAD = f"""\
# Hooks

<!-- Written by docs/build_hooks.py, which takes all of a hook from its specification in core/recfw/hookspecs. -->

A plugin is a Python module with functions of these names, marked `@hookimpl` and named by an entry point:

```toml
[project.entry-points.recfw]
movies = "recfw_movies.plugin"
```

```python
from recfw.hookspecs import hookimpl


@hookimpl
def recfw_register_tracks():
    from recfw_movies.track import MoviesTrack

    return [MoviesTrack]
```

The module that the entry point names is imported by every `recfw` command, so it imports only the standard library,
attrs and `recfw.hookspecs`; everything else is imported inside the hooks, which are called only when they are needed.
An implementation may leave out arguments that it does not use. The version of this interface is `HOOK_API`, printed by
`recfw plugins list` ({HOOK_API} now): a new hook or argument raises its second number; a removed one is warned of for
two minor releases and raises the first. `recfw plugins list --hooks` shows who implements what.

While an argument is on its way out, its hook is declared with `@hookspec(warn_on_impl_args=leaving("0.4",
argument="what to use in its place"))` (from `recfw.hookspecs`): a plugin that takes the argument still gets it, and a
`HookRemovalWarning` at its hook's line names the release that will not give it any more. `tests/compatibility` shows
the steps with an old plugin, and keeps plugins written against each version of the interface as frozen witnesses.

A misspelt hook, one without its marker, and one with an argument that does not exist stop the command with one line
that names the plugin, its distribution and the switch that disables it.

## Registering hooks

Each returns an iterable of classes (or yields them), takes no arguments, and is called at most once per manager. A
class's `name` is unique among its kind: when two plugins offer one name, the error names both.
[Protocols](api/protocols.md) says what the classes must do; `recfw.testing` holds a
[contract suite](../how-to/own-plugin.md#5-contract-suites) for each; [Components](components.md) lists what there is.
"""

OBSERVING = """\
## Observing hooks

They are called in the process that conducts the run, one plugin at a time in order of name. Arguments are frozen,
results are ignored, and nothing that an observer raises reaches the run: it is recorded, printed at the end, and under
`--strict` makes the command fail with status 3.
"""

NAMED = {
    "tracks": "`--plugin`, `--track`",
    "agents": "`--agent`",
    "users": "`--user`",
    "participants": "`--role ROLE=NAME`",
    "catalogs": "`--catalog`, or as the track says",
    "retrievers": "`--retriever`",
    "judges": "`--judge`",
    "metrics": "(a track names its metrics)",
    "analyses": "`report --analysis`",
    "renderers": "`report --format`",
    "executors": "(the run's own choice)",
}
"""Kind -> how a component of it is named on the command line."""


def page() -> str:
    """Return the whole page."""
    header = ("Hook", "Protocol", "Offers", "Called", "Named on the command line by")
    rows = [row(hook) for hook in hooks(components)]
    parts = [HEAD, table(header, rows), *map(section, hooks(commands)), OBSERVING, *map(section, hooks(lifecycle))]
    return "\n".join(parts)


def hooks(module: ModuleType) -> Iterator[Callable[..., Any]]:
    """Yield the specifications of a module in their order."""
    return (found for found in vars(module).values() if hasattr(found, f"{PROJECT}_spec"))


def row(hook: Callable[..., Any]) -> tuple[str, ...]:
    """Return a registering hook's row."""
    said = told(hook)
    kind = hook.__name__.removeprefix(f"{PROJECT}_register_")
    offers = said[""][0].removeprefix("Offer ")
    protocol, also = re.fullmatch(r"Classes satisfying `recfw\.protocols\.(\w+)`[^;]*(.*)", said["Returns"][0]).groups()
    called = said[""][1].removeprefix("Called once per manager, ").rstrip(".")
    return (
        f"`{hook.__name__}`",
        f"`{protocol}`",
        f"{offers[:1].upper()}{offers[1:-1]}{also}".rstrip("."),
        called,
        NAMED[kind],
    )


def section(hook: Callable[..., Any]) -> str:
    """Return a hook's section: what it does, when it is called, its arguments, what it returns."""
    said = told(hook)
    types = inspect.get_annotations(hook)
    arguments = [
        re.sub(r"^(\w+): ", lambda m: f"- `{m[1]}` (`{types[m[1]]}`): ", line) for line in said.get("Args", ())
    ]
    blocks = [f"### `{hook.__name__}`", *said[""], "\n".join(arguments)]
    blocks += [f"Returns {words[0].lower()}{words[1:]}" for words in said.get("Returns", ())]
    return "\n\n".join(block for block in blocks if block) + "\n"


def told(hook: Callable[..., Any]) -> dict[str, list[str]]:
    """Return a specification's docstring as section -> its paragraphs, those before any section under ``""``."""
    found: dict[str, list[str]] = {"": []}
    for block in inspect.cleandoc(hook.__doc__ or "").split("\n\n"):
        title, _, body = block.partition(":\n")
        if title in {"Args", "Returns"}:
            entries = re.split(r"\n(?=    \w+: )", body) if title == "Args" else [body]
            found[title] = [marked(entry) for entry in entries]
        else:
            found[""].append(marked(block))
    return found


def marked(text: str) -> str:
    """Return a docstring's paragraph in one line, with code as Markdown has it and modules' names left out."""
    words = re.sub(r":\w+:`([\w.]+)`", r"``\1``", " ".join(text.split()))
    return words.replace("``", "`")


if __name__ == "__main__":
    sys.exit(keep(TARGET, page(), __file__))
