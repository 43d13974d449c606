"""Plugins that were written against an earlier hook interface load, run, score, report and replay today."""

import hashlib
import sys
from collections.abc import Callable
from importlib.metadata import entry_points
from pathlib import Path

import pytest
from fakes.origin import search_path

from recfw.cli.main import invoke
from recfw.hookspecs import HOOK_API
from recfw.plugins import build_manager
from recfw.registry import KINDS, Registry
from recfw.testing.project import Typed

WITNESSES = Path(__file__).parent / "witnesses"
FROZEN = {"1.0": "witness_1_0"}
"""Hook interface -> the module that was written against it."""


@pytest.fixture(params=list(FROZEN))
def witness(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Install a frozen plugin alone; return its module's name."""
    module = FROZEN[request.param]
    others = sorted({entry.name for entry in entry_points(group="recfw")} - {"core"})
    monkeypatch.syspath_prepend(str(WITNESSES / f"api_{request.param.replace('.', '_')}"))
    monkeypatch.setenv("PYTHONPATH", search_path(WITNESSES / f"api_{request.param.replace('.', '_')}"))
    monkeypatch.setenv("RECFW_PLUGINS", module)
    monkeypatch.setenv("RECFW_DISABLE_PLUGINS", ",".join(others))
    yield module
    for name in [name for name in sys.modules if name.startswith(module)]:
        del sys.modules[name]


@pytest.fixture
def recfw(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Typed]:
    """What runs `recfw` with words in this process, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RECFW_STORE", str(tmp_path / "runs.db"))

    def run(*words: str) -> Typed:
        capsys.readouterr()
        return Typed(invoke(words), *capsys.readouterr())

    return run


@pytest.mark.parametrize("folder", [path for path in WITNESSES.iterdir() if path.is_dir()], ids=lambda path: path.name)
def test_a_witness_is_frozen(folder: Path) -> None:
    """No byte of it was changed since it was written."""
    told = dict(reversed(line.split("  ")) for line in (folder / "SHA256SUMS").read_text().splitlines())
    found = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.glob("*.py")}
    assert found == told


def test_there_is_one_for_this_interface() -> None:
    """Whoever raises HOOK_API writes a witness of the new one."""
    assert HOOK_API in FROZEN


def test_every_kind_is_offered_still(witness: str) -> None:
    """A component of every kind that the interface has is found by its name."""
    registry = Registry(build_manager())
    offered = {kind for kind in KINDS for name in registry.names(kind) if registry.provider(kind, name).name == witness}
    assert offered == set(KINDS)
    assert registry.manager.leaving == []


def test_it_runs_reports_judges_and_replays(witness: str, recfw: Callable[..., Typed]) -> None:
    """The whole way of a run, by the commands that people type."""
    assert recfw("run", "--track", "witness-coins", "--trials", "2").status == 0
    assert recfw("report", "--format", "witness-bare").out == "Coins\n8 of 8 right.\n"
    assert recfw("judge", "--judge", "witness-brief").status == 0
    assert recfw("replay").out.endswith("8 trials replayed, no difference.\n")
    assert sys.modules[witness].HEARD[0][::2] == ("started", 8)
    assert sys.modules[witness].HEARD[-1] == ("finished", "completed")


def test_its_command_is_there(witness: str, recfw: Callable[..., Typed]) -> None:
    """A plugin's command is listed and invoked; its errors are told as core's are."""
    assert "Say hello." in recfw("--help").out
    assert recfw("witness").out == "hello\n"
    assert recfw("witness", "--loud").err == "Error: no shouting. Leave --loud out.\n"
