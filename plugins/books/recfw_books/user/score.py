"""How well the matcher does on labelled turns: precision, recall, recall on open requests, and each miss."""

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from attrs import frozen

from recfw.errors import DataError
from recfw.model.document import Column, Table
from recfw_books.user.lexicon import FIELDS

_HINT = 'Give one {"text": "...", "fields": ["genre", ...]} a line; "generic" and "id" may stand beside.'


@frozen
class Labelled:
    """
    A turn with the fields that it asks about; ``generic`` tells whether it is an open request.

    ``batch`` names the turns written together with it, in one style; empty where the file does not say.
    """

    id: str
    text: str
    fields: frozenset[str]
    generic: bool
    batch: str = ""


@frozen
class Judged:
    """A labelled turn and what the matcher says of it."""

    turn: Labelled
    found: frozenset[str]

    @property
    def right(self) -> bool:
        """Whether the matcher says exactly the label."""
        return self.found == self.turn.fields


@frozen
class Share:
    """``hits`` of ``of``, by name."""

    name: str
    hits: int
    of: int

    @property
    def rate(self) -> float | None:
        """The share; none of nothing."""
        return self.hits / self.of if self.of else None

    def interval(self) -> tuple[float, float] | None:
        """Return Wilson's 95 % interval of the share; none of nothing."""
        from scipy.stats import binomtest  # noqa: PLC0415 - takes a second to import, and only this needs it

        if not self.of:
            return None
        found = binomtest(self.hits, self.of).proportion_ci(confidence_level=0.95, method="wilson")
        return float(found.low), float(found.high)


def read_labelled(lines: Iterable[str]) -> tuple[Labelled, ...]:
    """
    Read JSON lines of labelled turns.

    Where ``generic`` is absent, a turn that is labelled with every field is taken for an open request.

    Raises:
        DataError: A line is no such object; the message names it by number, from 1.
    """
    return tuple(_labelled(number, line) for number, line in enumerate(lines, start=1) if line.strip())


def _labelled(number: int, line: str) -> Labelled:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise DataError(f"line {number}: not JSON ({error}).", _HINT) from None
    fields = found.get("fields") if isinstance(found, dict) else None
    if not isinstance(fields, list) or not isinstance(found.get("text"), str):
        raise DataError(f"line {number}: no object with a text and fields.", _HINT)
    unknown = [field for field in fields if field not in FIELDS]
    if unknown:
        raise DataError(f"line {number}: no field {unknown[0]!r}.", f"Fields are {', '.join(FIELDS)}.")
    generic = bool(found.get("generic", len(set(fields)) == len(FIELDS)))
    batch = str(found.get("batch", ""))
    return Labelled(str(found.get("id", f"line {number}")), found["text"], frozenset(fields), generic, batch)


def judge(turns: Iterable[Labelled], asked: Callable[[str], Collection[str]]) -> tuple[Judged, ...]:
    """Let a matcher answer labelled turns."""
    return tuple(Judged(turn, frozenset(asked(turn.text))) for turn in turns)


def shares(judged: Sequence[Judged]) -> tuple[Share, ...]:
    """Return precision and recall over all fields' labels, generic recall, exact turns, then each field's own."""
    opens = [each for each in judged if each.turn.generic]
    return (
        *_pair("", judged, FIELDS),
        Share("generic recall", sum(each.found == frozenset(FIELDS) for each in opens), len(opens)),
        Share("turns exactly right", sum(each.right for each in judged), len(judged)),
        *(share for field in FIELDS for share in _pair(f"{field} ", judged, (field,))),
    )


def _pair(prefix: str, judged: Sequence[Judged], fields: Sequence[str]) -> tuple[Share, Share]:
    """Return micro precision and recall over some fields."""
    hits = sum(len(each.found & each.turn.fields & set(fields)) for each in judged)
    found = sum(len(each.found & set(fields)) for each in judged)
    wanted = sum(len(each.turn.fields & set(fields)) for each in judged)
    return Share(f"{prefix}precision", hits, found), Share(f"{prefix}recall", hits, wanted)


_COLUMNS = (
    Column("share"),
    Column("hits", "d"),
    Column("of", "d"),
    Column("rate", ".3f"),
    Column("95 % from", ".3f"),
    Column("to", ".3f"),
)


def share_table(judged: Sequence[Judged]) -> Table:
    """Return the shares as a table, with Wilson's intervals."""
    rows = []
    for share in shares(judged):
        low, high = share.interval() or (None, None)
        rows.append((share.name, share.hits, share.of, share.rate, low, high))
    opens = sum(each.turn.generic for each in judged)
    return Table(
        columns=_COLUMNS,
        rows=tuple(rows),
        caption=f"{len(judged)} labelled turns, {opens} of them open requests",
    )


def batch_table(judged: Mapping[str, Sequence[Judged]]) -> Table:
    """Return the shares over all fields of several judges, by name, with 95 % intervals over batches."""
    rows = []
    for judge_name, found in judged.items():
        batches = dict.fromkeys(each.turn.batch for each in found)
        apart = [shares([each for each in found if each.turn.batch == batch])[:4] for batch in batches]
        for k, share in enumerate(shares(found)[:4]):
            spread = _spread([each[k] for each in apart], share)
            low, high = (None, None) if share.rate is None else (share.rate - spread, min(share.rate + spread, 1.0))
            rows.append((judge_name, share.name, share.hits, share.of, share.rate, low, high))
    turns = len(next(iter(judged.values())))
    return Table(
        columns=(Column("by"), *_COLUMNS),
        rows=tuple(rows),
        caption=f"{turns} turns, each judged by weights learned without its batch; intervals over batches",
    )


def _spread(parts: Sequence[Share], whole: Share) -> float:
    """Return half the 95 % interval of a share of hits in clusters (the ratio estimator's linearised variance)."""
    used = [part for part in parts if part.of]
    if len(used) < 2 or whole.rate is None:
        return 0.0
    squares = sum((part.hits - whole.rate * part.of) ** 2 for part in used)
    return float(1.96 * (squares * len(used) / (len(used) - 1)) ** 0.5 / whole.of)


def error_lines(judged: Iterable[Judged]) -> tuple[str, ...]:
    """Return a line for each turn that is not exactly right: id, fields found in excess (+) and missed (-), text."""
    lines = []
    for each in judged:
        if not each.right:
            excess = [f"+{field}" for field in FIELDS if field in each.found - each.turn.fields]
            missed = [f"-{field}" for field in FIELDS if field in each.turn.fields - each.found]
            lines.append(
                f"{each.turn.id}: {' '.join(excess + missed)}: {json.dumps(each.turn.text, ensure_ascii=False)}"
            )
    return tuple(lines)
