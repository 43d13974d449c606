"""`recfw plugins info` shows what authors wrote for people: summary, homepage, figures."""

from collections.abc import Callable
from importlib.metadata import distribution
from pathlib import Path

import orjson
import pytest

SOURCE = '"""A remark for whoever reads the module."""'


@pytest.fixture
def films(write_plugin: Callable[..., str]) -> Callable[[str], None]:
    """Give what installs a plugin ``films`` whose distribution declares further fields."""

    def install(fields: str) -> None:
        write_plugin("films", SOURCE, distribution="recfw-films")
        file = Path(str(distribution("recfw-films").locate_file("recfw_films-1.0.dist-info"))) / "METADATA"
        file.write_text(file.read_text() + fields)

    return install


@pytest.mark.parametrize("line", ["Project-URL: Homepage, https://x.org", "Home-page: https://x.org"])
def test_the_distribution_tells_what_a_plugin_is(recfw, films, line: str) -> None:
    """Its summary and its homepage come before the docstring, which is the module's."""
    films(f"Summary: Films for tonight\nProject-URL: Source, https://x.org/s\n{line}\n")
    lines = recfw("plugins", "info", "films").out.splitlines()
    assert lines == ["plugin films: Films for tonight", "  distribution recfw-films 1.0", "  homepage https://x.org"]
    told = orjson.loads(recfw("plugins", "info", "films", "--json").out)["plugin"]
    assert (told["summary"], told["homepage"]) == ("Films for tonight", "https://x.org")


@pytest.mark.parametrize("fields", ["", "Summary: UNKNOWN\nHome-page: UNKNOWN\n"])
def test_without_a_declaration_the_docstring_is_told(recfw, films, fields: str) -> None:
    """A distribution without a summary, or with setuptools' word for none, leaves the module's first line."""
    films(fields)
    lines = recfw("plugins", "info", "films").out.splitlines()
    assert lines == ["plugin films: A remark for whoever reads the module.", "  distribution recfw-films 1.0"]


def test_a_registry_tells_what_the_distribution_does_not(recfw, films, tmp_path: Path, monkeypatch) -> None:
    """The entry of a registry that is named has a summary and a homepage, a page beside it."""
    films("")
    entry = (
        "{distribution: recfw-films, source: ./f, core: '>=0.1', status: beta, summary: Films, homepage: ./f/README.md}"
    )
    (tmp_path / "more.yaml").write_text(f"schema: 1\nplugins:\n  films: {entry}\n")
    monkeypatch.setenv("RECFW_REGISTRY", str(tmp_path / "more.yaml"))
    lines = recfw("plugins", "info", "films").out.splitlines()
    assert lines[0] == "plugin films: Films"
    assert lines[2] == "  homepage ./f/README.md, beside the registry that lists it"


def test_a_metrics_figures_are_listed(recfw) -> None:
    """Each with the sentence that its author wrote; options come first."""
    lines = recfw("plugins", "info", "effort").out.splitlines()
    assert "  figure refusals: Replies that the environment refused." in lines
    told = orjson.loads(recfw("plugins", "info", "effort", "--json").out)["components"][0]
    assert told["figures"]["refusals"] == "Replies that the environment refused."


def test_one_is_singular(recfw, tmp_path: Path) -> None:
    """A registry of one plugin is told as such."""
    entry = "{distribution: recfw-f, source: ./f, core: '>=0.1', status: beta, summary: Films}"
    (tmp_path / "one.yaml").write_text(f"schema: 1\nplugins:\n  f: {entry}\n")
    assert recfw("registry", "check", "one.yaml").out == "one.yaml: 1 plugin, no fault.\n"
