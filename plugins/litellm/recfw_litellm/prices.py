"""What an answer cost: by the options' own prices, or else by the transport's price table."""

from recfw.errors import UsageError
from recfw.model.reply import Usage
from recfw_litellm.options import ModelOptions
from recfw_litellm.replies import usage_of
from recfw_litellm.wire import Raw, Transport

MILLION = 1e6


def check_prices(options: ModelOptions) -> None:
    """Refuse prices of which one is missing; UsageError."""
    if (options.input_price is None) != (options.output_price is None):
        raise UsageError("input_price and output_price belong together.", "Give both, in USD a million tokens.")
    if options.cached_price is not None and options.input_price is None:
        raise UsageError("cached_price needs input_price and output_price.", "Give all three.")


def cost_of(options: ModelOptions, transport: Transport, raw: Raw) -> float | None:
    """Return what an answer cost in USD; None where no price is known, or the provider told no usage."""
    usage = usage_of(raw)
    if not usage.input_tokens and not usage.output_tokens:
        return None
    if options.input_price is None or options.output_price is None:
        return transport.price(options.model, raw)
    return _paid(usage, options.input_price, options.output_price, options.cached_price)


def _paid(usage: Usage, read: float, written: float, cached: float | None) -> float:
    fresh = usage.input_tokens - usage.cached_tokens
    from_cache = usage.cached_tokens * (read if cached is None else cached)
    return (fresh * read + from_cache + usage.output_tokens * written) / MILLION
