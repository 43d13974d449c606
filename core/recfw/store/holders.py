"""Which process carries a run, told by its journal without touching its lock; and what that makes of its status."""

import os
from collections.abc import Container
from contextlib import suppress
from pathlib import Path

LOCK = "lock"
"""The file in a run's journal that its carrier has open and locked, with its number in it."""
RUNNING = "running"
"""Status of a run that was begun and has not ended."""


def journals_beside(path: Path) -> Path:
    """Return the folder in which the journals of a store's file are."""
    return path.absolute().parent / "journal"


def carrier_of(folder: Path) -> int | None:
    """
    Return the process that carries the run of a journal's folder, or None where no process here does.

    A process that could not write down its number (the disk was full) is not seen.
    """
    path = folder / LOCK
    try:
        pid = int(path.read_bytes()[:20] or b"0")
    except (OSError, ValueError):
        return None
    return pid if pid > 0 and has_open(pid, path) else None


def carried_in(journals: Path) -> frozenset[str]:
    """Return the runs that processes here carry, by the folder in which the journals of a store are."""
    return frozenset(path.parent.name for path in journals.glob(f"*/{LOCK}") if carrier_of(path.parent) is not None)


def state_of(run: str, status: str, journals: Path, before: Container[str], *, local: bool) -> str:
    """
    Return what a run's stored status means now: the states of :class:`recfw.store.watcher.Sight`.

    Args:
        run: The run's id.
        status: As it is stored.
        journals: The folder in which the journals of the store are.
        before: The runs that were carried (:func:`carried_in`) before the status was read: one that has ended since
            is not taken for abandoned.
        local: Whether whoever carries it must be seen here, as with a file; a server's run may be carried elsewhere.
    """
    if status != RUNNING:
        return "ended"
    if run in before or carrier_of(journals / run) is not None:
        return "running"
    return "stale" if local or (journals / run).is_dir() else "unseen"


def has_open(pid: int, path: Path) -> bool:
    """
    Tell whether a process has a file open, as far as can be seen.

    Where the system shows no open files (or those of others only to root), a process that is alive has it.
    """
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        pass  # it is somebody else's
    try:
        links = list(Path(f"/proc/{pid}/fd").iterdir())
    except OSError:
        return True
    for link in links:
        with suppress(OSError):
            if link.samefile(path):
                return True
    return False
