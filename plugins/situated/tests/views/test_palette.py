"""Mask colours decoded to the nearest entry."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recfw_situated.scenes.load import load_scene
from recfw_situated.views.palette import Palette, curves, fit_curve

SCENES = ("supermarket", "furnishings")


@pytest.mark.parametrize("name", SCENES)
@pytest.mark.parametrize("curve", sorted(curves()))
@pytest.mark.parametrize("shift", [-1, 0, 1])
def test_every_colour_of_a_scene_survives_what_builds_do_to_it(name, curve, shift):
    """Under each known curve, and one level off, every entry decodes to itself, and background stays background."""
    palette = Palette.of(load_scene(name), curves()[curve])
    mask = np.clip(palette.seen + shift, 0, 255).astype(np.uint8)[None]
    assert palette.decode(mask)[0].tolist() == list(range(len(palette.seen)))


def test_a_palette_of_many_levels_is_decoded_too():
    """Colours that a build brings along lie on no grid; they are found as well."""
    rng = np.random.default_rng(1)
    colors = {tuple(map(int, color)): ("product", str(n)) for n, color in enumerate(rng.integers(0, 256, (150, 3)))}
    palette = Palette(colors)
    found = palette.decode(palette.painted[None])[0]
    assert (found == np.arange(len(palette.painted))).mean() > 0.97


@given(st.tuples(*[st.integers(-6, 6)] * 3), st.integers(0, 232))
def test_small_disturbances_do_not_change_what_a_colour_stands_for(shift, index):
    """A colour a few levels off is still the same product's."""
    palette = Palette.of(load_scene("supermarket"))
    color = np.clip(palette.painted[index + 1].astype(int) + shift, 0, 255).astype(np.uint8)
    assert palette.decode(color.reshape(1, 1, 3))[0, 0] == index + 1


@pytest.mark.parametrize("name", sorted(curves()))
def test_the_curve_of_a_build_is_found(name):
    """The self-test names what a build does to colours from the masks alone."""
    scene = load_scene("supermarket")
    painted = np.array(list(scene.palette)[:40], dtype=np.uint8)
    mask = np.repeat(curves()[name][painted], 30, axis=0).reshape(40, 30, 3)
    assert fit_curve(scene.palette, [mask]).curve == name


def test_colours_of_nothing_are_not_clear():
    """Masks in colours that lie between the entries, as anti-aliasing makes them, do not pass."""
    scene = load_scene("supermarket")
    colors = np.array(list(scene.palette)[:40], dtype=int)
    between = ((colors[:-1] + colors[1:]) // 2).astype(np.uint8)
    fit = fit_curve(scene.palette, [np.repeat(between, 30, axis=0).reshape(39, 30, 3)])
    assert not fit.clear


def test_masks_without_colours_say_so():
    """An all-black mask is no evidence."""
    assert fit_curve(load_scene("supermarket").palette, [np.zeros((9, 9, 3), dtype=np.uint8)]).seen == 0
