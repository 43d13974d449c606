"""Sizes and ages in words: as they are typed, and as they are shown."""

import re
from math import isnan
from typing import Any

import click

_UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}
_SPANS = {"h": 3600, "d": 86_400, "w": 7 * 86_400, "y": 365 * 86_400}


def size_words(size: int) -> str:
    """Return bytes as people read them: ``17 B``, ``4.2 kB``, ``1.3 GB``."""
    if size < 1000:
        return f"{size} B"
    for unit in ("kB", "MB", "GB"):
        size_in = size / _UNITS[unit[0].lower()]
        if size_in < 999.5:
            return f"{size_in:.3g} {unit}"
    return f"{size / 10**12:.3g} TB"


class Amount(click.FloatRange):
    """A number within bounds, and never ``nan``, which would be a limit that nothing reaches."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the number."""
        found = float(super().convert(value, param, ctx))
        return self.fail(f"{value} is no number.", param, ctx) if isnan(found) else found


def read_size(ctx: click.Context, param: click.Parameter, value: str | None) -> int | None:
    """Return bytes of a size that was typed as ``500MB``, ``20 GB`` or a plain number: an option's callback."""
    if value is None:
        return None
    found = re.fullmatch(r"(\d+(?:\.\d+)?) *([kmgt]?)i?b?", value.strip().lower())
    if found is None:
        raise click.BadParameter(f"'{value}' is no size; write 500MB or 20GB.", ctx, param)
    return int(float(found[1]) * _UNITS[found[2]])


def read_age(ctx: click.Context, param: click.Parameter, value: str | None) -> float | None:
    """Return seconds of an age that was typed as ``12h``, ``30d``, ``8w`` or ``1y``: an option's callback."""
    if value is None:
        return None
    found = re.fullmatch(r"(\d+(?:\.\d+)?) *([hdwy])", value.strip().lower())
    if found is None:
        raise click.BadParameter(f"'{value}' is no age; write 12h, 30d, 8w or 1y.", ctx, param)
    return float(found[1]) * _SPANS[found[2]]
