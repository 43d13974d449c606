"""Reads the YAML files of a scene, and names the file and the field where one is wrong."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from recfw.errors import DataError, UsageError
from recfw_situated.scenes.records import Color

DATA = Path(__file__).parent / "data"
SCENES = ("supermarket", "furnishings")


def folder_of(scene: str) -> Path:
    """
    Return the folder of a shipped scene's name or of a path to one's own.

    Raises:
        UsageError: Neither a scene that ships with this plugin nor a folder with a `scene.yaml`.
    """
    own = Path(scene)
    if scene in SCENES:
        return DATA / scene
    if (own / "scene.yaml").is_file():
        return own.resolve()
    known = ", ".join(SCENES)
    if own.is_dir():
        words = f"{scene}: the folder holds no scene.yaml, so it is no scene (known by name: {known})."
        raise UsageError(words, "A scene of one's own is a folder with scene.yaml, products.yaml and tags.yaml.")
    raise UsageError(f"no scene '{scene}' (known: {known}).", "A scene of one's own is a folder that holds scene.yaml.")


def read_yaml(path: Path) -> Any:
    """
    Return the content of a YAML file.

    Raises:
        DataError: The file is missing or is no YAML.
    """
    import yaml  # noqa: PLC0415 - only a process that opens a scene needs it

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        return yaml.load(path.read_text(encoding="utf-8"), Loader=loader)  # noqa: S506 - a safe loader, the fast one
    except OSError as error:
        raise DataError(f"{path}: cannot be read ({error.strerror}).") from error
    except yaml.YAMLError as error:
        raise DataError(f"{path}: is not valid YAML: {error}") from error


@cache
def paints() -> Mapping[str, Color]:
    """Return the named paints."""
    held = read_yaml(DATA / "paints.yaml")
    return {name: (rgb[0], rgb[1], rgb[2]) for name, rgb in held.items()}


@cache
def models() -> Mapping[str, tuple[tuple[Any, ...], ...]]:
    """Return every model's solids: (shape, left, right, back, front, bottom, top, paint, faces)."""
    held = read_yaml(DATA / "models.yaml")
    return {
        name: tuple((*solid, "") if len(solid) == 8 else tuple(solid) for solid in solids)
        for name, solids in held.items()
    }


class Entry:
    """
    One mapping of a scene file, read field by field; every error names the file and the entry.

    Args:
        where: The file and the entry, for errors.
        fields: The mapping.
    """

    def __init__(self, where: str, fields: Any) -> None:
        if not isinstance(fields, dict):
            raise DataError(f"{where}: must be a mapping of fields, not {type(fields).__name__}.")
        self.where = where
        self.fields = dict(fields)

    def error(self, words: str, hint: str = "") -> DataError:
        """Return an error that names this entry."""
        return DataError(f"{self.where}: {words}", hint)

    def take(self, name: str, kind: type | tuple[type, ...], default: Any = ...) -> Any:
        """Return a field of some type and count it as read; without a default it is required."""
        if name not in self.fields:
            if default is ...:
                raise self.error(f"the field '{name}' is missing.")
            return default
        value = self.fields.pop(name)
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            wanted = " or ".join(one.__name__ for one in (kind if isinstance(kind, tuple) else (kind,)))
            raise self.error(f"'{name}' must be {wanted}, not {value!r}.")
        return value

    def text(self, name: str, default: Any = ...) -> str:
        """Return a text."""
        return str(self.take(name, str, default))

    def number(self, name: str, default: Any = ...) -> float:
        """Return a number."""
        return float(self.take(name, (int, float), default))

    def numbers(self, name: str, count: int, default: Any = ...) -> tuple[float, ...]:
        """Return a list of so many numbers."""
        held = self.take(name, list, default)
        if len(held) != count or not all(isinstance(one, int | float) and not isinstance(one, bool) for one in held):
            raise self.error(f"'{name}' must be a list of {count} numbers, not {held!r}.")
        return tuple(float(one) for one in held)

    def done(self) -> None:
        """Raise for fields that nothing has read."""
        if self.fields:
            raise self.error(f"unknown field {', '.join(repr(name) for name in sorted(self.fields))}.")
