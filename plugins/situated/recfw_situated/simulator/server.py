"""
The port: one listener, a reader thread for the client, one world thread that answers in order.

A client may send a large batch before it reads the first answer, so reading never waits for answering.
"""

import contextlib
import logging
import queue
import select
import socket
import threading
import time
from collections.abc import Callable

import attrs

from recfw_situated.simulator.dispatch import Dispatcher
from recfw_situated.simulator.framing import FrameError, frame, numbered, receive
from recfw_situated.simulator.world import World

_LOG = logging.getLogger(__name__)
_GLANCE = 0.2  # s between looks at whether to stop
_GRACE = 0.5  # s that a client that has hung up gets to be noticed before the next one counts as a second
_BACKLOG_BYTES = 512 * 1024 * 1024
_OVERHEAD = 200  # bytes that a waiting message takes besides its own


@attrs.define(eq=False)
class Connection:
    """A client: its socket, whether it is gone, how many bytes were read (by one thread) and answered (by another)."""

    stream: socket.socket
    gone: threading.Event = attrs.field(factory=threading.Event)
    read: int = 0
    answered: int = 0

    def close(self) -> None:
        """Hang up, so that whoever reads or writes ends."""
        self.gone.set()
        with contextlib.suppress(OSError):
            self.stream.shutdown(socket.SHUT_RDWR)
        self.stream.close()


class Server:
    """A world behind a TCP port."""

    def __init__(self, world: World, commands: Dispatcher, host: str = "127.0.0.1", port: int = 0) -> None:
        """
        Bind the port; 0 chooses a free one.

        Raises:
            OSError: the port is taken or not ours to take.
        """
        self._world, self._commands = world, commands
        self._listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        self._listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            self._listener.bind((host, port))
            self._listener.listen(16)
        except OSError:
            self._listener.close()
            raise
        self.host, self.port = self._listener.getsockname()[:2]
        world.port = self.port
        self._stopping = threading.Event()
        self._wake, self._woken = socket.socketpair()
        self._messages: queue.SimpleQueue[tuple[Connection, bytes] | None] = queue.SimpleQueue()
        self._client: Connection | None = None

    def stop(self) -> None:
        """Ask `serve` to end; may be called from a signal handler or another thread."""
        self._stopping.set()
        with contextlib.suppress(OSError):
            self._wake.send(b"!")

    def serve(self, alive: Callable[[], bool] = lambda: True) -> None:
        """Answer clients until `stop` is called or `alive` says no."""
        threading.Thread(target=self._answer_all, name="world", daemon=True).start()
        try:
            while not self._stopping.is_set() and alive():
                ready, _, _ = select.select([self._listener, self._woken], [], [], _GLANCE)
                if self._listener in ready:
                    self._accept()
        finally:
            for stream in (self._listener, self._wake, self._woken):
                stream.close()
            if self._client is not None:
                self._client.close()
            self._messages.put(None)

    def _accept(self) -> None:
        """Let a client in; a second one is accepted and closed at once, else its `connect` would wait for ever."""
        try:
            stream, _ = self._listener.accept()
        except OSError as error:
            _LOG.warning("accept failed: %s", error)
            time.sleep(_GLANCE)  # out of descriptors: not a loop of failures
            return
        if self._client is not None and not self._hung_up(self._client):
            stream.close()
            return
        stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._client = Connection(stream)
        try:
            stream.sendall(frame(f"connected to recfw_{self._world.scene.name}".encode()))
        except OSError:
            self._client.close()
            return
        threading.Thread(target=self._read_all, args=(self._client,), name="reader", daemon=True).start()

    def _hung_up(self, client: Connection) -> bool:
        """Tell whether a client is gone, waiting a moment for its reader where its end is already in sight."""
        if client.gone.is_set():
            return True
        try:
            if client.stream.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT) != b"":
                return client.gone.wait(_GLANCE)
        except BlockingIOError:
            return False
        except OSError:
            return True
        return client.gone.wait(_GRACE)

    def _read_all(self, client: Connection) -> None:
        """Put every message of a client into the queue until it hangs up or sends what is no frame."""
        try:
            while (payload := receive(client.stream)) is not None:
                client.read += len(payload) + _OVERHEAD
                if client.read - client.answered > _BACKLOG_BYTES:
                    _LOG.warning("closing the connection: over %d bytes of commands wait", _BACKLOG_BYTES)
                    break
                self._messages.put((client, payload))
        except FrameError as error:
            _LOG.warning("closing the connection: %s", error)
        except OSError as error:
            _LOG.info("the connection broke: %s", error)
        client.close()

    def _answer_all(self) -> None:
        """Answer message after message; of a client that is gone only what changes the world is carried out."""
        while (message := self._messages.get()) is not None:
            client, payload = message
            client.answered += len(payload) + _OVERHEAD
            if client.gone.is_set() and b":vget " in payload[:30]:
                continue
            answer = frame(self._answer(payload))
            if not client.gone.is_set():
                try:
                    client.stream.sendall(answer)
                except OSError:
                    client.close()

    def _answer(self, payload: bytes) -> bytes:
        """The answer to one message, with its number."""
        split = numbered(payload)
        if split is None:
            return b"error A message begins with its number and a colon"
        number, command = split
        try:
            body = self._commands.answer(self._world, command)
        except Exception as error:  # noqa: BLE001 - a client that gets no answer waits for ever
            _LOG.exception("the command failed: %s", command[:200])
            body = f"error Internal {type(error).__name__}"
        return b"%d:" % number + (body if isinstance(body, bytes) else body.encode())
