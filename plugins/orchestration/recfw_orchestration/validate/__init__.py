"""The validator: every property of a task set, found again from the store and live calls alone (spec section 3).

It shares the store, the servers and the shape of the records with the generator, and not a line of code beyond them.
"""

from recfw_orchestration.validate.rules import RULES
from recfw_orchestration.validate.run import validate

__all__ = ["RULES", "validate"]
