"""Distances, and what lies near."""

import math

import numpy as np
import pytest

from recfw.model.draws import Draws
from recfw_orchestration.data import geo


def by_cosines(lat, lon, other_lat, other_lon):
    """Return the distance by the spherical law of cosines."""
    a, b, c = math.radians(lat), math.radians(other_lat), math.radians(other_lon - lon)
    return geo.EARTH_KM * math.acos(math.sin(a) * math.sin(b) + math.cos(a) * math.cos(b) * math.cos(c))


def test_distance_is_that_of_great_circles():
    """New York to Tokyo is what another formula says."""
    assert by_cosines(40.75, -73.98, 35.68, 139.75) == pytest.approx(geo.distance_km(40.75, -73.98, 35.68, 139.75))


def test_near_holds_what_every_distance_says():
    """What lies within a radius is what asking each point finds, nearest first, equal ones by position."""
    draws = Draws(1, "points")
    points = [(40 + draws.random() / 5, -74 + draws.random() / 5) for _ in range(200)]
    points.append(points[0])
    lats, lons = (np.array(column) for column in zip(*points, strict=True))
    each = [(geo.distance_km(40.1, -73.9, *point), n) for n, point in enumerate(points)]
    expected = [(n, km) for km, n in sorted(each) if km <= 4]
    assert expected == geo.within(40.1, -73.9, 4, lats, lons)
