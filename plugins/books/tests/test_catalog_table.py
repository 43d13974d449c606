"""Real tables: which rows become books, with their counts, and a directory that appears whole or not at all."""

import gzip
import hashlib
import json
from pathlib import Path

import pytest

from recfw.errors import DataError, UsageError
from recfw_books.catalog.build import build_catalog
from recfw_books.catalog.load import load_catalog
from recfw_books.catalog.table import build_from_table, presets

COLUMNS = (
    "work_id",
    "wikidata_qid",
    "title",
    "authors",
    "year",
    "genres",
    "kind",
    "language",
    "countries",
    "sitelinks_2016",
    "sitelinks_2026",
)
GOOD = {
    "work_id": "Q5",
    "wikidata_qid": "Q5",
    "title": "The Door",
    "authors": "Ana Lim",
    "year": "1900",
    "genres": "War",
    "kind": "novel",
    "language": "English",
    "countries": "Chile",
    "sitelinks_2016": "4",
    "sitelinks_2026": "",
}


def table(path: Path, *rows: dict[str, str], header: tuple[str, ...] = COLUMNS) -> Path:
    """Write a table of rows that differ from GOOD in some cells."""
    text = "\n".join("\t".join(cells) for cells in (header, *([{**GOOD, **r}[c] for c in header] for r in rows)))
    path.write_bytes(gzip.compress((text + "\n").encode()) if path.suffix == ".gz" else (text + "\n").encode())
    return path


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ({"title": " "}, "no title"),
        ({"authors": "|"}, "no authors"),
        ({"year": ""}, "no year"),
        ({"genres": "Western"}, "no genres"),
        ({"language": ""}, "no language"),
        ({"countries": ""}, "no country"),
        ({"year": "1459"}, "year outside 1460-2026"),
        ({"year": "-500"}, "year outside 1460-2026"),
        ({"year": "c. 1900"}, "year is no whole number"),
        ({"kind": "play"}, "kind play"),
        ({"kind": "poetry"}, "kind poetry"),
        ({"title": "Door!", "authors": "ANA LIM"}, "same title and authors"),
        ({"title": "Another"}, "same id"),
        ({"title": "Another", "wikidata_qid": "", "work_id": ""}, "no id"),
    ],
)
def test_a_row_that_makes_no_book_is_dropped_and_counted(tmp_path: Path, row: dict[str, str], reason: str) -> None:
    """Each rule of spec section 1 has its own count."""
    catalog, counts = build_from_table(table(tmp_path / "t.tsv", {}, row), "librarydata")
    assert [book.title for book in catalog.books] == ["The Door"]
    assert {k: v for k, v in counts.items() if v and not k.startswith("noted")} == {
        "rows": 2,
        "kept": 1,
        f"dropped: {reason}": 1,
    }


def test_a_line_of_the_wrong_length_is_counted(tmp_path: Path) -> None:
    """A broken line costs that line only."""
    path = table(tmp_path / "t.tsv", {})
    path.write_text(path.read_text() + "one\ttwo\n")
    assert build_from_table(path, "librarydata")[1]["dropped: wrong number of cells"] == 1


def test_first_values_missing_popularity_and_quotes(tmp_path: Path) -> None:
    """The first of several languages and countries counts, a missing popularity is 0, quotes are letters."""
    row = {"title": 'The "Door', "language": "Dari|Persian", "countries": "Peru|Chile|Peru", "sitelinks_2016": ""}
    catalog, counts = build_from_table(table(tmp_path / "t.tsv.gz", row), "librarydata")
    book = catalog.books[0]
    assert (book.title, book.language, book.country, book.sitelinks) == ('The "Door', "Dari", "Peru", 0)
    noted = {k: v for k, v in counts.items() if k.startswith("noted") and v}
    assert noted == {
        "noted: first of several countries": 1,
        "noted: first of several languages": 1,
        "noted: no popularity, counted as 0": 1,
    }


def test_newer_popularity_wins(tmp_path: Path) -> None:
    """The preset's first filled column is the popularity."""
    catalog, _ = build_from_table(table(tmp_path / "t.tsv", {"sitelinks_2026": "9"}), "librarydata")
    assert catalog.books[0].sitelinks == 9


