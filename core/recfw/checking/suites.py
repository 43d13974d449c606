"""The contract suite of each component that a plugin offers, fed with what was played."""

from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from recfw.checking.findings import Notes
from recfw.checking.offers import Offers, called, each
from recfw.checking.plays import Evidence, try_out
from recfw.errors import PluginError, RecfwError, words_of
from recfw.model.results import Results
from recfw.model.run import ComponentSpec, Status
from recfw.model.task import Task
from recfw.model.trace import Trace
from recfw.protocols import Facilities
from recfw.registry import Registry
from recfw.testing.contracts import (
    AnalysisContract,
    CatalogContract,
    ExecutorContract,
    JudgeContract,
    MetricContract,
    ParticipantContract,
    RendererContract,
    RetrieverContract,
    TrackContract,
)

PLAIN = {"catalogs": CatalogContract, "retrievers": RetrieverContract, "renderers": RendererContract}
ROLES = {"agents": "agent", "users": "user", "participants": "participant"}
SUITES: Mapping[str, type[Any]] = {
    "tracks": TrackContract,
    "agents": ParticipantContract,
    "users": ParticipantContract,
    "participants": ParticipantContract,
    "judges": JudgeContract,
    "metrics": MetricContract,
    "analyses": AnalysisContract,
    "executors": ExecutorContract,
    **PLAIN,
}
LOOKED_AT = ("test_validates", "test_default_cells_end_and_replay")
"""Tests of the track suite whose subject was looked at before."""


class SuiteError(PluginError):
    """A suite that a component names is none."""


class Suites:
    """
    Makes test classes, by their names.

    Args:
        notes: Where it is told what cannot be tried.
        registry: The plugin under test, core and the track ``sample``.
        evidence: What was played, the plugin's own tracks first, ``sample`` last.
        folder: A scratch folder.
    """

    def __init__(self, notes: Notes, registry: Registry, evidence: Sequence[Evidence], folder: Path) -> None:
        self._notes, self._registry, self._evidence, self._folder = notes, registry, evidence, folder
        self.subjects: dict[str, str] = {}

    def made(self, offers: Offers, size: int) -> dict[str, type[Any]]:
        """Return test classes of everything that can be tried; ``subjects`` says which component each is about."""
        found: dict[str, type[Any]] = {}
        for kind, name, item in each(offers):
            suite, declared = SUITES[kind], str(getattr(item, "suite", ""))
            try:
                if declared:
                    suite = declared_suite(declared, suite)
                    extra = {} if "role" in vars(suite) or kind not in ROLES else {"role": ROLES[kind]}
                else:
                    extra = self._needs(kind, name, item, size)
            except SuiteError as error:
                self._notes.wrong(called(kind, name), error.message.rstrip("."), error.hint)
                continue
            except RecfwError as error:
                hint = f"{error.hint} Its class can name a suite of your own that has what it needs: `suite`.".strip()
                self._notes.untried(called(kind, name), f"not tried: {error.message}".rstrip("."), hint)
                continue
            except Exception as error:  # noqa: BLE001 - foreign code
                self._notes.wrong(called(kind, name), f"cannot be tried: {type(error).__name__}: {error}".rstrip("."))
                continue
            title = f"Test{len(found)}"
            found[title] = type(title, (suite,), {"component": item, "__module__": __name__, **extra})
            self.subjects[title] = called(kind, name)
        return found

    def _needs(self, kind: str, name: str, item: type[Any], size: int) -> dict[str, Any]:
        """Return what the suite asks its author for; RecfwError where it cannot be had."""
        self._registry.create(kind, ComponentSpec(name))
        if kind in ROLES:
            return self._participant(kind, name, item)
        match kind:
            case "tracks":
                return {"sample": size, "registry": pytest.fixture(lambda _: self._registry)}
            case "executors":
                return {"track": "sample"}
            case "judges":
                return self._judge(item)
            case "metrics":
                cases = self._cases(name)
                found: dict[str, Any] = {"cases": lambda _: cases}
            case "analyses":
                results = self._results(item)
                found = {"results": lambda _: results}
            case _:
                found = {}
        return found

    def _results(self, item: type[Any]) -> list[Results]:
        serves = tuple(getattr(item, "tracks", ()))
        results = [e.results for e in self._evidence if e.results and (not serves or e.track.name in serves)]
        if not results:
            raise RecfwError(f"it understands runs of {', '.join(serves)}, and this plugin offers no such track.")
        return results

    def _cases(self, metric: str) -> list[tuple[Task, Trace]]:
        """Return traces of the tracks that name a metric, or else of any."""
        order = sorted(self._played(), key=lambda e: metric not in e.track.metrics)
        return [(p.task, p.trace) for p in order[0].played]

    def _played(self) -> list[Evidence]:
        """Return what there are traces of; RecfwError where there is nothing."""
        found = [evidence for evidence in self._evidence if evidence.played]
        if not found:
            raise RecfwError("no track could be played, so there is no trace to score.")
        return found

    def _participant(self, kind: str, name: str, item: type[Any]) -> dict[str, Any]:
        serves = tuple(getattr(item, "tracks", ()))
        places = [
            (evidence, role)
            for evidence in self._evidence
            for role, spec in evidence.track.roles.items()
            if spec.kind == kind and (not serves or evidence.track.name in serves)
        ]
        if not places:
            tracks = ", ".join(serves) or "any"
            raise RecfwError(f"it plays {tracks}, and this plugin offers no such track with a role for it.")
        failures = []
        for evidence, role in places:
            played = [p for p in evidence.played if _filled(evidence, p.trial.key.cell, role) == name]
            played = played or list(try_out(self._registry, evidence, role, name, self._folder))
            if played[0].trial.status is Status.COMPLETED:
                views = played[0].views.get(role, ())
                return {"role": role, "task": played[0].task.id, "views": lambda _, views=views: views}
            failures.append(f"on the track '{evidence.track.name}': {played[0].trial.error}")
        raise RecfwError(failures[0])

    def _judge(self, item: type[Any]) -> dict[str, Any]:
        """Return rated traces, and how a judge is made that may send nothing."""
        evidence, registry = self._played()[0], self._registry

        def make(_: Any) -> Any:
            judge = registry.create("judges", ComponentSpec(item.name))
            track = registry.create("tracks", ComponentSpec(evidence.track.name))
            for step, argument in (("equip", Facilities(offline=True)), ("brief", track)):
                if hasattr(judge, step):
                    getattr(judge, step)(argument)
            return judge

        cases = [(p.task, p.trace) for p in evidence.played]
        return {"cases": lambda _: cases, "make": make}


def declared_suite(target: str, suite: type[Any]) -> type[Any]:
    """Return the suite that a component names; SuiteError where it cannot be had, or is not made of the protocol's."""
    module, _, attribute = target.partition(":")
    hint = f"It is package.module:Class, a subclass of {suite.__name__} of recfw.testing.contracts."
    try:
        found = getattr(import_module(module), attribute)
    except Exception as error:
        raise SuiteError(f"its suite {target!r} cannot be imported: {words_of(error)}.", hint) from error
    if not (isinstance(found, type) and issubclass(found, suite)):
        raise SuiteError(f"its suite {target!r} is no subclass of {suite.__name__}.", hint)
    return found


def _filled(evidence: Evidence, cell: str, role: str) -> str:
    cells = evidence.spec.cells if evidence.spec else ()
    return next((each.roles[role].name for each in cells if each.name == cell), "")
