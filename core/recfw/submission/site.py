"""A leaderboard as a folder of files: whole, in the place of an earlier one, and of nothing else."""

import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import orjson

from recfw.errors import UsageError
from recfw.store.faults import disk_fault
from recfw.submission.board import Line, Table
from recfw.submission.entries import Gathered
from recfw.submission.pages import address, board_page, entry_page

DATA = "leaderboard.json"
"""The tables for scripts; a folder that holds it is a leaderboard, and may be replaced."""


def check_place(place: Path) -> None:
    """Refuse a place where something else than an earlier leaderboard is."""
    if place.exists() and not place.is_dir():
        raise UsageError(f"{place}: is no folder.", "Name a new folder.")
    if place.is_dir() and any(place.iterdir()) and not (place / DATA).is_file():
        raise UsageError(f"{place}: holds other things than an earlier leaderboard.", "Name a new folder.")
    if not place.absolute().parent.is_dir():
        raise UsageError(f"{place}: there is no folder {place.parent}.", "Make it first.")


def write_site(place: Path, title: str, tables: Sequence[Table], gathered: Gathered) -> int:
    """
    Write the pages; they appear together, in the place of an earlier leaderboard. Return how many there are.

    Raises:
        StoreError: The disk refuses.
    """
    place = place.absolute()
    pages = {"index.html": board_page(title, tables, gathered.left_out)}
    pages |= {address(entry): entry_page(entry, title) for entry in gathered.entries}
    data = {"title": title, "tables": [_plain(table) for table in tables],
            "left_out": [{"file": one.file, "why": one.why} for one in gathered.left_out]}  # fmt: skip
    made = Path(tempfile.mkdtemp(prefix=f".{place.name}-", suffix=".part", dir=place.parent))
    try:
        (made / "bundles").mkdir()
        for name, text in pages.items():
            (made / name).write_text(text, encoding="ascii", newline="")
        (made / DATA).write_bytes(orjson.dumps(data, option=orjson.OPT_INDENT_2) + b"\n")
        for folder in (made, made / "bundles"):
            folder.chmod(0o755)
        if place.exists():
            place.rename(made / "earlier")
        made_new = made.rename(place)
        shutil.rmtree(made_new / "earlier", ignore_errors=True)
    except OSError as error:
        raise disk_fault(error, place, "--out") from error
    finally:
        shutil.rmtree(made, ignore_errors=True)
    return len(pages)


def _plain(table: Table) -> dict[str, Any]:
    return {
        "track": table.track,
        "figure": table.figure,
        "scorer": table.scorer,
        "content_digest": table.content,
        "tasks_digest": table.tasks,
        "options": dict(table.options),
        "others": dict(table.others),
        "tasks": table.n_tasks,
        "clusters": table.n_clusters,
        "rows": [_plain_line(line) for line in table.lines],
        "notes": list(table.notes),
    }


def _plain_line(line: Line) -> dict[str, Any]:
    entry = line.row.entry
    return {
        "name": line.row.name,
        "cell": line.row.cell.name,
        "signed_off_by": entry.manifest.signed_off.name,
        "system": entry.manifest.signed_off.system,
        "tier": line.tier,
        "mean": line.value,
        "low": line.low,
        "high": line.high,
        "pass_k": {str(k): value for k, value in line.passes.items()},
        "trials": {"planned": line.planned, "completed": line.completed, "failed": line.failed},
        "checked": line.verified,
        "run": entry.run.id,
        "file": entry.file,
        "sha256": entry.sha256,
        "page": address(entry),
    }
