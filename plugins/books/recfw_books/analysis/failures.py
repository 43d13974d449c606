"""How failed trials end (the paper's figure 3), what their commitments were, and where recommendations come from."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from attrs import frozen

from recfw_books.analysis.enriched import (
    FAILED_NAMED,
    FAILURE,
    UNRETURNED_SUCCESS,
    UNTESTED,
    UNTESTED_DECLINED,
    UNTESTED_FIRST,
)
from recfw_books.analysis.failure_modes import MODES
from recfw_books.analysis.measures import group
from recfw_books.analysis.pairs import CONDITIONS, KINDS
from recfw_books.analysis.study import SUCCESS, Pool, Study

ALL = "All"
"""Pools the agents of the tests."""


@frozen
class Failed:
    """
    The failed trials of one group of tasks.

    Args:
        condition, kind: The group: tasks of the chosen families.
        scored: Agent (or :data:`ALL`) -> trials with a score, over both interfaces.
        modes: Agent (or :data:`ALL`) -> failure mode -> failed trials, in the order of :data:`MODES`.
    """

    condition: str
    kind: str
    scored: Mapping[str, int]
    modes: Mapping[str, Mapping[str, int]]

    @property
    def name(self) -> str:
        """The group in words."""
        return f"{self.condition}, no valid recommendation" if self.kind == "nvr" else f"{self.condition}, satisfiable"

    def failures(self, agent: str) -> int:
        """Return how many trials failed."""
        return sum(self.modes[agent].values())


@frozen
class Commitments:
    """
    What agents committed to in failed hidden trials that have an answer, and where recommendations came from.

    Args:
        failures: Failed hidden satisfiable trials.
        untested: Those whose recommended book had never been proposed.
        before_proposal: Those of them in which nothing had been proposed.
        after_decline: Those of them in which the user had declined a field before.
        named: Failed hidden satisfiable trials in which an acceptable book had been named without a tag.
        recommended: Trials of any condition that recommended a book.
        unreturned: Those whose book search had never returned.
        unreturned_solved: Those of them that succeeded.
        leaks: Trials in which the user gave away a hidden value.
    """

    failures: int
    untested: int
    before_proposal: int
    after_decline: int
    named: int
    recommended: int
    unreturned: int
    unreturned_solved: int
    leaks: int


def by_agent(study: Study) -> dict[str, Pool]:
    """Return agent -> its trials in the main experiment, over both interfaces; then :data:`ALL`, of those tested."""
    parts: dict[str, list[Pool]] = {}
    for setting, pool in study.main.items():
        parts.setdefault(setting.agent, []).append(pool.of(study.in_block))
    found = {agent: _joined(pools) for agent, pools in parts.items()}
    tested = [found[agent] for agent in study.chosen.agents if agent in found]
    return {**found, ALL: _joined(tested)} if len(tested) > 1 else found


def _joined(pools: Iterable[Pool]) -> Pool:
    each = list(pools)
    return Pool(
        tuple(part for pool in each for part in pool.parts), tuple(spent for pool in each for spent in pool.spent)
    )


def failed(study: Study) -> tuple[Failed, ...]:
    """Return the failed trials of every group that has a trial: mixed first, then hidden, as the paper shows them."""
    agents, found = by_agent(study), []
    for condition in ("mixed", "hidden", "volunteer"):
        for kind in KINDS:
            cut = {agent: pool.of(group(study, kind, condition)) for agent, pool in agents.items()}
            scored = {agent: len(pool.flat(SUCCESS)) for agent, pool in cut.items()}
            if any(scored.values()):
                found.append(Failed(condition, kind, scored, {agent: _modes(pool) for agent, pool in cut.items()}))
    return tuple(found)


def _modes(pool: Pool) -> dict[str, int]:
    codes = Counter(int(code) for code in pool.flat(FAILURE))
    return {mode.name: codes[code] for code, mode in enumerate(MODES) if codes[code]}


def commitments(study: Study) -> dict[str, Commitments]:
    """Return agent (or :data:`ALL`) -> its commitments."""
    hidden = group(study, "satisfiable", "hidden")
    return {agent: _commitments(pool, pool.of(hidden)) for agent, pool in by_agent(study).items()}


def _commitments(pool: Pool, hidden: Pool) -> Commitments:
    returned = pool.flat("returned_by_search")
    return Commitments(
        failures=len(hidden.flat(FAILURE)),
        untested=_ones(hidden.flat(UNTESTED)),
        before_proposal=_ones(hidden.flat(UNTESTED_FIRST)),
        after_decline=_ones(hidden.flat(UNTESTED_DECLINED)),
        named=_ones(hidden.flat(FAILED_NAMED)),
        recommended=len(returned),
        unreturned=len(returned) - _ones(returned),
        unreturned_solved=_ones(pool.flat(UNRETURNED_SUCCESS)),
        leaks=sum(leaks > 0 for leaks in pool.flat("leaks")),
    )


def _ones(values: Sequence[float]) -> int:
    return sum(value == 1 for value in values)


def conditions(study: Study) -> tuple[str, ...]:
    """Return the conditions that the chosen families have a task of."""
    return tuple(c for c in CONDITIONS if any(group(study, kind, c) & study.in_block for kind in KINDS))
