"""Loading plugins: what goes wrong is told by name, and observers stay apart."""

from collections.abc import Callable
from types import ModuleType

import pytest

from recfw.errors import ExitCode, PluginError
from recfw.plugins import Manager, Plugin, build_manager

GOOD = """
from recfw.hookspecs import hookimpl

class Agent:
    name = "agent-of-{name}"
    def episode(self, context): ...

@hookimpl
def recfw_register_agents():
    return [Agent]
"""
Write = Callable[..., str]


def module(name: str, source: str) -> Plugin:
    """Return an unregistered plugin of one module."""
    made = ModuleType(name)
    exec("from recfw.hookspecs import hookimpl\n" + source, made.__dict__)
    return Plugin(name, "", "", made)


def loaded(*plugins: Plugin) -> Manager:
    """Return a manager of some plugins."""
    manager = Manager()
    for plugin in plugins:
        manager.add(plugin)
    return manager


def test_an_installed_plugin_is_found(write_plugin: Write) -> None:
    """A distribution's entry point in the group recfw is loaded, with its name and version."""
    write_plugin("good", GOOD, "recfw-good", "2.5")
    plugin = build_manager({}).plugins["good"]
    assert (plugin.name, plugin.distribution, plugin.version) == ("good", "recfw-good", "2.5")


def test_a_module_can_be_named(write_plugin: Write) -> None:
    """RECFW_PLUGINS loads modules that no distribution brought."""
    name = write_plugin("bare", GOOD)
    plugin = build_manager({"RECFW_PLUGINS": f" {name} ,"}).plugins[name]
    assert (plugin.name, plugin.distribution) == (name, "")


def test_core_is_a_plugin_of_its_own_group() -> None:
    """What core offers comes through the same entry point group."""
    assert build_manager({}).plugins["core"].distribution == "recfw"


def test_a_disabled_plugin_is_not_imported(write_plugin: Write) -> None:
    """RECFW_DISABLE_PLUGINS keeps a plugin out before its module runs."""
    write_plugin("bad", "raise ZeroDivisionError", "recfw-bad")
    assert "bad" not in build_manager({"RECFW_DISABLE_PLUGINS": "other, bad"}).plugins


@pytest.mark.parametrize(
    ("source", "cause"),
    [
        ("raise ZeroDivisionError('by zero')", "ZeroDivisionError: by zero"),
        ("import no_such_module_at_all", "ModuleNotFoundError: No module named 'no_such_module_at_all'"),
        ("def broken(:", "SyntaxError"),
        ("raise SystemExit(3)", "SystemExit: 3"),
        ("raise BaseException('base')", "BaseException: base"),
    ],
)
def test_a_plugin_that_raises_on_import_stops_the_run(write_plugin: Write, source: str, cause: str) -> None:
    """Name, distribution, cause and the switch that disables it are told; exit status 3."""
    write_plugin("bad", source, "recfw-bad", "1.2")
    with pytest.raises(PluginError) as caught:
        build_manager({})
    assert str(caught.value).startswith(f"Plugin 'bad' (distribution recfw-bad 1.2) cannot be loaded: {cause}")
    assert caught.value.hint == ("To go on without it: recfw --disable-plugin bad …, or RECFW_DISABLE_PLUGINS=bad.")
    assert caught.value.code is ExitCode.PLUGIN


def test_two_distributions_with_one_plugin_name_are_both_named(write_plugin: Write) -> None:
    """Two entry points of one name are an error that names both distributions, not a race."""
    write_plugin("twin", GOOD, "recfw-one")
    write_plugin("twin", GOOD, "recfw-two")
    with pytest.raises(PluginError, match=r"distribution recfw-one 1.0.*distribution recfw-two 1.0"):
        build_manager({})


def test_a_module_named_twice_is_told(write_plugin: Write) -> None:
    """One module cannot be loaded under two names."""
    name = write_plugin("good", GOOD, "recfw-good")
    with pytest.raises(PluginError, match="is registered twice"):
        build_manager({"RECFW_PLUGINS": name})


