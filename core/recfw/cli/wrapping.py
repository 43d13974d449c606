"""Long lines on a terminal: wrapped between words, under where their text begins; what a script reads is left whole."""

import os
import sys
from shutil import get_terminal_size
from textwrap import wrap

NARROWEST = 40
"""Letters that lines have at least, however narrow the terminal."""


def width() -> int | None:
    """Return how many letters a line may have; None where nothing but a script seems to read, and lines stay whole."""
    if sys.stdout is None or not (sys.stdout.isatty() or os.environ.get("COLUMNS")):
        return None
    return max(NARROWEST, get_terminal_size().columns)


def hanging(head: str, text: str, indent: int | None = None) -> str:
    """
    Return a head and the text after it, further lines indented.

    Args:
        head: What the first line begins with; its letters count, so it holds no colours.
        text: The words, on one line.
        indent: Letters by which further lines are indented; as many as the head has where nothing is said.
    """
    room = width()
    if room is None or len(head) + len(text) <= room:
        return head + text
    further = " " * (len(head) if indent is None else indent)
    found = wrap(
        text, room, initial_indent=head, subsequent_indent=further, break_long_words=False, break_on_hyphens=False
    )
    return "\n".join(line.rstrip() for line in found) if found else head
