"""Pictures over the embedded simulator: made only for those who look, equal whatever runs beside them."""

import asyncio

import pytest

from recfw.engine.request import RunRequest, build_spec
from recfw.engine.stage import Stage
from recfw.errors import UsageError
from recfw.model.run import TrialKey
from recfw.model.trace import PictureEvent
from recfw.plugins import build_manager
from recfw.registry import Registry
from recfw.serialize import unpack_trace
from recfw.testing.fakes import MemoryRecorder
from recfw_situated.track import SituatedOptions, SituatedTrack

TASKS = ("s01.1", "s02.2")


def play(folder, pictures, *, together):
    """Return task -> (picture events, trace without them) of two tasks, one after the other or side by side."""
    registry = Registry(build_manager())
    options = {"scene": ("supermarket",), "pictures": (pictures,)}
    roles = {"agent": ("talk-only",), "user": ("situated-oracle",)}
    spec = build_spec(registry, RunRequest(track="situated", tasks=TASKS, roles=roles, options=options))

    async def run():
        async with Stage(registry, spec, folder) as stage:
            keys = [TrialKey(spec.cells[0].name, task, 0) for task in TASKS]
            if together:
                return await asyncio.gather(*(stage.run(key, 1, MemoryRecorder()) for key in keys))
            return [await stage.run(key, 1, MemoryRecorder()) for key in keys]

    found = {}
    for trial in asyncio.run(run()):
        events = unpack_trace(trial.trace).events
        looked = [event for event in events if isinstance(event, PictureEvent)]
        world = [event.data for event in events if event.kind == "world"]
        found[trial.key.task] = (looked, world)
    return found


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """Both tasks, one after the other, with all pictures on."""
    return play(tmp_path_factory.mktemp("alone"), "all", together=False)


def test_pictures_do_not_depend_on_what_runs_beside_them(alone, tmp_path):
    """With all pictures on, two tasks show the same bytes alone and side by side."""
    assert alone == play(tmp_path, "all", together=True)
    for looked, world in alone.values():
        turns = max(data["turn"] for data in world if "utterance" in data)
        assert 3 * turns == len(looked)


def test_figures_do_not_depend_on_who_looks(alone, tmp_path):
    """Without pictures none is made, and the world's events are the same."""
    none = play(tmp_path, "none", together=False)
    assert [[], []] == [looked for looked, _ in none.values()]
    assert [world for _, world in none.values()] == [world for _, world in alone.values()]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"scene": "moon"}, "no scene 'moon'"),
        ({"ablation": "no-ears"}, "no ablation 'no-ears'"),
        ({"pictures": "some"}, "no pictures 'some'"),
        ({"port": "http"}, "no port number"),
        ({"port": "9000"}, "one scene"),
        ({"simulators": 0}, "at least 1"),
    ],
)
def test_options_are_refused_in_words(options, words):
    """A wrong option is refused before anything starts."""
    with pytest.raises(UsageError, match=words):
        SituatedTrack(SituatedOptions(**options))
