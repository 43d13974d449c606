"""Credentials are found by the environment's names and by their formats, shown masked, and replaced."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recfw.secrets import MARK, Secrets, find, redact

KEY = "hunter2-hunter2"
KNOWN = Secrets({"ACME_API_KEY": KEY, "SHORT_TOKEN": "abc", "PATH": "/usr/bin:/bin", "EMPTY_SECRET": ""})

SHOWN = {
    "an API key (sk-…)": "sk-proj-" + "a1B2" * 6,
    "a Google API key": "AIza" + "x" * 35,
    "a GitHub token": "ghp_" + "A1b2" * 9,
    "a GitLab token": "glpat-" + "a" * 20,
    "a Hugging Face token": "hf_" + "a" * 34,
    "a Groq API key": "gsk_" + "a" * 40,
    "an xAI API key": "xai-" + "a" * 40,
    "a Slack token": "xoxb-1234567890-abc",
    "an AWS access key id": "AKIA" + "Z" * 16,
    "a JSON web token": "eyJhbGciOiJIUzI1.eyJzdWIiOiIxMjM.SflKxwRJSMeK",
}


@pytest.mark.parametrize(("kind", "value"), SHOWN.items())
def test_known_formats(kind: str, value: str) -> None:
    """Keys of well-known providers are found wherever they stand in a text."""
    (found,) = find(f'{{"text":"use {value}."}}', {})
    assert (kind, value.rstrip(".")) == (found.kind, found.value)


def test_bearer_token() -> None:
    """Of a header only the token is replaced."""
    assert f"Authorization: Bearer {MARK}" == redact("Authorization: Bearer abcdefghij0123456789", {})


def test_private_key() -> None:
    """A private key is replaced from its first line to its last, also as it stands within JSON."""
    text = r'"-----BEGIN RSA PRIVATE KEY-----\nMIIE/+=\n-----END RSA PRIVATE KEY-----\n"'
    assert rf'"{MARK}\n"' == redact(text, {})


@pytest.mark.parametrize(
    "name",
    ["OPENAI_API_KEY", "AWS_SECRET_ACCESS_KEY", "MY_TOKEN", "DB_PASSWORD", "CLIENT_SECRET", "ACME_APIKEY", "PASSWORD"],
)
def test_values_of_the_environment(name: str) -> None:
    """The value of a variable whose name says credential is one, whatever its format."""
    (found,) = find("say swordfish-1 again", {name: "swordfish-1"})
    assert (f"the value of {name}", "swordfish-1") == (found.kind, found.value)


@pytest.mark.parametrize(
    ("name", "value"),
    [("HOME", "swordfish-1"), ("X_TOKEN", "sword"), ("TOKENS_PATH", "swordfish-1"), ("MAX_TOKENS", "100000000"),
     ("USE_TOKEN", "disabled"), ("A_TOKEN", "/run/secrets/a")],
)  # fmt: skip
def test_what_is_no_credential(name: str, value: str) -> None:
    """Other variables, short values, numbers, switches and paths are left alone."""
    assert () == find(f"say {value} again", {name: value})


@pytest.mark.parametrize("text", ["task-force", "a sk-short key", "Bearer of news", "ghp_short", "AKIA", "risk-" * 9])
def test_ordinary_words(text: str) -> None:
    """Words that only begin like a key are left alone."""
    assert () == find(text, {})


def test_value_within_json() -> None:
    """A value with characters that JSON escapes is found as it stands there."""
    known = Secrets({"A_PASSWORD": 'quo"te\\slash'})
    assert f'{{"a":"{MARK}"}}' == known.redact('{"a":"quo\\"te\\\\slash"}')


def test_masked() -> None:
    """What is shown of a credential is its beginning and its length, and its record does not show it at all."""
    (found,) = KNOWN.find(f"x {KEY} y")
    assert "hunt… (15 characters)" == found.masked
    assert KEY not in repr(found)


def test_further_values() -> None:
    """Values that came from elsewhere, such as a file, are known too."""
    assert f"<{MARK}>" == Secrets({}, {"the key file": "correct-horse"}).redact("<correct-horse>")


def test_overlapping() -> None:
    """A value that holds another one, or a format's, is replaced as one."""
    known = Secrets({"A_TOKEN": "sk-" + "a" * 30, "B_TOKEN": "a" * 30 + "tail"})
    assert f"[{MARK}]" == known.redact("[sk-" + "a" * 30 + "tail]")


@given(st.lists(st.sampled_from([KEY, *SHOWN.values(), " ", '"', "é", "plain"])))
def test_nothing_is_left(parts: list[str]) -> None:
    """After replacing, nothing is found, and text without credentials is as it was."""
    text = " ".join(parts)
    clean = KNOWN.redact(text)
    assert () == KNOWN.find(clean)
    assert KNOWN.redact(clean) == clean
