"""The pure pipeline: its steps, rules, corrections and trees on made-up works, and nested catalogs of many."""

import gzip
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from recfw.cli.main import invoke
from recfw.errors import DataError, UsageError
from recfw_books.catalog.load import load_catalog
from recfw_books.catalog.records import encode_books
from recfw_books.wikidata import steps
from recfw_books.wikidata.corrections import ABSENT, ALREADY, APPLIED, DIFFERENT, correct
from recfw_books.wikidata.gather import gather
from recfw_books.wikidata.items import Item, Term, Work
from recfw_books.wikidata.pipeline import build
from recfw_books.wikidata.reading import Rows, read_rows
from recfw_books.wikidata.responses import canonical
from recfw_books.wikidata.rules import Correction, Kind, read_rules
from recfw_books.wikidata.tree import label_tree

from .conftest import date, results, rows_of, text, uri

ENGLISH, BRITISH, FRENCH = Term("Q1860", "English"), Term("Q7979", "British English"), Term("Q150", "French")
UK, FRANCE = Term("Q145", "United Kingdom"), Term("Q142", "France")
WORK = Work("Q1", "The Glass River", (Term("Q51", "Ann Bo"),), 1953, ("Crime",), ENGLISH, UK, 7)
ITEM = Item("Q1", "T", ("Q571",), (), (Term("Q51", "Ann Bo"),), 0, (1953,), 0, ("Q83267",), (ENGLISH,), (UK,), 7)
ORDER = ["Q1", "Q10", "Q2", "Q6", "Q7", "Q4", "Q3", "Q8", "Q5", "Q9"]
KINDS = {
    "Q571": Kind(kept=True, name="", as_genre=False),
    "Q277759": Kind(kept=False, name="series", as_genre=False),
    "Q5185279": Kind(kept=False, name="poem", as_genre=True),
}


def gathered(*rows: Mapping[str, Any]) -> Any:
    """Return what rows say."""
    return gather(map(canonical, rows))


def test_a_date_less_precise_than_a_year_is_none() -> None:
    """Precision 9 is a year; 7 is a century, whose first year says nothing."""
    row = {"item": uri("Q1"), "date": date(1901)}
    (item,) = gathered({**row, "precision": text("7", None)}, {"item": uri("Q1"), "date": date(1950)}).items
    assert (item.years, item.vague) == ((1950,), 1)
    (item,) = gathered({**row, "precision": text("9", None)}).items
    assert (item.years, item.vague) == ((1901,), 0)


@pytest.mark.parametrize("value", ["soon", "", "1953", "99999999-01-01T00:00:00Z", "t1234"])
def test_a_date_that_is_none_is_counted(value: str) -> None:
    """Words, a bare year and a blank node are no date."""
    found = gathered({"item": uri("Q1"), "date": {"type": "bnode" if value[:1] == "t" else "literal", "value": value}})
    assert (found.items[0].years, found.counts["rows with an unknown date"]) == ((), 1)


def test_labels_in_english_come_first() -> None:
    """English before all languages, then the first by code points; another language is no title."""
    item = {"item": uri("Q1")}
    labels = [text("Zoo", "mul"), text("Bo", "en"), text("Al", "en"), text("Aa", "de")]
    assert gathered(*({**item, "itemLabel": label} for label in labels)).items[0].title == "Al"
    assert gathered({**item, "itemLabel": text("Aa", "de")}).items[0].title == ""


def test_an_id_is_no_label_whatever_its_tag() -> None:
    """The stand-in for a missing label does not become a title; a title may well look like the id of something else."""
    rows = [{"item": uri("Q1"), "itemLabel": text("Q1")}, {"item": uri("Q2"), "itemLabel": text("Q1")}]
    assert [item.title for item in gathered(*rows).items] == ["", "Q1"]


def test_most_sitelinks_count() -> None:
    """Pages fetched at different times may differ."""
    rows = [{"item": uri("Q1"), "sitelinks": text(number, None)} for number in ("4", "12", "x")]
    assert gathered(*rows).items[0].sitelinks == 12


def test_rows_of_something_else_are_counted() -> None:
    """A row without a work and without a parent says nothing."""
    assert gathered({"x": text("y")}, {"item": text("Q1")}).counts["rows that name no work and no parent"] == 2


