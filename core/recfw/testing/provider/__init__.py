"""
A stub provider on loopback that speaks the OpenAI protocol, with scripted replies and faults.

``async with StubProvider(Script(...)) as stub`` serves in the running loop, ``with StubProvider(...)`` in a thread of
its own, ``with ProviderProcess("--latency", "0.2")`` or ``python -m recfw.testing.provider`` in a process of its own;
``pytest_plugins = ["recfw.testing.provider.fixture"]`` gives the fixture ``provider``. Equal requests get equal
answers, and faults are drawn from a seed and the request, so that a run can be compared with one without faults.
"""

from recfw.testing.provider.brains import Brain
from recfw.testing.provider.faults import WAYS, Faults, Way
from recfw.testing.provider.process import ProviderProcess
from recfw.testing.provider.protocol import Answer, Call, ChatRequest
from recfw.testing.provider.script import Script
from recfw.testing.provider.server import StubProvider
from recfw.testing.provider.watch import Record, Recorded, Stats

__all__ = [
    "WAYS",
    "Answer",
    "Brain",
    "Call",
    "ChatRequest",
    "Faults",
    "ProviderProcess",
    "Record",
    "Recorded",
    "Script",
    "Stats",
    "StubProvider",
    "Way",
]
