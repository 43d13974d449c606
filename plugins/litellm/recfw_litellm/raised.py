"""What client libraries raise, as faults: known by what an exception has and is called, so that none is imported."""

import re

from recfw.errors import words_of
from recfw_litellm.classify import Told, fault_of, shown, told_in
from recfw_litellm.wire import Blame, Fault

_PREFIX = re.compile(r"^(?:(?:litellm\.)?\w+(?:Error|Exception|Timeout)(?: -|:) ?)+")
"""What litellm puts before a provider's words."""

_BY_NAME = {
    "ContextWindowExceededError": ("context_overflow", Blame.OVERFLOW),
    "ContentPolicyViolationError": ("content_filter", Blame.AGENT),
    "ClientPayloadError": ("connection", Blame.RETRY),
    "ClientConnectionError": ("connection", Blame.RETRY),
    "ClientResponseError": ("connection", Blame.RETRY),
    "OSError": ("connection", Blame.RETRY),
}
"""Exceptions that say by their class what happened; a status or words need not."""


def fault_of_exception(error: BaseException, seconds: float) -> Fault:
    """
    Return the fault of what a client library raised.

    Args:
        error: It, with whatever of ``status_code``, ``response``, ``body``, ``code`` it has.
        seconds: The deadline of the request, for its words.
    """
    if isinstance(error, Fault):
        return error
    names = [kind.__name__ for kind in type(error).__mro__]
    if isinstance(error, TimeoutError) or {"Timeout", "APITimeoutError"} & set(names):
        return Fault("timeout", Blame.RETRY, f"No answer within {seconds:g} s.")
    found = next((_BY_NAME[name] for name in names if name in _BY_NAME), None)
    if found is None:
        return fault_of(_told_by(error))
    if hasattr(error, "status_code"):
        return Fault(*found, fault_of(_told_by(error)).words)
    return Fault(*found, shown(words_of(error)))


def _told_by(error: BaseException) -> Told:
    """Return what the exception of a client library holds of the provider's own words."""
    status, body = getattr(error, "status_code", None), getattr(error, "body", None)
    response = getattr(error, "response", None)
    headers = getattr(error, "litellm_response_headers", None) or getattr(response, "headers", None) or {}
    codes = [value for name in ("code", "type") if isinstance(value := getattr(error, name, None), str)]
    if isinstance(body, dict):
        codes.append(told_in(body).code)
    words = words_of(error, bare=True).partition(" Traceback (most recent")[0]  # litellm shows the whole answer there
    return Told(
        status if isinstance(status, int) else None,
        " ".join([*codes, type(error).__name__]),
        _PREFIX.sub("", words),
        {str(name).lower(): str(value) for name, value in dict(headers).items()},
    )
