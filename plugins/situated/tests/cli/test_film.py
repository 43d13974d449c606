"""``recfw situated film``: a stored episode shown again."""

import io
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from PIL import Image

from recfw.cli.common import find_trial, open_store
from recfw.cli.main import invoke
from recfw.errors import UsageError
from recfw.model.trace import PictureEvent
from recfw.testing.results import MemoryResults
from recfw_situated.cli.film import film
from recfw_situated.driver.pool import Stores
from recfw_situated.film.frames import shoot
from recfw_situated.film.scenario import Moment, Scenario, scenario
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
    """The store of a run of one short episode, with all its pictures."""
    place = str(tmp_path_factory.mktemp("film") / "store.db")
    words = ["run", "--plugin", "situated", "--agent", "index-guided", "--tasks", "s01.3", "--store", place]
    assert invoke([*words, "--set", "track.scene=supermarket", "--set", "track.pictures=all"]) == 0
    return place


def test_a_stored_episode_is_shown(played: str, tmp_path: Path) -> None:
    """A stored episode becomes a page, rendered anew."""
    out = tmp_path / "film.html"
    said = run("latest", "s01.3", "--store", played, "--role", "user", "--out", str(out))
    text = out.read_text(encoding="utf-8")
    assert (said.startswith(str(out)), text.startswith("<!doctype html>"), len(text) > 20_000) == (True, True, True)


def test_the_frames_are_what_both_roles_saw(played: str, supermarket: Scene) -> None:
    """Views rendered anew equal the pictures that were stored while the episode was played, marks included."""
    with open_store(played) as store:
        run = store.run("latest").id
        trace = store.trace(run, find_trial(store, run, "s01.3"))
        seen = {
            event.handle: Image.open(io.BytesIO(store.attachment(event.sha256).data)).convert("RGB")
            for event in trace.events
            if isinstance(event, PictureEvent)
        }
    shots = shoot(scenario(trace, supermarket), Stores(supermarket))
    views = {f"{role}-{s.moment.turn}": image for s in shots for role, image in s.views.items()}
    shares = {name: differing(views[name], image) for name, image in seen.items() if name in views}
    assert len(shares) == 2 * (len(shots) - 1)
    assert [name for name, share in shares.items() if share > 0.001] == []


def differing(one: Image.Image, other: Image.Image) -> float:
    """Return the share of pixels that differ: a pose is stored to four decimals, which can move an edge."""
    return float((np.asarray(one) != np.asarray(other)).any(axis=2).mean())


def test_the_frames_are_those_of_the_stored_state(supermarket: Scene) -> None:
    """An item in the hand is shown close up, one in the cart is gone from its shelf, marks are the trace's."""
    point = supermarket.waypoints[0]
    pose = Pose(point.x, point.y, point.yaw)
    item = next(one for one in supermarket.instances if one.place == point.of)
    labels = {role: {("product", item.product): "ZZ"} for role in ("user", "assistant")}
    moments = (
        Moment(1, pose, labels=labels),
        Moment(2, pose, held=item.id, labels=labels),
        Moment(3, pose, cart=(item.id,), labels=labels),
        Moment(4, pose, labels={"user": {}, "assistant": {}}),
        Moment(5, pose, labels=labels),
    )
    shots = shoot(Scenario(supermarket, moments, ""), Stores(supermarket), ("user",))
    pictures = [shot.views["user"].tobytes() for shot in shots]
    assert (len(set(pictures)), pictures[4] == pictures[0]) == (4, True)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("latest", "s01.3", "--out", "film.mp4"), "whose ending is none of"),
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
