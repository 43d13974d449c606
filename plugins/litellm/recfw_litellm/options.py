"""The options of a model, the same for agent, user and judge, and for every transport."""

from typing import Any

from attrs import field, frozen, validators

from recfw.protocols import CARRIED
from recfw.serialize import plain

_POSITIVE = validators.optional(validators.gt(0))
_PRICE = validators.optional(validators.ge(0))


@frozen
class ModelOptions:
    """
    Which model is asked, and how.

    Keys come from the environment (or ``--env-file``), never from an option: options are stored with the run. Those on
    how requests are sent may differ when a run is resumed.

    Args:
        model: The model, as the component takes it; required.
        api_base: Address of the endpoint (``http://127.0.0.1:8103/v1``); empty for the provider's own.
        api_key_env: Name of the environment variable that holds the key; empty for the provider's usual one.
        temperature: Sampling temperature; left to the provider without it.
        top_p: Nucleus sampling; likewise.
        seed: ``trial`` sends the trial's seed where the provider takes one, ``none`` sends none, a number that number.
        reasoning_effort: ``minimal``, ``low``, ``medium``, ``high`` …, where the model takes it.
        max_tokens: Most tokens of one answer.
        extra: Further parameters of the request, as they are.
        timeout: Seconds that one request may take.
        retries: How often a request that failed for no fault of its own is sent again.
        max_wait: Most seconds that a retry waits, whatever the provider asks for.
        concurrency: Most requests at a time, over all worker processes; 0 for no limit.
        requests_per_minute: Likewise, of requests begun; 0 for no limit.
        tokens_per_minute: Likewise, of tokens read and written; 0 for no limit.
        breaker: After how many failures in a row, of any requests, the provider counts as down and the run stops …
        breaker_seconds: … when nothing was answered for this long.
        cache_megabytes: Bound of the folder of kept answers (``--cache``); what was used longest ago goes.
        input_price: USD a million tokens read, where the price table has none or another; with ``output_price``.
        output_price: USD a million tokens written.
        cached_price: USD a million tokens read from the provider's cache; ``input_price`` without it.
        cache_marks: Mark the unchanging beginning of a conversation for providers that cache on demand.
        parallel_tools: Let the model call several tools at once; left to the provider without it.
    """

    model: str = ""
    api_base: str = ""
    api_key_env: str = field(default="", metadata=CARRIED)
    temperature: float | None = None
    top_p: float | None = None
    seed: str = "trial"
    reasoning_effort: str = ""
    max_tokens: int | None = field(default=None, validator=_POSITIVE)
    extra: dict[str, Any] = field(factory=dict, converter=plain)  # YAML holds dates and numbers as keys, JSON does not
    timeout: float = field(default=120.0, validator=validators.gt(0), metadata=CARRIED)
    retries: int = field(default=5, validator=validators.ge(0), metadata=CARRIED)
    max_wait: float = field(default=60.0, validator=validators.ge(0), metadata=CARRIED)
    concurrency: int = field(default=0, validator=validators.ge(0), metadata=CARRIED)
    requests_per_minute: int = field(default=0, validator=validators.ge(0), metadata=CARRIED)
    tokens_per_minute: int = field(default=0, validator=validators.ge(0), metadata=CARRIED)
    breaker: int = field(default=20, validator=validators.ge(1), metadata=CARRIED)
    breaker_seconds: float = field(default=30.0, validator=validators.ge(0), metadata=CARRIED)
    cache_megabytes: int = field(default=2000, validator=validators.ge(1), metadata=CARRIED)
    input_price: float | None = field(default=None, validator=_PRICE, metadata=CARRIED)
    output_price: float | None = field(default=None, validator=_PRICE, metadata=CARRIED)
    cached_price: float | None = field(default=None, validator=_PRICE, metadata=CARRIED)
    cache_marks: bool = True
    parallel_tools: bool | None = None


@frozen
class PlayerOptions(ModelOptions):
    """
    The options of a model that plays a role.

    Args:
        pictures: Show pictures; without it, what they show is told in the track's words.
        schema: How structured output is asked for: ``format`` as the request's response format, ``words`` in words,
            ``auto`` in words where tools are offered too.
    """

    pictures: bool = True
    schema: str = "auto"
