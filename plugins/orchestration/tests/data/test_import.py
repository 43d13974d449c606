"""The import as a whole: broken files, interruptions, stores that are there already, the sample files."""

import gzip
import os
import re
import signal
import subprocess
import sys

import pytest

from recfw.errors import DataError, StoreError, UsageError
from recfw_orchestration.data.importers.plan import plan
from recfw_orchestration.data.importers.run import import_files
from recfw_orchestration.data.staging import staging_path
from recfw_orchestration.data.store import Data

ITEM = {"title": "Thing", "category": ["E"], "price": "$1.00"}
ROW = {"overall": 4.0, "verified": True, "asin": "A1", "reviewText": "Good.", "unixReviewTime": 1500000000}


def item(n=1):
    """Return a record of metadata."""
    return ITEM | {"asin": f"A{n}"}


def review(n=1):
    """Return a review by another user."""
    return ROW | {"reviewerID": f"U{n:05}"}


def test_lines_that_are_no_json_name_the_line(write, imported):
    """A broken line stops the import with its number, its beginning and what to do."""
    write("meta.json", item())
    path = write("reviews.json", review(1), review(2), b"{broken", review(3))
    with pytest.raises(DataError, match=re.escape(f"{path}: line 3 is not JSON: {{broken.")) as caught:
        imported("amazon")
    assert "--skip-broken" in caught.value.hint


def test_broken_lines_can_be_skipped_where_the_import_stopped(write, imported):
    """The same command with --skip-broken continues, and counts the line."""
    write("meta.json", item())
    write("reviews.json", review(1), b"{broken", review(2), b"[1]")
    with pytest.raises(DataError):
        imported("amazon")
    lines = imported("amazon", skip_broken=True).manifest["electronics"]["lines"]["review"]
    assert (2, 2) == (lines["read"], lines["no JSON"])


