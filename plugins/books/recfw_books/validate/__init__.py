"""The validator: every property of a task set, recomputed from records alone (spec sections 1 to 3)."""

from recfw_books.validate.rules import RULES
from recfw_books.validate.run import validate
from recfw_books.validate.subject import WHOLE_SET, Problem

__all__ = ["RULES", "WHOLE_SET", "Problem", "validate"]
