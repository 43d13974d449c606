"""
The user's grammar of directions: what a sentence asks a walker to do, in order.

It reads English as people guide each other with, not as any assistant of this track writes it; the labelled set in the
tests holds sentences of both.
"""

import re
from collections.abc import Sequence

from attrs import frozen

from recfw_situated.users.amounts import angle, length

TURN, AHEAD, BACK, ASIDE, LOOK = "turn", "ahead", "back", "aside", "look"

PLAIN_ANGLE, PLAIN_DISTANCE, PLAIN_ASIDE, PLAIN_LOOK = 90.0, 300.0, 80.0, 25.0
"""What a direction means that names no amount: degrees, cm, cm, degrees."""


@frozen
class Direction:
    """One direction: ``kind``, ``side`` (left, right, up, down or empty), ``amount`` in degrees or cm."""

    kind: str
    side: str = ""
    amount: float = 0.0


_SIDE = r"(?P<side>left|right)"
_TO = r"(?:(?:to|toward|towards|on) )?(?:(?:your|the) )?"
_SOFT = r"(?:[\w%°.'-]+ ){0,6}?"
_GO = (
    r"(?:walk|move|go|head|step|proceed|continue|advance|come|keep (?:going|walking|moving)|carry on|stroll|march|take)"
)
_TURNERS = r"(?:turn(?:ing)?|rotate|rotating|spin|swivel|pivot|swing|face|veer|look|glance|bear|twist)"

_PATTERNS: tuple[tuple[str, re.Pattern[str]], ...] = (
    (LOOK, re.compile(r"\b(?:look|glance|tilt|peek|gaze|lower|raise|cast|point)\b(?: \w+){0,4}? (?P<side>up|down)"
                      r"(?:wards?)?\b")),
    (LOOK, re.compile(r"\b(?P<verb>lower|raise|lift) (?:your )?(?:gaze|eyes|head|view|camera|chin)\b")),
    (LOOK, re.compile(r"\b(?:look|glance|check)\b(?: \w+){0,2}? (?:at |on )?(?:the )?(?P<shelf>bottom|lower|lowest|"
                      r"top|upper|highest) (?:shelf|shelves|row|level)\b")),
    (TURN, re.compile(r"\b(?:turn(?:ing)?|spin|look|face|rotate|swing|pivot|swivel) (?:\w+ ){0,2}?"
                      r"(?P<round>around|round|behind(?: you)?|about-face|the (?:other|opposite) (?:way|direction))"
                      r"\b(?! (?:to )?(?:your |the )?(?:left|right))")),
    (TURN, re.compile(r"\bu-turn\b|\babout-face\b|\bhalf[- ]turn\b(?! (?:left|right))")),
    (TURN, re.compile(rf"\b{_TURNERS}\b {_SOFT}(?P<clock>counter[- ]?clockwise|anti[- ]?clockwise|clockwise)\b")),
    (TURN, re.compile(rf"\b{_TURNERS}\b {_SOFT}{_TO}{_SIDE}\b")),
    (TURN, re.compile(rf"\b(?:make|take|do) (?:a |an |another )?(?:[\w°-]+ ){{0,3}}?{_SIDE}(?: turn)?\b(?! step)")),
    (TURN, re.compile(rf"\b(?:quarter|half|\d+[- ]?(?:degrees?|°))[- ]?turn (?:{_TO})?{_SIDE}\b")),
    (ASIDE, re.compile(rf"\b(?:side-?step|sidestep|shuffle|scoot|slide|shift|edge|step|move (?:over|sideways))\b"
                       rf" {_SOFT}{_TO}{_SIDE}\b")),
    (ASIDE, re.compile(rf"\b(?:take|move)\b {_SOFT}(?:steps?|paces?|sideways) {_TO}{_SIDE}\b")),
    (ASIDE, re.compile(rf"\bmove {_SOFT}{_TO}{_SIDE}\b")),
    (BACK, re.compile(rf"\b{_GO}\b {_SOFT}(?:back(?:wards?)?|in reverse)\b(?! to\b| of\b| side\b| wall\b| at\b)")),
    (BACK, re.compile(r"\b(?:back up|back away|reverse|retreat)\b")),
    (AHEAD, re.compile(rf"\b{_GO}\b {_SOFT}(?:forwards?|ahead|straight(?: on| ahead)?|onwards?|further|farther|closer)"
                       r"\b")),
    (AHEAD, re.compile(rf"\b(?:walk|proceed|advance|go|keep going|move|take|continue)\b (?:on )?(?:for |about |around |"
                       rf"roughly |another )*{_SOFT}(?:m|met(?:er|re)s?|feet|foot|ft|steps?|paces?|cm|yards?)\b")),
    (AHEAD, re.compile(r"\b(?:keep going|carry on|keep walking|straight ahead|go straight)\b")),
    (AHEAD, re.compile(r"\b(?:approach|get closer|come closer|closer to)\b")),
)  # fmt: skip
_LEFTWARD = re.compile(rf"\b(?:go|head|walk|veer|bear|aim) {_TO}{_SIDE}\b")
_PLACED = re.compile(
    r"\b(?:on|to|at) (?:your|the) (?:immediate |far )?(?P<side>left|right)\b|\b(?P<behind>behind you)\b"
)
_CLAUSES = re.compile(r"[.!?;:,\n]+(?=\s|$)|\bthen\b|\bafter that\b|\bnext\b|\band\b(?= (?:then|turn|walk|go|move|step|"
                      r"take|head|look|rotate|face|continue|proceed|keep|pick|grab|add|check))|\bbefore\b")  # fmt: skip
