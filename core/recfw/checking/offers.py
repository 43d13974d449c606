"""What a plugin offers: names and who else has them, options, docstrings."""

import re
import sys
from collections.abc import Iterator, Mapping
from typing import Any

import attrs

from recfw.checking.asking import asked
from recfw.checking.findings import Notes, listed
from recfw.errors import PluginError
from recfw.plugins import Manager
from recfw.protocols import CommandRef, NoOptions
from recfw.registry import KINDS, Registry, option_fields
from recfw.serialize import from_data, to_data

Offers = Mapping[str, Mapping[str, type[Any]]]
"""Kind -> name -> class."""

_FORM = re.compile(r"[a-z0-9]+([._-][a-z0-9]+)*")
_SINGULAR = {kind: kind[:-1] for kind in KINDS} | {"analyses": "analysis"}
_OTHERS = """
import json, os, sys
out = os.dup(1)
os.dup2(2, 1)
from recfw.plugins import Manager, build_manager
from recfw.registry import KINDS
manager, found = build_manager(failures={}), {}
for name, plugin in manager.plugins.items():
    alone = Manager()
    alone.add(plugin)
    for kind in KINDS:
        try:
            names = [item.name for _, item in alone.collect(f"recfw_register_{kind}")]
        except Exception:
            continue
        for each in names:
            found.setdefault(kind, {}).setdefault(str(each), []).append(name)
os.write(out, json.dumps(found).encode())
"""


def called(kind: str, name: str) -> str:
    """Return how findings name a component."""
    return f"{_SINGULAR[kind]} '{name}'"


def each(offers: Offers) -> Iterator[tuple[str, str, type[Any]]]:
    """Yield (kind, name, class) of everything offered."""
    for kind, classes in offers.items():
        for name, item in classes.items():
            yield kind, name, item


def look_at_names(notes: Notes, manager: Manager, plugin: str, environ: Mapping[str, str]) -> Offers:
    """Tell whether every component has a name of its own and the shape of its protocol; return those that have."""
    found: dict[str, dict[str, type[Any]]] = {}
    registry = Registry(manager)
    for kind in KINDS:
        try:
            found[kind] = dict(registry.classes(kind))
        except PluginError as error:
            notes.wrong(kind, error.message.rstrip("."), "Mend the class, or what the hook returns.")
    _commands(notes, manager)
    taken = _taken(environ)
    count = 0
    for kind, name, _ in each(found):
        count += 1
        others = [other for other in taken.get(kind, {}).get(name, ()) if other != plugin]
        if others:
            hint = "Begin its name with the plugin's: nobody can load both."
            notes.wrong(called(kind, name), f"plugin '{others[0]}' offers the same name", hint)
        if not _FORM.fullmatch(name):
            hint = "Small letters, digits and single - . _ between them can be typed without quotes."
            notes.wrong(called(kind, name), "its name has capitals, spaces or other signs", hint)
    told = "; ".join(f"{kind}: {listed(list(names))}" for kind, names in found.items() if names)
    (notes.ok if count else notes.note)(plugin, told or "offers no component")
    return {kind: names for kind, names in found.items() if names}


def _commands(notes: Notes, manager: Manager) -> None:
    for _, ref in manager.collect("recfw_register_commands"):
        if not isinstance(ref, CommandRef):
            notes.wrong(
                "commands", f"offers {type(ref).__name__}, which is no CommandRef", "Return CommandRef objects."
            )
            continue
        module, _, attribute = ref.target.partition(":")

        def resolve(module: str = module, attribute: str = attribute) -> None:
            __import__(module)
            getattr(sys.modules[module], attribute)

        notes.guarded(f"command '{ref.name}'", f"{ref.target} leads nowhere", resolve)


def _taken(environ: Mapping[str, str]) -> Mapping[str, Mapping[str, list[str]]]:
    """Return kind -> name -> the plugins that offer it, of all that are installed, asked in a process of its own."""
    found: Mapping[str, Mapping[str, list[str]]] = asked(_OTHERS, environ=environ, seconds=120) or {}
    return found


def look_at_options(notes: Notes, offers: Offers) -> None:
    """Tell whether options have defaults that survive as JSON, and are documented."""
    count = 0
    for kind, name, item in each(offers):
        subject = called(kind, name)
        before = count

        def look(item: type[Any] = item, subject: str = subject) -> None:
            nonlocal count
            count += _look_at_options(notes, subject, item)

        notes.guarded(subject, "its options cannot be read", look)
        count = max(count, before)
    notes.ok("options", f"{count} in {sum(len(names) for names in offers.values())} components")


def _look_at_options(notes: Notes, subject: str, item: type[Any]) -> int:
    options, fields = getattr(item, "Options", NoOptions), option_fields(item)
    required = [name for name, field in fields.items() if field.default is attrs.NOTHING]
    if required:
        hint = "Give each a default; where one must be set, refuse the empty value in words when the component is made."
        notes.wrong(subject, f"options without a default: {listed(required)}", hint)
    elif (made := options()) != from_data(to_data(made), options):
        notes.wrong(subject, "its default options do not survive as JSON", "Use numbers, texts, lists and objects.")
    told = "\n".join(base.__doc__ or "" for base in options.__mro__ if base is not object and attrs.has(base))
    untold = [name for name in fields if not re.search(rf"^\s*{name}( \(.*\))?:|``{name}``", told, re.MULTILINE)]
    if untold:
        hint = f"Name each under Args: in the docstring of {options.__name__}."
        notes.wrong(subject, f"options that are not documented: {listed(untold)}", hint)
    return len(fields)


def look_at_docs(notes: Notes, offers: Offers, module: Any) -> None:
    """Tell whether the module, the classes and the public methods of their own have docstrings, and a summary."""
    if not (module.__doc__ or "").strip():
        notes.wrong(module.__name__, "has no docstring", "Say in its first line what the plugin offers.")
    silent = False
    for kind, name, item in each(offers):
        subject = called(kind, name)
        if not (vars(item).get("__doc__") or "").strip():
            silent = True
            notes.wrong(subject, f"its class {item.__name__} has no docstring", "Say in its first line what it is.")
        if not str(getattr(item, "summary", "") or vars(item).get("__doc__") or "").strip():
            silent = True
            notes.wrong(subject, "has no summary", "Set summary: `recfw plugins info` shows it.")
        if kind == "metrics":
            unnamed = [figure for figure, words in getattr(item, "figures", {}).items() if not str(words).strip()]
            if unnamed:
                notes.wrong(subject, f"figures without a sentence: {listed(unnamed)}", "Say in `figures` what each is.")
    if not silent:
        notes.ok("docstrings", f"{sum(len(names) for names in offers.values())} classes")
