"""The words of a disk's faults: an operating system's error as one StoreError with a next step."""

import errno
from pathlib import Path

from recfw.errors import StoreError

FULL_HINT = "Free some space."
_STORE = "--store or RECFW_STORE"
READ_ONLY_HINT = f"Make it writable, or name another place with {_STORE}."

_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_READ_ONLY = {errno.EROFS, errno.EACCES, errno.EPERM}


def disk_fault(error: OSError, path: Path, option: str = _STORE) -> StoreError:
    """
    Return what went wrong at ``path``: no space, no permission, or the system's own words.

    Args:
        error: The system's.
        path: Where it happened.
        option: What names another place.
    """
    if error.errno in _FULL:
        return StoreError(f"{path}: the disk is full.", FULL_HINT)
    if error.errno in _READ_ONLY:
        return StoreError(
            f"{path}: cannot be written ({error.strerror}).", f"Make it writable, or name another place with {option}."
        )
    return StoreError(f"{path}: {error.strerror or error}.", f"Name another place with {option}.")
