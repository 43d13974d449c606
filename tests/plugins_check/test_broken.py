"""`recfw plugins check` names the fault of each plugin that is broken on purpose."""

import os
from importlib.metadata import PathDistribution
from pathlib import Path
from select import select
from threading import Lock
from types import ModuleType
from typing import Any

import pytest
from attrs import field, frozen
from plugins_check.conftest import METADATA, Check, faults

from recfw.checking.metadata import look_at_metadata
from recfw.checking.offers import look_at_docs, look_at_names, look_at_options
from recfw.hookspecs import hookimpl
from recfw.plugins import Manager, Plugin
from recfw.protocols import NoOptions

PLUGIN, AGENT, TRACK = "recfw_wrong/plugin.py", "recfw_wrong/agent.py", "recfw_wrong/track.py"
COMPONENTS, TASKS = "recfw_wrong/components.py", "recfw_wrong/data/tasks.json"
IMPORT = "from recfw.hookspecs import hookimpl"

BROKEN = {
    "imports what is not installed": (
        "agent",
        {PLUGIN: (IMPORT, f"import no_such_library\n{IMPORT}")},
        [("load", "cannot be loaded: ModuleNotFoundError: No module named 'no_such_library'")],
    ),
    "misspells a hook": (
        "agent",
        {PLUGIN: ("recfw_register_agents", "recfw_register_agent")},
        [("load", "implements an unknown hook 'recfw_register_agent'. Did you mean 'recfw_register_agents'?")],
    ),
    "imports too much": (
        "agent",
        {PLUGIN: (IMPORT, f"import numpy\n{IMPORT}\nsum(range(9_000_000))"), AGENT: ("import json", "import jason")},
        [
            ("import", "importing it loads numpy"),
            ("import", "ms of CPU, more than 50"),
            ("names", "fails in recfw_register_agents: ModuleNotFoundError: No module named 'jason'"),
        ],
    ),
    "dies when it is imported": (
        "agent",
        {PLUGIN: (IMPORT, f"import os\nos._exit(9)\n{IMPORT}")},
        [("load", "the process ended with status 9")],
    ),
    "takes another's name": (
        "agent",
        {AGENT: ('name = "wrong"', 'name = "scripted"')},
        [("names", "plugin 'core' offers the same name")],
    ),
    "ships a task that cannot be met": (
        "track",
        {TASKS: ('"value": "Italy"', '"value": "Mars"')},
        [("tasks", "secret-western breaks the rule 'can-be-met': no item meets the goal")],
    ),
    "has an agent that looks at the clock": (
        "track",
        {COMPONENTS: ('f"What about ', "f\"{__import__('time').time_ns()} What about ")},
        [("replay", "replay differs"), ("contracts", "fails test_a_deterministic_component_repeats_itself")],
    ),
    "shows the agent the goal": (
        "track",
        {TRACK: ("CatalogTalk(task, BRIEF,", "CatalogTalk(task, BRIEF + str(task.private),")},
        [("contracts", "fails test_the_private_goal_stays_private")],
    ),
    "breaks ties by chance": (
        "retriever",
        {"recfw_wrong/retriever.py": ("(-hit.score, hit.id)", "-hit.score")},
        [("contracts", "fails test_ties_are_broken_by_id")],
    ),
    "has a world that raises": (
        "track",
        {TRACK: ("        yield CatalogTalk(", "        raise KeyError(task.id)\n        yield CatalogTalk(")},
        [("replay", "failed: KeyError: 'short-comedy'")],
    ),
    "has an agent that raises": (
        "track",
        {COMPONENTS: ("        heard = [", "        1 / 0\n        heard = [")},
        [("replay", "ended as agent_error: ZeroDivisionError: division by zero")],
    ),
}
SLOW = ("has a world that raises", "has an agent that raises")


@pytest.mark.parametrize("what", [pytest.param(w, marks=[pytest.mark.slow] if w in SLOW else []) for w in BROKEN])
def test_the_fault_is_named(what: str, check: Check) -> None:
    """A plugin with this fault is found out, in the section where it belongs; nothing crashes."""
    kind, edits, wanted = BROKEN[what]
    found = faults(check(kind, edits))
    for section, words in wanted:
        assert [each for each in found if each[0] == section and words in each[2]], found


DECLARED = {
    "no end": ("recfw<0.2,>=0.1", "recfw>=0.1", "the range has no end"),
    "no beginning": ("recfw<0.2,>=0.1", "recfw<0.2", "the range has no beginning"),
    "another core": ("recfw<0.2,>=0.1", "recfw>=99", "requires recfw>=99, and this is"),
    "no core": ("Requires-Dist: recfw<0.2,>=0.1\n", "", "does not require recfw"),
    "no licence": ("License: MIT\n", "", "declares no licence"),
    "no README": ("\n# A README\n", "", "has no README"),
}


@pytest.mark.parametrize("what", DECLARED)
def test_what_a_distribution_does_not_declare_is_named(what: str, tmp_path) -> None:
    """A range without an end, no licence and no README are found in the metadata, which needs no loading."""
    old, new, words = DECLARED[what]
    info = tmp_path / "recfw_wrong-0.1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(METADATA.format(dist="recfw-wrong").replace(old, new))
    notes = Kept()
    look_at_metadata(notes, "wrong", PathDistribution(info))
    assert [each for each in notes.wrongs if words in each], notes.wrongs


