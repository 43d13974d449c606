"""A rubric: what a judge is asked of a finished episode, on scales whose points are anchored in words."""

import orjson
from attrs import Factory, evolve, frozen

from recfw.model.reply import ToolResult
from recfw.model.task import Task
from recfw.model.trace import EndEvent, ReplyEvent, ToolEvent, Trace

SHOWN = 600
"""Characters of a tool's answer that a transcript shows."""


@frozen
class Criterion:
    """
    One question of a rubric.

    Args:
        name: The figure's name; unique within the track, figures of metrics included.
        question: What is asked.
        anchors: Point of the scale -> what an episode is like that deserves it; at least the two ends are told.
        low: Lowest point.
        high: Highest point.
        where: Facet -> its values among the tasks that it is asked of; it is asked of all where none is named.
    """

    name: str
    question: str
    anchors: dict[int, str]
    low: int = 1
    high: int = 5
    where: dict[str, tuple[str, ...]] = Factory(dict)

    def __attrs_post_init__(self) -> None:
        if not (self.low < self.high and {self.low, self.high} <= self.anchors.keys()):
            raise ValueError(f"criterion '{self.name}': both ends of its scale need an anchor, the lower one first")
        if outside := [point for point in self.anchors if not self.low <= point <= self.high]:
            raise ValueError(f"criterion '{self.name}': {outside[0]} is not on its scale")


@frozen
class Rubric:
    """
    What a judge is asked.

    Args:
        name: By which it is chosen.
        instructions: What the judge is, what it is shown, and how it is to go about it.
        criteria: The questions.
        version: Part of a judge's identity, as the words themselves are.
        evaluations: How often a judge rates each trial that is told nothing else; 0 leaves it to the judge.
    """

    name: str
    instructions: str
    criteria: tuple[Criterion, ...] = ()
    version: str = "1"
    evaluations: int = 0

    def of(self, task: Task) -> "Rubric":
        """Return the rubric with the criteria that are asked of a task's trials; perhaps none."""
        asked = [c for c in self.criteria if all(task.facets.get(name) in values for name, values in c.where.items())]
        return self if len(asked) == len(self.criteria) else evolve(self, criteria=tuple(asked))


@frozen
class Transcript:
    """
    What a judge is shown of a trial.

    Args:
        briefing: What it must know beside the dialogue, such as the user's goal; may be empty.
        dialogue: What was said and done, in order: who, and the words.
    """

    briefing: str = ""
    dialogue: tuple[tuple[str, str], ...] = ()


def transcript_of(trace: Trace, *, tools: bool = True) -> Transcript:
    """
    Return a trace as a dialogue: what roles said, the tool calls that were answered and their answers cut short.

    Args:
        trace: A finished trace.
        tools: Whether tool calls are told.
    """
    lines: list[tuple[str, str]] = []
    for event in trace.events:
        match event:
            case ReplyEvent(role, _, reply):
                said = [reply.text] if reply.text else []
                said += [orjson.dumps(reply.data).decode()] if reply.data is not None and not reply.text else []
                lines += [(role, text) for text in said]
            case ToolEvent(role) if tools:
                asked = orjson.dumps(event.arguments).decode() if event.arguments is not None else "(refused)"
                answer = ToolResult(event.content).text()
                answer = answer if len(answer) <= SHOWN else f"{answer[:SHOWN]}… ({len(answer):,} characters)"
                lines.append((f"{role}, tool {event.tool}", f"{asked} -> {'error: ' if event.error else ''}{answer}"))
            case EndEvent(stop):
                lines.append(("end", stop))
            case _:
                pass
    return Transcript(dialogue=tuple(lines))
