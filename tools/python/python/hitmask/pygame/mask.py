"""A drop-in for `pygame.mask`: its functions and its class, with the same results and exceptions."""

from __future__ import annotations

import pygame

from .._hitmask import PygameMask as Mask
from .._hitmask import from_surface, from_threshold

__all__ = ["Mask", "MaskType", "from_surface", "from_threshold"]

MaskType = Mask

# pygame's own, whatever a program puts in the place of its module later.
MaskOfPygame, from_surface_of_pygame = pygame.mask.Mask, pygame.mask.from_surface