class Kept:
    """Notes that keep what is wrong."""

    def __init__(self):
        self.wrongs = []

    def wrong(self, subject, words, hint="", **figures):
        self.wrongs.append(f"{subject}: {words}")

    def ok(self, subject, words, **figures):
        pass

    note = ok

    def guarded(self, subject, trouble, work):
        try:
            work()
        except BaseException as error:
            self.wrong(subject, f"{trouble}: {error}")


class Greeter:
    """An agent with whatever a test changes."""

    name, summary, Options = "greeter", "greets", NoOptions

    def episode(self, context):
        return self


def named(**changes: Any) -> list[str]:
    """Return what is wrong with the names of a plugin that offers one agent."""
    module = ModuleType("offering", "Offers an agent.")
    module.recfw_register_agents = hookimpl(lambda: [type("Greeter", (Greeter,), {"__doc__": "Greets.", **changes})])
    manager, notes = Manager(), Kept()
    module.recfw_register_agents.__name__ = "recfw_register_agents"
    manager.add(Plugin("offering", "", "", module))
    look_at_names(notes, manager, "offering", {"PATH": "/nowhere", "RECFW_DISABLE_PLUGINS": "core"})
    return notes.wrongs


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"name": "The Greeter"}, "its name has capitals, spaces or other signs"),
        ({"episode": None}, "agent 'greeter' lacks episode"),
        ({"name": ""}, "which is no class with a 'name'"),
        ({"Options": dict}, "the Options of agent 'greeter' are no attrs class"),
    ],
)
def test_a_component_without_a_name_or_shape_is_named(changes: dict[str, Any], words: str) -> None:
    """A name that nobody can type, a missing method and options of another kind are found."""
    assert [True] == [words in found for found in named(**changes)]


@frozen
class Undocumented:
    """How many questions it asks."""

    questions: int = 1


@frozen
class Required:
    """
    Options.

    Args:
        questions: How many.
    """

    questions: int


@frozen
class Unstorable:
    """``questions``: how many."""

    questions: int = field(factory=Lock)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (Undocumented, "options that are not documented: questions"),
        (Required, "options without a default: questions"),
        (Unstorable, "its options cannot be read"),
    ],
)
def test_options_that_nobody_can_use_are_named(options: type[Any], words: str) -> None:
    """An option needs a default that can be stored, and a word in the docstring of its own."""
    notes = Kept()
    look_at_options(notes, {"agents": {"greeter": type("Greeter", (Greeter,), {"Options": options})}})
    assert [True] == [words in found for found in notes.wrongs], notes.wrongs


def test_what_has_no_docstring_is_named() -> None:
    """A module, a class and a figure of a metric without words are found."""
    notes = Kept()
    metric = type("Counting", (Greeter,), {"figures": {"hats": " "}, "summary": ""})
    look_at_docs(notes, {"metrics": {"counting": metric}}, ModuleType("silent"))
    wanted = ["has no docstring", "class Counting has no docstring", "has no summary", "without a sentence: hats"]
    assert [True] * 4 == [words in found for words, found in zip(wanted, notes.wrongs, strict=True)], notes.wrongs


def test_a_plugin_that_hangs_is_given_up(check: Check) -> None:
    """After --timeout seconds the process is ended, and the section in which it hung is named."""
    found = check("agent", {PLUGIN: ("    return", "    import time\n    time.sleep(99)\n    return")}, timeout=5)
    assert faults(found)[-1] == ("names", "wrong", "nothing more was heard after 5 s")


def test_what_a_plugin_leaves_running_is_ended(check: Check, tmp_path: Path) -> None:
    """A process that a plugin starts when it is imported is not waited for, and is ended with the check."""
    os.mkfifo(tmp_path / "alive")
    alive = os.open(tmp_path / "alive", os.O_RDONLY | os.O_NONBLOCK)
    start = f"""\
import os, time
if not os.fork():
    os.write(os.open({str(tmp_path / "alive")!r}, os.O_WRONLY), b"x")
    time.sleep(99)
"""
    assert [] == faults(check("agent", {PLUGIN: (IMPORT, start + IMPORT)}))
    while select([alive], [], [], 5.0)[0] and os.read(alive, 99):
        pass
    ended = select([alive], [], [], 0.0)[0]  # the end of the file: nobody holds it
    os.close(alive)
    assert ended


def test_a_metric_is_not_accused_of_what_its_track_lacks(check: Check) -> None:
    """Where nothing can be played, the metric is told as not tried: neither sound nor wrong."""
    found = check("track", {PLUGIN: ("return (WrongTrack,)", "return WrongTrack")})
    assert [("names", "tracks")] == [each[:2] for each in faults(found)]
    told = [(each["state"], each["words"]) for each in found if each["subject"] == "metric 'wrong-success'"]
    assert [("untried", "not tried: no track could be played, so there is no trace to score")] == told
