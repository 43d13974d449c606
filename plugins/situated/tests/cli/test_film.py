"""``recfw situated film``: a stored episode shown again."""

import io
from pathlib import Path

import pytest
from click.testing import CliRunner
from PIL import Image

from recfw.cli.main import invoke
from recfw.errors import UsageError
from recfw.testing.results import MemoryResults
from recfw_situated.cli.film import film
from recfw_situated.driver.pool import Stores
from recfw_situated.film.frames import shoot
from recfw_situated.film.scenario import Moment, Scenario
from recfw_situated.film.stills import stills
from recfw_situated.scenes.records import Pose, Scene


def run(*arguments: str) -> str:
    """Run the command; its error is raised."""
    result = CliRunner().invoke(film, arguments)
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.output


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The store of a run of one short episode."""
    place = str(tmp_path_factory.mktemp("film") / "store.db")
    words = ["run", "--plugin", "situated", "--agent", "talk-only", "--tasks", "s01.1", "--store", place]
    assert invoke([*words, "--set", "track.scene=supermarket"]) == 0
    return place


@pytest.mark.parametrize("ending", ["html", "png"])
def test_a_stored_episode_is_shown(played: str, tmp_path: Path, ending: str) -> None:
    """A run without pictures becomes a page or an animated picture, rendered anew."""
    out = tmp_path / f"film.{ending}"
    said = run("latest", "s01.1", "--store", played, "--role", "user", "--out", str(out))
    data = out.read_bytes()
    assert (said.startswith(str(out)), len(data) > 20_000) == (True, True)
    if ending == "png":
        image = Image.open(io.BytesIO(data))
        assert (getattr(image, "n_frames", 1) > 2, image.size[0]) == (True, 640)
    else:
        assert data.startswith(b"<!doctype html>")


def test_the_frames_are_those_of_the_stored_state(supermarket: Scene) -> None:
    """An item in the hand covers its close-up; in the cart it is gone from its shelf; marks are the trace's."""
    point = supermarket.waypoints[0]
    pose = Pose(point.x, point.y, point.yaw)
    item = next(one for one in supermarket.instances if one.place == point.of)
    labels = {role: {("product", item.product): "ZZ"} for role in ("user", "assistant")}
    moments = (
        Moment(1, pose, labels=labels),
        Moment(2, pose, held=item.id, labels=labels),
        Moment(3, pose, cart=(item.id,), labels=labels),
        Moment(4, pose, labels={"user": {}, "assistant": {}}),
    )
    shots = shoot(Scenario(supermarket, moments, ""), Stores(supermarket), ("user",))
    pictures = [shot.views["user"].tobytes() for shot in shots]
    assert len(set(pictures)) == 4
    again = shoot(Scenario(supermarket, moments[:1], ""), Stores(supermarket), ("user",))
    assert again[0].views["user"].tobytes() == pictures[0]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("latest", "s01.1", "--out", "film.mp4"), "whose ending is none of"),
        (("latest", "s99.9", "--out", "film.html"), "has no trial 's99.9'"),
    ],
)
def test_wrong_words_are_refused(played: str, arguments: tuple[str, ...], words: str) -> None:
    """An ending that is not known, and a trial that is not there."""
    with pytest.raises(UsageError, match=words):
        run(*arguments, "--store", played)


def test_stills_of_a_trial_that_is_not_there_are_refused() -> None:
    """The report names the trial that it misses."""
    with pytest.raises(UsageError, match="no run of the report has the trial 'x/y/0'"):
        stills(MemoryResults((), {}, {}), "x/y/0")
