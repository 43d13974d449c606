"""Label trees: a parent label covers its children, transitively, in searches and predicates."""

from collections.abc import Mapping, Sequence

from recfw.errors import DataError


class LabelTree:
    """
    The labels of one field and what each covers.

    Args:
        children: Parent label -> every label that it covers (transitively). A parent named among its own is left out.

    Raises:
        DataError: Two labels cover one another, or a parent lacks what a child of its own covers.
    """

    def __init__(self, children: Mapping[str, Sequence[str]] | None = None) -> None:
        self._below: dict[str, frozenset[str]] = {
            parent: frozenset(kids) - {parent} for parent, kids in (children or {}).items()
        }
        for parent, kids in sorted(self._below.items()):
            for kid in sorted(kids):
                deeper = self._below.get(kid, frozenset())
                if parent in deeper:
                    raise DataError(f"labels {parent!r} and {kid!r} cover one another.")
                if not deeper <= kids:
                    raise DataError(f"label {parent!r} covers {kid!r} but not all that {kid!r} covers.")

    def below(self, label: str) -> frozenset[str]:
        """Return every label under this one, itself left out."""
        return self._below.get(label, frozenset())

    def covers(self, parent: str, label: str) -> bool:
        """Tell whether a record labelled ``label`` counts as ``parent``."""
        return parent == label or label in self._below.get(parent, frozenset())

    def above(self, label: str) -> frozenset[str]:
        """Return every label that covers this one, itself left out."""
        return frozenset(parent for parent, kids in self._below.items() if label in kids)

    def children(self) -> dict[str, list[str]]:
        """Return the tree as plain data: parent -> sorted labels that it covers."""
        return {parent: sorted(kids) for parent, kids in sorted(self._below.items())}
