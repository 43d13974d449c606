"""`recfw plugins check` and components that need more than their defaults: tried by the plugin's suite, or named."""

from pathlib import Path
from typing import Any

import pytest
from plugins_check.conftest import install

from recfw.checking.suites import SuiteError, declared_suite
from recfw.cli.plugins_check import look
from recfw.errors import ExitCode
from recfw.testing.contracts import ParticipantContract, UserContract
from recfw.testing.project import Project

AGENT = "recfw_wrong/agent.py"
MADE = "        self._options = options\n"
REFUSES = """\
        if not options.questions:
            from recfw.errors import UsageError
            raise UsageError("a model is needed.", "Name one with --set agent.model=NAME.")
"""
SUITE = '''\
import pytest

from recfw.testing.contracts import AgentContract
from recfw.testing.episodes import sample_views


class Suite(AgentContract):
    options = {"questions": 1}
    overridden = {"test_unknown_options_are_refused_by_name": "It takes any."}

    def views(self):
        return sample_views("agent")

    def test_unknown_options_are_refused_by_name(self):
        """Otherwise."""

    def test_the_server(self):
        """More than the protocol's suite has."""
        pytest.skip("no server here.")
'''


@pytest.fixture
def needy(site: Path) -> Path:
    """Give the file of an agent that cannot be made with its defaults, installed, with a suite beside it."""
    install(site, "wrong", "agent", {AGENT: (MADE, MADE + REFUSES)})
    path = site / AGENT
    path.write_text(path.read_text().replace("default=1", "default=0"))
    (path.parent / "suite.py").write_text(SUITE)
    return path


def contracts() -> list[tuple[str, str, str]]:
    """Return (state, words, hint) of what the contract suites told, where nothing else is wrong."""
    found: list[dict[str, Any]] = look("wrong", 50, 2, 100)
    assert [each for each in found if each["section"] != "contracts" and each["state"] != "ok"] == []
    return [(each["state"], each["words"], each["hint"]) for each in found if each["section"] == "contracts"]


def test_what_cannot_be_tried_is_named_and_not_passed(needy: Path, tmp_path: Path) -> None:
    """A component that needs options and names no suite is ``untried``, with the reason and a way to mend it."""
    done = Project(tmp_path, {}).type("plugins", "check", needy.parent.name.removeprefix("recfw_"))
    assert (done.status, done.out.splitlines()[-1].endswith("worth knowing, 1 not tried.")) == (ExitCode.DONE, True)
    assert "skip  contracts    agent 'wrong': not tried: a model is needed\n" in done.out
    assert "Its class can name a suite of your own" in " ".join(done.out.split())


def test_a_suite_that_a_component_names_is_run(needy: Path) -> None:
    """Its options and Views are the suite's; what that leaves out, or has otherwise, is told beside what holds."""
    needy.write_text(needy.read_text().replace("    Options =", '    suite = "recfw_wrong.suite:Suite"\n    Options ='))
    assert contracts() == [
        ("untried", "skips test_the_server: no server here", ""),
        ("note", "has test_unknown_options_are_refused_by_name otherwise than the suite: It takes any", ""),
        ("ok", "7 tests of Suite hold", ""),
    ]


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ("recfw.testing.contracts:Nothing", "cannot be imported: AttributeError"),
        ("no_such_module:Suite", "cannot be imported: ModuleNotFoundError"),
        ("recfw.testing.contracts", "cannot be imported: "),
        ("recfw.testing.contracts:HOSTILE", "is no subclass of ParticipantContract"),
        ("recfw.testing.contracts:MetricContract", "is no subclass of ParticipantContract"),
    ],
)
def test_a_suite_that_is_none_is_wrong(target: str, words: str) -> None:
    """What is named must be made of the protocol's suite: no component is checked by another measure."""
    with pytest.raises(SuiteError, match=words):
        declared_suite(target, ParticipantContract)
    assert declared_suite("recfw.testing.contracts:UserContract", ParticipantContract) is UserContract
