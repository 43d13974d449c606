"""The catalog's records and files: round trips, nested sizes, and what a strict reader refuses."""

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recfw.elicitation.labels import LabelTree
from recfw.errors import DataError
from recfw_books.catalog.load import load_catalog
from recfw_books.catalog.records import BookCatalog, encode_books, parse_books, parse_labels, write_catalog
from recfw_books.model import FORMATS, GENRES, Book

TREES = {"language": LabelTree({"English": ["British English"]}), "country": LabelTree({})}

texts = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=20)
books = st.builds(
    Book,
    id=st.from_regex(r"wd_Q[1-9][0-9]{3,9}", fullmatch=True),
    title=texts,
    authors=st.lists(texts, min_size=1, max_size=3).map(tuple),
    year=st.integers(1460, 2026),
    genres=st.lists(st.sampled_from(GENRES), min_size=1, max_size=3, unique=True).map(tuple),
    language=texts,
    country=texts,
    sitelinks=st.integers(0, 400),
    formats=st.lists(st.sampled_from(FORMATS), min_size=1, unique=True).map(tuple),
)
catalogs = st.lists(books, min_size=1, max_size=8, unique_by=lambda book: book.id).map(
    lambda drawn: BookCatalog(tuple(drawn), TREES)
)


def row(**changes: object) -> dict[str, object]:
    """Return a line's fields, some changed."""
    return {
        "id": "wd_Q9000000001",
        "title": "The Silver Door",
        "authors": ["Dolores Cordero"],
        "year": 1889,
        "genres": ["Fantasy"],
        "language": "English",
        "country": "Chile",
        "sitelinks": 3,
        "formats": ["ebook"],
        **changes,
    }


def lines(*rows: object) -> bytes:
    """Return rows as JSON lines."""
    return b"".join(json.dumps(r).encode() + b"\n" for r in rows)


@pytest.mark.parametrize("compress", [False, True])
@settings(max_examples=25)
@given(catalog=catalogs)
def test_a_written_catalog_reads_back_equal(
    tmp_path_factory: pytest.TempPathFactory, catalog: BookCatalog, compress: bool
) -> None:
    """What write_catalog wrote, load_catalog returns, with the same digest."""
    out = tmp_path_factory.mktemp("catalog")
    write_catalog(catalog, out, compress=compress)
    read = load_catalog(str(out))
    assert (read.books, read.labels(), read.digest) == (catalog.books, catalog.labels(), catalog.digest)


