"""Components by name: who provides them, what is close to a mistyped one, and options by name and type."""

from collections.abc import Callable
from types import ModuleType
from typing import Any, Optional

import attrs
import pytest
from attrs import field, frozen, validators

from recfw.errors import PluginError, UsageError
from recfw.hookspecs import hookimpl
from recfw.known import KnownPlugin
from recfw.model.run import ComponentSpec
from recfw.plugins import Manager, Plugin
from recfw.protocols import Agent, Metric, Track
from recfw.registry import KINDS, Registry, option_value, options_from


@frozen
class Options:
    """One option of each type."""

    on: bool = False
    n: int = 1
    x: float = 0.5
    text: str = "a"
    many: tuple[str, ...] = ()
    numbers: tuple[int, ...] = ()
    free: dict[str, Any] = attrs.Factory(dict)
    maybe: int | None = None
    old: Optional[float] = None  # noqa: UP045 - plugins may write it so
    either: int | str = 0
    positive: int = field(default=1, validator=validators.ge(1))


class Component:
    """An agent with options."""

    name, Options = "eliminating", Options

    def __init__(self, options: Options) -> None:
        self.options = options

    def episode(self, context: Any) -> Any:
        """Nothing."""


class Plain(Component):
    """An agent without options."""

    name = "no-ask"

    @attrs.frozen
    class Options:
        """None."""


class Needy(Component):
    """An agent with a required option."""

    name = "needy"

    @attrs.frozen
    class Options:
        """``must``: whatever."""

        must: str


def offer(items: list[Any]) -> Callable[[], list[Any]]:
    """Return a registering hook that offers these."""

    @hookimpl
    def hook() -> list[Any]:
        return items

    return hook


def registry(*plugins: tuple[str, str, list[Any]]) -> Registry:
    """Return a registry of plugins given as (name, kind, components)."""
    manager = Manager()
    for name, kind, items in plugins:
        made = ModuleType(name)
        setattr(made, f"recfw_register_{kind}", offer(items))
        manager.add(Plugin(name, f"recfw-{name}", "1.0", made))
    return Registry(manager)


AGENTS = ("books-like", "agents", [Component, Plain, Needy])


def test_names_are_sorted() -> None:
    """The names of one kind come sorted, whatever order they were offered in."""
    assert registry(AGENTS).names("agents") == ("eliminating", "needy", "no-ask")


def test_a_component_is_made_with_checked_options() -> None:
    """Options reach the component typed, the others at their defaults."""
    made = registry(AGENTS).create("agents", ComponentSpec("eliminating", {"n": 5}))
    assert made.options == Options(n=5)


def test_a_mistyped_name_gets_a_suggestion() -> None:
    """An unknown component lists the known ones and suggests the closest."""
    with pytest.raises(UsageError) as caught:
        registry(AGENTS).find("agents", "eliminatng")
    assert str(caught.value) == (
        "no agent 'eliminatng' (known: eliminating, needy, no-ask). Did you mean 'eliminating'?"
    )


def test_a_name_that_a_known_plugin_provides_says_how_to_get_it() -> None:
    """An unknown component that registry.yaml lists names the distribution and the command that installs it."""
    with pytest.raises(UsageError) as caught:
        registry(("p", "retrievers", [])).find("retrievers", "impact")
    assert caught.value.message == "no retriever 'impact' (known: none)."
    assert caught.value.hint == (
        "The retriever 'impact' is provided by the distribution recfw-books. "
        "Install it with: pip install ./plugins/books"
    )


