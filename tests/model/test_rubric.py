"""A rubric: which of its criteria are asked of a task."""

from recfw.model.rubric import Criterion, Rubric
from recfw.model.task import Task

ENDS = {1: "Bad.", 5: "Good."}
ANY = Criterion("any", "?", ENDS)
HARD = Criterion("hard", "?", ENDS, where={"tier": ("hard", "hardest"), "kind": ("talk",)})
RUBRIC = Rubric("both", "Rate.", (ANY, HARD))


def asked(**facets: str) -> tuple[Criterion, ...]:
    """Return the criteria that are asked of a task with these facets."""
    return RUBRIC.of(Task("t", "c", facets)).criteria


def test_a_criterion_without_a_place_is_asked_of_every_task() -> None:
    """Whatever facets it has."""
    assert asked() == (ANY,)


def test_a_criterion_is_asked_where_every_facet_has_one_of_its_values() -> None:
    """A facet that a task lacks has none."""
    assert asked(tier="hardest", kind="talk") == (ANY, HARD)
    assert asked(tier="easy", kind="talk") == (ANY,)
    assert asked(tier="hard") == (ANY,)
