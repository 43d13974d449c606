"""
A disk that fills up while a run plays, and is freed later: the run must stop with a clear error, and go on afterwards.

The store, its journal and its cache lie on a file system in memory of a few megabytes, which only root can make.
"""

import subprocess
import time
from contextlib import contextmanager, suppress

from kills_series import HUNG, Series

MEGABYTES = 24
FULL = 5
"""Exit status of a command whose store cannot be written."""


@contextmanager
def small_disk(folder):
    """Hold a small file system at a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={MEGABYTES}m", "none", folder], capture_output=True)
    if done.returncode:
        raise SystemExit(f"A small disk cannot be mounted ({done.stderr.decode().strip()}): run this as root.")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", folder], check=True)


class SpaceSeries(Series):
    """One run whose disk fills up again and again."""

    def __init__(self, disk, *arguments):
        super().__init__(*arguments)
        self.filler = disk / "filler"

    def strike(self, process):
        """Fill the disk to the last byte, wait for the run to end, and free it again."""
        with suppress(OSError), self.filler.open("wb", buffering=0) as file:
            for size in (1 << 16, 1 << 12, 1):
                with suppress(OSError):
                    while file.write(b"\0" * size):
                        pass
        started = time.monotonic()
        with suppress(subprocess.TimeoutExpired):
            process.wait(HUNG)
        printed, status = self.printed(), process.poll()
        if status is None:
            self.fault(f"still running {time.monotonic() - started:.0f} s after the disk was full: {printed}")
            process.kill()
            process.wait()
        elif status != 0 and (status != FULL or "disk is full" not in printed or "Traceback" in printed):
            self.fault(f"on a full disk: exit {status}: {printed}")
        self.filler.unlink(missing_ok=True)
        return "stopped with 5" if status else "finished first"
