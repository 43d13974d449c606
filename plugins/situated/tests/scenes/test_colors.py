"""Mask colours are unique, far apart, and survive what engines do to them."""

import numpy as np
import pytest

from recfw.errors import DataError
from recfw_situated.scenes.colors import mask_colors
from recfw_situated.scenes.records import BACKGROUND


def distances(colors):
    """Return the largest difference in any channel between every two colours."""
    grid = np.array(colors, dtype=float)
    apart = np.abs(grid[:, None, :] - grid[None, :, :]).max(axis=2)
    return apart[np.triu_indices(len(grid), 1)]


def test_every_product_and_place_has_its_own_colour(scene):
    """No two of them share a colour, and none is the background's."""
    entities = len(scene.products) + len(scene.places)
    assert entities == len(scene.palette)
    assert BACKGROUND not in scene.palette


def test_colours_are_widely_spaced(scene):
    """Any two differ by at least 42 in some channel, the background included, so an error of 20 does no harm."""
    assert distances([BACKGROUND, *scene.palette]).min() >= 42


@pytest.mark.parametrize("gamma", [1.0, 0.95, 1.05])
def test_nearest_colour_survives_an_error_of_one_and_a_slight_gamma(scene, gamma):
    """Shifted by a slight curve and by one in every channel, each colour is still nearest to itself."""
    palette = np.array([BACKGROUND, *scene.palette], dtype=float)
    bent = 255 * (palette / 255) ** gamma
    for off in (-1, 0, 1):
        seen = np.clip(np.round(bent) + off, 0, 255)
        nearest = ((seen[:, None, :] - palette[None, :, :]) ** 2).sum(axis=2).argmin(axis=1)
        assert list(range(len(palette))) == list(nearest)


@pytest.mark.parametrize("gamma", [2.2, 1 / 2.2])
def test_a_strong_curve_keeps_colours_apart(scene, gamma):
    """Under a display's curve any two colours still differ by more than what rounding and an error of one make."""
    palette = np.array([BACKGROUND, *scene.palette], dtype=float)
    assert distances(np.round(255 * (palette / 255) ** gamma)).min() > 2


def test_neighbours_in_a_file_differ_widely():
    """Consecutive colours differ by more than 100 in some channel: what stands side by side is told apart by eye."""
    colors = np.array(mask_colors(262), dtype=float)
    assert np.abs(np.diff(colors, axis=0)).max(axis=1).min() > 100


def test_adding_things_keeps_the_colours_of_those_before():
    """A longer list begins with the shorter one."""
    assert mask_colors(40) == mask_colors(55)[:40]


def test_more_things_than_colours_are_refused():
    """The error says how many there are and how many can be told apart."""
    with pytest.raises(DataError, match="5000 things need mask colours, but only 4095"):
        mask_colors(5000)


def test_many_things_get_finer_colours():
    """Beyond 342 things the steps become smaller, and colours stay unique."""
    assert 900 == len(set(mask_colors(900)))