def test_ids_are_the_wikidata_one_or_a_safe_form_of_the_rows(tmp_path: Path) -> None:
    """Unsafe characters are replaced, and two rows whose safe forms agree keep apart."""
    rows = [
        {},
        {"title": "B", "wikidata_qid": "", "work_id": "pg11"},
        {"title": "C", "wikidata_qid": "", "work_id": "x:1"},
        {"title": "D", "wikidata_qid": "", "work_id": "x/1"},
    ]
    catalog, _ = build_from_table(table(tmp_path / "t.tsv", *rows), "librarydata")
    marks = [hashlib.sha256(own.encode()).hexdigest()[:8] for own in ("x:1", "x/1")]
    assert {book.title: book.id for book in catalog.books} == {
        "The Door": "wd_Q5",
        "B": "lib_pg11",
        "C": f"lib_x-1-{marks[0]}",
        "D": f"lib_x-1-{marks[1]}",
    }


def test_the_order_is_a_fixed_shuffle_and_size_takes_the_first(tmp_path: Path) -> None:
    """The same table gives the same order, not the table's; a size is a prefix of it."""
    rows = [{"title": f"T{i}", "wikidata_qid": f"Q{i + 1}"} for i in range(50)]
    path = table(tmp_path / "t.tsv", *rows)
    whole, _ = build_from_table(path, "librarydata")
    part, counts = build_from_table(path, "librarydata", size=20)
    assert [b.title for b in whole.books] != [r["title"] for r in rows]
    assert part.books == whole.books[:20]
    assert counts["dropped: beyond the size asked for"] == 30


def test_labels_come_from_a_file_or_the_default(tmp_path: Path) -> None:
    """England counts as the United Kingdom unless other trees are given."""
    path = table(tmp_path / "t.tsv", {})
    labels = tmp_path / "labels.json"
    labels.write_text('{"language": {}, "country": {"Chile": ["Easter Island"]}}')
    trees = [build_from_table(path, "librarydata", given)[0].trees["country"] for given in (None, labels)]
    assert [tree.covers("United Kingdom", "England") for tree in trees] == [True, False]
    assert [tree.covers("Chile", "Easter Island") for tree in trees] == [False, True]


def test_faulty_tables_are_one_sentence_each(tmp_path: Path) -> None:
    """A missing file or column, no row, bad bytes and damage are DataErrors that name the file."""
    plain = table(tmp_path / "a.tsv", {}, header=COLUMNS[1:])
    empty = table(tmp_path / "b.tsv", {"year": ""})
    latin = tmp_path / "c.tsv"
    latin.write_bytes(table(tmp_path / "d.tsv", {}).read_bytes() + b"\xe9\n")
    cut = table(tmp_path / "e.tsv.gz", {})
    cut.write_bytes(cut.read_bytes()[:-9])
    expected = {
        tmp_path / "none.tsv": "cannot be read",
        plain: "line 1: no column 'work_id'",
        empty: "no row makes a book",
        latin: "not UTF-8",
        cut: "damaged gzip file",
    }
    for path, words in expected.items():
        with pytest.raises(DataError) as caught:
            build_from_table(path, "librarydata")
        assert words in str(caught.value)
        assert path.name in str(caught.value)


def test_an_unknown_preset_names_the_known_ones(tmp_path: Path) -> None:
    """The sentence lists what there is."""
    with pytest.raises(UsageError, match="no preset 'x' \\(known: librarydata\\)"):
        build_from_table(table(tmp_path / "t.tsv", {}), "x")
    assert list(presets()) == ["librarydata"]


def test_build_writes_a_catalog_with_a_manifest(tmp_path: Path) -> None:
    """The directory loads, and the manifest holds the hash of each file, of the table, and the counts."""
    source, out = table(tmp_path / "t.tsv", {}), tmp_path / "deep" / "out"
    counts = build_catalog(source, "librarydata", out)
    manifest = json.loads((out / "manifest.json").read_text())
    hashes = {n: hashlib.sha256((out / n).read_bytes()).hexdigest() for n in ("catalog.jsonl", "labels.json")}
    assert manifest["files"] == hashes
    assert manifest["source"]["table_sha256"] == hashlib.sha256(source.read_bytes()).hexdigest()
    assert manifest["counts"] == dict(counts)
    assert manifest["digest"] == load_catalog(str(out)).digest
    assert [p.name for p in out.parent.iterdir()] == ["out"]


