"""``recfw situated generate`` and ``validate``."""

from recfw.cli.main import invoke
from recfw_situated.tasks.pool import shipped


def test_a_pool_is_drawn_and_checked(tmp_path, capsys):
    """A drawn pool passes its check; the default seed draws what ships."""
    out = str(tmp_path / "pool.json")
    assert 0 == invoke(["situated", "generate", "--out", out])
    assert 0 == invoke(["situated", "validate", "--tasks", out])
    assert "No problem in 200 tasks" in capsys.readouterr().out
    assert len(shipped()) == 200


def test_a_broken_pool_is_told(tmp_path, capsys):
    """A changed budget is found and named, with exit status 1."""
    out = tmp_path / "pool.json"
    invoke(["situated", "generate", "--out", str(out)])
    out.write_text(out.read_text().replace('"budget": 5.0', '"budget": 5.5', 1))
    assert 1 == invoke(["situated", "validate", "--tasks", str(out)])
    assert ": budget: the" in capsys.readouterr().out


def test_a_file_that_is_there_is_kept(tmp_path, capsys):
    """generate does not replace a file unless it is told to."""
    out = tmp_path / "pool.json"
    out.write_text("mine")
    assert 2 == invoke(["situated", "generate", "--out", str(out)])
    assert "--force" in capsys.readouterr().err
    assert "mine" == out.read_text()


def test_a_place_that_cannot_be_written_is_told(tmp_path, capsys):
    """A folder that is missing is an error in words, with exit status 2."""
    assert 2 == invoke(["situated", "generate", "--out", str(tmp_path / "missing" / "pool.json")])
    assert "cannot be written (No such file or directory)" in capsys.readouterr().err
