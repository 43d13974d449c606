"""Rules of the panel and of its reliability block: how many families of each kind, one inside the other."""

from collections.abc import Iterator

from recfw_books.validate.index import Index
from recfw_books.validate.subject import WHOLE_SET, Family, Subject, family_rule, whole_set_rule

PANEL = (45, 6)
RELIABILITY = (15, 3)
"""Families of a block: satisfiable, NVR."""


@whole_set_rule("panel-count", "The panel is 51 families: 45 satisfiable, 6 NVR.")
def panel_count(subject: Subject) -> Iterator[tuple[str, str]]:
    """Count the panel's families of each kind."""
    found = sum(f.lead.panel for f in subject.satisfiable), sum(f.lead.panel for f in subject.nvr)
    if found != PANEL:
        yield (
            WHOLE_SET,
            f"the panel has {found[0]} satisfiable and {found[1]} NVR families, not {PANEL[0]} and {PANEL[1]}.",
        )


@whole_set_rule("reliability-count", "The reliability block is 18 families: 15 satisfiable, 3 NVR.")
def reliability_count(subject: Subject) -> Iterator[tuple[str, str]]:
    """Count the reliability block's families of each kind."""
    found = sum(f.lead.reliability for f in subject.satisfiable), sum(f.lead.reliability for f in subject.nvr)
    if found != RELIABILITY:
        wanted = f"not {RELIABILITY[0]} and {RELIABILITY[1]}"
        yield WHOLE_SET, f"the reliability block has {found[0]} satisfiable and {found[1]} NVR families, {wanted}."


@family_rule("reliability-in-panel", "A family of the reliability block is in the panel.")
def reliability_in_panel(family: Family, _index: Index) -> Iterator[str]:
    """Look for a family of the block outside the panel."""
    if family.lead.reliability and not family.lead.panel:
        yield "it is in the reliability block and not in the panel."


RULES = (panel_count, reliability_count, reliability_in_panel)
