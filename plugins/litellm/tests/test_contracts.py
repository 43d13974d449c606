"""The components keep core's contracts."""

import pytest

from recfw.model.view import Message, ToolSpec, View
from recfw.testing.contracts import ParticipantContract
from recfw_litellm.participants import EndpointModel, LiteLLMModel


class ModelContract(ParticipantContract):
    """What both components must do, asking the stub."""

    @pytest.fixture(autouse=True)
    def at_the_stub(self, provider, library):
        """Let the component ask the stub."""
        name = "openai/x" if self.component is LiteLLMModel else "x"
        type(self).options = {"model": name, "api_base": provider.url}

    def views(self):
        """Return Views with words, tools and a schema."""
        said = (Message.say("system", "Help."), Message.say("user", "Hello"))
        tools = (ToolSpec("look_up", "Facts.", {"type": "object"}),)
        return [View("agent", said), View("agent", said, tools), View("agent", said, (), {"type": "object"})]


class TestEndpoint(ModelContract):
    """The component ``endpoint``."""

    component = EndpointModel


class TestLiteLLM(ModelContract):
    """The component ``litellm``."""

    component = LiteLLMModel
