"""The table of rules: every property that the validator recomputes, by name, in the order in which it checks them."""

from collections.abc import Mapping
from types import MappingProxyType

from recfw_books.validate import answers, blocks, disclosure, formats, histories, requests, shape, tool
from recfw_books.validate.subject import Rule

CHECKS: tuple[Rule, ...] = (
    *shape.RULES,
    *requests.RULES,
    *answers.RULES,
    *disclosure.RULES,
    *formats.RULES,
    *histories.RULES,
    *blocks.RULES,
    *tool.RULES,
)

RULES: Mapping[str, str] = MappingProxyType({rule.name: rule.sentence for rule in CHECKS})
"""Rule name -> the sentence that it enforces, for the docs and for whoever reads a problem."""
