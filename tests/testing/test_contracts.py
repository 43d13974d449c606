"""The contract suites, passed by what core offers and by the three fake tracks."""

from pathlib import Path

import pytest
from attrs import evolve
from fakes.dialogue import Asker, DialogueTrack, Met, Speaker
from fakes.pictures import Arrived, Moderator, PicturesTrack, Walker
from fakes.rounds import HitRatio, Opener, Planner, RoundsTrack
from fakes.sources import BrevityJudge, ColourCatalog, WordRetriever

from recfw.builtin.metrics import Effort
from recfw.builtin.scripted import ScriptedAgent, ScriptedUser
from recfw.builtin.summary import Summary
from recfw.executors.local import LocalExecutor
from recfw.model.reply import Reply, ToolCall
from recfw.model.results import ResultRow
from recfw.model.run import Status
from recfw.model.task import Task
from recfw.model.trace import EndEvent, RefusalEvent, ReplyEvent, ToolEvent, Trace, WorldEvent
from recfw.model.view import Message, View
from recfw.report.render_csv import CsvRenderer
from recfw.report.render_html import HtmlRenderer
from recfw.report.render_json import JsonRenderer
from recfw.report.render_latex import LatexRenderer
from recfw.report.render_markdown import MarkdownRenderer
from recfw.report.render_terminal import TerminalRenderer
from recfw.store.journal import Journal
from recfw.testing.contracts import (
    AnalysisContract,
    CatalogContract,
    ExecutorContract,
    JudgeContract,
    MetricContract,
    ParticipantContract,
    RecorderContract,
    RendererContract,
    RetrieverContract,
    TrackContract,
)
from recfw.testing.fakes import MemoryRecorder
from recfw.testing.results import memory_run

TASK = Task("d0", "cube", {"color": "red"})
TRACE = Trace(
    (
        ReplyEvent("agent", 1, Reply("hi", (ToolCall.of("look_up", item="x"),))),
        ToolEvent("agent", 1, 0, "look_up", {"item": "x"}, "No item 'x'.", error=True),
        RefusalEvent("agent", 1, "again"),
        WorldEvent("chosen", {"item": "red-cube", "met": True}),
        EndEvent("chosen"),
    )
)


class TestDialogueTrack(TrackContract):
    """Fake track (c)."""

    component = DialogueTrack


class TestRoundsTrack(TrackContract):
    """Fake track (b)."""

    component = RoundsTrack


class TestPicturesTrack(TrackContract):
    """Fake track (a)."""

    component = PicturesTrack


class TestAsker(ParticipantContract):
    """The dialogue track's agent."""

    component = Asker

    def views(self):
        said = (Message.say("system", "Help."), Message.say("user", "I want a thing."))
        answered = (*said, Message.say("agent", "Which color and shape?"), Message.say("user", "red and cube"))
        return [View("agent", said), View("agent", answered)]


class TestSpeaker(ParticipantContract):
    """The dialogue track's user."""

    component = Speaker
    role = "user"

    def views(self):
        goal = [{"field": name, "op": "==", "value": value} for name, value in (("color", "red"), ("shape", "cube"))]
        asked = (Message.say("agent", "Which color and shape?"),)
        return [View("user", facts={"goal": goal}), View("user", asked, facts={"goal": goal})]


class TestScriptedAgent(ParticipantContract):
    """The scripted agent, and its file."""

    component = ScriptedAgent

    @pytest.fixture(autouse=True)
    def script(self, tmp_path):
        """Write the script."""
        path = tmp_path / "script.json"
        path.write_text('{"*": [{"text": "one"}, {"calls": [{"name": "choose", "arguments": "no json"}]}]}')
        type(self).options = {"script": str(path)}

    def views(self):
        return [View("agent")] * 4


class TestScriptedUser(TestScriptedAgent):
    """The scripted user."""

    component = ScriptedUser
    role = "user"


class TestPlanner(ParticipantContract):
    """The rounds track's agent."""

    component = Planner

    def views(self):
        asked = Message.say("user", "a multiple of 7 greater than 50")
        found = [Message.say("tool", f"{name}: 3 found") for name in ("multiples", "above") * 3]
        return [View("agent", (asked,)), View("agent", (asked, *found), facts={"candidates": [56, 63]})]


