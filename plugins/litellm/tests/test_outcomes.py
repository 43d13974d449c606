"""What a final fault becomes."""

import pytest

from recfw.errors import InfrastructureError, OutageError
from recfw.protocols import ContextOverflow
from recfw_litellm.options import PlayerOptions
from recfw_litellm.outcomes import error_of
from recfw_litellm.wire import Blame, Fault

OPTIONS = PlayerOptions(model="m-1", api_base="http://127.0.0.1:1/v1")


def said(kind, blame, words="so.", component="endpoint", options=OPTIONS):
    """Return the error's kind of class and its words."""
    error = error_of(Fault(kind, blame, words), component, options)
    return type(error), str(error)


@pytest.mark.parametrize(
    ("kind", "blame", "wanted"),
    [
        ("context_overflow", Blame.OVERFLOW, ContextOverflow),
        ("authentication", Blame.FATAL, OutageError),
        ("outage", Blame.FATAL, OutageError),
        ("rate_limit", Blame.RETRY, InfrastructureError),
        ("bad_request", Blame.REQUEST, InfrastructureError),
    ],
)
def test_blame_decides(kind, blame, wanted):
    """An overflow is an ending, what needs a person stops the run, everything else is run again."""
    assert wanted is said(kind, blame)[0]


@pytest.mark.parametrize("kind", ["rate_limit", "quota", "timeout", "malformed", "server_error"])
def test_failures_are_counted_by_kind(kind):
    """An infrastructure failure keeps the word by which it is counted."""
    assert kind == error_of(Fault(kind, Blame.RETRY, "so"), "endpoint", OPTIONS).kind


@pytest.mark.parametrize(
    ("kind", "words", "step"),
    [
        ("authentication", "HTTP 401: no.", "Set the key in OPENAI_API_KEY, in the environment or by --env-file"),
        ("model_not_found", "HTTP 404: no.", "GET {api_base}/models"),
        ("connection", "refused", "api_base"),
        ("timeout", "No answer within 120 s.", "option timeout"),
        ("quota", "none left", "recfw run --resume"),
        ("outage", "nothing was answered", "recfw run --resume"),
        ("not_kept", "no answer is kept", "--cache-only"),
        ("bad_request", "HTTP 400: Unsupported parameter: 'temperature'.", "--set …temperature=none"),
        ("bad_request", "HTTP 400: 'seed' is not supported", "--set …seed=none"),
        ("bad_request", "HTTP 400: response_format is not supported", "--set …schema=words"),
        ("bad_request", "HTTP 400: image input is not supported", "--set …pictures=false"),
        ("bad_request", "HTTP 400: odd", "extra among them"),
    ],
)
def test_every_error_has_a_next_step(kind, words, step):
    """The message names the model, the endpoint and what was said; the hint says what to set."""
    _, message = said(kind, Blame.FATAL, words)
    assert "model 'm-1' at http://127.0.0.1:1/v1: " in message
    assert words.rstrip(".") in message
    assert step in message
    assert ".." not in message


def test_a_named_variable_is_the_one_to_set():
    """Where the options name a variable, that one is named."""
    options = PlayerOptions(model="m", api_key_env="MY_API_KEY")
    assert "Set the key in MY_API_KEY" in said("authentication", Blame.FATAL, options=options)[1]


def test_litellms_models_are_spelt_with_a_provider():
    """The hint for an unknown model suits the component."""
    assert "provider/name" in said("model_not_found", Blame.FATAL, component="litellm")[1]
