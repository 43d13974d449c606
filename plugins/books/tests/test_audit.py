"""`recfw books audit`: the stratified sample, the sheets, and how far two annotators agree."""

import csv
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from recfw.cli.main import invoke
from recfw.errors import DataError, UsageError
from recfw_books.audit.agreement import compare
from recfw_books.audit.sample import POPULAR, sample
from recfw_books.audit.sheets import ANNOTATORS, read_answers, write_sheets
from recfw_books.catalog.load import load_catalog
from recfw_books.catalog.records import BookCatalog
from recfw_books.tasks import shipped

Invoke = Callable[..., tuple[int, str, str]]
Sheets = Callable[..., None]
A, B = ANNOTATORS


@pytest.fixture
def recfw(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Invoke:
    """Give what runs `recfw books` in this process and an empty folder; it returns status, output and errors."""
    monkeypatch.chdir(tmp_path)

    def run(*words: str) -> tuple[int, str, str]:
        capsys.readouterr()
        status = invoke(["books", *words])
        return (status, *capsys.readouterr())

    return run


@pytest.fixture(scope="module")
def catalog() -> BookCatalog:
    """Return the first 5,000 embedded books."""
    return load_catalog(None).prefix(5000)


@pytest.fixture
def sheets(catalog: BookCatalog, recfw: Invoke) -> Sheets:
    """Give what writes the sheets of a sample into a folder, beside the commands of the same test."""

    def write(out: str, n: int, families: int = 0, seed: int = 0) -> None:
        Path(out).mkdir()
        write_sheets(Path(out), sample(catalog, shipped(), n, families, seed), seed)

    return write


def rows(path: str) -> list[dict[str, str]]:
    """Return the lines of a CSV file."""
    with Path(path).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def fill(path: str, answers: dict[tuple[str, str], str], default: str = "yes") -> None:
    """Fill a sheet: ``answers`` has (item, question) -> answer, all others are the default."""
    lines = rows(path)
    for line in lines:
        for number in "12345":
            line[f"answer_{number}"] = answers.get((line["item"], number), default)
    with Path(path).open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, lines[0])
        writer.writeheader()
        writer.writerows(lines)


def test_the_sample_is_stratified_as_in_the_paper(catalog: BookCatalog) -> None:
    """Of 60 records half come from all genres, half from the popular; of 30 families 15 are NVR, 5 of each tier."""
    items = sample(catalog, shipped(), 60, 30, 0)
    strata = Counter(item.stratum for item in items)
    assert 30 == strata["popular"] == sum(n for name, n in strata.items() if name.startswith("genre "))
    assert 19 == sum(name.startswith("genre ") for name in strata)
    assert (15, 5, 5, 5) == (strata["NVR"], *(strata[f"tier {tier}"] for tier in ("simple", "medium", "complex")))
    popular = {item.id for item in items if item.stratum == "popular"}
    assert all(catalog.popularity[book] <= POPULAR for book in popular)
    assert 90 == len({(item.kind, item.id) for item in items})


def test_equal_seeds_give_equal_sheets(sheets: Sheets) -> None:
    """The files of a seed are the same each time, and another seed's are others."""
    for out, seed in (("one", 1), ("again", 1), ("other", 2)):
        sheets(out, 12, 6, seed)
    for name in (*ANNOTATORS, "key.csv", "instructions.txt"):
        assert Path("one", name).read_bytes() == Path("again", name).read_bytes()
    assert Path("one", "key.csv").read_bytes() != Path("other", "key.csv").read_bytes()