def test_a_name_that_a_planned_plugin_will_provide_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is planned is not offered for installation as if it existed."""
    planned = KnownPlugin("recfw-films", "./films", ">=0.1", "planned", "Films.", {"tracks": ("films",)})
    monkeypatch.setattr("recfw.registry.known_plugins", lambda: {"films": planned})
    with pytest.raises(UsageError, match="will be provided by the distribution recfw-films, which is planned"):
        registry(("p", "tracks", [])).find("tracks", "films")


def test_a_name_offered_twice_names_both() -> None:
    """Two plugins that offer one component are both named, with their distributions."""
    with pytest.raises(PluginError) as caught:
        registry(("one", "agents", [Component]), ("two", "agents", [Component])).names("agents")
    assert caught.value.message == (
        "Plugin 'one' (distribution recfw-one 1.0) and Plugin 'two' (distribution recfw-two 1.0) both offer the agent "
        "'eliminating'."
    )


def test_the_provider_is_known() -> None:
    """Every component knows the plugin that brought it."""
    assert registry(AGENTS).provider("agents", "needy").distribution == "recfw-books-like"


class Empty(Track):
    """A track that subclasses the protocol and implements nothing."""

    name = "empty"


class Shapeless:
    """No component."""

    name = "shapeless"


class Nameless(Agent):
    """An agent without a name."""

    def episode(self, context: Any) -> Any:
        """Nothing."""


class Optionless(Component):
    """An agent whose options are no attrs class."""

    name, Options = "optionless", dict


@pytest.mark.parametrize(
    ("kind", "item", "words"),
    [
        ("tracks", Empty, "track 'empty' lacks tasks, open, content_digest, validate, default_cells"),
        ("metrics", type("M", (Metric,), {"name": "m"}), "metric 'm' lacks score"),
        ("agents", Shapeless, "agent 'shapeless' lacks episode"),
        ("analyses", Shapeless, "analysis 'shapeless' lacks report"),
        ("agents", Nameless, "which is no class with a 'name'"),
        ("agents", Component(Options()), "which is no class with a 'name'"),
        ("agents", "eliminating", "which is no class with a 'name'"),
        ("agents", Optionless, "the Options of agent 'optionless' are no attrs class"),
    ],
)
def test_what_is_no_component_is_told(kind: str, item: Any, words: str) -> None:
    """A class without the protocol's methods, name or options is an error of its plugin before anything runs."""
    with pytest.raises(PluginError) as caught:
        registry(("p", kind, [item])).names(kind)
    assert words in caught.value.message
    assert "Plugin 'p'" in caught.value.message


def known(_: object, attribute: Any, value: str) -> None:
    """Refuse a word, as authors of plugins do: without a word on which option it is."""
    if value != "history":
        raise (UsageError if attribute.name == "told" else ValueError)(f"no policy '{value}'")


@frozen
class Checked:
    """Options with validators of their own."""

    ignore: str = field(default="history", validator=known)
    told: str = field(default="history", validator=known)
    low: int = 1
    high: int = 2

    def __attrs_post_init__(self) -> None:
        if self.low > self.high:
            raise ValueError("low is above high")


@frozen
class CheckedNeedy(Checked):
    """The same, one of them required."""

    ignore: str = field(validator=known, kw_only=True)


@pytest.mark.parametrize("kind", [Checked, CheckedNeedy])
@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"ignore": "histry"}, "option 'ignore': no policy 'histry'."),
        ({"low": 2, "ignore": "histry"}, "option 'ignore': no policy 'histry'."),
        ({"ignore": "history", "told": "histry"}, "option 'told': no policy 'histry'."),
        ({"ignore": "history", "low": 3}, "option 'low': low is above high."),
        ({"ignore": "history", "low": 2, "high": 1}, "low is above high."),
    ],
)
def test_a_validators_error_names_its_option(kind: type, values: dict[str, Any], words: str) -> None:
    """Whatever a validator's own words are; only where options do not go together is none of them named."""
    component = type("Component", (), {"name": "x", "Options": kind})
    with pytest.raises(UsageError) as caught:
        options_from(component, values, "track 'x'")
    assert caught.value.message == f"track 'x': {words}"


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"num": 1}, "agent 'x' has no option 'num' (it has: on, n, x, text"),
        ({"n": "1"}, "agent 'x': option 'n' needs int, not '1'."),
        ({"on": "yes"}, "agent 'x': option 'on' needs bool, not 'yes'."),
        ({"many": "a,b"}, "agent 'x': option 'many' needs "),
        ({"positive": 0}, "agent 'x': option 'positive' must be >= 1: 0."),
    ],
)
def test_wrong_options_are_refused(values: dict[str, Any], words: str) -> None:
    """Unknown names and values of another type are refused by name, on one line."""
    with pytest.raises(UsageError) as caught:
        options_from(Component, values, "agent 'x'")
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_misspelt_option_gets_a_suggestion() -> None:
    """The closest option is suggested."""
    with pytest.raises(UsageError, match="Did you mean 'positive'"):
        options_from(Component, {"postive": 1}, "agent 'x'")


