"""The JSON renderer: layout, canonical bytes, what JSON cannot hold."""

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recfw.errors import DataError
from recfw.model.document import Document, Report
from recfw.protocols import NoOptions
from recfw.report.render_json import JsonRenderer

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=10,
)


def render(figures: dict[str, Any], operational: dict[str, Any] | None = None) -> str:
    """Render figures."""
    return JsonRenderer(NoOptions()).render(Report(Document(), figures, operational or {}))


def test_the_layout() -> None:
    """Keys are sorted, the indent is two, what is not finite is null, and a minus zero is zero."""
    text = render({"b": (1, 0.1), "a": {"é": float("nan"), "z": -0.0}}, {"seconds": 2.0})
    assert text == "\n".join(
        [
            "{",
            '  "figures": {',
            '    "a": {',
            '      "z": 0.0,',
            '      "\\u00e9": null',
            "    },",
            '    "b": [',
            "      1,",
            "      0.1",
            "    ]",
            "  },",
            '  "operational": {',
            '    "seconds": 2.0',
            "  },",
            '  "schema": 1',
            "}",
            "",
        ]
    )


@settings(deadline=None)
@given(st.dictionaries(st.text(), VALUES, max_size=5))
def test_equal_figures_give_equal_bytes(figures: dict[str, Any]) -> None:
    """The order in which figures were entered does not show, and the text is ASCII that any parser takes."""
    turned = dict(reversed(list(figures.items())))
    text = render(figures)
    assert (text, text.isascii(), set(json.loads(text))) == (render(turned), True, {"figures", "operational", "schema"})


def test_numbers_of_numpy_are_numbers() -> None:
    """An analysis may leave numpy's scalars in its figures."""
    assert render({"a": np.float64(0.5), "n": np.int64(3)}) == render({"a": 0.5, "n": 3})


def test_numbers_as_keys_are_text() -> None:
    """A key that is a number is written as JSON must."""
    assert json.loads(render({"pass": {1: 0.5}}))["figures"] == {"pass": {"1": 0.5}}


@pytest.mark.parametrize(
    ("figures", "words"),
    [
        ({"a": [{"b": {1, 2}}]}, r"figures\.a\[0\]\.b is a set"),
        ({"a": {1: 0, "1": 1}}, "figures.a has two keys that read '1'"),
    ],
)
def test_what_json_cannot_hold_is_named(figures: dict[str, Any], words: str) -> None:
    """A set, which has no order, and keys that read alike are errors with the path to them."""
    with pytest.raises(DataError, match=words):
        render(figures)
