"""Checks tasks against scenes from scratch; it owes nothing to the generator or the users."""

from recfw_situated.validate.rules import RULES
from recfw_situated.validate.run import validate

__all__ = ["RULES", "validate"]
