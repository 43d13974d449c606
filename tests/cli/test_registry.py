"""`recfw registry check` and `--registry`, as they are typed."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from recfw.errors import ExitCode
from recfw.testing.project import Typed

Recfw = Callable[..., Typed]
TEXT = """\
schema: 1
plugins:
  films:
    distribution: recfw-films
    source: https://example.org/films.zip
    core: ">=0.1,<0.2"
    status: stable
    summary: Films, one evening
"""
FAKES = """\
schema: 1
plugins:
  fakes.plugin:
    distribution: recfw-fakes
    source: ./fakes
    core: ">=0.1"
    status: stable
    summary: The fakes
    provides:
      tracks: [fake-dialogue]
    task_sets:
      fake-dialogue: SHA
""".replace("SHA", "a" * 64)


@pytest.fixture
def more(tmp_path: Path, recfw: Recfw) -> Path:
    """A registry in the current folder."""
    (tmp_path / "more.yaml").write_text(TEXT)
    return tmp_path / "more.yaml"


def test_recfws_own_registry_is_sound(recfw: Recfw) -> None:
    """Without a name the packaged one is checked."""
    done = recfw("registry", "check")
    assert (done.status, done.out.endswith(" plugins, no fault.\n")) == (0, True)


def test_faults_are_printed_as_compilers_do(recfw: Recfw, more: Path) -> None:
    """file:line: words; exit status 1; as JSON too."""
    more.write_text(TEXT.replace("stable", "good"))
    done = recfw("registry", "check", "more.yaml")
    said = "plugin 'films': the status must be one of stable, beta, planned"
    assert (done.status, done.out.splitlines()[0]) == (ExitCode.FOUND, f"more.yaml:7: {said}")
    assert json.loads(recfw("registry", "check", "more.yaml", "--json").out) == [
        {"file": "more.yaml", "line": 7, "fault": said}
    ]


def test_entries_are_held_against_what_is_installed(recfw: Recfw, more: Path) -> None:
    """What an entry leaves out, and a digest that is not that of the tasks, are told with the entry's line."""
    more.write_text(FAKES)
    done = recfw("registry", "check", "more.yaml", "--installed")
    assert (done.status, "more.yaml:3: plugin 'fakes.plugin': provides none as agents" in done.out) == (1, True)
    assert "plugin 'fakes.plugin': the tasks of 'fake-dialogue' have the digest " in done.out
    assert recfw("registry", "check", "more.yaml").status == 0


def test_a_digest_that_is_missing_or_stale_is_put_in(recfw: Recfw, more: Path) -> None:
    """``registry digest --write`` changes that line alone; the check then finds it right, as a run's record has it."""
    more.write_text(TEXT + FAKES.partition("plugins:\n")[2])
    done = recfw("registry", "digest", "fakes.plugin", "--write", "more.yaml")
    now = json.loads(recfw("registry", "digest", "--json").out)["fakes.plugin"]["fake-dialogue"]
    assert f"more.yaml: fakes.plugin: fake-dialogue: {'a' * 64} -> {now}\n" in done.out
    found = json.loads(recfw("registry", "check", "more.yaml", "--installed", "--json").out)
    assert [fault["fault"] for fault in found if "digest" in fault["fault"]] == []
    recfw("run", "--track", "fake-dialogue", "--quiet")
    assert json.loads(recfw("runs", "show", "--json").out)["content_digest"] == now
    before = more.read_text()
    recfw("registry", "digest", "--write", "more.yaml")
    assert more.read_text() == before


def test_digests_are_printed_as_they_stand_in_an_entry(recfw: Recfw) -> None:
    """Without a file they are shown, ready to be copied."""
    lines = recfw("registry", "digest").out.splitlines()
    assert lines[:2] == ["fakes.plugin:", "  task_sets:"]
    assert [line.partition(": ")[0].strip() for line in lines[2:5]] == ["fake-dialogue", "fake-pictures", "fake-rounds"]


@pytest.mark.parametrize(
    ("words", "status", "told"),
    [
        (("books",), ExitCode.PLUGIN, "no plugin 'books' is loaded"),
        (("core",), ExitCode.USAGE, "the plugin 'core' offers no track"),
        (("--write", ""), ExitCode.USAGE, "--write is empty"),
        (("--write", "broken.yaml"), ExitCode.DATA, "See them with: recfw registry check broken.yaml"),
        (("fakes.plugin", "--write", "more.yaml"), ExitCode.DATA, "no entry of the plugin 'fakes.plugin'"),
    ],
)
def test_digests_that_cannot_be_had_or_written(
    recfw: Recfw, more: Path, words: list[str], status: int, told: str
) -> None:
    """Each refusal says what is the matter, and changes no file."""
    (more.parent / "broken.yaml").write_text(TEXT.replace("stable", "good"))
    done = recfw("registry", "digest", *words)
    assert (done.status, told in done.err, more.read_text()) == (status, True, TEXT)


def test_search_and_install_use_further_registries(recfw: Recfw, more: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By option and by variable; the command to install is that of the registry's source."""
    assert recfw("plugins", "search", "films").out == ""
    for _ in range(2):
        words = ["--registry", "more.yaml"] if not _ else []
        assert recfw("plugins", "search", "films", *words).out.split()[:3] == ["films", "not", "installed"]
        printed = recfw("plugins", "install", "films", "--dry-run", *words)
        assert (printed.status, printed.out.split()[-1]) == (0, "https://example.org/films.zip")
        monkeypatch.setenv("RECFW_REGISTRY", "more.yaml")


def test_a_configuration_file_names_registries(recfw: Recfw, more: Path) -> None:
    """``registries`` stands above all sections."""
    (more.parent / "recfw.toml").write_text('registries = ["more.yaml"]\n')
    assert recfw("plugins", "search", "films").out.startswith("films")
    (more.parent / "recfw.toml").write_text('registries = "more.yaml"\n')
    done = recfw("plugins", "search", "films")
    assert (done.status, "'registries' must be a list of files" in done.err) == (ExitCode.DATA, True)


@pytest.mark.parametrize("words", [("run", "--plugin", "films"), ("plugins", "info", "films")])
def test_what_a_further_registry_lists_is_known_to_be_missing(
    recfw: Recfw, more: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    """Asking for a plugin that is not installed says how to install it; a registry that is gone hides no error."""
    monkeypatch.setenv("RECFW_REGISTRY", "more.yaml")
    done = recfw(*words)
    assert (done.status, "pip install https://example.org/films.zip" in done.err) == (ExitCode.PLUGIN, True)
    more.unlink()
    done = recfw(*words)
    assert (done.status, "no plugin" in done.err) == (ExitCode.PLUGIN, True)


@pytest.mark.parametrize("words", [["registry", "check", ""], ["registry", "check", "no.yaml"], ["registry", "chekc"]])
def test_mistakes_are_errors_of_usage(recfw: Recfw, words: list[str]) -> None:
    """An empty name, a missing file and an unknown command."""
    assert recfw(*words).status == ExitCode.USAGE
