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


class Explained:
    """
    A suite whose tests may be overridden only with a stated reason.

    Attributes:
        overridden: Test name -> why the component under test may differ from the suite.
    """

    overridden: ClassVar[Mapping[str, str]] = {}

    def __init_subclass__(cls, **extra: Any) -> None:
        """Refuse a class that overrides the very test that looks for reasons."""
        super().__init_subclass__(**extra)
        if "test_overrides_are_explained" in vars(cls) and not _is_suite(cls):
            raise TypeError(f"{cls.__name__} overrides test_overrides_are_explained, which no reason allows.")

    def test_overrides_are_explained(self) -> None:
        """A test of the suite that a plugin overrides has a stated reason, and every reason is for such a test."""
        order = type(self).__mro__
        names = {name for base in order if _is_suite(base) for name in vars(base) if name.startswith("test_")}
        changed = {n for n in names if not _is_suite(next(base for base in order if n in vars(base)))}
        unexplained = {name for name in changed if not self.overridden.get(name, "").strip()}
        assert not unexplained, f"overridden without a reason in `overridden`: {sorted(unexplained)}"
        idle = set(self.overridden) - changed
        assert not idle, f"`overridden` has reasons for tests that are not overridden: {sorted(idle)}"


def _is_suite(kind: type[Any]) -> bool:
    return kind.__module__.startswith(__package__)


class Contract(Explained):
    """
    What every component must do.

    Attributes:
        component: The class under test.
        options: Options to make it with, as plain data.
    """

    component: ClassVar[type[Any]]
    options: ClassVar[Mapping[str, Any]] = {}

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
