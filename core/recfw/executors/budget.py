"""What a run may spend: money, tokens, time. When it is spent, no further trial is begun; those in play end."""

import time
from collections.abc import Callable

from attrs import define, field, frozen

from recfw.model.run import Trial
from recfw.model.usage import JUDGES, Spending, add_usage, judge_usage


@frozen
class Budget:
    """
    What a run may spend, all its attempts and judges together; None is no limit.

    Args:
        cost: USD.
        tokens: Tokens read and written.
        seconds: Wall-clock time from when it is started or resumed.
    """

    cost: float | None = None
    tokens: int | None = None
    seconds: float | None = None


@define
class Purse:
    """
    What a run has spent of its budget.

    Trials in play are counted at the mean of those that have ended, so that a limit is passed by what single trials
    differ from that mean at most.
    """

    budget: Budget
    spent: Spending = field(factory=dict)
    clock: Callable[[], float] = time.monotonic
    ended: int = 0
    in_play: int = 0
    unpriced: str = ""
    _earlier: tuple[float, float] = field(init=False)
    _started: float = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._earlier = (self.cost, self.tokens)
        self._started = self.clock()

    @property
    def cost(self) -> float:
        """USD spent."""
        return sum(used.get("cost", 0.0) for used in self.spent.values())

    @property
    def tokens(self) -> float:
        """Tokens read and written."""
        return sum(used.get("input_tokens", 0) + used.get("output_tokens", 0) for used in self.spent.values())

    def begin(self) -> None:
        """A trial is handed out."""
        self.in_play += 1

    def add(self, used: Spending) -> None:
        """A trial has ended, which consumed this."""
        add_usage(self.spent, used)
        self.ended, self.in_play = self.ended + 1, self.in_play - 1
        for role, one in used.items():
            if (one.get("input_tokens") or one.get("output_tokens")) and "cost" not in one:
                self.unpriced = role

    def over(self) -> str:
        """Return why no further trial may begin; empty where one may."""
        limit = self.budget
        if limit.cost is not None and self.unpriced:
            advice = "tell that component its price, or limit --max-tokens instead"
            return f"--max-cost cannot be kept, as the price of what fills '{self.unpriced}' is not known; {advice}."
        if limit.seconds is not None and self.clock() - self._started >= limit.seconds:
            return f"--max-time {limit.seconds:g} s is reached."
        reached = self._reached("--max-cost", limit.cost, self.cost, self._earlier[0], "{:.4f} USD")
        return reached or self._reached("--max-tokens", limit.tokens, self.tokens, self._earlier[1], "{:,.0f} tokens")

    def _reached(self, name: str, most: float | None, now: float, before: float, shown: str) -> str:
        """Return words where what is spent, or what it comes to with the trials in play, reaches a limit."""
        if most is None:
            return ""
        expected = now + (self.in_play * (now - before) / self.ended if self.ended else 0.0)
        if expected < most:
            return ""
        return f"{name} {shown.format(most)} is reached: {shown.format(now)} spent, and {self.in_play} trials in play."


def spending_of(trial: Trial) -> Spending:
    """Return what a trial's roles and judges consumed."""
    judges = judge_usage(trial.scores)
    return {**trial.usage, **({JUDGES: judges} if judges else {})}
