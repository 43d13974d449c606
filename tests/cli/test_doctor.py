"""`recfw doctor`: every fault that it knows is injected, found, and told with a next step; then status 1."""

import hashlib
import sqlite3
import sysconfig
from base64 import urlsafe_b64encode
from contextlib import closing
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import orjson
import pytest

from recfw.cli import checks, checks_environment, checks_store
from recfw.cli.findings import State
from recfw.plugins import Plugin
from recfw.store.repository import Store

TRACK = ("run", "--track", "fake-dialogue", "--tasks", "d0")


@pytest.fixture(autouse=True)
def apart(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Keep the person's own configuration and terminal out of it."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(checks, "_startup_code", lambda: iter(()))


def wrong(recfw, *words: str) -> list[str]:
    """Return what is wrong, each with its next step; the exit status says whether anything is."""
    done = recfw("doctor", "--json", *words)
    told = orjson.loads(done.out)
    found = [item for item in told["findings"] if item["state"] == "wrong"]
    assert (done.status, told["ok"]) == (int(bool(found)), not found)
    assert all(item["hint"] for item in found)
    return [f"{item['topic']}: {item['words']} | {item['hint']}" for item in found]


def test_nothing_is_wrong_with_a_sound_place(recfw) -> None:
    """Before the first run, and after it, all is well."""
    assert wrong(recfw) == []
    recfw(*TRACK)
    assert wrong(recfw) == []
    out = recfw("doctor").out
    assert "quick_check" in out
    assert out.endswith(" checks, nothing wrong.\n")
    assert recfw("--quiet", "doctor").out == ""


def test_every_broken_plugin_is_named_and_none_stops_the_rest(recfw, write_plugin, monkeypatch) -> None:
    """One that cannot be loaded and one that fails when asked are both told, and the rest is looked at."""
    broken = write_plugin("one", "raise ValueError('no')")
    failing = write_plugin(
        "two", "from recfw.hookspecs import hookimpl\n@hookimpl\ndef recfw_register_agents(): raise ValueError('later')"
    )
    monkeypatch.setenv("RECFW_PLUGINS", f"fakes.plugin,{broken},{failing}")
    found = wrong(recfw)
    assert f"Plugin '{broken}' cannot be loaded: ValueError: no" in found[0]
    assert f"Plugin '{failing}' fails in recfw_register_agents: ValueError: later" in found[1]
    assert all("--disable-plugin" in line for line in found)
    assert len(found) == 2
    assert recfw("runs", "list").status == 3


@pytest.mark.parametrize(("wanted", "state"), [(">=9", State.NOTE), (">=0.1,<9", State.OK)])
def test_a_plugin_for_another_core_is_noted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wanted: str, state: State
) -> None:
    """What was installed without its dependencies, against the range that it declares, may work and is told."""
    info = tmp_path / "recfw_odd-0.1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: recfw-odd\nVersion: 0.1.0\nRequires-Dist: recfw{wanted}\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    found = checks._plugin(Plugin("odd", "recfw-odd", "0.1.0", ModuleType("odd")))
    assert (found.state, f"requires recfw{wanted}" in found.words) == (state, state is State.NOTE)


def test_two_plugins_of_one_component_are_told(recfw, write_plugin, monkeypatch) -> None:
    """What is sound alone, and clashes together, is found."""
    twice = write_plugin("twice", "from fakes.plugin import recfw_register_tracks")
    monkeypatch.setenv("RECFW_PLUGINS", f"fakes.plugin,{twice}")
    assert "both offer the track" in wrong(recfw)[0]


def test_a_run_that_nobody_carries_is_found_with_the_command_that_goes_on(recfw) -> None:
    """A run marked running whose process is gone, and what it left in the journal."""
    recfw(*TRACK)
    with Store.open("runs.db") as store:
        run = store.run("latest").id
        store.set_run_status(run, "running")
        with store.journal(run).lock():
            assert wrong(recfw) == []
    assert wrong(recfw) == [
        f"run: {run} is marked running, and no process here carries it | Go on with it: recfw run --resume {run}"
    ]


def test_a_damaged_file_is_found(recfw, tmp_path: Path) -> None:
    """Garbage in the middle of the database, and a file that is none."""
    recfw("run", "--track", "fake-dialogue", "--trials", "5")
    with closing(sqlite3.connect("runs.db")) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        page = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'ix_trial_status'").fetchone()[0]
        size = connection.execute("PRAGMA page_size").fetchone()[0]
    with Path("runs.db").open("r+b") as file:
        file.seek((page - 1) * size + 8)
        file.write(b"\xff" * 200)
    assert any("store: " in line for line in wrong(recfw))
    Path("none.db").write_bytes(b"no database" * 1000)
    assert "is not a result store" in wrong(recfw, "--store", "none.db")[0]


def test_a_full_disk_and_a_store_from_the_future_are_found(recfw, monkeypatch: pytest.MonkeyPatch) -> None:
    """Little free space, and a run that was started tomorrow: the clock was or is wrong."""
    recfw(*TRACK)
    monkeypatch.setattr(checks_store.shutil, "disk_usage", lambda _: SimpleNamespace(free=1_000_000))
    monkeypatch.setattr(checks_store, "time", SimpleNamespace(time=lambda: 1e9))
    found = wrong(recfw)
    assert any(line.startswith("disk: 1 MB free") for line in found)
    assert any("the newest run was started" in line for line in found)


