"""What the scripts that write pages share: writing a page, or telling whether it is current."""

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

DOCS = Path(__file__).parent


def keep(target: Path, text: str, script: str) -> int:
    """Write a page, or with ``--check`` on the command line say whether it is current; return the exit status."""
    if sys.argv[1:] == ["--check"]:
        current = target.is_file() and target.read_text(encoding="utf-8") == text
        if not current:
            print(f"{target} is not current. Write it with: python docs/{Path(script).name}", file=sys.stderr)
        return 0 if current else 1
    target.write_text(text, encoding="utf-8")
    return 0


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a Markdown table; an upright line within a cell is escaped."""
    lines = [header, ["---"] * len(header), *([cell.replace("|", "\\|") for cell in row] for row in rows)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)
