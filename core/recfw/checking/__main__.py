"""Look at one plugin: ``python -m recfw.checking NAME`` with settings as JSON; findings go to a file descriptor."""

import os
import signal
import sys
import tempfile
import threading
import warnings
from importlib.metadata import Distribution, EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path

import orjson
from attrs import frozen

from recfw.checking.commands import look_at_commands
from recfw.checking.findings import Notes, Section, listed
from recfw.checking.metadata import look_at_metadata
from recfw.checking.offers import Offers, look_at_docs, look_at_names, look_at_options
from recfw.checking.plays import Evidence, look_at_replay, look_at_tasks
from recfw.checking.weight import look_at_weight
from recfw.errors import PluginError
from recfw.hookspecs import HOOK_API
from recfw.plugins import CORE, DISABLE_VARIABLE, EXTRA_VARIABLE, GROUP, Manager, Plugin, build_manager
from recfw.registry import Registry
from recfw.testing.sample import MODULE, SampleTrack

SAMPLE = SampleTrack.name


@frozen
class Settings:
    """
    What is asked.

    Args:
        name: The plugin: an entry point's name, or a module.
        file: File descriptor for findings.
        alive: File descriptor that can be read when whoever asks is gone.
        budget: Milliseconds of CPU that importing the entry point's module may take.
        tasks: How many tasks of a track are played.
    """

    name: str
    file: int
    alive: int
    budget: float
    tasks: int


