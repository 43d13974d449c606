"""The HTML renderer: one file that needs nothing, shows words as words, and reads well for everybody."""

import base64
import re
from collections.abc import Iterator
from html.parser import HTMLParser

import pytest
from attrs import define, field
from hypothesis import given, settings
from hypothesis import strategies as st

from recfw.errors import DataError
from recfw.model.document import (
    Block,
    Column,
    Document,
    Heading,
    Image,
    Measure,
    Note,
    Paragraph,
    Plot,
    Report,
    Series,
    Table,
)
from recfw.protocols import NoOptions
from recfw.report.html_style import STYLE
from recfw.report.render_html import POLICY, HtmlRenderer
from recfw.report.words import one_line
from recfw.testing.contracts import sample_report

VOID = {"meta", "img"}
HOSTILE = st.text() | st.text("<>&\"'/=;:#x \n\0\x1b\u202e`-!") | st.sampled_from(
    [
        "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "' onload='alert(1)", "javascript:alert(1)",
        "</title><script>", "</style><script>", "<!--", "]]>", "&lt;script&gt;", "&#x202e;", "\u202eabc", "\ud800",
        "</svg><foreignObject>", "--><script>", "\u2028", "{{x}}",
    ]
)  # fmt: skip


@define
class Page(HTMLParser):
    """What a browser makes of a page: its elements with their attributes, and its words."""

    elements: list[tuple[str, dict[str, str | None]]] = field(factory=list)
    words: list[str] = field(factory=list)
    open: list[str] = field(factory=list)
    other: list[str] = field(factory=list)

    def __attrs_pre_init__(self) -> None:
        super().__init__(convert_charrefs=True)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert tag == self.open.pop()

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] != "style":
            self.words.append(data)

    def handle_comment(self, data: str) -> None:
        self.other.append(data)

    def handle_pi(self, data: str) -> None:
        self.other.append(data)

    def unknown_decl(self, data: str) -> None:
        self.other.append(data)


def render(*blocks: Block) -> str:
    """Render blocks."""
    return HtmlRenderer(NoOptions()).render(Report(Document(blocks)))


def read(page: str) -> Page:
    """Parse a page, to its end and with every element closed."""
    parser = Page()
    parser.feed(page)
    parser.close()
    assert (parser.open, parser.other) == ([], [])
    return parser


def shape(page: Page) -> list[tuple[str, tuple[str, ...]]]:
    """Return a page's elements with the names of their attributes."""
    return [(tag, tuple(attributes)) for tag, attributes in page.elements]


def of(page: Page, tag: str) -> Iterator[dict[str, str | None]]:
    """Yield the attributes of every element of a kind."""
    return (attributes for name, attributes in page.elements if name == tag)


@settings(deadline=None, max_examples=50)
@given(HOSTILE)
def test_words_bring_no_markup(text: str) -> None:
    """Whatever a report's words hold, elements and attributes are those of harmless words: nothing can act."""
    long = len(one_line(text))
    found, *plain = (
        read(HtmlRenderer(NoOptions()).render(sample_report(words))) for words in (text, "x" * long, "y" * long)
    )
    assert set(shape(found)) <= {element for page in plain for element in shape(page)}
    assert {tag for tag, _ in found.elements} & {"script", "iframe", "object", "form", "link", "base", "a"} == set()


@settings(deadline=None)
@given(HOSTILE)
def test_words_are_shown_as_they_are(text: str) -> None:
    """A heading, a paragraph, a note, a cell and an alternative text read back as the very words on one line."""
    page = read(render(Heading(text, 1), Paragraph(text), Note(text), Image(text, "image/png", b"x")))
    told = one_line(text)
    assert [word for word in page.words if word.strip()] == [told or "recfw report", *[told] * 3][: None if told else 1]
    assert next(of(page, "img"))["alt"] == (told or "picture without a description")


