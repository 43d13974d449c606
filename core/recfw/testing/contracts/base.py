"""What every named component must do, and texts that any of them may be handed."""

from collections.abc import Mapping
from typing import Any, ClassVar

import attrs
import pytest

from recfw.errors import RecfwError
from recfw.registry import options_from
from recfw.serialize import from_data, to_data

HOSTILE = (
    "", " ", "\x00", "\x1b[31mred", "\ud800", "'; DROP TABLE x; --", "<script>", "[red]", "a" * 20_000, "٣",
    "\U0001d573\U0001d58e",
    "AND OR NOT", '"', "(", "*", "field:value", "\\", "👩‍👩‍👧", "\u202eabc",
)  # fmt: skip
"""Texts that a component may be handed by a model, a catalog or a person."""


class Contract:
    """
    What every component must do.

    Attributes:
        component: The class under test.
        options: Options to make it with, as plain data.
        overridden: Test name -> why this component may differ from the suite.
    """

    component: ClassVar[type[Any]]
    options: ClassVar[Mapping[str, Any]] = {}
    overridden: ClassVar[Mapping[str, str]] = {}

    def make(self) -> Any:
        """Return a new component."""
        return self.component(options_from(self.component, self.options, self.component.name))

    def test_has_a_name_a_summary_and_options(self) -> None:
        """It has a name without spaces, and its options are an attrs class whose values survive as JSON."""
        assert self.component.name == self.component.name.strip()
        assert " " not in self.component.name
        assert self.component.name
        assert attrs.has(self.component.Options)
        made = options_from(self.component, self.options, self.component.name)
        assert made == from_data(to_data(made), self.component.Options)

    def test_unknown_options_are_refused_by_name(self) -> None:
        """A misspelt option is an error that names it."""
        with pytest.raises(RecfwError, match="no_such_option"):
            options_from(self.component, {"no_such_option": 1}, "x")

    def test_overrides_are_explained(self) -> None:
        """A test of the suite that a plugin overrides has a stated reason."""
        suite = next(base for base in type(self).__mro__ if base.__module__.startswith(__package__))
        names = {name for name in dir(suite) if name.startswith("test_")}
        changed = {n for n in names if getattr(type(self), n) is not getattr(suite, n)}
        unexplained = {name for name in changed if not self.overridden.get(name, "").strip()}
        assert not unexplained, f"overridden without a reason in `overridden`: {sorted(unexplained)}"
