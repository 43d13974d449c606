"""Tasks for a store of one's own: drawn of what it has, checked from scratch, refused in words."""

from pathlib import Path

import pytest
from attrs import evolve

from recfw.cli.main import invoke
from recfw.errors import DataError
from recfw_situated.scenes.load import load_scene
from recfw_situated.tasks.own import draw_own, prefix_of, read_words
from recfw_situated.tasks.pool import decode, encode, read_own
from recfw_situated.tasks.records import public_of, to_task
from recfw_situated.track import SituatedOptions, SituatedTrack
from recfw_situated.validate import validate

DATA = Path(__file__).parents[1] / "data"


def drawn(shop, seed=42, shoppers=25):
    """Return a tiny store and tasks for it."""
    scene = load_scene(str(DATA / shop))
    return scene, draw_own(scene, read_words(scene, DATA / shop), seed, shoppers)


@pytest.mark.parametrize(("shop", "each"), [("corner_shop", 3), ("lamp_shop", 4)])
def test_a_whole_bank_is_sound(shop, each):
    """25 shoppers have a task around each of up to four products, equal ones from an equal seed, and break no rule."""
    scene, tasks = drawn(shop)
    assert (25 * each, 25) == (len(tasks), len({task.profile.id for task in tasks}))
    assert [] == validate({scene.name: scene}, tasks)
    assert encode(tasks) == encode(drawn(shop)[1]) != encode(drawn(shop, seed=1)[1])
    assert tasks == decode(encode(tasks), "pool")


FAULTS = {
    "bank": lambda tasks: tasks[1:],
    "subset": lambda tasks: [evolve(tasks[0], subset=tasks[0].subset % 4 + 1), *tasks[1:]],
    "coverage": lambda tasks: [evolve(tasks[0], target=tasks[1].target), *tasks[1:]],
    "reference": lambda tasks: [evolve(tasks[0], reference=()), *tasks[1:]],
}


@pytest.mark.parametrize("rule", FAULTS)
def test_a_planted_fault_is_found(rule):
    """A missing task, a wrong subset, one target twice and a wrong reference set are found in such a bank too."""
    scene, tasks = drawn("corner_shop")
    assert rule in {problem.rule for problem in validate({scene.name: scene}, FAULTS[rule](tasks))}


def test_goods_are_spoken_of_in_the_stores_words(edited):
    """words.yaml says how categories and labels are called and what things are for; the rest has words by rule."""
    folder = edited("lamp_shop", "tags.yaml")
    (folder / "words.yaml").write_text(
        "categories: {lamps: a lamp}\nlabels: {seating: [to sit on, null]}\nuses: [a long night]\n", encoding="utf-8"
    )
    scene = load_scene(str(folder))
    tasks = draw_own(scene, read_words(scene, folder), shoppers=1)
    said = {task.target: task.goal for task in tasks}
    assert ("a lamp", "something in the way of chairs") == (
        said["floor-lamp"].category_words,
        said["armchair"].category_words,
    )
    assert (["to sit on"], {"a long night"}) == (
        [wish.words for wish in said["armchair"].preferences],
        {goal.use for goal in said.values()},
    )


WRONG = [
    ("categories: {sofas: a sofa}", "no product has the category 'sofas'"),
    ("labels: {seating: to sit on}", "label 'seating' must be .after"),
    ("categories: {lamps: 3}", "category 'lamps' must be words"),
    ("uses: [3]", "'uses' must be a list of texts"),
    ("word: {}", "unknown field 'word'"),
]


@pytest.mark.parametrize(("text", "words"), WRONG)
def test_wrong_words_are_named(edited, text, words):
    """A mistake in words.yaml is told with the file and the entry."""
    folder = edited("lamp_shop", "tags.yaml")
    (folder / "words.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match=f"lamp_shop/words.yaml: {words}"):
        read_words(load_scene(str(folder)), folder)


def test_a_store_without_anything_to_ask_for_is_refused(edited):
    """Products without tags make no task, and the hint says what does."""
    replaced = [("tags: [lighting]", "tags: []"), ("tags: [seating]", "tags: []")]
    folder = edited("lamp_shop", "products.yaml", *replaced)
    scene = load_scene(str(folder))
    with pytest.raises(DataError, match="no product is fit for a task"):
        draw_own(scene, read_words(scene, folder))


def test_ids_begin_with_the_stores_name():
    """Whatever a store is called, its shoppers' ids are words with hyphens, and unlike those of other stores."""
    scene, _ = drawn("corner_shop", shoppers=1)
    assert ["joe-s-shop", "store"] == [prefix_of(evolve(scene, name=name)) for name in ("Joe's  Shop/", "☕")]


def test_a_task_says_what_figures_need_of_the_store():
    """The public half names the kind and where products stand, so that a trace is scored without the store's files."""
    scene, tasks = drawn("lamp_shop", shoppers=1)
    public = to_task(tasks[0], public_of(scene)).public
    assert ("lamp-shop", "furnishings", ["corner", "lamps"]) == (
        public["scene"],
        public["kind"],
        public["homes"]["globe"],
    )
    assert {"scene": "supermarket"} == public_of(load_scene("supermarket"))


def test_tasks_that_are_missing_or_of_another_store_are_told(tmp_path):
    """Without tasks, with another store's, or with those of goods that are gone, the next step is named."""
    scene, tasks = drawn("corner_shop", shoppers=1)
    file = tmp_path / "tasks.json"
    for content, words in (
        (None, "there are no tasks for the store 'corner-shop' yet"),
        (encode(drawn("lamp_shop", shoppers=1)[1]), "holds no task of the store 'corner-shop'"),
        (encode([evolve(tasks[0], target="gone")]), "names 'gone', which the store does not sell"),
    ):
        if content is not None:
            file.write_bytes(content)
        with pytest.raises(DataError, match=words) as caught:
            read_own(scene, str(tmp_path))
        assert "recfw situated generate --scene" in caught.value.hint


def test_a_store_called_as_one_that_ships_is_refused(edited):
    """Its tasks would be taken for those of the shipped store."""
    folder = edited("corner_shop", "scene.yaml", ("scene: corner-shop", "scene: supermarket"))
    with pytest.raises(DataError, match="the scene is called 'supermarket', as one that ships"):
        SituatedTrack(SituatedOptions(scene=str(folder))).tasks()


def test_a_folder_that_is_called_as_a_scene_does_not_hide_it(tmp_path):
    """A folder `furnishings` that holds no scene is here by chance."""
    (tmp_path / "furnishings").mkdir()
    assert "furnishings" == SituatedTrack(SituatedOptions(scene=str(tmp_path / "furnishings"))).options.scene


def test_the_commands_refuse_what_makes_no_sense(tmp_path, capsys):
    """--shoppers of the shipped bank, a missing --out, another store's pool without its folder."""
    pool = tmp_path / "pool.json"
    pool.write_bytes(encode(drawn("corner_shop", shoppers=1)[1]))
    assert 2 == invoke(["situated", "generate", "--shoppers", "3", "--out", str(tmp_path / "x")])
    assert 2 == invoke(["situated", "generate"])
    assert 2 == invoke(["situated", "validate", "--tasks", str(pool)])
    assert 0 == invoke(["situated", "validate", "--tasks", str(pool), "--scene", str(DATA / "corner_shop")])
    told = capsys.readouterr()
    assert "Name its folder with --scene" in told.err
    assert "--out is missing" in told.err
    assert "is of the scene 'corner-shop'" in told.err
    assert "No problem in 3 tasks" in told.out
