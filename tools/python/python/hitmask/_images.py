"""Images of other packages as arrays, by the names of their methods. Neither pygame nor PIL is imported."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._errors import InvalidValueError

Array = np.ndarray[Any, np.dtype[Any]]


def pixels(image: Any) -> Array:
    """Returns an image as (height, width) of bool or alpha, or (height, width, 4) of RGBA."""
    if hasattr(image, "get_masks") and hasattr(image, "get_buffer"):
        return surface_pixels(image)
    if hasattr(image, "getbands") and hasattr(image, "convert"):
        return picture_pixels(image)
    if isinstance(image, (bytes, bytearray)):
        raise InvalidValueError(
            "pixels are bytes without a width; use Mask.from_alpha, Mask.from_rgba or Mask.from_bits",
            "use Mask.from_alpha, Mask.from_rgba or Mask.from_bits",
        )
    array = np.asarray(image)
    if array.dtype == object:
        raise TypeError(
            f"pixels is {type(image).__name__}, which is no image; pass text of # and ., an array, a surface or a picture"
        )
    return array


def picture_pixels(picture: Any) -> Array:
    """Returns a picture of PIL. One of mode L counts as alpha, one without alpha as opaque."""
    if picture.mode in ("1", "L"):
        return np.asarray(picture)
    return np.asarray(picture.convert("RGBA"))


def surface_bytes(surface: Any) -> Array:
    """Returns the memory of a surface as (height, width, bytes per pixel). The surface is locked while it lives."""
    size, width, height = surface.get_bytesize(), surface.get_width(), surface.get_height()
    if width == 0 or height == 0:
        return np.zeros((height, width, size), np.uint8)
    return np.ndarray((height, width, size), np.uint8, surface.get_buffer(), 0, (surface.get_pitch(), size, 1))


def surface_values(surface: Any) -> Array:
    """Returns the pixel values of a surface as (height, width) of uint32."""
    parts = surface_bytes(surface).astype(np.uint32)
    values = parts[:, :, 0].copy()
    for index in range(1, parts.shape[2]):
        values |= parts[:, :, index] << np.uint32(8 * index)
    return values


def channel(surface: Any, values: Array, index: int) -> Array:
    """Returns red, green, blue or alpha (0 to 3) of pixel values, widened to 8 bits as SDL does."""
    mask, shift = surface.get_masks()[index] & 0xFFFFFFFF, surface.get_shifts()[index]
    if mask == 0:
        return np.full(values.shape, 255, np.uint8)
    most = mask >> shift
    part = (values & np.uint32(mask)) >> np.uint32(shift)
    if most == 255:
        return part.astype(np.uint8)
    table: Array = np.array([value * 255 // most for value in range(most + 1)], np.uint8)
    widened: Array = table[part]
    return widened


def surface_pixels(surface: Any) -> Array:
    """Returns a surface of pygame. Its colour key is clear; one without alpha is opaque."""
    key = surface.get_colorkey()
    if key is not None:
        is_drawn: Array = surface_values(surface) != np.uint32(surface.map_rgb(key) & 0xFFFFFFFF)
        return is_drawn
    if surface.get_bytesize() == 1:
        palette = np.array([(*tuple(color)[:3], 255) for color in surface.get_palette()], np.uint8)
        shown: Array = palette[surface_values(surface)]
        return shown
    shifts = surface.get_shifts()
    if surface.get_bytesize() == 4 and surface.get_masks()[3]:
        # Red, green, blue and alpha are whole bytes, in an order of the machine.
        if all(shift % 8 == 0 for shift in shifts):
            rgba: Array = surface_bytes(surface)[:, :, [shift // 8 for shift in shifts]]
            return rgba
    values = surface_values(surface)
    return np.stack([channel(surface, values, index) for index in range(4)], axis=2)


def column(values: Any, dtype: Any, argument: str) -> Array:
    """Returns numbers as an array of a type. Whole numbers stay exact: floats are no ids."""
    array = np.asarray(values)
    dtype = np.dtype(dtype)
    if array.size == 0:
        return np.asarray(array, dtype)
    if array.dtype.kind not in ("iu" if dtype.kind in "iu" else "iuf"):
        raise TypeError(f"{argument} holds {array.dtype}; pass an array of {dtype}")
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        if int(array.min()) < limits.min or int(array.max()) > limits.max:
            raise InvalidValueError(f"{argument} has a number beyond {dtype}; pass an array of {dtype}")
    return np.require(array, dtype, ["C_CONTIGUOUS", "ALIGNED"])
