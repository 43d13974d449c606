"""The embedded world's store: built on first use into the person's cache, equal bytes for equal versions."""

import hashlib
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib.resources import files
from pathlib import Path

from recfw.errors import StoreError
from recfw_orchestration.data.finish import finish
from recfw_orchestration.data.staging import Staging
from recfw_orchestration.world import businesses, products, venues

SEED = 1
SOURCES = {
    "recfw_orchestration.data": (
        "categories.py", "codec.py", "derive.py", "finish.py", "lexicon.txt", "model.py", "okapi.py", "pages.py",
        "records.py", "schema.py", "sentiment.py", "staging.py", "tables.py", "text.py",
    ),
    "recfw_orchestration.world": (
        "businesses.py", "businesses.txt", "embedded.py", "hours.py", "names.txt", "opinions.py", "phrases.txt",
        "products.py", "products.txt", "venues.py", "venues.txt", "wheel.py",
    ),
}  # fmt: skip
"""What a store follows from: the cached one is used as long as these files are the same."""
_KEPT = 3
"""Stores of other versions that the cache keeps, the newest ones."""


def build(path: Path, seed: int = SEED, told: Callable[[str], None] = lambda _: None) -> None:
    """Write the world's store; equal seeds give equal content. StoreError where it cannot be written."""
    with tempfile.TemporaryDirectory(prefix="recfw-world-") as folder:
        staged = Path(folder) / "world.partial"
        with Staging(staged) as staging:
            told("people and things")
            _electronics(staging, seed)
            _local(staging, seed)
            _places(staging, seed)
        # Beside its place until it is whole, and made anew: a store that is there is not built upon.
        fresh = path.with_name(f"{path.name}.{os.getpid()}")
        try:
            fresh.unlink(missing_ok=True)
            finish(staged, fresh, told)
            fresh.replace(path)
        except OSError as error:
            raise StoreError(
                f"{path}: cannot be written ({error.strerror or error}).", "Name another place."
            ) from error
        finally:
            _clear(fresh)


def _electronics(staging: Staging, seed: int) -> None:
    goods = products.draw_goods(seed)
    shelves = products.Shelves(goods)
    records, beside = products.products(seed, goods, shelves)
    staging.extend("electronics", records, "item")
    staging.extend("electronics", products.reviews(seed, goods, shelves, beside), "review")


def _local(staging: Staging, seed: int) -> None:
    shops, guests = businesses.draw_shops(seed), businesses.draw_guests(seed)
    staging.extend("local", (shop.record for shop in shops), "item")
    staging.extend("local", businesses.profiles(seed, guests), "user")
    staging.extend("local", businesses.life(seed, shops, guests), "review")


def _places(staging: Staging, seed: int) -> None:
    spots = venues.draw_spots(seed)
    staging.extend("places", venues.sightings(spots), "item")
    staging.extend("places", venues.checkins(seed, spots), "checkin")


def embedded_store(told: Callable[[str], None] = lambda _: None) -> Path:
    """
    Return the world's store, building it where this version's is not in the cache yet, or not whole.

    The cache is ``recfw/orchestration`` in ``XDG_CACHE_HOME`` or ``~/.cache``; where that cannot be written, a folder
    of this person's own among those for temporary files. Of several processes that need it at once, one builds and the
    others wait.

    Raises:
        StoreError: It can be written to neither.
    """
    name, why = f"world-{version()}.db", ""
    for folder in _folders():
        path = folder / name
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if folder.parent == Path(tempfile.gettempdir()) and not _ours(folder):
                continue
            if _whole(path):
                return path
            with _alone(folder / f"{name}.lock"):
                if not _whole(path):
                    _tidy(folder, name)
                    build(path, told=told)
        except (OSError, StoreError) as error:
            why = why or str(error)
            continue
        return path
    raise StoreError(
        f"the embedded world can be kept nowhere ({why.rstrip('.')}).",
        "Set XDG_CACHE_HOME to a folder that can be written and has 100 MB of room.",
    )


def _ours(folder: Path) -> bool:
    """Tell whether nobody else owns a folder: what others put among temporary files is not read."""
    return not hasattr(os, "getuid") or folder.stat().st_uid in (os.getuid(), 0)


def _whole(path: Path) -> bool:
    """Tell whether a store is there and as long as its head says: a disk that was full may have cut it off."""
    try:
        with path.open("rb") as file:
            head = file.read(32)
            size = file.seek(0, os.SEEK_END)
    except OSError:
        return False
    pages = int.from_bytes(head[16:18], "big") * int.from_bytes(head[28:32], "big")
    return head.startswith(b"SQLite format 3\0") and pages == size


def version() -> str:
    """Return the first digits of SHA-256 over the sources that the world's store follows from."""
    found = hashlib.sha256()
    for package, names in SOURCES.items():
        for name in names:
            found.update(name.encode() + (files(package) / name).read_bytes())
    return found.hexdigest()[:12]


def _tidy(folder: Path, name: str) -> None:
    """Remove the oldest stores of other versions, and what builders of this one that were killed have left."""
    stores = [path for path in folder.glob("world-*.db") if path.name != name]
    stores.sort(key=lambda path: (path.stat().st_mtime_ns, path.name), reverse=True)
    for path in stores[_KEPT - 1 :]:
        path.unlink(missing_ok=True)
        path.with_name(f"{path.name}.lock").unlink(missing_ok=True)
    if os.name == "posix":  # the lock is held, so nobody else is building
        for left in folder.glob(f"{name}.[0-9]*"):
            left.unlink(missing_ok=True)


def _clear(fresh: Path) -> None:
    """Remove a store that was begun."""
    for path in (fresh, fresh.with_name(f"{fresh.name}.new")):
        with suppress(OSError):
            path.unlink(missing_ok=True)


def _folders() -> tuple[Path, ...]:
    base = os.environ.get("XDG_CACHE_HOME")
    home = Path(base) if base else Path.home() / ".cache"
    person = f"-{os.getuid()}" if hasattr(os, "getuid") else ""
    return home / "recfw" / "orchestration", Path(tempfile.gettempdir()) / f"recfw-orchestration{person}"


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Hold a lock file; where the system has no such locks, everybody builds, and the last one's equal file stays."""
    try:
        import fcntl  # noqa: PLC0415 - not on every system
    except ImportError:
        yield
        return
    with path.open("wb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
