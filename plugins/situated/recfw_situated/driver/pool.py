"""The stores of a worker process: each lent to one episode at a time, started when they are first needed."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Self

from recfw.errors import InfrastructureError
from recfw_situated.driver.alignment import by_places
from recfw_situated.driver.link import SECONDS
from recfw_situated.driver.mapping import BuildMap
from recfw_situated.driver.process import Served, start
from recfw_situated.driver.unreal import UnrealStore
from recfw_situated.scenes.records import Scene


class Stores:
    """
    Lends stores to episodes.

    Without an address it starts simulators of its own, one for every episode that is under way at once, and ends them
    all when it is left. With addresses it lends those, one episode at a time each.

    Args:
        scene: The scene's records.
        addresses: ``(host, port)`` of servers that run already; none starts simulators.
        mapping: What those servers call things.
        seconds: Deadline of each batch of requests.
        most: How many simulators run at once at most; further episodes wait.
        source: The folder that the scene was read from, where it is none of those that ship.
    """

    def __init__(
        self,
        scene: Scene,
        addresses: tuple[tuple[str, int], ...] = (),
        mapping: BuildMap | None = None,
        seconds: float = SECONDS,
        most: int = 64,
        source: str = "",
    ) -> None:
        self.scene, self.mapping, self.seconds = scene, mapping, seconds
        self._source = source or scene.name
        self._own = not addresses
        self._free: list[UnrealStore] = [
            UnrealStore(scene, host, port, mapping, seconds) for host, port in reversed(addresses)
        ]
        self._served: dict[UnrealStore, Served] = {}
        self._open: set[UnrealStore] = set()
        self._slots = asyncio.Semaphore(most if self._own else len(addresses))

    @property
    def running(self) -> tuple[Served, ...]:
        """The simulators that were started and not ended."""
        return tuple(self._served.values())

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        for store in (*self._free, *self._served):
            await store.close()
        for served in self._served.values():
            served.stop()
        self._served.clear()
        self._free.clear()

    @asynccontextmanager
    async def lend(self) -> AsyncIterator[UnrealStore]:
        """
        Give a store with everything in its place and the shopper at the start.

        One whose episode failed is not trusted again: its simulator is ended, a server of somebody else's is connected
        anew.

        Raises:
            InfrastructureError: It cannot be started, connected or reset, or it tells that its things are elsewhere.
        """
        async with self._slots:
            store = await self._take()
            try:
                if store not in self._open:
                    await store.open()
                    if not self._own:
                        await _check_origin(store)
                    self._open.add(store)
                await store.reset()
                yield store
            except BaseException:
                await self._retire(store)
                raise
            self._free.append(store)

    async def _take(self) -> UnrealStore:
        while self._free:
            store = self._free.pop()
            if store not in self._served or self._served[store].alive:
                return store
            await self._retire(store)
        if not self._own:
            raise InfrastructureError("No store is free.", "Give more addresses, or run fewer trials at once.")
        served = await start(self._source)
        if served.digest != self.scene.digest:
            served.stop()
            words = f"The simulator of '{self.scene.name}' serves other content than this process has read."
            raise InfrastructureError(words, "Install the plugin anew in both places.", kind="simulator")
        store = UnrealStore(self.scene, served.host, served.port, None, self.seconds, trusted=True)
        self._served[store] = served
        return store

    async def _retire(self, store: UnrealStore) -> None:
        """Drop a store that failed: end its simulator, or keep the address for the next."""
        self._open.discard(store)
        served = self._served.pop(store, None)
        if served is not None:
            served.stop()
        await store.close()
        if not self._own and store not in self._free:
            self._free.append(store)


async def _check_origin(store: UnrealStore) -> None:
    """Raise InfrastructureError where a build tells places of its objects that the mapping's origin contradicts."""
    found = await by_places(store)
    trouble = found.trouble(store.scene.name) if found is not None else ""
    if trouble:
        hint = "See what it offers with: recfw situated check"
        raise InfrastructureError(
            f"The origin of the store at {store.link.where}: {trouble}.", hint, kind="calibration"
        )