@given(catalog=catalogs)
def test_lines_are_canonical(catalog: BookCatalog) -> None:
    """Keys are sorted, nothing is escaped needlessly, and there are no spaces: any JSON writer can redo a line."""
    expected = [
        json.dumps(json.loads(line), ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()
        for line in encode_books(catalog.books).splitlines()
    ]
    assert encode_books(catalog.books).splitlines() == expected


def test_sizes_are_the_nested_ones_that_fit() -> None:
    """5,000 and 10,000 are sizes of a catalog that has more books; the last size is all of it."""
    book = parse_books(lines(row()), "x")[0]
    sizes = {n: BookCatalog((book,) * n, TREES).sizes for n in (3, 5_000, 7_000, 10_001, 15_263)}
    assert sizes == {
        3: (3,),
        5_000: (5_000,),
        7_000: (5_000, 7_000),
        10_001: (5_000, 10_000, 10_001),
        15_263: (5_000, 10_000, 15_263),
    }


def test_a_prefix_is_the_first_books_in_order() -> None:
    """prefix(n) keeps order and trees, and refuses a size that the catalog has not."""
    drawn = parse_books(lines(*(row(id=f"b{i}") for i in range(4))), "x")
    catalog = BookCatalog(drawn, TREES)
    assert catalog.prefix(3).books == drawn[:3]
    assert catalog.prefix(4) is catalog
    with pytest.raises(DataError, match="has no 5 books"):
        catalog.prefix(5)


def test_the_digest_covers_order_and_labels() -> None:
    """Another order of books and another tree each change the digest."""
    one, two = parse_books(lines(row(id="a"), row(id="b")), "x")
    digests = {
        BookCatalog((one, two), TREES).digest,
        BookCatalog((two, one), TREES).digest,
        BookCatalog((one, two), {**TREES, "country": LabelTree({"Chile": ["Easter Island"]})}).digest,
    }
    assert len(digests) == 3


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"id": "wd Q1"}, "id"),
        ({"id": 7}, "id"),
        ({"title": " "}, "title"),
        ({"authors": []}, "authors"),
        ({"authors": ["A", ""]}, "authors"),
        ({"authors": "A"}, "authors"),
        ({"year": 1459}, "year"),
        ({"year": 2027}, "year"),
        ({"year": "1900"}, "year"),
        ({"year": 1900.0}, "year"),
        ({"year": True}, "year"),
        ({"genres": ["Western"]}, "genres"),
        ({"genres": []}, "genres"),
        ({"genres": ["War", "War"]}, "genres"),
        ({"language": ""}, "language"),
        ({"country": None}, "country"),
        ({"sitelinks": -1}, "sitelinks"),
        ({"formats": ["scroll"]}, "formats"),
        ({"formats": []}, "formats"),
    ],
)
def test_a_value_that_no_book_may_have_is_refused_by_line_and_field(changes: dict[str, object], field: str) -> None:
    """The sentence names file, line and field."""
    with pytest.raises(DataError, match=rf"^catalog\.jsonl: line 2: field '{field}'"):
        parse_books(lines(row(id="first"), row(**changes)), "catalog.jsonl")


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"{\n", "line 1: not JSON"),
        (b'"x"\n', "line 1: must be an object"),
        (lines(row()) + b"\xff\n", "line 2: not JSON"),
        (lines(row()) + b"\n", "line 2: not JSON"),
        (lines(row(), row()), "line 2: field 'id': 'wd_Q9000000001' occurs twice"),
        (lines({k: v for k, v in row().items() if k != "year"}), "line 1: lacks field 'year'"),
        (lines(row(isbn="1")), "line 1: has unknown field 'isbn'"),
        (b"", "holds no books"),
    ],
)
def test_a_malformed_line_is_refused(data: bytes, words: str) -> None:
    """A broken line, a missing or an extra field, a second use of an id and an empty file each have their sentence."""
    with pytest.raises(DataError) as caught:
        parse_books(data, "catalog.jsonl")
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("labels", "words"),
    [
        ({"language": {}}, "exactly the fields"),
        ({"language": {}, "country": {}, "genre": {}}, "exactly the fields"),
        ({"language": {"English": "British English"}, "country": {}}, "'language' must map"),
        ({"language": {}, "country": {"A": ["B"], "B": ["A"]}}, "'country': labels 'A' and 'B' cover one another"),
        ({"language": {"A": ["B"], "B": ["C"]}, "country": {}}, "'language': label 'A' covers 'B' but not all"),
    ],
)
def test_labels_that_are_no_trees_are_refused(labels: object, words: str) -> None:
    """labels.json must hold two transitive trees."""
    with pytest.raises(DataError) as caught:
        parse_labels(json.dumps(labels).encode(), "labels.json")
    assert "labels.json" in str(caught.value)
    assert words in str(caught.value)


def make_directory(path: Path) -> Path:
    """Write a catalog of one book and return its directory."""
    write_catalog(BookCatalog(parse_books(lines(row()), "x"), TREES), path)
    return path


def test_a_records_file_loads_with_the_labels_beside_it(tmp_path: Path) -> None:
    """A source may name the records file in a directory."""
    path = make_directory(tmp_path / "c")
    assert load_catalog(str(path / "catalog.jsonl")).digest == load_catalog(str(path)).digest


def test_what_is_no_catalog_gets_a_next_step(tmp_path: Path) -> None:
    """A missing path, an empty directory, a file of another kind and missing labels each say what to do."""
    path = make_directory(tmp_path / "c")
    (path / "labels.json").unlink()
    (tmp_path / "x.txt").write_text("x")
    (tmp_path / "empty").mkdir()
    hints = []
    for source in (tmp_path / "none", tmp_path / "empty", tmp_path / "x.txt", path):
        with pytest.raises(DataError) as caught:
            load_catalog(str(source))
        hints.append("recfw books build" in caught.value.hint)
    assert hints == [True, True, True, True]


def test_two_records_files_in_one_directory_are_refused(tmp_path: Path) -> None:
    """A directory with both a plain and a gzipped file does not silently mean one of them."""
    path = make_directory(tmp_path / "c")
    (path / "catalog.jsonl.gz").write_bytes(gzip.compress(b""))
    with pytest.raises(DataError, match="holds both"):
        load_catalog(str(path))


def test_a_damaged_gzip_file_is_one_sentence(tmp_path: Path) -> None:
    """A truncated file is damage, not a traceback."""
    catalog = BookCatalog(parse_books(lines(row()), "x"), TREES)
    records, _ = write_catalog(catalog, tmp_path / "c", compress=True)
    records.write_bytes(records.read_bytes()[:-12])
    with pytest.raises(DataError, match=r"catalog\.jsonl\.gz: damaged gzip file"):
        load_catalog(str(tmp_path / "c"))
