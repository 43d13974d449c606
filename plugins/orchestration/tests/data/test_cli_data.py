"""The commands ``import``, ``data`` and ``world``, as typed."""

import json

import pytest
from click.testing import CliRunner

from recfw.cli.root import cli
from recfw.errors import ExitCode
from recfw_orchestration.cli import world as world_command

ITEM = {"asin": "A1", "title": "Thing", "category": ["E"], "price": "$1.00"}
REVIEW = {"overall": 4.0, "verified": True, "reviewerID": "U1", "asin": "A1", "unixReviewTime": 1500000000}


def typed(*words):
    """Run a command in this process; return its result."""
    return CliRunner().invoke(cli, ["orchestration", *map(str, words)])


def test_import_says_what_it_kept_and_what_it_left_out(write, tmp_path):
    """The command ends with counts, reasons and the digest."""
    write("meta.json", ITEM)
    write("reviews.json", REVIEW, REVIEW | {"overall": None}, REVIEW | {"asin": "A9"})
    result = typed("import", "--amazon", tmp_path / "raw", "--store", tmp_path / "s.db")
    said = " ".join(result.output.split())
    assert (ExitCode.DONE, True, True, True) == (
        result.exit_code,
        "electronics review no rating from 1 to 5 1" in said,
        "electronics review no record of its item 1" in said,
        "reviews.json: 100 %, 3 lines" in said,
    )


def test_import_names_files_that_it_leaves_out(write, tmp_path):
    """A folder often holds more than what is read."""
    write("meta.json", ITEM)
    write("notes.txt", b"to do")
    result = typed("import", "--amazon", tmp_path / "raw", "--store", tmp_path / "s.db")
    assert "note: notes.txt: left out, it holds nothing that is known" in result.output


def test_import_needs_something_to_import(tmp_path):
    """Without a folder the command says which options name one."""
    result = typed("import", "--store", tmp_path / "s.db")
    assert "Give --amazon, --yelp, --foursquare or several." in str(result.exception) + result.output


def test_data_tells_a_store_as_json(write, tmp_path):
    """What a store holds can be read by programs."""
    write("meta.json", ITEM)
    typed("import", "--amazon", tmp_path / "raw", "--store", tmp_path / "s.db")
    told = json.loads(typed("data", "--data", tmp_path / "s.db", "--json").output)
    assert (1, "meta.json", 64) == (
        told["domains"]["electronics"]["counts"]["items"],
        told["domains"]["electronics"]["sources"][0]["file"],
        len(told["digest"]),
    )


@pytest.mark.parametrize("words", [("--seed", "7"), ("--out", "there")])
def test_world_is_not_written_over_something(words, tmp_path, monkeypatch):
    """Another seed needs a place of its own; a file that is there is kept."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "there").write_text("")
    monkeypatch.setattr(world_command, "build", lambda *given: pytest.fail("built"))
    result = typed("world", *words)
    assert result.exit_code != ExitCode.DONE
