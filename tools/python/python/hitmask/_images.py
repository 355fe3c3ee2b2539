"""Images of other packages as arrays, by the names of their methods. Neither pygame nor PIL is imported."""

from __future__ import annotations

import os
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
    if hasattr(image, "overlap_area") and hasattr(image, "to_surface"):
        return mask_pixels(image)
    if isinstance(image, (bytes, bytearray)):
        help = "use Mask.from_alpha, Mask.from_rgba or Mask.from_bits; a file is read by Mask.open(path)"
        raise InvalidValueError(f"pixels are bytes without a width; {help}", help)
    if isinstance(image, os.PathLike):
        path = os.fspath(image)
        raise TypeError(f"pixels is the path {path!r}; write Mask.open({path!r})")
    array = np.asarray(image)
    if array.dtype == object:
        raise TypeError(
            f"pixels is {type(image).__name__}, which is no image; pass text of # and ., an array, a surface, a "
            "picture or a mask, or read a file by Mask.open(path)"
        )
    return array


def picture_pixels(picture: Any) -> Array:
    """Returns a picture of PIL. Grey without a clear value counts as alpha, another without alpha as opaque."""
    mode, clear = picture.mode, picture.info.get("transparency")
    if mode in ("1", "L", "I", "I;16") and isinstance(clear, int):
        return grey_pixels(picture, clear)
    if mode in ("1", "L"):
        return np.asarray(picture)
    if mode == "RGB" and isinstance(clear, tuple) and max(clear) > 255:
        help = "Pillow keeps 8 bits of 16, which is less than its file compares; use Mask.open(path)"
        raise InvalidValueError(f"pixels is a picture with the clear colour {clear}; {help}", help)
    if mode in ("La", "LAB"):
        help = 'La becomes RGBA by convert("LA"), and LAB by PIL.ImageCms'
        raise InvalidValueError(f"pixels is a picture of mode {mode}, which has no way to RGBA in one step; {help}", help)
    return np.asarray(picture.convert("RGBA"))


def grey_pixels(picture: Any, clear: int) -> Array:
    """Returns a grey picture with a clear value as RGBA."""
    # The value has the bits of the file. Pixels of 2 and 4 bits are widened, and only an unread picture tells.
    unread = getattr(picture, "tile", None)
    raw = unread[0][3] if unread else ""
    grey = np.asarray(picture)
    if picture.mode == "1":
        grey, clear = grey.astype(np.uint8) * 255, 255 if clear else 0
    elif raw in ("L;2", "L;4"):
        clear *= 85 if raw == "L;2" else 17
    elif picture.mode == "L" and not unread and 0 < clear < 16 and not (grey % 17).any():
        help = "give the picture to hitmask before Pillow reads it, or use Mask.open(path)"
        raise InvalidValueError(f"pixels is a picture whose clear value {clear} may be one of 2, 4 or 8 bits; {help}", help)
    shown = grey if grey.dtype == np.uint8 else grey >> 8
    return np.stack([shown, shown, shown, np.where(grey == clear, 0, 255)], axis=2).astype(np.uint8)


def mask_pixels(mask: Any) -> Array:
    """Returns a mask of pygame as (height, width) of bool."""
    width, height = mask.get_size()
    if width == 0 or height == 0:
        return np.zeros((height, width), np.bool_)
    is_set: Array = surface_bytes(mask.to_surface(setcolor=(255,) * 4, unsetcolor=(0,) * 4))[:, :, 0] != 0
    return is_set


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


def key_pixels(surface: Any) -> Array:
    """Returns where a surface has its colour key, as (height, width) of bool. Alpha is no part of a key."""
    if surface.get_bytesize() == 1:
        # A palette may have the colour twice, and only pygame's masks know which index is the key.
        from .pygame.mask import from_surface_of_pygame

        return ~mask_pixels(from_surface_of_pygame(surface))
    of_colors = np.uint32(~surface.get_masks()[3] & 0xFFFFFFFF)
    is_key: Array = (surface_values(surface) ^ np.uint32(surface.map_rgb(surface.get_colorkey()) & 0xFFFFFFFF)) & of_colors == 0
    return is_key


def surface_pixels(surface: Any) -> Array:
    """Returns a surface of pygame as RGBA. Its colour key is clear; one without alpha is opaque."""
    rgba = color_pixels(surface)
    if surface.get_colorkey() is not None:
        rgba[key_pixels(surface)] = 0
    return rgba


def color_pixels(surface: Any) -> Array:
    """Returns red, green, blue and alpha of a surface, whatever its colour key is."""
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
