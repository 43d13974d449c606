"""How the stub behaves: one record, given when it is made and changeable while it runs."""

from collections.abc import Iterable, Mapping
from typing import Any

from attrs import asdict, field, fields, frozen
from attrs.validators import ge, gt, optional

from recfw.errors import DataError
from recfw.serialize import from_data
from recfw.testing.provider.brains import find_brain
from recfw.testing.provider.faults import Faults, ways_of
from recfw.testing.provider.protocol import Answer


def _known(_: Any, __: Any, name: str) -> None:
    find_brain(name)


def _answers(replies: Iterable[Answer | str]) -> tuple[Answer, ...]:
    return tuple(Answer(said) if isinstance(said, str) else said for said in replies)


def _ways_known(_: Any, __: Any, replies: tuple[Answer, ...]) -> None:
    ways_of(reply.fault for reply in replies if reply.fault)


@frozen
class Script:
    """
    How the stub behaves.

    Args:
        brain: What the model says: ``echo``, ``tool-loop:N``, ``each-tool:N``, ``all-tools:N`` or ``module:function``.
        replies: Replies to say instead, by their place in the conversation; the last one is repeated. A string
            is a reply's text.
        faults: Which requests go wrong.
        latency: Seconds before the first byte of an answer.
        spread: Further seconds before it, drawn evenly from 0 to this by the request's hash.
        pace: Seconds between the pieces of a streamed answer.
        requests_per_second: Requests beyond this get 429; one second's worth, at least one, may come at once. 0
            refuses all.
        concurrent: Requests beyond this many at a time get 429.
        key: The key that a request must bear; empty where any will do.
        models: The models there are; empty where any will do.
        strict: Refuse, as real providers do, tools and histories that are malformed.
        record: How many of the newest requests are kept, with headers and bodies, to look at.
    """

    brain: str = field(default="echo", validator=_known)
    replies: tuple[Answer, ...] = field(default=(), converter=_answers, validator=_ways_known)
    faults: Faults = field(factory=Faults)
    latency: float = field(default=0.0, validator=ge(0))
    spread: float = field(default=0.0, validator=ge(0))
    pace: float = field(default=0.0, validator=ge(0))
    requests_per_second: float | None = field(default=None, validator=optional(ge(0)))
    concurrent: int | None = field(default=None, validator=optional(gt(0)))
    key: str = ""
    models: tuple[str, ...] = ()
    strict: bool = True
    record: int = field(default=0, validator=ge(0))

    def changed(self, data: Any) -> "Script":
        """
        Return this script with the fields of a JSON document changed.

        Args:
            data: Field -> value; a reply may be a string, its text; faults are replaced as a whole.

        Raises:
            DataError: A field is unknown or its value is off.
        """
        if not isinstance(data, Mapping):
            raise DataError("A script is a JSON object.", "Its keys are the fields of recfw.testing.provider.Script.")
        given = dict(data)
        if isinstance(given.get("replies"), list):
            given["replies"] = [{"text": said} if isinstance(said, str) else said for said in given["replies"]]
        made: Script = from_data(given, Script, "script")
        kept = asdict(self, recurse=False)
        return Script(**{**kept, **{f.name: getattr(made, f.name) for f in fields(Script) if f.name in given}})