class Check:
    """One plugin, looked at from all sides."""

    def __init__(self, settings: Settings, folder: Path) -> None:
        self._settings, self._folder = settings, folder
        self._notes = Notes(settings.file)
        self._environ = dict(os.environ)
        found = [entry for entry in entry_points(group=GROUP) if entry.name == settings.name]
        self._entry = found[0] if found else EntryPoint(settings.name, settings.name, GROUP)
        self._distribution: Distribution | None = found[0].dist if found else None

    def run(self) -> None:
        """Look at everything, as far as it goes."""
        notes, name = self._notes, self._settings.name
        notes.begin(Section.IMPORT)
        notes.guarded(
            name, "cannot be measured", lambda: look_at_weight(notes, self._entry.module, self._settings.budget)
        )
        notes.begin(Section.LOAD)
        manager = self._load()
        notes.begin(Section.METADATA)
        notes.guarded(name, "its metadata cannot be read", lambda: look_at_metadata(notes, name, self._distribution))
        if manager is not None:
            self._components(manager, manager.plugins[name])
        notes.end()

    def _load(self) -> Manager | None:
        """Load the plugin beside core and the track ``sample`` alone; None where that fails."""
        name, notes = self._settings.name, self._notes
        needed = _required(self._distribution)
        others = {entry.name for entry in entry_points(group=GROUP)} - {name, CORE} - needed
        os.environ[DISABLE_VARIABLE] = ",".join(sorted(others))
        extra = [MODULE] if self._distribution is not None else [MODULE, name]
        os.environ[EXTRA_VARIABLE] = ",".join(dict.fromkeys(extra))
        failures: dict[str, PluginError] = {}
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            manager = build_manager(failures=failures)
        if name in failures:
            hint = "Mend what the message names; `recfw plugins list --hooks` names all hooks."
            notes.wrong(name, failures[name].message.rstrip("."), hint)
            return None
        old = [str(each.message) for each in told if issubclass(each.category, DeprecationWarning | FutureWarning)]
        for words in dict.fromkeys(old):
            notes.note(name, f"deprecated: {' '.join(words.split())}".rstrip("."))
        hooks = [hook for hook in manager.hooks() if any(p.name == name for p, _, _ in manager.implementations(hook))]
        if not hooks:
            notes.wrong(name, "implements no hook, so it offers nothing", "Mark its functions with @hookimpl.")
        else:
            notes.ok(name, f"fits hook interface {HOOK_API}: {listed(hooks, 12)}")
        return manager

    def _components(self, manager: Manager, plugin: Plugin) -> None:
        notes, alone = self._notes, Manager()
        alone.add(plugin)
        offers: Offers = {}

        def names() -> None:
            nonlocal offers
            offers = look_at_names(notes, alone, plugin.name, self._environ)

        notes.begin(Section.NAMES)
        notes.guarded(plugin.name, "its components cannot be listed", names)
        notes.begin(Section.OPTIONS)
        notes.guarded(plugin.name, "its options cannot be read", lambda: look_at_options(notes, offers))
        notes.begin(Section.DOCS)
        notes.guarded(plugin.name, "its docstrings cannot be read", lambda: look_at_docs(notes, offers, plugin.module))
        notes.guarded(plugin.name, "its commands cannot be read", lambda: look_at_commands(notes, alone))
        registry = Registry(manager)
        evidence = self._tracks(registry, plugin.name, offers)
        notes.begin(Section.CONTRACTS)
        notes.guarded(
            plugin.name, "its contracts cannot be tested", lambda: self._contracts(registry, offers, evidence)
        )

    def _tracks(self, registry: Registry, plugin: str, offers: Offers) -> list[Evidence]:
        """Validate, play and replay the plugin's own tracks; return what was played of them, and of ``sample``."""
        notes, found, tasks = self._notes, list[Evidence](), {}
        names = list(offers.get("tracks", ()))
        notes.begin(Section.TASKS)
        for name in names:

            def look(name: str = name) -> None:
                tasks[name] = look_at_tasks(notes, registry, name)

            notes.guarded(f"track '{name}'", "its tasks cannot be had", look)
        notes.begin(Section.REPLAY)
        for name in names:

            def again(name: str = name) -> None:
                content, size = tasks.get(name, []), self._settings.tasks
                found.append(look_at_replay(notes, registry, plugin, name, content, self._folder, size))

            notes.guarded(f"track '{name}'", "cannot be played", again)
        quiet, size = Notes(os.open(os.devnull, os.O_WRONLY)), self._settings.tasks

        def sample() -> None:
            content = look_at_tasks(quiet, registry, SAMPLE)
            found.append(look_at_replay(quiet, registry, MODULE, SAMPLE, content, self._folder, size))

        if SAMPLE not in names:
            quiet.guarded(SAMPLE, "cannot be played", sample)
        return found

    def _contracts(self, registry: Registry, offers: Offers, evidence: list[Evidence]) -> None:
        if find_spec("pytest") is None:
            self._notes.untried("contract suites", "none was run, as pytest is not installed", "pip install pytest")
            return
        from recfw.checking.contracts import run_suites  # noqa: PLC0415 - needs pytest, which core does not require
        from recfw.checking.suites import Suites  # noqa: PLC0415 - likewise

        suites = Suites(self._notes, registry, evidence, self._folder)
        classes = suites.made(offers, self._settings.tasks)
        if classes:
            run_suites(self._notes, classes, suites.subjects, self._folder)


def _required(distribution: Distribution | None) -> set[str]:
    """Return the plugins of the distributions that a distribution requires."""
    wanted = " ".join(distribution.requires or ()) if distribution else ""
    return {e.name for e in entry_points(group=GROUP) if e.dist and e.dist.name != "recfw" and e.dist.name in wanted}


def _end_when_alone(alive: int) -> None:
    """End this process, and whatever the plugin started, when whoever asks is gone."""
    os.read(alive, 1)
    os.killpg(os.getpgrp(), signal.SIGKILL)


def main() -> None:
    """Look at the plugin that the arguments name. This process leads a group of its own."""
    settings = Settings(**orjson.loads(sys.argv[1]))
    threading.Thread(target=_end_when_alone, args=[settings.alive], daemon=True).start()
    with tempfile.TemporaryDirectory(prefix="recfw-check-") as folder:
        Check(settings, Path(folder)).run()


if __name__ == "__main__":
    main()
