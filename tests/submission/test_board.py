"""Leaderboards: what may be ranked together, what is left out, and pages on which nothing foreign can act."""

import base64
import hashlib
import re
import shutil
from html.parser import HTMLParser
from pathlib import Path

import orjson
import pytest
from attrs import evolve
from fakes.bench import Bench
from fakes.bundling import SIGNED, bundle_of, parts_of, put_together

from recfw.errors import UsageError
from recfw.registry import Registry
from recfw.submission.board import rows_of, tables_of
from recfw.submission.entries import Gathered, bundles_in, gather
from recfw.submission.frame import SCRIPT
from recfw.submission.manifest import FIGURES
from recfw.submission.pages import board_page, entry_page
from recfw.submission.site import DATA, check_place, write_site
from recfw.submission.verdict import Finding, Outcome, Verdict, keep

BETTER = "figures.cells.fake-asker.figures.success.value"
HOSTILE = "</td><script>alert(1)</script><img src=x onerror=alert(2)>\u202eevil\x1b[31m"


@pytest.fixture(scope="module")
def more(tmp_path_factory: pytest.TempPathFactory, fakes_registry: Registry) -> Bench:
    """A bench with runs that differ from r1 and from one another in one thing each."""
    bench = Bench(fakes_registry, tmp_path_factory.mktemp("more"), concurrency=1)
    bench.run(bench.spec("fake-dialogue", "fake-asker", seed=5), "seed")
    bench.run(bench.spec("fake-dialogue", "fake-asker", tasks=("color=red",)), "tasks")
    bench.run(bench.spec("fake-rounds", "fake-planner"), "track")
    return bench


def gathered(folder: Path, registry: Registry, verdicts: Path | None = None) -> Gathered:
    """Return what a folder of bundles comes to."""
    *_, last = [Gathered(), *gather(bundles_in(folder), registry, verdicts)]
    return last


