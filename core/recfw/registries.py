"""Files that list plugins: further ones beside recfw's own, and every fault of one with the line that it stands in."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml
from attrs import evolve, fields, frozen
from packaging.specifiers import InvalidSpecifier, SpecifierSet

from recfw.errors import DataError, RecfwError, UsageError
from recfw.known import (
    SCHEMA,
    STATUSES,
    KnownPlugin,
    check_homepage,
    check_name,
    check_source,
    keys_twice,
    known_plugins,
    read_registry,
    suggestion,
)
from recfw.registry import KINDS
from recfw.serialize import from_data

VARIABLE = "RECFW_REGISTRY"
LARGEST = 1 << 20
"""Bytes of a registry at most."""
LONGEST = 100
"""Characters of a summary at most: it stands on one line of a list."""

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_PLAIN = {yaml.resolver.BaseResolver.DEFAULT_MAPPING_TAG, yaml.resolver.BaseResolver.DEFAULT_SEQUENCE_TAG}
_SHA = re.compile(r"[0-9a-f]{64}")
_ENTRY = tuple(field.name for field in fields(KnownPlugin))


@frozen
class Fault:
    """Something wrong with a registry: the line that it stands in, from 1, and words without a full stop."""

    line: int
    words: str


# --- Further registries -----------------------------------------------------------------------------------------------


def named(environ: Mapping[str, str], given: Sequence[str]) -> list[Path]:
    """Return the registries that options name, or else those of ``RECFW_REGISTRY`` (files, with commas between)."""
    if "" in given:
        raise UsageError("--registry is empty.", "Give it the name of a file, or leave it out.")
    names = given or [name.strip() for name in environ.get(VARIABLE, "").split(",")]
    return [Path(name).expanduser() for name in names if name]


def known_in(paths: Sequence[Path]) -> Mapping[str, KnownPlugin]:
    """
    Return recfw's known plugins and those of further registries, by name.

    A source ``./folder`` of a further registry is a folder beside that file.

    Raises:
        UsageError: A file is not there, or is an address.
        DataError: One is no registry, or lists a name that another lists too.
    """
    found, places = dict(known_plugins()), dict.fromkeys(known_plugins(), "recfw's own registry")
    for path in dict.fromkeys(paths):
        for name, plugin in read_registry(read_text(path), str(path)).items():
            if name in found:
                told = f"{path}: the plugin '{name}' is listed in {places[name]} too."
                raise DataError(told, "Which one is meant cannot be told: leave one registry out, or rename it there.")
            found[name], places[name] = _placed(plugin, path), str(path)
    return found


def known_here(environ: Mapping[str, str]) -> Mapping[str, KnownPlugin]:
    """Return what ``RECFW_REGISTRY`` lists, too, for errors that say how to install: no fault of it is another one."""
    try:
        return known_in(named(environ, ()))
    except RecfwError:
        return known_plugins()


def read_text(path: Path) -> str:
    """
    Return a registry's text.

    Raises:
        UsageError: There is no such file.
        DataError: It is too large, or no UTF-8.
    """
    if str(path).startswith(("https:", "http:")):
        raise UsageError(f"{path}: a registry is read from a file.", "Download it, look at it, and name the file.")
    if not path.is_file():
        raise UsageError(f"{path}: there is no such registry.", f"Mend --registry, {VARIABLE} or the configuration.")
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise DataError(f"{path}: is no UTF-8 text ({error.reason}, byte {error.start}).") from error
    except OSError as error:
        raise DataError(f"{path}: cannot be read ({error.strerror}).") from error
    if len(data) > LARGEST:
        raise DataError(f"{path}: has more than {LARGEST:,} bytes, which no registry needs.")
    return text


def _placed(plugin: KnownPlugin, path: Path) -> KnownPlugin:
    if not plugin.source.startswith("./"):
        return plugin
    source = str((path.absolute().parent / plugin.source).resolve())
    check_source(source, f"{path}: plugin of the distribution {plugin.distribution}")
    return evolve(plugin, source=source)


# --- Changing an entry ------------------------------------------------------------------------------------------------


def with_task_sets(text: str, plugin: str, digests: Mapping[str, str], where: str) -> str:
    """
    Return a registry's text with the digests of one entry's tracks in it; every line beside these stays as it is.

    Args:
        text: A sound registry (:func:`faults_of`).
        plugin: The entry's name.
        digests: Track -> content digest of its default tasks; those of other tracks stay.
        where: What the text is, for errors.

    Raises:
        DataError: There is no such entry, or it is written in braces.
    """
    entries: Any = _parts(_parts(yaml.compose(text, Loader=_LOADER))["plugins"][1])  # type: ignore[arg-type]  # sound
    if plugin not in entries:
        raise DataError(f"{where}: there is no entry of the plugin '{plugin}'.", "Add it first.")
    node: yaml.MappingNode = entries[plugin][1]
    if node.flow_style:
        raise DataError(f"{where}: the entry of '{plugin}' is written in braces.", "Write it with one field a line.")
    fields_ = {key.value: (key, value) for key, value in node.value}
    key, value = fields_.get("task_sets", (fields_["summary"][0], None))
    held = {} if value is None else {name.value: sha.value for name, sha in value.value}
    margin = " " * key.start_mark.column
    written = [f"{margin}task_sets:\n", *(f'{margin}  {t}: "{sha}"\n' for t, sha in (held | dict(digests)).items())]
    lines = text.splitlines(keepends=True)
    first = key.start_mark.line
    last = first if value is None else _last_line(value) + 1
    return "".join([*lines[:first], *written, *lines[last:]])


def _last_line(node: Any) -> int:
    """Return the number of the line, from 0, in which a mapping of texts ends; a block's own mark stands further on."""
    if node.flow_style or not node.value:
        return int(node.end_mark.line)
    return int(node.value[-1][1].end_mark.line)


