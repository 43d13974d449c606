"""The embedded catalog: the paper's shape, no work twice, and a rebuild that gives the same bytes."""

import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from recfw_books.catalog.fiction.world import read_countries
from recfw_books.catalog.formats import formats_of
from recfw_books.catalog.load import load_catalog
from recfw_books.catalog.normalise import normalise_title, work_key
from recfw_books.catalog.records import BookCatalog
from recfw_books.model import GENRES, Book


@pytest.fixture(scope="module")
def catalog() -> BookCatalog:
    """Return the shipped catalog."""
    return load_catalog()


def share(catalog: BookCatalog, field: str, label: str) -> float:
    """Return the share of books that carry a label or one that it covers."""
    covered = {label} | catalog.trees[field].below(label)
    return sum(getattr(book, field) in covered for book in catalog.books) / len(catalog.books)


def test_it_has_20000_books_in_three_nested_sizes(catalog: BookCatalog) -> None:
    """5k, 10k and 20k, as the paper."""
    assert catalog.sizes == (5_000, 10_000, 20_000)


def test_the_papers_shares_hold_within_half_a_point(catalog: BookCatalog) -> None:
    """English 83.2 %, United States 41.5 %, United Kingdom 13.4 %, each with the labels that it covers."""
    shares = {
        "English": share(catalog, "language", "English"),
        "United States": share(catalog, "country", "United States"),
        "United Kingdom": share(catalog, "country", "United Kingdom"),
    }
    assert shares == pytest.approx({"English": 0.832, "United States": 0.415, "United Kingdom": 0.134}, abs=0.005)


def test_the_shares_hold_in_the_5k_prefix_within_two_points(catalog: BookCatalog) -> None:
    """The order is a shuffle: a prefix has the same shape."""
    small = catalog.prefix(5_000)
    shares = [share(small, "language", "English"), share(small, "country", "United States")]
    assert shares == pytest.approx([0.832, 0.415], abs=0.02)


def test_labels_have_long_tails_near_the_papers_counts(catalog: BookCatalog) -> None:
    """About 151 languages and 166 countries (within ten), most of them on few books."""
    languages, countries = (Counter(getattr(b, f) for b in catalog.books) for f in ("language", "country"))
    assert len(languages) == pytest.approx(151, abs=10)
    assert len(countries) == pytest.approx(166, abs=10)
    assert sum(n < 20 for n in languages.values()) > 80
    assert sum(n < 40 for n in countries.values()) > 80


def test_every_label_of_the_trees_is_on_some_book(catalog: BookCatalog) -> None:
    """Parents and children occur, so that a predicate on any label means something."""
    missing = {
        label
        for field in ("language", "country")
        for parent, kids in catalog.trees[field].children().items()
        for label in (parent, *kids)
        if all(getattr(book, field) != label for book in catalog.books)
    }
    assert missing == set()


def test_all_19_genres_occur_skewed_to_science_fiction(catalog: BookCatalog) -> None:
    """Science Fiction leads by far; Literary Fiction, absent from the paper, is rare."""
    counts = Counter(genre for book in catalog.books for genre in book.genres)
    assert set(counts) == set(GENRES)
    assert counts.most_common(1)[0][0] == "Science Fiction"
    assert counts["Science Fiction"] > 1.4 * counts.most_common(2)[1][1]
    assert 0.005 < counts["Literary Fiction"] / 20_000 < 0.02


def test_years_are_skewed_to_recent_and_fit_the_genres(catalog: BookCatalog) -> None:
    """1460 to 2026, seven in ten since 1950; no Young Adult before 1940, no Dystopian before 1888."""
    years = [book.year for book in catalog.books]
    assert min(years) < 1500
    assert max(years) == 2026
    assert sum(year >= 1950 for year in years) / len(years) > 0.7
    assert 200 < sum(year < 1800 for year in years)
    first = {genre: min(b.year for b in catalog.books if genre in b.genres) for genre in ("Young Adult", "Dystopian")}
    assert first["Young Adult"] >= 1940
    assert first["Dystopian"] >= 1888


