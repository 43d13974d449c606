"""The validation of a task set against its catalog: every rule, in order, and every problem that they find."""

from collections.abc import Sequence

from recfw_books.catalog.records import BookCatalog
from recfw_books.model import BookTask
from recfw_books.validate.index import Index
from recfw_books.validate.rules import CHECKS
from recfw_books.validate.subject import Problem, Search, Subject


def validate(catalog: BookCatalog, tasks: Sequence[BookTask], search: Search | None = None) -> list[Problem]:
    """
    Recompute every property of spec section 2 from records alone, at each nested size that the catalog has.

    Where a rule says "at every size", it is checked in each nested catalog. "The smallest catalog" is the 5k one, or
    the whole where that is no larger. What bounds an eliminating agent's search (revealed matches, hidden labels) is
    read in the largest, on which trials run.

    Args:
        catalog: The books in order, their labels and nested sizes.
        tasks: The task set, all variants of all families.
        search: The structured tool, ``(size, filters) -> (total, ids of the first page)``, with any of the filters
            genre, language, country, year_min, year_max and formats (a list); its rules are skipped where it is None.

    Returns:
        The problems, by rule in the order of :data:`recfw_books.validate.RULES`, then by family in the tasks' order.
    """
    subject = Subject.of(Index(catalog.books, catalog.trees, catalog.sizes), tasks, search)
    return [problem for rule in CHECKS for problem in rule.problems(subject)]
