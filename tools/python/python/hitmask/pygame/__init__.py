"""Masks and sprites for pygame.

`mask` and `sprite` are drop-ins: `from hitmask.pygame import mask, sprite` in place of `from pygame import ...`.
`bake` makes an atlas of surfaces, for a `hitmask.World` or for `groups`: sprites that turn and scale without a
new mask, in a group that finds all pairs at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .. import Atlas, Bake
from . import mask, sprite
from .groups import TurningSprite, WorldGroup

__all__ = ["TurningSprite", "WorldGroup", "bake", "mask", "sprite"]


def bake(images: Mapping[str, Any], **settings: Any) -> Atlas:
    """Bakes surfaces, or lists of surfaces as frames, by name. Settings are those of `hitmask.Bake`."""
    if not isinstance(images, Mapping):
        raise TypeError(f'images is {type(images).__name__}; pass {{"name": surface}}, or a list of surfaces as frames')
    making = Bake(**settings)
    for name, frames in images.items():
        making.add_frames(name, frames)
    return making.atlas()
