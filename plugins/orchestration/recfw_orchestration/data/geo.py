"""Distances on the sphere, and what lies within a radius."""

import math

import numpy as np
from numpy.typing import NDArray

EARTH_KM = 6371.0088
"""Mean radius (IUGG)."""
_DEGREE_KM = math.pi * EARTH_KM / 180

Degrees = NDArray[np.float64]


def distance_km(lat: float, lon: float, other_lat: float, other_lon: float) -> float:
    """Return the great-circle distance of two points given in degrees (haversine), to the millimetre."""
    a, b = math.radians(lat), math.radians(other_lat)
    half_lat, half_lon = (b - a) / 2, math.radians(other_lon - lon) / 2
    chord = math.sin(half_lat) ** 2 + math.cos(a) * math.cos(b) * math.sin(half_lon) ** 2
    return round(2 * EARTH_KM * math.asin(math.sqrt(min(chord, 1.0))), 6)


def within(lat: float, lon: float, radius_km: float, lats: Degrees, lons: Degrees) -> list[tuple[int, float]]:
    """Return positions in ``lats`` and ``lons`` within a radius, with their km: nearest first, then by position."""
    near = np.flatnonzero(np.abs(lats - lat) <= radius_km / _DEGREE_KM + 1e-9)
    a, b = math.radians(lat), np.radians(lats[near])
    half_lon = np.radians((lons[near] - lon) / 2)
    chord = np.sin((b - a) / 2) ** 2 + math.cos(a) * np.cos(b) * np.sin(half_lon) ** 2
    km = np.round(2 * EARTH_KM * np.arcsin(np.sqrt(np.minimum(chord, 1.0))), 6)
    inside = km <= radius_km
    near, km = near[inside], km[inside]
    order = np.argsort(km, kind="stable")
    return list(zip(near[order].tolist(), km[order].tolist(), strict=True))
