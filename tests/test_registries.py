"""Files that list plugins: every fault by its line, and further registries beside recfw's own."""

from pathlib import Path

import pytest

from recfw.errors import DataError, UsageError
from recfw.known import known_plugins, read_registry
from recfw.registries import LARGEST, Fault, faults_of, known_in, named, with_task_sets

SOUND = """\
schema: 1
plugins:
  films:
    distribution: recfw-films
    source: ./films
    provides:
      tracks: [films]
      agents: [films-reference]
    core: ">=0.1,<0.2"
    status: beta
    homepage: https://example.org/films
    task_sets:
      films: SHA
    summary: Films, one evening
""".replace("SHA", "a" * 64)
SECOND = """\
  plays:
    distribution: recfw-plays
    source: ./plays
    core: ">=0.1"
    status: stable
    summary: Plays
"""


def test_a_sound_registry_has_no_fault() -> None:
    """All fields together are accepted, and so is recfw's own registry."""
    assert faults_of(SOUND + SECOND) == []


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ("schema: 1", "schema: [", 3, "no valid YAML"),
        ("schema: 1", "schema: 2", 1, "the schema is 2; this recfw knows 1"),
        ("schema: 1\n", "", 1, "'schema' and 'plugins' are both needed"),
        (SOUND, "- a", 1, "a mapping with 'schema' and 'plugins' is expected"),
        (SOUND, "", 1, "a mapping with 'schema' and 'plugins' is expected"),
        (
            "schema: 1",
            "schema: 1\nplugin: {}",
            2,
            "unknown key 'plugin' (known: schema, plugins); did you mean 'plugins'?",
        ),
        ("    status: beta\n", "", 3, "plugin 'films': lacks status"),
        ("status: beta", "status: good", 10, "plugin 'films': the status must be one of stable, beta, planned"),
        ("status: beta", "status: beta\n    statsu: x", 11, "unknown field 'statsu'"),
        ("summary: Films", "summary: 7\n    x: Films", 15, "unknown field 'x'"),
        ("tracks: [films]", "tracks: films", 6, "expected list, at provides"),
        ("tracks: [films]", "track: [films]", 6, "unknown kind 'track'"),
        ("[films-reference]", "[a, a]", 6, "'a' is offered by 'films' too, or twice"),
        ('">=0.1,<0.2"', '"=>0.1"', 9, "'=>0.1' is no version range"),
        ('">=0.1,<0.2"', '"<0.2"', 9, "names no oldest version"),
        ("./films\n", "-r evil\n", 5, "the source '-r evil' is none that can be installed safely"),
        ("./films\n", "other @ https://example.org/x\n", 5, "is one of the distribution other, not recfw-films"),
        ("https://example.org/films", "javascript:x", 11, "is no https:// address"),
        ("https://example.org/films", "./../../etc", 11, "no ./page beside the registry"),
        ("a" * 64, "abc", 12, "or 'abc' is no SHA-256"),
        ("      films: aaa", "      other: aaa", 12, "'other' is no track that it provides"),
        ("  films:\n    dist", "  films!:\n    dist", 3, "'films!' is no name of a Python distribution"),
        ("recfw-films", "recfw films", 4, "'recfw films' is no name of a Python distribution"),
        ("core:", "source: ./b\n    core:", 9, "the key 'source' comes twice"),
        ("Films, one evening", "x" * 101, 14, "the summary must be one line of at most 100 characters"),
    ],
)
def test_each_fault_has_its_line(old: str, new: str, line: int, words: str) -> None:
    """Whatever is wrong is told with the line that it stands in."""
    assert old in SOUND
    found = faults_of(SOUND.replace(old, new, 1))
    assert [fault for fault in found if fault.line == line and words in fault.words]


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("2026-13-01", "'2026-13-01' cannot be read as what it seems to be: put it into quotes"),
        ("!!int x", "'x' cannot be read"),
        ('!!int ""', "'' cannot be read"),
        ("!!bool maybe", "'maybe' cannot be read"),
        ("!!timestamp x", "'x' cannot be read"),
        ("9" * 5000, "'9999"),
        ("!!python/name:os.system", "'' cannot be read"),
        ("!!python/object/apply:os.system [ls]", "python/object/apply:os.system has no place in a registry"),
        ("{[a]: 1}", "a key must be a word, and is a list or a mapping"),
    ],
)
def test_what_yaml_cannot_make_a_value_of_is_a_fault(value: str, words: str) -> None:
    """A date that is none, a foreign tag or a list as key are told with their line, and refused by what reads them."""
    for text in (SOUND.replace("Films, one evening", value), SOUND.replace("schema: 1", f"schema: {value}")):
        line = 1 if f"schema: {value}" in text else 14
        told = faults_of(text)
        assert [(line, True)] == [(fault.line, words in fault.words) for fault in told]
        with pytest.raises(DataError, match=r"more\.yaml: "):
            read_registry(text, "more.yaml")


def test_all_faults_are_told_at_once() -> None:
    """A registry with three faults gives three lines, in their order."""
    text = SOUND.replace("beta", "good") + SECOND.replace("recfw-plays", "re fw").replace('">=0.1"', "x")
    assert [fault.line for fault in faults_of(text)] == [10, 16, 18]


