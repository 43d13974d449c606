"""What a request that got no answer becomes: an error of recfw's, in words that say what to set."""

import re
from typing import Any

from recfw.errors import InfrastructureError, OutageError
from recfw.protocols import ContextOverflow
from recfw.secrets import redact
from recfw_litellm.wire import Blame, Fault

_DROPS = (
    ("temperature", r"temperature", "temperature=none"),
    ("top_p", r"top_p", "top_p=none"),
    ("seed", r"\bseed\b", "seed=none"),
    ("reasoning_effort", r"reasoning[_ ]effort", "reasoning_effort="),
    ("parallel_tool_calls", r"parallel_tool_calls|parallel tool", "parallel_tools=none"),
    ("max_tokens", r"max_tokens", "max_tokens=none"),
    ("response_format", r"response_format|json_schema|response format", "schema=words"),
    ("image_url", r"image_url|image input|images? (?:are|is) not|multimodal|mmproj", "pictures=false"),
)
"""What is sent, how a provider names it when it refuses it, and the option that leaves it out."""


def error_of(fault: Fault, component: str, options: Any) -> Exception:
    """
    Return what to raise for a final fault.

    Args:
        fault: The fault.
        component: The component's name.
        options: Its options.

    Returns:
        ContextOverflow, OutageError (it stops the run) or InfrastructureError (the trial is run again).
    """
    if fault.blame is Blame.OVERFLOW:
        return ContextOverflow(fault.words)
    hint = _hint(fault, component, options)
    message = f"{_what(fault)} {asked(options)}: {fault.words.rstrip('.')}."
    if fault.blame is Blame.FATAL:
        return OutageError(message, hint, fault.kind)
    return InfrastructureError(message, hint, fault.kind)


def asked(options: Any) -> str:
    """Return which model at which endpoint, in words and without credentials."""
    place = f" at {redact(options.api_base)}" if options.api_base else ""
    return f"model {options.model!r}{place}"


_WHAT = {
    "authentication": "The key is refused or missing for",
    "quota": "The quota is used up for",
    "model_not_found": "There is no",
    "rate_limit": "Too many requests to",
    "timeout": "No answer in time from",
    "connection": "No connection to",
    "malformed": "No readable answer from",
    "bad_request": "The request is refused by",
    "not_kept": "No kept answer of",
    "content_filter": "A content filter stopped",
    "refusal": "The role is not played by",
}


def _what(fault: Fault) -> str:
    return _WHAT.get(fault.kind, "No answer from")


def _hint(fault: Fault, component: str, options: Any) -> str:
    """Return the next step."""
    if fault.kind == "authentication":
        return _key(component, options)
    if fault.kind == "model_not_found":
        return _spelling(component)
    if fault.kind == "timeout":
        return f"The option timeout gives it longer than {options.timeout:g} s."
    return _without(fault.words) if fault.kind == "bad_request" else _HINTS.get(fault.kind, "")


_HINTS = {
    "quota": "Raise the account's limit, then go on with recfw run --resume.",
    "refusal": "Another model may play it, or another wording of the track's brief.",
    "connection": "Check that it runs, and the option api_base.",
    "outage": "Once it answers again, go on with recfw run --resume.",
    "not_kept": "Leave --cache-only out, or name the folder that holds its answers with --cache.",
    "rate_limit": "The options concurrency, requests_per_minute and tokens_per_minute ask it less at a time.",
}


def _key(component: str, options: Any) -> str:
    if options.api_key_env:
        return f"Set the key in {options.api_key_env}, in the environment or by --env-file."
    where = "OPENAI_API_KEY" if component == "endpoint" else "the provider's variable (OPENAI_API_KEY and the like)"
    return f"Set the key in {where}, in the environment or by --env-file, or name another with the option api_key_env."


def _spelling(component: str) -> str:
    if component == "litellm":
        return "Check the option model: provider/name, such as openai/gpt-…, anthropic/claude-… or gemini/gemini-…."
    return "Check the option model against what GET {api_base}/models lists, and the option api_base."


def _without(words: str) -> str:
    """Return which option leaves out what a provider refuses, where its words name it."""
    for _, pattern, setting in _DROPS:
        if re.search(pattern, words, re.IGNORECASE):
            return f"Leave it out with --set …{setting}."
    return "Check the options, extra among them."
