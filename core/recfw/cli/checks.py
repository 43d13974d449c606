"""Checks of the installation: versions, plugins one by one, and code that runs whenever Python starts."""

import base64
import hashlib
import platform
import sys
import sysconfig
import time
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution, distributions, version
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import click

from recfw.cli.findings import Finding, note, ok, wrong
from recfw.errors import PluginError
from recfw.hookspecs import HOOK_API
from recfw.known import known_plugins
from recfw.plugins import Manager, Plugin, build_manager, declared_core, disabled_by
from recfw.registry import KINDS, Registry

if TYPE_CHECKING:
    from packaging.specifiers import SpecifierSet

TOOLS = {"_virtualenv.pth": b"import _virtualenv"}
""".pth files that tools write without listing them, and their whole text."""
RELEASED = 1764460800.0
"""A day on which this code existed already, in seconds since the epoch: a clock before it is wrong."""


def installation(ctx: click.Context) -> Iterator[Finding]:
    """Yield what there is to say about the installation."""
    yield ok("python", f"{platform.python_version()} on {platform.system()} ({sys.executable})")
    yield ok("recfw", f"{version('recfw')}, hook interface {HOOK_API} ({Path(__file__).parents[1]})")
    failures: dict[str, PluginError] = {}
    manager = build_manager(failures=failures)
    ctx.find_root().obj = manager
    yield from _plugins(manager, failures)
    yield from _startup_code()
    yield from _clock()


def _plugins(manager: Manager, failures: dict[str, PluginError]) -> Iterator[Finding]:
    for error in failures.values():
        yield wrong("plugin", error.message.rstrip("."), error.hint)
    for plugin in manager.plugins.values():
        yield _plugin(plugin)
    try:
        for kind in KINDS:
            Registry(manager).names(kind)
    except PluginError as error:
        if "both offer" in error.message:  # everything else was told of the plugin alone
            yield wrong("plugins", error.message.rstrip("."), error.hint)
    for words in manager.leaving:
        yield note("plugin", words.rstrip("."), "Upgrade it before recfw, or tell those who keep it.")
    if manager.disabled:
        yield note("plugins", f"disabled: {', '.join(manager.disabled)}", disabled_by(manager.disabled))
    planned = {name for name, plugin in known_plugins().items() if plugin.status == "planned"}
    missing = [n for n in known_plugins() if n not in {*manager.plugins, *manager.disabled, *failures, *planned}]
    if missing:
        yield note("plugins", f"known, not installed: {', '.join(missing)}", "`recfw plugins install NAME` gets one.")


def _plugin(plugin: Plugin) -> Finding:
    """Ask one plugin, alone, for everything that it offers."""
    alone = Manager()
    alone.add(plugin)
    registry = Registry(alone)
    try:
        offers = {kind: names for kind in KINDS if (names := registry.names(kind))}
        list(alone.collect("recfw_register_commands"))
    except PluginError as error:
        return wrong("plugin", error.message.rstrip("."), error.hint)
    where = f"{plugin.distribution} {plugin.version}" if plugin.distribution else "a module, no distribution"
    many = ", ".join(f"{len(names)} {kind}" for kind, names in offers.items()) or "hooks only"
    wanted = _wanted(plugin.distribution)
    if wanted is not None and not wanted.contains(version("recfw"), prereleases=True):
        words = f"{plugin.name} ({where}) requires recfw{wanted}, and this is {version('recfw')}"
        return note("plugin", words, "They may not fit: take another release of either.")
    return ok("plugin", f"{plugin.name} ({where}): {many}")


def _wanted(name: str) -> "SpecifierSet | None":
    """Return the versions of recfw that a distribution requires; None where it, or what it requires, is unknown."""
    try:
        return declared_core(distribution(name)) if name else None
    except PackageNotFoundError:  # taken away while it was loaded
        return None


# --- Code that runs whenever Python starts ----------------------------------------------------------------------------


def _startup_code() -> Iterator[Finding]:
    """
    Look for code that Python runs at every start and that no installed distribution owns.

    Stolen packages have hidden theirs in ``.pth`` files and in ``sitecustomize``.
    """
    folders = sorted({Path(sysconfig.get_path(kind)) for kind in ("purelib", "platlib")})
    owned = _owned(folders)
    suspects = [path for folder in folders for path in sorted(folder.glob("*.pth"))]
    suspects += [path for name in ("sitecustomize", "usercustomize") for path in _module(name, folders)]
    odd = list(filter(None, (_odd(path, owned) for path in suspects)))
    yield from odd
    if not odd:
        yield ok("start-up", f"{len(suspects)} files that Python runs at its start, all of installed distributions")


def _module(name: str, folders: list[Path]) -> list[Path]:
    spec = find_spec(name)
    path = Path(spec.origin) if spec and spec.origin else None
    return [path] if path and path.parent in folders else []


def _owned(folders: list[Path]) -> dict[Path, tuple[str, str]]:
    """Return each file beside the packages that a distribution lists -> its hash there, and the distribution."""
    found = {}
    for dist in distributions(path=list(map(str, folders))):
        for file in dist.files or []:
            if file.suffix in {".pth", ".py"} and len(file.parts) == 1:
                told = file.hash.value if file.hash and file.hash.mode == "sha256" else ""
                found[Path(str(file.locate()))] = (told, _name(dist))
    return found


def _name(dist: Distribution) -> str:
    return str(dist.metadata["Name"])


def _odd(path: Path, owned: dict[Path, tuple[str, str]]) -> Finding | None:
    try:
        data = path.read_bytes()
    except OSError as error:
        return note("start-up", f"{path} cannot be read ({error.strerror})")
    if path in owned:
        told, name = owned[path]
        same = not told or base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode() == told
        hint = f"Read it. If you did not change it, install {name} afresh and change the keys that were in reach."
        return None if same else wrong("start-up", f"{path} is not as {name} installed it", hint)
    if TOOLS.get(path.name) == data.strip():
        return None
    runs = path.suffix == ".py" or any(line.startswith((b"import ", b"import\t")) for line in data.splitlines())
    if not runs:
        return note("start-up", f"{path} belongs to no installed distribution, and only adds folders")
    return wrong(
        "start-up",
        f"{path} runs at every start of Python and belongs to no installed distribution",
        "Read it. If you did not write it, remove it, and change the keys that were in reach.",
    )


def _clock() -> Iterator[Finding]:
    now = time.time()
    words = time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime(now))
    if now < RELEASED:
        yield wrong("clock", f"says {words}, which is long past", "Set it: run ids and their order come from it.")
    else:
        yield ok("clock", words)
