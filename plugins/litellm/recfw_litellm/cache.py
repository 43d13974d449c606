"""
Kept answers: a folder of JSON files, one a request, named by the request's key.

A file is written whole or not at all, as soon as the answer is there, so that a killed run pays for no answer twice;
any number of processes may use one folder, and the first answer to a request stays. A file holds the request beside the
answer, to be read by people, and no credentials. When the folder grows beyond its bound, what was used longest ago
goes.
"""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from uuid import uuid4

import orjson

from recfw.errors import OutageError
from recfw_litellm.replies import answerable
from recfw_litellm.wire import Fault, Raw, Request

SCHEMA = 1
SUFFIX = ".json"
UNFINISHED = ".part-"
MEGABYTE = 1_000_000
SLACK = 0.9
"""Down to which share of its bound a folder that is too large is emptied."""
STALE = 3600.0
"""Seconds after which a file that nobody finished is a killed process's."""
WRITERS = 8
"""How many processes may write at a time before the bound is passed by more than a hundredth each."""


class Kept:
    """
    The answers in one folder.

    Args:
        folder: Where; made when the first answer is kept.
        megabytes: Bound of its size.
        redacted: Gives JSON values back without credentials.
    """

    def __init__(self, folder: Path, megabytes: int, redacted: Callable[[Any], Any]) -> None:
        self._folder, self._bound, self._redacted = folder, megabytes * MEGABYTE, redacted
        self._room = 0.0

    def path(self, key: str) -> Path:
        """Return where a key's answer is kept."""
        return self._folder / key[:2] / f"{key}{SUFFIX}"

    def prepare(self) -> None:
        """
        Make the folder, see that it can be written, and drop what is too much in it.

        Raises:
            OutageError: It cannot be written: every answer would be paid for again.
        """
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            with _written(self._folder, b"{}"):
                pass
        except OSError as error:
            raise _unwritable(self._folder, error) from error
        self.shrink()

    def get(self, key: str) -> Raw | None:
        """Return a kept answer; None where there is none, or the file holds none of this key."""
        path = self.path(key)
        try:
            held: Any = orjson.loads(path.read_bytes())
            if not isinstance(held, dict) or held.get("key") != key or held.get("schema") != SCHEMA:
                return None
            answer = answerable(held.get("answer"))
        except (OSError, orjson.JSONDecodeError, Fault):
            return None
        with suppress(OSError):
            os.utime(path)  # it is in use; the folder may be one that can only be read
        return answer

    def put(self, request: Request, key: str, answer: Raw, transport: str) -> Raw:
        """
        Keep an answer; return the one that is kept, which another process may have got at the same time.

        Raises:
            OutageError: It cannot be written: what was paid for would be paid for again.
        """
        held = {
            "schema": SCHEMA,
            "key": key,
            "transport": transport,
            "endpoint": request.endpoint,
            "sample": list(request.sample),
            "request": request.body(),
            "answer": answer,
        }
        data = orjson.dumps(self._redacted(held), option=orjson.OPT_INDENT_2)
        path = self.path(key)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with _written(path.parent, data) as part:
                if not _linked(part, path):
                    if (first := self.get(key)) is not None:
                        return first
                    part.replace(path)
        except OSError as error:
            raise _unwritable(path, error) from error
        self._room -= len(data)
        if self._room < 0:
            self.shrink()
        return answer

    def shrink(self) -> None:
        """Drop what was used longest ago, where the folder is beyond its bound; another process may do so too."""
        files = sorted(self._files())
        total = sum(size for _, size, _ in files)
        if total > self._bound:
            for _, size, path in files:
                if total <= self._bound * SLACK:
                    break
                with suppress(OSError):
                    path.unlink()
                    total -= size
        self._room = max((self._bound - total) / WRITERS, self._bound / 100)

    def _files(self) -> Iterator[tuple[float, int, Path]]:
        """Yield when each answer was last used, its bytes and its path; drop what killed processes left unfinished."""
        with suppress(OSError):
            for path in self._folder.glob("**/*"):
                with suppress(OSError):
                    status = path.stat()
                    if path.name.startswith(UNFINISHED) and status.st_mtime < time.time() - STALE:
                        path.unlink()
                    elif path.name.endswith(SUFFIX) and len(path.parent.name) == 2:
                        yield status.st_mtime, status.st_size, path


@contextmanager
def _written(folder: Path, data: bytes) -> Iterator[Path]:
    """Hold a file with this content under a name of its own, gone afterwards unless it was given another."""
    part = folder / f"{UNFINISHED}{os.getpid()}-{uuid4().hex}"
    try:
        part.write_bytes(data)
        yield part
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)


def _linked(part: Path, path: Path) -> bool:
    """Give a file its name; False where that is taken already."""
    try:
        path.hardlink_to(part)
    except FileExistsError:
        return False
    except OSError:  # a file system without links
        part.replace(path)
    return True


def _unwritable(path: Path, error: OSError) -> OutageError:
    hint = "Make room, or name another folder with --cache; with --cache-only nothing is written."
    return OutageError(f"{path}: answers cannot be kept here ({error.strerror or error}).", hint, "disk")
