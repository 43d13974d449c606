"""Whatever is damaged or cut off on the way is found before anything is stored."""

import os
import shutil
from pathlib import Path

import pytest
from fakes.moving import CONTENT, PICTURE, put_out, take_in
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recfw.errors import DataError, RecfwError
from recfw.store.repository import Store
from recfw.store.transfer.entering import check
from recfw.store.transfer.sources import open_source

fuzzed = settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])


def refused(path: Path) -> str:
    """Return the words with which a source is refused."""
    with pytest.raises(RecfwError) as caught, open_source(str(path)) as source:
        check(source)
    assert str(path) in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize("name", ["out.jsonl.gz", "out.jsonl"])
@fuzzed
@given(place=st.integers(0, 1 << 30), flip=st.integers(1, 255))
def test_any_flipped_byte_is_found(source: Store, tmp_path: Path, name: str, place: int, flip: int) -> None:
    """One changed byte, anywhere in a file, is found: also in what gzip does not look at."""
    path = tmp_path / name
    if not path.exists():
        put_out(source, path)
    data = bytearray(path.read_bytes())
    data[place % len(data)] ^= flip
    damaged = tmp_path / f"damaged-{name}"
    damaged.write_bytes(data)
    refused(damaged)


@pytest.mark.parametrize("name", ["out.jsonl.gz", "out.jsonl"])
@fuzzed
@given(place=st.integers(0, 1 << 30))
def test_any_cut_is_found(source: Store, tmp_path: Path, name: str, place: int) -> None:
    """A file that ends early, wherever, is found."""
    path = tmp_path / name
    if not path.exists():
        put_out(source, path)
    data = path.read_bytes()
    cut = tmp_path / f"cut-{name}"
    cut.write_bytes(data[: place % len(data)])
    refused(cut)


@pytest.mark.parametrize("name", ["out.jsonl.gz", "out.jsonl"])
def test_more_at_the_end(source: Store, tmp_path: Path, name: str) -> None:
    """A file to which something was added is found."""
    path = put_out(source, tmp_path / name)
    path.write_bytes(path.read_bytes() + path.read_bytes())
    refused(path)


def test_first_of_two_runs_alone(source: Store, tmp_path: Path, spec, make_trial) -> None:  # type: ignore[no-untyped-def]
    """A file cut off between two runs is found: each says which part of how many it is."""
    source.create_run("r2", spec, CONTENT, {}, 0)
    path = put_out(source, tmp_path / "out.jsonl", "r1", "r2")
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[: lines.index(next(line for line in lines if line.startswith(b'{"end"'))) + 1]))
    assert "the export is cut off here. Get a whole copy." in refused(path)


def test_packed_by_something_else(source: Store, tmp_path: Path) -> None:
    """A file that another program packed is refused with what to do; unpacked it is taken."""
    import gzip

    path = put_out(source, tmp_path / "out.jsonl")
    packed = tmp_path / "mine.jsonl.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    assert "unpack it and import the .jsonl" in refused(packed)


def test_gunzip_reads_it(source: Store, tmp_path: Path) -> None:
    """Every gunzip unpacks an export to its lines."""
    import gzip

    packed, plain = (put_out(source, tmp_path / name) for name in ("out.jsonl.gz", "out.jsonl"))
    assert gzip.decompress(packed.read_bytes()) == plain.read_bytes()


@pytest.mark.parametrize(
    "content", [b"", b"not an export", b"{}\n", b"{", b'{"recfw_export":"1"}\n', b"[1]\n", b"\xff" * 99]
)
def test_something_else(tmp_path: Path, content: bytes) -> None:
    """A file of something else is refused in one line."""
    path = tmp_path / "x"
    path.write_bytes(content)
    assert "\n" not in refused(path)


def test_nothing_there(tmp_path: Path) -> None:
    """A name that is nothing says so."""
    assert "there is no such file" in refused(tmp_path / "no.jsonl.gz")


