"""
Core's contract suites for models in roles and as judges, answered by a stub provider on loopback.

`recfw plugins check` finds them by the components' ``suite``, and the tests of this plugin subclass them. Nothing else
imports this module: it needs pytest, which the plugin does not require.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

import pytest

from recfw.model.task import Task
from recfw.model.trace import Trace
from recfw.model.view import Message, ToolSpec, View
from recfw.testing.contracts import JudgeContract, ParticipantContract
from recfw.testing.episodes import sample_cases
from recfw.testing.provider import StubProvider
from recfw_litellm.participants import LiteLLMModel


class AtAStub:
    """Lets the component under test ask a stub, without any key of whoever checks."""

    component: ClassVar[type[Any]]
    options: ClassVar[Mapping[str, Any]] = {}

    @pytest.fixture(autouse=True)
    def stub(self, monkeypatch: pytest.MonkeyPatch) -> Iterator[StubProvider]:
        """Give the stub, and the component options that lead there."""
        for name in list(os.environ):
            if name.endswith("_API_KEY"):
                monkeypatch.delenv(name)
        with StubProvider() as stub:
            model = "openai/stub" if self.component.name == LiteLLMModel.name else "stub"
            type(self).options = {"model": model, "api_base": stub.url}
            yield stub


class PlayerSuite(AtAStub, ParticipantContract):
    """What a model in a role must do."""

    def views(self) -> Sequence[View]:
        """Return Views with words, with a tool, and with a schema."""
        said = (Message.say("system", "Help."), Message.say("user", "Hello"))
        tools = (ToolSpec("look_up", "Facts.", {"type": "object"}),)
        return [View(self.role, said), View(self.role, said, tools), View(self.role, said, (), {"type": "object"})]


class JudgeSuite(AtAStub, JudgeContract):
    """What a model as judge must do; it rates by the rubric for any track."""

    def cases(self) -> Sequence[tuple[Task, Trace]]:
        """Return a trial of core's track ``sample``."""
        return sample_cases()[:1]
