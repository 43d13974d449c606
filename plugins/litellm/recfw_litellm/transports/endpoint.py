"""Straight to an OpenAI-compatible endpoint, over a client that costs little."""

import asyncio
import io
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, ClassVar

import orjson

from recfw.serialize import plain
from recfw_litellm.classify import Told, fault_of, told_in
from recfw_litellm.keys import key_for
from recfw_litellm.options import ModelOptions
from recfw_litellm.raised import fault_of_exception
from recfw_litellm.replies import answerable
from recfw_litellm.wire import Blame, Fault, Raw, Request

if TYPE_CHECKING:
    import aiohttp

MOST_BYTES = 32 * 1024 * 1024
"""Bytes of an answer beyond which it is none."""
LARGE = 2**20
"""Bytes of a request beyond which it is sent piece by piece: at once, it would hold up everybody else."""
IDLE = 20.0
"""Seconds that a connection which nobody uses stays open: less than servers keep theirs, which would close it under a
request."""


class Endpoint:
    """
    Sends to ``{api_base}/chat/completions`` and nowhere else: no proxy of the environment, no redirect.

    Args:
        options: Which endpoint, and which key.
    """

    name: ClassVar[str] = "endpoint"
    spacing: ClassVar[float] = 0.0

    def __init__(self, options: ModelOptions) -> None:
        self._options = options
        self._address = f"{options.api_base.rstrip('/')}/chat/completions"
        self._session: aiohttp.ClientSession | None = None

    def takes(self, model: str) -> frozenset[str] | None:  # noqa: ARG002 - the servers are not known
        """Return the parameters that a model takes; None where that is not known, so that all are sent."""
        return None

    @asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        """Hold connections."""
        import aiohttp  # noqa: PLC0415 - only a run with this component needs it

        connector = aiohttp.TCPConnector(limit=0, keepalive_timeout=IDLE, ttl_dns_cache=300)
        timeout = aiohttp.ClientTimeout(total=None, sock_connect=30)
        async with aiohttp.ClientSession(
            connector=connector, timeout=timeout, trust_env=False, cookie_jar=aiohttp.DummyCookieJar()
        ) as session:
            self._session = session
            try:
                yield
            finally:
                self._session = None

    async def send(self, request: Request, seconds: float) -> Raw:
        """Return the endpoint's answer; Fault where there is none after ``seconds``."""
        try:
            async with asyncio.timeout(seconds):
                status, headers, content = await self._post(orjson.dumps(request.body()))
        except Exception as error:  # whatever a client library raises is a fault of the way
            raise fault_of_exception(error, seconds) from error
        if status >= 300:
            raise fault_of(told_in(_decoded(content), status, headers))
        try:
            return answerable(_read(content))
        except (ValueError, RecursionError) as error:
            words = f"The answer is no JSON ({len(content)} bytes): {error}"
            raise fault_of(Told(None, "invalid json", words)) from error

    async def _post(self, body: bytes) -> tuple[int, dict[str, str], bytes]:
        if self._session is None:
            raise Fault("connection", Blame.REQUEST, "The transport is not open.")
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if key := key_for(self._options, "OPENAI_API_KEY"):
            headers["Authorization"] = f"Bearer {key}"
        async with self._session.post(
            self._address, data=body if len(body) < LARGE else io.BytesIO(body), headers=headers, allow_redirects=False
        ) as answer:
            parts, size = [], 0
            async for part in answer.content.iter_any():
                size += len(part)
                if size > MOST_BYTES:
                    raise Fault("malformed", Blame.RETRY, f"The answer is longer than {MOST_BYTES} bytes.")
                parts.append(part)
            return answer.status, dict(answer.headers), b"".join(parts)

    def price(self, model: str, raw: Raw) -> float | None:  # noqa: ARG002 - the transport protocol's signature
        """Return None: an endpoint has no price table. Options may state prices."""
        return None


def _read(content: bytes) -> Any:
    """Return JSON values; lone surrogates, which no strict reader takes, are replaced."""
    try:
        return orjson.loads(content)
    except orjson.JSONDecodeError:
        return plain(json.loads(content.decode("utf-8", "replace")))


def _decoded(content: bytes) -> Any:
    """Return an error's body, as JSON values or else as text."""
    try:
        return _read(content)
    except (ValueError, RecursionError):
        return content[:10_000].decode("utf-8", "replace")
