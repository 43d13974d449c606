"""Limits of a rollout by level, and the endings that they are the reasons of."""

from collections.abc import Mapping

from attrs import frozen

from recfw.errors import UsageError
from recfw.known import suggestion
from recfw_orchestration.tasks.records import LEVELS

ROUND_LIMIT, CALL_LIMIT, TOKEN_LIMIT = "round_limit", "call_limit", "token_limit"
RANKED = "ranked"
"""The ending of a rollout that gave its final ranking."""


@frozen
class Allowance:
    """
    What one rollout may use.

    Args:
        rounds: Rounds of calls; then no tools are offered any more, and the next reply must hold the ranking.
        calls: Calls over all rounds; those beyond are answered with an error, and tools are withdrawn likewise.
        tokens: Input and output tokens that the planner's replies may have consumed, as far as they say.
    """

    rounds: int
    calls: int
    tokens: int


DEFAULTS: Mapping[str, Allowance] = {
    "L1": Allowance(rounds=4, calls=12, tokens=100_000),
    "L2": Allowance(rounds=6, calls=24, tokens=150_000),
    "L3": Allowance(rounds=12, calls=36, tokens=300_000),
    "L4": Allowance(rounds=12, calls=48, tokens=400_000),
}
"""The limits of each level where nothing else is asked for: several times what its gold workflows need."""


def allowances(
    rounds: Mapping[str, int], calls: Mapping[str, int], tokens: Mapping[str, int]
) -> Mapping[str, Allowance]:
    """
    Return each level's limits, some of them replaced.

    Args:
        rounds: Level -> most rounds, for the levels that are to have another limit than the default.
        calls: Level -> most calls, likewise.
        tokens: Level -> most tokens, likewise.

    Raises:
        UsageError: There is no such level, or a limit is no whole number of at least one.
    """
    for what, given in (("rounds", rounds), ("calls", calls), ("tokens", tokens)):
        for level, limit in given.items():
            if level not in LEVELS:
                message = f"track.{what}: there is no level '{level}' (levels: {', '.join(LEVELS)})."
                raise UsageError(message, suggestion(str(level), LEVELS))
            if isinstance(limit, bool) or not isinstance(limit, int) or limit < 1:
                raise UsageError(f"track.{what}: {level} needs a whole number of at least 1, not {limit!r}.")
    return {
        level: Allowance(
            rounds.get(level, usual.rounds), calls.get(level, usual.calls), tokens.get(level, usual.tokens)
        )
        for level, usual in DEFAULTS.items()
    }
