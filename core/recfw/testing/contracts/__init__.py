"""
Contract suites: what every component of a protocol must do, as tests that a plugin inherits in a few lines.

::

    class TestMyTrack(TrackContract):
        component = MyTrack

A test of a suite may be overridden only with a reason, named in the class's ``overridden`` mapping, which is checked.

====================  ==================================================================================
protocol              suite, and what it asks its author for
====================  ==================================================================================
Track                 :class:`TrackContract`: nothing
Environment           :class:`EnvironmentContract`: ``episode()``, a new episode of the world
Agent, UserSimulator  :class:`AgentContract`, :class:`UserContract`: ``views()`` that it can answer
Participant           :class:`ParticipantContract`: the same, and the ``role``
Judge, Metric         :class:`JudgeContract`, :class:`MetricContract`: ``cases()``, tasks with finished traces
Catalog, Retriever    :class:`CatalogContract`, :class:`RetrieverContract`: nothing
Analysis              :class:`AnalysisContract`: ``results()`` that it understands
Renderer              :class:`RendererContract`: nothing
Executor              :class:`ExecutorContract`: a ``track`` that is deterministic and quick
Recorder              :class:`RecorderContract`: ``recorder(folder)``
====================  ==================================================================================

``sample_views(role)`` and ``sample_cases()`` of :mod:`recfw.testing.episodes` give Views and traces of a small track
that is always there.
"""

from recfw.testing.contracts.base import HOSTILE, Contract
from recfw.testing.contracts.environments import EnvironmentContract
from recfw.testing.contracts.output import ExecutorContract, RecorderContract, RendererContract, sample_report
from recfw.testing.contracts.participants import AgentContract, ParticipantContract, UserContract
from recfw.testing.contracts.scorers import AnalysisContract, JudgeContract, MetricContract
from recfw.testing.contracts.sources import CatalogContract, RetrieverContract
from recfw.testing.contracts.tracks import TrackContract, first_view

__all__ = [
    "HOSTILE",
    "AgentContract",
    "AnalysisContract",
    "CatalogContract",
    "Contract",
    "EnvironmentContract",
    "ExecutorContract",
    "JudgeContract",
    "MetricContract",
    "ParticipantContract",
    "RecorderContract",
    "RendererContract",
    "RetrieverContract",
    "TrackContract",
    "UserContract",
    "first_view",
    "sample_report",
]
