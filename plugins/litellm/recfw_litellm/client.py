"""
Asking a model: a kept answer if there is one; else a turn at the gate, a deadline, retries, and the answer kept.

A :class:`Client` serves one component in one process; gate and breaker are those of the provider, shared by all
components of the process that name it.
"""

import asyncio
import os
import time
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import orjson
from attrs import define, frozen

from recfw.engine.deadline import DeadlineError, within
from recfw.errors import words_of
from recfw.protocols import Context, Facilities, Waits
from recfw_litellm.breaker import Breaker
from recfw_litellm.cache import Kept
from recfw_litellm.classify import shown
from recfw_litellm.gate import Gate, Rates
from recfw_litellm.options import ModelOptions
from recfw_litellm.prices import check_prices, cost_of
from recfw_litellm.replies import usage_of
from recfw_litellm.secrecy import redactor
from recfw_litellm.waiting import pause
from recfw_litellm.wire import Blame, Fault, Raw, Request, Transport

GRACE = 1.0
"""Seconds past its deadline that a transport has before it is given up."""

MOST_REFUSALS = 100
"""After how many refusals of one request it is given up, though the provider answers others in between."""

CHARACTERS = 4
"""Of a request, a token: what a request is thought to use before its answer tells."""

NO_WAITS = Context("", "", 0).waits


@frozen
class Answered:
    """
    An answer, and what it took.

    Args:
        raw: What the provider sent.
        seconds: How long the request took that was answered.
        attempts: How many were sent; 0 where the answer was kept.
        cached: Whether it was kept.
        cost: USD; 0 for a kept one, None where no price is known.
    """

    raw: Raw
    seconds: float
    attempts: int
    cached: bool
    cost: float | None


@frozen
class Provider:
    """What all components of a process that ask one provider share."""

    gate: Gate
    breaker: Breaker


_PROVIDERS: dict[asyncio.AbstractEventLoop, dict[str, Provider]] = {}


def provider_of(transport: Transport, options: ModelOptions, rates: Rates) -> Provider:
    """
    Return the provider that options name, of the running loop: the endpoint, or what begins the model's name.

    The tighter of two components' rates holds for both; the breaker is that of the one that came first.
    """
    for loop in [loop for loop in _PROVIDERS if loop.is_closed()]:
        del _PROVIDERS[loop]
    name = options.api_base.rstrip("/") or f"{transport.name}:{options.model.partition('/')[0]}"
    known = _PROVIDERS.setdefault(asyncio.get_running_loop(), {})
    if name in known:
        known[name].gate.restrict(rates)
    else:
        known[name] = Provider(
            Gate(rates, spacing=transport.spacing), Breaker(options.breaker, options.breaker_seconds)
        )
    return known[name]


def forget_broken(provider: Provider) -> None:
    """Let the next who names a provider whose breaker is broken begin anew: a person may have acted."""
    known = _PROVIDERS.get(asyncio.get_running_loop(), {})
    if provider.breaker.broken is not None:
        for name in [name for name, other in known.items() if other is provider]:
            del known[name]


def size_of(request: Request) -> int:
    """Return how many bytes a request has beside its pictures."""
    parts = [part for said in request.messages if isinstance(said.get("content"), list) for part in said["content"]]
    pictures = sum(len(part["image_url"]["url"]) for part in parts if part.get("type") == "image_url")
    return len(orjson.dumps(request.body())) - pictures


@define
class Tries:
    """
    How often one request was sent, and what that says.

    Args:
        most: How many failures are one too many.
        sent: How often it was sent.
        failures: How often that failed.
    """

    most: int
    sent: int = 0
    failures: int = 0

    def failed(self, fault: Fault, *, others: bool) -> bool:
        """
        Note a failure; tell whether it was the last.

        Where the provider refuses this request for there being too many, and answers others meanwhile, it is not this
        request that fails: it waits for longer, and loses no try.
        """
        if not (fault.kind == "rate_limit" and others and self.sent < MOST_REFUSALS):
            self.failures += 1
        return fault.blame is not Blame.RETRY or self.failures >= self.most