# --- Faults -----------------------------------------------------------------------------------------------------------


def faults_of(text: str) -> list[Fault]:
    """Return every fault of a registry's text, in order of lines; empty where it is sound."""
    try:
        aliases = [event for event in yaml.parse(text, Loader=_LOADER) if isinstance(event, yaml.AliasEvent)]
        if aliases:
            mark: Any = aliases[0].start_mark
            return [Fault(mark.line + 1, f"the alias *{aliases[0].anchor} can make a small file huge: write it out")]
        root = yaml.compose(text, Loader=_LOADER)
    except yaml.YAMLError as error:
        met: Any = getattr(error, "problem_mark", None)
        words = getattr(error, "problem", None) or " ".join(str(error).split())
        return [Fault(met.line + 1 if met else 1, f"no valid YAML: {words}")]
    if not isinstance(root, yaml.MappingNode):
        return [Fault(1, "a mapping with 'schema' and 'plugins' is expected")]
    return list(_unreadable(root)) or sorted(_Checker(root).faults(), key=lambda fault: fault.line)


def _unreadable(node: yaml.Node) -> Iterator[Fault]:
    """Yield what nothing can be made of: dates and numbers that are none, foreign tags, lists and mappings as keys."""
    line = node.start_mark.line + 1
    if isinstance(node, yaml.ScalarNode):
        try:
            _value(node)
        except (yaml.YAMLError, ValueError, LookupError, AttributeError):
            yield Fault(line, f"{node.value[:40]!r} cannot be read as what it seems to be: put it into quotes")
        return
    if node.tag not in _PLAIN:
        yield Fault(line, f"the tag {node.tag} has no place in a registry")
    for item in node.value:
        if isinstance(item, tuple) and not isinstance(item[0], yaml.ScalarNode):
            yield Fault(item[0].start_mark.line + 1, "a key must be a word, and is a list or a mapping")
        for part in item if isinstance(item, tuple) else (item,):
            yield from _unreadable(part)


