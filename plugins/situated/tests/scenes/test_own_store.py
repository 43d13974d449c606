"""A person adds a store by data alone, and is told in words what is wrong with it."""

import attrs
import pytest

from recfw.errors import DataError, UsageError
from recfw_situated.scenes.catalog import location_index
from recfw_situated.scenes.load import load_scene, parts
from recfw_situated.survey.check import problems


@pytest.mark.parametrize("shop", ["corner_shop", "lamp_shop"])
def test_a_sound_store_loads_and_is_sound(shop, request):
    """Three files make a scene: nothing is wrong with it, and everything in it is drawn."""
    scene = request.getfixturevalue(shop)
    assert [] == problems(scene)
    assert {one.id for one in scene.instances} <= {part.object for part in parts(scene)}
    assert len(location_index(scene)) == len(scene.fixtures) + len(scene.stores)


def test_an_unknown_scene_is_refused_by_name():
    """The error names the known ones."""
    with pytest.raises(UsageError, match=r"no scene 'nowhere' \(known: supermarket, furnishings\)"):
        load_scene("nowhere")


WRONG = [
    ("scene.yaml", ("facing: 90", "facing: 45"), "fixture dry: 'facing' must be 0, 90, 180 or -90 degrees, not 45"),
    ("scene.yaml", ("kind: shelf", "kind: shelv"), "fixture dry: no fixture kind 'shelv' .known: shelf"),
    ("scene.yaml", ("[sponge, 2]", "[spunge, 2]"), "dry: back board 2: no product 'spunge' in products.yaml"),
    ("scene.yaml", ("[oat-biscuits, 4]", "[oat-biscuits, 14]"), "front board 1: 14 facings are 280 cm wide"),
    ("scene.yaml", ("[sponge, 2]", "[sponge, 0]"), "back board 2: must be product ids or .product id, facings."),
    ("scene.yaml", ("start: [100, 400, 0]", "start: [100, 400]"), "'start' must be a list of 3 numbers"),
    ("scene.yaml", ("title: Corner shop\n", ""), "corner_shop/scene.yaml: the field 'title' is missing"),
    ("scene.yaml", ("title:", "colour: red\ntitle:"), "corner_shop/scene.yaml: unknown field 'colour'"),
    ("scene.yaml", ("name: Dry Goods", "name: [Dry]"), "fixture dry: 'name' must be str, not"),
    ("scene.yaml", ("title: Corner", "title: [Corner"), "scene.yaml: is not valid YAML"),
    ("scene.yaml", ("    back:", "    left:"), "a shelf has no side 'left' .it has front, back."),
    (
        "products.yaml",
        ("price: 2.5", "price: cheap"),
        "oat-biscuits: 'price' must be int or float, not 'cheap'",
    ),
    ("products.yaml", ("[box, red,", "[boxx, red,"), "product oat-biscuits: no model 'boxx' in models.yaml"),
    ("products.yaml", ("[box, red,", "[box, reed,"), "product oat-biscuits: no paint 'reed' in paints.yaml"),
    ("products.yaml", ("tags: [breakfast]", "tags: [brunch]"), "product milk: tag 'brunch' is not in tags.yaml"),
    ("products.yaml", ("id: milk", "id: fresh milk"), "'id' must consist of ASCII letters, digits and hyphens"),
    ("products.yaml", ("[240, 120,", "[120,"), "product milk: 'nutrition' must list serving_g"),
    (
        "products.yaml",
        ("[10, 10, 25]", "[10, 10, 45]"),
        "'milk' is 45 cm high and 10 cm deep; front board 1 has",
    ),
]


@pytest.mark.parametrize(("file", "change", "words"), WRONG, ids=[words[:40] for _, _, words in WRONG])
def test_a_mistake_is_named_with_its_file_and_entry(edited, file, change, words):
    """The words say which file, which entry, what is wrong."""
    with pytest.raises(DataError, match=words):
        load_scene(str(edited("corner_shop", file, change)))


UNSOUND = [
    (("instances: 9", "instances: 10"), "9 instances, but 'expected' in scene.yaml says 10"),
    (("name: Cold Drinks", "name: dry goods"), "name 'dry goods' is used 2 times"),
    (("[[[milk, 3]], [], [], []]", "[[], [], [], []]"), "product 'milk' stands nowhere"),
    (("at: [450, 42.5]", "at: [450, 370]"), "'dry' and 'cold' stand in the same place"),
    (("at: [450, 42.5]", "at: [450, 10]"), "'cold' sticks out of the building"),
    (("at: [450, 400]", "at: [450, 700]"), "waypoint 'dry-front' cannot be walked to from the start"),
    (("start: [100, 400, 0]", "start: [450, 400, 0]"), "nobody fits at the start"),
]


@pytest.mark.parametrize(("change", "words"), UNSOUND, ids=[words[:40] for _, words in UNSOUND])
def test_the_check_says_what_cannot_be(edited, change, words):
    """Files that read well may still make a store that cannot be; the check names each thing."""
    found = problems(load_scene(str(edited("corner_shop", "scene.yaml", change))))
    assert [line for line in found if words in line], found


MOVED = [
    ((450.0, 436.0, 175.0), "oat-biscuits_1 floats: nothing carries it at 175 cm"),
    ((450.0, 436.0, 120.0), "oat-biscuits_1 floats"),
    ((450.0, 436.0, 90.0), "oat-biscuits_1 runs into fixture_dry"),
    ((450.0, 520.0, 138.0), "oat-biscuits_1 sticks out of dry"),
]


@pytest.mark.parametrize(("position", "words"), MOVED, ids=[words for _, words in MOVED])
def test_goods_that_stand_wrong_are_found(corner_shop, position, words):
    """An item in the air, in a board or outside its fixture is named."""
    first, *rest = corner_shop.instances
    scene = attrs.evolve(corner_shop, instances=(attrs.evolve(first, position=position), *rest))
    found = problems(scene)
    assert [line for line in found if words in line], found


def test_goods_in_one_another_are_found(corner_shop):
    """Two items in the same place are named together."""
    first, second, *rest = corner_shop.instances
    scene = attrs.evolve(corner_shop, instances=(first, attrs.evolve(second, position=first.position), *rest))
    assert ["corner-shop: oat-biscuits_1 and oat-biscuits_2 overlap."] == problems(scene)


def test_a_crowded_area_is_refused(edited):
    """Goods that are wider than their stretch of wall are named with the area and the row."""
    folder = edited("lamp_shop", "scene.yaml", ("front: [armchair]", "front: [[armchair, 9]]"))
    with pytest.raises(DataError, match="store lamps: area 1: front row: 9 facings are 720 cm wide"):
        load_scene(str(folder))


def test_a_wall_that_a_room_has_not_is_refused(edited):
    """An area hangs on the left, right or back wall."""
    folder = edited("lamp_shop", "scene.yaml", ("wall: back", "wall: north"))
    with pytest.raises(DataError, match="'wall' must be left, right or back"):
        load_scene(str(folder))


def test_goods_out_of_reach_are_found(edited):
    """A product that no viewpoint of its place has in reach could be seen and never bought."""
    folder = edited("lamp_shop", "scene.yaml", ("title: Lamp shop", "title: Lamp shop\nreach: 250"))
    found = problems(load_scene(str(folder)))
    assert ["floor-lamp", "globe"] == [line.split("'")[1] for line in found if "raise 'reach' in scene.yaml" in line]