def test_a_clock_before_this_code_is_wrong(recfw, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine that believes in 1970 is told so."""
    clock = SimpleNamespace(time=lambda: 0.0, strftime=checks.time.strftime, gmtime=checks.time.gmtime)
    monkeypatch.setattr(checks, "time", clock)
    assert wrong(recfw)[0].startswith("clock: says 1970-01-01 00:00:00 UTC, which is long past")


def test_a_misspelt_variable_is_found(recfw, monkeypatch: pytest.MonkeyPatch) -> None:
    """A variable that nothing reads, close to one that is read; one of a plugin is merely noted."""
    monkeypatch.setenv("RECFW_RUN_CONCURENCY", "3")
    monkeypatch.setenv("RECFW_SHOES_KEY", "3")
    assert wrong(recfw) == [
        "variable: RECFW_RUN_CONCURENCY is set, and nothing reads it | Did you mean 'RECFW_RUN_CONCURRENCY'?"
    ]


def test_passwords_are_not_shown(recfw, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a proxy's nor the store's password is printed, which people paste into issues."""
    monkeypatch.setenv("HTTPS_PROXY", "http://me:hunter2@proxy:80")
    monkeypatch.setenv("RECFW_STORE", "postgresql://me:hunter2@127.0.0.1:1/x")
    out = recfw("doctor").out
    assert "hunter2" not in out
    assert "http://me:***@proxy:80" in out


def test_an_encoding_that_cannot_show_reports_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal that knows only ASCII gets the variable that helps."""
    monkeypatch.setattr(checks_environment.sys, "stdout", SimpleNamespace(isatty=lambda: False, encoding="ascii"))
    assert [finding.state for finding in checks_environment._terminal()] == [State.OK, State.WRONG]


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A site-packages folder with one distribution that owns one .pth file."""
    folder = tmp_path / "site-packages"
    info = folder / "owner-1.dist-info"
    info.mkdir(parents=True)
    (folder / "owner.pth").write_text("import owner\n")
    digest = urlsafe_b64encode(hashlib.sha256(b"import owner\n").digest()).rstrip(b"=").decode()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: owner\nVersion: 1\n")
    (info / "RECORD").write_text(f"owner.pth,sha256={digest},13\n")
    monkeypatch.setattr(sysconfig, "get_path", lambda _: str(folder))
    return folder


def startup() -> list[tuple[Any, str]]:
    """Return what is found of code that runs at Python's start."""
    return [(finding.state, finding.words) for finding in ORIGINAL()]


ORIGINAL = checks._startup_code


def test_code_at_pythons_start_that_nobody_owns_is_found(site: Path) -> None:
    """A stray .pth that imports is wrong, one that only adds a folder is noted, an owned or known one is nothing."""
    assert [state for state, _ in startup()] == [State.OK]
    (site / "_virtualenv.pth").write_text("import _virtualenv\n")
    assert [state for state, _ in startup()] == [State.OK]
    (site / "folder.pth").write_text("/opt/more\n")
    (site / "stealer.pth").write_text("import os; os.system('x')\n")
    (site / "_virtualenv.pth").write_text("import _virtualenv, evil\n")
    found = {Path(words.split()[0]).name: state for state, words in startup()}
    assert found == {"folder.pth": State.NOTE, "stealer.pth": State.WRONG, "_virtualenv.pth": State.WRONG}


def test_an_owned_file_that_was_changed_is_found(site: Path) -> None:
    """A .pth file whose bytes are not those that its distribution lists is wrong."""
    (site / "owner.pth").write_text("import owner, evil\n")
    (found,) = startup()
    assert found == (State.WRONG, f"{site / 'owner.pth'} is not as owner installed it")


def test_a_sitecustomize_that_nobody_owns_is_found(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The other place in which stolen packages hide code."""
    (site / "sitecustomize.py").write_text("import evil\n")
    monkeypatch.setattr(checks, "find_spec", lambda name: SimpleNamespace(origin=str(site / f"{name}.py")) if
                        (site / f"{name}.py").exists() else None)  # fmt: skip
    (found,) = startup()
    assert found[0] is State.WRONG


def test_this_environment_holds_no_unknown_startup_code() -> None:
    """Where the tests run, every file that Python runs at its start belongs to a distribution."""
    assert [] == [finding.words for finding in ORIGINAL() if finding.state is State.WRONG]


def test_a_folder_that_cannot_be_written_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the store's folder nor the cache may be closed to writing."""
    monkeypatch.setattr(checks_store.os, "access", lambda *_: False)
    (tmp_path / "cache").mkdir()
    assert [finding.topic for finding in checks_store._room(tmp_path / "runs.db") if finding.state is State.WRONG] == [
        "disk"
    ]
    assert [finding.state for finding in checks_store._cache(tmp_path / "cache")] == [State.WRONG]


def test_a_closed_output_is_no_fault(recfw, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nobody hears it (`>&-`), it still finds out, and its status says so."""
    recfw(*TRACK)
    monkeypatch.setattr(checks_environment.sys, "stdout", None)
    assert [finding.words for finding in checks_environment._terminal()] == ["standard output is closed"]
