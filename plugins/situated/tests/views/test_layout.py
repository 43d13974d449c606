"""The layout map that the assistant is given."""

import io

from PIL import Image

from recfw_situated.scenes.load import load_scene
from recfw_situated.scenes.records import Pose
from recfw_situated.views.layout import WIDTH, layout_data, layout_picture
from recfw_situated.views.observe import Labeller


def test_the_map_as_data_holds_every_place_in_the_roles_labels_and_the_pose(scene):
    """Places by the assistant's labels, in metres, whatever is in view."""
    labeller = Labeller(scene)
    told = layout_data(scene, labeller.places("assistant"), labeller.display_names, Pose(100.0, -50.0, 90.4))
    assert told["shopper"] == {"x": 1.0, "y": -0.5, "yaw": 90, "pitch": 0}
    assert told["places"] == [
        {"handle": "1", "kind": "fixture", "display_name": "Snacks", "x": 2.3, "y": 0.0},
        {"handle": "2", "kind": "fixture", "display_name": "Fruit", "x": -2.0, "y": 0.0},
    ]


def test_the_picture_shows_the_pose():
    """Another pose gives another picture of the same size."""
    scene = load_scene("supermarket")
    labels = Labeller(scene).places("assistant")
    one, two = (layout_picture(scene, labels, pose) for pose in (Pose(0.0, 0.0, 0.0), Pose(500.0, 500.0, 90.0)))
    assert one != two
    assert Image.open(io.BytesIO(one)).width == WIDTH
