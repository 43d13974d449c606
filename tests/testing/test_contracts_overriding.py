"""A suite's test may be overridden only with a stated reason; the suites of environments and episodes find faults."""

from contextlib import asynccontextmanager

import pytest
from attrs import evolve

from recfw.elicitation.talk import CatalogTalk
from recfw.elicitation.users import RulesUser
from recfw.model.view import Message, View
from recfw.protocols import Accepted, NoOptions, Refused
from recfw.testing.contracts import AgentContract, EnvironmentContract, RecorderContract, TrackContract, UserContract
from recfw.testing.episodes import sample_cases, sample_episodes, sample_registry, sample_views
from recfw.testing.sample import SampleAgent, SampleTrack


class TestSampleAgent(AgentContract):
    """The reference agent of the track ``sample``."""

    component = SampleAgent

    def views(self):
        return sample_views("agent")


class TestRulesUser(UserContract):
    """Core's rule-based user."""

    component = RulesUser

    def views(self):
        return sample_views("user")


class TestSampleTalk(EnvironmentContract):
    """The environment that core offers for talks over a catalog."""

    world = CatalogTalk

    @asynccontextmanager
    async def episode(self):
        yield self.world(SampleTrack(NoOptions()).tasks()[0], "Find a film.", {"film-00": {"genre": "comedy"}})


def suite(base: type, **members: object) -> object:
    """Return an instance of a suite that a plugin's test module defines."""
    return type("TestMine", (base,), {"__module__": "test_mine", "component": SampleAgent, **members})()


def nothing(self):
    """Stand in for a test."""


@pytest.mark.parametrize("base", [AgentContract, EnvironmentContract, RecorderContract])
def test_every_suite_looks_for_reasons(base: type) -> None:
    """An overridden test without a reason, or with an empty one, fails; with one it does not."""
    name = {AgentContract: "test_replies_are_records", EnvironmentContract: "test_has_the_shape"}.get(
        base, "test_gives_back_what_it_recorded"
    )
    for reasons in ({}, {name: "  "}):
        with pytest.raises(AssertionError, match=rf"overridden without a reason in `overridden`: \['{name}'\]"):
            suite(base, **{name: nothing}, overridden=reasons).test_overrides_are_explained()
    suite(base, **{name: nothing}, overridden={name: "it has none"}).test_overrides_are_explained()


def test_a_test_that_is_taken_out_needs_a_reason_too() -> None:
    """None in a test's place, or a mixin that replaces it, is an override."""
    mixin = type("Mixin", (), {"test_replies_are_records": nothing, "__module__": "test_mine"})
    mixed = type("TestMine", (mixin, AgentContract), {"__module__": "test_mine"})()
    for case in (suite(AgentContract, test_replies_are_records=None), mixed):
        with pytest.raises(AssertionError, match="test_replies_are_records"):
            case.test_overrides_are_explained()


def test_a_reason_needs_a_test() -> None:
    """A reason for a test that is not overridden, or not there, is stale."""
    with pytest.raises(AssertionError, match="reasons for tests that are not overridden"):
        suite(AgentContract, overridden={"test_gone": "was slow"}).test_overrides_are_explained()


def test_the_search_for_reasons_cannot_be_overridden() -> None:
    """A class that overrides the test that looks for reasons cannot be defined, whatever its reasons."""
    with pytest.raises(TypeError, match="which no reason allows"):
        suite(AgentContract, test_overrides_are_explained=nothing, overridden={"test_overrides_are_explained": "x"})


class _Forgetful(CatalogTalk):
    async def view(self, role: str) -> View:
        seen = await super().view(role)
        self.messages.append(Message.say(role, "looked"))
        return seen


class _Mute(CatalogTalk):
    async def receive(self, role, reply, results):
        return Refused("")


class _Secretive(CatalogTalk):
    async def view(self, role: str) -> View:
        seen = await super().view(role)
        return evolve(seen, messages=tuple(m for m in seen.messages if m.text != self.silence))


class _Fragile(CatalogTalk):
    async def call(self, role, tool, arguments):
        return self.catalog[arguments["item"]]


class _Rude(CatalogTalk):
    async def receive(self, role, reply, results):
        return None if reply.text == "(" else Accepted()


@pytest.mark.parametrize(
    ("world", "test"),
    [
        (_Forgetful, "test_looking_changes_nothing"),
        (_Mute, "test_any_reply_is_ruled_on"),
        (_Rude, "test_any_reply_is_ruled_on"),
        (_Fragile, "test_any_call_is_answered"),
        (_Secretive, "test_a_refused_role_reads_why"),
    ],
)
def test_faults_of_an_environment_are_found(world: type, test: str) -> None:
    """A View that changes by looking, a refusal without or of unseen words, no ruling, a call that raises are found."""
    case = TestSampleTalk()
    case.world = world
    with pytest.raises((AssertionError, KeyError)):
        getattr(case, test)()


def test_a_track_that_hides_why_it_refused_is_found(tmp_path, monkeypatch) -> None:
    """The suite of tracks plays a mute agent, and finds that it does not read the words of its refusal."""
    monkeypatch.setattr("recfw.testing.sample.CatalogTalk", _Secretive)
    case = TrackContract()
    case.component = SampleTrack
    with pytest.raises(AssertionError, match="'agent' was refused and does not read: Your last reply was empty"):
        case.test_a_refused_role_reads_why(sample_registry(), tmp_path)


def test_episodes_are_the_same_each_time() -> None:
    """What is played in memory depends on nothing but the track: Views and traces are equal, times left out."""
    first, second = sample_episodes(), sample_episodes()
    assert [played.views for played in first] == [played.views for played in second]
    assert [played.trace.stop for played in first] == ["recommended"] * len(first)
    assert [(task.id, trace.stop) for task, trace in sample_cases()] == [(p.task.id, p.trace.stop) for p in first]


def test_a_component_can_be_put_into_a_role() -> None:
    """``sample_episodes`` fills the roles that are named, and plays the tasks that are named."""
    (played,) = sample_episodes({"user": "critiquing"}, ["film-03"])
    assert ("film-03", {"agent", "user"}) == (played.task.id, set(played.views))