def test_what_two_entries_offer_is_told() -> None:
    """A component and a distribution belong to one plugin."""
    text = SOUND + SECOND.replace("recfw-plays", "recfw-films").replace(
        "    core", "    provides: {tracks: [films]}\n    core"
    )
    assert [(fault.line, fault.words) for fault in faults_of(text)] == [
        (16, "plugin 'plays': 'films' has the distribution recfw-films too"),
        (18, "plugin 'plays': tracks: 'films' is offered by 'films' too, or twice"),
    ]


def test_aliases_are_refused() -> None:
    """A small file that YAML would make huge is refused before it is unfolded."""
    bomb = "a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\n"
    assert faults_of(bomb) == [Fault(2, "the alias *a can make a small file huge: write it out")]


def test_a_further_registry_adds_its_plugins(tmp_path: Path) -> None:
    """Its plugins stand beside recfw's own; a source beside the file is found from anywhere."""
    (tmp_path / "more.yaml").write_text(SOUND)
    found = known_in([tmp_path / "more.yaml"])
    assert set(found) == {*known_plugins(), "films"}
    assert (found["films"].source, found["films"].task_sets) == (str(tmp_path / "films"), {"films": "a" * 64})


def test_no_registry_may_shadow_another(tmp_path: Path) -> None:
    """A name that is listed already is refused, naming both."""
    first = next(iter(known_plugins()))
    (tmp_path / "more.yaml").write_text(SOUND.replace("  films:\n    dist", f"  {first}:\n    dist"))
    with pytest.raises(DataError, match=f"the plugin '{first}' is listed in recfw's own registry too"):
        known_in([tmp_path / "more.yaml"])


def test_options_come_before_the_variable(tmp_path: Path) -> None:
    """``RECFW_REGISTRY`` names files with commas between, unless options name others."""
    environ = {"RECFW_REGISTRY": "a.yaml, ~/b.yaml,"}
    assert named(environ, []) == [Path("a.yaml"), Path("~/b.yaml").expanduser()]
    assert named(environ, ["c.yaml"]) == [Path("c.yaml")]
    assert named({}, []) == []
    with pytest.raises(UsageError, match="--registry is empty"):
        named(environ, [""])


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (None, "there is no such registry"),
        (b"\xff", "is no UTF-8 text"),
        (b"#" * (LARGEST + 1), "has more than 1,048,576 bytes"),
        (b"schema: 1", "more.yaml: "),
    ],
)
def test_a_registry_that_is_none_is_named(tmp_path: Path, data: bytes | None, words: str) -> None:
    """What cannot be read is an error that names the file."""
    path = tmp_path / "more.yaml"
    if data is not None:
        path.write_bytes(data)
    with pytest.raises((DataError, UsageError), match=words):
        known_in([path])


NOW = "b" * 64


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (f"      films: {'a' * 64}\n", f'      films: "{NOW}"\n'),
        (f"    task_sets:\n      films: {'a' * 64}\n", f'    task_sets:\n      films: "{NOW}"\n'),
        (f"    task_sets:\n      films: {'a' * 64}\n", f"    task_sets: {{films: {'a' * 64}}}\n"),
        (f"    task_sets:\n      films: {'a' * 64}\n", "    task_sets: {}\n"),
        (f"    task_sets:\n      films: {'a' * 64}\n", "    # a remark\n\n"),
    ],
)
def test_only_the_digests_of_an_entry_are_changed(old: str, new: str) -> None:
    """However they are written, or not at all, the rest of the file stays byte for byte, remarks included."""
    assert old in SOUND
    text = f"# first\n{SOUND.replace(old, new)}\n# between\n{SECOND}# last"
    changed = with_task_sets(text, "films", {"films": NOW}, "more.yaml")
    assert (faults_of(changed), read_registry(changed)["films"].task_sets) == ([], {"films": NOW})
    without = [line for line in changed.splitlines() if "task_sets" not in line and NOW not in line]
    assert without == [line for line in text.splitlines() if "task_sets" not in line and "films: " not in line[:13]]
    assert with_task_sets(changed, "films", {"films": NOW}, "more.yaml") == changed


def test_the_digests_of_other_tracks_stay() -> None:
    """Of an entry with two tracks one digest can be changed, or added, alone."""
    changed = with_task_sets(SOUND, "films", {"shorts": NOW}, "more.yaml")
    assert read_registry(changed)["films"].task_sets == {"films": "a" * 64, "shorts": NOW}


def test_an_entry_in_braces_is_left_alone() -> None:
    """It has no lines of its own to be changed."""
    entry = "{distribution: d, source: ./d, core: '>=0.1', status: stable, summary: s}"
    with pytest.raises(DataError, match="is written in braces"):
        with_task_sets(f"schema: 1\nplugins:\n  films: {entry}\n", "films", {"films": NOW}, "more.yaml")


def test_an_address_is_not_fetched() -> None:
    """A registry is a file that somebody has looked at."""
    with pytest.raises(UsageError, match="Download it, look at it, and name the file"):
        known_in([Path("https://example.org/registry.yaml")])
