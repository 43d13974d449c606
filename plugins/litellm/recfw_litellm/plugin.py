"""What recfw-litellm offers: the entry point's module. Classes are imported only when a hook is called."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from recfw.hookspecs import hookimpl

if TYPE_CHECKING:
    from recfw import protocols


@hookimpl
def recfw_register_agents() -> Iterable[type[protocols.Agent]]:
    """Offer a model as agent: ``litellm`` and ``endpoint``."""
    from recfw_litellm.participants import EndpointModel, LiteLLMModel

    return (LiteLLMModel, EndpointModel)


@hookimpl
def recfw_register_users() -> Iterable[type[protocols.UserSimulator]]:
    """Offer a model as user: ``litellm`` and ``endpoint``."""
    from recfw_litellm.participants import EndpointStandIn, LiteLLMStandIn

    return (LiteLLMStandIn, EndpointStandIn)


@hookimpl
def recfw_register_participants() -> Iterable[type[protocols.Participant]]:
    """Offer a model in any other role: ``litellm`` and ``endpoint``."""
    from recfw_litellm.participants import EndpointStandIn, LiteLLMStandIn

    return (LiteLLMStandIn, EndpointStandIn)


@hookimpl
def recfw_register_judges() -> Iterable[type[protocols.Judge]]:
    """Offer a model as judge: ``litellm`` and ``endpoint``."""
    from recfw_litellm.judge import EndpointJudge, LiteLLMJudge

    return (LiteLLMJudge, EndpointJudge)
