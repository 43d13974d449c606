"""A model in a role: any role of any track, since brief, tools and output schema stand in the View."""

import base64
import logging
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any, ClassVar, Protocol

from attrs import define, evolve, field

from recfw.errors import InfrastructureError, OutageError, UsageError
from recfw.model.reply import Reply, Usage
from recfw.model.view import View
from recfw.protocols import NO_FACILITIES, Context, Facilities, Player
from recfw_litellm.client import Answered, Client
from recfw_litellm.options import PlayerOptions
from recfw_litellm.outcomes import error_of
from recfw_litellm.replies import FILTERED, REFUSED, extras_of, reply_of, usage_of
from recfw_litellm.requests import Requests, check_options, params_of, taken
from recfw_litellm.tools import Names
from recfw_litellm.transports.endpoint import Endpoint
from recfw_litellm.transports.litellm import PINNED, LiteLLM
from recfw_litellm.views import Extras, Key, handles_of, key_of
from recfw_litellm.wire import Blame, Fault, Request, Transport

VERSION = "0.1.0"
"""Of how Views are told and replies are read; figures of runs with different ones may differ."""

CHECKING = "Reply with OK."
CHECK_TOKENS = 512
"""Enough for a model that reasons first."""

LOG = logging.getLogger(__name__)


class Way(Transport, Protocol):
    """A transport that is made of options, and knows what parameters models take."""

    def __init__(self, options: PlayerOptions) -> None: ...

    def takes(self, model: str) -> frozenset[str] | None:
        """Return the parameters that a model takes; None where that is not known, so that all are sent."""
        ...


@define
class Speaker:
    """
    A model at play in one episode.

    Args:
        component: Its component's name.
        options: Which model, and how.
        client: Asks it.
        context: The episode.
        requests: Makes its requests.
        stands_in: It plays a person or a referee, so that a refusal is no reply of the role's.
    """

    component: str
    options: PlayerOptions
    client: Client
    context: Context
    requests: Requests
    stands_in: bool = False
    _pictures: dict[str, str] = field(factory=dict)
    _thoughts: dict[Key, Extras] = field(factory=dict)

    async def reply(self, view: View) -> Reply:
        """
        Say what the model says.

        Raises:
            ContextOverflow: The View is longer than it can read.
            InfrastructureError: It cannot be asked now.
            OutageError: It cannot be asked until a person acts.
        """
        names = Names(view.tools)
        await self._look(view)
        request = self.requests.request(view, names, self._pictures, self._thoughts)
        try:
            answered = await self.client.ask(request, self.context.waits)
        except Fault as fault:
            if fault.blame is Blame.AGENT and not self.stands_in:
                return Reply(fault.words, finish=FILTERED)
            raise error_of(fault, self.component, self.options) from fault
        usage = metered(answered, self.component, stated=self.options.input_price is not None)
        reply = reply_of(answered.raw, names, structured=view.output_schema is not None, usage=usage)
        if self.stands_in and reply.finish in {FILTERED, REFUSED}:
            refused = Fault(reply.finish, Blame.REQUEST, reply.text)
            raise error_of(refused, self.component, self.options)
        if extras := extras_of(answered.raw):
            self._thoughts[key_of(reply.text, reply.calls)] = extras
        return reply

    async def _look(self, view: View) -> None:
        """Fetch the pictures that were not shown before; each is encoded once in an episode."""
        if not self.options.pictures or self.context.look is None:
            return
        for handle in handles_of(view):
            if handle not in self._pictures:
                picture = await self.context.look(handle)
                encoded = base64.b64encode(picture.data).decode()
                self._pictures[handle] = f"data:{picture.media_type};base64,{encoded}"


def metered(answered: Answered, component: str, *, stated: bool = False) -> Usage:
    """
    Return what an answer consumed; how often and how long it was asked for stands in ``Usage.raw``.

    Args:
        answered: The answer.
        component: Whose it is.
        stated: Whether its price is the options', not that of a table.
    """
    notes: dict[str, Any] = {
        "attempts": answered.attempts,
        "cached": answered.cached,
        "seconds": round(answered.seconds, 3),
    }
    if component == LiteLLM.name and answered.cost and not stated:
        notes["prices"] = f"litellm {PINNED}"
    return usage_of(answered.raw, answered.cost, notes)


