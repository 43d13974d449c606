"""The rule-based user's ear, on sentences as people and models say them; none is one of our assistants' own."""

from pathlib import Path

import pytest
import yaml

from recfw_situated.users.amounts import angle, length, normal, prices
from recfw_situated.users.directions import directions
from recfw_situated.users.hearing import hear

DATA = yaml.safe_load((Path(__file__).parent / "utterances.yaml").read_text(encoding="utf-8"))
PLACES, PRODUCTS = DATA["places"], DATA["products"]


@pytest.mark.parametrize(("said", "meant"), [(each["say"], each["do"]) for each in DATA["directions"]])
def test_directions(said, meant):
    """Each sentence means these directions, in order."""
    found = [f"{d.kind} {d.side} {d.amount:g}".replace("  ", " ") for d in directions(normal(said))]
    assert meant == found


@pytest.mark.parametrize(("said", "key", "approach"), [(e["say"], e["place"], e["by"]) for e in DATA["goto"]])
def test_places(said, key, approach):
    """Each sentence names this place, by this approach; or none."""
    found = hear(said, PLACES, PRODUCTS).places
    assert (key, approach) == ((found[0].key, found[0].approach) if found else (None, ""))


@pytest.mark.parametrize(("said", "keys"), [(each["say"], each["products"]) for each in DATA["names"]])
def test_products(said, keys):
    """Each sentence names these products and no others."""
    assert keys == list(hear(said, PLACES, PRODUCTS).products)


@pytest.mark.parametrize(("said", "topic"), [(each["say"], each["about"]) for each in DATA["questions"]])
def test_questions(said, topic):
    """Each sentence asks about this topic, or asks nothing."""
    assert ([topic] if topic else []) == list(hear(said, PLACES, PRODUCTS).asked)


def test_amounts():
    """Lengths come in cm, angles in degrees, prices in dollars."""
    assert [200.0, 210.0, 91.44, 304.8] == [length(normal(t)) for t in ("2 m", "three steps", "1 yard", "ten feet")]
    assert [90.0, 45.0, 180.0] == [angle(normal(t)) for t in ("90°", "forty-five degrees", "turn around")]
    assert [4.99, 1200.0] == prices("It was $4.99, the sofa 1200 dollars.")
