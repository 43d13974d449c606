"""The paper's figures of its reference agents: each number, what it counts, and where in the paper it stands."""

from collections.abc import Mapping

from attrs import asdict, frozen

CONDITIONS = ("volunteer", "mixed", "hidden")
KINDS = ("satisfiable", "nvr")
"""Families with an acceptable book, and those without a valid recommendation."""

BLOCKS = ("panel", "reliability")

TITLE = "tau-Rec-Books (arXiv 2611.04459)"
_SECTION_5 = "section 5, 'Reference agents'"
_SECTION_6_5 = "section 6.5, 'How far proposing and elimination go'"
_PROMPTS = "section 6.5, 'What the protocol adds'"


@frozen
class Solved:
    """Tasks solved, of how many, one trial each; ``where`` names the paper's section."""

    solved: int
    of: int
    where: str

    @property
    def share(self) -> float:
        """The solved share, in [0, 1]."""
        return self.solved / self.of


@frozen
class PaperAgent:
    """
    One reference agent in the paper: structured search, rule-based user, catalog of 20,000 books.

    Args:
        solved: (kind, condition) -> tasks solved, over all 150 families.
        panel: (block, kind) -> hidden tasks solved within a block, where the paper tells.
        within_three: Block -> hidden satisfiable tasks solved within three rejections, where the paper tells.
        median_proposals: Median number of proposals per success on hidden tasks, where the paper tells.
    """

    solved: Mapping[tuple[str, str], Solved]
    panel: Mapping[tuple[str, str], Solved]
    within_three: Mapping[str, Solved]
    median_proposals: float | None = None


def _all_told(hidden: int, hidden_nvr: int) -> dict[tuple[str, str], Solved]:
    """Return an agent's counts: that all 300 volunteer and mixed tasks are solved fixes four of the six."""
    totals = {"satisfiable": 135, "nvr": 15}
    told = {(kind, name): Solved(n, n, _SECTION_5) for kind, n in totals.items() for name in ("volunteer", "mixed")}
    secret = {"satisfiable": hidden, "nvr": hidden_nvr}
    return told | {(kind, "hidden"): Solved(secret[kind], n, _SECTION_5) for kind, n in totals.items()}


AGENTS: Mapping[str, PaperAgent] = {
    "popularity": PaperAgent(
        solved=_all_told(84, 2),
        panel={
            ("panel", "satisfiable"): Solved(28, 45, _SECTION_6_5),
            ("reliability", "satisfiable"): Solved(9, 15, _SECTION_6_5),  # given as 0.600
        },
        within_three={"panel": Solved(14, 45, _SECTION_6_5)},  # given as 0.311
    ),
    "eliminating": PaperAgent(
        solved=_all_told(129, 13),
        panel={
            ("panel", "satisfiable"): Solved(43, 45, _SECTION_6_5),
            ("panel", "nvr"): Solved(5, 6, _PROMPTS),
            ("reliability", "satisfiable"): Solved(15, 15, _PROMPTS),  # given as 1.000
        },
        within_three={
            "panel": Solved(28, 45, _SECTION_6_5),  # given as 0.622
            "reliability": Solved(11, 15, _PROMPTS),  # given as 0.733
        },
        median_proposals=3.0,
    ),
}
"""By the name of the agent; the paper's third, which never asks, has no figures there."""


def as_data() -> dict[str, object]:
    """Return the paper's figures as plain data: agent -> figure, for scripts."""
    return {
        name: {
            "solved": {kind: _of(agent.solved, kind) for kind in KINDS},
            "blocks": {
                block: {kind: asdict(agent.panel[block, kind]) for kind in KINDS if (block, kind) in agent.panel}
                for block in BLOCKS
            },
            "within_three_rejections": {block: asdict(solved) for block, solved in agent.within_three.items()},
            "median_proposals": agent.median_proposals,
        }
        for name, agent in AGENTS.items()
    }


def _of(solved: Mapping[tuple[str, str], Solved], kind: str) -> dict[str, object]:
    return {condition: asdict(solved[kind, condition]) for condition in CONDITIONS}
