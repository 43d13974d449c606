"""Which process has a file open, told without touching the file's locks."""

import os
from contextlib import suppress
from pathlib import Path


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