@pytest.fixture(scope="module")
def shared(more: Bench, whole: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of four bundles: two that may be ranked together, one of fewer tasks, one of another track."""
    made = tmp_path_factory.mktemp("four")
    (made / "a.tar").write_bytes(whole.read_bytes())
    for name in ("seed", "tasks", "track"):
        bundle_of(more.registry, Path(more.place), made / f"{name}.tar", name, signed=evolve(SIGNED, name=HOSTILE))
    return made


@pytest.fixture(scope="module")
def four(shared: Path, fakes_registry: Registry) -> Gathered:
    """What those bundles come to."""
    return gathered(shared, fakes_registry)


@pytest.fixture
def folder(shared: Path, tmp_path: Path) -> Path:
    """A copy of that folder, to be altered."""
    return Path(shutil.copytree(shared, tmp_path / "bundles"))


def test_only_what_is_alike_is_ranked_together(four: Gathered, fakes_registry: Registry) -> None:
    """Another seed may share a table; other tasks and another track may not."""
    tables = tables_of(rows_of(four.entries), fakes_registry)
    assert [(table.track, sorted({line.row.entry.file for line in table.lines})) for table in tables] == [
        ("fake-dialogue", ["a.tar", "seed.tar"]),
        ("fake-dialogue", ["tasks.tar"]),
        ("fake-rounds", ["track.tar"]),
    ]


def test_other_content_is_never_ranked_together(four: Gathered, fakes_registry: Registry) -> None:
    """Two runs of one track whose content digests differ stand in two tables."""
    entries = four.entries[:2]
    digests = evolve(entries[1].manifest.digests, content={"fake-dialogue": "0" * 64})
    other = evolve(entries[1], manifest=evolve(entries[1].manifest, digests=digests))
    tables = tables_of(rows_of([entries[0], other]), fakes_registry)
    assert [len({line.row.entry.file for line in table.lines}) for table in tables] == [1, 1]


def test_other_scorers_are_never_ranked_together(four: Gathered, fakes_registry: Registry) -> None:
    """Figures by another version of the metric stand in another table."""
    entries = four.entries[:2]
    rows = [evolve(row, scorers={**row.scorers, "success": "fake-met@2"}) for row in entries[1].rows]
    tables = tables_of(rows_of([entries[0], evolve(entries[1], rows=rows)]), fakes_registry)
    assert sorted(table.scorer for table in tables) == ["fake-met@1", "fake-met@2"]


def test_a_table_has_means_intervals_and_tiers(four: Gathered, fakes_registry: Registry) -> None:
    """Each line has its mean with an interval, its trials and a tier; agents that always succeed share the first."""
    table = tables_of(rows_of(four.entries), fakes_registry)[0]
    assert [(line.tier, line.value, line.low, line.high, line.tasks) for line in table.lines] == [(1, 1, 1, 1, 8)] * 3
    assert sorted((line.completed, dict(line.passes)) for line in table.lines) == [
        (8, {}),
        (16, {2: 1.0}),
        (16, {2: 1.0}),
    ]
    assert any("seed" in note for note in table.notes)


def test_only_submitted_cells_are_ranked(bench: Bench, fakes_registry: Registry, tmp_path: Path) -> None:
    """A cell that was not submitted is shown on the bundle's page alone, and says so."""
    bundle_of(bench.registry, Path(bench.place), tmp_path / "x.tar", cells=("fake-model",))
    entry = gathered(tmp_path, fakes_registry).entries[0]
    tables = tables_of(rows_of([entry]), fakes_registry)
    assert [line.row.cell.name for table in tables for line in table.lines] == ["fake-model"]
    assert "not submitted" in entry_page(entry, "x")


def test_what_contradicts_itself_is_left_out(folder: Path, whole: Path, fakes_registry: Registry) -> None:
    """A cut bundle, improved figures, the same file again and a verdict that found a difference: named, not ranked."""
    parts = parts_of(whole)
    figures = orjson.loads(parts[FIGURES])
    figures["cells"]["fake-asker"]["figures"]["success"]["value"] = 2.0
    put_together(folder / "better.tar", {**parts, FIGURES: orjson.dumps(figures)})
    (folder / "cut.tar").write_bytes(whole.read_bytes()[:2000])
    (folder / "twin.tar").write_bytes(whole.read_bytes())
    found = gathered(folder, fakes_registry)
    bad = found.entries[1]
    keep(Verdict(bad.sha256, "1", (Finding("replay", Outcome.DIFFERS, "x"),)), folder / "verdicts")
    found = gathered(folder, fakes_registry, folder / "verdicts")
    assert [(one.file, one.why) for one in found.left_out] == [
        ("better.tar", f"what it declares is not what its run says: {BETTER}: 2.0 declared, 1.0 found."),
        ("cut.tar", "the file is cut off."),
        ("seed.tar", "`recfw verify` found a difference in: replay."),
        ("twin.tar", "it is the same file as a.tar"),
    ]  # fmt: skip


def test_one_run_in_two_bundles_is_told(bench: Bench, fakes_registry: Registry, tmp_path: Path) -> None:
    """Whoever signs another's run off again is seen."""
    for name in ("one", "two"):
        bundle_of(bench.registry, Path(bench.place), tmp_path / f"{name}.tar", signed=evolve(SIGNED, name=name))
    table = tables_of(rows_of(gathered(tmp_path, fakes_registry).entries), fakes_registry)[0]
    assert table.notes[-1] == "one.tar, two.tar hold one and the same run."
    assert len({line.row.name for line in table.lines}) == 4


class _Seen(HTMLParser):
    """The tags and attributes of a page, and the text of its scripts."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.scripts: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data):
        if self.tags and self.tags[-1] == "script":
            self.scripts.append(data)


def test_hostile_words_cannot_act(folder: Path, fakes_registry: Registry, tmp_path: Path) -> None:
    """Markup in what people declare is text: one script, ours; no handler; no address but https:// and our pages."""
    (folder / f"{'<b>'}.tar").write_bytes(b"{")
    found = gathered(folder, fakes_registry)
    tables = tables_of(rows_of(found.entries), fakes_registry)
    for text in (board_page(HOSTILE, tables, found.left_out), *(entry_page(e, HOSTILE) for e in found.entries)):
        seen = _Seen(text)
        assert (seen.tags.count("script"), seen.tags.count("img"), "".join(seen.scripts).strip()) == (
            1,
            0,
            SCRIPT.strip(),
        )
        assert [name for name, _ in seen.attributes if name.startswith("on")] == []
        links = [value for name, value in seen.attributes if name in {"href", "src"}]
        assert [
            link
            for link in links
            if not re.fullmatch(r"#t[0-9a-f]+|bundles/\w+\.html|\.\./index\.html|https://.+", link)
        ] == []
        assert ("\x1b" in text, "\u202e" in text, text.isascii()) == (False, False, True)


def test_the_policy_allows_the_one_script() -> None:
    """The page's own policy forbids everything but its styles and the script with this digest."""
    text = board_page("x", [], [])
    script = re.search(r"<script>(.*?)</script>", text, re.DOTALL)[1]
    told = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = re.search(r'Policy" content="([^"]+)"', text)[1]
    assert [part for part in policy.split("; ") if part.startswith(("default", "script"))] == [
        "default-src 'none'",
        f"script-src 'sha256-{told}'",
    ]


def test_a_verdict_is_shown(folder: Path, fakes_registry: Registry) -> None:
    """What was found by `recfw verify` stands on the table and on the bundle's page."""
    sha256 = gathered(folder, fakes_registry).entries[0].sha256
    keep(Verdict(sha256, "7", (Finding("replay", Outcome.UNCHECKED, "left out"),)), folder / "verdicts")
    found = gathered(folder, fakes_registry, folder / "verdicts")
    table = tables_of(rows_of(found.entries), fakes_registry)[0]
    assert {line.row.entry.file: line.verified for line in table.lines} == {
        "a.tar": "partly verified",
        "seed.tar": "not verified",
    }
    assert "replay, unchecked: left out" in entry_page(found.entries[0], "x")


def test_the_site_is_the_same_bytes_again(
    shared: Path, four: Gathered, fakes_registry: Registry, tmp_path: Path
) -> None:
    """Equal bundles give equal pages, written in the place of the earlier ones; other folders are left alone."""
    tables = tables_of(rows_of(four.entries), fakes_registry)
    contents = []
    for _ in range(2):
        check_place(tmp_path / "site")
        assert write_site(tmp_path / "site", "Board", tables, four) == 5
        contents.append({p.name: p.read_bytes() for p in sorted((tmp_path / "site").rglob("*")) if p.is_file()})
    assert contents[0] == contents[1]
    assert {path.name for path in (tmp_path / "site").iterdir()} == {"index.html", "bundles", DATA}
    assert [path.name for path in tmp_path.glob(".*")] == []
    with pytest.raises(UsageError, match="holds other things"):
        check_place(shared)


def test_every_page_that_is_linked_is_there(
    shared: Path, four: Gathered, fakes_registry: Registry, tmp_path: Path
) -> None:
    """The links of the main page lead to files of the site, and theirs back."""
    write_site(tmp_path / "site", "Board", tables_of(rows_of(four.entries), fakes_registry), four)
    index = (tmp_path / "site" / "index.html").read_text()
    pages = set(re.findall(r'href="(bundles/[^"]+)"', index))
    assert pages == {f"bundles/{path.name}" for path in (tmp_path / "site" / "bundles").iterdir()}
