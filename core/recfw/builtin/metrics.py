"""Metrics that need no track: how much the evaluated role said and did."""

from collections.abc import Mapping
from typing import ClassVar

from attrs import frozen

from recfw.model.task import Task
from recfw.model.trace import RefusalEvent, Trace
from recfw.protocols import Metric


@frozen
class EffortOptions:
    """
    Options of the metric ``effort``.

    Args:
        role: The evaluated role's name in the trace.
    """

    role: str = "agent"


class Effort(Metric):
    """
    Turns, replies, tool calls and refusals of the evaluated role.

    Every figure is None where the role does not occur in the trace: a role of another name is not one that did nothing.
    """

    name = "effort"
    summary = "Turns, replies, tool calls, failed calls and refused replies of the evaluated role."
    Options = EffortOptions
    figures: ClassVar[Mapping[str, str]] = {
        "agent_turns": "Turns in which the evaluated role held the floor.",
        "agent_replies": "Replies that it gave; a turn has one or more.",
        "tool_calls": "Tool calls that were answered, errors included.",
        "tool_errors": "Tool calls that failed by the caller's fault.",
        "refusals": "Replies that the environment refused.",
    }

    def __init__(self, options: EffortOptions) -> None:
        self._role = options.role

    def score(self, task: Task, trace: Trace) -> Mapping[str, float | None]:  # noqa: ARG002 - the protocol's signature
        """Return the five counts."""
        replies, calls = trace.replies(self._role), trace.tools(self._role)
        refused = [e for e in trace.events if isinstance(e, RefusalEvent) and e.role == self._role]
        if not (replies or calls or refused):
            return dict.fromkeys(self.figures)
        turns = {e.turn for e in replies} | {e.turn for e in calls} | {e.turn for e in refused}
        return {
            "agent_turns": float(len(turns)),
            "agent_replies": float(len(replies)),
            "tool_calls": float(len(calls)),
            "tool_errors": float(sum(call.error for call in calls)),
            "refusals": float(len(refused)),
        }
