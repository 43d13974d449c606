"""
Defaults from configuration files: where they are found, what may stand in them, and what becomes of it.

Two files are read, the person's own and the project's; the project's wins, key by key. Sections are commands, keys are
their options without the dashes. What is typed wins over environment variables, and these over the files.
"""

import os
import re
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NoReturn

import click
from attrs import field, frozen

from recfw.cli.lazy import LazyGroup, below
from recfw.errors import DataError, reading_fault
from recfw.known import suggestion

PROJECT_FILE = "recfw.toml"
FILE_VARIABLE = "RECFW_CONFIG_FILE"
LARGEST_FILE = 1_000_000
"""Bytes of a configuration file at most."""

SHARED = {
    "store": "RECFW_STORE",
    "disable-plugins": "RECFW_DISABLE_PLUGINS",
    "registries": "RECFW_REGISTRY",
    "log-level": "RECFW_LOG_LEVEL",
    "color": "RECFW_COLOR",
    "quiet": "RECFW_QUIET",
}
"""Keys that stand above all sections -> the environment variable that says the same."""
COLORS = ("auto", "always", "never")
LEVELS = ("debug", "info", "warning", "error")
"""Those of :mod:`recfw.executors.logs`, which is imported only where something is logged."""
NO_DEFAULT = ("help", "version", "yes", "sign-off", "resume", "dry-run", "calibrate", "store", "config", "json")
"""Options that say what one command shall do now (``store`` stands above the sections): they have no default."""

_SECRET = re.compile(r"(api_?key|password|passwd|secret|auth_?token|access_?token)[a-z_]*\s*=", re.IGNORECASE)
_ACCOUNT = re.compile(r"://[^/@\s]*:[^/@\s]+@")


@frozen
class Setting:
    """A value that a configuration file gives: ``key`` is its name with its section, such as ``run.concurrency``."""

    key: str
    value: Any
    file: str


@frozen
class Settings:
    """
    What the configuration files say, the last one winning.

    Args:
        files: The files that were read, in order.
        values: Key, with its section -> what is said, unchecked.
    """

    files: tuple[str, ...] = ()
    values: Mapping[str, Setting] = field(factory=dict)

    def below(self, section: str) -> list[Setting]:
        """Return what stands in a section or in one within it."""
        return [setting for key, setting in self.values.items() if key.startswith(f"{section}.")]

    def shared(self) -> dict[str, Setting]:
        """
        Return what stands above all sections, checked.

        Raises:
            DataError: A key is unknown, or its value is of another type.
        """
        found = {key: setting for key, setting in self.values.items() if "." not in key}
        for key, setting in found.items():
            if key not in SHARED:
                known = ", ".join(SHARED)
                hint = suggestion(key, SHARED) or "Options of one command stand in its section, such as [run]."
                raise DataError(f"{setting.file}: unknown key '{key}' (known outside sections: {known}).", hint)
            _check_shared(setting)
        return found


def config_files(environ: Mapping[str, str], here: Path) -> list[Path]:
    """
    Return the configuration files that are there, the weakest first.

    The person's own is ``recfw/config.toml`` in ``XDG_CONFIG_HOME`` or ``~/.config``. The project's is ``recfw.toml``
    in this folder or, within a checkout of git, in the nearest folder above that has one. ``RECFW_CONFIG_FILE`` names
    the only one to be read instead of both.
    """
    if named := environ.get(FILE_VARIABLE):
        return [Path(named)]
    home = Path(environ.get("XDG_CONFIG_HOME") or Path(environ.get("HOME") or "~").expanduser() / ".config")
    found = [home / "recfw" / "config.toml", *_project_file(here)]
    return [path for path in found if path.is_file()]


def current_folder() -> Path:
    """Return the current folder; DataError where it was deleted under us."""
    try:
        return Path.cwd()
    except FileNotFoundError as error:
        raise DataError("the current folder is not there any more.", "Change to one that is.") from error


def _project_file(here: Path) -> list[Path]:
    folders = [here, *here.parents]
    top = next((number for number, folder in enumerate(folders) if (folder / ".git").exists()), 0)
    return [path for folder in folders[: top + 1] if (path := folder / PROJECT_FILE).is_file()][:1]


