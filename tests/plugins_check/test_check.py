"""`recfw plugins check` as it is typed: tables, JSON, exit status, and what it does where plugins are broken."""

from pathlib import Path

import orjson
import pytest
from plugins_check.conftest import Check, faults, install

from recfw.errors import ExitCode
from recfw.testing.project import Project


@pytest.fixture
def typed(tmp_path: Path, site: Path) -> Project:
    """Give an empty folder in which to type commands."""
    return Project(tmp_path, {})


def test_a_plugin_as_it_is_generated_is_green(check: Check) -> None:
    """The template's track passes everything: every section has something to say, and nothing is wrong."""
    found = check("track", {})
    assert [] == faults(found)
    sections = ["import", "load", "metadata", "names", "options", "docs", "tasks", "replay", "contracts"]
    assert sections == list(dict.fromkeys(each["section"] for each in found))
    assert [3, 1] == [sum(each["section"] == name for each in found) for name in ("contracts", "replay")]


def test_scripts_get_json_and_a_status(typed: Project, site: Path) -> None:
    """--format json prints one object, whatever the plugin prints; the status is 1 where something is wrong."""
    install(
        site, "loud", "metric", {"recfw_loud/plugin.py": ("from recfw.hookspecs", 'print("{}")\nfrom recfw.hookspecs')}
    )
    install(site, "wrong", "agent", {"recfw_wrong/plugin.py": ("from recfw.hook", "import nothing\nfrom recfw.hook")})
    done = typed.type("plugins", "check", "loud", "wrong", "--format", "json")
    told = orjson.loads(done.out)
    assert (ExitCode.FOUND, False) == (done.status, told["ok"])
    assert [("loud", "recfw-loud", True), ("wrong", "recfw-wrong", False)] == [
        (each["name"], each["distribution"], each["ok"]) for each in told["plugins"]
    ]
    assert {"section", "state", "subject", "words", "hint", "figures"} == set(told["plugins"][0]["findings"][0])


def test_people_get_aligned_lines(typed: Project, site: Path) -> None:
    """The table has a line a finding and the next step below what is wrong; --quiet leaves the rest out."""
    install(site, "wrong", "agent", {"recfw_wrong/plugin.py": ("from recfw.hook", "import nothing\nfrom recfw.hook")})
    done = typed.type("--quiet", "plugins", "check", "wrong")
    assert ExitCode.FOUND == done.status
    lines = done.out.splitlines()
    assert "wrong (recfw-wrong 0.1.0)" == lines[0]
    assert lines[1].startswith("WRONG load         wrong: Plugin 'wrong' (distribution recfw-wrong 0.1.0) cannot")
    assert all(line.startswith(" " * 19) for line in lines[2:-1])
    assert lines[-1].endswith("findings, 1 wrong, 0 worth knowing.")


def test_an_unknown_plugin_is_a_suggestion(typed: Project) -> None:
    """A name that nobody has is refused with the known ones, one that is known with how to install it."""
    done = typed.type("plugins", "check", "cor")
    assert ExitCode.PLUGIN == done.status
    assert "no plugin or module 'cor' is installed" in done.err
    assert "Did you mean 'core'?" in done.err
