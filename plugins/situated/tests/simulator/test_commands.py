"""The commands of UnrealCV on cameras and objects."""

import io
from typing import Any

import numpy as np
import pytest
from PIL import Image

from recfw_situated.simulator.world import World


@pytest.mark.parametrize(
    ("command", "answer"),
    [
        ("vget /camera/0/location", "100.0000 200.0000 160.0000"),
        ("vget /camera/0/rotation", "0.0000 0.0000 0.0000"),
        ("vget /camera/0/pose", "100.0000 200.0000 160.0000 0.0000 0.0000 0.0000"),
        ("vget /camera/0/size", "640 480"),
        ("vget /cameras", "Camera_0"),
        ("vget /camera/7/lit png", "error Invalid sensor id"),
        ("vget /camera//lit png", "error Argument Invalid"),
        ("vget /camera/0/lit gif", "error Argument Invalid"),
        ("vset /camera/0/size 4 4", "error Argument Invalid"),
        ("vset /camera/0/fov 200", "error Argument Invalid"),
        ("vset /camera/0/location 310 200 0", "error Location is blocked"),
        ("vset /camera/0/location -500 200 0", "error Location is blocked"),
        ("vset /camera/0/rotation 1e-05 0 0", "error No handler found for URI 'vset /camera/0/rotation 1e-05 0 0'"),
        ("vset /camera/0/rotation nan 0 0", "error No handler found for URI 'vset /camera/0/rotation nan 0 0'"),
        ("vget /object/Moon/location", "error Cannot find object"),
        ("vget /object/alpha_0/color", "(R=255,G=0,B=0,A=255)"),
        ("vget /object/Floor/color", "(R=0,G=0,B=0,A=255)"),
        ("vget /object/alpha_0/location", "305.0000 120.0000 100.0000"),
        ("vget /object/alpha_0/rotation", "0.0000 180.0000 0.0000"),
        ("vget /object/alpha_0/bounds", "300.0000 110.0000 100.0000 310.0000 130.0000 124.0000"),
        ("vget /object/alpha_0/scale", "1.0000 1.0000 1.0000"),
        ("vset /object/alpha_0/color 256 0 0", "error Argument Invalid"),
        ("vget /object/User/location", "100.0000 200.0000 0.0000"),
        ("vset /objects/spawn Cube alpha_0", "error There is an object alpha_0 already"),
        ("vrun setres 640x480w", "ok"),
        ("vexec User Anything 1 2", "ok"),
        ("vset /action/game/pause", "ok"),
        ("vbp Moon GetPose", "error Cannot find object"),
        ("vbp User Fly", "error Cannot find function 'Fly' of object 'User'"),
        ("vbp User MoveBy 1", "error Argument Invalid"),
        ("vbp User MoveBy inf 0", "error Argument Invalid"),
        ("", "error No handler found for URI ''"),
    ],
)
def test_a_command_has_its_answer(ask: Any, command: str, answer: str) -> None:
    """Each command, good or bad, has the one answer that the dialect promises."""
    assert answer == ask(command)


def test_all_objects_are_listed(ask: Any) -> None:
    """Names are joined by spaces and hold none."""
    names = ask("vget /objects").split(" ")
    assert {"User", "Shelf_1", "Till_1", "alpha_0", "gamma_3", "Floor"} <= set(names)
    assert len(names) == len(set(names))


def test_a_spawned_camera_begins_as_camera_0_and_flies_freely(ask: Any) -> None:
    """It may stand inside things; the body stays where it is."""
    assert ask("vset /cameras/spawn") == "Camera_1"
    assert ask("vget /camera/1/pose") == ask("vget /camera/0/pose")
    assert ask("vset /camera/1/pose 310 200 50 -10 90 0") == "ok"
    assert ask("vget /camera/1/pose") == "310.0000 200.0000 50.0000 -10.0000 90.0000 0.0000"
    assert ask("vget /camera/0/location") == "100.0000 200.0000 160.0000"


def test_colours_of_masks_can_be_changed(ask: Any) -> None:
    """A new colour shows in the next mask, exactly."""
    before = np.asarray(Image.open(io.BytesIO(ask("vget /camera/0/object_mask png"))))
    ask("vset /object/beta_2/color 12 34 56")
    after = np.asarray(Image.open(io.BytesIO(ask("vget /camera/0/object_mask png"))))
    green = (before == (0, 255, 0, 255)).all(axis=2)
    assert green.sum() > 100
    assert np.array_equal(green, (after == (12, 34, 56, 255)).all(axis=2))
    assert np.array_equal(before[~green], after[~green])


def test_hidden_objects_are_in_no_picture_until_shown(ask: Any) -> None:
    """Hide, show and destroy change pictures; destroy forgets a spawned object."""
    shown = ask("vget /camera/0/object_mask npy")
    ask("vset /object/beta_2/hide")
    hidden = np.load(io.BytesIO(ask("vget /camera/0/object_mask npy")))
    assert not (hidden[:, :, :3] == (0, 255, 0)).all(axis=2).any()
    ask("vset /object/beta_2/show")
    assert shown == ask("vget /camera/0/object_mask npy")
    assert ask("vset /objects/spawn Cube Crate") == "Crate"
    ask("vset /object/Crate/destroy")
    assert ask("vget /object/Crate/location") == "error Cannot find object"
    assert ask("vset /objects/spawn Cube Crate") == "Crate"


def test_a_moved_and_turned_object_takes_its_parts_along(ask: Any) -> None:
    """Bounds follow location, rotation and scale; reset brings it home."""
    ask("vset /object/alpha_0/location 100 100 0")
    ask("vset /object/alpha_0/rotation 0 90 0")
    assert ask("vget /object/alpha_0/bounds") == "90.0000 95.0000 0.0000 110.0000 105.0000 24.0000"
    ask("vset /object/alpha_0/scale 2 2 2")
    assert ask("vget /object/alpha_0/bounds") == "80.0000 90.0000 0.0000 120.0000 110.0000 48.0000"
    ask("vbp User Reset")
    assert ask("vget /object/alpha_0/bounds") == "300.0000 110.0000 100.0000 310.0000 130.0000 124.0000"


def test_one_moment_is_rendered_once(ask: Any, world: World) -> None:
    """Colours, depth and mask of one moment come from one render; any change makes a new one."""
    first = world.shot(0)
    ask("vget /camera/0/lit png")
    ask("vset /cameras/spawn")
    assert world.shot(0) is first
    assert world.shot(1) is first
    ask("vbp User TurnBy 1")
    assert world.shot(0) is not first


def test_formats_hold_the_same_picture(ask: Any) -> None:
    """PNG, BMP and NPY differ in nothing but alpha."""
    whole = np.load(io.BytesIO(ask("vget /camera/0/lit npy")))
    png = np.asarray(Image.open(io.BytesIO(ask("vget /camera/0/lit png"))))
    bmp = np.asarray(Image.open(io.BytesIO(ask("vget /camera/0/lit bmp"))))
    assert np.array_equal(whole, png)
    assert np.array_equal(whole[:, :, :3], bmp)
    assert (whole[:, :, 3] == 255).all()


def test_spawned_objects_are_limited_until_the_next_reset(ask: Any) -> None:
    """A client that spawns for ever is refused; reset makes room again."""
    answers = [ask(f"vset /objects/spawn Cube Crate_{index}") for index in range(501)]
    assert ("Crate_499", "error There are 500 spawned objects already") == (answers[499], answers[500])
    ask("vbp User Reset")
    assert ask("vset /objects/spawn Cube Crate_500") == "Crate_500"
    assert ask("vget /object/Crate_0/location") == "error Cannot find object"