def test_no_label_is_older_or_younger_than_its_country(catalog: BookCatalog) -> None:
    """Every book's year lies in its country label's years."""
    countries = {country.label: country for country in read_countries()}
    wrong = [b for b in catalog.books if not countries[b.country].first <= b.year <= countries[b.country].last]
    assert wrong == []


def test_sitelinks_are_heavy_tailed(catalog: BookCatalog) -> None:
    """Most have at most three, a few more than a hundred, none piles up on the cap."""
    links = sorted(book.sitelinks for book in catalog.books)
    assert sum(n <= 3 for n in links) / len(links) == pytest.approx(0.8, abs=0.05)
    assert 20 < sum(n > 100 for n in links) < 120
    assert Counter(links)[links[-1]] <= 3


def test_no_two_works_are_alike(catalog: BookCatalog) -> None:
    """Normalised title and authors differ; a plain title occurs twice in at most half a percent."""
    keys = Counter(work_key(book.title, book.authors) for book in catalog.books)
    plain = Counter(normalise_title(book.title) for book in catalog.books)
    assert max(keys.values()) == 1
    assert sum(n - 1 for n in plain.values()) < 100


def test_ids_are_ones_that_no_real_work_has(catalog: BookCatalog) -> None:
    """Ten digits that begin with 9: Wikidata's numbers have nine at most."""
    assert [b.id for b in catalog.books if not re.fullmatch(r"wd_Q9[0-9]{9}", b.id)] == []


def test_formats_follow_from_the_id(catalog: BookCatalog) -> None:
    """The embedded catalog keeps to the rule of formats_of."""
    assert [b.id for b in catalog.books if b.formats != formats_of(b.id)] == []


def test_a_country_has_several_languages_and_a_language_several_countries(catalog: BookCatalog) -> None:
    """Neither field gives the other away: no larger country or language is tied to one value of the other."""
    pairs = Counter((b.country, b.language) for b in catalog.books)

    def others(field: int, label: str) -> int:
        return len({pair[1 - field] for pair in pairs if pair[field] == label})

    countries, languages = (Counter(getattr(b, f) for b in catalog.books) for f in ("country", "language"))
    lonely = [c for c, n in countries.items() if n >= 40 and others(0, c) < 2]
    lonely += [x for x, n in languages.items() if n >= 100 and others(1, x) < 2 and "English" not in x]
    assert lonely == []


def test_titles_and_names_read_as_text(catalog: BookCatalog) -> None:
    """No unfilled slot, doubled word, stray space or wrong article."""
    slots_and_spaces, doubled = r"[{}_/]|\s\s|^\s|\s$", r"\b(\w+) \1\b|\b[Tt]he the\b"
    articles = r"(?<!['\w])(?:[Aa] [AEIO](?!u|ne\b)|[Aa]n [BCDFGJ-NP-TV-Z])"
    faults = re.compile(f"{slots_and_spaces}|{doubled}|{articles}")

    def silly(book: Book) -> bool:
        return bool(faults.search(book.title)) or any(re.search(r"[{}_/0-9]|\s\s", name) for name in book.authors)

    assert [b.title for b in catalog.books if silly(b)] == []


def test_a_rebuild_elsewhere_gives_the_same_catalog(catalog: BookCatalog, tmp_path: Path) -> None:
    """Another hash seed, time zone and locale change nothing: the shipped digest comes out."""
    environment = {**os.environ, "PYTHONHASHSEED": "77", "TZ": "Asia/Kathmandu", "LC_ALL": "C", "PYTHONUTF8": "0"}
    done = subprocess.run(
        [sys.executable, "-m", "recfw_books.catalog.fiction", "--out", str(tmp_path)],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == f"20000 books, digest {catalog.digest}\n"
    assert load_catalog(str(tmp_path)).digest == catalog.digest
