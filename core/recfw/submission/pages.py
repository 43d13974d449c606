"""The pages of a leaderboard: one with the tables, one a bundle; nothing in them comes from elsewhere or can act."""

from collections.abc import Mapping, Sequence
from typing import Any
from xml.etree.ElementTree import Element

from recfw.report.html_tags import lines, tag
from recfw.report.words import DASH, one_line, with_interval
from recfw.submission.board import Line, Table
from recfw.submission.entries import Entry, LeftOut
from recfw.submission.frame import page
from recfw.submission.verdict import OPEN, PARTLY, VERIFIED

Content = str | Element

TIERS = (
    "as in recfw compare: going down by mean, a row begins the next tier if paired differences (resampled by cluster, "
    "corrected over all pairs) tell it apart from the row that leads the tier above; order within a tier means nothing"
)


def address(entry: Entry) -> str:
    """Return the file of a bundle's own page, seen from the main one."""
    return f"bundles/{entry.sha256[:16]}.html"


# --- The main page ----------------------------------------------------------------------------------------------------


def board_page(title: str, tables: Sequence[Table], left_out: Sequence[LeftOut]) -> str:
    """Return the main page."""
    content = [tag("h1", one_line(title)), tag("p", _introduction(tables))]
    if len(tables) > 1:
        items = [tag("li", tag("a", _name(table, tables), href=f"#t{table.key}")) for table in tables]
        content.append(tag("nav", tag("ul", "\n", *lines(*items)), aria_label="Tables"))
    for table in tables:
        content += _table_blocks(table, _name(table, tables))
    if left_out:
        items = [tag("li", tag("code", one_line(one.file)), f": {one_line(one.why)}") for one in left_out]
        content += [tag("h2", "Left out"), tag("ul", "\n", *lines(*items), class_="notes")]
    return page(title, [*content, _footer()])


def _introduction(tables: Sequence[Table]) -> str:
    if not tables:
        return "No bundle is here yet. Make one with recfw submit."
    return (
        "Only rows of one table can be ranked against one another: they were played on the same content and tasks, "
        "with the same other participants, and scored by the same scorer. Rows of one tier are not told apart by the "
        "data. Press a column's title to sort by it."
    )


def _name(table: Table, tables: Sequence[Table]) -> str:
    """Return a table's heading: its track, and what tells it from other tables of that track."""
    same = [other for other in tables if other.track == table.track]
    words = [table.track]
    if len(same) > 1:
        words += _telling(table.options, [other.options for other in same])
        words += _telling(table.facets, [other.facets for other in same])
        words += [f"{table.n_tasks:,} tasks ({table.tasks[:8]})", f"content {table.content[:8]}"]
        alike = [other for other in same if (other.content, other.tasks, other.options)
                 == (table.content, table.tasks, table.options)]  # fmt: skip
        words += [f"with {', '.join(table.others.values())}", table.figure] if len(alike) > 1 else []
    return one_line("; ".join(words))


