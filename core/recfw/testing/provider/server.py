"""The server: takes requests, draws faults, counts, and can be watched and changed while it runs."""

import asyncio
import threading
import time
from collections import OrderedDict
from types import TracebackType
from typing import Any, Self

import orjson
from attrs import evolve

from recfw.errors import RecfwError, words_of
from recfw.testing.provider.brains import Brain, find_brain, recite
from recfw.testing.provider.faults import WAYS, Way
from recfw.testing.provider.http import Connection, Outgoing, Request
from recfw.testing.provider.protocol import Answer, ChatRequest, completion, encode, error_body, stream
from recfw.testing.provider.script import Script
from recfw.testing.provider.strictness import complaint
from recfw.testing.provider.watch import Record, Stats

_REMEMBERED = 500_000  # requests whose attempts are counted


class StubProvider:
    """
    A provider on loopback; ``async with`` serves in the running loop, ``with`` in a thread of its own.

    Args:
        script: How it behaves.
        brain: A function of the request that says what the model says, instead of the script's brain.
        host: Address to listen on.
        port: Port to listen on; 0 for a free one.

    Attributes:
        url: The base URL that a client is given, ending in ``/v1``.
        script: How it behaves now; assigning another changes it.
        recorded: The newest requests, as many as ``script.record`` says.
        stats: What it has done so far.
    """

    def __init__(
        self, script: Script | None = None, *, brain: Brain | None = None, host: str = "127.0.0.1", port: int = 0
    ) -> None:
        self.url = ""
        self.recorded = Record()
        self._stats = Stats()
        self._host, self._port = host, port
        self._given = brain
        self._connections: set[Connection] = set()
        self._server: asyncio.Server | None = None
        self._thread: threading.Thread | None = None
        self._stop: tuple[asyncio.AbstractEventLoop, asyncio.Event] | None = None
        self._begun = (time.perf_counter(), time.process_time())
        self.script = script or Script()

    @property
    def script(self) -> Script:
        """How it behaves now."""
        return self._script

    @script.setter
    def script(self, script: Script) -> None:
        self._script = script
        self._brain = self._given or find_brain(script.brain)
        self._attempts: OrderedDict[bytes, int] = OrderedDict()
        self._allowance = self._burst = max(script.requests_per_second or 0.0, 1.0)
        self._filled = time.monotonic()

    def change(self, **fields: Any) -> None:
        """Change fields of the script, as JSON values or records; counts of attempts begin anew."""
        self.script = evolve(self._script, **fields)

    @property
    def stats(self) -> Stats:
        """What it has done so far."""
        wall, cpu = self._begun
        passed, used = time.perf_counter() - wall, time.process_time() - cpu
        return evolve(self._stats, connections=len(self._connections), seconds=passed, cpu_seconds=used)

    async def __aenter__(self) -> Self:
        loop = asyncio.get_running_loop()
        serve = self._serve
        self._server = await loop.create_server(
            lambda: Connection(serve, self._connections), self._host, self._port, backlog=1024
        )
        host, port = self._server.sockets[0].getsockname()[:2]
        self.url = f"http://{f'[{host}]' if ':' in host else host}:{port}/v1"
        self._begun = (time.perf_counter(), time.process_time())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._server is not None
        self._server.close()
        tasks = [connection.task for connection in self._connections if connection.task is not None]
        for connection in list(self._connections):
            if connection.transport is not None:
                connection.transport.abort()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.sleep(0)  # transports that are aborted close in the loop's next turn

    def __enter__(self) -> Self:
        ready = threading.Event()
        self._failed: OSError | None = None
        self._thread = threading.Thread(target=self._run, args=(ready,), name="stub-provider", daemon=True)
        self._thread.start()
        ready.wait()
        if self._failed is not None:
            raise self._failed
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._stop is not None
        assert self._thread is not None
        loop, event = self._stop
        loop.call_soon_threadsafe(event.set)
        self._thread.join()

    def _run(self, ready: threading.Event) -> None:
        async def serve() -> None:
            self._stop = (asyncio.get_running_loop(), asyncio.Event())
            async with self:
                ready.set()
                await self._stop[1].wait()

        try:
            asyncio.run(serve())
        except OSError as error:
            self._failed = error
            ready.set()

    async def _serve(self, request: Request, connection: Connection) -> None:
        path = request.path.partition("?")[0].removeprefix("/v1")
        if path.endswith("/chat/completions") and request.method == "POST":
            self._stats.arrived()
            try:
                out = self._answer(request)
                self._stats.statuses[str(out.status) if out.head else "none"] += 1
                await connection.send(out)
            finally:
                self._stats.in_flight -= 1
        else:
            await connection.send(self._other(request.method, path, request.body))

    def _other(self, method: str, path: str, body: bytes) -> Outgoing:
        if (method, path) == ("GET", "/stats"):
            return Outgoing(body=encode(self.stats.data()))
        if (method, path) == ("GET", "/requests"):
            return Outgoing(body=encode(self.recorded.data()))
        if (method, path) == ("GET", "/models"):
            models = [{"id": name, "object": "model", "created": 0, "owned_by": "stub"} for name in self._models()]
            return Outgoing(body=encode({"object": "list", "data": models}))
        if (method, path) == ("POST", "/script"):
            try:
                self.script = self._script.changed(orjson.loads(body))
            except (RecfwError, ValueError) as error:
                return Outgoing(400, error_body(str(error), "invalid_request_error"))
            return Outgoing(body=b"{}")
        message = f"Unknown request URL: {method} {path}."
        return Outgoing(404, error_body(message, "invalid_request_error", "unknown_url"))

    def _models(self) -> tuple[str, ...]:
        return self._script.models or ("stub",)

    def _answer(self, request: Request) -> Outgoing:
        """Return what is sent to a chat request, whatever happens within."""
        try:
            return self._chat(request)
        except Exception as error:  # noqa: BLE001 - a brain is foreign code, and so is a request that is not checked
            return Outgoing(500, error_body(f"The stub could not answer: {words_of(error)}", "stub_error"))

    def _chat(self, request: Request) -> Outgoing:
        """Return what is sent to a chat request."""
        script = self._script
        refused = self._refused(request)
        if refused is not None:
            return refused
        try:
            body = orjson.loads(request.body)
        except orjson.JSONDecodeError:
            body = None
        said = complaint(body) if script.strict or not isinstance(body, dict) else ""
        if said:
            return Outgoing(400, error_body(said, "invalid_request_error"))
        chat = ChatRequest(body, request.body, 0, request.headers)
        chat.attempt = self._count(chat.digest)
        if script.models and chat.model not in script.models:
            return self._sent(chat, Answer(), WAYS["model_not_found"])
        found = recite(chat, script.replies) if script.replies and not self._given else self._brain(chat)
        answer = Answer(found) if isinstance(found, str) else found
        way = WAYS[answer.fault] if answer.fault and chat.attempt < answer.attempts else script.faults.draw(chat)
        return self._sent(chat, answer, way)

    def _sent(self, chat: ChatRequest, answer: Answer, way: Way | None) -> Outgoing:
        script, stats = self._script, self._stats
        if script.record:
            self.recorded.add(chat, way.name if way else "", script.record)
        body = completion(chat, answer)
        stats.images += len(chat.images)
        if way is not None:
            stats.faults[way.name] += 1
            if way.distort:
                way.distort(body, chat)
        if way is None or way.send is None or way.kind == "harmless":
            told = body.get("usage") or {}
            stats.prompt_tokens += told.get("prompt_tokens", 0)
            stats.completion_tokens += told.get("completion_tokens", 0)
        delay = script.latency + answer.delay
        if script.spread:
            delay += script.spread * (int.from_bytes(chat.digest[16:24], "big") / 2**64)
        if chat.streams:
            out = Outgoing(pieces=stream(chat, body), media="text/event-stream", delay=delay, pace=script.pace)
        else:
            out = Outgoing(body=encode(body), delay=delay)
        return way.answer(out, script.faults) if way is not None else out

    def _refused(self, request: Request) -> Outgoing | None:
        """Return what is sent where the key is wrong or a limit is passed."""
        script = self._script
        if script.key and request.headers.get("authorization") != f"Bearer {script.key}":
            return WAYS["invalid_key"].answer(Outgoing(), script.faults)
        if script.concurrent is not None and self._stats.in_flight > script.concurrent:
            return WAYS["http_429"].answer(Outgoing(), script.faults)
        rate = script.requests_per_second
        if rate is None:
            return None
        now = time.monotonic()
        self._allowance = min(self._burst, self._allowance + (now - self._filled) * rate)
        self._filled = now
        if self._allowance < 1 or not rate:
            return WAYS["http_429_seconds"].answer(Outgoing(), script.faults)
        self._allowance -= 1
        return None

    def _count(self, digest: bytes) -> int:
        """Return how many requests with this digest came before; the oldest are forgotten when there are too many."""
        attempts = self._attempts
        before = attempts.get(digest, 0)
        attempts[digest] = before + 1
        if len(attempts) > _REMEMBERED:
            attempts.popitem(last=False)
        return before
