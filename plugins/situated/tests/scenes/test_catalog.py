"""What the assistant knows beforehand: the full catalog and where everything is."""

import json

from recfw_situated.scenes.catalog import catalog, goods_by_place, location_index


def test_the_catalog_is_plain_data_of_every_product(scene):
    """Each product once, with price, tags and attributes, fit for JSON; no mask colour, no look."""
    held = json.loads(json.dumps(catalog(scene)))
    assert [product.id for product in scene.products] == [entry["id"] for entry in held]
    assert {"id", "name", "category", "price", "tags", "attributes"} == set(held[0])


def test_the_index_of_the_supermarket_is_by_fixture(supermarket):
    """Each fixture with its approaches and products; what stands there is what the index says."""
    held = {entry["id"]: entry for entry in location_index(supermarket)}
    assert ["front", "back"] == held["cereal"]["approaches"]
    assert ["front"] == held["bakery"]["approaches"]
    for fixture, entry in held.items():
        there = {one.product for one in supermarket.instances if one.place == fixture}
        assert there == set(entry["products"])


def test_the_index_of_the_furnishings_store_is_by_store_and_area(furnishings):
    """Seven stores hold 24 areas; each product is in exactly the areas where its instances stand."""
    held = location_index(furnishings)
    areas = {area["id"]: set(area["products"]) for store in held for area in store["areas"]}
    assert (7, 24) == (len(held), sum(len(store["areas"]) for store in held))
    store = next(store for store in held if store["id"] == "light-logic")
    assert ["Floor Lamps", "Table Lamps", "Pendant Studio"] == [area["name"] for area in store["areas"]]
    for area, products in areas.items():
        assert products == {one.product for one in furnishings.instances if one.place == area}


def test_a_store_holds_what_its_areas_hold(furnishings):
    """The goods of a store are those of its areas together."""
    held = goods_by_place(furnishings)
    for store in furnishings.stores:
        areas = [held[area.id] for area in furnishings.areas if area.store == store.id]
        assert sorted(held[store.id]) == sorted({product for goods in areas for product in goods})