@settings(deadline=None, max_examples=40)
@given(HOSTILE)
def test_no_attribute_can_act(text: str) -> None:
    """There is no event handler, no style attribute, and no address but a picture's data."""
    page = read(HtmlRenderer(NoOptions()).render(sample_report(text)))
    names = {name for _, attributes in page.elements for name in attributes}
    addresses = [str(a[name]) for _, a in page.elements for name in ("src", "href", "action") if name in a]
    assert [name for name in names if name.startswith("on") or name in {"style", "srcdoc", "xlink:href"}] == []
    assert [address for address in addresses if not address.startswith("data:image/png;base64,")] == []


@settings(deadline=None, max_examples=40)
@given(HOSTILE)
def test_nothing_that_steers_is_left(text: str) -> None:
    """The page is ASCII, and neither it nor what it stands for holds a control or reversing character."""
    page = HtmlRenderer(NoOptions()).render(sample_report(text))
    words = "".join(read(page).words)
    assert (page.isascii(), re.findall(r"[\x00-\x09\x0b-\x1f\x7f\u200e\u200f\u202a-\u202e\u2066-\u2069]", words)) == (
        True,
        [],
    )


def test_a_policy_forbids_all_but_styles_and_pictures() -> None:
    """The first thing that a browser reads after the encoding is what the page may do; there is no script in it."""
    metas = list(of(read(render()), "meta"))
    assert metas[:2] == [{"charset": "utf-8"}, {"http-equiv": "Content-Security-Policy", "content": POLICY}]
    assert "default-src 'none'" in POLICY
    assert "script" not in POLICY


def test_nothing_is_fetched() -> None:
    """Neither the page nor its styles name anything outside of it."""
    page = HtmlRenderer(NoOptions()).render(sample_report())
    assert re.findall(r"https?:|//|url\(|@import|src=\"(?!data:)", page.replace("<!DOCTYPE html>", "")) == []
    assert "<" not in STYLE


def test_the_title_is_the_first_heading() -> None:
    """A browser's tab shows it; without any heading it says what made the page."""
    pages = [render(Note("n"), Heading("First & <b>", 1), Heading("Second")), render()]
    assert [re.findall("<title>(.*)</title>", page) for page in pages] == [["First &amp; &lt;b&gt;"], ["recfw report"]]


def test_a_table_can_be_read_aloud() -> None:
    """Headers say what they head, the box that scrolls has a name and takes the keyboard, numbers are set apart."""
    page = read(render(Table((Column("a"), Column("x")), (("m", Measure(0.956, 0.9, 1.0)),), "shares")))
    assert [attributes["scope"] for attributes in of(page, "th")] == ["col", "col", "row"]
    caption = next(of(page, "figcaption"))["id"]
    box = next(a for a in of(page, "div") if a.get("class") == "scroll")
    assert (box["role"], box["tabindex"], box["aria-labelledby"]) == ("region", "0", caption)
    assert " ".join(page.words).split() == ["recfw", "report", "shares", "a", "x", "m", "0.956", "[0.90,", "1.00]"]


def test_a_table_wider_than_a_sheet_is_printed_across_it() -> None:
    """By what cannot wrap in it, as long words can; on a screen it scrolls in its box, the first column in sight."""

    def kinds(columns: int, cell: str) -> list[str | None]:
        titles = tuple(Column(f"c{n}") for n in range(columns))
        return [figure.get("class") for figure in of(read(render(Table(titles, ((cell,) * columns,), "t"))), "figure")]

    assert (kinds(10, "0.500 [0.40, 0.60]"), kinds(25, "0.500 [0.40, 0.60]")) == (["whole"], ["whole wide"])
    assert kinds(2, "x" * 500) == ["whole"]
    assert re.search(r"th:first-child, td:first-child \{ position: sticky; left: 0;", STYLE)


def test_a_drawing_has_its_numbers_in_words() -> None:
    """A line's drawing says its values; below are the numbers as a table, but where the document has one."""
    series = (Series("s", (1, 2), (0.5, None)),)
    for repeats, tables in ((False, 1), (True, 0)):
        page = read(render(Plot("Curve", "line", "x", "y", series, repeats=repeats)))
        labels = [a["aria-label"] for a in of(page, "svg") if "aria-label" in a]
        assert (labels, len(list(of(page, "table")))) == (["Curve. s: 1: 0.5, 2: -"], tables)


