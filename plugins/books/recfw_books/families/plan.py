"""The plan of a task set: which family follows which template, and which of the set's fixed numbers it helps meet."""

from collections.abc import Iterable, Sequence

from attrs import evolve, frozen

from recfw.model.draws import Draws
from recfw_books.families.templates import TEMPLATES, TIERS, Template

TWO_HIDDEN = 48
"""Families whose hidden variant withholds two predicates [ours]; of the 48 histories 17 are theirs, as in the paper."""

HISTORIES_OF_TWO, HISTORIES_OF_ONE = 17, 31
SINGLE_FORMATS = 36
FEW_REVEALED = 2
"""Families without answers that are excused from the 25 revealed matches ("two or three" in the spec)."""

PANEL_PER_TIER, PANEL_NVR_PER_TIER = 15, 2
BLOCK_PER_TIER, BLOCK_NVR_PER_TIER = 5, 1

_COMMON = {
    ("country", "simple"): 0.4,
    ("country", "medium"): 0.9,
    ("country", "complex"): 0.95,
    ("language", "medium"): 0.5,
    ("language", "complex"): 0.85,
}
"""How often a country or language is wished to be of the commonest: about 51 of 68 countries, as in the paper."""

MOST_VALUES = 16
"""So many proposals rule out every value of a withheld field before a trial's turns are over [ours]."""

MOST_SHARE = 1 / 10
"""Share of the revealed matches that may be answers [ours]: with a larger one, proposing any books succeeds."""


@frozen
class Slot:
    """
    One family to be drawn.

    Attributes:
        number: 1 to 150, in the order of the templates' table.
        template: Its fields and year bounds.
        nvr: Whether it has no valid recommendation.
        hidden: How many predicates its hidden variant withholds.
        common: Whether its country or language should be one of the catalog's commonest (a wish, given up where the
            catalog cannot meet it).
        few: For a family without answers: whether it is excused from the 25 revealed matches.
        most_values: For a family without answers: how many values its withheld field has at most among the revealed
            matches.
        most_share: For a family with answers: the largest share of the revealed matches that they may be.
        history: Whether its user has read something.
        single_format: Whether its user accepts one format only.
        panel: Whether it belongs to the panel.
        reliability: Whether it belongs to the panel's reliability block.
    """

    number: int
    template: Template
    nvr: bool
    hidden: int = 1
    common: bool = False
    few: bool = False
    most_values: int = MOST_VALUES
    most_share: float = MOST_SHARE
    history: bool = False
    single_format: bool = False
    panel: bool = False
    reliability: bool = False


def make_plan(seed: int) -> tuple[Slot, ...]:
    """
    Return the 150 slots.

    Satisfiable families: 48 withhold two predicates, 48 have a history (17 of them among those), 36 a single format.
    The panel is drawn at random within each tier (15 satisfiable and 2 without answers), so that the tiers weigh alike,
    after one family of every template, so that tests over templates see all 13; the block is drawn likewise from the
    panel.
    """
    kinds = [(t, nvr) for t in TEMPLATES for nvr in [False] * t.satisfiable + [True] * t.nvr]
    slots = [Slot(number, template, nvr) for number, (template, nvr) in enumerate(kinds, 1)]
    draws = Draws(seed, "books plan")
    slots = [evolve(s, common=draws.random() < _COMMON.get((s.template.place, s.template.tier), 0.0)) for s in slots]
    longer = [s for s in slots if not s.nvr and s.template.size > 2]
    two = _numbers(draws.sample(longer, TWO_HIDDEN))
    slots = [evolve(s, hidden=2 if s.number in two else 1) for s in slots]
    satisfiable = [s for s in slots if not s.nvr]
    histories = _numbers(draws.sample([s for s in satisfiable if s.hidden == 2], HISTORIES_OF_TWO))
    histories |= _numbers(draws.sample([s for s in satisfiable if s.hidden == 1], HISTORIES_OF_ONE))
    formats = _numbers(draws.sample(satisfiable, SINGLE_FORMATS))
    few = _numbers(draws.sample([s for s in slots if s.nvr and s.template.tier == "medium"], FEW_REVEALED))
    panel = _panel(slots, draws)
    block = _spread([s for s in slots if s.number in panel], draws, BLOCK_PER_TIER, BLOCK_NVR_PER_TIER)
    return tuple(
        evolve(
            s,
            history=s.number in histories,
            single_format=s.number in formats,
            few=s.number in few,
            panel=s.number in panel,
            reliability=s.number in block,
        )
        for s in slots
    )


def _numbers(slots: Iterable[Slot]) -> set[int]:
    return {slot.number for slot in slots}


def _panel(slots: Sequence[Slot], draws: Draws) -> set[int]:
    firsts = [draws.choice([s for s in slots if s.template == template and not s.nvr]) for template in TEMPLATES]
    return _spread(slots, draws, PANEL_PER_TIER, PANEL_NVR_PER_TIER, firsts)


def _spread(
    slots: Sequence[Slot], draws: Draws, per_tier: int, nvr_per_tier: int, firsts: Sequence[Slot] = ()
) -> set[int]:
    """Return the numbers of families drawn within each tier, those in ``firsts`` among them."""
    chosen = _numbers(firsts)
    for tier in TIERS:
        for nvr, wanted in ((False, per_tier), (True, nvr_per_tier)):
            pool = [s for s in slots if s.template.tier == tier and s.nvr == nvr]
            rest = [s for s in pool if s.number not in chosen]
            chosen |= _numbers(draws.sample(rest, wanted - (len(pool) - len(rest))))
    return chosen