class Client:
    """
    Asks one model.

    Args:
        transport: The way to it.
        options: Which model, and how.
        facilities: Where answers are kept, whether anything may be sent, how many processes share its limits.
    """

    def __init__(self, transport: Transport, options: ModelOptions, facilities: Facilities) -> None:
        check_prices(options)
        self._transport, self._options, self._facilities = transport, options, facilities
        self._redacted = redactor(os.environ)
        folder = facilities.answers
        self._kept = Kept(Path(folder), options.cache_megabytes, self._redacted) if folder else None
        self._rates = Rates(options.concurrency, options.requests_per_minute, options.tokens_per_minute)
        self._provider: Provider | None = None

    def open(self) -> AbstractAsyncContextManager[None]:
        """Hold connections, entered and left by one task; OutageError where answers cannot be kept."""
        return self._opened()

    @asynccontextmanager
    async def _opened(self) -> AsyncIterator[None]:
        if self._kept is not None and not self._facilities.offline:
            self._kept.prepare()
        rates = self._rates.shared(max(1, self._facilities.processes))
        self._provider = provider_of(self._transport, self._options, rates)
        try:
            async with self._transport.open():
                yield
        finally:
            forget_broken(self._provider)
            self._provider = None

    async def ask(self, request: Request, waits: Waits = NO_WAITS) -> Answered:
        """
        Return an answer.

        Args:
            request: The question.
            waits: Is told which time is not the asker's own: its turn at the gate, back-off, attempts that failed.

        Raises:
            Fault: There is no answer; its blame says what becomes of it.
            OutageError: The answer cannot be kept.
        """
        key = request.key() if self._kept is not None else ""
        if self._kept is not None:
            kept = self._kept.get(key)
            if kept is not None:
                return Answered(kept, 0.0, 0, True, 0.0)
        if self._facilities.offline:
            where = f"under {key} in {self._facilities.answers}"
            raise Fault("uncached", Blame.FATAL, f"nothing is kept {where}, and nothing may be sent (--cache-only)")
        if self._provider is None:
            raise Fault("connection", Blame.REQUEST, "the client is not open")
        return await self._send(request, key, waits, self._provider)

    async def _send(self, request: Request, key: str, waits: Waits, provider: Provider) -> Answered:
        """Send a request until it is answered, or has failed for good."""
        gate, breaker = provider.gate, provider.breaker
        tries = Tries(self._options.retries + 1)
        while True:
            breaker.check()
            tries.sent += 1
            before = gate.answered
            try:
                raw, seconds = await self._attempt(request, waits, provider)
            except Fault as fault:
                last = tries.failed(fault, others=gate.answered > before)
                breaker.failed(fault)
                if breaker.broken is not None:
                    gate.give_up()
                if last:
                    raise
                with waits.waiting():
                    await breaker.rest(pause(tries.failures, fault.after, self._options.max_wait))
            else:
                breaker.succeeded()
                cost = cost_of(self._options, self._transport, raw)
                if self._kept is not None:
                    raw = self._kept.put(request, key, raw, self._transport.name)
                return Answered(raw, seconds, tries.sent, False, cost)

    async def _attempt(self, request: Request, waits: Waits, provider: Provider) -> tuple[Raw, float]:
        """
        Send once, when the gate lets it; return the answer, and how many seconds it took.

        Whose time a request takes is only known when it ends: an answer's is the asker's own.
        """
        gate = provider.gate
        guess = size_of(request) / CHARACTERS if gate.rates.tokens else 0.0
        with waits.waiting():
            ticket = await gate.enter(guess)
            started = time.perf_counter()
            try:
                provider.breaker.check()
                raw = await self._sent(request)
            except Fault as fault:
                if fault.kind == "rate_limit":
                    gate.refuse(ticket, pause(1, fault.after, self._options.max_wait))
                else:
                    gate.fail(ticket)
                raise
            except BaseException:
                gate.fail(ticket)
                raise
            seconds = time.perf_counter() - started
        waits.charge(seconds)
        usage = usage_of(raw)
        gate.answer(ticket, usage.input_tokens + usage.output_tokens)
        return raw, seconds

    async def _sent(self, request: Request) -> Raw:
        """Send; what takes longer than its deadline, or breaks in any way, is a fault of the way."""
        seconds = self._options.timeout
        try:
            found: Raw = self._redacted(await within(seconds + GRACE, lambda: self._transport.send(request, seconds)))
        except Fault:
            raise
        except DeadlineError as error:
            raise Fault("timeout", Blame.RETRY, f"No answer within {seconds:g} s.") from error
        except Exception as error:
            raise Fault("transport", Blame.RETRY, shown(words_of(error))) from error
        return found
