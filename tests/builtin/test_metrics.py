"""The metric `effort`: counts by hand."""

from recfw.builtin.metrics import Effort, EffortOptions
from recfw.model.reply import Reply
from recfw.model.task import Task
from recfw.model.trace import EndEvent, RefusalEvent, ReplyEvent, ToolEvent, Trace

TASK = Task("t", "c")
TRACE = Trace(
    (
        ReplyEvent("user", 1, Reply("hello")),
        ReplyEvent("agent", 1, Reply()),
        ToolEvent("agent", 1, 0, "search", {}, []),
        ToolEvent("agent", 1, 1, "search", None, "no", error=True),
        RefusalEvent("agent", 1, "say something"),
        ReplyEvent("agent", 1, Reply("hi")),
        ReplyEvent("user", 2, Reply("bye")),
        ToolEvent("user", 2, 0, "wave", {}, None),
        ReplyEvent("agent", 2, Reply("bye")),
        EndEvent("done"),
    )
)


def test_effort_by_hand() -> None:
    """Turns, replies, calls, failed calls and refusals of the agent are counted, and nobody else's."""
    expected = {"agent_turns": 2, "agent_replies": 3, "tool_calls": 2, "tool_errors": 1, "refusals": 1}
    assert Effort(EffortOptions()).score(TASK, TRACE) == expected


def test_effort_of_another_role() -> None:
    """The evaluated role may have another name."""
    expected = {"agent_turns": 2, "agent_replies": 2, "tool_calls": 1, "tool_errors": 0, "refusals": 0}
    assert Effort(EffortOptions(role="user")).score(TASK, TRACE) == expected


def test_a_role_that_does_not_occur_has_no_figures() -> None:
    """A role of another name is not taken for one that did nothing."""
    assert Effort(EffortOptions(role="clerk")).score(TASK, TRACE) == dict.fromkeys(Effort.figures)


def test_every_figure_is_explained() -> None:
    """The figures that it gives are the ones that it declares."""
    assert set(Effort(EffortOptions()).score(TASK, TRACE)) == set(Effort.figures)