def test_a_class_means_what_the_nearest_one_means() -> None:
    """A class of one's own counts before the one above it; of two equally near, the one to drop."""
    parents = {
        "Q2": frozenset({"Q3"}),
        "Q3": frozenset({"Q571", "Q4"}),
        "Q4": frozenset({"Q277759"}),
        "Q5": frozenset({"Q571", "Q277759"}),
        "Q6": frozenset({"Q7"}),
        "Q7": frozenset({"Q6"}),
    }
    classes = steps.Classes(KINDS, parents)
    found = {name: classes.kind(name) for name in ("Q571", "Q2", "Q5", "Q6")}
    assert {name: kind and kind.name for name, kind in found.items()} == {
        "Q571": "",
        "Q2": "",
        "Q5": "series",
        "Q6": None,
    }


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({}, None),
        ({"classes": ("Q571", "Q277759")}, "series"),
        ({"forms": ("Q5185279",)}, "poem"),
        ({"genres": ("Q83267", "Q5185279")}, "poem"),
        ({"genres": ("Q277759",)}, None),
    ],
)
def test_kinds_are_dropped_by_class_form_or_genre(changed: Mapping[str, Any], reason: str | None) -> None:
    """Any class or form that is to be dropped counts, a genre only where the rules say so."""
    _, step = steps.drop_kinds([evolve(ITEM, **changed)], steps.Classes(KINDS, {}))
    assert step.dropped == ({reason: 1} if reason else {})


@pytest.mark.parametrize(
    ("step", "changed", "reason"),
    [
        (steps.keep_authored, {"authors": ()}, "no known author"),
        (steps.keep_authored, {"authors": (), "nameless": 1}, "authors without an English label"),
        (steps.keep_dated, {"years": ()}, "no known publication date"),
        (steps.keep_dated, {"years": (), "vague": 2}, "dates less precise than a year"),
        (steps.keep_in_a_language, {"languages": ()}, "no language"),
        (steps.keep_titled, {"title": ""}, "no English label"),
        (steps.keep_from_a_country, {"countries": ()}, "no country"),
        (lambda items: steps.keep_literary(items, steps.Classes(KINDS, {})), {"classes": ("Q8",)},
         "no class of literary or written works"),
        (lambda items: steps.keep_in_a_genre(items, {"Q9": ()}), {"genres": ("Q9",)}, "only unmapped genres"),
        (lambda items: steps.keep_in_a_genre(items, {"Q9": ()}), {"genres": ()}, "no genre"),
    ],
)  # fmt: skip
def test_what_is_missing_is_named(step: Any, changed: Mapping[str, Any], reason: str) -> None:
    """Each condition drops a work without what it asks for, and counts why."""
    kept, done = step([evolve(ITEM, **changed)])
    assert (kept, done.before, done.after, done.dropped) == ([], 1, 0, {reason: 1})


@pytest.mark.parametrize(("year", "kept"), [(1459, 0), (1460, 1), (2026, 1), (2027, 0)])
def test_the_years_end_where_the_catalog_does(year: int, kept: int) -> None:
    """1460 to 2026, both included."""
    assert len(steps.keep_in_years([evolve(WORK, year=year)])[0]) == kept


def test_duplicates_keep_the_popular_then_the_low_number() -> None:
    """Title and authors are compared without case, punctuation and article."""
    twins = [
        evolve(WORK, id="Q10"),
        evolve(WORK, id="Q9", title="Glass river!"),
        evolve(WORK, id="Q3", sitelinks=6),
        evolve(WORK, id="Q2", authors=(Term("Q52", "Bo Ann"),), sitelinks=1),
    ]
    assert [work.id for work in steps.deduplicate(twins)[0]] == ["Q9", "Q2"]


def test_the_order_never_changes() -> None:
    """Pinned: catalogs and tasks rely on it, whatever order the works come in."""
    works = [evolve(WORK, id=f"Q{number}") for number in range(1, 11)]
    found = [[work.id for work in steps.shuffle(some)[0]] for some in (works, works[::-1])]
    assert found == [ORDER, ORDER]


def test_an_exclusion_counts_its_rule() -> None:
    """The plugin's two rules: a series or an edition that calls itself a book."""
    titles = ["The Glass River (series)", "The Glass River (1885 Ormsby translation)", "Series"]
    kept, step = steps.exclude([evolve(WORK, title=title) for title in titles], read_rules().exclusions)
    assert ([work.title for work in kept], step.dropped) == (["Series"], {"rule edition": 1, "rule series": 1})


