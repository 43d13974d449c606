"""A connection to a store's server: batches of requests, each within a deadline, a new client after any that failed."""

import contextlib
import socket
from collections.abc import Sequence
from typing import Any

from recfw.errors import InfrastructureError
from recfw_situated.driver.diagnose import PATIENCE, diagnosis
from recfw_situated.driver.quiet import quiet_client
from recfw_situated.driver.worker import Worker

SECONDS = 20.0
"""How long a batch of requests may take by default."""

CONNECTING = 10.0
"""How long a connection may take at most, the first answer and, where there is none, the diagnosis included."""

Answer = str | bytes


class Link:
    """
    What the driver asks a server through, by unrealcv's client.

    The client is neither safe to use after a time-out (every later answer is the previous one's) nor after a drop, so a
    failure of any kind discards it; the next request connects anew.

    Args:
        host: Where the server listens.
        port: At which port.
        seconds: Deadline of a batch, and of connecting where it is less than :data:`CONNECTING`.
    """

    def __init__(self, host: str, port: int, seconds: float = SECONDS) -> None:
        self.host, self.port, self.seconds = host, port, seconds
        self._client: Any = None
        self._worker: Worker | None = None

    @property
    def where(self) -> str:
        """The server's address, for messages."""
        return f"{self.host}:{self.port}"

    async def open(self, seconds: float | None = None) -> None:
        """
        Connect, unless connected, within a deadline.

        Raises:
            InfrastructureError: Nobody answers there, or not in UnrealCV's protocol; the words say which.
        """
        if self._client is not None:
            return
        limit = min(CONNECTING, self.seconds) if seconds is None else seconds
        reserve = min(2 * PATIENCE, limit / 3)  # for whoever listens to say something, so that the words tell who it is
        client = quiet_client()((self.host, self.port))
        worker = Worker(f"recfw-store-{self.port}")
        self._client, self._worker = client, worker
        try:
            connected = await worker.run(client.connect, limit - reserve)
        except BaseException as error:
            self._discard()
            if not isinstance(error, TimeoutError):
                raise
            connected = False
        if not connected:
            self._discard()
            words, hint = await _diagnosed(self.host, self.port, reserve)
            raise InfrastructureError(words, hint, kind="connection")

    async def ask(self, commands: Sequence[str], seconds: float | None = None) -> list[Answer]:
        """
        Send commands at once and return their answers in order, text or bytes; error messages are answers too.

        Raises:
            InfrastructureError: The server hangs, drops the connection, or answers something else than was asked.
        """
        await self.open()
        client, worker = self._client, self._worker
        assert worker is not None
        limit = self.seconds if seconds is None else seconds
        try:
            return await worker.run(lambda: list(client.request_batch(list(commands))), limit)
        except TimeoutError as error:
            self._discard()
            raise self._failed(f"did not answer '{_short(commands)}' within {limit:g} s", "timeout") from error
        except Exception as error:
            self._discard()
            raise self._failed(f"broke off at '{_short(commands)}' ({error})", "connection") from error
        except BaseException:  # cancelled: an answer may still be on its way
            self._discard()
            raise

    async def close(self) -> None:
        """Let the connection go."""
        self._discard()

    def _discard(self) -> None:
        """Shut the socket, which ends what both threads of the client wait for; the rest is done in them."""
        client, worker = self._client, self._worker
        self._client = self._worker = None
        if client is None or worker is None:
            return
        with contextlib.suppress(OSError, AttributeError):  # AttributeError: its thread closed it this moment
            client.sock.shutdown(socket.SHUT_RDWR)
        worker.end(client.disconnect)

    def _failed(self, what: str, kind: str) -> InfrastructureError:
        return InfrastructureError(f"The store at {self.where} {what}.", "The trial is tried again.", kind=kind)


def _short(commands: Sequence[str]) -> str:
    more = f" (and {len(commands) - 1} more)" if len(commands) > 1 else ""
    return f"{commands[0][:80] if commands else ''}{more}"


async def _diagnosed(host: str, port: int, seconds: float) -> tuple[str, str]:
    worker = Worker("recfw-store-diagnosis")
    try:
        return await worker.run(lambda: diagnosis(host, port, seconds * 0.45), seconds)
    except TimeoutError:
        return f"The store at {host}:{port} cannot be reached.", "Check host and port."
    finally:
        worker.end()
