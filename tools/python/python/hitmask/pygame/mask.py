"""A drop-in for `pygame.mask`: its functions and its class, with the same results and exceptions."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
import pygame

from .._hitmask import PygameMask as Mask
from .._images import channel, key_pixels, surface_bytes, surface_values
from ._surfaces import mapped

__all__ = ["Mask", "MaskType", "from_surface", "from_threshold"]

MaskType = Mask

# pygame's own, whatever a program puts in the place of its module later.
MaskOfPygame, from_surface_of_pygame = pygame.mask.Mask, pygame.mask.from_surface


def from_surface(surface: pygame.Surface, threshold: int = 127) -> Mask:
    """Returns a mask of the pixels whose alpha is above a threshold, or that differ from the colour key."""
    _need_surface(surface, "surface")
    threshold = operator.index(threshold)
    width, height = surface.get_size()
    if width == 0 or height == 0:
        return Mask((width, height))
    if surface.get_colorkey() is not None:
        if surface.get_bytesize() == 1:
            return _of(~key_pixels(surface))
        return _of(surface_values(surface) != _key(surface))
    if threshold >= 255:
        return Mask((width, height))
    if threshold < 0 or not surface.get_masks()[3]:
        return Mask((width, height), True)
    shift = surface.get_shifts()[3]
    if surface.get_bytesize() == 4 and shift % 8 == 0:
        return _of(surface_bytes(surface)[:, :, shift // 8] > threshold)
    return _of(channel(surface, surface_values(surface), 3) > threshold)


def from_threshold(
    surface: pygame.Surface,
    color: Any,
    threshold: Any = (0, 0, 0, 255),
    othersurface: pygame.Surface | None = None,
    palette_colors: int = 1,
) -> Mask:
    """Returns a mask of the pixels whose colour is nearer than a threshold to `color`, or to another surface."""
    _need_surface(surface, "surface")
    if othersurface is not None:
        _need_surface(othersurface, "othersurface")
    palette_colors = operator.index(palette_colors)
    wanted = surface.unmap_rgb(mapped(surface, color))
    limits = surface.unmap_rgb(mapped(surface, threshold))
    width, height = surface.get_size()
    values = surface_values(surface)
    if othersurface is None:
        within = np.ones((height, width), np.bool_)
        for index in range(3):
            part = _part(surface, surface, values, index)
            within &= np.abs(part - np.int64(wanted[index])) < limits[index]
        return _of(within)
    others = surface_values(othersurface)
    if others.shape[0] < height or others.shape[1] < width:
        raise ValueError(
            f"othersurface is {others.shape[1]} x {others.shape[0]} and surface {width} x {height} pixels; "
            "pass one that is at least as large"
        )
    others = others[:height, :width]
    if surface.get_bytesize() == 1 and othersurface.get_bytesize() == 1 and not palette_colors:
        near = np.abs(others.astype(np.int64) - values.astype(np.int64)) < limits[0]
        return _of(near)
    within = np.ones((height, width), np.bool_)
    for index in range(3):
        difference = _part(othersurface, surface, others, index) - _part(surface, surface, values, index)
        within &= np.abs(difference) < limits[index]
    return _of(within)


def _of(pixels: Any) -> Mask:
    """Returns the mask of an array (height, width) of bool."""
    height, width = pixels.shape
    return Mask._from_bits(width, height, np.packbits(pixels, axis=1))


def to_pygame(bits: bytes, size: tuple[int, int]) -> pygame.mask.Mask:
    """Returns a mask of pygame of packed bits, as of `numpy.packbits(axis=1)`."""
    width, height = size
    if width == 0 or height == 0:
        return MaskOfPygame(size)
    pixels = np.unpackbits(np.frombuffer(bits, np.uint8).reshape(height, -1), axis=1, count=width)
    alpha = np.zeros((height, width, 4), np.uint8)
    alpha[:, :, 3] = pixels * 255
    return from_surface_of_pygame(pygame.image.frombuffer(alpha.tobytes(), size, "RGBA"))


def _part(surface: pygame.Surface, losses: pygame.Surface, values: Any, index: int) -> Any:
    """Returns red, green or blue of pixel values, moved to the upper bits as pygame moves it."""
    mask, shift, loss = surface.get_masks()[index] & 0xFFFFFFFF, surface.get_shifts()[index], losses.get_losses()[index]
    return ((values.astype(np.int64) & mask) >> shift) << loss


def _need_surface(surface: Any, argument: str) -> None:
    if not isinstance(surface, pygame.Surface):
        raise TypeError(f"{argument} must be a pygame.Surface, and is {type(surface).__name__}")


def _key(surface: pygame.Surface) -> Any:
    """Returns the pixel value of the colour key."""
    return np.uint32(mapped(surface, surface.get_colorkey()))
