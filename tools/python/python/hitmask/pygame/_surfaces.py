"""`Mask.to_surface`: set and clear bits drawn onto a surface of any format."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
import pygame

from .._hitmask import PygameMask
from .._images import surface_bytes

_DEFAULT_SET = (255, 255, 255, 255)
_DEFAULT_CLEAR = (0, 0, 0, 255)


def to_surface(
    mask: PygameMask,
    surface: pygame.Surface | None = None,
    setsurface: Any = None,
    unsetsurface: Any = None,
    setcolor: Any = _DEFAULT_SET,
    unsetcolor: Any = _DEFAULT_CLEAR,
    dest: Any = (0, 0),
    area: Any = None,
) -> pygame.Surface:
    """Draws a mask onto a surface, or a new one: see pygame.mask.Mask.to_surface."""
    left, top = _corner(dest)
    x0, y0, width, height = _area(mask, area)
    if surface is not None and not isinstance(surface, pygame.Surface):
        raise TypeError("invalid surface argument")
    drawn = surface if surface is not None else pygame.Surface((width, height), pygame.SRCALPHA, 32)
    setsurface = _source(drawn, setsurface, "setsurface")
    unsetsurface = _source(drawn, unsetsurface, "unsetsurface")
    set_value = None if setcolor is None else mapped(drawn, setcolor)
    clear_value = None if unsetcolor is None else mapped(drawn, unsetcolor)

    # The window that is drawn, in pixels of the area and of the surface.
    first_x, first_y = max(0, -left), max(0, -top)
    last_x, last_y = min(width, drawn.get_width() - left), min(height, drawn.get_height() - top)
    if first_x >= last_x or first_y >= last_y:
        return drawn
    unpacked = np.unpackbits(mask._to_bits(), axis=1).view(np.bool_)
    bits = unpacked[y0 + first_y : y0 + last_y, x0 + first_x : x0 + last_x]
    target = _pixels(drawn)[top + first_y : top + last_y, left + first_x : left + last_x]
    window = (first_x, first_y, x0, y0)
    _draw(target, bits, set_value, setsurface, window)
    _draw(target, ~bits, clear_value, unsetsurface, window)
    return drawn


def _pixels(surface: pygame.Surface) -> Any:
    """Returns the memory of a surface as (height, width) of numbers, or of 3 bytes."""
    memory, size = surface_bytes(surface), surface.get_bytesize()
    return memory if size == 3 else memory.view(f"u{size}")[:, :, 0]


def _draw(target: Any, bits: Any, value: int | None, source: Any, window: tuple[int, int, int, int]) -> None:
    """Draws where bits are set: pixels of a surface where it has some, and a colour elsewhere."""
    if source is not None:
        first_x, first_y, x0, y0 = window
        pixels = _pixels(source)
        # pygame limits the source by the position in the area, and reads it by that in the mask.
        columns = min(bits.shape[1], pixels.shape[1] - x0 - first_x)
        rows = min(bits.shape[0], pixels.shape[0] - y0 - first_y)
        if columns > 0 and rows > 0:
            taken = pixels[y0 + first_y : y0 + first_y + rows, x0 + first_x : x0 + first_x + columns]
            _copy(target[:rows, :columns], taken, bits[:rows, :columns])
            bits = bits.copy()
            bits[:rows, :columns] = False
    if value is not None:
        if target.ndim == 3:
            _copy(target, np.array([value & 255, value >> 8 & 255, value >> 16 & 255], np.uint8), bits)
        else:
            _copy(target, target.dtype.type(value & (1 << 8 * target.dtype.itemsize) - 1), bits)


def _copy(target: Any, values: Any, bits: Any) -> None:
    """Copies pixels where bits are set."""
    np.copyto(target, values, where=bits if target.ndim == 2 else bits[:, :, None])


def mapped(surface: pygame.Surface, color: Any) -> int:
    """Returns the pixel value of a colour: a whole number is one already."""
    if isinstance(color, int):
        return color & 0xFFFFFFFF
    if isinstance(color, str):
        color = pygame.Color(color)
    elif not hasattr(color, "__getitem__"):
        raise TypeError(f"unable to interpret object of type {type(color).__name__!r} as a color")
    return surface.map_rgb(color) & 0xFFFFFFFF


def _source(surface: pygame.Surface, source: Any, argument: str) -> pygame.Surface | None:
    """Returns a surface to take pixels from, or None without pixels."""
    if source is None:
        return None
    if not isinstance(source, pygame.Surface):
        raise TypeError(f"invalid {argument} argument")
    formats = [(one.get_bytesize(), one.get_bitsize(), one.get_masks()) for one in (surface, source)]
    if formats[0] != formats[1]:
        raise ValueError(f"{argument} needs to have same bytesize/bitsize/alpha format as surface")
    return source if source.get_width() > 0 and source.get_height() > 0 else None


def _corner(dest: Any) -> tuple[int, int]:
    """Returns a position: two numbers, or the corner of a rectangle."""
    if isinstance(dest, tuple) and len(dest) == 1:
        return _corner(dest[0])
    try:
        if len(dest) == 2 and not isinstance(dest, dict):
            return _cut(dest[0]), _cut(dest[1])
    except TypeError:
        pass
    try:
        rect = pygame.Rect(dest)
    except TypeError:
        raise TypeError("invalid dest argument") from None
    return rect.x, rect.y


def _cut(number: Any) -> int:
    """Returns a number without its fraction."""
    return int(number) if isinstance(number, float) else operator.index(number)


def _area(mask: PygameMask, area: Any) -> tuple[int, int, int, int]:
    """Returns the part of a mask that is drawn as x, y, width, height."""
    width, height = mask.get_size()
    if area is None:
        return 0, 0, width, height
    try:
        rect = pygame.Rect(area)
    except TypeError:
        raise TypeError("invalid rectstyle argument") from None
    rect.normalize()
    x, y, w, h = rect
    if x < 0:
        x, w = 0, w + x
    if y < 0:
        y, h = 0, h + y
    return x, y, max(min(w, width - x), 0), max(min(h, height - y), 0)
