"""What a provider says when it gives no answer: statuses and error bodies as faults."""

import re
import time
from collections.abc import Collection, Mapping
from email.utils import parsedate_to_datetime
from typing import Any

from attrs import field, frozen

from recfw.secrets import redact
from recfw.serialize import clean
from recfw_litellm.wire import Blame, Fault

LONGEST = 600
"""Characters of a provider's words that are kept."""

REFUSED = range(400, 500)
FAILED = frozenset({0, 409, 425, *range(500, 600)})
"""Statuses of failures that are nobody's but the provider's; 0 where there was none."""
VAGUE = frozenset({0, 400, 404, 413, 422, 500})
"""Statuses with which providers say many things, so that words decide."""


def _words(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.IGNORECASE)


_TOO_LONG = _words(
    "context_length_exceeded",
    "exceed_context_size",
    "maximum context length",
    "exceeds? the (?:available |model'?s )?(?:maximum )?context",
    "context (?:length|window|size)[^.]{0,40}exceed",
    "exceed[^.]{0,40}context (?:length|window|size)",
    "prompt is too long",
    "input is too long",
    "input token count[^.]{0,60}exceeds",
    "reduce the length of the (?:messages|prompt)",
)
_QUOTA = _words(
    "insufficient_quota",
    "exceeded your current quota",
    "credit balance is too low",
    "insufficient[ _](?:balance|credits|funds)",
    "billing_hard_limit",
    "payment required",
)
_FILTER = _words(
    "content_filter",
    "content management policy",
    "content_policy",
    "ResponsibleAIPolicy",
    "safety system",
    "was flagged",
)
_KEY = _words(
    "invalid_api_key",
    "incorrect api key",
    "invalid x-api-key",
    "api[ _]key not valid",
    "authentication_error",
    "api_key client option must be set",
    "missing credentials",
)
_NO_MODEL = _words(
    "model_not_found",
    r"(?:model|deployment)\b[^.]{0,120}(?:does not exist|not found|is not available)",
    "unknown model",
    "no such model",
    "DeploymentNotFound",
    "LLM Provider NOT provided",
)
_PARAMETER = _words(
    "unsupported_parameter",
    "unsupported_value",
    "unknown_parameter",
    "unsupported parameter",
    "unsupported value",
    "unknown parameter",
    "unrecognized request argument",
    "extra inputs are not permitted",
    "does not support parameters",
    "UnsupportedParamsError",
)
_NO_WAY = _words(
    "connection error",
    "cannot connect",
    "connect call failed",
    "connection (?:refused|reset|aborted|closed)",
    "server disconnected",
    "name or service not known",
    "all connection attempts failed",
    "broken pipe",
    "peer closed",
)
_UNREADABLE = _words(
    "expecting value",
    "expecting property name",
    "jsondecodeerror",
    "no json",
    "unterminated string",
    "extra data: line",
    "' delimiter: line",
    "unable to get json response",
    "invalid response object",
)


@frozen
class _Rule:
    """A kind of failure, by its status and, where ``words`` are given, by what is said."""

    kind: str
    blame: Blame
    statuses: Collection[int]
    words: re.Pattern[str] | None = None

    def fits(self, told: "Told") -> bool:
        """Tell whether this is it."""
        return (told.status or 0) in self.statuses and (self.words is None or bool(self.words.search(told.all)))


_RULES = (
    _Rule("context_overflow", Blame.OVERFLOW, VAGUE, _TOO_LONG),
    _Rule("quota", Blame.FATAL, {402}),
    _Rule("quota", Blame.FATAL, {0, *REFUSED, 500}, _QUOTA),
    _Rule("content_filter", Blame.AGENT, REFUSED, _FILTER),
    _Rule("authentication", Blame.FATAL, {401, 403}),
    _Rule("authentication", Blame.FATAL, VAGUE, _KEY),
    _Rule("model_not_found", Blame.FATAL, {404}),
    _Rule("model_not_found", Blame.FATAL, VAGUE, _NO_MODEL),
    _Rule("rate_limit", Blame.RETRY, {429}),
    _Rule("timeout", Blame.RETRY, {408, 504}),
    _Rule("malformed", Blame.RETRY, {0, 500}, _UNREADABLE),
    _Rule("connection", Blame.RETRY, FAILED, _NO_WAY),
    _Rule("server_error", Blame.RETRY, FAILED),
    _Rule("bad_request", Blame.FATAL, REFUSED, _PARAMETER),
    _Rule("bad_request", Blame.REQUEST, range(300, 500)),
    _Rule("server_error", Blame.RETRY, range(1000)),
)
"""The first that fits decides. A parameter that is refused once is refused always, so it stops the run."""


@frozen
class Told:
    """
    What a provider said of a failure.

    Args:
        status: HTTP status; None where there was none.
        code: The error's code and type, as they stand in its body.
        words: Its message.
        headers: Header names in lower case -> values.
    """

    status: int | None = None
    code: str = ""
    words: str = ""
    headers: Mapping[str, str] = field(factory=dict)

    @property
    def all(self) -> str:
        """Code and words."""
        return f"{self.code} {self.words}"


def fault_of(told: Told) -> Fault:
    """Return the fault of what a provider said."""
    rule = next(rule for rule in _RULES if rule.fits(told))
    words = shown(told.words) or told.code or "no words"
    after = wait_asked(told.headers) if rule.blame is Blame.RETRY else None
    answered = told.status and rule.kind not in {"connection", "malformed"}  # whose status a library made up
    return Fault(rule.kind, rule.blame, f"HTTP {told.status}: {words}" if answered else words, after)


def shown(words: str) -> str:
    """Return a provider's words in one line, without credentials, and not too many."""
    line = redact(clean(" ".join(words.split())))
    return line if len(line) <= LONGEST else f"{line[:LONGEST]}…"


def told_in(body: Any, status: int | None = None, headers: Mapping[str, str] | None = None) -> Told:
    """Return what an error's body says, in any of the shapes that providers write: an object, text or a page."""
    lowered = {name.lower(): value for name, value in (headers or {}).items()}
    if isinstance(body, list) and body:
        body = body[0]
    error = body.get("error", body) if isinstance(body, dict) else body
    if not isinstance(error, dict):
        words = error if isinstance(error, str) else ""
        return Told(status, "", re.sub(r"<[^>]*>", " ", words), lowered)
    codes = [str(error[name]) for name in ("code", "type", "status") if isinstance(error.get(name), str | int)]
    words = next((error[name] for name in ("message", "detail", "msg") if isinstance(error.get(name), str)), "")
    return Told(status, " ".join(codes), words or str(error)[:LONGEST], lowered)


def fault_in(raw: Mapping[str, Any]) -> Fault | None:
    """Return the fault that an answer with status 200 holds in the place of choices; None where it holds none."""
    if not raw.get("error"):
        return None
    told = told_in(dict(raw))
    numbers = [int(word) for word in told.code.split() if re.fullmatch(r"[45]\d\d", word)]
    return fault_of(Told(numbers[0] if numbers else None, told.code, told.words))


def wait_asked(headers: Mapping[str, str]) -> float | None:
    """Return how many seconds a provider asks to wait, by ``retry-after-ms`` or ``retry-after``; None where not."""
    asked = headers.get("retry-after", "").strip()
    try:
        if milliseconds := headers.get("retry-after-ms"):
            return max(0.0, float(milliseconds) / 1000)
        if re.fullmatch(r"\d+(\.\d+)?", asked):
            return float(asked)
        return max(0.0, parsedate_to_datetime(asked).timestamp() - time.time()) if asked else None
    except (ValueError, OverflowError):
        return None