@pytest.mark.parametrize(
    ("field", "wrong", "right", "value"),
    [
        ("title", "The Glass River", "The River", "The River"),
        ("year", "1953", "1954", 1954),
        ("genres", "Crime", "War|Crime", ("Crime", "War")),
        ("language", "English", "French", Term("", "French")),
        ("country", "United Kingdom", "France", Term("", "France")),
        ("authors", "Ann Bo", "Ann Boe", (Term("Q51", "Ann Boe"),)),
    ],
)
def test_a_value_is_put_right(field: str, wrong: str, right: str, value: object) -> None:
    """Each field of one work; no other work changes."""
    named = "author" if field == "authors" else field
    (corrected, other), step, (use,) = correct(
        [WORK, evolve(WORK, id="Q2")], [Correction("Q1", named, wrong, right, "why")]
    )
    assert (getattr(corrected, field), other, use.status, use.works) == (value, evolve(WORK, id="Q2"), APPLIED, 1)
    assert step.noted == {"with a corrected value": 1}


def test_a_label_is_put_right_wherever_it_is() -> None:
    """A language of two works, and a name."""
    works = [WORK, evolve(WORK, id="Q2", language=FRENCH), evolve(WORK, id="Q3")]
    found, _, (use, _) = correct(
        works,
        [Correction("Q1860", "label", "English", "Englisch", "why"), Correction("Q51", "label", "Ann Bo", "A", "")],
    )
    assert [work.language.label for work in found] == ["Englisch", "French", "Englisch"]
    assert ([work.authors[0].label for work in found], use.works) == (["A"] * 3, 2)


def test_a_correction_that_does_not_fit_is_told() -> None:
    """Right already, something else, or nothing that has it: nothing changes and the status says which."""
    corrections = [
        Correction("Q1", "year", "1900", "1953", ""),
        Correction("Q1", "year", "1900", "1901", ""),
        Correction("Q77", "year", "1900", "1901", ""),
        Correction("Q1860", "label", "Anglais", "English", ""),
        Correction("Q77", "label", "a", "b", ""),
    ]
    works, step, uses = correct([WORK], corrections)
    assert (works, step.noted) == ([WORK], {})
    assert [use.status for use in uses] == [ALREADY, DIFFERENT, ABSENT, ALREADY, ABSENT]


def test_a_corrected_title_may_make_a_duplicate(tmp_path: Path) -> None:
    """What a correction makes equal is one work again, counted on its own."""
    head = "entity\tfield\tfrom\tto\treason\n"
    (tmp_path / "corrections.tsv").write_text(
        f"{head}Q8\ttitle\tWork 8\tWork 4\twhy\nQ8\tauthor\tAuthor 8\tAuthor 4\twhy\n"
    )
    rows = tuple(sorted(canonical(row) for number in (4, 8) for row in rows_of(number)))
    built = build(Rows(rows, 1, len(rows), {}), read_rules(tmp_path))
    dropped = {step.name: step.dropped for step in built.account.steps if step.dropped}
    assert dropped == {"each corrected title and authors once": {"same title and authors": 1}}


def test_a_tree_reaches_over_labels_that_no_work_has() -> None:
    """British English lies under a variety that no work has, and that under English."""
    tree, mutual = label_tree([ENGLISH, BRITISH, FRENCH], {"Q7979": {"Q8"}, "Q8": {"Q1860"}, "Q1860": {"Q33"}})
    assert (tree.children(), mutual) == ({"English": ["British English"]}, 0)


def test_labels_that_cover_one_another_are_left_out() -> None:
    """A circle of two covers neither, yet both cover what lies below; nothing lies under itself."""
    terms = [ENGLISH, BRITISH, FRENCH]
    tree, mutual = label_tree(terms, {"Q7979": {"Q1860"}, "Q1860": {"Q7979", "Q1860"}, "Q150": {"Q7979"}})
    assert (tree.children(), mutual) == ({"British English": ["French"], "English": ["French"]}, 1)


def test_equal_labels_are_one() -> None:
    """Two entities of one name share what lies under either."""
    tree, _ = label_tree([ENGLISH, Term("Q9", "English"), BRITISH], {"Q7979": {"Q9"}})
    assert tree.children() == {"English": ["British English"]}