class TestOpener(ParticipantContract):
    """The rounds track's user."""

    component = Opener
    role = "user"

    def views(self):
        return [View("user", facts={"request": "a multiple of 7 greater than 50"})]


class TestWalker(ParticipantContract):
    """The pictures track's user."""

    component = Walker
    role = "user"

    def views(self):
        return [View("user", facts={"said": said}) for said in ("right", "left")]


class TestModerator(ParticipantContract):
    """The pictures track's moderator."""

    component = Moderator
    role = "moderator"

    def views(self):
        return [View("moderator", facts={"there": there}) for there in (False, True)]


class TestColours(CatalogContract):
    """The fake catalog."""

    component = ColourCatalog


class TestWords(RetrieverContract):
    """The fake retriever."""

    component = WordRetriever


class TestBrevity(JudgeContract):
    """The fake judge."""

    component = BrevityJudge

    def cases(self):
        return [(TASK, TRACE)]


class TestHitRatio(MetricContract):
    """The rounds track's metric."""

    component = HitRatio

    def cases(self):
        ranked = WorldEvent("ranking", {"ids": [56, 63]})
        return [(Task("r7", "r7", private={"target": 56}), Trace((ranked, EndEvent("ranked"))))]


class TestArrived(MetricContract):
    """The pictures track's metric."""

    component = Arrived

    def cases(self):
        return [(TASK, Trace((EndEvent("arrived"),)))]


class TestEffort(MetricContract):
    """What every track can count."""

    component = Effort

    def cases(self):
        return [(TASK, TRACE)]


class TestMet(MetricContract):
    """The dialogue track's metric."""

    component = Met

    def cases(self):
        return [(TASK, TRACE)]


class TestSummary(AnalysisContract):
    """The default analysis, on a whole run, a partial one and an empty one."""

    component = Summary

    def results(self):
        tasks = [Task(f"t{n}", f"c{n % 3}", {"side": "left" if n % 2 else "right"}) for n in range(6)]
        row = ResultRow("run-1", "a", "t0", 0, Status.COMPLETED, "done", 1, 0.5, {}, {"success": 1.0, "effort": 2.0})
        rows = [evolve(row, task=task.id, scores={"success": n % 2, "effort": None}) for n, task in enumerate(tasks)]
        lost = [*rows[:2], evolve(row, task="t2", status=Status.FAILED, stop="infrastructure", scores={})]
        return [memory_run(rows, tasks, ["a"]), memory_run(lost, tasks, ["a"]), memory_run([], tasks, ["a"])]


class TestTerminal(RendererContract):
    """The terminal renderer."""

    component = TerminalRenderer


class TestMarkdown(RendererContract):
    """The Markdown renderer."""

    component = MarkdownRenderer


class TestJson(RendererContract):
    """The JSON renderer."""

    component = JsonRenderer


class TestHtml(RendererContract):
    """The HTML renderer."""

    component = HtmlRenderer


class TestLatex(RendererContract):
    """The LaTeX renderer, as a fragment."""

    component = LatexRenderer


class TestLatexStandalone(RendererContract):
    """The LaTeX renderer, as a document for an engine that reads Unicode."""

    component = LatexRenderer
    options = {"standalone": True, "unicode": True}


class TestCsv(RendererContract):
    """The CSV renderer."""

    component = CsvRenderer


class TestLocalInProcess(ExecutorContract):
    """The local executor in this process."""

    component = LocalExecutor
    track = "fake-dialogue"


class TestLocalWorkers(ExecutorContract):
    """The local executor with worker processes, started afresh."""

    component = LocalExecutor
    options = {"workers": 2, "concurrency": 4}
    track = "fake-dialogue"


class TestMemoryRecorder(RecorderContract):
    """The recorder that tests use."""

    def recorder(self, folder):
        return MemoryRecorder()


class TestJournalRecorder(RecorderContract):
    """The journal's recorder."""

    def recorder(self, folder: Path):
        return Journal(folder / "run").recorder()
