"""`recfw plugins new` writes distributions that are whole: files, code, tests; and what it refuses."""

import ast
import json
import os
import subprocess
import sys
from configparser import ConfigParser, RawConfigParser
from pathlib import Path

import pytest
from fakes.origin import search_path

from recfw.cli import plugins_new
from recfw.cli.main import invoke
from recfw.cli.template import KINDS, LICENCES, core_range, distribution_files
from recfw.errors import ExitCode

ROOT = Path(__file__).parents[2]
HEAD = ("setup.cfg", "pyproject.toml", "tox.ini", "README.md", "CHANGELOG.md", "LICENSE", ".github/workflows/tests.yml")


def made(kind: str, licence: str = "MIT") -> dict[str, str]:
    """Return the files of a new plugin ``odd-hats``."""
    return distribution_files("odd-hats", kind, "the authors", licence, 2026)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_a_whole_distribution(kind: str) -> None:
    """All files are there, nothing is left to fill in, the code compiles and has docstrings, setup.cfg can be read."""
    files = made(kind)
    assert set(HEAD) <= set(files)
    assert {"recfw_odd_hats/plugin.py", "recfw_odd_hats/py.typed", "tests/test_contracts.py"} <= set(files)
    for path, text in files.items():
        assert "{{" not in text.replace("${{", ""), path
        if path.endswith(".py"):
            tree = ast.parse(text)
            nodes = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Module)]
            bare = [node for node in nodes if not ast.get_docstring(node) and getattr(node, "name", "m")[0] != "_"]
            assert [] == bare, path
            assert max(map(len, text.splitlines())) <= 120, path
    config = RawConfigParser()
    config.read_string(files["setup.cfg"])
    assert ("recfw-odd-hats", "MIT") == (config["metadata"]["name"], config["metadata"]["license"])
    assert "odd-hats = recfw_odd_hats.plugin" in config["options.entry_points"]["recfw"]


def test_a_track_has_less_than_150_lines_of_its_own() -> None:
    """Plugin module, track, agent and metric together, blank lines and docstrings counted."""
    lines = sum(
        len(text.splitlines())
        for path, text in made("track").items()
        if path.startswith("recfw_odd_hats/") and path.endswith(".py")
    )
    assert lines < 150


@pytest.mark.parametrize(
    ("now", "wanted"), [("0.1.0", ">=0.1,<0.2"), ("0.12.3.dev1", ">=0.12,<0.13"), ("2.3.4", ">=2.3,<3.0")]
)
def test_the_range_of_core_ends_where_it_may_break(now: str, wanted: str) -> None:
    """Below 1.0 a minor version may break a plugin, from then on a major one."""
    assert wanted == core_range(now)


@pytest.mark.parametrize("licence", LICENCES)
def test_every_licence_has_its_text(licence: str) -> None:
    """The text stands in LICENSE, its identifier in setup.cfg."""
    files = made("metric", licence)
    assert len(files["LICENSE"]) > 100
    expression = "LicenseRef-Proprietary" if licence == "Proprietary" else licence
    assert f"license = {expression}\n" in files["setup.cfg"]


def test_an_author_may_have_any_signs() -> None:
    """What stands for something else in setup.cfg, and in the template, is read back as it was typed."""
    author = "100 % {{name}} %(licence)s"
    files = distribution_files("odd-hats", "metric", author, "MIT", 2026)
    config = ConfigParser()
    config.read_string(files["setup.cfg"])
    assert author == config["metadata"]["author"]
    assert f"Copyright (c) 2026 {author}\n" in files["LICENSE"]


def test_the_generated_suites_hold(tmp_path: Path) -> None:
    """The tests of every kind, as generated, pass with the plugins on the path, in one process."""
    site = tmp_path / "site"
    for kind in KINDS:
        for path, text in distribution_files(f"zz-{kind}", kind, "the authors", "MIT", 2026).items():
            place = (site if path.startswith("recfw_") else tmp_path / kind) / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text, encoding="utf-8")
        info = site / f"recfw_zz_{kind}-0.1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: recfw-zz-{kind}\nVersion: 0.1.0\n")
        (info / "entry_points.txt").write_text(f"[recfw]\nzz-{kind} = recfw_zz_{kind}.plugin\n")
    called = {"analysis", "renderer"}  # their tests type no command in a process of its own
    suites = [
        str(path)
        for kind in KINDS
        for path in sorted((tmp_path / kind / "tests").glob("test_*.py"))
        if path.name != "test_run.py" or kind in called
    ]
    environ = {
        **os.environ,
        "PYTHONPATH": search_path(site),
        "RECFW_PLUGINS": "",
        "RECFW_DISABLE_PLUGINS": "books,litellm,orchestration,situated",
    }
    options = ["-q", "-p", "no:cacheprovider", "--import-mode=importlib", "--rootdir", str(tmp_path)]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options, *suites], cwd=tmp_path, env=environ, capture_output=True, text=True
    )
    assert 0 == done.returncode, done.stdout[-3000:]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_it_is_written_and_the_next_steps_are_named(here: Path, capsys) -> None:
    """The folder is named after the distribution, and what to type next is printed."""
    status = invoke(["plugins", "new", "odd-hats", "--kind", "metric", "--author", "Ada  Byron"])
    out = capsys.readouterr().out
    assert ExitCode.DONE == status
    assert "Ada Byron" in (here / "recfw-odd-hats" / "LICENSE").read_text()
    assert "cd recfw-odd-hats && pip install -e '.[test]'" in out
    assert "pytest && recfw plugins check odd-hats" in out


