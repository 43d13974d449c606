"""From words to a run specification: the matrix, the names of its cells, and what is refused."""

from typing import Any

import pytest

from recfw.engine.request import OptionValue, RunRequest, build_spec, parse_setting
from recfw.errors import ExitCode, RecfwError, UsageError
from recfw.model.run import Cell, ComponentSpec, Limits, RunSpec
from recfw.registry import Registry

DIALOGUE = RunRequest(track="fake-dialogue")


def build(registry: Registry, *settings: str, **fields: Any) -> RunSpec:
    """Return the specification of a request for the fake dialogue."""
    told = tuple(parse_setting(text) for text in settings)
    return build_spec(registry, RunRequest(**{"track": "fake-dialogue", "settings": told, **fields}))


def names(spec: RunSpec) -> list[str]:
    """Return the cells' names."""
    return [cell.name for cell in spec.cells]


def refusal(registry: Registry, *settings: str, **fields: Any) -> str:
    """Return the words with which a request is refused."""
    with pytest.raises(RecfwError) as caught:
        build(registry, *settings, **fields)
    assert caught.value.code in {ExitCode.USAGE, ExitCode.PLUGIN}
    return str(caught.value)


def test_nothing_in_particular_is_the_tracks_default(fakes_registry: Registry) -> None:
    """A request that names only a track has its default cells and limits, options resolved."""
    spec = build_spec(fakes_registry, DIALOGUE)
    roles = {"agent": ComponentSpec("fake-asker"), "user": ComponentSpec("fake-speaker")}
    assert spec.cells == (Cell("fake-asker", roles, {"size": 8}),)
    assert (spec.plugin, spec.track, spec.trials, spec.seed) == ("fakes.plugin", "fake-dialogue", 1, 0)
    assert spec.limits == Limits(turns={"agent": 6}, calls={"agent": 4}, grace_calls=2, seconds={"agent": 60.0})


def test_repeated_agents_make_a_matrix(fakes_registry: Registry) -> None:
    """Each agent is a cell named for it; roles that were not named keep their defaults."""
    spec = build(fakes_registry, roles={"agent": ("fake-asker", "fake-model")})
    assert names(spec) == ["fake-asker", "fake-model"]
    assert {cell.roles["user"].name for cell in spec.cells} == {"fake-speaker"}


def test_repeated_options_multiply(fakes_registry: Registry) -> None:
    """Agents and track options multiply, and each cell's name says what sets it apart."""
    spec = build(fakes_registry, roles={"agent": ("fake-asker", "fake-model")}, options={"size": ("2", "3")})
    assert names(spec) == ["fake-asker 2", "fake-asker 3", "fake-model 2", "fake-model 3"]
    assert [cell.options["size"] for cell in spec.cells] == [2, 3, 2, 3]


def test_one_option_is_no_part_of_the_name(fakes_registry: Registry) -> None:
    """What does not vary is left out of the cell's name."""
    assert names(build(fakes_registry, options={"size": ("2",)})) == ["fake-asker"]


def test_an_option_is_set_by_track(fakes_registry: Registry) -> None:
    """--set track.size=2 is the track's option, typed."""
    assert build(fakes_registry, "track.size=2").cells[0].options == {"size": 2}


@pytest.mark.parametrize("word", ["agent", "fake-slow"])
def test_an_option_is_set_by_role_or_by_name(trouble_registry: Registry, word: str) -> None:
    """A component's option is set by the role that it fills or by its own name."""
    spec = build(trouble_registry, f"{word}.seconds=0.5", roles={"agent": ("fake-slow",)})
    assert spec.cells[0].roles["agent"].options == {"task": "d1", "times": -1, "seconds": 0.5}


def test_a_repeated_setting_makes_a_matrix(trouble_registry: Registry) -> None:
    """Two values of one option are two cells, named by the values."""
    spec = build(trouble_registry, "agent.seconds=1", "agent.seconds=2", roles={"agent": ("fake-slow",)})
    assert names(spec) == ["fake-slow 1.0", "fake-slow 2.0"]


def test_a_setting_by_name_leaves_other_cells_alone(trouble_registry: Registry) -> None:
    """An option set by a component's name reaches only the cells that it plays in."""
    spec = build(trouble_registry, "fake-slow.seconds=1", roles={"agent": ("fake-slow", "fake-flaky")})
    assert [cell.roles["agent"].options["seconds"] for cell in spec.cells] == [1.0, 0.0]


def test_limits_are_set_by_name_and_role(fakes_registry: Registry) -> None:
    """--set limits.turns.agent and limits.repairs change one limit each and keep the others."""
    spec = build(fakes_registry, "limits.turns.agent=3", "limits.repairs=0", "limits.call_seconds=1.5")
    assert spec.limits.turns == {"agent": 3}
    assert (spec.limits.repairs, spec.limits.call_seconds, spec.limits.calls) == (0, 1.5, {"agent": 4})