@pytest.mark.parametrize(
    ("file", "row", "told"),
    [
        ("classes.tsv", "book\tx\tkeep\t\t\t", "class must be an entity such as Q571, not 'book'"),
        ("classes.tsv", "Q1\tx\tmaybe\t\t\t", "verdict must be keep or drop, not 'maybe'"),
        ("classes.tsv", "Q1\tx\tdrop\tplay\t\t", "a dropped class needs a kind and a reason"),
        ("classes.tsv", "Q1\tx\tkeep\t\tyes\t", "as_genre must be empty, or yes where the verdict is drop, not 'yes'"),
        ("genres.tsv", "Q1\tx\tSci-Fi\t", "'Sci-Fi' is no genre of the catalog"),
        ("genres.tsv", "Q1\tx\t\t", "a genre without labels needs a reason"),
        ("genres.tsv", "Q1\tx", "has 2 cells, not 4"),
        ("corrections.tsv", "x\ttitle\ta\tb\tc", "entity must be one such as Q571, not 'x'"),
        ("corrections.tsv", "Q1\tpages\ta\tb\tc", "field must be one of label, title,"),
        ("corrections.tsv", "Q1\ttitle\ta\tb\t", "from, to and reason must not be empty"),
        ("corrections.tsv", "Q1\tyear\t1900\t1200\tc", "to must be a year from 1460 to 2026, not '1200'"),
        ("corrections.tsv", "Q1\tgenres\tCrime\tX\tc", "'X' is no genre of the catalog"),
        ("exclusions.tsv", "a\tpages\tb\tc", "field must be one of id, title, author, not 'pages'"),
        ("exclusions.tsv", "a\ttitle\t(\tc", "pattern is no regular expression ("),
        ("exclusions.tsv", "a\ttitle\tb\t", "rule, pattern and reason must not be empty"),
    ],
)
def test_a_faulty_rule_is_named(tmp_path: Path, file: str, row: str, told: str) -> None:
    """The sentence names file, line and what it must hold."""
    shipped = Path(steps.__file__).parent / "rules" / file
    (tmp_path / file).write_text(shipped.read_text("utf-8").splitlines()[0] + f"\n{row}\n", "utf-8")
    with pytest.raises(DataError) as caught:
        read_rules(tmp_path)
    assert caught.value.message.startswith(f"{file}: line 2: {told}")


def test_a_rule_stands_once(tmp_path: Path) -> None:
    """An entity twice, or the same correction twice, is a mistake; so is a file with other columns."""
    row = "Q1\ttitle\ta\tb\tc\n"
    for data, told in (
        (f"entity\tfield\tfrom\tto\treason\n{row}{row}", "line 3: says the same"),
        ("x\n", "line 1: must name"),
    ):
        (tmp_path / "corrections.tsv").write_text(data)
        with pytest.raises(DataError, match=told):
            read_rules(tmp_path)


def test_rules_of_a_folder_without_any(tmp_path: Path) -> None:
    """A folder that holds none of the files is a wrong folder."""
    with pytest.raises(UsageError, match=r"holds none of classes.tsv, genres.tsv, corrections.tsv, exclusions.tsv"):
        read_rules(tmp_path)


def test_every_shipped_entry_has_its_reason() -> None:
    """Corrections and exclusions say why; a genre without labels and a dropped class do, too (checked on reading)."""
    rules = read_rules()
    assert all(entry.reason for entry in (*rules.corrections, *rules.exclusions))
    assert {label for labels in rules.genres.values() for label in labels} == set(steps.GENRES)


@pytest.mark.parametrize(
    ("name", "data", "told"),
    [
        ("a.json", b'{"head": {"vars": ["item"]}, "results": {"bindings": [{"item"', "a.json: no JSON, or cut off"),
        ("a.json", b"[]", "a.json: no SPARQL result: it lacks head.vars or results.bindings."),
        ("a.json", b'{"head": {"vars": 1}, "results": {"bindings": []}}', "must be lists"),
        ("a.json", b'{"head": {"vars": []}, "results": {"bindings": [{}, {"a": 1}]}}', r"@ results.bindings\[1\]"),
        ("a.json.gz", b"no gzip", "damaged gzip file"),
        ("a.txt", b"", "holds no .json or .json.gz file"),
    ],
)
def test_a_faulty_snapshot_is_named(tmp_path: Path, name: str, data: bytes, told: str) -> None:
    """Cut-off JSON, another shape, a damaged file, a folder of other things."""
    (tmp_path / name).write_bytes(data)
    with pytest.raises(DataError, match=told):
        read_rows(tmp_path)