def test_the_licence_is_asked_for_at_a_terminal(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without --licence, somebody at a terminal is asked; a script gets the default."""
    monkeypatch.setattr(plugins_new.sys.stdin, "isatty", lambda: True, raising=False)
    monkeypatch.setattr(plugins_new.click, "prompt", lambda *_, **__: "Apache-2.0")
    invoke(["plugins", "new", "odd-hats", "--kind", "metric"])
    assert "Apache License" in (here / "recfw-odd-hats" / "LICENSE").read_text()


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Hats", "no name of a plugin"),
        ("odd--hats", "no name of a plugin"),
        ("../hats", "no name of a plugin"),
        ("h" * 41, "no name of a plugin"),
        ("recfw-hats", "Say: hats"),
        ("core", "there is a plugin 'core' already"),
        ("books", "there is a plugin 'books' already"),
    ],
)
def test_a_name_that_cannot_be_is_refused(here: Path, capsys, name: str, words: str) -> None:
    """Names that are none, that repeat the prefix or that are taken are refused before anything is written."""
    assert ExitCode.USAGE == invoke(["plugins", "new", name])
    assert words in capsys.readouterr().err
    assert [] == list(here.iterdir())


def test_nothing_is_overwritten(here: Path, capsys) -> None:
    """A folder that holds something, or a file in its place, is left alone."""
    (here / "recfw-hats").mkdir()
    (here / "recfw-hats" / "mine").write_text("mine")
    (here / "file").write_text("mine")
    for words in ([], ["--out", "file"], ["--out", "file/below"]):
        assert invoke(["plugins", "new", "hats", *words]) in {ExitCode.USAGE, ExitCode.DATA}
        assert "--out" in capsys.readouterr().err
    assert ["mine"] == [path.name for path in (here / "recfw-hats").iterdir()]


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a plugin of every kind, side by side."""
    folder = tmp_path_factory.mktemp("written")
    for kind in KINDS:
        for path, text in distribution_files(f"zz-{kind}", kind, "the authors", "MIT", 2026).items():
            place = folder / f"recfw-zz-{kind}" / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text, encoding="utf-8")
    return folder


@pytest.mark.parametrize("whose", ["its own", "this repository's"])
def test_ruff_finds_nothing(whose: str, written: Path) -> None:
    """What is generated passes the settings that come with it, and those under which it would be contributed here."""
    sources = json.dumps([str(ROOT / "core"), *(str(folder) for folder in written.iterdir())])
    ours = ["--config", str(ROOT / "pyproject.toml"), "--config", f"src = {sources}"]
    for words in (["check", "--output-format", "concise"], ["format", "--check"]):
        command = [sys.executable, "-m", "ruff", *words, "--no-cache", *(ours if whose != "its own" else ()), "."]
        done = subprocess.run(command, cwd=written, capture_output=True, text=True, check=False)
        assert 0 == done.returncode, done.stdout[-3000:] + done.stderr


def test_ruff_would_find_something(written: Path) -> None:
    """The settings that come with a plugin are not empty: unused arguments, imports out of order, no docstring."""
    (written / "recfw-zz-metric" / "odd.py").write_text("import sys\nimport os\n\n\ndef f(x):\n    return os, sys\n")
    command = [sys.executable, "-m", "ruff", "check", "--no-cache", "--output-format", "json", "recfw-zz-metric"]
    found = json.loads(subprocess.run(command, cwd=written, capture_output=True, text=True, check=False).stdout)
    (written / "recfw-zz-metric" / "odd.py").unlink()
    assert {"ARG001", "D100", "D103", "I001"} == {fault["code"] for fault in found}


@pytest.mark.parametrize("kind", KINDS)
def test_tox_tests_what_was_installed(kind: str) -> None:
    """The tests run from a copy away from the folder, whose package would stand in for the wheel's; and ruff is run."""
    config = RawConfigParser()
    config.read_string(made(kind)["tox.ini"])
    tests = config["testenv:tests"]
    assert "{env_tmp_dir}" == tests["change_dir"]
    assert "shutil.copytree" in tests["commands"]
    assert "lint, tests, types" == config["tox"]["env_list"]


@pytest.mark.parametrize("kind", KINDS)
def test_people_read_a_sentence(kind: str) -> None:
    """The docstring of the hooks' module, which is shown where a distribution is not installed, is about the plugin."""
    first = (ast.get_docstring(ast.parse(made(kind)["recfw_odd_hats/plugin.py"])) or "").splitlines()[0]
    assert first.startswith(f"The {KINDS[kind].word} odd-hats for recfw")
