"""Running contract suites by pytest, within this process, and telling which test fails in which component."""

import os
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from recfw.checking.findings import Notes
from recfw.checking.suites import LOOKED_AT

FILE = "from recfw.checking.contracts import CLASSES\n\nglobals().update(CLASSES)\n"
CLASSES: dict[str, type[Any]] = {}
"""The test classes of this process, which the file that pytest collects takes from here."""


def run_suites(notes: Notes, classes: dict[str, type[Any]], subjects: dict[str, str], folder: Path) -> None:
    """Run the suites; tell each failing test, and how many hold of each component."""
    CLASSES.clear()
    CLASSES.update(classes)
    file = folder / "test_contracts.py"
    file.write_text(FILE, encoding="utf-8")
    watcher = _Watcher()
    for variable in ("PYTEST_ADDOPTS", "PYTEST_PLUGINS"):
        os.environ.pop(variable, None)
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    words = ["-q", "-p", "no:cacheprovider", "-c", os.devnull, "--rootdir", str(folder), "--import-mode=importlib"]
    status = pytest.main([*words, "--basetemp", str(folder / "pytest"), str(file)], plugins=[watcher])
    if status not in {pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.NO_TESTS_COLLECTED}:
        notes.wrong("pytest", f"the suites could not be run (pytest ended with {int(status)})", watcher.last)
    for title, subject in subjects.items():
        for test, message, sentence in watcher.failures.get(title, ()):
            notes.wrong(subject, f"fails {test}: {message}".rstrip("."), sentence)
        _tell_exceptions(notes, subject, classes[title], watcher.skipped.get(title, ()))
        held = watcher.held[title]
        if title in watcher.failures:
            continue
        if held:
            suite = classes[title].__mro__[1].__name__
            notes.ok(subject, f"{held} test{'s' if held != 1 else ''} of {suite} hold", tests=held)
        else:
            notes.untried(subject, "not tried: no test of its suite was run")


def _tell_exceptions(notes: Notes, subject: str, suite: type[Any], skipped: Iterable[tuple[str, str]]) -> None:
    """Tell which tests of a suite say nothing of a component: skipped ones, and those that it has otherwise."""
    for test, why in skipped:
        notes.untried(subject, f"skips {test}: {why}".rstrip(": ."))
    for test, why in suite.overridden.items():
        notes.note(subject, f"has {test} otherwise than the suite: {why}".rstrip("."))


class _Watcher:
    """A plugin of pytest that counts what holds and keeps what fails."""

    def __init__(self) -> None:
        self.held: Counter[str] = Counter()
        self.failures: dict[str, list[tuple[str, str, str]]] = {}
        self.skipped: dict[str, list[tuple[str, str]]] = {}
        self.last = ""

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        """Leave out what was looked at before."""
        items[:] = [item for item in items if item.name not in LOOKED_AT]

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count, or keep the reason."""
        _, title, test = report.nodeid.split("::")[-3:]
        if report.passed and report.when == "call":
            self.held[title] += 1
        elif report.skipped:
            why = report.longrepr[2] if isinstance(report.longrepr, tuple) else getattr(report, "wasxfail", "")
            self.skipped.setdefault(title, []).append((test, " ".join(str(why).removeprefix("Skipped: ").split())))
        elif report.failed:
            doc = (getattr(CLASSES[title], test.partition("[")[0]).__doc__ or "").strip().splitlines()
            crash = getattr(report.longrepr, "reprcrash", None)
            message = " ".join(str(crash.message if crash else report.longrepr).split())
            self.failures.setdefault(title, []).append((test, message[:300], doc[0] if doc else ""))

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Keep why nothing could be collected."""
        if report.failed:
            self.last = " ".join(str(report.longrepr).split())[:300]