def test_gzip_that_is_cut_off_is_named(write, imported):
    """A download that ended early is told from a whole one; what was read is kept."""
    write("meta.json", item())
    whole = write("reviews.json", *map(review, range(20_000)))
    packed = gzip.compress(whole.read_bytes())
    whole.unlink()
    path = whole.with_name("reviews.json.gz")
    path.write_bytes(packed[: len(packed) * 2 // 3])
    with pytest.raises(
        DataError, match=rf"^{re.escape(str(path))}: the gzip data is cut off or damaged after line [1-9]"
    ):
        imported("amazon")


def test_gzip_and_plain_files_give_the_same_store(tmp_path, write):
    """Files may be compressed or not, whatever their names say."""
    digests = []
    for packed in (False, True):
        for path in (write("meta.json", item()), write("reviews.json", *map(review, range(50)))):
            if packed:
                path.write_bytes(gzip.compress(path.read_bytes()))
        store = tmp_path / f"{packed}.db"
        import_files(plan({"amazon": [tmp_path / "raw"]}), store, Watch())
        data = Data.open(store)
        digests.append(data.digest)
        data.close()
    assert digests[0] == digests[1]


class Watch:
    """Hears of an import; may stop it at a step."""

    def __init__(self, stop=""):
        self.stop = stop

    def reading(self, path, done, size, lines):
        """Hear of a file."""

    def step(self, name):
        """Hear of a step."""
        if name == self.stop:
            raise KeyboardInterrupt


WRONG = {
    "another family's folder": (
        {"business_id": "b", "name": "N", "hours": None},
        "holds Yelp items, not Amazon",
        "--yelp",
    ),
    "nothing that is known": ({"x": 1}, "none of its files is known (a.json)", "Unpack"),
}


@pytest.mark.parametrize(("record", "says", "hint"), WRONG.values(), ids=WRONG)
def test_wrong_folder_is_named(write, imported, record, says, hint):
    """A folder without a file of its family is refused, and the right option named where there is one."""
    write("a.json", record)
    with pytest.raises(DataError, match=re.escape(says)) as caught:
        imported("amazon")
    assert hint in caught.value.hint


def test_empty_file_is_called_empty(write, imported):
    """Not something that is no Amazon file."""
    path = write("meta.json")
    with pytest.raises(DataError, match=rf"^{re.escape(str(path))}: is empty\. Fetch"):
        imported("amazon", path)


def test_byte_order_mark_is_no_part_of_the_first_line(tmp_path, write, imported):
    """A file that an editor has saved anew is read like the one before."""
    path = write("meta.json", item(1), item(2))
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert imported("amazon").manifest["electronics"]["lines"]["item"] == {"read": 2}


def test_missing_folder_is_a_usage_error(tmp_path):
    """A path that is not there is named with its option."""
    with pytest.raises(UsageError, match=r"--yelp .*no such file or folder"):
        plan({"yelp": [tmp_path / "absent"]})


def test_reviews_without_metadata_are_refused(write, imported):
    """Reviews alone would all be dropped: the missing file is named before anything is read."""
    write("reviews.json", review())
    with pytest.raises(DataError, match="no metadata file"):
        imported("amazon")


def test_copy_that_is_compressed_too_is_read_once(write):
    """A folder with a file and its .gz is read once."""
    write("meta.json", item())
    write("meta.json.gz", item())
    found = plan({"amazon": [write("reviews.json", review()).parent]})
    assert (["meta.json", "reviews.json"], ("meta.json.gz: left out, meta.json stands beside it",)) == (
        [one.path.name for one in found.files],
        found.notes,
    )


def test_domain_that_is_there_is_not_replaced_unasked(write, imported):
    """A second import of a domain needs --force."""
    write("meta.json", item())
    imported("amazon").close()
    with pytest.raises(StoreError, match="holds data of domain electronics already"):
        imported("amazon")
    assert ["A1"] == list(imported("amazon", force=True).item_ids("electronics"))


def test_second_domain_joins_the_first(write, imported, tmp_path):
    """A later import adds a domain and leaves the others as they are."""
    write("meta.json", item())
    write("reviews.json", review(1), review(2))
    imported("amazon").close()
    other = tmp_path / "yelp.json"
    other.write_bytes(b'{"business_id": "b1", "name": "N", "hours": null, "latitude": 1.5, "longitude": 2.5}\n')
    data = imported("yelp", other)
    assert (("electronics", "local"), ["U00001", "U00002"], ["b1"]) == (
        data.domains,
        list(data.user_ids("electronics")),
        [one for one, _ in data.near("local", 1.5, 2.5, 1)],
    )


def test_interrupted_building_begins_again(write, tmp_path, imported):
    """An interruption after the reading loses nothing: the same call builds from what was read."""
    write("meta.json", item())
    write("reviews.json", *map(review, range(30)))
    with pytest.raises(KeyboardInterrupt):
        import_files(plan({"amazon": [tmp_path / "raw"]}), tmp_path / "store.db", Watch("electronics: recommender"))
    with pytest.raises(DataError, match="its import was not finished"):
        Data.open(tmp_path / "store.db")
    data = imported("amazon")
    assert (30, False) == (data.count("reviews", "electronics"), staging_path(tmp_path / "store.db").exists())


def test_changed_file_is_noticed(write, tmp_path, imported):
    """A file that changes between two halves of an import would be read wrongly: it is refused."""
    write("meta.json", item())
    path = write("reviews.json", review(1), b"{broken")
    with pytest.raises(DataError):
        imported("amazon")
    path.write_bytes(path.read_bytes().replace(b"{broken", b"{}") + b"\n")
    with pytest.raises(DataError, match="has changed since"):
        imported("amazon")


def test_unfinished_import_of_other_files_is_named(write, tmp_path, imported):
    """Another import beside the same store is not mixed with this one."""
    write("meta.json", item())
    write("reviews.json", review(1), b"{broken")
    with pytest.raises(DataError):
        imported("amazon")
    only = tmp_path / "meta.json"
    only.write_bytes((tmp_path / "raw" / "meta.json").read_bytes())
    with pytest.raises(DataError, match="an unfinished import of other files"):
        imported("amazon", only)


COMMAND = """
import sys, time
from pathlib import Path
from recfw_orchestration.data.importers import run
from recfw_orchestration.data.importers.plan import plan
from recfw_orchestration.data.staging import Staging
commit = Staging.commit
def slow(self, source=None):
    commit(self, source)
    print(source and source.lines, flush=True)
    time.sleep(0.2)
Staging.commit = slow
class Watch:
    def reading(self, *told): pass
    def step(self, name): pass
run.import_files(plan({"amazon": [Path(sys.argv[1])]}), Path(sys.argv[2]), Watch())
"""


def test_kill_9_loses_nothing_and_doubles_nothing(write, tmp_path, imported):
    """An import that is killed while it reads continues, and its store equals that of one that was not."""
    write("meta.json", item())
    path = write("reviews.json", *map(review, range(30_000)))
    path.with_name("reviews.json.gz").write_bytes(gzip.compress(path.read_bytes(), 1))
    path.unlink()
    arguments = [sys.executable, "-c", COMMAND, str(tmp_path / "raw"), str(tmp_path / "killed.db")]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True) as running:
        while (line := running.stdout.readline().strip()) != "20000":
            assert line
        os.kill(running.pid, signal.SIGKILL)
    import_files(plan({"amazon": [tmp_path / "raw"]}), tmp_path / "killed.db", Watch())
    killed = Data.open(tmp_path / "killed.db")
    whole = imported("amazon")
    assert (whole.digest, whole.manifest) == (killed.digest, killed.manifest)


@pytest.fixture(scope="module")
def samples(shared_data, tmp_path_factory):
    """Return a store of the sample files."""
    folder = shared_data / "tools"
    store = tmp_path_factory.mktemp("samples") / "samples.db"
    given = {family: [folder / family] for family in ("amazon", "yelp", "foursquare")}
    import_files(plan(given), store, Watch())
    data = Data.open(store)
    yield data
    data.close()


def test_sample_files_are_read_whole(samples):
    """Every line of the sample files is read or dropped for a reason, as its README counts them."""
    read = {
        (domain, kind): sum(n for fate, n in fates.items() if fate == "read")
        for domain in samples.domains
        for kind, fates in samples.manifest[domain]["lines"].items()
    }
    assert {
        ("electronics", "item"): 1547 + 2342, ("electronics", "review"): 2972 + 109, ("local", "item"): 12,
        ("local", "review"): 15, ("local", "user"): 7, ("local", "tip"): 6, ("local", "checkin"): 9,
        ("places", "checkin"): 21_406,
    } == {key: n for key, n in read.items() if n}  # fmt: skip


DROPPED = {
    ("electronics", "review", "a later review by the same user of the same item"): 7,
    ("places", "checkin", "the same user, venue and moment again"): 13,
    ("local", "tip", "no words"): 1,
    ("local", "checkin", "the same place and moment again"): 1,
}


@pytest.mark.parametrize(("domain", "kind", "fate"), DROPPED)
def test_sample_files_quirks_are_counted(samples, domain, kind, fate):
    """The repeats and gaps that the README of the samples names are found, each under its reason."""
    assert DROPPED[domain, kind, fate] == samples.manifest[domain]["lines"][kind][fate]


def test_sample_prices_are_clean_or_unknown(samples):
    """Of 1,547 prices 1,185 are empty and 4 are page junk; each other is an amount."""
    prices = [samples.product(one).price for one in samples.item_ids("electronics")]
    assert 1547 - 1185 - 4 == len([price for price in prices if price is not None])


def test_sample_homes_are_gone(samples):
    """No venue of the samples is a private home."""
    assert "Home (private)" not in samples.categories("places")
