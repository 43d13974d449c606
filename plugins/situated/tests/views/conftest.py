"""What the views' tests share: the tiny scene, and frames of it rendered by the foreign server's own ray caster."""

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "driver"))  # --import-mode=importlib leaves sys.path alone

from tiny_scene import tiny_scene
from tiny_views import Caster

from recfw_situated.scenes.records import Pose
from recfw_situated.views.frame import Frame

START = Pose(0.0, 0.0, 0.0)


@pytest.fixture(scope="session")
def scene():
    """Return the tiny scene."""
    return tiny_scene()


@pytest.fixture(scope="session")
def shoot(scene):
    """Return a function that takes a picture of the tiny scene."""

    def shoot(pose=START, size=(320, 240), hidden=(), close_up=None):
        caster = Caster(scene, pose, hidden)
        ids, depth, _ = caster.render(*size)
        names = ["", *caster.solids]
        colors = np.array([(0, 0, 0), *(scene.object_colors[name] for name in names[1:])], dtype=np.uint8)
        mask, rgb = colors[ids], np.full((size[1], size[0], 3), 180, dtype=np.uint8)
        if close_up is not None:  # a product before the eyes, at the lower right
            window = (slice(size[1] // 2, None), slice(size[0] // 2, None))
            mask[window], depth[window], rgb[window] = scene.product_by_id[close_up].color, 20.0, (1, 2, 3)
        return Frame(mask, depth.astype(np.float32), pose, (pose.x, pose.y, 160.0), 90.0, rgb)

    return shoot