def test_a_snapshot_without_a_book_tells_what_became_of_it(tmp_path: Path) -> None:
    """The counts of all steps are in the sentence."""
    (tmp_path / "a.json").write_bytes(results([{"item": uri("Q1"), "class": uri("Q571")}]))
    with pytest.raises(DataError, match=r"no work of the snapshot makes a book \(1 works; no known author 1\)"):
        build(read_rows(tmp_path), read_rules())


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((), "a catalog is built from one source. Give either --table and --preset, or --snapshot."),
        (("--snapshot", "s", "--table", "t"), "a catalog is built from one source."),
        (("--table", "t"), "the table's layout is not known. Give --preset; --presets lists them."),
        (("--table", "t", "--preset", "librarydata", "--rules", "r"), "--rules are those of a snapshot."),
        (("--snapshot", "s", "--preset", "librarydata"), "--preset is the layout of a table."),
        (("--snapshot", "s", "--size", "0"), "a catalog of 0 books cannot be built."),
    ],
)
def test_build_takes_one_source(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: tuple[str, ...],
    told: str,
) -> None:
    """What does not go together is told in one line, and nothing is made."""
    monkeypatch.chdir(tmp_path)
    Path("s").mkdir()
    Path("s/a.json").write_bytes(results(rows_of(1)))
    assert invoke(["books", "build", "--out", "made", *words]) == 2
    assert capsys.readouterr().err.startswith(f"Error: {told}")
    assert not Path("made").exists()


def of_embedded(size: int, folder: Path) -> None:
    """Write the first embedded books as a snapshot of one gzipped response."""
    numbers: dict[str, int] = {}
    genres = {label: f"Q{number}" for number, label in enumerate(steps.GENRES, 1)}
    table = "".join(f"{genre}\t{label}\t{label}\t\n" for label, genre in genres.items())
    (folder / "genres.tsv").write_text(f"genre\tlabel\tgenres\treason\n{table}")
    rows: list[dict[str, Any]] = []
    for number, book in enumerate(load_catalog().prefix(size).books, 100):
        item = {"item": uri(f"Q{number}"), "itemLabel": text(book.title)}
        for name in (*book.authors, book.language, book.country):
            numbers.setdefault(name, 1_000_000 + len(numbers))
        language, country = numbers[book.language], numbers[book.country]
        rows += ({**item, "genre": uri(genres[label])} for label in book.genres)
        rows += ({**item, "author": uri(f"Q{numbers[name]}"), "authorLabel": text(name)} for name in book.authors)
        rows += [
            {**item, "class": uri("Q571"), "date": date(book.year), "sitelinks": text(str(book.sitelinks), None)},
            {**item, "language": uri(f"Q{language}"), "languageLabel": text(book.language)},
            {**item, "country": uri(f"Q{country}"), "countryLabel": text(book.country)},
        ]
    (folder / "works.json.gz").write_bytes(gzip.compress(results(rows), 1))


def plain(catalog: Any) -> list[tuple[Any, ...]]:
    """Return what a catalog's books are, whatever their ids and order."""
    return sorted(
        (b.title, sorted(b.authors), b.year, b.genres, b.language, b.country, b.sitelinks) for b in catalog.books
    )


def test_many_works_come_through(tmp_path: Path) -> None:
    """Books put into the shape of a response come out as they were, and smaller sizes are prefixes of larger ones."""
    of_embedded(800, tmp_path)
    rows, rules = read_rows(tmp_path), read_rules(tmp_path)
    whole = build(rows, rules).catalog
    assert plain(whole) == plain(load_catalog().prefix(800))
    assert encode_books(whole.books[:300]) == encode_books(build(rows, rules, 300).catalog.books)


@pytest.mark.slow
def test_twenty_thousand_works_carry_families(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The nested 5k and 10k catalogs are in the manifest, and 150 families are drawn and valid."""
    of_embedded(20_000, tmp_path)
    out = tmp_path / "made"
    words = ["--snapshot", str(tmp_path), "--rules", str(tmp_path), "--out", str(out)]
    assert (
        invoke(["books", "build", *words, "--labels", str(Path(steps.__file__).parents[1] / "data/labels.json")]) == 0
    )
    manifest = json.loads((out / "manifest.json").read_text())
    assert (manifest["sizes"], list(manifest["nested_sha256"])) == ([5000, 10000, 20000], ["10000", "20000", "5000"])
    assert invoke(["books", "validate", "--catalog", str(out)]) == 0
    assert "No problem in 150 families, 450 tasks" in capsys.readouterr().out
