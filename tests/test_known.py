"""registry.yaml: read strictly, one line for each fault, and the same file in the package."""

from pathlib import Path

import pytest

from recfw.errors import DataError, ExitCode
from recfw.known import known_plugins, read_registry, suggestion
from recfw.registry import KINDS

ROOT = Path(__file__).parents[1]
ENTRY = """
schema: 1
plugins:
  books:
    distribution: recfw-books
    source: ./plugins/books
    core: ">=0.1"
    status: stable
    summary: a track
    provides:
      tracks: [books]
"""


def test_an_entry_is_read() -> None:
    """A sound entry gives its fields."""
    found = read_registry(ENTRY)["books"]
    assert (found.distribution, found.provides) == ("recfw-books", {"tracks": ("books",)})


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (ENTRY, "", "registry.yaml: a mapping with 'schema' and 'plugins' is expected, not an empty file."),
        (ENTRY, "- a\n- b\n", "registry.yaml: a mapping with 'schema' and 'plugins' is expected, not a list."),
        ("schema: 1", "schema: [", "no valid YAML"),
        ("schema: 1", "", "required field missing @ $.schema"),
        ("schema: 1", "schema: '1'", "int @ $.schema"),
        ("schema: 1", "schema: 2", "schema 2 is not known to this version. Upgrade recfw."),
        ("schema: 1", "schema: 1\nversion: 3", "extra fields found (version)"),
        ("    source: ./plugins/books\n", "", "required field missing @ $.plugins['books'].source"),
        ("summary: a track", "summary: 7", "str @ $.plugins['books'].summary"),
        ("summary: a track", "summary: a track\n    sumary: x", "extra fields found (sumary)"),
        ("tracks: [books]", "tracks: books", "$.plugins['books'].provides['tracks']"),
        ("tracks: [books]", "tracks: [1]", "$.plugins['books'].provides['tracks'][0]"),
        ("status: stable", "status: splendid", "status"),
        ("provides:\n      tracks: [books]", "provides: [books]", "$.plugins['books'].provides"),
    ],
)
def test_a_malformed_registry_is_one_clear_line(old: str, new: str, words: str) -> None:
    """Whatever is wrong, one line names the file and the place; exit status 4."""
    assert old in ENTRY
    with pytest.raises(DataError) as caught:
        read_registry(ENTRY.replace(old, new))
    assert words in str(caught.value)
    assert str(caught.value).startswith("registry.yaml: ")
    assert "\n" not in str(caught.value)
    assert caught.value.code is ExitCode.DATA


def test_the_packaged_copy_is_the_top_level_file() -> None:
    """The registry in the package holds the bytes of the one at the top."""
    assert (ROOT / "core/recfw/registry.yaml").read_bytes() == (ROOT / "registry.yaml").read_bytes()


def test_the_packaged_registry_is_sound() -> None:
    """It can be read, and every kind that it lists is one that plugins can offer."""
    plugins = known_plugins()
    assert {"books", "situated", "orchestration", "litellm"} <= set(plugins)
    assert {kind for plugin in plugins.values() for kind in plugin.provides} <= set(KINDS)


def test_no_known_plugin_is_installed_by_a_bare_name() -> None:
    """A source is a path, an address or a pinned requirement: a name that nobody owns could be taken by anybody."""
    sources = [plugin.source for plugin in known_plugins().values()]
    assert [source for source in sources if not any(mark in source for mark in ("/", "@", "=="))] == []


def test_only_close_names_are_suggested() -> None:
    """A suggestion is made for a slip of the finger, not for another word."""
    assert suggestion("boks", ["books", "movies"]) == "Did you mean 'books'?"
    assert suggestion("xyz", ["books", "movies"]) == ""
