"""What recfw-orchestration offers: the entry point's module. Classes are imported only when a hook is called."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from recfw.hookspecs import hookimpl

if TYPE_CHECKING:
    from recfw import protocols


@hookimpl
def recfw_register_tracks() -> Iterable[type[protocols.Track]]:
    """Offer the track ``orchestration``."""
    from recfw_orchestration.track import OrchestrationTrack

    return (OrchestrationTrack,)


@hookimpl
def recfw_register_agents() -> Iterable[type[protocols.Agent]]:
    """Offer the reference agents: the ceiling, one that reads tools and request alone, the floor."""
    from recfw_orchestration.agents.gold import Gold
    from recfw_orchestration.agents.random_caller import RandomCaller
    from recfw_orchestration.agents.router import Router

    return (Gold, Router, RandomCaller)


@hookimpl
def recfw_register_users() -> Iterable[type[protocols.UserSimulator]]:
    """Offer the user that says the request and is silent."""
    from recfw_orchestration.rollout.opening import Opening

    return (Opening,)


@hookimpl
def recfw_register_metrics() -> Iterable[type[protocols.Metric]]:
    """Offer the figures by rule, and what a rollout used and did wrong."""
    from recfw_orchestration.metrics.component import OrchestrationConduct, OrchestrationFigures

    return (OrchestrationFigures, OrchestrationConduct)


@hookimpl
def recfw_register_judges() -> Iterable[type[protocols.Judge]]:
    """Offer the rule-based judge."""
    from recfw_orchestration.judging.judge import RuleJudge

    return (RuleJudge,)


@hookimpl
def recfw_register_analyses() -> Iterable[type[protocols.Analysis]]:
    """Offer the analysis ``orchestration-paper``."""
    from recfw_orchestration.analysis.orchestration_paper import OrchestrationPaper

    return (OrchestrationPaper,)


@hookimpl
def recfw_register_commands() -> Iterable[protocols.CommandRef]:
    """Offer ``recfw orchestration``."""
    from recfw.protocols import CommandRef

    summary = "Serve tools, import data; generate, validate and inspect tasks."
    return (CommandRef("orchestration", summary, "recfw_orchestration.cli:orchestration"),)
