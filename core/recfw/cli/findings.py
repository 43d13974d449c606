"""What ``recfw doctor`` finds: one record a finding, and how it is shown."""

from enum import StrEnum

import click
from attrs import frozen

from recfw.cli.wrapping import hanging
from recfw.report.words import one_line


class State(StrEnum):
    """How a finding is to be taken."""

    OK = "ok"
    NOTE = "note"
    """Worth knowing; nothing is broken."""
    UNTRIED = "untried"
    """It could not be looked at."""
    WRONG = "wrong"


@frozen
class Finding:
    """
    One finding.

    Args:
        topic: What was looked at, in a word or two.
        state: How it is to be taken.
        words: What was found, as a phrase without a full stop.
        hint: The next step, as a sentence; empty where there is none to take.
    """

    topic: str
    state: State
    words: str
    hint: str = ""


def ok(topic: str, words: str) -> Finding:
    """Return a finding that all is well."""
    return Finding(topic, State.OK, words)


def note(topic: str, words: str, hint: str = "") -> Finding:
    """Return a finding that is worth knowing."""
    return Finding(topic, State.NOTE, words, hint)


def wrong(topic: str, words: str, hint: str) -> Finding:
    """Return a finding that wants something done."""
    return Finding(topic, State.WRONG, words, hint)


_MARKS = {
    State.OK: ("ok", "green"),
    State.NOTE: ("note", "yellow"),
    State.UNTRIED: ("skip", "yellow"),
    State.WRONG: ("WRONG", "red"),
}


def lines(finding: Finding) -> list[str]:
    """Return a finding as lines for a terminal."""
    mark, colour = _MARKS[finding.state]
    told = hanging(f"{mark:5} {finding.topic:12} ", one_line(finding.words))
    first = click.style(f"{mark:5}", fg=colour) + told[5:]
    return [first, *([hanging(f"{'':18} ", one_line(finding.hint))] if finding.hint else [])]
