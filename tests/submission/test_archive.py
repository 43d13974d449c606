"""The file of a bundle: read strictly, and no byte of it can change unseen."""

import gzip
import tarfile
import tracemalloc
from contextlib import suppress
from pathlib import Path

import pytest
from fakes.bundling import NAMES, parts_of, put_together

from recfw.errors import DataError, UsageError
from recfw.submission.archive import header, opened
from recfw.submission.manifest import FIGURES, MANIFEST, RUN
from recfw.submission.opening import _unpack, open_bundle


def fault(path: Path, scratch: Path, limit: int | None = None) -> str:
    """Return why a bundle is refused; empty where it is not."""
    scratch.mkdir(exist_ok=True)
    try:
        with open_bundle(path, scratch, limit):
            return ""
    except DataError as error:
        return str(error)


def test_any_tar_program_unpacks_it(whole: Path) -> None:
    """A bundle is an ordinary tar of four files without dates or owners."""
    with tarfile.open(whole) as file:
        members = file.getmembers()
    assert [(m.name, m.mtime, m.uid, m.uname, m.isreg()) for m in members] == [(n, 0, 0, "", True) for n in NAMES]


def test_every_altered_byte_is_found(whole: Path, tmp_path: Path) -> None:
    """Flip one bit anywhere (here: of every 41st byte, and of the first header): the bundle is refused."""
    data = whole.read_bytes()
    places = [*range(0, 160, 7), *range(160, len(data), 41)]
    unseen = []
    for at in places:
        altered = bytearray(data)
        altered[at] ^= 1
        (tmp_path / "x.tar").write_bytes(altered)
        with suppress(DataError):
            _unpack(tmp_path / "x.tar", tmp_path / "run")
            unseen.append(at)
    assert unseen == []


@pytest.mark.parametrize("name", NAMES)
def test_an_altered_part_is_named(whole: Path, tmp_path: Path, name: str) -> None:
    """Alter one byte in the midst of a part: the refusal names what does not fit."""
    data = bytearray(whole.read_bytes())
    at = data.index(header(name, len(parts_of(whole)[name]))) + 512
    data[at + 20] ^= 1
    (tmp_path / "x.tar").write_bytes(data)
    named = MANIFEST if name in {MANIFEST, "seal"} else name
    assert named in fault(tmp_path / "x.tar", tmp_path / "scratch")


@pytest.mark.parametrize("share", [0.0, 0.02, 0.3, 0.6, 0.9, 0.999])
def test_a_cut_bundle_is_refused(whole: Path, tmp_path: Path, share: float) -> None:
    """Wherever it is cut off, that is what is said."""
    data = whole.read_bytes()
    (tmp_path / "x.tar").write_bytes(data[: int(len(data) * share)])
    assert "cut off" in fault(tmp_path / "x.tar", tmp_path / "scratch")


def test_nothing_may_stand_behind_it(whole: Path, tmp_path: Path) -> None:
    """A byte behind the end is refused."""
    (tmp_path / "x.tar").write_bytes(whole.read_bytes() + b"\0")
    assert "behind its last part" in fault(tmp_path / "x.tar", tmp_path / "scratch")


@pytest.mark.parametrize(
    "fields",
    [
        {"name": "../../evil"},
        {"name": "/etc/passwd"},
        {"type": tarfile.SYMTYPE, "linkname": "/etc/passwd"},
        {"type": tarfile.LNKTYPE, "linkname": "x"},
        {"type": tarfile.XHDTYPE},
        {"type": tarfile.FIFOTYPE},
        {"type": tarfile.DIRTYPE},
        {"mode": 0o4755},
        {"uname": "root"},
    ],
)
def test_only_the_parts_are_parts(tmp_path: Path, fields: dict[str, object]) -> None:
    """Paths, links, devices, extended headers and the like in the place of a part are refused; nothing is written."""
    info = tarfile.TarInfo(MANIFEST)
    for name, value in fields.items():
        setattr(info, name, value)
    (tmp_path / "x.tar").write_bytes(info.tobuf(tarfile.GNU_FORMAT) + bytes(2048))
    assert "was to come" in fault(tmp_path / "x.tar", tmp_path / "scratch")
    assert list((tmp_path / "scratch").iterdir()) == []


def test_a_part_that_claims_to_be_huge_is_not_read(tmp_path: Path) -> None:
    """A manifest of a terabyte is refused by its header."""
    (tmp_path / "x.tar").write_bytes(header(MANIFEST, 1 << 40) + bytes(2048))
    assert "more than 1,048,576" in fault(tmp_path / "x.tar", tmp_path / "scratch")


def test_a_bomb_is_refused_in_little_memory(whole: Path, tmp_path: Path) -> None:
    """A run that unpacks to more than is allowed is refused before it fills memory or disk."""
    parts = parts_of(whole)
    bomb = put_together(tmp_path / "x.tar", {**parts, RUN: gzip.compress(bytes(200 << 20), 9, mtime=0)})
    tracemalloc.start()
    said = fault(bomb, tmp_path / "scratch", 1 << 20)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (RUN in said, peak < 16 << 20) == (True, True)


@pytest.mark.parametrize("depth", [300, 100_000])
def test_deeply_nested_figures_are_refused(whole: Path, tmp_path: Path, depth: int) -> None:
    """Declared figures that nest deeper than any are refused, and no recursion fails."""
    nested = b'{"a":' * depth + b"1" + b"}" * depth
    bundle = put_together(tmp_path / "x.tar", {**parts_of(whole), FIGURES: nested})
    assert FIGURES in fault(bundle, tmp_path / "scratch")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda m: m.update(recfw_bundle=2), "bundles of schema 2 are not known"),
        (lambda m: m.pop("signed_off"), "required field missing @ $.signed_off"),
        (lambda m: m["signed_off"].update(homepage="javascript:alert(1)"), "homepage is no https:// address"),
        (lambda m: m["signed_off"].update(homepage='https://x.org/"onclick='), "homepage is no https:// address"),
        (lambda m: m["signed_off"].update(name=" "), "name is empty"),
        (lambda m: m["parts"].pop(), "names other parts"),
        (lambda m: m.update(cells=[]), "names no cell"),
        (lambda m: m.update(run="another"), "holds other runs than 'another'"),
        (lambda m: m.update(more=1), "extra fields found (more)"),
    ],
)
def test_a_forged_manifest_is_refused(whole: Path, tmp_path: Path, change, words: str) -> None:
    """A manifest that is none is refused in words, although its digests fit."""
    assert words in fault(put_together(tmp_path / "x.tar", parts_of(whole), change), tmp_path / "scratch")


def test_only_an_ordinary_file_is_read(tmp_path: Path) -> None:
    """A folder, a device and a name that is not there are errors of usage."""
    for name in (str(tmp_path), "/dev/null", str(tmp_path / "no")):
        with pytest.raises(UsageError), opened(Path(name)):
            pass


def test_sizes_beyond_eight_gigabytes_have_a_header() -> None:
    """A part may be larger than the classic limit of tar."""
    size = 9 << 30
    assert tarfile.TarInfo.frombuf(header(RUN, size), "ascii", "strict").size == size
