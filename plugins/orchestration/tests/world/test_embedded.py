"""The embedded world: equal bytes, enough of everything, and people whose tastes show."""

import multiprocessing
import sqlite3
import statistics
import time
from contextlib import closing

import pytest

from recfw.errors import StoreError
from recfw_orchestration.data.store import Data
from recfw_orchestration.world import embedded
from recfw_orchestration.world.embedded import build, embedded_store

DIGEST = "f787c3c59a8af3e319f5ab06a4693f4f305ff122f8be0f9f98e9a20179a1af28"
"""The shipped tasks are about this world: who changes it generates them anew."""


@pytest.fixture(scope="module")
def world():
    """Return the embedded world."""
    data = Data.open(embedded_store())
    yield data
    data.close()


def test_content_is_the_one_that_tasks_are_about(world):
    """The world does not change unnoticed."""
    assert DIGEST == world.digest


@pytest.fixture(scope="module")
def another(tmp_path_factory):
    """Return the path of a world that was built here and now, and the CPU seconds that it took."""
    path = tmp_path_factory.mktemp("world") / "world.db"
    began = time.process_time()
    build(path)
    return path, time.process_time() - began


def test_building_twice_gives_equal_bytes(world, another):
    """The cached store and one that is built now are the same file, byte for byte."""
    assert world.path.read_bytes() == another[0].read_bytes()


def test_building_takes_seconds(another):
    """The first use waits well under a minute of one core."""
    assert another[1] < 40


SIZES = {
    ("items", "electronics"): 3_000, ("users", "electronics"): 1_000, ("reviews", "electronics"): 20_000,
    ("items", "local"): 1_500, ("users", "local"): 1_000, ("reviews", "local"): 10_000, ("tips", "local"): 3_000,
    ("items", "places"): 2_000, ("users", "places"): 500, ("checkins", "places"): 40_000,
}  # fmt: skip


@pytest.mark.parametrize(("table", "domain"), SIZES)
def test_there_is_enough(world, table, domain):
    """Thousands of things and people, tens of thousands of opinions and visits."""
    assert world.count(table, domain) >= SIZES[table, domain]


@pytest.mark.parametrize("domain", ["electronics", "local", "places"])
def test_every_user_has_something_held_out(world, domain):
    """Each user can be the user of a task."""
    assert all(world.held_out(domain, user) for user in world.user_ids(domain))


CHANCE = {"electronics": 50 / 3000, "local": 50 / 1800, "places": 50 / 2400}


@pytest.mark.parametrize("domain", CHANCE)
def test_tastes_show_in_what_is_held_out(world, domain):
    """The recommender finds held-out items among its first 50 several times as often as chance."""
    users = world.user_ids(domain)[::5]
    hits = [
        world.held_out(domain, user).item_id in {item for item, _ in world.recommend(domain, user, limit=50)}
        for user in users
    ]
    assert statistics.mean(hits) > 8 * CHANCE[domain]


def test_stars_and_words_agree(world):
    """Reviews of five stars praise, those of one or two blame."""
    praise, blame = [], []
    for user in world.user_ids("electronics")[:300]:
        for one in world.reviews_by("electronics", user):
            found = world.sentiment("electronics", one.item_id)
            (praise if one.rating == 5 else blame if one.rating <= 2 else []).append(found.score)
    assert statistics.mean(praise) > statistics.mean(blame) + 0.2


def test_ratings_tell_items_apart(world):
    """Mean ratings spread over more than two stars, so that a filter has something to do."""
    means = [s.mean for item in world.item_ids("electronics") if (s := world.stats("electronics", item)).n >= 5]
    assert (True, True) == (min(means) < 3, 3.8 < statistics.mean(means) < 4.6)


def test_companions_are_of_the_right_kind(world):
    """What goes with a product belongs to a category that goes with its own, and is often bought by the same people."""
    product = world.product(world.item_ids("electronics")[0])
    kinds = {world.product(item).category for item in product.bought_together}
    assert (True, True) == (0 < len(kinds) <= 4, product.category not in kinds)


def test_some_business_is_open_past_midnight(world):
    """Hours may end on the next day."""
    hours = [world.business(item).hours for item in world.item_ids("local")]
    assert any(closes > 1440 for of in hours for spans in of.values() for _, closes in spans)


def test_some_hours_are_unknown_and_some_days_off(world):
    """Not everything is known of everybody."""
    hours = [world.business(item).hours for item in world.item_ids("local")]
    assert (True, True) == (any(not of for of in hours), any(() in of.values() for of in hours))


