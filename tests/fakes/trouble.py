"""
A plugin whose components make trouble on chosen tasks: they kill their worker, wait, or fail as infrastructure.

They play the fake dialogue; FAKES_NOTES names a folder in which they note what they did, so that tests can count.
"""

import asyncio
import os
import signal
import time
import uuid
from contextlib import asynccontextmanager
from pathlib import Path

from attrs import frozen

from fakes.dialogue import Asker, Speaker
from recfw.errors import InfrastructureError
from recfw.hookspecs import hookimpl
from recfw.protocols import Context


def note(what):
    """Leave a note; return how many of its kind there are now."""
    folder = Path(os.environ["FAKES_NOTES"])
    (folder / f"{what}-{uuid.uuid4().hex}").touch()
    return len(list(folder.glob(f"{what}-*")))


@frozen
class TroubleOptions:
    """``task``: on which task; ``times``: how many times it happens (-1 always); ``seconds``: how long it waits."""

    task: str = "d1"
    times: int = -1
    seconds: float = 0.0


@frozen
class OpenedOptions:
    """``what``: which trouble it makes; empty for none."""

    what: str = ""


@frozen
class Troubled:
    """A player that makes its component's trouble before its first reply, and then plays as the asker does."""

    component: "Killer"
    context: Context

    async def reply(self, view):
        options = self.component.options
        await asyncio.sleep(options.seconds)
        struck = view.messages[-1].text == "I want a thing." and self.context.task == options.task
        if struck and (options.times < 0 or note(self.component.name) <= options.times):
            self.component.strike()
        return await Asker.reply(self.component, view)


class Killer(Asker):
    """Kills its process."""

    name, Options = "fake-killer", TroubleOptions

    def episode(self, context):
        return Troubled(self, context)

    def strike(self):
        os.kill(os.getpid(), signal.SIGKILL)


class Flaky(Killer):
    """Fails as infrastructure."""

    name = "fake-flaky"

    def strike(self):
        raise InfrastructureError("the provider is down.")


class Slow(Killer):
    """Does nothing but wait."""

    name = "fake-slow"

    def strike(self):
        """Nothing."""


class Blocker(Killer):
    """Blocks the event loop, and lets nobody stop it."""

    name = "fake-blocker"

    def strike(self):
        time.sleep(60)


class Unmade(Asker):
    """Asks to exit when it is made."""

    name = "fake-unmade"

    def __init__(self, options):
        raise SystemExit(0)


class Opened(Asker):
    """Makes trouble when it is opened or closed; ``what`` says which: hang or raise, at open or close."""

    name, Options = "fake-opened", OpenedOptions

    @asynccontextmanager
    async def open(self):
        await self.trouble("open")
        yield
        await self.trouble("close")

    async def trouble(self, when):
        if self.options.what == f"hang at {when}":
            await asyncio.sleep(60)
        if self.options.what == f"raise at {when}":
            raise ZeroDivisionError(when)
        if self.options.what == f"exit at {when}":
            raise SystemExit(0)


class Unready(Asker):
    """Cannot be set up."""

    name = "fake-unready"

    def open(self):
        raise InfrastructureError("the model server is not up.", "Start it with: serve up")


class Distant(Asker):
    """A model that cannot be set up while FAKES_DOWN is set."""

    name, deterministic = "fake-distant", False

    def open(self):
        if "FAKES_DOWN" in os.environ:
            raise InfrastructureError("the model server is not up.", "Start it with: serve up")
        return super().open()


class Lost(Speaker):
    """A user simulator that breaks."""

    name = "fake-lost"

    async def reply(self, view):
        raise ZeroDivisionError("lost")


@hookimpl
def recfw_register_agents():
    """Offer the troublesome agents."""
    return [Killer, Flaky, Slow, Blocker, Unmade, Opened, Unready, Distant]


@hookimpl
def recfw_register_users():
    """Offer the lost user."""
    return [Lost]
