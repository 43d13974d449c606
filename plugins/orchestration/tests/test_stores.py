"""Opening a store: a person is told that the embedded world is being built, and not under --quiet."""

import pytest
from click.testing import CliRunner

from recfw.cli.root import cli
from recfw_orchestration import stores, track
from recfw_orchestration.data.store import Data
from recfw_orchestration.world.embedded import embedded_store

STEPS = ("people and things", "local: items", "local: pages", "places: items")
LINE = "Building the embedded world, once for this version (less than a minute): "


@pytest.fixture
def cold(monkeypatch):
    """Let the world be built, as far as it is told."""
    path = embedded_store()

    def built(told):
        for step in STEPS:
            told(step)
        return path

    monkeypatch.setattr(stores, "embedded_store", built)


@pytest.mark.parametrize(("quiet", "parts"), [((), ["people and things", "local", "places"]), (("--quiet",), [])])
def test_a_person_is_told_of_each_part_once(cold, quiet, parts):
    """On standard error, so that what is printed can be piped on."""
    said = CliRunner().invoke(cli, [*quiet, "orchestration", "data", "--json"], standalone_mode=False)
    assert said.stderr.splitlines() == [LINE + part for part in parts]
    assert said.stdout.startswith("{")


def test_a_run_tells_it_too(cold, capsys, monkeypatch):
    """The track opens its store through the same door."""
    monkeypatch.setattr(track, "_opened", track._opened.__wrapped__)
    played = track.OrchestrationTrack()
    assert (played.content_digest() != "", capsys.readouterr().err.startswith(LINE)) == (True, True)


def test_a_store_that_is_named_is_opened_without_a_word(cold, capsys):
    """Nothing is built for it."""
    data = stores.open_told(embedded_store())
    assert (isinstance(data, Data), capsys.readouterr().err) == (True, "")