def test_a_component_without_options_says_so() -> None:
    """An option of a component that has none is refused in words."""
    with pytest.raises(UsageError, match=r"agent 'x' has no option 'n' \(it has none\)"):
        options_from(Plain, {"n": 1}, "agent 'x'")


def test_a_required_option_is_asked_for() -> None:
    """An option without default that was not given is named."""
    with pytest.raises(UsageError, match="agent 'x': option 'must' is required"):
        options_from(Needy, {}, "agent 'x'")


@pytest.mark.parametrize(
    ("option", "text", "value"),
    [
        ("on", "true", True), ("on", "No", False), ("on", "1", True), ("on", "off", False),
        ("n", "7", 7), ("n", "-7", -7), ("x", "2", 2.0), ("x", "1e-3", 0.001), ("text", "7", "7"), ("text", "", ""),
        ("many", "a, b", ["a", "b"]), ("many", "", []), ("numbers", "1,2", [1, 2]),
        ("free", "{a: [1, x]}", {"a": [1, "x"]}),
        ("maybe", "3", 3), ("maybe", "none", None), ("old", "null", None), ("old", "2.5", 2.5),
        ("either", "3", 3), ("either", "three", "three"),
    ],
)  # fmt: skip
def test_text_is_read_by_the_options_type(option: str, text: str, value: Any) -> None:
    """What was typed behind --set becomes a value of the option's type, which the options then take."""
    found = option_value(Component, option, text, "agent 'x'")
    assert (found, type(found)) == (value, type(value))
    options_from(Component, {option: found}, "agent 'x'")


@pytest.mark.parametrize(
    ("option", "text", "words"),
    [
        ("on", "maybe", "option 'on' needs bool, not 'maybe'"),
        ("n", "1.5", "option 'n' needs int, not '1.5'"),
        ("x", "much", "option 'x' needs float, not 'much'"),
        ("x", "nan", "option 'x' needs float, not 'nan'"),
        ("x", "inf", "option 'x' needs float, not 'inf'"),
        ("numbers", "1,b", "option 'numbers' needs"),
        ("free", "{a: [", "option 'free' needs"),
        ("maybe", "few", "option 'maybe' needs"),
        ("postive", "1", "has no option 'postive'"),
    ],
)
def test_text_that_is_no_such_value_is_refused(option: str, text: str, words: str) -> None:
    """A value that the option's type has not is refused by name."""
    with pytest.raises(UsageError) as caught:
        option_value(Component, option, text, "agent 'x'")
    assert words in str(caught.value)


def test_every_kind_has_its_hook() -> None:
    """Every kind of the registry has a registering hook, and every registering hook but the commands' a kind."""
    hooks = {name for name in Manager().hooks() if name.startswith("recfw_register_")}
    assert hooks == {f"recfw_register_{kind}" for kind in KINDS} | {"recfw_register_commands"}


@pytest.mark.parametrize("error", [ValueError("broke"), SystemExit("broke"), BaseException("broke")])
def test_a_component_that_cannot_be_made_is_told(error: BaseException) -> None:
    """Whatever its constructor raises is an error of its plugin, with the switch that disables it."""

    class Broken(Component):
        name = "broken"

        def __init__(self, options: Options) -> None:
            raise error

    with pytest.raises(PluginError) as caught:
        registry(("p", "agents", [Broken])).create("agents", ComponentSpec("broken"))
    assert caught.value.message == f"agent 'broken' (plugin p) cannot be made: {type(error).__name__}: broke."
    assert caught.value.hint == "To go on without it: recfw --disable-plugin p …, or RECFW_DISABLE_PLUGINS=p."


def test_what_a_component_says_itself_passes() -> None:
    """An error of recfw that a component raises is its own words, and Ctrl-C is nobody's fault."""

    def fail(error: BaseException) -> None:
        raise error

    for error in (UsageError("no such model."), KeyboardInterrupt()):
        with pytest.raises(type(error)):
            registry(AGENTS).call("agents", "needy", "fails", fail, error)