class TestFolders:
    """A folder holds what an export has, and nothing else."""

    @pytest.fixture
    def folder(self, source: Store, tmp_path: Path) -> Path:
        """An export in a folder."""
        return put_out(source, tmp_path / "out")

    def test_changed_attachment(self, folder: Path) -> None:
        """An attachment's file whose bytes are others is named by its digest."""
        (folder / "attachments" / PICTURE.sha256).write_bytes(b"\x00\xfepicture")
        assert f"attachment {PICTURE.sha256}: its bytes are not those that were exported" in refused(folder)

    @pytest.mark.parametrize("size", [0, 8, 10])
    def test_attachment_of_another_size(self, folder: Path, size: int) -> None:
        """An attachment that was cut off, or is longer, is named."""
        os.truncate(folder / "attachments" / PICTURE.sha256, size)
        assert "does not have the 9 bytes that it had" in refused(folder)

    def test_missing_attachment(self, folder: Path) -> None:
        """An attachment that is not there is named."""
        (folder / "attachments" / PICTURE.sha256).unlink()
        assert f"there is no file attachments/{PICTURE.sha256}" in refused(folder)

    def test_missing_run(self, folder: Path) -> None:
        """A folder without runs is no export."""
        (folder / "r1.jsonl").unlink()
        assert "holds no run" in refused(folder)

    @pytest.mark.parametrize(
        "name", ["notes.txt", ".hidden", "attachments/x", "attachments/..x", "x.jsonl/", "..jsonl"]
    )
    def test_foreign_file(self, folder: Path, name: str) -> None:
        """A file or folder that no export has is refused by name."""
        (folder / name).mkdir() if name.endswith("/") else (folder / name).touch()
        assert f"{name.rstrip('/')!r}, a file or folder that no export of recfw has" in refused(folder)

    @pytest.mark.parametrize("name", ["r1.jsonl", "r2.jsonl", f"attachments/{PICTURE.sha256}", "attachments"])
    def test_link(self, folder: Path, tmp_path: Path, name: str) -> None:
        """A link is refused, wherever it leads: also one in the place of an expected file."""
        moved = tmp_path / "moved"
        if (folder / name).exists():
            shutil.move(folder / name, moved)
        else:
            shutil.copy(folder / "r1.jsonl", moved)
        (folder / name).symlink_to(moved)
        assert f"{name!r}, a link that no export of recfw has" in refused(folder)

    @pytest.mark.parametrize("name", ["r2.jsonl", f"attachments/{'0' * 64}"])
    def test_pipe(self, folder: Path, name: str) -> None:
        """A pipe is refused, and not waited for."""
        os.mkfifo(folder / name)
        assert "that no export of recfw has" in refused(folder)


@pytest.mark.parametrize("kind", ["pipe", "device"])
def test_no_ordinary_file(tmp_path: Path, kind: str) -> None:
    """A pipe or a device is no file to import, and is not waited for."""
    path = Path("/dev/zero") if kind == "device" else tmp_path / "pipe"
    if kind == "pipe":
        os.mkfifo(path)
    assert "is no ordinary file" in refused(path)


class TestSizes:
    """What would fill the disk or the memory is refused."""

    def test_limit(self, source: Store, target: Store, tmp_path: Path) -> None:
        """More bytes than --max-size allows are refused, in every format."""
        for name in ("out.jsonl.gz", "out.jsonl", "out"):
            path = put_out(source, tmp_path / name)
            with pytest.raises(DataError, match=r"more than 2,000 bytes\. Say --max-size"):
                take_in(target, path, 2000)
            take_in(target, path, 100_000)

    def test_bomb(self, source: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """A small file that grows beyond measure is refused before it has grown far."""
        from recfw.store.transfer import pack

        path = tmp_path / "bomb.jsonl.gz"
        with path.open("wb") as file:
            pack.pack((b'{"x":"' + b"0" * 1_000_000 for _ in range(30)), file)
        monkeypatch.setattr(pack, "FREELY", 1_000_000)
        assert "grows more than 400-fold" in refused(path)

    def test_huge_line(self, source: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """A line that no export has the like of is refused, and not read whole."""
        path = tmp_path / "long.jsonl"
        path.write_bytes(b'{"x":"' + b"0" * 10_000_000)
        monkeypatch.setattr("recfw.store.transfer.sources.LONGEST", 1_000_000)
        assert "a line of more than 1,000,000 bytes" in refused(path)

    def test_deep_nesting(self, tmp_path: Path) -> None:
        """JSON that is nested beyond measure is no valid JSON."""
        path = tmp_path / "deep.jsonl"
        path.write_bytes(b'{"a":' * 100_000 + b"\n")
        assert "no valid JSON" in refused(path)
