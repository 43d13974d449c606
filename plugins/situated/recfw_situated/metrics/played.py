"""What a stored trace tells of an episode: its turns, what was in view before each, and the final cart."""

from collections.abc import Mapping
from typing import Any

from attrs import field, frozen

from recfw.model.trace import Trace

Json = dict[str, Any]
Entity = tuple[str, str]
"""Kind (product, fixture, store, area) and id of something in view."""


@frozen
class Turn:
    """
    One recorded turn.

    Args:
        number: Its number.
        said: Data of its ``assistant`` event, or None where there is none.
        did: Data of its ``user`` event, likewise.
    """

    number: int
    said: Json | None = field(default=None, repr=False)
    did: Json | None = field(default=None, repr=False)

    @property
    def ranking(self) -> list[str] | None:
        """The saved recommendation list, perhaps empty; None where the turn has none: no valid reply, no list."""
        if self.said is None or self.said["neutral"]:
            return None
        return list(self.said["ranking"])

    @property
    def act(self) -> str | None:
        """The dialogue action; None where there is none."""
        return None if self.said is None else self.said["act"]

    @property
    def expected(self) -> Json | None:
        """The action that the assistant expected of the user; None where it named none."""
        return None if self.said is None else self.said["expected"]

    @property
    def action(self) -> Json | None:
        """The user's first call; None where it made none, as where both its replies were invalid."""
        if self.did is None or self.did["neutral"]:
            return None
        found: Json = self.did["action"]
        return found


@frozen
class Played:
    """
    An episode.

    Args:
        turns: Every turn of which a record exists, by number.
        views: Number of a turn -> what was in view at its beginning; one more than the last turn holds what was in
            view at the end.
        cart: Ids of the products in the final cart, in the order in which they were added.
    """

    turns: tuple[Turn, ...]
    views: Mapping[int, frozenset[Entity]] = field(repr=False)
    cart: tuple[str, ...] = ()

    @property
    def rankings(self) -> list[list[str]]:
        """The saved recommendation lists, empty ones included, in the order of turns."""
        return [turn.ranking for turn in self.turns if turn.ranking is not None]


def read(trace: Trace) -> Played:
    """Return the episode that a trace holds."""
    said = {event.data["turn"]: event.data for event in trace.world("assistant")}
    did = {event.data["turn"]: event.data for event in trace.world("user")}
    views: dict[int, frozenset[Entity]] = {}
    for event in trace.world("observed"):
        markers = frozenset((marker["kind"], marker["id"]) for marker in event.data["markers"])
        views[event.data["turn"]] = views.get(event.data["turn"], frozenset()) | markers
    holders = [event for name in ("observed", "user", "ended") for event in trace.world(name)]
    return Played(
        tuple(Turn(number, said.get(number), did.get(number)) for number in sorted({*said, *did})),
        views,
        max((tuple(event.data["cart"]) for event in holders), key=len, default=()),  # nothing ever leaves a cart
    )