def test_cities_lie_where_their_places_are(world):
    """Businesses of a city lie within 25 km of each other's middle; venues in New York or Tokyo."""
    apart = set()
    for city in world.cities():
        found = [one for item in world.item_ids("local") if (one := world.business(item)).city == city]
        lat, lon = statistics.mean(one.lat for one in found), statistics.mean(one.lon for one in found)
        near = {item for item, _ in world.near("local", lat, lon, 25)}
        apart |= {one.item_id for one in found} - near
    assert (3, set(), {"NYC", "TKY"}) == (
        len(world.cities()),
        apart,
        {world.venue(item).city for item in world.item_ids("places")},
    )


def test_other_seed_is_another_world(tmp_path):
    """A seed names a world."""
    first = embedded.products.draw_goods(1, 40)
    assert first != embedded.products.draw_goods(2, 40)


def small(path):
    """Write a whole SQLite file in a moment."""
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE meta (name)")


def _need(queue):
    queue.put(str(embedded_store()))


def test_several_processes_that_need_it_build_it_once(tmp_path, monkeypatch):
    """Workers that start together wait for the one that builds; all get the same file, whole."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(embedded, "build", lambda path, told=None: (time.sleep(0.3), small(path))[1])
    fork = multiprocessing.get_context("fork")
    queue = fork.Queue()
    workers = [fork.Process(target=_need, args=(queue,)) for _ in range(3)]
    for worker in workers:
        worker.start()
    paths = {queue.get(timeout=20) for _ in workers}
    for worker in workers:
        worker.join()
    assert ({str(p) for p in (tmp_path / "recfw" / "orchestration").glob("*.db")}) == paths


def test_cache_that_cannot_be_written_is_gone_round(tmp_path, monkeypatch):
    """Where the cache is no folder, the folder for temporary files serves; where neither is, words say what to do."""
    blocked = tmp_path / "file"
    blocked.write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(blocked))
    monkeypatch.setattr(embedded.tempfile, "gettempdir", lambda: str(blocked))
    with pytest.raises(StoreError, match=r"can be kept nowhere \(.*Not a directory"):
        embedded_store()


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """Return the cache's folder and the place of this version's store; building takes a moment."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(embedded, "build", lambda path, told=None: small(path))
    folder = tmp_path / "recfw" / "orchestration"
    folder.mkdir(parents=True)
    return folder, folder / f"world-{embedded.version()}.db"


@pytest.mark.parametrize("damaged", [b"", b"SQLite format 3", b"x" * 100, None])
def test_damaged_world_is_built_anew(cache, damaged, monkeypatch):
    """A store in the cache that is empty, cut off or something else is not opened."""
    _, path = cache
    small(path)
    whole = path.read_bytes()
    path.unlink()  # SQLite would refuse to write into what is no database
    path.write_bytes(whole[:-1] if damaged is None else damaged)
    made = []
    monkeypatch.setattr(embedded, "build", lambda path, told=None: (made.append(path), path.write_bytes(whole)))
    assert (embedded_store(), made, path.read_bytes()) == (path, [path], whole)


def test_what_killed_builders_left_leaves_the_cache(cache):
    """By the next one that builds."""
    folder, path = cache
    left = [folder / f"{path.name}.123.new", folder / f"{path.name}.123"]
    for one in left:
        one.write_bytes(b"half")
    embedded_store()
    assert [one.exists() for one in (path, *left)] == [True, False, False]


def test_building_that_fails_leaves_nothing(tmp_path, monkeypatch):
    """A full disk is not made fuller."""

    def full(staged, store, told):
        store.with_name(f"{store.name}.new").write_bytes(b"half")
        raise StoreError("no room.")

    for domain in ("_electronics", "_local", "_places"):
        monkeypatch.setattr(embedded, domain, lambda staging, seed: None)
    monkeypatch.setattr(embedded, "finish", full)
    with pytest.raises(StoreError, match="no room"):
        embedded.build(tmp_path / "world.db")
    assert list(tmp_path.iterdir()) == []


def test_old_worlds_leave_the_cache(tmp_path, monkeypatch):
    """Stores of other versions do not pile up."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    folder = tmp_path / "recfw" / "orchestration"
    folder.mkdir(parents=True)
    for n in range(5):
        (folder / f"world-{n}.db").write_text("")
    monkeypatch.setattr(embedded, "build", lambda path, told=None: small(path))
    embedded_store()
    assert 3 == len(list(folder.glob("world-*.db")))
