"""Through litellm, to whichever provider it routes a model to: as a library, without what it does besides."""

import asyncio
import logging
import os
import sys
import warnings
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from functools import cache
from importlib import import_module
from typing import Any, ClassVar

from recfw.serialize import plain
from recfw_litellm.keys import key_for
from recfw_litellm.marks import marked
from recfw_litellm.options import ModelOptions
from recfw_litellm.raised import fault_of_exception
from recfw_litellm.replies import answerable
from recfw_litellm.wire import Blame, Fault, Raw, Request

PINNED = "1.110.2"
"""The release that setup.cfg pins: releases have been tampered with, so no other is installed by chance."""

SETTINGS: Mapping[str, str] = {
    "LITELLM_MODE": "PRODUCTION",  # reads no .env of the folder it runs in
    "LITELLM_OFFLINE_MODE": "true",  # fetches nothing on its own
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",  # prices are those of the release
}
"""Environment variables that it reads when it is imported."""

WARNINGS = ("Pydantic serializer warnings", ".*`ReadOnly` qualifier")
"""Beginnings of warnings about its classes: providers often send something else, which is taken all the same."""

NO_KEY = "none"
"""What is sent as a key where an address is given and no key is known: its client will not send without one."""


def load() -> Any:
    """Import litellm (some four seconds), told to be quiet and to send nothing of its own; return the module."""
    if "litellm" not in sys.modules:
        os.environ.update(SETTINGS)
    # Four seconds and 200 MB, which only a run with this component pays; by name, so that type checkers do not read it.
    litellm: Any = import_module("litellm")
    for words in WARNINGS:
        warnings.filterwarnings("ignore", words, UserWarning)
    litellm.suppress_debug_info = True
    litellm.drop_params = True
    litellm.telemetry = False
    litellm.turn_off_message_logging = True
    for name in ("LiteLLM", "LiteLLM Proxy", "LiteLLM Router"):
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    return litellm


class LiteLLM:
    """
    Sends by ``litellm.acompletion``.

    Args:
        options: The address, the key, and whether to mark what a provider may cache.
    """

    name: ClassVar[str] = "litellm"
    spacing: ClassVar[float] = 0.005
    _held: ClassVar[int] = 0

    def __init__(self, options: ModelOptions) -> None:
        self._options = options
        self._litellm: Any = None
        self._known: dict[str, frozenset[str] | None] = {}

    def takes(self, model: str) -> frozenset[str] | None:
        """Return the parameters that a model takes; None where litellm does not know its provider."""
        if model not in self._known:
            found = load().get_supported_openai_params(model)
            self._known[model] = None if found is None else frozenset(found)
        return self._known[model]

    @asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        """Hold litellm's connections, which all transports of a process share; the last one closes them."""
        self._litellm = await asyncio.to_thread(load)
        LiteLLM._held += 1
        try:
            yield
        finally:
            LiteLLM._held -= 1
            if not LiteLLM._held:
                await self._litellm.close_litellm_async_clients()
                self._litellm.in_memory_llm_clients_cache.flush_cache()  # it would hand out closed ones

    async def send(self, request: Request, seconds: float) -> Raw:
        """Return the provider's answer; Fault where there is none after ``seconds``."""
        litellm = self._litellm
        if litellm is None:
            raise Fault("connection", Blame.REQUEST, "The transport is not open.")
        words: dict[str, Any] = {**request.body(), **self._address(request.model)}
        if self._options.cache_marks:
            words["messages"] = marked(request.model, words["messages"])
        if "tools" in words and "tools" not in (self.takes(request.model) or {"tools"}):
            # It would drop them without a word, for providers and models of which it does not know that they take any.
            words["allowed_openai_params"] = [*words.get("allowed_openai_params", ()), "tools"]
        try:
            async with asyncio.timeout(seconds):
                answer = await litellm.acompletion(
                    **words, max_retries=0, num_retries=0, timeout=seconds, drop_params=True
                )
        except Exception as error:  # whatever a client library raises is a fault of the way
            raise fault_of_exception(error, seconds) from error
        return answerable(plain(answer.model_dump(exclude_unset=False, warnings=False)))

    def _address(self, model: str) -> dict[str, Any]:
        found: dict[str, Any] = {}
        if self._options.api_base:
            found["api_base"] = self._options.api_base
        key = key_for(self._options)
        if not key and self._options.api_base and _like_openai(model) and not os.environ.get("OPENAI_API_KEY"):
            key = NO_KEY
        if key:
            found["api_key"] = key
        return found

    def price(self, model: str, raw: Raw) -> float | None:
        """Return what an answer costs in USD by the pinned release's table; None where it lacks the model."""
        litellm = load()
        usage = raw.get("usage")
        if not isinstance(usage, dict):
            return None
        try:
            counted = litellm.Usage(**usage)
            read, written = litellm.cost_per_token(model=model, usage_object=counted)
        except Exception:  # noqa: BLE001 - it raises whatever it likes for a model without a price
            return None
        return float(read + written)


@cache
def _like_openai(model: str) -> bool:
    """Tell whether a model is asked by the client for OpenAI's protocol, which demands a key."""
    return model.partition("/")[0] in {"openai", "hosted_vllm", "custom_openai", "text-completion-openai", "llamafile"}
