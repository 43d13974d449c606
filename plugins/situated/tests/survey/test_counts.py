"""The scenes hold exactly what the paper counts (table 2, appendix A.3)."""

from collections import Counter

import pytest

from recfw_situated.survey.counts import PAPER, details, totals


def test_the_totals_are_the_papers(scene):
    """Products, instances, navigation targets and waypoints match table 2 to the number."""
    paper = {key: PAPER[scene.name][key] for key in ("products", "instances", "targets", "waypoints")}
    assert paper == totals(scene)


def test_the_fixtures_are_the_papers(supermarket):
    """Twelve shelves, three chest and eight upright freezers, four open coolers, two produce stands."""
    expected = {"shelves": 12, "chest freezers": 3, "upright freezers": 8, "open coolers": 4, "produce stands": 2}
    found = details(supermarket)
    assert expected == {kind: found[kind] for kind in expected}
    assert (29, 13) == (found["front waypoints"], found["back waypoints"])


def test_the_stores_are_the_papers(furnishings):
    """Seven stores with the paper's names, two doorway points each, and 24 areas with a point each."""
    expected = [
        *("Atelier Prime", "Leather and Ink", "Light Logic", "Nordic Nest", "Play-cation", "The Plant"),
        "Vicotian Curio Collection",
    ]
    assert expected == sorted(store.name for store in furnishings.stores)
    kinds = Counter(waypoint.kind for waypoint in furnishings.waypoints)
    assert {"outside_doorway": 7, "inside_doorway": 7, "area": 24} == kinds


def test_paper_figures_are_those_of_the_table():
    """The figures that we compare with sum to the paper's totals over both scenes."""
    sums = {
        key: sum(paper[key] for paper in PAPER.values()) for key in ("products", "instances", "targets", "waypoints")
    }
    assert {"products": 455, "instances": 1568, "targets": 60, "waypoints": 80} == sums


@pytest.mark.parametrize("shop", ["corner_shop", "lamp_shop"])
def test_a_store_of_ones_own_counts_too(shop, request):
    """Counting needs nothing that only the shipped scenes have."""
    found = request.getfixturevalue(shop)
    assert len(found.instances) == totals(found)["instances"]
    assert details(found)["categories"] > 0
