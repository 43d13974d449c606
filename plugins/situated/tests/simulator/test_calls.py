"""What the user's body, hand and cart do when called."""

import io
import re
from importlib.resources import files
from typing import Any

import numpy as np

from recfw_situated.simulator.calls import CALLS
from recfw_situated.simulator.table import table


def test_a_walk_stops_at_what_is_in_the_way(call: Any) -> None:
    """The answer says how far it came and what it met."""
    found = call("MoveBy 300 0")
    assert ("true", "Shelf_1") == (found["Blocked"], found["Hit"])
    assert 269.9 < float(found["X"]) <= 270.0
    assert 169.9 < float(found["Moved"]) <= 170.0


def test_yaw_turns_right_and_steps_follow_it(call: Any) -> None:
    """Left-handed axes: facing +X, right is +Y; after a turn of 90, forward is +Y."""
    assert call("MoveBy 0 40")["Y"] == "240.0000"
    assert call("TurnBy 90")["Yaw"] == "90.0000"
    assert call("MoveBy 50 0")["Y"] == "290.0000"
    assert call("TurnTo 270")["Yaw"] == "-90.0000"


def test_the_head_tilts_within_what_a_neck_allows(call: Any) -> None:
    """Pitch is held within 80 degrees and is level after being placed."""
    assert call("LookTo -95")["Pitch"] == "-80.0000"
    assert call("LookBy 30")["Pitch"] == "-50.0000"
    assert call("PlaceAt 120 200 45")["Pitch"] == "0.0000"


def test_a_path_ends_at_the_leg_that_does_not_arrive(call: Any) -> None:
    """Points reached are counted; the body faces the way that it last went."""
    found = call("FollowPath 200,200;200,350;560,350")
    assert ("3", "false", "0.0000") == (found["Reached"], found["Blocked"], found["Yaw"])
    found = call("FollowPath 560,200;320,200;10,10")
    assert ("1", "true", "Shelf_1") == (found["Reached"], found["Blocked"], found["Hit"])


def test_a_held_item_leaves_its_place_and_returns(call: Any) -> None:
    """One at a time; what is gone cannot be taken again."""
    assert call("PickUp beta_2") == {"Success": "true", "Reason": "", "Held": "beta_2"}
    assert call("PickUp alpha_0")["Reason"] == "The hand holds beta_2 already; drop it first."
    assert call("ShowItem alpha_0")["Success"] == "false"
    assert call("DropOff") == {"Success": "true", "Reason": "", "Held": ""}
    assert call("DropOff")["Reason"] == "The hand is empty."
    assert call("PickUp Shelf_1")["Reason"] == "There is no item Shelf_1."


def test_the_cart_keeps_what_was_held(call: Any) -> None:
    """Its place stays empty until it is taken out again."""
    call("PickUp beta_2")
    assert call("PutInCart") == {"Success": "true", "Reason": "", "Held": "", "Cart": "beta_2"}
    assert call("PickUp beta_2")["Reason"] == "beta_2 is not in its place."
    assert call("RemoveFromCart beta_2")["Cart"] == ""
    assert call("PickUp beta_2")["Success"] == "true"


def test_an_item_on_display_is_noted_in_the_cart_and_stays(call: Any, ask: Any) -> None:
    """Furniture is not carried away: the picture stays the same."""
    before = ask("vget /camera/0/lit npy")
    assert call("PutInCart gamma_3")["Cart"] == "gamma_3"
    assert call("PutInCart gamma_3")["Success"] == "false"
    assert before == ask("vget /camera/0/lit npy")


def test_the_close_up_is_the_only_thing_within_30_cm(call: Any, ask: Any) -> None:
    """It bears the product's mask colour at depths of 15 to 28 cm, whichever way the shopper looks."""
    call("PlaceAt 265 200 0")
    for pitch, deed in ((0, "PickUp beta_2"), (-35, "ShowItem gamma_3")):
        call(f"LookTo {pitch}")
        assert not (np.load(io.BytesIO(ask("vget /camera/0/depth npy"))) < 30).any()
        assert call(deed)["Success"] == "true"
        depth = np.load(io.BytesIO(ask("vget /camera/0/depth npy")))
        mask = np.load(io.BytesIO(ask("vget /camera/0/object_mask npy")))[:, :, :3]
        close = depth < 30
        color = (0, 255, 0) if "beta" in deed else (0, 127, 255)
        assert (mask[close] == color).all()
        assert depth[close].min() > 15
        assert depth[close].max() < 28
        assert 0.03 < close.mean() < 0.4
        call("DropOff")
        call("HideItem")


def test_a_camera_elsewhere_does_not_see_the_close_up(call: Any, ask: Any) -> None:
    """It is before the user's eyes only; a spawned camera at the eyes sees the very same picture."""
    ask("vset /cameras/spawn")
    call("PickUp beta_2")
    assert ask("vget /camera/1/lit npy") == ask("vget /camera/0/lit npy")
    ask("vset /camera/1/rotation 0 30 0")
    assert not (np.load(io.BytesIO(ask("vget /camera/1/depth npy"))) < 30).any()


def test_reset_brings_back_the_scene_as_loaded(call: Any, ask: Any) -> None:
    """Pose, hand, cart, colours and pictures are those of the beginning."""
    before = ask("vget /camera/0/lit npy"), ask("vget /camera/0/object_mask npy")
    for words in ("PickUp alpha_1", "PutInCart", "ShowItem beta_2", "MoveBy 30 30", "TurnBy 30", "LookTo 5"):
        call(words)
    ask("vset /object/beta_2/color 1 2 3")
    ask("vset /objects/spawn Cube Crate")
    call("Reset")
    state = call("GetState")
    assert ("", "", "") == (state["Held"], state["Shown"], state["Cart"])
    assert before == (ask("vget /camera/0/lit npy"), ask("vget /camera/0/object_mask npy"))


def test_simworlds_steps_and_turns_take_effect_at_once(call: Any) -> None:
    """Speed times duration in one of four directions; a left turn comes as a negative angle."""
    call("SetMaxSpeed 50")
    assert call("StepForward 2 0")["X"] == "200.0000"
    assert call("StepForward 1 2")["Y"] == "150.0000"
    assert call("TurnAround 1 -45 -1")["Yaw"] == "-45.0000"
    call("MoveTo 590 150")
    assert call("GetCollisionNum")["ObjectCollision"] == "1"


def test_the_dialect_page_names_every_call_and_every_kind_of_command() -> None:
    """What drivers are written against has no gap; the page is part of the package."""
    page = (files("recfw_situated.simulator") / "dialect.md").read_text(encoding="utf-8")
    words = set(re.findall(r"[A-Za-z_]+", page))
    assert set(CALLS) <= words
    for template in table().templates:
        last = re.findall(r"[a-z_]+", re.sub(r"\[\w+\]", "", template))[-1]
        assert last in words, template
