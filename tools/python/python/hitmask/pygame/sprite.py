"""A drop-in for `pygame.sprite`: all its names, with collisions by hitmask.

`collide_mask`, `spritecollide`, `spritecollideany` and `groupcollide` have the signatures and the results of
pygame. With `collide_mask` they test the boxes of all sprites at once, and pixels only where boxes overlap.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pygame
import pygame.sprite as _pygame
from pygame.sprite import *  # noqa: F403
from pygame.sprite import AbstractGroup, Sprite  # noqa: F401

from .mask import Mask, from_surface

Collided = Callable[[Any, Any], Any]


def collide_mask(left: Any, right: Any) -> tuple[int, int] | None:  # type: ignore[no-redef]
    """Returns the first pixel that the masks of two sprites share, from the left one's corner, or None.

    The mask is the attribute `mask`, or made from `image`.
    """
    left_rect, right_rect = left.rect, right.rect
    offset = (right_rect[0] - left_rect[0], right_rect[1] - left_rect[1])
    left_mask, right_mask = _mask(left), _mask(right)
    return left_mask.overlap(right_mask, offset)


def _mask(sprite: Any) -> Mask:
    """Returns the mask of a sprite as one of hitmask."""
    mask = getattr(sprite, "mask", None)
    if isinstance(mask, Mask):
        return mask
    if mask is None:
        return from_surface(sprite.image)
    if not hasattr(mask, "overlap_area"):
        raise TypeError(f"mask is {mask!r}; pass a mask of hitmask, of hitmask.pygame.mask or of pygame.mask")
    return Mask(mask)


def spritecollide(sprite: Any, group: Any, dokill: Any, collided: Collided | None = None) -> list[Any]:  # type: ignore[no-redef]
    """Returns the sprites of a group that a sprite collides with, in the order of the group.

    `collided(sprite, other)` decides; without it the boxes `rect`. If dokill, these sprites are removed from
    all their groups.
    """
    if collided is not collide_mask:
        return _pygame.spritecollide(sprite, group, dokill, collided)
    found = _Obstacles(list(group)).touching(sprite)
    if dokill:
        for other in found:
            other.kill()
    return found


def groupcollide(  # type: ignore[no-redef]
    groupa: Any, groupb: Any, dokilla: Any, dokillb: Any, collided: Collided | None = None
) -> dict[Any, list[Any]]:
    """Returns the sprites of a group that collide with another group, each with the list of those.

    If dokilla or dokillb, the sprites that collide are removed from all their groups: those of groupa when the
    installed pygame does so. That is after each sprite up to pygame 2.6 and pygame-ce 2.5.5, then at the end.
    """
    if collided is not collide_mask:
        return _pygame.groupcollide(groupa, groupb, dokilla, dokillb, collided)
    found: dict[Any, list[Any]] = {}
    obstacles = _Obstacles(list(groupb))
    for sprite in list(groupa):
        # A sprite that is killed cannot be hit again.
        if (dokilla or dokillb) and obstacles.sprites != list(groupb):
            obstacles = _Obstacles(list(groupb))
        hits = obstacles.touching(sprite)
        if not hits:
            continue
        if dokillb:
            for other in hits:
                other.kill()
        found[sprite] = hits
        if dokilla and KILLS_EACH:
            sprite.kill()
    if dokilla and not KILLS_EACH:
        for sprite in found:
            sprite.kill()
    return found


class _Obstacles:
    """Sprites with the boxes of their masks."""

    def __init__(self, sprites: list[Any]) -> None:
        self.sprites = sprites
        self.masks = [_mask(sprite) for sprite in sprites]
        corners = np.array([(sprite.rect[0], sprite.rect[1]) for sprite in sprites], np.float64).reshape(-1, 2)
        sizes = np.array([mask.get_size() for mask in self.masks], np.float64).reshape(-1, 2)
        self.left, self.top = corners.T
        self.right, self.bottom = (corners + sizes).T

    def touching(self, sprite: Any) -> list[Any]:
        """Returns the sprites whose pixels a sprite shares: boxes first, then pixels."""
        if not self.sprites:
            return []
        mask, x, y = _mask(sprite), sprite.rect[0], sprite.rect[1]
        width, height = mask.get_size()
        # pygame cuts the difference of two places to whole pixels, so boxes may be apart by less than one.
        near = (self.left < x + width + 1) & (self.right > x - 1) & (self.top < y + height + 1) & (self.bottom > y - 1)
        hits = []
        for index in np.flatnonzero(near):
            other = self.sprites[index]
            if mask.overlap_area(self.masks[index], (other.rect[0] - x, other.rect[1] - y)):
                hits.append(other)
        return hits


def _kills_each() -> bool:
    """Tests whether the installed `groupcollide` removes a sprite of the first group before it tests the next one."""
    group: Any = _pygame.Group()
    for _ in range(2):
        sprite: Any = _pygame.Sprite(group)
        sprite.rect = pygame.Rect(0, 0, 1, 1)
    return any(len(hits) == 1 for hits in _pygame.groupcollide(group, group, True, False).values())


KILLS_EACH = _kills_each()
