"""Every hook does what it says, and is typed, described, documented and tested."""

import ast
import inspect
import re
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, get_type_hints

import pytest

from recfw import protocols
from recfw.cli.root import Commands
from recfw.hookspecs import HOOK_API, commands, components, hookimpl, lifecycle
from recfw.model.results import RunInfo
from recfw.model.run import Trial
from recfw.plugins import Manager, Plugin
from recfw.protocols import CommandRef
from recfw.registry import KINDS, Registry

ROOT = Path(__file__).parents[1]
HOOKS: dict[str, Callable[..., Any]] = {
    name: function
    for module in (components, lifecycle, commands)
    for name, function in vars(module).items()
    if name.startswith("recfw_")
}


def with_hook(hook: str, function: Callable[..., Any]) -> Manager:
    """Return a manager with one plugin that implements one hook."""
    module = ModuleType("p")
    setattr(module, hook, hookimpl(function))
    manager = Manager()
    manager.add(Plugin("p", "", "", module))
    return manager


def offered(kind: str) -> list[str]:
    """Return the names that a registry finds when a plugin offers one class of a kind, and how often it asked."""
    asked = []
    members: dict[str, Any] = {"name": "mine", **{method: lambda self: None for method in KINDS[kind]}}

    def hook() -> list[type[Any]]:
        asked.append(kind)
        return [type("Mine", (), members)]

    registry = Registry(with_hook(f"recfw_register_{kind}", hook))
    assert asked == []
    names = [*registry.names(kind), *registry.names(kind)]
    assert asked == [kind]
    return names


def test_recfw_register_tracks() -> None:
    """A track that a plugin offers is found by name, its hook called once and only when tracks are looked up."""
    assert offered("tracks") == ["mine", "mine"]


def test_recfw_register_agents() -> None:
    """An agent that a plugin offers is found by name."""
    assert offered("agents") == ["mine", "mine"]


def test_recfw_register_users() -> None:
    """A user simulator that a plugin offers is found by name."""
    assert offered("users") == ["mine", "mine"]


def test_recfw_register_participants() -> None:
    """A component for another role is found by name."""
    assert offered("participants") == ["mine", "mine"]


def test_recfw_register_catalogs() -> None:
    """A catalog that a plugin offers is found by name."""
    assert offered("catalogs") == ["mine", "mine"]


def test_recfw_register_retrievers() -> None:
    """A retriever that a plugin offers is found by name."""
    assert offered("retrievers") == ["mine", "mine"]


def test_recfw_register_judges() -> None:
    """A judge that a plugin offers is found by name."""
    assert offered("judges") == ["mine", "mine"]


def test_recfw_register_metrics() -> None:
    """A metric that a plugin offers is found by name."""
    assert offered("metrics") == ["mine", "mine"]


def test_recfw_register_analyses() -> None:
    """An analysis that a plugin offers is found by name."""
    assert offered("analyses") == ["mine", "mine"]


def test_recfw_register_renderers() -> None:
    """A renderer that a plugin offers is found by name."""
    assert offered("renderers") == ["mine", "mine"]


def test_recfw_register_executors() -> None:
    """An executor that a plugin offers is found by name."""
    assert offered("executors") == ["mine", "mine"]


def test_recfw_register_commands() -> None:
    """A command that a plugin offers is listed after core's without its module being imported."""
    ref = CommandRef("movies", "Look at movies.", "no_such_module:movies")
    manager = with_hook("recfw_register_commands", lambda: [ref])
    group = Commands("recfw")
    assert group.list_commands(group.make_context("recfw", ["run"], obj=manager))[-1] == "movies"


def observed(hook: str, **arguments: Any) -> dict[str, Any]:
    """Return what an observer of a hook is given."""
    seen: dict[str, Any] = {}
    names = ", ".join(arguments)
    scope: dict[str, Any] = {"seen": seen}
    exec(f"def {hook}({names}): seen.update({', '.join(f'{n}={n}' for n in arguments)})", scope)
    assert with_hook(hook, scope[hook]).emit(hook, **arguments) == []
    return seen


def test_recfw_run_started() -> None:
    """An observer is told of a run's start and how many trials are pending."""
    assert observed("recfw_run_started", run="r", pending=3) == {"run": "r", "pending": 3}


def test_recfw_trial_finished() -> None:
    """An observer is told of each stored attempt."""
    assert observed("recfw_trial_finished", run="r", trial="t") == {"run": "r", "trial": "t"}


def test_recfw_run_finished() -> None:
    """An observer is told of a run's end and its status."""
    assert observed("recfw_run_finished", run="r", status="completed") == {"run": "r", "status": "completed"}


def test_the_manager_knows_every_hook() -> None:
    """Every specification is one that plugins can implement."""
    assert Manager().hooks() == sorted(HOOKS)


@pytest.mark.parametrize("hook", sorted(HOOKS))
def test_every_hook_is_typed(hook: str) -> None:
    """Its arguments and what it returns have types that exist."""
    scope = {"protocols": protocols, "CommandRef": CommandRef, "RunInfo": RunInfo, "Trial": Trial}
    hints = get_type_hints(HOOKS[hook], localns=scope)
    assert hints.keys() == {*inspect.signature(HOOKS[hook]).parameters, "return"}
    assert Any not in hints.values()


@pytest.mark.parametrize("hook", sorted(HOOKS))
def test_every_hook_has_a_sectioned_docstring(hook: str) -> None:
    """It says what it is for, when it is called, and describes each argument or what it returns."""
    words = inspect.getdoc(HOOKS[hook]) or ""
    parameters = inspect.signature(HOOKS[hook]).parameters
    assert re.match(r"(Offer|Observe) [^\n]+[.,]\n\n", words)
    assert "\nCalled " in words
    if hook.startswith("recfw_register_"):
        assert not parameters
        assert re.search(r"\nReturns:\n {4}\S", words)
    else:
        section = words.partition("\nArgs:\n")[2]
        assert re.findall(r"^ {4}(\w+): \S", section, re.MULTILINE) == list(parameters)


@pytest.mark.parametrize("hook", sorted(HOOKS))
def test_every_hook_has_a_test_named_for_it(hook: str) -> None:
    """There is a test in this file of the hook's name that asserts something."""
    body = ast.parse(Path(__file__).read_text()).body
    tests = {node.name: node for node in body if isinstance(node, ast.FunctionDef)}
    assert any(isinstance(node, ast.Assert) for node in ast.walk(tests[f"test_{hook}"]))


@pytest.mark.parametrize("hook", sorted(HOOKS))
def test_every_hook_is_documented(hook: str) -> None:
    """The reference has a row or a section for it, which names each of its arguments."""
    text = (ROOT / "docs/reference/hooks.md").read_text(encoding="utf-8")
    row = re.search(rf"^\| `{hook}` \|.*$", text, re.MULTILINE)
    section = re.search(rf"^### `{hook}`\n(.*?)(?=^#|\Z)", text, re.MULTILINE | re.DOTALL)
    found = row or section
    assert found
    for argument in inspect.signature(HOOKS[hook]).parameters:
        assert f"- `{argument}` (" in found[0]


def test_the_reference_names_no_hook_that_does_not_exist() -> None:
    """What was removed is removed from the reference too, and its version is the code's."""
    text = (ROOT / "docs/reference/hooks.md").read_text(encoding="utf-8")
    assert set(re.findall(r"`(recfw_\w+)`", text)) == set(HOOKS)
    assert f"({HOOK_API} now)" in text
