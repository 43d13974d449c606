"""Bundles of a fake track for tests, and what takes them apart and puts them together again."""

import hashlib
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path

import orjson

from recfw.registry import Registry
from recfw.secrets import Secrets
from recfw.store.repository import Store
from recfw.store.transfer.guard import Guard
from recfw.submission.archive import Reader, opened, pieces_of, write_end, write_part
from recfw.submission.making import Made, make_bundle
from recfw.submission.manifest import FIGURES, MANIFEST, RUN, SEAL, SignOff

SIGNED = SignOff("A. Nother", "a@example.org", "The fake agents, as they come.")
NAMES = (MANIFEST, FIGURES, RUN, SEAL)


def bundle_of(registry: Registry, place: Path, path: Path, run: str = "r1", cells=(), signed: SignOff = SIGNED) -> Made:
    """Write a bundle of a stored run."""
    with Store.open(place, create=False, read_only=True) as store:
        return make_bundle(store, registry, store.run(run), path, cells, signed, Guard(Secrets({})))


def parts_of(path: Path) -> dict[str, bytes]:
    """Return a bundle's parts."""
    found = {}
    with opened(path) as file:
        reader = Reader(file)
        for name in NAMES:
            out = BytesIO()
            reader.part(name, None, out)
            found[name] = out.getvalue()
    return found


def put_together(path: Path, parts: Mapping[str, bytes], change=lambda manifest: None) -> Path:
    """Write a bundle of these parts whose digests and seal fit, as a forger would; ``change`` alters its manifest."""
    manifest = orjson.loads(parts[MANIFEST])
    for part in manifest["parts"]:
        part.update(size=len(parts[part["name"]]), sha256=hashlib.sha256(parts[part["name"]]).hexdigest())
    change(manifest)
    told = orjson.dumps(manifest)
    sealed = {**parts, MANIFEST: told, SEAL: hashlib.sha256(told).hexdigest().encode() + b"\n"}
    with path.open("wb") as file:
        for name in NAMES:
            write_part(file, name, len(sealed[name]), pieces_of(BytesIO(sealed[name])))
        write_end(file)
    return path
