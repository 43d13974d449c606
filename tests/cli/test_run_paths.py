"""Options that name files, and what a run is asked of, do not depend on where one stands."""

from pathlib import Path

from fakes.bench import Bench

from recfw.engine.request import OptionValue, RunRequest, build_spec
from recfw.engine.stage import settings_of
from recfw.executors.conductor import content_digest
from recfw.registry import Registry


def test_a_path_option_is_made_absolute(fakes_registry: Registry, tmp_path: Path, monkeypatch) -> None:
    """A script named relative to this folder is found again from another one."""
    (tmp_path / "lines.json").write_text('{"*": [{"text": "hi"}]}')
    monkeypatch.chdir(tmp_path)
    request = RunRequest(
        track="fake-dialogue", roles={"agent": ("scripted",)}, settings=(OptionValue("agent", "script", "lines.json"),)
    )
    spec = build_spec(fakes_registry, request)
    assert str(tmp_path / "lines.json") == spec.cells[0].roles["agent"].options["script"]


def test_the_content_digest_is_of_content_alone(fakes_registry: Registry, tmp_path: Path) -> None:
    """Cells of equal content have one digest between them, whatever their names and agents are."""
    bench = Bench(fakes_registry, tmp_path)
    one = bench.spec("fake-dialogue", "fake-asker")
    two = build_spec(fakes_registry, RunRequest(track="fake-dialogue", roles={"agent": ("fake-asker", "fake-model")}))
    assert content_digest(settings_of(fakes_registry, one)) == content_digest(settings_of(fakes_registry, two))
    other = bench.spec("fake-dialogue", "fake-asker", options={"size": (3,)})
    assert content_digest(settings_of(fakes_registry, one)) != content_digest(settings_of(fakes_registry, other))
