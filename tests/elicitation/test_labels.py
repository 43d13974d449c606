"""Label trees: cover, and the trees that are refused."""

import pytest

from recfw.elicitation import LabelTree
from recfw.errors import DataError

TREE = LabelTree({"World": ["Isles", "North", "South", "World"], "Isles": ["South", "North"]})


def test_cover_is_transitive_and_includes_the_label() -> None:
    """A label covers itself and everything below it, never what is above."""
    found = [TREE.covers(*pair) for pair in (("World", "North"), ("North", "North"), ("North", "Isles"), ("x", "x"))]
    assert found == [True, True, False, True]


def test_above_and_below_leave_the_label_out() -> None:
    """Neither direction names the label itself."""
    assert (sorted(TREE.above("Isles")), sorted(TREE.below("Isles"))) == (["World"], ["North", "South"])


def test_children_are_sorted_plain_data() -> None:
    """The plain form sorts parents and children and builds the same tree again."""
    plain = {"Isles": ["North", "South"], "World": ["Isles", "North", "South"]}
    assert (TREE.children(), LabelTree(plain).children()) == (plain, plain)


def test_a_cycle_is_refused() -> None:
    """Two labels that cover one another are named."""
    with pytest.raises(DataError, match="'a' and 'b' cover one another"):
        LabelTree({"a": ["b"], "b": ["a"]})


def test_a_missing_grandchild_is_refused() -> None:
    """A parent must name what its child covers."""
    with pytest.raises(DataError, match="'World' covers 'Isles' but not all that 'Isles' covers"):
        LabelTree({"World": ["Isles"], "Isles": ["North"]})
