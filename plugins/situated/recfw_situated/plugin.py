"""What recfw-situated offers: the entry point's module. Classes are imported only when a hook is called."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from recfw.hookspecs import hookimpl

if TYPE_CHECKING:
    from recfw import protocols


@hookimpl
def recfw_register_tracks() -> Iterable[type[protocols.Track]]:
    """Offer the track ``situated``."""
    from recfw_situated.track import SituatedTrack

    return (SituatedTrack,)


@hookimpl
def recfw_register_agents() -> Iterable[type[protocols.Agent]]:
    """Offer the assistants that are code."""
    from recfw_situated.assistants import components

    return (components.IndexGuidedAssistant, components.TalkOnlyAssistant, components.WandererAssistant)


@hookimpl
def recfw_register_users() -> Iterable[type[protocols.UserSimulator]]:
    """Offer the rule-based user and the scripted oracle."""
    from recfw_situated.users.oracle import SituatedOracle
    from recfw_situated.users.rules import SituatedRules

    return (SituatedRules, SituatedOracle)


@hookimpl
def recfw_register_participants() -> Iterable[type[protocols.Participant]]:
    """Offer the rule-based moderator."""
    from recfw_situated.moderator import SituatedModerator

    return (SituatedModerator,)


@hookimpl
def recfw_register_metrics() -> Iterable[type[protocols.Metric]]:
    """Offer the paper's figures, and the counts that reports pool."""
    from recfw_situated.metrics.component import SituatedConduct, SituatedFigures

    return (SituatedFigures, SituatedConduct)


@hookimpl
def recfw_register_analyses() -> Iterable[type[protocols.Analysis]]:
    """Offer the run's own table, and the paper's tables and figures."""
    from recfw_situated.analysis.situated import Situated, SituatedPaper

    return (Situated, SituatedPaper)


@hookimpl
def recfw_register_commands() -> Iterable[protocols.CommandRef]:
    """Offer ``recfw situated``."""
    from recfw.protocols import CommandRef

    summary = "Serve, draw, view and inspect 3D stores."
    return (CommandRef("situated", summary, "recfw_situated.cli:situated"),)
