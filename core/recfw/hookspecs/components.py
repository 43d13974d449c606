"""Hooks that offer components. Each is called once per manager; a name offered twice is an error that names both."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from recfw.hookspecs.markers import hookspec

if TYPE_CHECKING:
    from recfw import protocols


@hookspec
def recfw_register_tracks() -> Iterable[type[protocols.Track]]:
    """
    Offer track classes.

    Called once per manager, when a track is first looked up.

    Returns:
        Classes satisfying :class:`recfw.protocols.Track`, each with a unique ``name``.
    """
    return ()


@hookspec
def recfw_register_agents() -> Iterable[type[protocols.Agent]]:
    """
    Offer agent classes.

    Called once per manager, when an agent is first looked up.

    Returns:
        Classes satisfying :class:`recfw.protocols.Agent`, each with a unique ``name``.
    """
    return ()


@hookspec
def recfw_register_users() -> Iterable[type[protocols.UserSimulator]]:
    """
    Offer user simulator classes.

    Called once per manager, when a user simulator is first looked up.

    Returns:
        Classes satisfying :class:`recfw.protocols.UserSimulator`, each with a unique ``name``.
    """
    return ()


@hookspec
def recfw_register_participants() -> Iterable[type[protocols.Participant]]:
    """
    Offer classes for roles other than agent and user, such as a moderator.

    Called once per manager, when such a role is first looked up.

    Returns:
        Classes satisfying :class:`recfw.protocols.Participant`, each with a unique ``name``.
    """
    return ()


@hookspec
def recfw_register_catalogs() -> Iterable[type[protocols.Catalog]]:
    """
    Offer catalog classes.

    Called once per manager, when a track asks for a catalog by name.

    Returns:
        Classes satisfying :class:`recfw.protocols.Catalog`, each with a unique ``name``.
    """
    return ()


@hookspec
def recfw_register_retrievers() -> Iterable[type[protocols.Retriever]]:
    """
    Offer retriever classes.

    Called once per manager, when a track asks for a retriever by name.

    Returns:
        Classes satisfying :class:`recfw.protocols.Retriever`, each with a unique ``name``.
    """
    return ()


@hookspec
def recfw_register_judges() -> Iterable[type[protocols.Judge]]:
    """
    Offer judge classes.

    Called once per manager, before tasks are resolved.

    Returns:
        Classes satisfying :class:`recfw.protocols.Judge`, each with a unique ``name``.
    """
    return ()


@hookspec
def recfw_register_metrics() -> Iterable[type[protocols.Metric]]:
    """
    Offer metric classes.

    Called once per manager, before trials are scored.

    Returns:
        Classes satisfying :class:`recfw.protocols.Metric`, each with a unique ``name``; the names of their figures are
        unique among the metrics of one track.
    """
    return ()


@hookspec
def recfw_register_analyses() -> Iterable[type[protocols.Analysis]]:
    """
    Offer analysis classes, by which ``recfw report --analysis`` turns stored runs into a report.

    Called once per manager, when a report is asked for.

    Returns:
        Classes satisfying :class:`recfw.protocols.Analysis`, each with a unique ``name``.
    """
    return ()


@hookspec
def recfw_register_renderers() -> Iterable[type[protocols.Renderer]]:
    """
    Offer renderer classes, by which ``recfw report --format`` shows a report.

    Called once per manager, when a report is shown.

    Returns:
        Classes satisfying :class:`recfw.protocols.Renderer`, each with a unique ``name``.
    """
    return ()


@hookspec
def recfw_register_executors() -> Iterable[type[protocols.Executor]]:
    """
    Offer executor classes, which carry trials to workers.

    Called once per manager, when a run starts.

    Returns:
        Classes satisfying :class:`recfw.protocols.Executor`, each with a unique ``name``.
    """
    return ()
