"""Every pixel against a renderer that is nothing but rays, one part after another, and the marks of a good picture."""

import math
import threading
from typing import Any

import numpy as np
import pytest
import real_client
import small_store
from numpy.typing import NDArray

from recfw_situated.scenes.records import Part
from recfw_situated.simulator.atlas import Atlas, fitted
from recfw_situated.simulator.camera import View
from recfw_situated.simulator.render import NOTHING, Shot
from recfw_situated.simulator.solids import solids

Floats = NDArray[np.float64]


def lines_of_sight(view: View) -> Floats:
    """World directions of planar depth one through all pixel centres, (H, W, 3), from the definition of the angles."""
    yaw, pitch = math.radians(view.yaw), math.radians(view.pitch)
    ahead = np.array((math.cos(pitch) * math.cos(yaw), math.cos(pitch) * math.sin(yaw), math.sin(pitch)))
    right = np.array((-math.sin(yaw), math.cos(yaw), 0.0))
    up = np.cross(ahead, right)  # of left-handed axes
    half = math.tan(math.radians(view.fov / 2))
    x = ((np.arange(view.width) + 0.5) / view.width * 2 - 1) * half
    y = ((np.arange(view.height) + 0.5) / view.height * 2 - 1) * half * view.height / view.width
    return ahead + x[None, :, None] * right - y[:, None, None] * up


def meet(part: Part, origin: Floats, way: Floats) -> Floats:
    """Depth of a part along rays, infinite where it is missed, by closed-form roots checked against the solid."""
    yaw = math.radians(part.yaw)
    turn = np.array(((math.cos(yaw), math.sin(yaw), 0), (-math.sin(yaw), math.cos(yaw), 0), (0, 0, 1)))
    half = np.array(part.size) / 2
    o, d = (turn @ (origin - part.center)) / half, np.einsum("ij,...j->...i", turn, way) / half
    with np.errstate(all="ignore"):
        if part.shape == "box":
            one, two = (-1 - o) / d, (1 - o) / d
            enter, leave = np.minimum(one, two).max(axis=-1), np.maximum(one, two).min(axis=-1)
            return np.where((enter < leave) & (enter > 0), enter, np.inf)
        round_axes = (0, 1, 2) if part.shape == "sphere" else (0, 1)
        a = sum(d[..., k] ** 2 for k in round_axes)
        b = sum(o[k] * d[..., k] for k in round_axes)
        c = sum(o[k] ** 2 for k in round_axes) - 1
        if part.shape == "cone":
            a, b, c = a - d[..., 2] ** 2 / 4, b + (1 - o[2]) * d[..., 2] / 4, c + 1 - (1 - o[2]) ** 2 / 4
        roots = [(-b + sign * np.sqrt(b * b - a * c)) / a for sign in (-1, 1)]
        caps = {"cylinder": (-1, 1), "cone": (-1,), "sphere": ()}[part.shape]
        found = np.full(way.shape[:2], np.inf)
        for root in roots:
            z = o[2] + root * d[..., 2]
            found = np.where((root > 0) & (np.abs(z) <= 1 + 1e-12) & (root < found), root, found)
        for level in caps:
            root = (level - o[2]) / d[..., 2]
            inside = (o[0] + root * d[..., 0]) ** 2 + (o[1] + root * d[..., 1]) ** 2 <= 1
            found = np.where((root > 0) & inside & (root < found), root, found)
    return found


def some_parts(seed: int) -> list[Part]:
    """Forty parts of all shapes about the origin, and a floor."""
    draw = np.random.default_rng(seed)
    found = [Part("box", (0, 0, -110), (3000, 3000, 20), (90, 90, 90), "Floor")]
    for index in range(40):
        shape: Any = ("box", "cylinder", "sphere", "cone")[index % 4]
        angle, far = draw.uniform(0, 2 * math.pi), draw.uniform(160, 900)
        wide, deep, tall = draw.uniform(20, 120, 3)
        size = (wide, deep, tall) if shape == "box" else (wide, wide, tall)
        center = (far * math.cos(angle), far * math.sin(angle), draw.uniform(-90, 90))
        found.append(Part(shape, center, size, (200, 10 * (index % 20), 60), f"Thing_{index}", draw.uniform(-180, 180)))
    return found


@pytest.mark.parametrize(("seed", "yaw", "pitch"), [(1, 0, 0), (2, 133, -25), (3, -77, 40), (4, 45, -75)])
def test_depth_and_objects_agree_with_plain_ray_casting(seed: int, yaw: float, pitch: float) -> None:
    """All but pixels whose centre lies on an edge name the same object, at the same depth to 0.01 %."""
    parts = some_parts(seed)
    view = View(0, 0, 0, pitch, yaw, 160, 120, 90)
    origin, way = np.zeros(3), lines_of_sight(view)
    depths = np.stack([meet(part, origin, way) for part in parts])
    nearest, which = depths.min(axis=0), depths.argmin(axis=0)
    which = np.where(np.isinf(nearest), -1, which)
    rows = {part.object: index for index, part in enumerate(parts)}
    atlas = Atlas()
    shot = Shot(solids(parts, rows, atlas, frozenset(list(rows)[20:])), view, atlas)
    same = shot.things() == which
    assert same.mean() > 0.999
    hit = same & (which >= 0)
    assert hit.mean() > 0.2
    assert np.allclose(shot.depth()[hit], nearest[hit], rtol=1e-4)
    assert (shot.depth()[same & (which < 0)] == NOTHING).all()


