"""Shortest ways through a scene: A* over the corners of what stands in it, for a walker of the scene's radius."""

import heapq
import math
from functools import cached_property
from itertools import pairwise

import numpy as np

from recfw_situated.planning.clearance import Clearance, Flags, Floats
from recfw_situated.scenes.obstacles import obstacles
from recfw_situated.scenes.records import Box, Point2, Scene

CORNER = 1.0  # cm beyond the radius at which ways turn round a corner
BESIDE = 6.0  # cm beyond the radius at which a walker stops before something
SAMPLE = 12.0  # cm between the points around an outline that are tried


class Planner:
    """
    Plans ways on the floor of one scene.

    It knows the scene's records only; whatever executes a way (a simulator, an engine) has its own collision, with the
    same radius and the same boxes.
    """

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self._floor = Clearance([box for _, box in obstacles(scene)], scene.radius, scene.bounds)

    def path(self, start: Point2, goal: Point2) -> tuple[Point2, ...] | None:
        """
        Return the turning points of a shortest way, the goal last and the start left out; None if there is none.

        A way keeps the walker's radius from everything solid. The same arguments give the same way.
        """
        here, there = np.array(start, dtype=float), np.array(goal, dtype=float)
        if not bool(self._floor.free(there[None])[0]):
            return None
        if bool(self._floor.clear(here, there[None])[0]):
            return (_point(there),)
        found = self._search(
            self._floor.clear(here, self._corners), here, self._floor.clear(there, self._corners), there
        )
        return None if found is None else (*(_point(self._corners[node]) for node in found), _point(there))

    def length(self, start: Point2, path: tuple[Point2, ...]) -> float:
        """Return the length of a way in cm."""
        return sum(math.dist(one, other) for one, other in pairwise((start, *path)))

    def free(self, point: Point2) -> bool:
        """Tell whether the walker fits at a point."""
        return bool(self._floor.free(np.array([point], dtype=float))[0])

    def reachable(self, point: Point2) -> bool:
        """Tell whether the walker can get to a point from the scene's start."""
        return self.path((self.scene.start.x, self.scene.start.y), point) is not None

    def closest_reachable(self, place: str, start: Point2) -> Point2 | None:
        """
        Return the point beside a fixture, store or area (by id) that is nearest to a walker and can be walked to.

        Points lie around the outline, a few cm beyond the radius; nearest in a straight line, first in order on a tie.
        """
        around = outline(box_of(self.scene, place), self.scene.radius + BESIDE)
        around = around[self._floor.free(around)]
        far = np.hypot(around[:, 0] - start[0], around[:, 1] - start[1])
        for row in np.argsort(far.round(6), kind="stable"):
            point = _point(around[row])
            if self.path(start, point) is not None:
                return point
        return None

    @cached_property
    def _corners(self) -> Floats:
        """The points at which ways can turn, (M, 2): a little outside the corners of boxes, where the walker fits."""
        grown = self.scene.radius + CORNER
        low, high = self._floor.low - grown, self._floor.high + grown
        every = [low, high, np.stack((low[:, 0], high[:, 1]), axis=1), np.stack((high[:, 0], low[:, 1]), axis=1)]
        corners = np.unique(np.concatenate(every).round(4), axis=0)
        found: Floats = corners[self._floor.free(corners)]
        return found

    @cached_property
    def _edges(self) -> list[list[tuple[float, int]]]:
        """For every corner the corners it sees, with distances."""
        corners = self._corners
        seen = [self._floor.clear(corner, corners) for corner in corners]
        return [
            [(math.dist(corners[one], corners[other]), other) for other in np.nonzero(row)[0].tolist() if other != one]
            for one, row in enumerate(seen)
        ]

    def _search(self, first: Flags, here: Floats, last: Flags, there: Floats) -> list[int] | None:
        """Return the corners of a shortest way between two points that do not see each other."""
        corners, edges = self._corners, self._edges
        ahead = np.hypot(corners[:, 0] - there[0], corners[:, 1] - there[1])
        heap: list[tuple[float, float, int, int]] = []
        for row in np.nonzero(first)[0].tolist():
            far = math.dist(here, corners[row])
            heapq.heappush(heap, (far + float(ahead[row]), far, row, -1))
        before: dict[int, int] = {}
        while heap:
            total, far, node, previous = heapq.heappop(heap)
            if node in before:
                continue
            before[node] = previous
            if node == len(corners):
                return _chain(before, previous)
            if last[node]:
                heapq.heappush(heap, (total, total, len(corners), node))
            for step, other in edges[node]:
                if other not in before:
                    heapq.heappush(heap, (far + step + float(ahead[other]), far + step, other, node))
        return None


def _chain(before: dict[int, int], node: int) -> list[int]:
    chain = []
    while node != -1:
        chain.append(node)
        node = before[node]
    return chain[::-1]


def _point(place: Floats) -> Point2:
    return (float(place[0]), float(place[1]))


def box_of(scene: Scene, place: str) -> Box:
    """Return the footprint of a fixture, store or area by its id."""
    held = scene.fixture_by_id.get(place) or scene.store_by_id.get(place) or scene.area_by_id[place]
    return held.box


def outline(box: Box, beyond: float) -> Floats:
    """Return points around a box at some distance, (N, 2), from its lowest corner on."""
    (x0, y0), (x1, y1) = box.low[:2], box.high[:2]
    xs = np.linspace(x0, x1, max(2, round((x1 - x0) / SAMPLE) + 1))
    ys = np.linspace(y0, y1, max(2, round((y1 - y0) / SAMPLE) + 1))
    sides = [(xs, np.full_like(xs, y0 - beyond)), (np.full_like(ys, x1 + beyond), ys)]
    sides += [(xs, np.full_like(xs, y1 + beyond)), (np.full_like(ys, x0 - beyond), ys)]
    found: Floats = np.concatenate([np.stack(side, axis=1) for side in sides])
    return found
