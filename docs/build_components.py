"""Writes docs/reference/components.md from the components themselves: python docs/build_components.py [--check]."""

import inspect
import re
import sys
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import attrs
from generated import DOCS, keep, table

from recfw.cli.plugins_info import SETTABLE
from recfw.plugins import build_manager
from recfw.registry import KINDS, Registry, option_fields

TARGET = DOCS / "reference" / "components.md"
PLUGINS = ("core", "books", "orchestration", "situated", "litellm")
"""Whose components the page has; others may be installed beside them."""

HEAD = """\
# Components and their options

<!-- Written by docs/build_components.py from the components themselves; edit their docstrings instead. -->

Everything that core and the plugins of this repository offer. `recfw plugins info NAME` prints the same for what is
installed where you are, a stranger's plugins included. An option is set by `--set COMPONENT.OPTION=VALUE`, or in a
[run file](../how-to/run-file.md); lists have commas between their values, objects are written as YAML or JSON, `none`
unsets what may be unset. Below, *set by* says what COMPONENT is.
"""


class Title(NamedTuple):
    """How a kind is called: many of them, one of them; and how one is named on the command line."""

    many: str
    one: str
    words: str


TITLES = {
    "tracks": Title("Tracks", "Track", "Named by `--track`, or by `--plugin`, which takes the plugin's first."),
    "agents": Title("Agents", "Agent", "Named by `--agent`."),
    "users": Title("Users", "User", "Named by `--user`."),
    "participants": Title("Other participants", "Participant", "Named by `--role ROLE=NAME`."),
    "catalogs": Title("Catalogs", "Catalog", "Named by tracks, which set their options."),
    "retrievers": Title("Retrievers", "Retriever", "Named by `--retriever`, where the track has that option."),
    "judges": Title("Judges", "Judge", "Named by `--judge`, of `recfw run` and `recfw judge`."),
    "metrics": Title("Metrics", "Metric", "Named by tracks. A figure's name is what stands in scores and reports."),
    "analyses": Title("Analyses", "Analysis", "Named by `recfw report --analysis`."),
    "renderers": Title("Renderers", "Renderer", "Named by `recfw report --format`, or by the ending of `--out`."),
    "executors": Title("Executors", "Executor", "Chosen by `recfw run`, whose options of the same names set these."),
}


def page() -> str:
    """Return the whole page."""
    registry = Registry(build_manager())
    parts, seen = [HEAD], {}
    for kind in KINDS:
        found = sorted(
            (PLUGINS.index(registry.provider(kind, name).name), name)
            for name in registry.names(kind)
            if registry.provider(kind, name).name in PLUGINS
        )
        parts.append(f"## {TITLES[kind].many}\n\n{TITLES[kind].words}\n")
        parts += [section(kind, registry.find(kind, name), PLUGINS[place], seen) for place, name in found]
        if not found:
            parts.append("Neither core nor these plugins offer any.\n")
    return "\n".join(parts)


def section(kind: str, component: type[Any], plugin: str, seen: dict[type[Any], str]) -> str:
    """Return a component's part: what it does, its figures, its options, or where the same ones stand already."""
    title = f"{TITLES[kind].one} {component.name}"
    lines = [f"### {title}\n", f"{_sentence(component.summary)} {_facts(kind, component)}From `{plugin}`.\n"]
    figures = getattr(component, "figures", None) if kind in {"metrics", "judges"} else None
    if isinstance(figures, Mapping) and figures:
        rows = [(f"`{name}`", _sentence(words)) for name, words in figures.items()]
        lines.append(table(("figure", "what it is"), rows))
    rows = list(options(component))
    if rows and component.Options in seen:
        first = seen[component.Options].lower()
        there = f"[those of the {first}](#{first.replace(' ', '-')})"
        lines.append(f"Options: {there}{_set_by(kind, component.name)}.\n")
    elif rows:
        seen[component.Options] = title
        lines.append(table((f"option{_set_by(kind, component.name)}", "type", "default", "meaning"), rows))
    return "\n".join(lines)


def options(component: type[Any]) -> Iterator[tuple[str, str, str, str]]:
    """Yield name, type, default and meaning of each option; SystemExit where a docstring does not say a meaning."""
    told = meanings(getattr(component, "Options", object))
    for name, field in option_fields(component).items():
        if name not in told:
            raise SystemExit(f"{component.__name__}.Options: say under Args: in its docstring what '{name}' means.")
        kind = str(getattr(field.type, "__name__", field.type)).replace("typing.", "")
        yield f"`{name}`", f"`{kind}`", _default(field), told[name]


def meanings(options: type[Any]) -> dict[str, str]:
    """Return option -> meaning, as the docstrings of an options class and of those that it extends say under Args."""
    found: dict[str, str] = {}
    for base in reversed(options.__mro__):
        _, _, told = (inspect.cleandoc(vars(base).get("__doc__") or "")).partition("Args:\n")
        for entry in re.finditer(r"^    (\w+): (.+(?:\n {5,}.+)*)", told, re.MULTILINE):
            found[entry[1]] = _marked(" ".join(entry[2].split()))
    return found


def _facts(kind: str, component: type[Any]) -> str:
    """Return what else is to be known of a component in a line."""
    if kind == "tracks":
        roles = (f"{name} (`{role.default}`)" for name, role in component.roles.items())
        return f"Roles, with who plays them unless others are named: {', '.join(roles)}. "
    tracks = getattr(component, "tracks", ())
    return f"For the track {', '.join(f'`{name}`' for name in tracks)}. " if tracks else ""


def _set_by(kind: str, name: str) -> str:
    """Return how options of a component are set, for a table's header."""
    words = SETTABLE.get(kind, "").format(name).removeprefix("--set ").rstrip(".")
    return f", set by `{words}`" if words else ""


def _default(field: "attrs.Attribute[Any]") -> str:
    if field.default is attrs.NOTHING:
        return "required"
    value = field.default.factory() if isinstance(field.default, attrs.Factory) else field.default
    if value is None or value == "":
        return "none" if value is None else "empty"
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"


def _sentence(words: str) -> str:
    first = " ".join(words.strip().split("\n\n")[0].split())
    return _marked(f"{first[:1].upper()}{first[1:]}".rstrip(".") + ".")


def _marked(words: str) -> str:
    """Return a docstring's words with code marked as in Markdown."""
    return words.replace("``", "`")


if __name__ == "__main__":
    sys.exit(keep(TARGET, page(), __file__))
