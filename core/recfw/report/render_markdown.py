"""Shows a report as Markdown, with the tables of GitHub's dialect."""

import re
from base64 import b64encode
from typing import Any, assert_never

from recfw.model.document import Block, Heading, Image, Note, Paragraph, Plot, Report, Table
from recfw.protocols import Renderer
from recfw.report.tables import ShownTable, plot_table, shown_table
from recfw.report.words import one_line

_INLINE = re.compile(
    r"[\\`*~|<$]"  # code, emphasis, strike-through, cells, tags, formulas
    r"|(?<![^\W_])_|_(?![^\W_])"  # an underscore that is not inside a word
    r"|\](?=[(\[:])"  # the middle of a link, or of a link's definition
    r"|&(?=#?\w)"  # a character by name or number
)
_ALT = re.compile(rf"{_INLINE.pattern}|[\[\]]")
_CLOSING = re.compile(r"#+$")  # a heading may end in marks that are not shown
_START = re.compile(r"[#>=+-]|\d+(?=[.)])")


class MarkdownRenderer(Renderer):
    """
    Headings, paragraphs, quoted notes, tables, and pictures within the text.

    A plot becomes the table of its data, or nothing where the document has such a table.
    """

    name = "markdown"
    summary = "A Markdown text with tables."
    suffixes = (".md", ".markdown")

    def __init__(self, options: Any) -> None: ...

    def render(self, report: Report) -> str:
        """Return the text; DataError where a table or plot is malformed."""
        return "\n\n".join(part for block in report.document.blocks if (part := _block(block))) + "\n"


def escape(text: str) -> str:
    """Return text on one line that Markdown shows as it stands, wherever within a line or cell it is put."""
    return _INLINE.sub(_backslash, one_line(text))


def _backslash(match: re.Match[str]) -> str:
    return "\\" + match.group()


def _paragraph(text: str) -> str:
    """Escape also what would make a line's beginning a heading, list, quotation or rule."""
    line = escape(text)
    match = _START.match(line)
    if match is None:
        return line
    return f"\\{line}" if match.end() == 1 and not line[0].isdigit() else f"{match.group()}\\{line[match.end() :]}"


def _block(block: Block) -> str:
    match block:
        case Heading():
            marks = "#" * min(max(block.level, 1), 6)
            return f"{marks} {_CLOSING.sub(_backslash, escape(block.text))}".rstrip()
        case Paragraph():
            return _paragraph(block.text)
        case Note():
            return f"> {_paragraph(block.text)}".rstrip()
        case Table():
            return _table(shown_table(block))
        case Plot():
            return "" if block.repeats else _table(shown_table(plot_table(block)))
        case Image():
            return _image(block)
        case _:
            assert_never(block)


def _table(table: ShownTable) -> str:
    lines = [[escape(cell) for cell in row] for row in (table.titles, *table.rows)]
    if not table.titles:
        return f"**{escape(table.caption)}**" if table.caption else ""
    widths = [max(3, *(len(line[i]) for line in lines)) for i in range(len(table.titles))]
    rule = ["-" * (width - 1) + (":" if right else "-") for width, right in zip(widths, table.numeric, strict=True)]
    padded = [
        [cell.rjust(w) if right else cell.ljust(w) for cell, w, right in zip(line, widths, table.numeric, strict=True)]
        for line in lines
    ]
    text = "\n".join(f"| {' | '.join(line)} |" for line in (padded[0], rule, *padded[1:]))
    return f"**{escape(table.caption)}**\n\n{text}" if table.caption else text


def _image(image: Image) -> str:
    """Return the picture as a data address; brackets in its words would end them, so each is escaped."""
    alt = _ALT.sub(_backslash, one_line(image.alt))
    picture = f"![{alt}](data:{image.media_type};base64,{b64encode(image.data).decode('ascii')})"
    caption = _paragraph(image.caption)
    return f"{picture}\n\n{caption}" if caption else picture
