"""A drop-in for `pygame.sprite`: all its names, with collisions by hitmask.

`collide_mask`, `spritecollide`, `spritecollideany` and `groupcollide` have the signatures and the results of
pygame. With `collide_mask` they test the boxes of all sprites at once, and pixels only where boxes overlap.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import pygame
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
    if type(mask) is Mask:
        return mask
    if mask is None:
        return from_surface(sprite.image)
    if isinstance(mask, Mask):
        return mask
    if isinstance(mask, pygame.mask.Mask):
        return from_surface(mask.to_surface(unsetcolor=(0, 0, 0, 0)))
    raise TypeError(f"mask is {type(mask).__name__}; pass a mask of hitmask.pygame.mask or of pygame.mask")


def spritecollide(sprite: Any, group: Any, dokill: Any, collided: Collided | None = None) -> list[Any]:  # type: ignore[no-redef]
    """Returns the sprites of a group that a sprite collides with, in the order of the group.

    `collided(sprite, other)` decides; without it the boxes `rect`. If dokill, these sprites are removed from
    all their groups.
    """
    if collided is collide_mask:
        found = _touching(sprite, list(group))
    elif collided is not None:
        found = [other for other in group if collided(sprite, other)]
    else:
        overlaps = sprite.rect.colliderect
        found = [other for other in group if overlaps(other.rect)]
    if dokill:
        for other in found:
            other.kill()
    return found


def spritecollideany(sprite: Any, group: Any, collided: Collided | None = None) -> Any:  # type: ignore[no-redef]
    """Returns the first sprite of a group that a sprite collides with, or None."""
    if collided is None:
        overlaps = sprite.rect.colliderect
        return next((other for other in group if overlaps(other.rect)), None)
    return next((other for other in group if collided(sprite, other)), None)


def groupcollide(  # type: ignore[no-redef]
    groupa: Any, groupb: Any, dokilla: Any, dokillb: Any, collided: Collided | None = None
) -> dict[Any, list[Any]]:
    """Returns the sprites of a group that collide with another group, each with the list of those.

    If dokilla or dokillb, the sprites that collide are removed from all their groups.
    """
    if collided is not collide_mask or dokillb:
        # A sprite that is killed cannot be hit again.
        found = {}
        for sprite in groupa:
            hits = spritecollide(sprite, groupb, dokillb, collided)
            if hits:
                found[sprite] = hits
    else:
        found = _all_touching(list(groupa), list(groupb))
    if dokilla:
        for sprite in found:
            sprite.kill()
    return found


def _boxes(sprites: Iterable[Any], masks: list[Mask]) -> Any:
    """Returns the boxes of masks, at the corners of their sprites, as (n, 4) of x0, y0, x1, y1."""
    boxes = [
        (rect[0], rect[1], rect[0] + size[0], rect[1] + size[1])
        for rect, size in ((sprite.rect, mask.get_size()) for sprite, mask in zip(sprites, masks))
    ]
    return np.array(boxes, np.int64).reshape(-1, 4)


def _touching(sprite: Any, others: list[Any]) -> list[Any]:
    """Returns the sprites of a list whose pixels a sprite shares."""
    return _all_touching([sprite], others).get(sprite, [])


def _all_touching(left: list[Any], right: list[Any]) -> dict[Any, list[Any]]:
    """Returns the sprites of a list that share pixels with those of another one: boxes first, then pixels."""
    found: dict[Any, list[Any]] = {}
    if not left or not right:
        return found
    left_masks = [_mask(sprite) for sprite in left]
    right_masks = [_mask(sprite) for sprite in right]
    boxes = _boxes(right, right_masks)
    for sprite, mask, box in zip(left, left_masks, _boxes(left, left_masks)):
        near = (boxes[:, 0] < box[2]) & (boxes[:, 2] > box[0]) & (boxes[:, 1] < box[3]) & (boxes[:, 3] > box[1])
        x, y = sprite.rect[0], sprite.rect[1]
        hits = []
        for index in np.flatnonzero(near):
            other = right[index]
            if mask.overlap_area(right_masks[index], (other.rect[0] - x, other.rect[1] - y)):
                hits.append(other)
        if hits:
            found[sprite] = hits
    return found