def test_bars_by_hand() -> None:
    """A bar begins at zero and ends at the value, its interval's ends are marked, and its number stands beside it."""
    page = read(render(Plot("T", "bar", "x", "y", (Series("", ("a",), (-1.0,), (-2.0,), (2.0,)),), repeats=True)))
    boxes = [(a["x"], a["width"]) for a in of(page, "rect")]
    spans = [(a["x1"], a["x2"]) for a in of(page, "line") if str(a["class"]).startswith("span")]
    assert (boxes, spans) == (
        [("25.00%", "25.00%")],
        [("25.00%", "25.00%"), ("0.00%", "100.00%"), ("0.00%", "0.00%"), ("100.00%", "100.00%")],
    )
    assert "-1.000 [-2.00, 2.00]" in page.words


def test_a_missing_value_is_a_gap() -> None:
    """No line leaps over a value that is not there."""
    page = read(render(Plot("T", "line", "x", "y", (Series("", (1, 2, 3, 4), (0.5, None, 0.7, 0.8)),))))
    lines = [a for a in of(page, "line") if str(a["class"]).startswith("path")]
    assert (len(lines), len(list(of(page, "circle")))) == (1, 3)


def test_a_picture_is_within_the_page() -> None:
    """Its bytes are in the page, with what is to be seen in words."""
    data = bytes(range(256))
    picture = next(of(read(render(Image("a dot", "image/webp", data))), "img"))
    kind, coded = str(picture["src"]).split(",")
    assert (kind, base64.b64decode(coded), picture["alt"]) == ("data:image/webp;base64", data, "a dot")


def test_only_pictures_are_pictures() -> None:
    """A drawing that could hold a script is no picture."""
    with pytest.raises(DataError, match=r"'image/svg\+xml' is no media_type of an image"):
        Image("x", "image/svg+xml", b"<svg/>")


def test_contents_where_there_is_much() -> None:
    """With four headings below the title the page begins with links to them; with fewer it does not."""
    headings = [Heading("T", 1), *(Heading(f"h{n}", 2) for n in range(4))]
    long, short = read(render(*headings)), read(render(*headings[:-1]))
    targets = [str(a["href"]) for a in of(long, "a")]
    ids = [f"#{a['id']}" for a in of(long, "h2")]
    assert (targets, list(of(short, "a"))) == (ids, [])


def test_names_within_the_page_are_unique() -> None:
    """Every caption has an id of its own, however blocks are mixed."""
    table = Table((Column("a"),), (("x",),), "t")
    plot = Plot("T", "line", "x", "y", (Series("s", (1,), (0.5,)),))
    page = read(render(table, table, Note("n"), table, plot, plot, Heading("h"), Heading("h"), table))
    ids = [a["id"] for _, a in page.elements if "id" in a]
    assert (len(ids), len(set(ids))) == (8, 8)


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours by WCAG 2."""
    lights = []
    for colour in (one, other):
        full = colour if len(colour) == 7 else "#" + "".join(2 * digit for digit in colour[1:])
        parts = [int(full[place : place + 2], 16) / 255 for place in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        lights.append(0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2])
    return (max(lights) + 0.05) / (min(lights) + 0.05)


def test_colours_can_be_told_from_the_paper() -> None:
    """By day, by night and on paper, words have the contrast that WCAG asks for (4.5), and so have marks (3)."""
    themes = [
        dict(re.findall(r"--(\w+): (#\w+);", theme)) for theme in re.findall(r":root \{(.*?)\}", STYLE, re.DOTALL)
    ]
    low = [
        (name, theme["paper"])
        for theme in themes
        for name in theme
        if name not in {"paper", "band", "line"}
        and contrast(theme[name], theme["paper"]) < (3 if name.startswith("c") else 4.5)
    ]
    assert (len(themes), low) == (3, [])
    assert [theme for theme in themes if contrast(theme["soft"], theme["band"]) < 4.5] == []


def test_a_ragged_plot_is_an_error() -> None:
    """Lists of different length are named."""
    with pytest.raises(DataError, match="series 's' differ in length"):
        render(Plot("T", "bar", "x", "y", (Series("s", ("a", "b"), (1.0,)),)))
