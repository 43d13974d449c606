"""The Markdown renderer: shape, and hostile strings read back through a Markdown parser."""

from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from recfw.model.document import Block, Column, Document, Heading, Image, Note, Paragraph, Plot, Report, Series, Table
from recfw.protocols import NoOptions
from recfw.report.render_markdown import MarkdownRenderer
from recfw.report.words import one_line

SIGNS = "|\\`*_[](){}<>!#+-=.~&;:$^\"'/@1x \n\x1b"
HOSTILE = (
    st.text()
    | st.text(SIGNS, max_size=12)
    | st.sampled_from(
        [
            "a|b",
            "[x](y)",
            "![x](y)",
            "<b>",
            "&amp;",
            "&#42;",
            "# x #",
            "1. x",
            "---",
            "[x]: y",
            "```",
            "\\|",
            "a_b_ _c_",
        ]
    )
)


def render(*blocks: Block) -> str:
    """Render blocks."""
    return MarkdownRenderer(NoOptions()).render(Report(Document(blocks)))


def parse(page: str) -> list[Token]:
    """Parse a page as GitHub's dialect, as far as tables and strike-through go."""
    return MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(page)


def words(token: Token) -> str:
    """Return an inline token's text; a mark for anything that is not plain text."""
    return "".join(child.content if child.type == "text" else f"<{child.type}>" for child in token.children or ())


def test_a_page() -> None:
    """Headings, prose, notes and a table look like this, in raw text too."""
    table = Table((Column("agent"), Column("n", ",d")), (("first", 1200), ("second|third", None)), "a table")
    page = render(Heading("Title", 1), Paragraph("Some words, tool_calls."), table, Note("one"))
    assert page == "\n".join(
        [
            "# Title",
            "",
            "Some words, tool_calls.",
            "",
            "**a table**",
            "",
            "| agent         |     n |",
            "| ------------- | ----: |",
            "| first         | 1,200 |",
            "| second\\|third |     - |",
            "",
            "> one",
            "",
        ]
    )


def test_a_plot_becomes_a_table() -> None:
    """A row for each x, a column for each series; what a series lacks is a dash."""
    plot = Plot(
        "Curve",
        "line",
        "r",
        "share",
        (Series("a", (0, 1), (0.25, 0.5), (0.2, 0.4), (0.3, 0.6)), Series("b", (1,), (1.0,))),
    )
    assert render(plot) == "\n".join(
        [
            "**Curve (share)**",
            "",
            "|   r |                  a |     b |",
            "| --: | -----------------: | ----: |",
            "|   0 | 0.250 [0.20, 0.30] |     - |",
            "|   1 | 0.500 [0.40, 0.60] | 1.000 |",
            "",
        ]
    )


@settings(deadline=None)
@given(HOSTILE)
def test_prose_reads_back_as_it_was(text: str) -> None:
    """A parser finds one heading, one paragraph and one quotation, with the very words and no markup in them."""
    expected = one_line(text)
    tokens = parse(render(Heading(text, 2), Paragraph(text), Note(text)))
    kinds = [token.type for token in tokens if not token.type.endswith("close")]
    shapes = ["heading_open", "inline", "paragraph_open", "inline", "blockquote_open", "paragraph_open", "inline"]
    empty = ["heading_open", "inline", "blockquote_open"]
    found = (kinds, {words(token) for token in tokens if token.type == "inline"})
    assert found == (shapes if expected else empty, {expected})


@settings(deadline=None)
@given(HOSTILE)
def test_cells_read_back_as_they_were(text: str) -> None:
    """A parser finds a table of two columns and two rows with the very words, whatever they are."""
    tokens = parse(render(Table((Column(text), Column("n")), ((text, 1), ("b", 2)), text)))
    cells = [words(token) for token in tokens if token.type == "inline"]
    expected = one_line(text)
    caption = [f"<strong_open>{expected}<strong_close>"] if expected else []
    assert cells == [*caption, expected, "n", expected, "1", "b", "2"]


def test_a_plot_that_repeats_a_table_is_left_out() -> None:
    """What cannot be drawn and stands in a table is not written twice."""
    plot = Plot("T", "bar", "x", "y", (Series("s", ("a",), (1.0,)),), repeats=True)
    assert render(Paragraph("p"), plot, Note("n")) == "p\n\n> n\n"


@settings(deadline=None)
@given(HOSTILE)
def test_a_picture_reads_back(text: str) -> None:
    """A parser finds one picture with the very words and bytes, and its caption; whatever the words hold."""
    tokens = [token for token in parse(render(Image(text, "image/png", b"\x89PNG", text))) if token.type == "inline"]
    (picture,) = tokens[0].children or ()
    caption = [one_line(text)] if one_line(text) else []
    assert (picture.type, picture.attrs["src"]) == ("image", "data:image/png;base64,iVBORw==")
    assert (picture.content and words(picture), [words(token) for token in tokens[1:]]) == (one_line(text), caption)