def test_things_that_reach_behind_the_eye_are_cut_not_lost() -> None:
    """A corridor's floor, walls and ceiling fill the picture from within."""
    sides = [
        Part("box", (0, 0, -60), (4000, 200, 20), (1, 1, 1), "floor"),
        Part("box", (0, 0, 160), (4000, 200, 20), (1, 1, 1), "ceiling"),
        Part("box", (0, -110, 50), (4000, 20, 240), (1, 1, 1), "left"),
        Part("box", (0, 110, 50), (4000, 20, 240), (1, 1, 1), "right"),
        Part("box", (2010, 0, 50), (20, 240, 240), (1, 1, 1), "end"),
    ]
    rows = {part.object: index for index, part in enumerate(sides)}
    atlas = Atlas()
    for pitch in (-60, 0, 60):
        shot = Shot(solids(sides, rows, atlas, frozenset()), View(0, 0, 0, pitch, 0, 96, 64, 100), atlas)
        assert (shot.things() >= 0).all()


def test_pictures_are_byte_equal_whatever_runs_beside() -> None:
    """Four threads that render at once give what one alone gives."""
    world = real_client.small_world()
    solid, view = world.things.drawn(), world.view(0)
    alone = Shot(solid, view, world._atlas)
    expected = (alone.rgba().tobytes(), alone.depth().tobytes(), alone.things().tobytes())
    found: list[tuple[bytes, bytes, bytes]] = []

    def work() -> None:
        for _ in range(3):
            shot = Shot(solid, view, world._atlas)
            found.append((shot.rgba().tobytes(), shot.depth().tobytes(), shot.things().tobytes()))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [expected] * 12 == found


def test_masks_are_exact_and_never_blended() -> None:
    """A mask holds the records' colours and black, nothing between."""
    world = real_client.small_world()
    mask = world.shot(0).mask(world.things.packed_colors()).reshape(-1, 4)
    scene = small_store.scene()
    allowed = {(*one.color, 255) for one in (*scene.products, *scene.fixtures)} | {(0, 0, 0, 255)}
    assert allowed == {tuple(int(value) for value in row) for row in np.unique(mask, axis=0)}


def test_a_picture_of_other_size_shows_the_same_things() -> None:
    """A picture of a quarter of the pixels shows every object at a quarter of its pixels."""
    world = real_client.small_world()
    large = np.bincount(world.shot(0).things().ravel(), minlength=20)
    world.cameras[0].width, world.cameras[0].height = 320, 240
    small = np.bincount(world.shot(0).things().ravel(), minlength=20)
    assert np.allclose(small * 4, large, atol=0.03 * large + 400)
    assert (small[large > 1000] > 0).all()


@pytest.mark.parametrize("shape", ["box", "cylinder", "sphere", "cone"])
def test_the_front_bears_the_text_upright_and_unmirrored(shape: Any) -> None:
    """Seen from the front, an L has its stem at the left and its foot at the bottom."""
    part = Part(shape, (200, 0, 0), (100, 100, 100), (250, 0, 0), "Sign", 180, "L", "front", (0, 0, 0), (255, 255, 255))
    atlas = Atlas()
    shot = Shot(solids([part], {"Sign": 0}, atlas, frozenset()), View(0, 0, 0, 0, 0, 240, 240, 40), atlas)
    color = shot.rgba().astype(int)
    grey = (shot.things() == 0) & (abs(color[:, :, 0] - color[:, :, 1]) < 12) & (color[:, :, 0] < 90)
    paper = (color[:, :, 1] > 150).nonzero()
    dark = np.zeros_like(grey)
    inside = np.s_[paper[0].min() : paper[0].max() + 1, paper[1].min() : paper[1].max() + 1]
    dark[inside] = grey[inside]
    rows, columns = np.nonzero(dark)
    assert len(rows) > 60
    lower, upper = dark[rows.max() - 2 : rows.max() + 1], dark[rows.min() : rows.min() + 3]
    assert lower.any(axis=0).sum() > 1.5 * upper.any(axis=0).sum()
    assert np.nonzero(upper.any(axis=0))[0].mean() < (columns.min() + columns.max()) / 2


def test_only_the_faces_that_are_named_bear_the_text() -> None:
    """A front's text is not on the sides; a sign's is on both faces; a lid's on top."""
    for faces, bearing in (("front", {0}), ("both", {0, 180}), ("around", {0, 90, 180, 270}), ("top", set())):
        part = Part("box", (0, 0, 0), (100, 100, 100), (250, 0, 0), "Sign", 0, "OOO", faces, (0, 0, 0), (255, 255, 255))
        atlas = Atlas()
        made = solids([part], {"Sign": 0}, atlas, frozenset())
        seen = set()
        for angle in (0, 90, 180, 270):
            x, y = 200 * math.cos(math.radians(angle)), 200 * math.sin(math.radians(angle))
            picture = Shot(made, View(x, y, 0, 0, angle + 180, 120, 120, 30), atlas).rgba()
            if (picture[:, :, 1] > 150).any():
                seen.add(angle)
        assert bearing == seen, faces


def test_a_text_is_broken_into_lines_that_fit() -> None:
    """No word is lost, the size is as large as the box allows."""
    lines, size = fitted("Karma Seafood Cod Fillets", 100.0, 60.0)
    assert ["Karma", "Seafood", "Cod", "Fillets"] == " ".join(lines).split()
    assert len(lines) in (2, 3)
    assert size >= 14
