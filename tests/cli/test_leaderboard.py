"""`recfw leaderboard`, as it is typed."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from recfw.errors import ExitCode
from recfw.testing.project import Typed

Recfw = Callable[..., Typed]
WITNESS = Path(__file__).parents[1] / "store" / "witnesses" / "schema-1.db"


@pytest.fixture
def bundles(recfw: Recfw, tmp_path: Path) -> Path:
    """A folder with bundles of two tracks, and what is none."""
    shutil.copy(WITNESS, tmp_path / "runs.db")
    made = tmp_path / "bundles"
    made.mkdir()
    signed = ("--name", "A. Nother", "--contact", "a@example.org", "--system", "The fakes.", "--sign-off")
    for run in ("w2", "w3"):
        assert recfw("submit", run, "--out", f"bundles/{run}.tar", *signed).status == 0
    (made / "cut.tar").write_bytes((made / "w2.tar").read_bytes()[:900])
    (made / "notes.txt").write_text("no bundle")
    return made


def test_it_writes_a_site_and_says_what_it_left_out(recfw: Recfw, bundles: Path) -> None:
    """Tables, pages and JSON are written; a bundle that cannot be read is named."""
    done = recfw("leaderboard", "bundles", "--out", "site", "--title", "Our board")
    assert done.out == "Wrote 3 pages to site: 3 rows of 2 bundles in 2 tables.\n"
    assert done.err.startswith("Left out cut.tar: the file is cut off.\nLook at it: file://")
    site = bundles.parent / "site"
    data = json.loads((site / "leaderboard.json").read_text())
    assert [table["track"] for table in data["tables"]] == ["fake-pictures", "fake-rounds"]
    assert (site / data["tables"][0]["rows"][0]["page"]).is_file()
    assert "<title>Our board</title>" in (site / "index.html").read_text()


def test_an_earlier_one_is_replaced(recfw: Recfw, bundles: Path) -> None:
    """The same folder may be written again; pages of bundles that are gone are gone."""
    assert recfw("leaderboard", "bundles", "--out", "site").status == 0
    (bundles / "w2.tar").unlink()
    assert recfw("leaderboard", "bundles", "--out", "site").out.startswith("Wrote 2 pages")
    assert len(list((bundles.parent / "site" / "bundles").iterdir())) == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["no", "--out", "site"], "DIR: there is no folder 'no'."),
        (["bundles", "--out", ""], "--out is empty."),
        (["bundles", "--out", "bundles"], "bundles: holds other things than an earlier leaderboard."),
        (["bundles", "--out", "runs.db"], "runs.db: is no folder."),
        (["bundles", "--out", "a/b"], "there is no folder a. Make it first."),
        (["bundles", "--out", "site", "--verdicts", "no"], "--verdicts: there is no folder 'no'."),
    ],
)
def test_it_refuses(recfw: Recfw, bundles: Path, words: list[str], said: str) -> None:
    """Each mistake is an error of usage, and nothing that was there is lost."""
    done = recfw("leaderboard", *words)
    assert (done.status, said in done.err, (bundles / "notes.txt").exists()) == (ExitCode.USAGE, True, True)


def test_an_empty_folder_gives_an_empty_page(recfw: Recfw, tmp_path: Path) -> None:
    """Without any bundle there is a page that says so."""
    (tmp_path / "none").mkdir()
    done = recfw("leaderboard", "none", "--out", "site")
    assert (done.status, done.out) == (0, "Wrote 1 page to site: 0 rows of 0 bundles in 0 tables.\n")
    assert "No bundle is here yet" in (tmp_path / "site" / "index.html").read_text()
