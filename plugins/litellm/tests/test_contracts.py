"""The components keep core's contracts, by the suites that `recfw plugins check` tries them by."""

import pytest

from recfw.checking.suites import SUITES, declared_suite
from recfw.plugins import Manager, Plugin
from recfw.registry import Registry
from recfw_litellm import plugin
from recfw_litellm.checking import JudgeSuite, PlayerSuite
from recfw_litellm.judge import EndpointJudge, LiteLLMJudge
from recfw_litellm.participants import EndpointModel, LiteLLMModel

pytestmark = pytest.mark.usefixtures("library")


class TestEndpoint(PlayerSuite):
    """The component ``endpoint``."""

    component = EndpointModel


class TestLiteLLM(PlayerSuite):
    """The component ``litellm``."""

    component = LiteLLMModel


class TestEndpointJudge(JudgeSuite):
    """The judge ``endpoint``."""

    component = EndpointJudge


class TestLiteLLMJudge(JudgeSuite):
    """The judge ``litellm``."""

    component = LiteLLMJudge


def test_every_component_names_the_suite_that_tries_it() -> None:
    """`recfw plugins check` leaves none out: what needs a model is tried by a suite that asks a stub."""
    alone = Manager()
    alone.add(Plugin("litellm", "", "", plugin))
    offers = Registry(alone)
    tried = {
        f"{kind} {name}": declared_suite(item.suite, SUITES[kind])
        for kind in ("agents", "users", "participants", "judges")
        for name, item in offers.classes(kind).items()
    }
    assert len(tried) == 8
    assert set(tried.values()) == {PlayerSuite, JudgeSuite}