class _Checker:
    """Walks a registry once; knows the line of everything in it."""

    def __init__(self, root: yaml.MappingNode) -> None:
        self._root = root
        self._distributions: dict[str, str] = {}
        self._offered: dict[tuple[str, str], str] = {}

    def faults(self) -> Iterator[Fault]:
        yield from (Fault(line, f"the key '{key}' comes twice") for line, key in keys_twice(self._root))
        top = _parts(self._root)
        for name, (line, _) in top.items():
            if name not in {"schema", "plugins"}:
                yield Fault(line, _unknown("key", name, ("schema", "plugins")))
        if "schema" not in top or "plugins" not in top:
            yield Fault(1, "'schema' and 'plugins' are both needed")
            return
        line, schema = top["schema"]
        if _value(schema) != SCHEMA:
            yield Fault(line, f"the schema is {_value(schema)!r}; this recfw knows {SCHEMA}")
        line, plugins = top["plugins"]
        if not isinstance(plugins, yaml.MappingNode):
            yield Fault(line, "'plugins' must be a mapping of names to entries")
            return
        for name, (line, node) in _parts(plugins).items():
            for fault in self._entry(name, line, node):
                yield Fault(fault.line, f"plugin '{name}': {fault.words}")

    def _entry(self, name: str, line: int, node: yaml.Node) -> Iterator[Fault]:
        if not isinstance(node, yaml.MappingNode):
            yield Fault(line, f"must be a mapping with {', '.join(_ENTRY[:5])} and provides")
            return
        parts = _parts(node)
        lines = {field: at for field, (at, _) in parts.items()}
        strange = [field for field in parts if field not in _ENTRY]
        missing = [field.name for field in fields(KnownPlugin)[:5] if field.name not in parts]
        yield from (Fault(lines[field], _unknown("field", field, _ENTRY)) for field in strange)
        if missing:
            yield Fault(line, f"lacks {', '.join(missing)}")
        if strange or missing:
            return
        if _value(parts["status"][1]) not in STATUSES:
            yield Fault(lines["status"], f"the status must be one of {', '.join(STATUSES)}")
            return
        try:
            plugin = from_data(_value(node), KnownPlugin, "entry")
        except DataError as error:
            words = error.message.removeprefix("entry: ")
            field = re.sub(r"\W.*", "", words.partition("@ $.")[2])
            yield Fault(
                lines.get(field, line), words.replace(" @ $.", ", at ").replace("expected tuple", "expected list")
            )
            return
        yield from self._sound(name, plugin, lines, line)

    def _sound(self, name: str, plugin: KnownPlugin, lines: Mapping[str, int], line: int) -> Iterator[Fault]:
        checks: dict[str, Callable[[], None]] = {
            "source": lambda: check_source(plugin.source, "", plugin.distribution),
            "homepage": lambda: check_homepage(plugin.homepage, ""),
            "distribution": lambda: check_name(plugin.distribution, ""),
            "": lambda: check_name(name, ""),
        }
        for field, check in checks.items():
            try:
                check()
            except DataError as error:
                yield Fault(lines.get(field, line), str(error).removeprefix(": ").rstrip("."))
        yield from _ranges(plugin, lines)
        other = self._distributions.setdefault(plugin.distribution, name)
        if other != name:
            yield Fault(lines["distribution"], f"'{other}' has the distribution {plugin.distribution} too")
        yield from self._provided(name, plugin, lines.get("provides", line))
        for track, sha in plugin.task_sets.items():
            if track not in plugin.provides.get("tracks", ()) or not _SHA.fullmatch(sha):
                yield Fault(lines["task_sets"], f"'{track}' is no track that it provides, or {sha!r} is no SHA-256")

    def _provided(self, name: str, plugin: KnownPlugin, line: int) -> Iterator[Fault]:
        for kind, names in plugin.provides.items():
            if kind not in KINDS:
                yield Fault(line, _unknown("kind", kind, tuple(KINDS)))
            for one in names:
                other = self._offered.setdefault((kind, one), name)
                if other != name or names.count(one) > 1:
                    yield Fault(line, f"{kind}: '{one}' is offered by '{other}' too, or twice")


def _ranges(plugin: KnownPlugin, lines: Mapping[str, int]) -> Iterator[Fault]:
    try:
        wanted = SpecifierSet(plugin.core)
    except InvalidSpecifier:
        yield Fault(lines["core"], f"{plugin.core!r} is no version range: write '>=0.1,<0.2'")
    else:
        if not any(part.operator in {">=", "==", "~=", ">"} for part in wanted):
            yield Fault(lines["core"], f"{plugin.core!r} names no oldest version of recfw: write '>=0.1,<0.2'")
    if len(plugin.summary) > LONGEST or "\n" in plugin.summary or not plugin.summary.strip():
        yield Fault(lines["summary"], f"the summary must be one line of at most {LONGEST} characters")


def _parts(node: yaml.MappingNode) -> dict[str, tuple[int, yaml.Node]]:
    return {str(key.value): (key.start_mark.line + 1, value) for key, value in node.value}


def _value(node: yaml.Node) -> Any:
    return yaml.constructor.SafeConstructor().construct_document(node)


def _unknown(what: str, name: str, known: Sequence[str]) -> str:
    hint = suggestion(name, known).removesuffix("?")
    return f"unknown {what} '{name}' (known: {', '.join(known)})" + (f"; {hint[0].lower()}{hint[1:]}?" if hint else "")