def _telling(held: Mapping[str, Any], every: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return what of one table's options or facets is not the same in every table."""
    apart = [name for name in sorted(held) if any(other.get(name) != held[name] for other in every)]
    return [f"{name} {_value(held[name])}" for name in apart]


def _table_blocks(table: Table, name: str) -> list[Element]:
    figure = one_line(table.figure) or "no figure"
    facts = {
        "Figure": f"{figure}, mean over tasks with its 95% interval" + (f"; by {table.scorer}" if table.scorer else ""),
        "Tasks": f"{table.n_tasks:,} in {table.n_clusters:,} clusters; digest {table.tasks}",
        "Content": f"digest {table.content}",
        "Options": "; ".join(f"{name} {_value(value)}" for name, value in sorted(table.options.items())),
        "Facets": "; ".join(f"{name} {value}" for name, value in table.facets.items()),
        "Others": "; ".join(f"{role}: {part}" for role, part in table.others.items()),
        "Tiers": TIERS,
    }
    notes = [tag("li", one_line(note)) for note in table.notes]
    return [
        tag("h2", name, id=f"t{table.key}"),
        _ranking(table, figure, name),
        *([tag("ul", "\n", *lines(*notes), class_="notes")] if notes else []),
        tag("details", tag("summary", "What was asked"), _facts(facts)),
    ]


def _ranking(table: Table, figure: str, name: str) -> Element:
    powers = sorted({k for line in table.lines for k in line.passes})
    passes = [(f"pass^{k}", "n", "down") for k in powers]
    titles = [("System", "", ""), ("Tier", "n", ""), (figure, "n", "down"), ("Checked", "", ""), *passes,
              ("Trials", "n", "down"), ("Versions", "", "")]  # fmt: skip
    head = [tag("th", title, scope="col", class_=kind, data_first=first) for title, kind, first in titles]
    rows = [_row(line, powers) for line in table.lines]
    whole = tag("table", tag("thead", tag("tr", *head)), "\n", tag("tbody", "\n", *lines(*rows)), class_="sorts",
                aria_label=name)  # fmt: skip
    return tag("div", whole, class_="scroll", tabindex="0", role="region", aria_label=name)


def _row(line: Line, powers: Sequence[int]) -> Element:
    entry = line.row.entry
    by = tag("span", one_line(entry.manifest.signed_off.name)[:80], class_="by")
    link = tag("a", one_line(line.row.cell.name)[:80], href=address(entry))
    trials = f"{line.completed:,}" if line.completed == line.planned else f"{line.completed:,} of {line.planned:,}"
    core = entry.manifest.environment.played.get("recfw", "")
    return tag(
        "tr",
        tag("th", link, by, scope="row"),
        _number(None if line.tier is None else str(line.tier), line.tier),
        _figure(line.value, line.low, line.high),
        tag("td", _mark(line.verified)),
        *(_figure(line.passes.get(k)) for k in powers),
        _number(trials, line.completed),
        tag("td", one_line(f"recfw {core}")[:40]),
    )


def _mark(word: str) -> Element:
    return tag("span", word, class_={VERIFIED: "v yes", PARTLY: "v part", OPEN: "v"}.get(word, "v"))


def _number(text: str | None, value: float | None) -> Element:
    return tag("td", DASH if text is None else text, class_="n", data_v="" if value is None else repr(value))


def _figure(value: float | None, low: float | None = None, high: float | None = None) -> Element:
    text = with_interval(value, low, high, max(1.0, abs(value or 0.0))) or DASH
    mean, gap, interval = text.partition(" [")
    inside: list[Content] = [mean, " ", tag("span", f"[{interval}", class_="i")] if gap else [mean]
    return tag("td", *inside, class_="n", data_v="" if value is None else repr(value))


def _facts(facts: Mapping[str, str | Element]) -> Element:
    pairs = [
        part for name, words in facts.items() if words != "" for part in (tag("dt", name), tag("dd", _word(words)))
    ]
    return tag("dl", "\n", *lines(*pairs))


def _word(words: str | Element) -> Content:
    return one_line(words) if isinstance(words, str) else words


def _value(value: Any) -> str:
    return value if isinstance(value, str) else repr(value)


def _footer() -> Element:
    words = (
        "Made by recfw leaderboard from bundles of recfw submit; figures are computed from the scores in each bundle."
    )
    return tag("footer", words)


# --- A bundle's own page ----------------------------------------------------------------------------------------------


def entry_page(entry: Entry, title: str) -> str:
    """Return the page of one bundle."""
    manifest = entry.manifest
    signed, written_by, counts = manifest.signed_off, manifest.environment.written, manifest.counts
    link: Content = signed.homepage and tag("a", signed.homepage, href=signed.homepage, rel="nofollow noopener")
    asked: dict[str, Content] = {
        "Run": f"{manifest.run} of the track {manifest.track}",
        "Trials": f"{counts.planned:,} planned, {counts.completed:,} completed, {counts.failed:,} lost to faults",
        "Submitted": ", ".join(manifest.cells),
        "Content": "; ".join(f"{track} {sha}" for track, sha in manifest.digests.content.items()),
        "Tasks": manifest.digests.tasks,
        "Specification": manifest.digests.spec,
        "Played with": "; ".join(f"{name} {version}" for name, version in manifest.environment.played.items()),
        "Written by": f"recfw {written_by.recfw}, Python {written_by.python}, {written_by.platform}",
        "File": f"{entry.file}, SHA-256 {entry.sha256}",
        "Credentials": f"{manifest.redacted:,} values were replaced" if manifest.redacted else "",
    }
    content = [
        tag("p", tag("a", one_line(title), href="../index.html")),
        tag("h1", one_line(", ".join(manifest.cells))[:200]),
        tag("p", one_line(signed.system)),
        _facts(
            {"Signed off by": signed.name, "Contact": signed.contact, "Homepage": link, "Declared": signed.statement}
        ),
        tag("h2", "Checks"),
        *_checks(entry),
        tag("h2", "Figures"),
        *_cells(entry),
        tag("h2", "What was asked, and of what"),
        _facts(asked),
    ]
    return page(f"{signed.name}: {', '.join(manifest.cells)}", [*content, _footer()])


def _checks(entry: Entry) -> list[Element]:
    verdict = entry.verdict
    if verdict is None:
        words = "Its parts are whole and its figures follow from its scores. Nobody has yet scored or played it again: "
        return [tag("p", words, tag("code", "recfw verify BUNDLE --record FOLDER"), ".")]
    items = [tag("li", f"{one_line(finding.topic)}, {finding.outcome.value}: {one_line(finding.words)}")
             for finding in verdict.findings]  # fmt: skip
    told = tag("p", _mark(verdict.word), f", by recfw {one_line(verdict.recfw)}")
    return [told, tag("ul", "\n", *lines(*items), class_="notes")]


def _cells(entry: Entry) -> list[Element]:
    """Return a table of every figure of every cell; those that were not submitted say so."""
    cells = entry.figures["cells"]
    names = sorted({figure for cell in cells.values() for figure in cell["figures"]})
    titles = [tag("th", "Figure", scope="col")]
    for name in cells:
        other = [] if name in entry.manifest.cells else [tag("span", "not submitted", class_="by")]
        titles.append(tag("th", one_line(name)[:80], *other, scope="col", class_="n"))
    rows = []
    for figure in names:
        found = [cell["figures"].get(figure, {}) for cell in cells.values()]
        row = [_figure(one.get("value"), one.get("low"), one.get("high")) for one in found]
        rows.append(tag("tr", tag("th", one_line(figure)[:80], scope="row"), *row))
    whole = tag(
        "table", tag("thead", tag("tr", *titles)), "\n", tag("tbody", "\n", *lines(*rows)), aria_label="Figures"
    )
    return [tag("div", whole, class_="scroll", tabindex="0", role="region", aria_label="Figures")]