def read_settings(environ: Mapping[str, str] | None = None, here: Path | None = None) -> Settings:
    """
    Read the configuration files.

    Raises:
        DataError: One cannot be read, is no TOML, or holds what looks like a secret.
    """
    files = config_files(os.environ if environ is None else environ, here or current_folder())
    values: dict[str, Setting] = {}
    for path in files:
        for key, value in _flat(_parsed(path)):
            _refuse_texts(key, value, str(path))
            values[key] = Setting(key, _at_home(key, value, path), str(path))
    return Settings(tuple(map(str, files)), values)


def _parsed(path: Path) -> dict[str, Any]:
    import tomllib  # noqa: PLC0415 - only where there is a file

    try:
        mode = path.stat().st_mode
        if not (stat.S_ISREG(mode) or stat.S_ISCHR(mode)):  # a pipe would be waited for; /dev/null says nothing
            raise DataError(f"{path}: a configuration file is a regular file, which this is not.")
        with path.open("rb") as file:
            data = file.read(LARGEST_FILE + 1)  # a device may have no end
        if len(data) > LARGEST_FILE:
            raise DataError(f"{path}: is too large for a configuration file ({LARGEST_FILE:,} bytes at most).")
        return tomllib.loads(data.decode("utf-8-sig"))
    except tomllib.TOMLDecodeError as error:
        raise DataError(f"{path}: no valid TOML ({error}).", "Texts stand in quotes.") from error
    except (OSError, ValueError, RecursionError) as error:
        hint = f"Mend {FILE_VARIABLE}, or unset it." if os.environ.get(FILE_VARIABLE) else ""
        raise DataError(f"{path}: the configuration file cannot be read: {reading_fault(error)}.", hint) from error


