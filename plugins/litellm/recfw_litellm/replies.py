"""A provider's answer as a Reply: text, calls, structured data, reasoning, and what it consumed."""

import re
from collections.abc import Mapping
from typing import Any

from recfw.model.reply import Reply, Usage
from recfw.serialize import clean
from recfw_litellm.classify import fault_in
from recfw_litellm.structured import data_of
from recfw_litellm.tools import Names, calls_in
from recfw_litellm.views import Extras
from recfw_litellm.wire import Blame, Fault, Raw

FILTERED = "content_filter"
FILTERED_WORDS = "The provider's content filter stopped this answer."
REFUSED = "refusal"
MOST = 2**53
"""Most tokens that a count is believed to be."""

_THOUGHT = re.compile(r"<(think|thinking)>(.*?)</\1>", re.DOTALL)
_OPENED = re.compile(r"<(?:think|thinking)>")
_CLOSED = re.compile(r"</(?:think|thinking)>")
_BACK = ("thinking_blocks", "reasoning_details", "provider_specific_fields")
"""Fields of a message that providers of reasoning models want back as they were while a turn is under way."""
_CALL_BACK = ("provider_specific_fields", "extra_content")


def answerable(raw: Any) -> Raw:
    """
    Return an answer that holds a message; everything else is nobody's reply.

    Raises:
        Fault: It is an error, or holds neither text, calls, refusal nor reasoning.
    """
    if not isinstance(raw, dict):
        raise _malformed(f"The answer is {type(raw).__name__}, not an object")
    choices = raw.get("choices")
    if not choices and (fault := fault_in(raw)):
        raise fault
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        raise _malformed("The answer holds no choice")
    message = choices[0].get("message")
    if not isinstance(message, dict):
        raise _malformed("The answer's choice holds no message")
    held = any(
        message.get(name) for name in ("tool_calls", "function_call", "refusal", "reasoning_content", "reasoning")
    )
    stopped = choices[0].get("finish_reason") in (None, "stop", "tool_calls")  # a tuple: it may be unhashable
    if message.get("content") is None and not held and stopped:
        raise _malformed("The answer's message holds neither text nor calls")
    return raw


def _malformed(words: str) -> Fault:
    return Fault("malformed", Blame.RETRY, f"{words}.")


def reply_of(raw: Raw, names: Names, *, structured: bool, usage: Usage | None = None) -> Reply:
    """
    Return an answer as a Reply.

    Args:
        raw: What :func:`answerable` let through.
        names: Tool names as they were sent.
        structured: Whether the View has an output schema; ``data`` is None where the text holds no JSON.
        usage: What it consumed.
    """
    choice = raw["choices"][0]
    message = choice["message"]
    text, leaked = without_thoughts(clean(_text(message.get("content"))))
    thoughts = [clean(_text(message.get("reasoning_content") or message.get("reasoning"))), leaked]
    thought = "\n\n".join(filter(None, thoughts)).strip()
    text = text.strip() if thought else text
    finish = clean(str(choice.get("finish_reason") or "stop"))
    calls = calls_in(message, names)
    refused = message.get("refusal")
    if isinstance(refused, str) and refused.strip() and not text and not calls:
        text, finish = clean(refused), REFUSED
    elif finish == FILTERED and not text.strip() and not calls:
        text = FILTERED_WORDS
    data = data_of(text) if structured and not calls else None
    return Reply(text, calls, data, thought, finish, usage)


def extras_of(raw: Raw) -> Extras:
    """
    Return what the provider wants back with this message while the turn lasts.

    Reasoning models of some providers refuse a history whose tool calls lack the reasoning that led to them.

    Returns:
        ``message``: fields of the message; ``calls``: fields of each call, by position. Empty where there is nothing.
    """
    message = raw["choices"][0]["message"]
    listed = message.get("tool_calls")
    if not isinstance(listed, list) or not listed:
        return {}
    kept = {name: message[name] for name in _BACK if message.get(name)}
    if isinstance(message.get("reasoning_content"), str) and message["reasoning_content"]:
        kept["reasoning_content"] = clean(message["reasoning_content"])
    made = [call for call in listed if isinstance(call, dict) and isinstance(call.get("function"), dict)]
    calls = {
        place: more for place, call in enumerate(made) if (more := {n: call[n] for n in _CALL_BACK if call.get(n)})
    }
    return {name: value for name, value in (("message", kept), ("calls", calls)) if value}


def _text(content: Any) -> str:
    """Return a message's content as text: a string, or parts of which some are text."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "".join(map(_text, content))
    if isinstance(content, Mapping) and content.get("type", "text") in {"text", "output_text"}:
        return _text(content.get("text"))
    return ""


def without_thoughts(text: str) -> tuple[str, str]:
    """
    Return text without the reasoning that leaked into it, and that reasoning.

    Chat templates may open the tag themselves, so that only its end is in the text; an answer that was cut may lack
    the end.
    """
    if "think" not in text:
        return text, ""
    thoughts = [match[2].strip() for match in _THOUGHT.finditer(text)]
    said = _THOUGHT.sub("", text)
    if closed := _CLOSED.search(said):
        thoughts.insert(0, said[: closed.start()].strip())
        said = said[closed.end() :]
    if opened := _OPENED.match(said.lstrip()):
        thoughts.append(said.lstrip()[opened.end() :].strip())
        said = ""
    return (said.strip(), "\n\n".join(filter(None, thoughts))) if thoughts else (text, "")


# --- Usage ------------------------------------------------------------------------------------------------------------


def usage_of(raw: Raw, cost: float | None = None, notes: Mapping[str, Any] | None = None) -> Usage:
    """
    Return what an answer consumed, from whichever shape the provider counts in.

    ``input_tokens`` are all that were read, those from a cache among them; ``output_tokens`` all that were written,
    reasoning among them. Where nothing was counted, all are 0 and ``raw`` says ``"usage": "missing"``.

    Args:
        raw: The answer.
        cost: USD.
        notes: What else is kept in ``Usage.raw``.
    """
    given = raw.get("usage")
    counted = {name: value for name, value in given.items() if value is not None} if isinstance(given, dict) else {}
    of_input = _inner(counted, "prompt_tokens_details", "input_tokens_details")
    of_output = _inner(counted, "completion_tokens_details", "output_tokens_details")
    cached = _count(of_input, "cached_tokens") or _count(
        counted, "cache_read_input_tokens", "prompt_cache_hit_tokens", "cached_tokens", "num_cached_tokens"
    )
    if "prompt_tokens" in counted:
        read = _count(counted, "prompt_tokens")
    else:  # Anthropic's own shape counts what its cache gave and took beside the rest
        read = _count(counted, "input_tokens", "prompt_eval_count")
        read += _count(counted, "cache_read_input_tokens") + _count(counted, "cache_creation_input_tokens")
    written = _count(counted, "completion_tokens", "output_tokens", "eval_count")
    reasoning = _count(of_output, "reasoning_tokens") or _count(counted, "reasoning_tokens")
    kept: dict[str, Any] = {**(counted if read or written else {"usage": "missing"}), **(notes or {})}
    if isinstance(raw.get("model"), str):
        kept["model"] = clean(raw["model"])
    return Usage(read, written, min(cached, read), min(reasoning, written), cost, kept)


def _inner(counted: Mapping[str, Any], *names: str) -> Mapping[str, Any]:
    return next((counted[name] for name in names if isinstance(counted.get(name), dict)), {})


def _count(counted: Mapping[str, Any], *names: str) -> int:
    """Return the first of these counts that is one; 0 where none is."""
    for name in names:
        value = counted.get(name)
        if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= MOST:
            return int(value)
    return 0
