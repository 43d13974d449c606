"""`recfw plugins search` and `recfw plugins install`: what is found, what is refused, and the command that is run."""

import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import orjson
import pytest

from recfw.cli import install
from recfw.errors import ExitCode, PluginError, RecfwError
from recfw.known import KnownPlugin, read_registry

ROOT = Path(__file__).parents[2]
ENTRY = """
schema: 1
plugins:
  {name}:
    distribution: recfw-{name}
    source: "{source}"
    core: ">=0.1"
    status: {status}
    summary: a track about shoes
    provides:
      tracks: [walk]
"""


@pytest.fixture
def known(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Give what replaces the known plugins by one."""

    def one(source: str, name: str = "shoes", status: str = "beta") -> None:
        plugins = read_registry(ENTRY.format(name=name, source=source, status=status))
        monkeypatch.setattr(install, "known_in", lambda _: plugins)

    return one


@pytest.fixture
def ran(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Let no command run; return those that would have."""
    commands: list[list[str]] = []

    def run(command: list[str], **_: Any) -> subprocess.CompletedProcess[bytes]:
        commands.append(command)
        listed = orjson.dumps({"plugins": [{"name": "shoes"}]})
        return subprocess.CompletedProcess(command, 0, listed if "--json" in command else b"", b"")

    monkeypatch.setattr(install.subprocess, "run", run)
    return commands


def plugin(source: str) -> KnownPlugin:
    """Return a known plugin with this source."""
    return KnownPlugin("recfw-x", source, ">=0.1", "beta", "x")


@pytest.mark.parametrize(
    ("words", "found"), [((), True), (("SHOES",), True), (("walk", "tracks"), True), (("walk", "hats"), False)]
)
def test_every_word_must_be_found_somewhere(recfw, known, words: Any, found: bool) -> None:
    """Words are looked for in names, summaries and what is provided; all of them must be there."""
    known("https://example.org/x.whl")
    done = recfw("plugins", "search", *words)
    assert (done.status, bool(done.out)) == (0, found)
    assert bool(done.err) is not found
    assert bool(orjson.loads(recfw("plugins", "search", "--json", *words).out)) is found


def test_the_command_is_printed_and_not_run(recfw, known, ran, monkeypatch: pytest.MonkeyPatch) -> None:
    """--dry-run prints what would run: this Python's pip where it has one, and the source as one word."""
    monkeypatch.setattr(install, "find_spec", lambda _: object())
    known("recfw-shoes @ https://example.org/x.whl")
    done = recfw("plugins", "install", "shoes", "--dry-run")
    wanted = [sys.executable, "-m", "pip", "install", "recfw-shoes @ https://example.org/x.whl"]
    assert (done.status, shlex.split(done.out), ran) == (0, wanted, [])


@pytest.mark.parametrize(("core", "status"), [(">=99", ExitCode.PLUGIN), ("soon", ExitCode.DATA)])
def test_a_plugin_for_another_recfw_is_not_installed(core: str, status: ExitCode) -> None:
    """The range of recfw that an entry names is held against this one; one that is none is the registry's fault."""
    made = KnownPlugin("recfw-x", "https://example.org/x.whl", core, "beta", "x")
    with pytest.raises(RecfwError, match=r"core range|works with recfw >=99") as refused:
        install.find_known("x", {"x": made})
    assert refused.value.code is status


def test_it_is_asked_for(recfw, known, ran, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a terminal to ask on, nothing runs; nor where the answer is no."""
    known("https://example.org/x.whl")
    monkeypatch.setattr(sys.stdin, "isatty", lambda: False, raising=False)
    done = recfw("plugins", "install", "shoes")
    assert (done.status, ran) == (ExitCode.USAGE, [])
    assert "Say --yes." in done.err
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    monkeypatch.setattr(install.click, "confirm", lambda _: False)
    assert recfw("plugins", "install", "shoes").err == "Error: nothing was installed.\n"
    assert ran == []


def test_it_is_seen_that_the_plugin_is_there(recfw, known, ran) -> None:
    """After pip, a fresh process lists the plugins; only then is it called installed."""
    known("https://example.org/x.whl")
    done = recfw("plugins", "install", "shoes", "--yes")
    assert done.out.endswith("Installed 'shoes'. See what it offers with: recfw plugins info shoes\n")
    assert [command[-3:] for command in ran[1:]] == [["plugins", "list", "--json"]]
    known("https://example.org/x.whl", name="hats")
    done = recfw("plugins", "install", "hats", "--yes")
    assert (done.status, "no distribution offers a plugin 'hats' now" in done.err) == (ExitCode.PLUGIN, True)


def test_the_end_of_what_pip_said_is_shown(recfw, known, monkeypatch: pytest.MonkeyPatch) -> None:
    """A failed installation shows the last lines, nothing in them steering the terminal."""
    known("https://example.org/x.whl")
    said = b"".join(b"line %d\n" % n for n in range(50)) + b"ERROR: no \x1b[31mspace\n"
    failed = subprocess.CompletedProcess([], 7, said, b"")
    monkeypatch.setattr(install.subprocess, "run", lambda *_, **__: failed)
    done = recfw("plugins", "install", "shoes", "--yes")
    assert done.status == ExitCode.PLUGIN
    assert "ended with status 7:\n  line 39\n" in done.err
    assert "ERROR: no \\x1b[31mspace" in done.err


def test_planned_unknown_and_installed_plugins_are_told_apart(recfw, known) -> None:
    """Each has its own words and status."""
    known("./plugins/shoes", status="planned")
    planned, unknown = recfw("plugins", "install", "shoes"), recfw("plugins", "install", "shoe")
    assert (planned.status, "is planned: there is nothing to install yet." in planned.err) == (3, True)
    assert (unknown.status, "Did you mean 'shoes'?" in unknown.err) == (2, True)
    there = recfw("plugins", "install", "core")
    assert (there.status, there.err) == (0, "The plugin 'core' is installed already. Nothing to do.\n")


def test_a_folder_of_the_repository_is_found_in_a_checkout_alone(tmp_path: Path, monkeypatch) -> None:
    """A relative source means a folder of recfw's checkout; elsewhere it is said that there is none."""
    monkeypatch.setattr(install, "__file__", str(ROOT / "core" / "recfw" / "cli" / "install.py"))
    assert install.install_command(plugin("./plugins/books"), tmp_path)[-1] == str(ROOT / "plugins" / "books")
    with pytest.raises(PluginError, match=r"the source \./plugins/none is a folder of recfw's own repository"):
        install.install_command(plugin("./plugins/none"), tmp_path)
    monkeypatch.setattr(install, "__file__", str(tmp_path / "site" / "recfw" / "cli" / "install.py"))
    with pytest.raises(PluginError, match="found only in a checkout of it"):
        install.install_command(plugin("./plugins/books"), tmp_path)
    assert install.install_command(plugin("./plugins/books"), ROOT / "docs")[-1] == str(ROOT / "plugins" / "books")


def test_a_link_does_not_lead_out_of_the_checkout(tmp_path: Path, monkeypatch) -> None:
    """A folder of the checkout that is a link to another place is not installed from."""
    (tmp_path / "core" / "recfw").mkdir(parents=True)
    for name in ("registry.yaml", "core/recfw/registry.yaml"):
        (tmp_path / name).touch()
    (tmp_path / "plugins").symlink_to(ROOT / "plugins")
    monkeypatch.setattr(install, "__file__", str(tmp_path / "core" / "recfw" / "cli" / "install.py"))
    with pytest.raises(PluginError, match="found only in a checkout"):
        install.install_command(plugin("./plugins/books"), tmp_path)


def test_uv_installs_where_there_is_no_pip(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """An environment without pip uses uv, for this Python; without both, the next step is named."""
    monkeypatch.setattr(install, "find_spec", lambda _: None)
    monkeypatch.setattr(install.shutil, "which", lambda _: "/bin/uv")
    url = "https://example.org/x.whl"
    wanted = ["/bin/uv", "pip", "install", "--python", sys.executable, url]
    assert install.install_command(plugin(url), tmp_path) == wanted
    monkeypatch.setattr(install.shutil, "which", lambda _: None)
    with pytest.raises(PluginError, match="ensurepip"):
        install.install_command(plugin(url), tmp_path)
