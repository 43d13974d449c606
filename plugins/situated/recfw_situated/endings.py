"""
How an episode ends (the paper, appendix B.3), checked in this order after the user's action: cart, recommendations,
turns, stall; the moderator is asked only where none of them holds.
"""

from attrs import define

from recfw_situated.actions.user import FREE_MOVES

CART_ADDED = "success_cart_added"
EXHAUSTED = "recommendation_exhausted"
TURN_LIMIT = "turn_limit"
STALL = "motion_stall"
MODERATED = "moderator_termination"
REASONS = (CART_ADDED, EXHAUSTED, TURN_LIMIT, STALL, MODERATED)

MOST_RECOMMENDS = 3
STALLS, STALL_CM = 3, 10.0
"""So many free translations in a row that each came less far than this are a stall."""


@define
class Progress:
    """What the endings depend on: Recommend annotations so far, and free translations in a row that came nowhere."""

    recommends: int = 0
    stalled: int = 0

    def count(self, name: str, moved: float, *, allowed: bool) -> None:
        """Note the user's action; whatever is no free translation that was carried out breaks the row."""
        stuck = allowed and name in FREE_MOVES and moved < STALL_CM
        self.stalled = self.stalled + 1 if stuck else 0


def reason_of(progress: Progress, *, cart: bool, turns: int, limit: int) -> str:
    """Return why the episode is over after an action; empty where it goes on."""
    if cart:
        return CART_ADDED
    if progress.recommends >= MOST_RECOMMENDS:
        return EXHAUSTED
    if turns >= limit:
        return TURN_LIMIT
    return STALL if progress.stalled >= STALLS else ""
