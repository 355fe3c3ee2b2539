"""What pygame lacks: sprites that turn and scale without a new mask, and a group that finds all pairs at once."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pygame

from .. import Atlas, World


class TurningSprite(pygame.sprite.Sprite):
    """A sprite of an atlas at a position, an angle and a scale, for a `WorldGroup`.

    `shape` is the name of its sprite in the atlas. `position` is that of the pivot in pixels; `angle` is in
    degrees, counterclockwise, as of `pygame.transform.rotate`; `frame` is the number of the frame. Assign to
    them freely: the group reads them when it collides. `options` are the keyword arguments of
    `hitmask.World.insert`, such as layers and collides_with.
    """

    def __init__(
        self,
        shape: str,
        *groups: Any,
        position: tuple[float, float] = (0.0, 0.0),
        angle: float = 0.0,
        scale: float = 1.0,
        frame: int = 0,
        **options: Any,
    ) -> None:
        self.shape, self.position, self.angle, self.scale, self.frame = shape, position, angle, scale, frame
        self.options = options
        super().__init__(*groups)

    def _world_group(self) -> WorldGroup:
        for group in self.groups():
            if isinstance(group, WorldGroup):
                return group
        raise RuntimeError(f"the sprite {self.shape!r} is in no WorldGroup; add it to one first")

    @property  # type: ignore[misc]
    def image(self) -> pygame.Surface:
        """The picture at this angle and scale. The group keeps one for each baked pose."""
        return self._world_group()._picture(self)

    @property  # type: ignore[misc]
    def rect(self) -> pygame.Rect:
        """The box of the picture, whose centre is at the position."""
        return self.image.get_rect(center=(round(self.position[0]), round(self.position[1])))


class WorldGroup(pygame.sprite.Group):  # type: ignore[type-arg]
    """A group of `TurningSprite` that keeps a `hitmask.World` and finds all pairs at once, exact to the pixel.

    `images` are the surfaces by name, or lists of them as frames, from which `draw` makes the pictures.
    Without them the group cannot draw.
    """

    def __init__(self, atlas: Atlas, *sprites: Any, images: Any = None, **options: Any) -> None:
        self.world = World(atlas, **options)
        self.images = dict(images or {})
        self._ids: dict[Any, int] = {}
        self._sprites: dict[int, Any] = {}
        self._frames: dict[Any, int] = {}
        # Ids of removed sprites, and those that the last pairs may name.
        self._removed: list[int] = []
        self._ended: list[int] = []
        self._pictures: dict[tuple[str, int, int, int], pygame.Surface] = {}
        super().__init__(*sprites)

    def add_internal(self, sprite: Any, layer: Any = None) -> None:
        if sprite not in self._ids:
            angle = math.radians(-sprite.angle)
            options = {"angle": angle, "scale": sprite.scale, "frame": sprite.frame, **sprite.options}
            number = self.world.insert(sprite.shape, sprite.position, **options)
            self._ids[sprite], self._sprites[number], self._frames[sprite] = number, sprite, sprite.frame
        super().add_internal(sprite, layer)

    def remove_internal(self, sprite: Any) -> None:
        number = self._ids.pop(sprite, None)
        if number is not None:
            self.world.remove(number)
            self._removed.append(number)
            del self._frames[sprite]
        super().remove_internal(sprite)

    def id_of(self, sprite: Any) -> int:
        """Returns the id of a sprite in `world`."""
        return self._ids[sprite]

    def synchronize(self) -> None:
        """Places all sprites in the world. `collide` does so."""
        sprites = list(self._ids)
        if not sprites:
            return
        for sprite in sprites:
            if self._frames[sprite] != sprite.frame:
                self.world.set(self._ids[sprite], frame=sprite.frame)
                self._frames[sprite] = sprite.frame
        xy = np.array([(sprite.position[0], sprite.position[1]) for sprite in sprites], np.float32)
        angle = np.radians(np.array([-sprite.angle for sprite in sprites], np.float32))
        scale = np.array([sprite.scale for sprite in sprites], np.float32)
        self.world.set_placements(np.array(list(self._ids.values()), np.uint64), xy, angle, scale)

    def collide(self) -> list[tuple[Any, Any]]:
        """Places all sprites and returns the pairs that touch. Call it once per frame, after the moves."""
        self.synchronize()
        self.world.update()
        for number in self._ended:
            del self._sprites[number]
        self._ended, self._removed = self._removed, []
        return self._of(self.world.touching())

    def began(self) -> list[tuple[Any, Any]]:
        """Returns the pairs that touched at the last `collide` but not before."""
        return self._of(self.world.began())

    def ended(self) -> list[tuple[Any, Any]]:
        """Returns the pairs that ceased to touch. Sprites that were removed are among them."""
        return self._of(self.world.ended())

    def collide_with(self, sprite: Any) -> list[Any]:
        """Returns the sprites that touch one of the group, as they were placed last."""
        return [self._sprites[number] for number in self.world.touching_with(self._ids[sprite])]

    def at(self, position: tuple[float, float], radius: float = 0.0) -> Any:
        """Returns the sprite with a pixel at a position in pixels, or at most radius pixels away, or None."""
        number = self.world.pick(position, radius)
        return None if number is None else self._sprites[number]

    def _of(self, pairs: Any) -> list[tuple[Any, Any]]:
        find = self._sprites
        return [(find[a], find[b]) for a, b in pairs.tolist()]

    def _picture(self, sprite: Any) -> pygame.Surface:
        baked = self.world.atlas[sprite.shape]
        step, size = baked.nearest(math.radians(-sprite.angle), sprite.scale) or (0, 0)
        key = (sprite.shape, sprite.frame, step, size)
        picture = self._pictures.get(key)
        if picture is None:
            frames = self.images.get(sprite.shape)
            if frames is None:
                raise RuntimeError(f"the group has no image of {sprite.shape!r}; pass images={{name: surface}}")
            image = frames if isinstance(frames, pygame.Surface) else frames[sprite.frame]
            scale = baked.scales[size]
            if scale != 1.0:
                width, height = image.get_size()
                image = pygame.transform.scale(image, (max(1, round(width * scale)), max(1, round(height * scale))))
            picture = self._pictures[key] = pygame.transform.rotate(image, -360.0 * step / baked.angles)
        return picture
