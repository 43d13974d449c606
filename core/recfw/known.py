"""registry.yaml: the plugins that are known to exist, installed or not, and how to install them."""

import difflib
import re
import shlex
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from attrs import Factory, field, frozen, validators

from recfw.errors import DataError, words_of
from recfw.serialize import from_data

SCHEMA = 1
STATUSES = ("stable", "beta", "planned")

_NAME = re.compile(r"[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?")
_PATH = re.compile(r"(\./|/)[\w.+-][\w.+/-]*")
_URL = re.compile(r"(git\+)?https://[A-Za-z0-9][A-Za-z0-9.:-]*/[\w.~/@#=+%-]*")
_HOMEPAGE = re.compile(r"https://[A-Za-z0-9][A-Za-z0-9.:-]*(/[\w.~/@#=+%?&,-]*)?", re.ASCII)
_REQUIREMENT = re.compile(rf"{_NAME.pattern}(\[[A-Za-z0-9,._-]+\])? @ {_URL.pattern}")


@frozen
class KnownPlugin:
    """
    One entry of registry.yaml.

    Args:
        distribution: The name under which pip knows it once it is installed.
        source: Where pip finds it (:func:`check_source`). Never a bare name that nobody owns.
        provides: Kind of component -> names.
        core: Version range of recfw that it works with.
        status: One of ``STATUSES``.
        summary: One line.
        homepage: An https:// address, or a page beside the registry (``./README.md``); may be empty.
        task_sets: Track -> content digest of its default tasks, as reports show it; may be empty.
    """

    distribution: str
    source: str
    core: str
    status: str = field(validator=validators.in_(STATUSES))
    summary: str
    provides: dict[str, tuple[str, ...]] = Factory(dict)
    homepage: str = ""
    task_sets: dict[str, str] = Factory(dict)

    def how_to_install(self, what: str) -> str:
        """Return a sentence that names the distribution and the command that installs it, as a shell takes it."""
        command = f"pip install {shlex.quote(self.source)}"  # unquoted, `name @ https://…` would be three requirements
        if self.status == "planned":
            words = f"{what} will be provided by the distribution {self.distribution}, which is planned."
            return f"{words} Once it is released, install it with: {command}"
        return f"{what} is provided by the distribution {self.distribution}. Install it with: {command}"


@frozen
class _File:
    schema: int
    plugins: dict[str, KnownPlugin]


def read_registry(text: str, where: str = "registry.yaml") -> Mapping[str, KnownPlugin]:
    """
    Return the entries of a registry file, by plugin name.

    Raises:
        DataError: It is no YAML, a key comes twice, or an entry lacks a field, has one too many or a wrong type.
    """
    import yaml  # noqa: PLC0415 - 15 ms that only errors and `recfw plugins` need

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        if any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(text, Loader=loader)):
            raise DataError(f"{where}: holds a YAML alias (*name), which can make a small file huge.", "Write it out.")
        for line, key in keys_twice(yaml.compose(text, Loader=loader)):
            hint = "YAML would silently take the last: keep one."
            raise DataError(f"{where}: line {line}: the key '{key}' comes twice.", hint)
        data: Any = yaml.load(text, Loader=loader)  # noqa: S506 - safe loaders
    except yaml.YAMLError as error:
        raise DataError(f"{where}: no valid YAML ({' '.join(str(error).split())}).") from error
    except (ValueError, LookupError, AttributeError) as error:  # by PyYAML itself, of such as 2026-13-01 or !!bool x
        told = f"{where}: holds a date, number or tag that cannot be read ({words_of(error)})."
        raise DataError(told, "`recfw registry check FILE` names its line.") from error
    if not isinstance(data, dict):
        raise DataError(f"{where}: a mapping with 'schema' and 'plugins' is expected, not {_said(data)}.")
    found = from_data(data, _File, where)
    if found.schema != SCHEMA:
        raise DataError(f"{where}: schema {found.schema} is not known to this version.", "Upgrade recfw.")
    for name, plugin in found.plugins.items():
        for word in (name, plugin.distribution):
            check_name(word, f"{where}: plugin {name!r}")
        check_source(plugin.source, f"{where}: plugin '{name}'", plugin.distribution)
        check_homepage(plugin.homepage, f"{where}: plugin '{name}'")
    return found.plugins


def keys_twice(node: Any) -> Iterator[tuple[int, str]]:
    """Yield line and name of the keys that come twice in one mapping of a YAML node (None: of an empty text)."""
    inner = getattr(node, "value", None)
    items = inner if isinstance(inner, list) else []
    seen: set[str] = set()
    for key in (item[0] for item in items if isinstance(item, tuple)):
        if str(key.value) in seen:
            yield key.start_mark.line + 1, str(key.value)
        seen.add(str(key.value))
    for item in items:
        yield from keys_twice(item[1] if isinstance(item, tuple) else item)


def check_name(word: str, where: str) -> None:
    """Refuse a plugin's name or distribution that no Python distribution could have; DataError."""
    if not _NAME.fullmatch(word):
        raise DataError(f"{where}: {word!r} is no name of a Python distribution.")


def check_source(source: str, where: str, distribution: str = "") -> None:
    """
    Refuse a source that pip would not take for what it seems to be, or that names another distribution than its entry.

    It is a path (``./folder``, which is found in a checkout of the registry's own repository, or ``/folder``), an
    address (``https://…``, ``git+https://…``) or ``name @ address``. Options of pip, names without an address, accounts
    in an address, ``..`` and whatever means something to a shell are none of these.

    Raises:
        DataError: It is something else.
    """
    forms = (_PATH, _URL, _REQUIREMENT)
    odd = ".." in re.split(r"[/@]", source) or "@-" in source  # a revision that git would take for an option
    if odd or not any(form.fullmatch(source) for form in forms):
        hint = "Write ./folder, https://…, git+https://… or 'name @ https://…'."
        raise DataError(f"{where}: the source {source!r} is none that can be installed safely.", hint)
    said = re.split(r"[\[ ]", source)[0] if _REQUIREMENT.fullmatch(source) else ""
    if said and distribution and _plain_name(said) != _plain_name(distribution):
        raise DataError(
            f"{where}: the source {source!r} is one of the distribution {said}, not {distribution}.",
            "Let both name the distribution that is installed.",
        )


def _plain_name(distribution: str) -> str:
    """Return a distribution's name as pip compares it."""
    return re.sub(r"[-_.]+", "-", distribution).lower()


def check_homepage(homepage: str, where: str) -> None:
    """Refuse a homepage that is neither an https:// address nor a page beside the registry (``./…``); DataError."""
    beside = homepage.startswith("./") and _PATH.fullmatch(homepage) and ".." not in homepage
    if homepage and not (beside or _HOMEPAGE.fullmatch(homepage)):
        raise DataError(
            f"{where}: the homepage {homepage!r} is no https:// address, and no ./page beside the registry."
        )


def _said(data: Any) -> str:
    return "an empty file" if data is None else f"a {type(data).__name__}"


@cache
def known_plugins() -> Mapping[str, KnownPlugin]:
    """Return the entries of the packaged registry.yaml."""
    return read_registry(files("recfw").joinpath("registry.yaml").read_text(encoding="utf-8"))


def suggestion(name: str, known: Iterable[str]) -> str:
    """Return "Did you mean …?" for a mistyped name; empty where no known one is close."""
    close = difflib.get_close_matches(name, list(known), 1)
    return f"Did you mean '{close[0]}'?" if close else ""
