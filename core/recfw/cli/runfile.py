"""Run files: what ``recfw run --config`` reads, checked by type, file and key named in every refusal."""

import stat
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NoReturn

from recfw.errors import DataError, reading_fault
from recfw.known import suggestion

LARGEST_FILE = 1_000_000
"""Bytes of a run file at most; what people write has some hundred."""
DEEPEST, MOST_VALUES = 20, 100_000
"""Levels of nesting and number of values at most, aliases counted wherever they are used."""

ROLES = ("agent", "user")
SHORTCUTS = ("interface", "retriever", "catalog", "data")
ASKED = ("plugin", "track", "roles", *ROLES, "options", *SHORTCUTS, "set", "tasks", "trials", "seed", "judges")
"""Keys that say what is asked: part of a run's identity."""
CARRIED = ("store", "concurrency", "workers", "executor")
"""Keys that say how a run is carried out: no part of its identity."""
KEYS = (*ASKED, *CARRIED)


def read_config(path: str) -> dict[str, Any]:
    """
    Return a run file's content: texts, whole numbers, and tuples of values where several may stand.

    ``agent`` and ``user`` are found under ``roles``; ``interface``, ``retriever``, ``catalog`` and ``data`` under
    ``options``.

    Raises:
        DataError: It cannot be read, is no YAML mapping, has an unknown key, or holds a value of another type.
    """
    data = _parsed(path)
    if not isinstance(data, dict):
        raise DataError(f"{path}: a mapping with any of {', '.join(KEYS)} is expected.")
    reader = _Reader(path)
    reader.check_size(data)
    for key in data:
        if key not in KEYS:
            raise DataError(f"{path}: unknown key '{key}' (known: {', '.join(KEYS)}).", suggestion(str(key), KEYS))
    found = {key: _READ[key](reader, value, key) for key, value in data.items()}
    for whole, short in (("roles", ROLES), ("options", SHORTCUTS)):
        for key in short:
            if key in found and key in found.get(whole, {}):
                raise DataError(f"{path}: '{key}' and '{whole}.{key}' say the same.", "Keep one of them.")
            if key in found:
                found[whole] = {**found.get(whole, {}), key: found.pop(key)}
    return found


def _parsed(path: str) -> Any:
    import yaml  # noqa: PLC0415 - needed only with --config

    try:
        status = Path(path).stat()
        if not stat.S_ISREG(status.st_mode):
            raise DataError(f"{path}: a run file is a regular file, which this is not.")
        if status.st_size > LARGEST_FILE:
            raise DataError(f"{path}: {status.st_size:,} bytes are too many: a run file has at most {LARGEST_FILE:,}.")
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"{path}: the run file cannot be read: {reading_fault(error)}.") from error
    except ValueError as error:
        raise DataError(f"{path!r}: the name of the run file holds a zero character, which no name may.") from error
    try:
        return yaml.safe_load(text)
    except RecursionError as error:
        raise DataError(f"{path}: the run file is nested too deeply.") from error
    except (yaml.YAMLError, ValueError, OverflowError) as error:  # also of tags: !!int and dates that are none
        raise DataError(f"{path}: no valid YAML ({' '.join(str(error).split())}).") from error


class _Reader:
    """The checks of one file."""

    def __init__(self, path: str) -> None:
        self._path = path

    def refuse(self, key: str, value: Any, wanted: str) -> NoReturn:
        shown = "nothing" if value is None else repr(value)
        shown = shown if len(shown) <= 80 else f"{shown[:80]}…"
        raise DataError(f"{self._path}: '{key}' must be {wanted}, not {shown}.")

    def check_size(self, data: Any) -> None:
        """Refuse what is nested deeply, refers to itself, or multiplies by aliases."""
        waiting, met = [(data, 0)], 0
        while waiting:
            value, depth = waiting.pop()
            met += 1
            if depth > DEEPEST or met > MOST_VALUES:
                raise DataError(f"{self._path}: the run file is nested too deeply, or refers to itself.")
            if isinstance(value, dict):
                waiting += [(item, depth + 1) for pair in value.items() for item in pair]
            elif isinstance(value, list | tuple | set):
                waiting += [(item, depth + 1) for item in value]

    def text(self, value: Any, key: str) -> str:
        if not isinstance(value, str) or not value:
            self.refuse(key, value, "a text")
        return value

    def number(self, value: Any, key: str, least: int | None = None) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or (least is not None and value < least):
            self.refuse(key, value, "a whole number" + ("" if least is None else f", {least} or more"))
        return value

    def texts(self, value: Any, key: str) -> tuple[str, ...]:
        """Return one text or a list of them, perhaps empty."""
        if not isinstance(value, str | list):
            self.refuse(key, value, "a text or a list of texts")
        return tuple(self.text(item, key) for item in _many(value))

    def names(self, value: Any, key: str) -> tuple[str, ...]:
        """Return one name or a list of them, of which several make a matrix."""
        if value == []:
            self.refuse(key, value, "a name or a list of names")
        return self.texts(value, key)

    def some(self, value: Any, key: str) -> tuple[Any, ...]:
        """Return one value or a list of them, which makes a matrix."""
        if value == []:
            self.refuse(key, value, "a value or a list of values")
        return _many(value)

    def mapping(self, value: Any, key: str, check: Callable[[Any, str], Any]) -> dict[str, Any]:
        """Return name -> checked value."""
        if not isinstance(value, dict):
            self.refuse(key, value, "a mapping")
        for name in value:
            if not isinstance(name, str) or not name:
                self.refuse(key, name, "a mapping whose keys are texts")
        return {name: check(item, f"{key}.{name}") for name, item in value.items()}

    def roles(self, value: Any, key: str) -> dict[str, Any]:
        return self.mapping(value, key, self.names)

    def options(self, value: Any, key: str) -> dict[str, Any]:
        return self.mapping(value, key, self.some)

    def settings(self, value: Any, key: str) -> dict[str, Any]:
        found = self.mapping(value, key, self.options)
        for name in found.get("limits", {}):
            given = value["limits"][name]
            if isinstance(given, bool) or not isinstance(given, int | float):
                self.refuse(f"{key}.limits.{name}", given, "a number")
        return found


def _many(value: Any) -> tuple[Any, ...]:
    return tuple(value) if isinstance(value, list) else (value,)


_READ: Mapping[str, Callable[[_Reader, Any, str], Any]] = {
    **dict.fromkeys(("plugin", "track", "store", "executor"), _Reader.text),
    **dict.fromkeys(("tasks", "judges"), _Reader.texts),
    **dict.fromkeys(ROLES, _Reader.names),
    **dict.fromkeys(SHORTCUTS, _Reader.some),
    "roles": _Reader.roles,
    "options": _Reader.options,
    "set": _Reader.settings,
    "trials": _Reader.number,
    "seed": _Reader.number,
    "concurrency": lambda reader, value, key: reader.number(value, key, 1),
    "workers": lambda reader, value, key: reader.number(value, key, 0),
}
