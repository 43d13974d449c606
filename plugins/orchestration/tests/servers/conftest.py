"""What the tests of the servers share: a small store, and a desk that answers from any thread."""

import asyncio
import sys
import threading
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent
sys.path.insert(
    0, str(FOLDER)
)  # --import-mode=importlib leaves sys.path alone, and the small store is imported by name

from small import SmallData  # noqa: E402 - found only now

from recfw_orchestration.servers.clients import open_servers  # noqa: E402


class Answering:
    """A desk over the small store, open in a thread of its own."""

    def __init__(self):
        self._loop = asyncio.new_event_loop()
        self._opened, self._leave = threading.Event(), asyncio.Event()
        self._thread = threading.Thread(target=self._loop.run_until_complete, args=(self._hold(),))

    async def _hold(self):
        async with open_servers(SmallData()) as self.desk:
            self._opened.set()
            await self._leave.wait()

    def __enter__(self):
        self._thread.start()
        assert self._opened.wait(30)
        self.tools = {tool.name: tool for tool in self.desk.tools()}
        return self

    def __exit__(self, *_):
        self._loop.call_soon_threadsafe(self._leave.set)
        self._thread.join(30)
        self._loop.close()

    def __call__(self, tool, /, **arguments):
        """Return the outcome of one call."""
        return self.call(tool, arguments)

    def call(self, tool, arguments):
        """Return the outcome of one call, whatever its arguments are."""
        return asyncio.run_coroutine_threadsafe(self.desk.call(tool, arguments, 10.0), self._loop).result(30)

    def items(self, tool, /, **arguments):
        """Return the items of an answer."""
        outcome = self.call(tool, arguments)
        assert not outcome.is_error, outcome.text
        return outcome.content["items"]

    def ids(self, tool, /, **arguments):
        """Return the ids of the items of an answer."""
        return [item["item_id"] for item in self.items(tool, **arguments)]


@pytest.fixture(scope="session")
def answering():
    """Give a desk over the small store."""
    with Answering() as opened:
        yield opened
