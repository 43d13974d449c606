"""Pictures as bytes: PNG, BMP and NPY."""

import io
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from recfw_situated.simulator.dispatch import CommandError


def encoded(pixels: NDArray[np.uint8], form: str) -> bytes:
    """Write RGBA pixels (H, W, 4) as `png`, `bmp` (without alpha) or `npy`."""
    kind = form.rsplit(".", 1)[-1].lower()
    if kind == "npy":
        return npy(pixels)
    out = io.BytesIO()
    if kind == "png":
        Image.fromarray(pixels).save(out, "PNG", compress_level=1)
    elif kind == "bmp":
        Image.fromarray(np.ascontiguousarray(pixels[:, :, :3])).save(out, "BMP")
    else:
        raise CommandError("Argument Invalid")
    return out.getvalue()


def npy(array: NDArray[Any]) -> bytes:
    """Write an array in NumPy's format."""
    out = io.BytesIO()
    np.save(out, array, allow_pickle=False)
    return out.getvalue()
