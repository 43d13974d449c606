"""Label trees from what languages and countries lie under: a parent label covers the labels below it."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet

from recfw.elicitation.labels import LabelTree
from recfw_books.wikidata.items import Term


def label_tree(terms: Iterable[Term], parents: Mapping[str, AbstractSet[str]]) -> tuple[LabelTree, int]:
    """
    Return the tree of the labels in use, and how many pairs of labels were left out since they cover one another.

    Args:
        terms: The languages or countries of the works; one label may belong to several entities.
        parents: Entity -> what it lies right under; chains may pass through entities that no work has.
    """
    labels: defaultdict[str, set[str]] = defaultdict(set)
    for term in terms:
        if term.id:
            labels[term.id].add(term.label)
    above: defaultdict[str, set[str]] = defaultdict(set)
    for entity, own in labels.items():
        over = {label for found in _reached(entity, parents) for label in labels.get(found, ())}
        for label in own:
            above[label] |= over
    covered = {label: _reached(label, above) - {label} for label in above}
    children: defaultdict[str, set[str]] = defaultdict(set)
    mutual = 0
    for label, parents_of in covered.items():
        for parent in parents_of:
            if label in covered.get(parent, ()):
                mutual += 1
            else:
                children[parent].add(label)
    return LabelTree({parent: sorted(below) for parent, below in sorted(children.items())}), mutual // 2


def _reached(start: str, steps: Mapping[str, AbstractSet[str]]) -> set[str]:
    """Return all that is reached from a start by one step or more."""
    reached: set[str] = set()
    level = set(steps.get(start, ()))
    while level:
        reached |= level
        level = {further for one in level for further in steps.get(one, ())} - reached
    return reached
