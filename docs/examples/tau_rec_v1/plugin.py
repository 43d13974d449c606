"""What the example offers: ``RECFW_PLUGINS=tau_rec_v1.plugin``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from recfw.hookspecs import hookimpl

if TYPE_CHECKING:
    from recfw import protocols


@hookimpl
def recfw_register_tracks() -> Iterable[type[protocols.Track]]:
    """Offer the track ``tau-rec-v1``."""
    from tau_rec_v1.track import TauRecTrack

    return (TauRecTrack,)


@hookimpl
def recfw_register_agents() -> Iterable[type[protocols.Agent]]:
    """Offer the reference agent ``ask-and-filter``."""
    from tau_rec_v1.agent import AskAndFilter

    return (AskAndFilter,)


@hookimpl
def recfw_register_metrics() -> Iterable[type[protocols.Metric]]:
    """Offer the metric ``tau-rec-v1``."""
    from tau_rec_v1.metrics import TauRecMetric

    return (TauRecMetric,)
