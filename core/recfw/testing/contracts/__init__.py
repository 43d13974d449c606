"""
Contract suites: what every component of a protocol must do, as tests that a plugin inherits in a few lines.

::

    class TestMyTrack(TrackContract):
        component = MyTrack

A test of a suite may be overridden only with a reason, named in the class's ``overridden`` mapping, which is checked.
"""

from recfw.testing.contracts.base import HOSTILE, Contract
from recfw.testing.contracts.output import ExecutorContract, RecorderContract, RendererContract, sample_report
from recfw.testing.contracts.participants import ParticipantContract
from recfw.testing.contracts.scorers import AnalysisContract, JudgeContract, MetricContract
from recfw.testing.contracts.sources import CatalogContract, RetrieverContract
from recfw.testing.contracts.tracks import TrackContract, first_view

__all__ = [
    "HOSTILE",
    "AnalysisContract",
    "CatalogContract",
    "Contract",
    "ExecutorContract",
    "JudgeContract",
    "MetricContract",
    "ParticipantContract",
    "RecorderContract",
    "RendererContract",
    "RetrieverContract",
    "TrackContract",
    "first_view",
    "sample_report",
]
