"""The Whoosh retriever against the default one: the same hits, order and scores; and the folder of its index."""

import os
import subprocess
import sys
from pathlib import Path

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recfw.errors import DataError
from recfw.model.draws import Draws
from recfw_books.catalog.load import load_catalog
from recfw_books.catalog.records import BookCatalog
from recfw_books.search.impact import ImpactRetriever
from recfw_books.search.terms import SCALE
from recfw_books.search.whoosh_index import FACTS, WhooshRetriever
from recfw_books.tools import indexed

ITEMS = [("b", {"title": "the moon", "authors": "Ann"}), ("a", {"title": "moon moon", "authors": ""}), ("c", {})]


def _pairs(retriever: ImpactRetriever | WhooshRetriever, query: str, limit: int = 20) -> list[tuple[str, int]]:
    return [(hit.id, round(hit.score * SCALE)) for hit in retriever.search(query, limit)]


def _agree(catalog: BookCatalog, queries: int, folder: Path) -> None:
    """Hold both retrievers against one another on random queries of the catalog's own words."""
    items = indexed(catalog)
    one, other = ImpactRetriever(), WhooshRetriever()
    one.build(items)
    other.build(items, folder)
    words = sorted({word for _, texts in items for text in texts.values() for word in text.split()} | {"absent", "the"})
    draws = Draws(11, "whoosh", queries)
    for _ in range(queries):
        query = " ".join(draws.choice(words) for _ in range(draws.between(1, 6)))
        assert _pairs(one, query) == _pairs(other, query), query
    other.close()


@pytest.mark.timeout(300)
def test_5000_queries_over_2000_books_agree_with_the_default(tmp_path: Path) -> None:
    """Ids, order and whole-number scores are those of the default on 5,000 random queries."""
    _agree(load_catalog(None).prefix(2000), 5000, tmp_path / "index")


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_5000_queries_over_20000_books_agree_with_the_default(tmp_path: Path) -> None:
    """The same over the whole embedded catalog."""
    _agree(load_catalog(None), 5000, tmp_path / "index")


def test_many_equal_scores_agree(catalog: BookCatalog, tmp_path: Path) -> None:
    """In a catalog whose words repeat a lot, ties are broken by id as the default breaks them."""
    _agree(catalog, 300, tmp_path / "index")


TEXT = st.text(alphabet="ab1 é_-ßΣ", max_size=8)


@given(st.dictionaries(st.sampled_from("abcdef"), st.dictionaries(st.sampled_from(["x", "y"]), TEXT), min_size=1), TEXT)
def test_any_records_and_any_query_agree(records: dict[str, dict[str, str]], query: str) -> None:
    """Whatever the records hold and whatever is asked, both give the same."""
    one, other = ImpactRetriever(), WhooshRetriever()
    one.build(list(records.items()))
    other.build(list(records.items()))
    assert _pairs(one, query) == _pairs(other, query)


def test_an_index_is_kept_and_opened_again(tmp_path: Path) -> None:
    """The second build of the same records opens what is there; other records replace it."""
    made = WhooshRetriever()
    made.build(ITEMS, tmp_path / "index")
    before = sorted((p.name, p.stat().st_mtime_ns) for p in (tmp_path / "index").iterdir())
    again = WhooshRetriever()
    again.build(reversed(ITEMS), tmp_path / "index")
    assert before == sorted((p.name, p.stat().st_mtime_ns) for p in (tmp_path / "index").iterdir())
    assert ["a", "b"] == [hit.id for hit in again.search("moon", 5)]
    again.build([("z", {"title": "moon"})], tmp_path / "index")
    assert ["z"] == [hit.id for hit in again.search("moon", 5)]
    assert ["index"] == [path.name for path in tmp_path.iterdir()]


@pytest.mark.parametrize("harm", ["facts", "segment", "half"])
def test_a_folder_that_is_no_whole_index_is_made_anew(tmp_path: Path, harm: str) -> None:
    """A killed build, or a folder of something else, is replaced."""
    folder = tmp_path / "index"
    WhooshRetriever().build(ITEMS, folder)
    if harm == "facts":
        (folder / FACTS).unlink()
    elif harm == "segment":
        facts = orjson.loads((folder / FACTS).read_bytes())
        (folder / FACTS).write_bytes(orjson.dumps({**facts, "sha256": "0"}))
    else:
        for path in folder.iterdir():
            path.unlink()
    made = WhooshRetriever()
    made.build(ITEMS, folder)
    assert ["a", "b"] == [hit.id for hit in made.search("moon", 5)]


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    """A file in the way is an error that names the folder."""
    (tmp_path / "file").write_text("")
    with pytest.raises(DataError, match="cannot be kept"):
        WhooshRetriever().build(ITEMS, tmp_path / "file" / "index")


def test_processes_that_build_at_once_all_find(tmp_path: Path) -> None:
    """Several processes that make the same index side by side each end with a whole one."""
    program = (
        "import sys; from pathlib import Path; from recfw_books.search.whoosh_index import WhooshRetriever as W\n"
        "w = W(); w.build([(str(n), {'title': f'moon {n}'}) for n in range(300)], Path(sys.argv[1]))\n"
        "print(len(w.search('moon', 400)))"
    )
    words = [sys.executable, "-c", program, str(tmp_path / "index")]
    started = [subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env=os.environ) for _ in range(3)]
    assert ["300\n"] * 3 == [process.communicate(timeout=60)[0] for process in started]


def test_whoosh_is_loaded_only_when_it_searches() -> None:
    """Listing what the plugin offers does not import it."""
    program = (
        "import sys; from recfw.plugins import build_manager; from recfw.registry import Registry\n"
        "assert 'whoosh' in Registry(build_manager()).names('retrievers')\n"
        "print(sorted(name for name in sys.modules if name.split('.')[0] == 'whoosh'))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert "[]" == done.stdout.strip()
