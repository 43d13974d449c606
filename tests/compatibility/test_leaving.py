"""An argument of a hook is removed in steps: it warns while it is still given, and is refused when it is gone."""

import warnings
from types import ModuleType

import click
import pytest

from recfw.cli import checks
from recfw.errors import PluginError
from recfw.hookspecs import HookRemovalWarning, commands, components, hookimpl, hookspec, leaving
from recfw.plugins import Manager, Plugin


def specs(source: str) -> ModuleType:
    """Return a module of hook specifications, as a release of recfw would have it."""
    module = ModuleType("specs")
    exec(source, {"hookspec": hookspec, "leaving": leaving}, vars(module))
    return module


@pytest.fixture
def before() -> Manager:
    """The release that gives `count` still, and warns."""
    return Manager((components, commands, specs(WARNING)))


@pytest.fixture
def after() -> Manager:
    """The release that has no `count` any more."""
    return Manager((components, commands, specs(GONE)))


WARNING = """
@hookspec(warn_on_impl_args=leaving("0.4", count="len(run.tasks) tells it"))
def recfw_run_started(run, count):
    pass
"""
GONE = """
@hookspec
def recfw_run_started(run):
    pass
"""


def old_plugin(heard: list[object]) -> Plugin:
    """Return a plugin that takes the argument, as one written long ago does."""

    @hookimpl
    def recfw_run_started(run, count):
        heard.append((run, count))

    module = ModuleType("old")
    module.recfw_run_started = recfw_run_started
    return Plugin("old", "recfw-old", "1.2", module)


def new_plugin(heard: list[object]) -> Plugin:
    """Return a plugin that does without it."""

    @hookimpl
    def recfw_run_started(run):
        heard.append(run)

    module = ModuleType("new")
    module.recfw_run_started = recfw_run_started
    return Plugin("new", "recfw-new", "2.0", module)


def test_an_old_plugin_is_warned_and_works(before: Manager) -> None:
    """It is given the argument as ever; the warning names plugin, release and what to use, at the hook's own line."""
    heard: list[object] = []
    with pytest.warns(HookRemovalWarning) as told:
        before.add(old_plugin(heard))
    assert before.emit("recfw_run_started", run="r", count=3) == []
    assert heard == [("r", 3)]
    plugin = "Plugin 'old' (distribution recfw-old 1.2)"
    words = f"{plugin}: the argument 'count' will be removed in recfw 0.4: len(run.tasks) tells it."
    assert [str(one.message) for one in told] == [words]
    assert told[0].filename == __file__
    assert before.leaving == [words]


def test_doctor_lists_it(monkeypatch: pytest.MonkeyPatch, before: Manager) -> None:
    """Whoever is about to upgrade recfw sees which plugins will not fit."""
    monkeypatch.setattr(checks, "build_manager", lambda **_: before)
    monkeypatch.setattr(checks, "Manager", lambda: Manager((components, commands, specs(WARNING))))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", HookRemovalWarning)
        before.add(old_plugin([]))
        found = list(checks.installation(click.Context(click.Command("recfw"))))
    told = [(finding.state, finding.words) for finding in found if "count" in finding.words]
    assert [("note", before.leaving[0].rstrip("."))] == told


def test_a_new_plugin_hears_nothing_of_it(before: Manager) -> None:
    """Who does not take the argument is not warned."""
    heard: list[object] = []
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        before.add(new_plugin(heard))
    assert before.emit("recfw_run_started", run="r", count=3) == []
    assert (heard, before.leaving) == (["r"], [])


def test_when_it_is_gone_the_old_plugin_is_refused(after: Manager) -> None:
    """The error names the plugin, the argument and the switch that goes on without it; the new one loads."""
    with pytest.raises(PluginError, match=r"'old' .* does not fit recfw's hooks: .*count.*--disable-plugin old"):
        after.add(old_plugin([]))
    heard: list[object] = []
    Manager((components, commands, specs(GONE))).add(new_plugin(heard))


def test_a_warning_is_seen_without_a_switch() -> None:
    """Python shows it by default, which it does not do with DeprecationWarning in imported modules."""
    assert issubclass(HookRemovalWarning, FutureWarning)