def test_a_catalog_that_is_not_what_its_manifest_says_is_refused(tmp_path: Path) -> None:
    """A file that changed after it was built is named; without the manifest it is read as it is."""
    out = tmp_path / "out"
    build_catalog(table(tmp_path / "t.tsv", GOOD), "librarydata", out)
    records, manifest = out / "catalog.jsonl", out / "manifest.json"
    records.write_text(records.read_text(encoding="utf-8").replace("The Door", "A Door"), encoding="utf-8")
    with pytest.raises(
        DataError, match=r"catalog\.jsonl: not as it was built: its SHA-256 is .* remove manifest\.json"
    ):
        load_catalog(str(out))
    manifest.write_text("{}", encoding="utf-8")
    with pytest.raises(DataError, match=r"manifest\.json: no manifest of a built catalog"):
        load_catalog(str(out))
    manifest.unlink()
    assert [book.title for book in load_catalog(str(out)).books] == ["A Door"]


def test_build_twice_gives_equal_bytes(tmp_path: Path) -> None:
    """No clock, path or order enters the files."""
    source = table(tmp_path / "t.tsv", {}, {"title": "B", "wikidata_qid": "Q6"})
    for name in ("one", "two"):
        build_catalog(source, "librarydata", tmp_path / name, compress=True)
    read = [{p.name: p.read_bytes() for p in (tmp_path / name).iterdir()} for name in ("one", "two")]
    assert read[0] == read[1]


def test_build_overwrites_only_a_built_catalog_and_only_when_forced(tmp_path: Path) -> None:
    """Without force nothing is replaced; with it, nothing that is not ours."""
    source, out = table(tmp_path / "t.tsv", {}), tmp_path / "out"
    build_catalog(source, "librarydata", out)
    with pytest.raises(UsageError, match="exists already"):
        build_catalog(source, "librarydata", out)
    build_catalog(source, "librarydata", out, compress=True, force=True)
    assert sorted(p.name for p in out.iterdir()) == ["catalog.jsonl.gz", "labels.json", "manifest.json"]
    other = tmp_path / "other"
    other.mkdir()
    (other / "thesis.txt").write_text("mine")
    with pytest.raises(UsageError, match="holds other things"):
        build_catalog(source, "librarydata", other, force=True)
    assert (other / "thesis.txt").read_text() == "mine"


def test_a_failed_build_leaves_the_old_catalog_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When writing fails, what was there stays as it was."""
    source, out = table(tmp_path / "t.tsv", {}), tmp_path / "out"
    build_catalog(source, "librarydata", out)
    before = {p.name: p.read_bytes() for p in out.iterdir()}

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("recfw_books.catalog.build.write_catalog", full)
    with pytest.raises(DataError, match="No space left"):
        build_catalog(source, "librarydata", out, force=True)
    assert {p.name: p.read_bytes() for p in out.iterdir()} == before
    assert sorted(p.name for p in tmp_path.iterdir()) == ["out", "t.tsv"]


def test_a_failed_swap_puts_the_old_catalog_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the new directory cannot take its place, the old one is there again."""
    source, out = table(tmp_path / "t.tsv", {}), tmp_path / "out"
    build_catalog(source, "librarydata", out)
    real = Path.replace

    def stuck(old: Path, new: Path) -> Path:
        if old.name == "new":
            raise OSError(18, "Invalid cross-device link")
        return real(old, new)

    monkeypatch.setattr(Path, "replace", stuck)
    with pytest.raises(DataError, match="cross-device"):
        build_catalog(source, "librarydata", out, compress=True, force=True)
    assert sorted(p.name for p in out.iterdir()) == ["catalog.jsonl", "labels.json", "manifest.json"]


def test_the_shared_table_gives_its_counts(shared_data: Path) -> None:
    """books_20k.tsv.gz leaves 15,263 works (the issue: about 15,260), with exactly these counts."""
    catalog, counts = build_from_table(shared_data / "books" / "books_20k.tsv.gz", "librarydata")
    assert dict(counts) == {
        "rows": 20_000,
        "kept": 15_263,
        "dropped: kind play": 1_310,
        "dropped: kind poetry": 734,
        "dropped: no year": 2_668,
        "dropped: year outside 1460-2026": 25,
        "noted: first of several countries": 105,
        "noted: first of several languages": 9,
        "noted: no popularity, counted as 0": 7_856,
    }
    assert catalog.sizes == (5_000, 10_000, 15_263)
    assert sum(catalog.trees["country"].covers("United Kingdom", b.country) for b in catalog.books) > 4_000