def test_typed_values_come_from_a_file(fakes_registry: Registry) -> None:
    """Values of a run file are typed already, and checked like text."""
    spec = build_spec(fakes_registry, RunRequest(track="fake-dialogue", settings=(OptionValue("track", "size", 2),)))
    assert spec.cells[0].options == {"size": 2}
    with pytest.raises(UsageError, match=r"option 'size' needs int, not 2\.5"):
        build_spec(fakes_registry, RunRequest(track="fake-dialogue", settings=(OptionValue("track", "size", 2.5),)))


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        (("agnet.size=1",), "--set agnet.size: this run has no component 'agnet' (it has: "),
        (("agent.size=1",), "agent 'fake-asker' has no option 'size' (it has none)."),
        (("track.sise=1",), "track 'fake-dialogue' has no option 'sise' (it has: size). Did you mean 'size'?"),
        (("track.size=two",), "track 'fake-dialogue': option 'size' needs int, not 'two'."),
        (("track.size=2", "track.size=2"), "the same cell is asked for twice. Leave the repeated option out."),
        (("limits.turn.agent=1",), "there is no limit 'turn.agent' (limits: turns.ROLE, replies.ROLE"),
        (("limits.turns=1",), "there is no limit 'turns' (limits: turns.ROLE"),
        (("limits.repairs.agent=1",), "there is no limit 'repairs.agent'"),
        (("limits.turns.agnet=1",), "--set limits.turns.agnet: the track 'fake-dialogue' has no role 'agnet'"),
        (("limits.repairs=many",), "--set limits.repairs: a number is needed, not 'many'."),
        (("limits.repairs=-1",), "--set limits.repairs: a limit is a finite number from 0 to 1,000,000,000."),
        (
            ("limits.call_seconds=nan",),
            "--set limits.call_seconds: a limit is a finite number from 0 to 1,000,000,000.",
        ),
        (
            ("limits.call_seconds=inf",),
            "--set limits.call_seconds: a limit is a finite number from 0 to 1,000,000,000.",
        ),
        (("limits.repairs=1.5",), "--set limits.repairs: a whole number is needed, not '1.5'."),
    ],
)
def test_wrong_settings_are_refused(fakes_registry: Registry, settings: tuple[str, ...], words: str) -> None:
    """Whatever is misspelt or of the wrong type is refused by name before anything starts."""
    assert refusal(fakes_registry, *settings).startswith(words)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"track": "fake-dialog"}, "no track 'fake-dialog' (known: fake-dialogue, fake-pictures, fake-rounds)."),
        ({"track": "", "plugin": "fakes.plugin"}, "the plugin 'fakes.plugin' offers 3 tracks (fake-dialogue, "),
        ({"track": "", "plugin": "core"}, "the plugin 'core' offers no track"),
        ({"track": ""}, "nothing says what to run (tracks: fake-dialogue, fake-pictures, fake-rounds)."),
        ({"plugin": "core"}, "the track 'fake-dialogue' is offered by the plugin 'fakes.plugin', not by 'core'."),
        ({"plugin": "situatd"}, "no plugin 'situatd' (known: books, fakes.plugin, litellm, orchestration, situated)"),
        ({"roles": {"agnet": ("fake-asker",)}}, "the track 'fake-dialogue' has no role 'agnet' (it has: agent, user)."),
        ({"roles": {"agent": ("fake-askr",)}}, "no agent 'fake-askr' (known: "),
        ({"options": {"catalog": ("x",)}}, "the track 'fake-dialogue' takes no --catalog."),
        ({"trials": 0}, "0 trials: at least one is needed."),
        ({"judges": ("nobody",)}, "no judge 'nobody' (known: "),
        ({"roles": {"agent": ("fake-asker", "fake-asker")}}, "the same cell is asked for twice."),
    ],
)
def test_wrong_requests_are_refused(fakes_registry: Registry, fields: dict[str, Any], words: str) -> None:
    """Unknown plugins, tracks, roles, components and options are refused with what there is."""
    assert refusal(fakes_registry, **fields).startswith(words)


def test_a_plugin_that_is_not_installed_says_how_to_get_it(fakes_registry: Registry) -> None:
    """A known plugin that is missing names its distribution; exit status 3."""
    with pytest.raises(RecfwError) as caught:
        build(fakes_registry, track="", plugin="situated")
    assert caught.value.code is ExitCode.PLUGIN
    assert str(caught.value).startswith(
        "the plugin 'situated' is not installed. It is provided by the distribution recfw-situated"
    )


@pytest.mark.parametrize("text", ["", "agent", "agent.size", "=1", "agent=1", ".size=1", "agent.=1"])
def test_what_is_no_setting_is_refused(text: str) -> None:
    """A --set of another shape shows the right one."""
    with pytest.raises(UsageError, match=r"Write component\.option=value"):
        parse_setting(text)


def test_a_setting_may_hold_anything() -> None:
    """Only the first dot and the first equals sign divide."""
    assert parse_setting("limits.turns.agent=a=b.c") == OptionValue("limits", "turns.agent", "a=b.c")
