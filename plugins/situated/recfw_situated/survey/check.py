"""Checks a scene: what a person may get wrong in its files, as sentences that name the thing."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from recfw_situated.planning.paths import Planner
from recfw_situated.scenes.geometry import HUNG
from recfw_situated.scenes.load import parts
from recfw_situated.scenes.obstacles import instance_box
from recfw_situated.scenes.records import Box, Scene, Waypoint
from recfw_situated.survey.counts import totals

Floats = NDArray[np.float64]

TOUCH = 0.31  # cm by which boxes may run into each other: a carpet under a chair
RESTS = 0.05  # cm between an item's base and what carries it


def problems(scene: Scene) -> list[str]:
    """
    Return everything that is wrong with a scene, as sentences; nothing for a sound one.

    It compares the counts with those that the file expects; demands unique ids, names and signs, and every product
    somewhere; that instances rest on something, overlap neither each other nor anything else, and stay inside their
    fixture; that a walker fits at the start and can walk to every waypoint from there; that every product is within
    reach of one.
    """
    return [
        *_counts(scene),
        *_names(scene),
        *_products(scene),
        *_places(scene),
        *_overlaps(scene),
        *_support(scene),
        *_ways(scene),
        *_reach(scene),
    ]


def _counts(scene: Scene) -> Iterator[str]:
    found = totals(scene)
    for key, expected in scene.expected.items():
        if found[key] != expected:
            yield f"{scene.name}: {found[key]} {key}, but 'expected' in scene.yaml says {expected}."


def _names(scene: Scene) -> Iterator[str]:
    for what, words in (
        ("id", [one.id for one in scene.places]),
        ("name", [one.name.casefold() for one in scene.places]),
        ("sign", [one.sign.casefold() for one in scene.places]),
        ("product id", [one.id for one in scene.products]),
        ("product name", [one.name.casefold() for one in scene.products]),
        ("instance", [one.id for one in scene.instances]),
        ("waypoint", [one.id for one in scene.waypoints]),
    ):
        for word, count in Counter(words).items():
            if count > 1:
                yield f"{scene.name}: {what} '{word}' is used {count} times; it must be unique."


def _products(scene: Scene) -> Iterator[str]:
    for product in scene.products:
        if not product.places:
            yield f"{scene.name}: product '{product.id}' stands nowhere; put it on a board or in an area."
        if product.price <= 0:
            yield f"{scene.name}: product '{product.id}' has the price {product.price:g}; it must be above 0."
        if min(product.size) <= 0:
            yield f"{scene.name}: product '{product.id}' has a size of 0 or less."
        if not product.tags:
            yield f"{scene.name}: product '{product.id}' has no tags, so that no task can ask for it."


def _places(scene: Scene) -> Iterator[str]:
    solid = [(fixture.id, fixture.box) for fixture in scene.fixtures] + [(prop.id, prop.box) for prop in scene.props]
    for (one, box), (other, beside) in combinations(solid, 2):
        if box.overlaps(beside):
            yield f"{scene.name}: '{one}' and '{other}' stand in the same place."
    rooms = [(store.id, store.box) for store in scene.stores]
    for (one, box), (other, beside) in combinations(rooms, 2):
        if box.overlaps(beside):
            yield f"{scene.name}: stores '{one}' and '{other}' overlap."
    for name, box in (*solid, *rooms):
        if not _within(box, scene.bounds, scene.bounds.high[2]):
            yield f"{scene.name}: '{name}' sticks out of the building."


def _overlaps(scene: Scene) -> Iterator[str]:
    boxes = {one.id: instance_box(scene, one) for one in scene.instances}
    by_place: dict[str, list[str]] = defaultdict(list)
    for one in scene.instances:
        by_place[one.place].append(one.id)
    for held in by_place.values():
        for first, second in combinations(held, 2):
            if boxes[first].overlaps(boxes[second]):
                yield f"{scene.name}: {first} and {second} overlap."
    solid = [part for part in parts(scene) if part.object not in boxes]
    low, high = _corners([part.box for part in solid])
    for name, box in boxes.items():
        hit = np.all((low + TOUCH < box.high) & (high - TOUCH > box.low), axis=1)
        for row in np.nonzero(hit)[0]:
            yield f"{scene.name}: {name} runs into {solid[row].object}."
    for fixture in scene.fixtures:
        for name in by_place[fixture.id]:
            if not _within(boxes[name], fixture.box, scene.bounds.high[2]):
                yield f"{scene.name}: {name} sticks out of {fixture.id}."


def _support(scene: Scene) -> Iterator[str]:
    goods = {one.id for one in scene.instances}
    low, high = _corners([part.box for part in parts(scene) if part.object not in goods])
    for one in scene.instances:
        x, y, z = one.position
        under = (low[:, 0] <= x) & (x <= high[:, 0]) & (low[:, 1] <= y) & (y <= high[:, 1])
        hung = one.place in scene.area_by_id and z > HUNG
        if not hung and not np.any(under & (np.abs(high[:, 2] - z) <= max(RESTS, TOUCH))):
            yield f"{scene.name}: {one.id} floats: nothing carries it at {z:g} cm."


def _ways(scene: Scene) -> Iterator[str]:
    planner = Planner(scene)
    if not planner.free((scene.start.x, scene.start.y)):
        yield f"{scene.name}: nobody fits at the start; move it away from what stands there."
        return
    for waypoint in scene.waypoints:
        if not planner.reachable((waypoint.x, waypoint.y)):
            yield (
                f"{scene.name}: waypoint '{waypoint.id}' cannot be walked to from the start; leave "
                f"{2 * scene.radius:g} cm free before it and on the way."
            )


def _reach(scene: Scene) -> Iterator[str]:
    viewpoints: dict[str, list[Waypoint]] = defaultdict(list)
    for waypoint in scene.waypoints:
        viewpoints[waypoint.of].append(waypoint)
    nearest: dict[str, float] = {}
    for one in scene.instances:
        for point in viewpoints[one.place]:
            away = math.dist((point.x, point.y), one.position[:2])
            nearest[one.product] = min(away, nearest.get(one.product, math.inf))
    for product, away in nearest.items():
        if away > scene.reach:
            yield (
                f"{scene.name}: '{product}' is {away:.0f} cm from the nearest viewpoint of its place, out of the "
                f"shopper's reach of {scene.reach:g}; raise 'reach' in scene.yaml."
            )


def _within(box: Box, fixture: Box, ceiling: float) -> bool:
    inside = all(
        fixture.low[axis] - 0.01 <= box.low[axis] and box.high[axis] <= fixture.high[axis] + 0.01 for axis in (0, 1)
    )
    return inside and box.high[2] <= ceiling


def _corners(boxes: list[Box]) -> tuple[Floats, Floats]:
    return np.array([box.low for box in boxes]), np.array([box.high for box in boxes])