@pytest.mark.parametrize(
    ("source", "words"),
    [
        (
            "@hookimpl\ndef recfw_register_agnets(): return []",
            "Plugin 'p' implements an unknown hook 'recfw_register_agnets'. Did you mean 'recfw_register_agents'?",
        ),
        (
            "@hookimpl\ndef xyz(): return []",
            "Plugin 'p' implements an unknown hook 'xyz'. `recfw plugins list --hooks` names all hooks.",
        ),
        (
            "def recfw_register_agents(): return []",
            "Plugin 'p' defines 'recfw_register_agents' without the @hookimpl marker, so it would never be called.",
        ),
        (
            "def recfw_register_agnets(): return []",
            "Plugin 'p' implements an unknown hook 'recfw_register_agnets'. Did you mean 'recfw_register_agents'?",
        ),
    ],
)
def test_a_hook_that_would_never_be_called_is_told(source: str, words: str) -> None:
    """A misspelt hook and one without its marker are errors, not silence."""
    with pytest.raises(PluginError) as caught:
        loaded(module("p", source))
    assert caught.value.message == words


def test_a_wrong_hook_argument_is_told() -> None:
    """An argument that the hook does not have is named."""
    with pytest.raises(PluginError, match=r"Plugin 'p' does not fit recfw's hooks: .*\bwen\b"):
        loaded(module("p", "@hookimpl\ndef recfw_run_started(run, wen): ..."))


def test_an_observer_takes_what_it_needs() -> None:
    """An implementation may leave arguments out, so that new ones do not break it."""
    source = "seen = []\n@hookimpl\ndef recfw_run_started(pending): seen.append(pending)"
    plugin = module("p", source)
    assert loaded(plugin).emit("recfw_run_started", run=None, pending=3) == []
    assert plugin.module.seen == [3]


@pytest.mark.parametrize("trouble", ["1 / 0", "raise SystemExit(1)", "raise BaseException"])
def test_a_failing_observer_stays_apart(trouble: str) -> None:
    """Observers before and after a failing one are called, and its failure is given back in words."""
    source = "seen = []\n@hookimpl\ndef recfw_run_started(run): seen.append(run)"
    first, last = module("a", source), module("z", source)
    failing = module("m", f"@hookimpl\ndef recfw_run_started(run):\n    {trouble}")
    words = loaded(first, failing, last).emit("recfw_run_started", run="r", pending=0)
    assert (first.module.seen, last.module.seen) == (["r"], ["r"])
    assert [w.split(":")[0] for w in words] == ["Plugin 'm' fails in recfw_run_started"]


def test_plugins_are_called_in_order_of_name() -> None:
    """The order does not depend on how plugins were installed or added."""
    source = "@hookimpl\ndef recfw_register_agents(): return ['{0}1', '{0}2']"
    plugins = [module(name, source.format(name)) for name in "cab"]
    found = [item for _, item in loaded(*plugins).collect("recfw_register_agents")]
    assert found == ["a1", "a2", "b1", "b2", "c1", "c2"]


@pytest.mark.parametrize(
    ("body", "cause"),
    [
        ("1 / 0", "ZeroDivisionError"),
        ("return 5", "TypeError"),
        ("raise SystemExit(1)", "SystemExit"),
        ("raise BaseException('b')", "BaseException: b"),
    ],
)
def test_a_failing_registration_names_its_plugin(body: str, cause: str) -> None:
    """A registering hook that raises, or returns what cannot be iterated, is an error of that plugin."""
    manager = loaded(module("p", f"@hookimpl\ndef recfw_register_agents():\n    {body}"))
    with pytest.raises(PluginError, match=f"Plugin 'p' fails in recfw_register_agents: {cause}"):
        list(manager.collect("recfw_register_agents"))


def test_a_generator_is_a_fine_registration() -> None:
    """A registering hook may yield."""
    manager = loaded(module("p", "@hookimpl\ndef recfw_register_agents():\n    yield 1\n    yield 2"))
    assert [item for _, item in manager.collect("recfw_register_agents")] == [1, 2]


def test_failures_can_be_taken_instead_of_raised(write_plugin: Callable[..., str]) -> None:
    """Who goes on without broken plugins gets each one's error by name, and the sound ones loaded."""
    broken, sound = write_plugin("broken", "raise ValueError('no')"), write_plugin("sound", "")
    failures: dict[str, PluginError] = {}
    manager = build_manager({"RECFW_PLUGINS": f"{broken},{sound},{sound}"}, failures)
    assert sound in manager.plugins
    assert "ValueError: no" in failures[broken].message
    assert "registered twice" in failures[sound].message
