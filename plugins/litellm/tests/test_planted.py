"""A planted key that the provider repeats in words, arguments and errors is found in nothing that is kept or shown."""

import pytest

from recfw.cli.main import invoke
from recfw.testing.provider import Answer, Call, Faults, Script, StubProvider

KEY = "planted-Key/with+odd=signs-0123456789"


def repeat(request):
    """Say the key that came in the headers, in every way there is."""
    key = request.headers["authorization"].removeprefix("Bearer ")
    if not request.called:
        return Answer(f"You sent {key}.", (Call("get_metadata", {"item_id": key}),), reasoning=f"It is {key}.")
    return Answer(calls=(Call("recommend", {"item_id": key}), Call(key, {})))


@pytest.fixture
def words(tmp_path, monkeypatch, library):
    """A function that gives the words of a run that asks a stub, the planted key in the environment."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("RECFW_STORE", str(tmp_path / "runs.db"))

    def made(name, url):
        model = "openai/x" if name == "litellm" else "x"
        said = ["run", "--plugin", "books", "--agent", name, "--tasks", "b001-hidden", "--cache", "answers"]
        return [*said, "--set", f"agent.model={model}", "--set", f"agent.api_base={url}", "--set", "agent.retries=0"]

    return made


def everything(tmp_path, capsys, trial):
    """Return all that a run left behind, and all that was printed, its trace included."""
    for words in (["trace", "latest", trial, "--json"], ["report", "--format", "json"], ["report", "--format", "html"]):
        assert 0 == invoke(words)
    printed = capsys.readouterr()
    files = [path.read_bytes() for path in sorted(tmp_path.rglob("*")) if path.is_file()]
    return b"\n".join([*files, printed.out.encode(), printed.err.encode()])


@pytest.mark.parametrize("name", ["endpoint", "litellm"])
def test_no_key_in_what_is_kept(words, name, tmp_path, capsys):
    """A provider that repeats the key in text, reasoning, arguments and names: it stands in no file and no output."""
    with StubProvider(Script(record=9), brain=repeat) as stub:
        invoke(words(name, stub.url))
        assert {f"Bearer {KEY}"} == {one.headers["authorization"] for one in stub.recorded}
    left = everything(tmp_path, capsys, f"{name}/b001-hidden")
    assert KEY.encode() not in left
    assert b"[redacted]" in left


@pytest.mark.parametrize("name", ["endpoint", "litellm"])
def test_no_key_in_an_error(words, name, tmp_path, capsys):
    """A provider that repeats the key when it refuses it: the message holds none."""
    with StubProvider(Script(key="another", faults=Faults())) as stub:
        assert 6 == invoke(words(name, stub.url))
    printed = capsys.readouterr()
    assert "key is refused" in printed.err
    assert KEY not in printed.err + printed.out
