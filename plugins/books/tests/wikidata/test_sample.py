"""Every quirk of the real sample, as its notes name them: what becomes of those works, and of the counts."""

import csv
import gzip
import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from recfw.cli.main import invoke
from recfw_books.model import Book
from recfw_books.wikidata.gather import gather
from recfw_books.wikidata.items import Item
from recfw_books.wikidata.pipeline import Built, build
from recfw_books.wikidata.reading import Rows, read_rows
from recfw_books.wikidata.rules import read_rules

SPLIT = 3


@pytest.fixture(scope="module")
def rows(shared_data: Path) -> Rows:
    """Return the sample's rows."""
    return read_rows(shared_data / "books" / "wikidata_sparql_sample.json")


@pytest.fixture(scope="module")
def items(rows: Rows) -> Mapping[str, Item]:
    """Return the sample's works by id, as they were gathered."""
    return {item.id: item for item in gather(rows.lines).items}


@pytest.fixture(scope="module")
def built(rows: Rows) -> Built:
    """Return the sample's catalog."""
    return build(rows, read_rules())


@pytest.fixture(scope="module")
def books(built: Built) -> Mapping[str, Book]:
    """Return the sample's books by the work's id."""
    return {book.id.removeprefix("wd_"): book for book in built.catalog.books}


