"""A plugin whose components do to a run what users of such harnesses suffer from; FAKES_NOTES takes their notes."""

import asyncio
import os
import subprocess
import sys
from pathlib import Path

from attrs import frozen

from fakes.dialogue import Asker
from fakes.rounds import Planner
from fakes.trouble import Killer, note
from recfw.errors import InfrastructureError
from recfw.hookspecs import hookimpl
from recfw.model.reply import Reply, ToolCall
from recfw.model.score import Score
from recfw.protocols import ContextOverflow, Judge, NoOptions


class Struck(Killer):
    """Plays as the asker does, and notes each trial that it begins; subclasses do harm on the task of their options."""

    name = "pain-none"

    def episode(self, context):
        note(f"begun-{context.task}")
        return Harmed(self, context)

    async def harm(self):
        """Nothing."""


@frozen
class Harmed:
    """A player that does its component's harm before its first reply on the chosen task."""

    component: Struck
    context: object

    async def reply(self, view):
        options = self.component.options
        if view.messages[-1].text == "I want a thing." and self.context.task == options.task:
            await self.component.harm()
        return await Asker.reply(self.component, view)


class Deaf(Struck):
    """Is asked to stop, and goes on."""

    name = "pain-deaf"

    async def harm(self):
        while True:
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                note("asked-to-stop")


class DeadPeer(Struck):
    """Waits for a peer that took the connection and never answers, without any time-out of its own."""

    name = "pain-dead-peer"

    async def harm(self):
        reader, writer = await asyncio.open_connection("127.0.0.1", int(os.environ["PAIN_PORT"]))
        try:
            await reader.read(1)
        finally:
            writer.close()


class OwnTimeout(Struck):
    """Has a library's time-out, which the library ignores."""

    name = "pain-own-timeout"

    async def harm(self):
        async with asyncio.timeout(0.05):
            await asyncio.shield(asyncio.get_running_loop().create_future())

    def episode(self, context):
        return Ignoring(self, context)


class Ignoring(Harmed):
    """A player that swallows its own time-out and waits again."""

    async def reply(self, view):
        while True:
            try:
                return await Harmed.reply(self, view)
            except TimeoutError:
                continue


class RateLimited(Struck):
    """Is told by its provider to slow down, and passes it on."""

    name = "pain-rate-limited"

    async def harm(self):
        raise InfrastructureError("429 Too Many Requests: slow down.")


class Mended(Struck):
    """Its provider is down as long as a file is not there."""

    name = "pain-mended"

    async def harm(self):
        if not Path(os.environ["PAIN_MENDED"]).exists():
            raise InfrastructureError("503 Service Unavailable.")


class Overflowing(Struck):
    """Cannot read what it is shown."""

    name = "pain-overflowing"

    async def harm(self):
        raise ContextOverflow("32769 tokens are more than 32768")


class Thinker(Struck):
    """Thinks aloud, apart from what it says."""

    name = "pain-thinker"

    async def harm(self):
        """Nothing."""

    def episode(self, context):
        return Thinking(self, context)


class Thinking(Harmed):
    """A player whose every reply has thoughts."""

    async def reply(self, view):
        note(f"saw-{'thoughts' if 'THOUGHT' in repr(view) else 'words'}")
        said = await Harmed.reply(self, view)
        return Reply(said.text, said.calls, reasoning="THOUGHT: the user must not read this.")


class Loud(Struck):
    """Prints into whatever its standard output is, and then closes that."""

    name = "pain-loud"

    async def harm(self):
        print('{"kind": "end"}', flush=True)
        sys.stdout.buffer.write(b"T\x00\x00\x00\x05junk\xff\n")
        sys.stdout.flush()
        os.write(1, b"\x00" * 4096)
        if os.environ.get("PAIN_CLOSE"):
            os.close(1)


class Serving(Struck):
    """Starts a server of its own when it is opened, and forgets it."""

    name = "pain-serving"

    def __init__(self, options):
        super().__init__(options)
        self.server = None

    def episode(self, context):
        if self.server is None:
            self.server = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(300)"])
            note(f"server-{self.server.pid}")
        return super().episode(context)


SLOPPY = (
    ToolCall("multiples", '{}""'),
    ToolCall("multiples", "n = 3"),
    ToolCall("multiples", '{"n": "3"}', "same"),
    ToolCall("above", '"{\\"n\\": 90}"', "same"),
    ToolCall("above", '{"n": "[90]"}', ""),
    ToolCall("above", '{\\n"n": 90}', ""),
    ToolCall("server.above", '{"n": 90}'),
    ToolCall("server:above", '{"n": 90}'),
    ToolCall("above", '{"n": 90, "why": "\ud800 two\nlines"}'),
)
"""What models send, in one reply."""


class Sloppy(Planner):
    """Sends what models send, and then plays on."""

    name = "pain-sloppy"

    async def reply(self, view):
        return Reply(calls=SLOPPY, text="half a pair: \udc00") if len(view.messages) == 1 else await super().reply(view)


class Unparseable(Judge):
    """Cannot read its own model's verdict on one task, and says so as code does: it raises."""

    name, Options, identity = "pain-unparseable", NoOptions, "pain-unparseable@1"

    def __init__(self, options):
        self.options = options

    async def judge(self, task, trace):
        if task.id == "d1":
            raise ValueError("the verdict is 'Sure! I would say 7'")
        return [Score("grade", 1.0, self.identity)]


class Dead(Judge):
    """A judge whose model is gone."""

    name, Options, identity = "pain-dead-judge", NoOptions, "pain-dead-judge@1"

    def __init__(self, options):
        self.options = options

    async def judge(self, task, trace):
        raise ConnectionRefusedError("nobody listens")


@hookimpl
def recfw_register_agents():
    """Offer the painful agents."""
    players = (Struck, Deaf, DeadPeer, OwnTimeout, RateLimited, Mended, Overflowing, Thinker, Loud, Serving)
    return [*players, Sloppy]


@hookimpl
def recfw_register_judges():
    """Offer the judges that cannot judge."""
    return [Unparseable, Dead]
