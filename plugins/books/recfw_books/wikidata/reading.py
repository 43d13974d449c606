"""Reading a snapshot: each row of its responses once, whether a fetch saved them or somebody put files together."""

import gzip
import hashlib
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path

from attrs import field, frozen

from recfw.errors import DataError
from recfw_books.wikidata.responses import canonical, parse_response
from recfw_books.wikidata.snapshot import Snapshot, is_snapshot, read_journal

_SUFFIXES = (".json", ".json.gz")


@frozen
class Rows:
    """
    What a snapshot holds.

    Args:
        lines: Its rows as canonical JSON lines, each once, sorted.
        responses: How many responses they come from.
        rows: How many rows those hold, repeated ones included.
        queries: Query -> SHA-256 (hex) of the text that was asked; empty where nobody wrote it down.
    """

    lines: tuple[bytes, ...] = field(repr=False)
    responses: int
    rows: int
    queries: Mapping[str, str]

    @property
    def digest(self) -> str:
        """
        SHA-256 (hex) over the lines, each with a newline.

        It depends on what the responses say alone: not on their names and order, nor on how rows are spread over them.
        """
        digest = hashlib.sha256()
        for line in self.lines:
            digest.update(line + b"\n")
        return digest.hexdigest()


def read_rows(path: Path) -> Rows:
    """
    Read a snapshot.

    Args:
        path: A folder that a fetch made; or any folder of SPARQL results (``.json``, ``.json.gz``), or one such file.

    Raises:
        DataError: There is none, it is not finished, or a response is damaged; the sentence names it.
    """
    snapshot = read_journal(path) if path.is_dir() and is_snapshot(path) else None
    lines: set[bytes] = set()
    responses = rows = 0
    for name, data in _plain(path) if snapshot is None else _journalled(snapshot):
        found = parse_response(data, name)
        lines.update(map(canonical, found))
        responses, rows = responses + 1, rows + len(found)
    return Rows(tuple(sorted(lines)), responses, rows, snapshot.settings.queries if snapshot else {})


def _journalled(snapshot: Snapshot) -> Iterator[tuple[str, bytes]]:
    if not snapshot.finished:
        raise DataError(
            f"{snapshot.folder} is not finished: {len(snapshot.entries)} responses are there.",
            f"Go on with the options that began it: recfw books fetch --resume --out {snapshot.folder}",
        )
    for entry in snapshot.entries:
        yield entry.response, snapshot.bytes_of(entry)


def _plain(path: Path) -> Iterator[tuple[str, bytes]]:
    if path.is_file():
        files = [path]
    elif path.is_dir():
        files = sorted(file for file in path.iterdir() if file.name.endswith(_SUFFIXES) and file.is_file())
    else:
        raise DataError(f"no snapshot at {path}: there is no such file or folder.", _FETCH)
    if not files:
        raise DataError(f"{path} is no snapshot: it holds no .json or .json.gz file.", _FETCH)
    for file in files:
        try:
            data = file.read_bytes()
            yield file.name, gzip.decompress(data) if file.name.endswith(".gz") else data
        except (gzip.BadGzipFile, EOFError, zlib.error) as error:
            raise DataError(f"{file}: damaged gzip file ({error}).", "Copy it again.") from error
        except OSError as error:
            raise DataError(f"{file}: cannot be read ({error.strerror or error}).") from error


_FETCH = "Make one with: recfw books fetch --out SNAPSHOT"