@pytest.fixture(scope="module")
def cases(shared_data: Path) -> Mapping[str, Sequence[str]]:
    """Return case -> ids of the works that the notes name for it."""
    found: dict[str, list[str]] = {}
    with (shared_data / "books" / "wikidata_sparql_sample_notes.tsv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            for case in row["cases"].split("|"):
                found.setdefault(case.split(":")[0], []).append(row["qid"])
    return found


def test_repeated_rows_count_once(rows: Rows) -> None:
    """Of 369 rows two are repetitions."""
    assert (rows.rows, len(rows.lines)) == (369, 367)


def test_several_dates_give_the_earliest(books: Mapping[str, Book], items: Mapping[str, Item]) -> None:
    """1Q84 came out in 2009 and 2010."""
    assert items["Q208971"].years == (2009, 2010)
    years = {qid: books[qid].year for qid in ("Q1213902", "Q726254", "Q208971", "Q718268", "Q17111624")}
    assert years == {"Q1213902": 1864, "Q726254": 1906, "Q208971": 2009, "Q718268": 1895, "Q17111624": 2011}


def test_several_authors_stay_in_one_record(books: Mapping[str, Book]) -> None:
    """Authors are ordered by their numbers, whatever the order of the rows."""
    assert books["Q1052459"].authors == ("Terry Pratchett", "Neil Gaiman")
    assert books["Q40591"].authors == ("Karl Marx", "Friedrich Engels")


def test_several_countries_give_the_first(books: Mapping[str, Book], items: Mapping[str, Item]) -> None:
    """The lowest number counts, and a correction puts right what is wrong that way."""
    assert [term.label for term in items["Q452075"].countries] == ["Spain", "Portugal"]
    found = {qid: books[qid].country for qid in ("Q452075", "Q211006", "Q187655", "Q20124")}
    assert found == {
        "Q452075": "Spain",
        "Q211006": "United States",
        "Q187655": "United Kingdom",
        "Q20124": "United Kingdom",
    }


def test_several_genres_are_all_kept(books: Mapping[str, Book]) -> None:
    """Genres become the catalog's labels, in its order, each once."""
    assert books["Q81689"].genres == ("Crime", "Mystery", "Thriller")
    assert books["Q217352"].genres == ("Drama", "Horror", "Science Fiction")


def test_several_classes_are_one_work(books: Mapping[str, Book], items: Mapping[str, Item]) -> None:
    """A literary and a written work is a work, and one record."""
    assert items["Q1396889"].classes == ("Q7725634", "Q47461344")
    assert {"Q1396889", "Q483034", "Q326914"} <= books.keys()


def test_years_before_the_catalogs_are_dropped(
    books: Mapping[str, Book], items: Mapping[str, Item], cases: Mapping[str, Sequence[str]]
) -> None:
    """Years before the common era are read with their sign; those and early ones are outside of the range."""
    assert (items["Q123397"].years, items["Q8279"].years) == ((-379,), (1011,))
    assert not books.keys() & {*cases["bce_date"], *cases["imprecise_early_date"]}


@pytest.mark.parametrize(
    "case",
    [
        *("missing_item_label", "missing_author_label", "missing_genre", "missing_date", "unknown_value_date"),
        *("unknown_value_author", "missing_optional", "missing_country_language", "filter_series"),
        *("filter_short_story", "filter_graphic_novel", "filter_edition", "synthetic_id"),
    ],
)
def test_what_lacks_something_or_is_no_book_is_dropped(
    books: Mapping[str, Book], cases: Mapping[str, Sequence[str]], case: str
) -> None:
    """No work of the case makes a book."""
    assert len(cases[case]) > 0
    assert not books.keys() & set(cases[case])


def test_an_id_in_place_of_a_label_is_no_label(items: Mapping[str, Item]) -> None:
    """The label service's stand-in names neither a work nor a person."""
    assert items["Q2157959"].title == ""
    assert (items["Q607112"].authors, items["Q607112"].nameless) == ((), 1)


def test_an_unknown_value_is_none(items: Mapping[str, Item]) -> None:
    """A generated address is neither a date nor an author."""
    assert (items["Q1053359"].years, items["Q8258"].authors, items["Q8258"].nameless) == ((), (), 0)


def test_labels_for_all_languages_count(books: Mapping[str, Book]) -> None:
    """A label tagged `mul` is a title and a name."""
    assert books["Q47598"].title == "Harry Potter and the Prisoner of Azkaban"
    assert books["Q602288"].authors == ("Stephen King",)


def test_duplicates_leave_the_more_popular(books: Mapping[str, Book], cases: Mapping[str, Sequence[str]]) -> None:
    """Of each pair with equal title and author the one with more sitelinks is kept."""
    found = books.keys() & set(cases["duplicate_normalised_title"])
    assert found == {"Q3107329", "Q466504", "Q4080576", "Q5406934", "Q1247790", "Q3272407"}


def test_equal_titles_of_other_authors_stay(books: Mapping[str, Book], cases: Mapping[str, Sequence[str]]) -> None:
    """Three Survivors, three Haunteds, three Twilights, three Nemeses."""
    assert set(cases["same_title_different_author"]) <= books.keys()


def test_collections_of_stories_are_works(books: Mapping[str, Book]) -> None:
    """A short story is dropped, a book of them kept; Chaucer's is from before the catalog's years."""
    assert {"Q165068", "Q392147"} <= books.keys()


def test_works_that_hardly_anybody_knows_stay(books: Mapping[str, Book], cases: Mapping[str, Sequence[str]]) -> None:
    """One sitelink is enough, except for those of which nothing but `novel` is known."""
    assert set(cases["low_sitelinks"]) - books.keys() == {"Q7755292", "Q18786786"}


def test_a_form_as_genre_drops_plays_and_poems(books: Mapping[str, Book]) -> None:
    """`book` with the genre play, or poem, is one; with the genre poetry it is a book of poems."""
    assert not books.keys() & {"Q7735382", "Q4656134", "Q581458", "Q2307419"}
    assert {"Q5119635", "Q6691403"} <= books.keys()


def test_every_step_adds_up(built: Built) -> None:
    """Each step begins with what the one before left, and tells why it dropped each work."""
    steps = built.account.steps
    assert [step.before for step in steps[1:]] == [step.after for step in steps[:-1]]
    assert [step.before - step.after for step in steps] == [sum(step.dropped.values()) for step in steps]
    counts = [(step.name, step.after) for step in steps]
    assert (counts[0], counts[-1]) == (("literary or written works", 225), ("the first 20,000", 137))


def test_the_plugins_trees_stand_in(built: Built) -> None:
    """A snapshot that never asked what lies under what gets the trees of real tables, and says so."""
    assert built.catalog.trees["country"].covers("United Kingdom", "Scotland")
    assert built.account.labels.startswith("the plugin's file")


def test_each_correction_says_what_became_of_it(built: Built) -> None:
    """Nine values are put right, some labels are right already, some countries do not occur."""
    found: dict[str, int] = {}
    for use in built.account.corrections:
        found[use.status.split(":")[0]] = found.get(use.status.split(":")[0], 0) + 1
    assert found == {"applied": 9, "not needed": 3, "not met": 5}


def made(*words: str, **environ: str) -> Mapping[str, bytes]:
    """Build in a process of its own; return the files' bytes."""
    out = Path("made")
    code = "import sys; from recfw.cli.main import main; main()"
    command = [sys.executable, "-c", code, "books", "build", "--out", str(out), "--force", *words]
    subprocess.run(command, check=True, capture_output=True, env={**os.environ, **environ})
    return {path.name: path.read_bytes() for path in out.iterdir()}


def test_the_same_bytes_everywhere(sample: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another hash seed, locale, time zone, spread, order, compression or name of the files: not one byte differs."""
    monkeypatch.chdir(tmp_path)
    whole = json.loads(sample.read_bytes())
    rows = whole["results"]["bindings"]
    Path("parts").mkdir()
    for part in range(SPLIT):
        some = {**whole, "results": {"bindings": rows[::-1][part::SPLIT]}}
        text = json.dumps(some, indent=part).encode()
        path = Path("parts") / f"{'zya'[part]}.json"
        path.write_bytes(text)
        if part == 1:
            path.with_name(path.name + ".gz").write_bytes(gzip.compress(text))
            path.unlink()
    first = made("--snapshot", str(sample), PYTHONHASHSEED="1", LC_ALL="C", TZ="UTC")
    other = made("--snapshot", "parts", PYTHONHASHSEED="2", LC_ALL="tr_TR.UTF-8", TZ="Asia/Tokyo", PYTHONUTF8="0")
    ours = json.loads(first["manifest.json"])
    theirs = json.loads(other["manifest.json"])
    assert (ours["source"].pop("responses"), theirs["source"].pop("responses")) == (1, SPLIT)
    assert ours == theirs
    assert (first["catalog.jsonl"], first["labels.json"]) == (other["catalog.jsonl"], other["labels.json"])


def test_the_sample_is_a_catalog_for_a_run_but_too_small(
    sample: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`recfw books stats` reads it; `recfw run` and `recfw books validate` say that it carries no 150 families."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert invoke(["books", "build", "--snapshot", str(sample), "--out", "made"]) == 0
    assert "137 books may be too few for the 150 families" in capsys.readouterr().out
    assert invoke(["books", "stats", "--catalog", "made"]) == 0
    capsys.readouterr()
    for command in (["run", "--plugin", "books"], ["books", "validate"]):
        assert invoke([*command, "--catalog", "made"]) == 4
        errors = capsys.readouterr().err
        assert "a catalog of 137 books carries no family" in errors
        assert "Use a larger catalog" in errors