def _flat(table: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in table.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{above}{key}.")
        else:
            yield f"{above}{key}", value


def _refuse_texts(key: str, value: Any, file: str) -> None:
    for text in value if isinstance(value, list) else [value]:
        if isinstance(text, str) and "\0" in text:
            raise DataError(f"{file}: '{key}' holds a zero character, which no value may.")
        if isinstance(text, str) and (_SECRET.search(text) or _ACCOUNT.search(text)):
            message = f"{file}: '{key}' holds what looks like a password or a key, which this file is not for."
            raise DataError(message, "Keep it in an environment variable.")


def _at_home(key: str, value: Any, path: Path) -> Any:
    """Return a store's path as seen from the file that names it."""
    if key != "store" or not isinstance(value, str) or "://" in value or not value:
        return value
    return str(_seen_from(path, value))


def _seen_from(path: Path, value: str) -> Path:
    try:
        return path.absolute().parent / Path(value).expanduser()
    except RuntimeError as error:
        raise DataError(f"{path}: '{value}' names the home of a user who is not known here.") from error


def _check_shared(setting: Setting) -> None:
    choices = {"color": COLORS, "log-level": LEVELS}.get(setting.key)
    value = setting.value
    if choices and value not in choices:
        refuse(setting, f"one of {', '.join(choices)}")
    if setting.key == "quiet" and not isinstance(value, bool):
        refuse(setting, "true or false")
    if setting.key == "store" and (not isinstance(value, str) or not value):
        refuse(setting, "a text")
    if setting.key == "disable-plugins" and not (isinstance(value, list) and all(isinstance(n, str) for n in value)):
        refuse(setting, "a list of names")
    if setting.key == "registries" and not (isinstance(value, list) and all(isinstance(n, str) and n for n in value)):
        refuse(setting, "a list of files")


def refuse(setting: Setting, wanted: str) -> NoReturn:
    """Raise DataError: a value is not what its key wants."""
    shown = repr(setting.value)
    shown = shown if len(shown) <= 80 else f"{shown[:80]}…"
    raise DataError(f"{setting.file}: '{setting.key}' must be {wanted}, not {shown}.")


# --- A command's own section ------------------------------------------------------------------------------------------


def option_name(option: click.Option) -> str:
    """Return an option's longest name without its dashes."""
    return max(option.opts, key=len).lstrip("-")


def takes_default(option: click.Option) -> bool:
    """Tell whether an option may have a default in a file or a variable."""
    return option_name(option) not in NO_DEFAULT and not option.hidden


def options_of(command: click.Command, path: str) -> dict[str, click.Option]:
    """Return key with section -> option, of a command and those below it."""
    found = _own_options(command, path)
    if isinstance(command, click.Group):
        for name, inner in below(command).items():
            found |= options_of(inner, f"{path}.{name}")
    return found


def _own_options(command: click.Command, path: str) -> dict[str, click.Option]:
    options = [p for p in command.params if isinstance(p, click.Option) and takes_default(p)]
    return {f"{path}.{option_name(option)}": option for option in options}


def variable_of(key: str) -> str:
    """Return the environment variable of an option: that of ``runs.list.all`` ends in ``_RUNS_LIST_ALL``."""
    return "RECFW_" + re.sub(r"[^A-Z0-9]", "_", key.upper())


def name_variables(command: click.Command, path: str) -> None:
    """Let every option of a command be set by its environment variable."""
    for key, option in _own_options(command, path).items():
        if option.envvar is None:
            option.envvar = variable_of(key)
    if isinstance(command, LazyGroup):
        command.prepare(lambda name, inner: name_variables(inner, f"{path}.{name}"))
    elif isinstance(command, click.Group):
        for name, inner in command.commands.items():
            name_variables(inner, f"{path}.{name}")


def defaults_of(command: click.Command, path: str, settings: Settings) -> dict[str, Any]:
    """
    Return a command's defaults as click's ``default_map`` takes them.

    Raises:
        DataError: A key is unknown, or its value is none that the option takes.
    """
    said = list(settings.below(path))
    options = options_of(command, path) if said else {}  # to know them all, a lazy group imports all its commands
    found: dict[str, Any] = {}
    for setting in said:
        if setting.key not in options:
            _refuse_key(setting, options)
        option = options[setting.key]
        at = found
        for section in setting.key.split(".")[1:-1]:
            at = at.setdefault(section, {})
        at[str(option.name)] = checked_value(option, setting)
    return found


def _refuse_key(setting: Setting, options: Mapping[str, click.Option]) -> NoReturn:
    section, _, key = setting.key.rpartition(".")
    if key == "store":
        raise DataError(f"{setting.file}: '{setting.key}': the store is the same for all commands.",
                        "Write it above all sections.")  # fmt: skip
    if key in NO_DEFAULT:
        raise DataError(f"{setting.file}: '{setting.key}' has no default: it is said each time.")
    known = [name.rpartition(".")[2] for name in options if name.rpartition(".")[0] == section]
    if not known:
        sections = dict.fromkeys(name.rpartition(".")[0] for name in options)
        hint = suggestion(section, sections)
        raise DataError(f"{setting.file}: no command has the section [{section}].", hint)
    raise DataError(f"{setting.file}: unknown key '{setting.key}' (known: {', '.join(known)}).", suggestion(key, known))


def checked_value(option: click.Option, setting: Setting) -> Any:
    """Return a file's value as an option takes it: of the type that TOML can say, and within its bounds."""
    given = setting.value
    if option.multiple:
        values = given if isinstance(given, list) else [given]
        return tuple(_one(option, setting, value) for value in values)
    return _one(option, setting, given)


def _one(option: click.Option, setting: Setting, value: Any) -> Any:
    kind = option.type
    if option.is_flag:
        fits, wanted = isinstance(value, bool), "true or false"
    elif isinstance(kind, click.types.IntParamType):
        fits, wanted = isinstance(value, int) and not isinstance(value, bool), "a whole number"
    elif isinstance(kind, click.types.FloatParamType):
        fits, wanted = isinstance(value, int | float) and not isinstance(value, bool), "a number"
    else:
        fits, wanted = isinstance(value, str) and bool(value), "a text"
    if not fits:
        refuse(setting, wanted + (", or a list of such" if option.multiple else ""))
    if option.metavar in {"FILE", "FOLDER"} or (
        option.metavar == "PATH" and _seen_from(Path(setting.file), value).exists()
    ):
        value = str(_seen_from(Path(setting.file), value))
    try:
        return kind.convert(value, option, None)
    except click.BadParameter as error:
        raise DataError(f"{setting.file}: '{setting.key}': {error.message}") from error
