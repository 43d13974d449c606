"""registry.yaml: read strictly, one line for each fault, and the same file in the package."""

import json
from pathlib import Path

import pytest

from recfw.errors import DataError, ExitCode
from recfw.known import KnownPlugin, check_source, known_plugins, read_registry, suggestion
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


SAFE = (
    "./plugins/books",
    "/opt/plugins/books",
    "https://example.org/recfw_x-1-py3-none-any.whl",
    "git+https://example.org/x/y@v1.2#subdirectory=plugins/z",
    "recfw-x @ https://example.org/x.whl",
    "recfw-x[all] @ git+https://example.org/x",
)
UNSAFE = (
    "recfw-x",
    "recfw-x==1.0",
    "--index-url http://evil x",
    "--index-url=http://evil",
    "-e ./x",
    "./x --index-url http://evil",
    "./x;rm -rf .",
    "./$(rm)",
    "./`rm`",
    "./x\n--index-url=http://evil",
    "./../x",
    "./a/../../x",
    "../x",
    "~/x",
    "http://example.org/x.whl",
    "file:///x",
    "git+ssh://example.org/x",
    "git+https://example.org/x@--upload-pack=x",
    "https://user:word@example.org/x",
    "https://example.org/x?y&z",
    "recfw-x @ file:///x",
    "recfw-x @ https://example.org/x --pre",
    "./\u202ex",
    "",
)


@pytest.mark.parametrize("source", SAFE)
def test_sources_that_name_a_place_are_taken(source: str) -> None:
    """A path, an address, or a requirement with an address."""
    check_source(source, "here")
    entry = ENTRY.replace("./plugins/books", f'"{source}"').replace("recfw-books", "recfw-x")
    assert read_registry(entry)["books"].source == source


@pytest.mark.parametrize("source", UNSAFE)
def test_sources_that_may_mean_something_else_are_refused(source: str) -> None:
    """Options, bare names, shell characters, accounts and ways out of the checkout never reach pip."""
    with pytest.raises(DataError, match="is none that can be installed safely"):
        check_source(source, "here")
    with pytest.raises(DataError, match=r"registry\.yaml: plugin 'books': the source"):
        read_registry(ENTRY.replace("source: ./plugins/books", f"source: {json.dumps(source)}"))


@pytest.mark.parametrize(
    ("key", "again", "line"),
    [
        ("books", "  books:\n    distribution: other\n", 12),
        ("source", "    source: ./elsewhere\n", 12),
        ("schema", "schema: 1\n", 12),
    ],
)
def test_a_key_that_comes_twice_is_refused(key: str, again: str, line: int) -> None:
    """Of two equal keys none is taken: which one a person who looked at the file has seen cannot be told."""
    text = ENTRY + again
    with pytest.raises(DataError, match=rf"registry\.yaml: line {line}: the key '{key}' comes twice\."):
        read_registry(text)


@pytest.mark.parametrize(
    ("source", "fits"),
    [("recfw-books @ https://example.org/x", True), ("Recfw_Books[all] @ https://example.org/x", True),
     ("other @ https://example.org/x", False), ("recfw-books-x @ git+https://example.org/x", False)],
)  # fmt: skip
def test_a_source_that_names_another_distribution_is_refused(source: str, fits: bool) -> None:
    """What stands before the @ is the entry's distribution, spelled as pip compares names."""
    entry = ENTRY.replace("source: ./plugins/books", f"source: {json.dumps(source)}")
    if fits:
        assert read_registry(entry)["books"].source == source
    else:
        with pytest.raises(
            DataError, match=r"plugin 'books': the source '.*' is one of the distribution .*, not recfw-books"
        ):
            read_registry(entry)


@pytest.mark.parametrize(("old", "new"), [("recfw-books", "'--pre'"), ("  books:\n", "  'a b':\n")])
def test_names_that_are_none_are_refused(old: str, new: str) -> None:
    """The names of plugins and distributions are words, no options."""
    with pytest.raises(DataError, match="is no name of a Python distribution"):
        read_registry(ENTRY.replace(old, new))


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


def test_a_requirement_is_one_word_of_the_command() -> None:
    """Typed as it is printed, the name before the address is not looked up in an index."""
    plugin = KnownPlugin("recfw-x", "recfw-x @ https://example.org/x.whl", ">=0", "stable", "")
    assert plugin.how_to_install("It").endswith("with: pip install 'recfw-x @ https://example.org/x.whl'")


def test_only_close_names_are_suggested() -> None:
    """A suggestion is made for a slip of the finger, not for another word."""
    assert suggestion("boks", ["books", "movies"]) == "Did you mean 'books'?"
    assert suggestion("xyz", ["books", "movies"]) == ""
