"""Products are believable: complete, varied, stored as they must be, and rich enough for tasks."""

from collections import Counter
from math import ceil

from recfw_situated.scenes.files import folder_of
from recfw_situated.scenes.load import read_tags, vocabulary
from recfw_situated.scenes.products import NUTRITION

FROZEN = {"frozen", "ice", "dairy-free", "plant-based"}
PRODUCE = {
    *("apples", "pears", "citrus", "tropical fruit", "grapes and berries", "melons", "tomatoes", "salad vegetables"),
    *("salad leaves", "peppers", "root vegetables", "potatoes", "onions", "cabbages", "mushrooms"),
}
CHILLED = {
    *("milk", "plant milk", "butter", "eggs", "cream", "yogurt", "plant yogurt", "cheese", "plant cheese", "tofu"),
    *("fresh poultry", "fresh beef", "fresh fish", "cured meat", "deli meat", "dips", "prepared salads", "juice"),
    *("smoothies", "kombucha", "chilled coffee", "chilled tea", "chilled drinks"),
}


def kinds_of(scene, product):
    """Return the kinds of the fixtures that hold a product."""
    return {scene.fixture_by_id[place].kind for place in product.places}


def test_every_product_is_stored_as_it_must_be(supermarket):
    """Produce lies on stands, frozen food in freezers, chilled food in coolers, all else on shelves."""
    for product in supermarket.products:
        first = product.category.split(" ")[0]
        if product.category in PRODUCE:
            expected = {"produce stand"}
        elif first in FROZEN:
            expected = {"upright freezer", "chest freezer"}
        elif product.category in CHILLED:
            expected = {"open cooler"}
        else:
            expected = {"shelf", "wall shelf"}
        assert kinds_of(supermarket, product) <= expected, product


def test_groceries_tell_what_a_shopper_reads(supermarket):
    """Each has flavour, packaging, allergens and, if it is eaten, every figure of its nutrition."""
    for product in supermarket.products:
        assert {"flavour", "packaging", "allergens", "nutrition"} == set(product.attributes)
        assert set(product.attributes["nutrition"]) in (set(), set(NUTRITION))
    eaten = [product for product in supermarket.products if product.attributes["nutrition"]]
    assert len(eaten) > 190


def test_nutrition_is_possible(supermarket):
    """Fat, sugar and protein weigh no more than the serving, and give no more energy than it has."""
    for product in supermarket.products:
        held = product.attributes["nutrition"]
        if held:
            weight = held["fat_g"] + held["sugar_g"] + held["protein_g"]
            energy = 9 * held["fat_g"] + 4 * (held["sugar_g"] + held["protein_g"])
            assert weight <= held["serving_g"], product.name
            assert energy <= held["calories_kcal"] * 1.15 + 8, (product.name, energy, held)


def test_furnishings_tell_what_a_shopper_reads(furnishings):
    """Each has material, colour, size class and style; classes follow from the largest extent."""
    for product in furnishings.products:
        assert {"material", "color", "size_class", "style"} == set(product.attributes)
        largest = max(product.size)
        expected = "small" if largest <= 60 else "medium" if largest <= 125 else "large"
        assert expected == product.attributes["size_class"]
    assert {"small", "medium", "large"} == {product.attributes["size_class"] for product in furnishings.products}


def test_free_of_never_contradicts_allergens(supermarket):
    """No product is tagged free of what its allergens list, and no vegan one lists milk, eggs, fish or shellfish."""
    for product in supermarket.products:
        tags, allergens = set(product.tags), set(product.attributes["allergens"])
        assert not ({"gluten free"} <= tags and "gluten" in allergens)
        assert not ({"dairy free"} <= tags and "milk" in allergens)
        assert not ({"nut free"} <= tags and allergens & {"nuts", "peanuts"})
        assert not ({"vegan"} <= tags and allergens & {"milk", "eggs", "fish", "shellfish"}), product.name


def test_opposite_tags_do_not_meet(scene):
    """Nothing is both of two opposites."""
    opposites = [("scented", "unscented"), ("value", "premium"), ("warm light", "cool light"), ("mild", "spicy")]
    opposites += [("minimal", "ornate"), ("family size", "single serve"), ("light wood", "dark wood")]
    for product in scene.products:
        for one, other in opposites:
            assert not {one, other} <= set(product.tags), (product.name, one, other)


def test_tags_come_from_the_vocabulary_and_all_of_it_is_used(scene):
    """Every tag stands in tags.yaml, and no word of it is left unused."""
    words = {tag for tags in vocabulary(scene.name).values() for tag in tags}
    assert words == {tag for product in scene.products for tag in product.tags}
    assert words == {tag for tags in read_tags(folder_of(scene.name)).values() for tag in tags}


def test_products_are_varied(scene):
    """Names are unique, categories and prices many, and every product carries at least two tags."""
    names = Counter(product.name for product in scene.products)
    assert 1 == max(names.values())
    assert len({product.category for product in scene.products}) > 60
    assert len({product.price for product in scene.products}) > 50
    assert min(len(product.tags) for product in scene.products) >= 2


def test_most_products_have_dearer_products_with_shared_tags(scene):
    """For at least three of four products some pair of tags is met by dearer products too, so that budgets differ."""
    enough = 0
    for product in scene.products:
        pairs = [(one, other) for n, one in enumerate(product.tags) for other in product.tags[n + 1 :]]
        enough += any(
            sum(set(pair) <= set(other.tags) and other.price > product.price for other in scene.products) >= 3
            for pair in pairs
        )
    assert enough >= ceil(0.75 * len(scene.products))


def test_neighbours_look_different(supermarket):
    """Two products of one fixture never share model, paint, accent and mark."""
    for fixture in supermarket.fixtures:
        held = [product for product in supermarket.products if fixture.id in product.places]
        assert len(held) == len({(p.look.model, p.look.paint, p.look.accent, p.look.mark) for p in held})
        assert len(held) == len({(p.look.paint, p.look.mark) for p in held}), fixture.id
