"""A drop-in for `pygame.sprite`: all its names, with collisions by hitmask.

`collide_mask`, `spritecollide`, `spritecollideany` and `groupcollide` have the signatures and the results of
pygame. With `collide_mask` they test boxes first, and pixels only where boxes overlap.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pygame
import pygame.sprite as _pygame
from pygame.sprite import *  # noqa: F403
from pygame.sprite import AbstractGroup, Sprite  # noqa: F401

from .. import _hitmask
from .._hitmask import collide_mask, spritecollide, spritecollideany  # noqa: F401

Collided = Callable[[Any, Any], Any]


def groupcollide(  # type: ignore[no-redef]
    groupa: Any, groupb: Any, dokilla: Any, dokillb: Any, collided: Collided | None = None
) -> dict[Any, list[Any]]:
    """Returns the sprites of a group that collide with another group, each with the list of those.

    If dokilla or dokillb, the sprites that collide are removed from all their groups: those of groupa when the
    installed pygame does so. That is after each sprite up to pygame 2.6 and pygame-ce 2.5.5, then at the end.
    """
    return _hitmask.groupcollide([groupa, groupb], [bool(dokilla), bool(dokillb)], collided, KILLS_EACH)


def _kills_each() -> bool:
    """Tests whether the installed `groupcollide` removes a sprite of the first group before it tests the next one."""
    group: Any = _pygame.Group()
    for _ in range(2):
        sprite: Any = _pygame.Sprite(group)
        sprite.rect = pygame.Rect(0, 0, 1, 1)
    return any(len(hits) == 1 for hits in _pygame.groupcollide(group, group, True, False).values())


KILLS_EACH = _kills_each()


def _rect_of_sprite() -> Any:
    """Returns the property of pygame-ce that returns a private attribute as it is, or None for sprites without one."""
    sprite: Any = _pygame.Sprite()
    sprite.rect = pygame.Rect(0, 0, 1, 1)
    return _pygame.Sprite.__dict__.get("rect") if getattr(sprite, "_Sprite__rect", None) is sprite.rect else None


RECT_OF_SPRITE = _rect_of_sprite()
