"""Pictures and arrays as they come over the socket, decoded here and checked."""

import io
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from recfw.errors import InfrastructureError

Bytes = NDArray[np.uint8]


def decode_png(body: Any, what: str, size: tuple[int, int]) -> Bytes:
    """
    Return a PNG as (height, width, 3) RGB bytes; an alpha channel is dropped.

    Args:
        body: The answer.
        what: Its name in errors, such as ``mask``.
        size: The width and height that were asked for.

    Raises:
        InfrastructureError: It is an error message, no PNG, broken, or of another size.
    """
    data = _binary(body, what)
    try:
        with Image.open(io.BytesIO(data), formats=["PNG"]) as image:
            pixels = np.asarray(image if image.mode in {"RGB", "RGBA"} else image.convert("RGB"))
    except (OSError, SyntaxError, ValueError) as error:
        raise _broken(what, f"is no readable PNG ({error})") from error
    _check_size(pixels.shape, what, size)
    return pixels[:, :, :3]


def decode_depth(body: Any, size: tuple[int, int]) -> NDArray[np.float32]:
    """
    Return a depth image in NPY as (height, width) float32, in the server's unit; not a number becomes infinite.

    Raises:
        InfrastructureError: It is an error message, no NPY of numbers, truncated, or of another size.
    """
    data = _binary(body, "depth")
    try:
        read = np.load(io.BytesIO(data), allow_pickle=False)
        depth = np.asarray(read, dtype=np.float32)
    except (ValueError, OSError, EOFError, TypeError, SyntaxError) as error:
        raise _broken("depth", f"is no readable NPY ({error})") from error
    if depth.ndim == 3 and depth.shape[2] == 1:
        depth = depth[:, :, 0]
    _check_size(depth.shape, "depth", size)
    return np.where(np.isfinite(depth), depth, np.float32(np.inf))


def _binary(body: Any, what: str) -> bytes:
    if isinstance(body, bytes):
        return body
    said = " ".join(str(body).split())[:120]
    raise _broken(what, f"did not come: the server answered '{said}'")


def _check_size(shape: tuple[int, ...], what: str, size: tuple[int, int]) -> None:
    if shape[:2] != (size[1], size[0]):
        got = "x".join(map(str, reversed(shape[:2])))
        raise _broken(what, f"is {got} pixels where {size[0]}x{size[1]} were asked for")


def _broken(what: str, trouble: str) -> InfrastructureError:
    return InfrastructureError(f"The store's {what} picture {trouble}.", "The trial is tried again.", kind="picture")
