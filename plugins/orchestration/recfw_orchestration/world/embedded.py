"""The embedded world's store: built on first use into the person's cache, equal bytes for equal versions."""

import hashlib
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
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
    Return the world's store, building it where this version's is not in the cache yet.

    The cache is ``recfw/orchestration`` in ``XDG_CACHE_HOME`` or ``~/.cache``; where that cannot be written, the folder
    for temporary files. Of several processes that need it at once, one builds and the others wait.
    """
    name = f"world-{version()}.db"
    for folder in _folders():
        path = folder / name
        if path.is_file():
            return path
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with _alone(folder / f"{name}.lock"):
                if not path.is_file():
                    build(path, told=told)
                    _tidy(folder)
        except (OSError, StoreError):
            continue
        return path
    raise StoreError("the embedded world can be kept nowhere.", "Set XDG_CACHE_HOME to a folder that can be written.")


def version() -> str:
    """Return the first digits of SHA-256 over the sources that the world's store follows from."""
    found = hashlib.sha256()
    for package, names in SOURCES.items():
        for name in names:
            found.update(name.encode() + (files(package) / name).read_bytes())
    return found.hexdigest()[:12]


def _tidy(folder: Path) -> None:
    """Remove the oldest stores of other versions."""
    stores = sorted(folder.glob("world-*.db"), key=lambda path: (path.stat().st_mtime_ns, path.name), reverse=True)
    for path in stores[_KEPT:]:
        path.unlink(missing_ok=True)
        path.with_name(f"{path.name}.lock").unlink(missing_ok=True)


def _folders() -> tuple[Path, ...]:
    base = os.environ.get("XDG_CACHE_HOME")
    home = Path(base) if base else Path.home() / ".cache"
    return home / "recfw" / "orchestration", Path(tempfile.gettempdir()) / "recfw-orchestration"


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
