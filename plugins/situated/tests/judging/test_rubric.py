"""The rubric of dialogue quality."""

from recfw_situated.judging.rubric import DIMENSIONS, rubric
from recfw_situated.metrics.component import SituatedConduct, SituatedFigures
from recfw_situated.track import SituatedTrack


def test_seven_dimensions_from_1_to_5_with_every_point_anchored() -> None:
    """The dimensions are the paper's, and each of the five points has words of its own."""
    criteria = rubric().criteria
    assert {one.name for one in criteria} == set(DIMENSIONS)
    assert all((one.low, one.high, sorted(one.anchors)) == (1, 5, [1, 2, 3, 4, 5]) for one in criteria)
    assert all(len(set(one.anchors.values())) == 5 for one in criteria)


def test_each_trajectory_is_rated_once() -> None:
    """A judge that is told nothing else rates once."""
    assert rubric().evaluations == 1


def test_the_track_offers_it_first() -> None:
    """A judge that names no rubric takes this one."""
    assert next(iter(SituatedTrack.rubrics.values())) == rubric()


def test_its_figures_clash_with_no_metric() -> None:
    """Names of dimensions are not those of other figures."""
    assert set(DIMENSIONS).isdisjoint({*SituatedFigures.figures, *SituatedConduct.figures})