_NOT = re.compile(r"\b(?:do not|don't|no need to|without|rather than|instead of|avoid|not yet|not the|never)\b")
_ASKED = re.compile(
    r"\b(?:do|did|have|would|are) you (?:already |just |still )?(?:turn|turned|walk|walked|look|looking)\b"
)


def clauses(text: str) -> list[str]:
    """Return a normal text's clauses, without what it says not to do."""
    found = [part.strip() for part in _CLAUSES.split(text) if part and part.strip()]
    return [_NOT.split(part)[0].strip() for part in found if not _ASKED.search(part)]


def directions(text: str) -> list[Direction]:
    """Return what a normal text asks a walker to do, in order."""
    found: list[Direction] = []
    for clause in clauses(text):
        found += _of_clause(clause)
    return found


def placed(text: str) -> str:
    """Return where a normal text says that something is: ``left``, ``right``, ``behind``, or an empty string."""
    match = _PLACED.search(text)
    if match is None:
        return ""
    return match["side"] or "behind"


def _of_clause(clause: str) -> list[Direction]:
    hits: list[tuple[int, int, Direction]] = []
    for kind, pattern in _PATTERNS:
        for match in pattern.finditer(clause):
            if not any(start < match.end() and match.start() < end for start, end, _ in hits):
                hits.append((match.start(), match.end(), _read(kind, match, clause)))
    leftward = None if hits else _LEFTWARD.search(clause)
    if leftward:
        ahead = Direction(AHEAD, amount=length(clause) or PLAIN_DISTANCE)
        return [Direction(TURN, leftward["side"], angle(clause) or PLAIN_ANGLE), ahead]
    return [direction for _, _, direction in sorted(hits, key=lambda hit: hit[0])]


def _read(kind: str, match: re.Match[str], clause: str) -> Direction:
    groups = match.groupdict()
    if kind == TURN:
        return _turn(groups, clause)
    if kind == LOOK:
        return Direction(LOOK, _height(groups), min(60.0, angle(clause) or PLAIN_LOOK))
    if kind == ASIDE:
        return Direction(ASIDE, groups["side"], min(200.0, length(clause) or PLAIN_ASIDE))
    return Direction(kind, amount=length(clause) or (PLAIN_DISTANCE if kind == AHEAD else 100.0))


def _turn(groups: dict[str, str | None], clause: str) -> Direction:
    clock, side = groups.get("clock"), groups.get("side")
    if clock:
        side = "right" if clock == "clockwise" else "left"
    if side is None:
        return Direction(TURN, "right", 180.0)
    return Direction(TURN, side, min(180.0, angle(clause) or PLAIN_ANGLE))


def _height(groups: dict[str, str | None]) -> str:
    if groups.get("verb"):
        return "down" if groups["verb"] == "lower" else "up"
    if groups.get("shelf"):
        return "up" if groups["shelf"] in {"top", "upper", "highest"} else "down"
    return groups["side"] or "down"


def first_pair(found: Sequence[Direction]) -> tuple[Direction, Direction | None]:
    """Return the first direction, and the second where one action can do both: a turn and a walk, either way round."""
    first = found[0]
    second = found[1] if len(found) > 1 else None
    pair = {first.kind, second.kind} if second else set()
    return first, second if pair == {TURN, AHEAD} else None
