"""What a provider says when it gives no answer."""

import time
from email.utils import formatdate

import pytest

from recfw_litellm.classify import LONGEST, Told, fault_of, told_in, wait_asked
from recfw_litellm.raised import fault_of_exception
from recfw_litellm.wire import Blame, Fault

OPENAI = {"error": {"message": "{}", "type": "invalid_request_error", "code": None}}


def of(status, body, **headers):
    """Return (kind, blame) of a response."""
    found = fault_of(told_in(body, status, headers))
    return found.kind, found.blame


def error(message, code=None, kind="invalid_request_error"):
    """Return an error's body as OpenAI writes it."""
    return {"error": {"message": message, "type": kind, "code": code}}


@pytest.mark.parametrize(
    ("status", "body", "kind", "blame"),
    [
        (429, error("Slow down."), "rate_limit", Blame.RETRY),
        (429, error("You exceeded your current quota.", "insufficient_quota"), "quota", Blame.FATAL),
        (400, error("Your credit balance is too low to access the API."), "quota", Blame.FATAL),
        (402, error("Insufficient Balance"), "quota", Blame.FATAL),
        (401, error("Incorrect API key."), "authentication", Blame.FATAL),
        (403, "<html>Forbidden</html>", "authentication", Blame.FATAL),
        (400, error("API key not valid. Please pass a valid API key."), "authentication", Blame.FATAL),
        (404, error("The model `x` does not exist"), "model_not_found", Blame.FATAL),
        (400, error("Model x not found"), "model_not_found", Blame.FATAL),
        (400, error("too long", "context_length_exceeded"), "context_overflow", Blame.OVERFLOW),
        (400, error("request (9001 tokens) exceeds the available context size (8192 tokens)"), "context_overflow",
         Blame.OVERFLOW),
        (400, error("This model's maximum context length is 8192 tokens."), "context_overflow", Blame.OVERFLOW),
        (400, error("prompt is too long: 201000 tokens > 200000 maximum"), "context_overflow", Blame.OVERFLOW),
        (400, error("The input token count (9) exceeds the maximum number of tokens allowed (8)."),
         "context_overflow", Blame.OVERFLOW),
        (500, error("the request exceeds the available context size."), "context_overflow", Blame.OVERFLOW),
        (400, error("The response was filtered.", "content_filter"), "content_filter", Blame.AGENT),
        (403, error("Your input was flagged."), "content_filter", Blame.AGENT),
        (400, error("Unsupported parameter: 'seed'."), "bad_request", Blame.FATAL),
        (400, error("messages: roles must alternate"), "bad_request", Blame.REQUEST),
        (422, {"detail": "wrong"}, "bad_request", Blame.REQUEST),
        (307, "", "bad_request", Blame.REQUEST),
        (408, "", "timeout", Blame.RETRY),
        (504, "<html>", "timeout", Blame.RETRY),
        (409, error("Conflict"), "server_error", Blame.RETRY),
        (425, "", "server_error", Blame.RETRY),
        (500, error("The server had an error"), "server_error", Blame.RETRY),
        (502, "<html><h1>502 Bad Gateway</h1></html>", "server_error", Blame.RETRY),
        (529, {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}, "server_error",
         Blame.RETRY),
        (503, [{"error": {"code": 503, "message": "The model is overloaded.", "status": "UNAVAILABLE"}}],
         "server_error", Blame.RETRY),
        (500, None, "server_error", Blame.RETRY),
        (400, {"error": "maximum context length reached"}, "context_overflow", Blame.OVERFLOW),
    ],
)  # fmt: skip
def test_responses_are_classified(status, body, kind, blame):
    """Each status and body is the failure that it is, and says whose."""
    assert (kind, blame) == of(status, body)


def test_words_are_short_and_of_one_line():
    """A gateway's page is told in a line without tags, and a long text is cut."""
    assert "HTTP 502: Bad Gateway nginx" == fault_of(told_in("<html>\n<h1>Bad Gateway</h1>\n nginx</html>", 502)).words
    assert LONGEST + 20 > len(fault_of(told_in("x" * 10_000, 500)).words)


def test_words_hold_no_key(monkeypatch):
    """A key that a provider repeats is not shown, be it known by its value or by its form."""
    monkeypatch.setenv("ODD_API_KEY", "planted-value-1234")
    words = fault_of(told_in(error("Bad key planted-value-1234 or sk-abcdefghijklmnopqrstuvwxyz."), 401)).words
    assert "HTTP 401: Bad key [redacted] or [redacted]." == words


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after": "7", "retry-after-ms": "250"}, 0.25),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-1"}, None),
        ({"retry-after-ms": "x"}, None),
        ({}, None),
        ({"retry-after": formatdate(0, usegmt=True)}, 0.0),
    ],
)
def test_the_wait_that_is_asked_for(headers, seconds):
    """Retry-After is read in seconds, milliseconds or as a date; nonsense asks for nothing."""
    assert seconds == wait_asked(headers)


def test_the_wait_until_a_date():
    """A date is so many seconds away."""
    assert 58 < wait_asked({"retry-after": formatdate(time.time() + 60, usegmt=True)}) <= 60


class OddError(Exception):
    """An exception of a client library."""

    def __init__(self, words, **more):
        super().__init__(words)
        self.__dict__.update(more)


def named(name, base=OddError):
    """Return an exception class of this name."""
    return type(name, (base,), {})


@pytest.mark.parametrize(
    ("raised", "kind", "blame"),
    [
        (TimeoutError(), "timeout", Blame.RETRY),
        (named("Timeout")("x", status_code=408), "timeout", Blame.RETRY),
        (ConnectionResetError("reset"), "connection", Blame.RETRY),
        (named("ClientPayloadError")("half"), "connection", Blame.RETRY),
        (named("InternalServerError")("litellm.InternalServerError: InternalServerError: OpenAIException - Connection "
                                      "error.", status_code=500), "connection", Blame.RETRY),
        (named("ContextWindowExceededError")("x", status_code=400), "context_overflow", Blame.OVERFLOW),
        (named("ContentPolicyViolationError")("x", status_code=400), "content_filter", Blame.AGENT),
        (named("BadRequestError")("litellm.BadRequestError: LLM Provider NOT provided.", status_code=400),
         "model_not_found", Blame.FATAL),
        (named("RateLimitError")("x", status_code=429, body={"error": {"code": "insufficient_quota"}}), "quota",
         Blame.FATAL),
        (named("UnsupportedParamsError")("x", status_code=400), "bad_request", Blame.FATAL),
        (named("APIConnectionError")("Expecting value: line 1", status_code=500), "malformed", Blame.RETRY),
        (ValueError("odd"), "server_error", Blame.RETRY),
        (Fault("odd", Blame.REQUEST, "as it is"), "odd", Blame.REQUEST),
    ],
)  # fmt: skip
def test_exceptions_are_classified(raised, kind, blame):
    """Whatever a client library raises is the failure that it is."""
    found = fault_of_exception(raised, 5.0)
    assert (kind, blame) == (found.kind, found.blame)


def test_what_litellm_puts_before_the_words_is_left_out():
    """The provider's own words are told, without the names of exceptions and without the answer behind them."""
    words = "litellm.InternalServerError: litellm.APIError: OpenAIException - Odd. Traceback (most recent call last): x"
    raised = named("InternalServerError")(words, status_code=500)
    assert "HTTP 500: Odd." == fault_of_exception(raised, 5.0).words


def test_nothing_said_has_words():
    """A failure without a word says so."""
    assert "no words" == fault_of(Told()).words