def test_two_annotators_get_the_same_items_in_other_orders(recfw: Invoke) -> None:
    """Each sheet holds every item with empty answers; strata stand in the key alone."""
    status, out, _ = recfw("audit", "sample", "--n", "10", "--out", "audit")
    assert (0, True) == (status, out.startswith("audit: 15 items for two annotators"))
    first, second = rows(f"audit/{A}"), rows(f"audit/{B}")
    assert [line["item"] for line in first] != [line["item"] for line in second]
    assert {line["item"] for line in first} == {line["item"] for line in second}
    assert {""} == {line[name] for line in first for name in line if name.startswith(("answer", "note"))}
    assert {"item", "kind", "id", "stratum"} == set(rows("audit/key.csv")[0])
    assert "stratum" not in first[0]


def test_agreement_of_known_answers(recfw: Invoke, sheets: Sheets) -> None:
    """Raw agreement and kappa of a small case, reckoned by hand, and each disagreement by item."""
    sheets("audit", 10)
    no = {("R001", "3"): "no", ("R002", "3"): "no", ("R003", "3"): "no", ("R001", "1"): ""}
    fill(f"audit/{A}", no)
    fill(f"audit/{B}", {("R001", "3"): "no", ("R002", "3"): "No ", ("R004", "3"): "no"})
    status, out, _ = recfw("audit", "agreement", f"audit/{A}", f"audit/{B}", "--format", "json")
    third = json.loads(out)["figures"]["questions"][2]
    # A says no of 1, 2, 3 and B of 1, 2, 4: 8 of 10 agree, by chance 0.3 * 0.3 + 0.7 * 0.7 = 0.58 would.
    assert (0, 8, 0.8) == (status, third["agreed"], third["agreement"])
    assert pytest.approx((0.8 - 0.58) / 0.42) == third["kappa"]
    assert [["R003", "no", "yes"], ["R004", "yes", "no"]] == third["disagreements"]
    first = json.loads(out)["figures"]["questions"][0]
    assert (9, 1, None) == (first["judged"], first["unanswered"], first["kappa"])
    assert "R003" in recfw("audit", "agreement", f"audit/{A}", f"audit/{B}")[1]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda text: text.replace("answer_2", "two"), "no column 'answer_2'"),
        (
            lambda text: text.replace(",record,", ",disc,"),
            "column 'kind' holds 'disc', which is none of record, family",
        ),
        (
            lambda text: text.replace("yes", "maybe", 1),
            "column 'answer_1' holds 'maybe', which is none of yes, no, n/a",
        ),
        (lambda text: text + text.split("\n", 1)[1], "stands there twice"),
        (lambda text: text.split("\n", maxsplit=1)[0] + "\n", "holds no item"),
    ],
)
def test_a_broken_sheet_is_told_by_file_and_column(change: Callable[[str], str], told: str, sheets: Sheets) -> None:
    """What is wrong with a filled sheet is said with its place."""
    sheets("audit", 4)
    fill(f"audit/{A}", {})
    path = Path("audit", A)
    path.write_text(change(path.read_text(encoding="utf-8")), encoding="utf-8")
    with pytest.raises(DataError) as caught:
        read_answers(path)
    assert str(path) in str(caught.value)
    assert told in str(caught.value)


def test_sheets_of_two_samples_are_not_compared(sheets: Sheets) -> None:
    """Two sheets must hold the same items."""
    sheets("4", 4)
    sheets("6", 6)
    with pytest.raises(DataError, match="the sheets hold different items: R005, R006"):
        compare(read_answers(Path("4", A)), read_answers(Path("6", B)))


def test_what_cannot_be_sampled_or_written_is_refused(catalog: BookCatalog, recfw: Invoke) -> None:
    """More than there is, or a folder that exists, is refused in words and nothing is written."""
    with pytest.raises(UsageError, match="no sample of 1 records"):
        sample(catalog, shipped(), 1, 0, 0)
    with pytest.raises(UsageError, match=r"no sample of 151 families\. Use 0 to 150\."):
        sample(catalog, shipped(), 4, 151, 0)
    Path("audit").mkdir()
    status, _, words = recfw("audit", "sample", "--n", "4", "--out", "audit")
    assert 2 == status
    assert "audit" in words
    assert [] == list(Path("audit").iterdir())