class Model:
    """
    What the components of all transports share.

    Attributes:
        transport: The way to the model.
        stands_in: It plays a person or a referee. What a filter makes of its words, or its refusal to speak for
            somebody, is then a failure of infrastructure: the agent must not have to answer it.
    """

    name: ClassVar[str] = ""
    summary: ClassVar[str] = ""
    Options: ClassVar[type] = PlayerOptions
    version: ClassVar[str] = VERSION
    tracks: ClassVar[tuple[str, ...]] = ()
    deterministic: ClassVar[bool] = False
    blocking: ClassVar[bool] = False
    heavy: ClassVar[bool] = False
    suite: ClassVar[str] = "recfw_litellm.checking:PlayerSuite"
    transport: ClassVar[type[Way]]
    stands_in: ClassVar[bool] = False

    def __init__(self, options: PlayerOptions) -> None:
        check_options(options, self.name, options.schema)
        self._options = options
        self._facilities = NO_FACILITIES
        self._way = self.transport(options)
        self._client: Client | None = None
        self._takes: frozenset[str] | None = None

    def equip(self, facilities: Facilities) -> None:
        """Be told where answers are kept, and whether anything may be sent."""
        self._facilities = facilities

    def open(self) -> AbstractAsyncContextManager[None]:
        """Hold connections, and the limits that all episodes of this process share."""
        return self._opened()

    @asynccontextmanager
    async def _opened(self) -> AsyncIterator[None]:
        client = Client(self._way, self._options, self._facilities)
        async with client.open():
            self._takes = self._way.takes(self._options.model)
            self._tell_of_what_is_left_out()
            self._client = client
            try:
                yield
            finally:
                self._client = None

    def _tell_of_what_is_left_out(self) -> None:
        """Say which parameters, asked for by name, the model does not take."""
        asked = params_of(
            evolve(self._options, seed="none" if self._options.seed == "trial" else self._options.seed), 0
        )
        for name in sorted(set(asked) - set(taken(asked, self._takes))):
            LOG.warning("Warning: %s takes no %s, so none is sent.", self._options.model, name)

    async def check(self) -> Usage | None:
        """
        Ask the model one tiny thing.

        Returns:
            What that consumed; None where nothing may be sent.

        Raises:
            InfrastructureError: It does not answer; the message names the model, the endpoint and what to set.
        """
        if self._facilities.offline:
            return None
        hasty = evolve(self._options, retries=min(self._options.retries, 1), max_wait=min(self._options.max_wait, 2.0))
        client = Client(self.transport(hasty), hasty, evolve(self._facilities, answers=""))
        async with client.open():
            try:
                answered = await client.ask(self._question())
            except Fault as fault:
                if fault.blame is Blame.AGENT:
                    return Usage()
                error = error_of(fault, self.name, self._options)
                raise error if isinstance(error, InfrastructureError) else InfrastructureError(str(error)) from fault
        return metered(answered, self.name)

    def _question(self) -> Request:
        """Return one tiny request with the run's parameters; few tokens where the model is known to take a limit."""
        limit = {} if self._takes is None else taken({"max_tokens": CHECK_TOKENS}, self._takes)
        params = {**limit, **taken(params_of(self._options, 0), self._takes), **self._options.extra}
        message = {"role": "user", "content": CHECKING}
        return Request(self._options.model, (message,), params=params, endpoint=self._options.api_base)

    def episode(self, context: Context) -> Player:
        """Return a player for one episode."""
        if self._client is None:
            raise OutageError(f"'{self.name}' is asked to play before it is open.")
        requests = Requests(self._options, context.seed, context.role, self._takes)
        return Speaker(self.name, self._options, self._client, context, requests, self.stands_in)


class LiteLLMModel(Model):
    """Any model that litellm routes to, as agent."""

    name = "litellm"
    summary = "any language model, by provider/name, through litellm"
    version = f"{VERSION}+litellm.{PINNED}"
    transport = LiteLLM


class EndpointModel(Model):
    """A model behind an OpenAI-compatible endpoint, as agent."""

    name = "endpoint"
    summary = "a language model behind an OpenAI-compatible endpoint (llama.cpp, Ollama, vLLM …)"
    transport = Endpoint

    def __init__(self, options: PlayerOptions) -> None:
        if not options.api_base:
            words = "--set agent.api_base=… names it, such as http://127.0.0.1:8080/v1."
            raise UsageError("'endpoint' needs the address of an endpoint.", words)
        super().__init__(options)


class LiteLLMStandIn(LiteLLMModel):
    """Any model that litellm routes to, as user or another participant."""

    stands_in = True


class EndpointStandIn(EndpointModel):
    """A model behind an OpenAI-compatible endpoint, as user or another participant."""

    stands_in = True
