"""What pygame lacks: sprites that turn and scale without a new mask, and a group that finds all pairs at once."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pygame

from .. import Atlas, UnknownIdError, World
from .._hitmask import surface_rgba


class TurningSprite(pygame.sprite.Sprite):
    """A sprite of an atlas at a position, an angle and a scale, for a `WorldGroup`.

    `shape` is the name of its sprite in the atlas. `position` is that of the pivot in pixels; `angle` is in
    degrees, counterclockwise, as of `pygame.transform.rotate`; `frame` is the number of the frame. Assign to
    them freely: the group reads them when it collides. `options` are the keyword arguments of
    `hitmask.World.insert`, such as layers, collides_with and flip_x. The group reads them when the sprite is added.
    """

    def __init__(
        self,
        shape: str,
        *groups: Any,
        position: Sequence[float] | pygame.Vector2 = (0.0, 0.0),
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
        """The picture at this angle and scale, its pixels those of the mask. The group keeps one for each baked pose."""
        return self._world_group()._picture(self)[0]

    @property  # type: ignore[misc]
    def rect(self) -> pygame.Rect:
        """The box of the picture. Positions are rounded to whole pixels as those of masks are, halves upwards."""
        picture, (x, y) = self._world_group()._picture(self)
        # The world holds positions in 32 bits.
        left, top = (math.floor(float(np.float32(place)) + 0.5) for place in self.position)
        return picture.get_rect(topleft=(left + x, top + y))

    def _radians(self) -> float:
        """Returns the angle as the world turns: one rounding for the mask and the picture."""
        return math.radians(-self.angle)


class WorldGroup(pygame.sprite.Group):  # type: ignore[type-arg]
    """A group of `TurningSprite` that keeps a `hitmask.World` and finds all pairs at once, exact to the pixel.

    `images` are the surfaces by name, or lists of them as frames, from which `draw` makes the pictures: each pixel is
    the texel that its bit of the mask comes from, for images of which the atlas was baked. Without them the group
    cannot draw. `options` are those of `hitmask.World`.
    """

    def __init__(self, atlas: Atlas, *sprites: Any, images: Any = None, **options: Any) -> None:
        if images is not None and not isinstance(images, Mapping):
            raise TypeError(f'images is {type(images).__name__}; pass {{"name": surface}}, or a list of surfaces as frames')
        self.world = World(atlas, **options)
        self.images = dict(images or {})
        self._options = options
        self._ids: dict[Any, int] = {}
        self._sprites: dict[int, Any] = {}
        self._shown: dict[Any, tuple[str, int]] = {}
        # Ids of removed sprites, and those that the last pairs may name.
        self._removed: list[int] = []
        self._ended: list[int] = []
        self._pictures: dict[Any, tuple[pygame.Surface, tuple[int, int]]] = {}
        super().__init__(*sprites)

    def add_internal(self, sprite: Any, layer: Any = None) -> None:
        if not isinstance(sprite, TurningSprite):
            raise TypeError(f"a WorldGroup holds TurningSprites, not {sprite!r}; keep it in a pygame.sprite.Group")
        if sprite not in self._ids:
            options = {"angle": sprite._radians(), "scale": sprite.scale, "frame": sprite.frame, **sprite.options}
            number = self.world.insert(sprite.shape, sprite.position, **options)
            self._ids[sprite], self._sprites[number] = number, sprite
            self._shown[sprite] = sprite.shape, sprite.frame
        super().add_internal(sprite, layer)

    def remove_internal(self, sprite: Any) -> None:
        number = self._ids.pop(sprite, None)
        if number is not None:
            self.world.remove(number)
            self._removed.append(number)
            del self._shown[sprite]
        super().remove_internal(sprite)

    def copy(self) -> WorldGroup:
        """Returns a group of the same sprites, with a world of its own."""
        return type(self)(self.world.atlas, *self.sprites(), images=self.images, **self._options)

    def id_of(self, sprite: Any) -> int:
        """Returns the id of a sprite in `world`."""
        number = self._ids.get(sprite)
        if number is None:
            raise UnknownIdError(f"{sprite!r} is not in this group; add it first")
        return number

    def synchronize(self) -> None:
        """Places all sprites in the world. `collide` does so."""
        sprites = list(self._ids)
        if not sprites:
            return
        for sprite in sprites:
            shown = sprite.shape, sprite.frame
            if self._shown[sprite] != shown:
                self.world.set(self._ids[sprite], sprite=sprite.shape, frame=sprite.frame)
                self._shown[sprite] = shown
        xy = np.array([(sprite.position[0], sprite.position[1]) for sprite in sprites], np.float32)
        angle = np.array([sprite._radians() for sprite in sprites], np.float32)
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
        return [self._sprites[number] for number in self.world.touching_with(self.id_of(sprite))]

    def at(self, position: Sequence[float] | pygame.Vector2, radius: float = 0.0) -> Any:
        """Returns the sprite with a pixel at a position in pixels, or at most radius pixels away, or None."""
        number = self.world.pick(position, radius)
        return None if number is None else self._sprites[number]

    def _of(self, pairs: Any) -> list[tuple[Any, Any]]:
        find = self._sprites
        return [(find[a], find[b]) for a, b in pairs.tolist()]

    def _picture(self, sprite: Any) -> tuple[pygame.Surface, tuple[int, int]]:
        """Returns the picture of a sprite, and where its top left corner is from the position."""
        baked = self.world.atlas[sprite.shape]
        step, size = baked.nearest(sprite._radians(), sprite.scale) or (0, 0)
        flips = bool(sprite.options.get("flip_x")), bool(sprite.options.get("flip_y"))
        key = (sprite.shape, sprite.frame, step, size, flips)
        picture = self._pictures.get(key)
        if picture is None:
            frames = self.images.get(sprite.shape)
            if frames is None:
                raise RuntimeError(f"the group has no image of {sprite.shape!r}; pass images={{name: surface}}")
            image = frames if isinstance(frames, pygame.Surface) else frames[sprite.frame]
            pivot = baked.pivot(sprite.frame) or (image.get_width() / 2, image.get_height() / 2)
            picture = self._pictures[key] = _posed(image, pivot, step / baked.angles, baked.scales[size], flips)
        return picture


def _posed(
    image: pygame.Surface, pivot: tuple[float, float], turn: float, scale: float, flips: tuple[bool, bool]
) -> tuple[pygame.Surface, tuple[int, int]]:
    """Draws an image at a pose as masks are drawn: each pixel shows the texel at its middle."""
    # A surface of 32 bits with alpha of the pixels that the mask was made of, and its pixels as numbers.
    texels = pygame.Surface(image.get_size(), pygame.SRCALPHA, 32)
    texels.blit(pygame.image.frombuffer(surface_rgba(image), image.get_size(), "RGBA"), (0, 0))
    source = pygame.surfarray.array2d(texels)
    # The pivot in halves of texels. One in the middle of a texel is in the middle of the pixel at the position.
    px, py = round(2 * pivot[0]), round(2 * pivot[1])
    # A flip mirrors the turned picture, so the image turns the other way.
    angle = math.tau * (turn if flips[0] == flips[1] else -turn)
    c, s = round(2**30 * math.cos(angle) / scale), round(2**30 * math.sin(angle) / scale)
    corner = math.hypot(max(abs(px), abs(2 * source.shape[0] - px)), max(abs(py), abs(2 * source.shape[1] - py)))
    reach = math.ceil(corner * scale / 2) + 1
    pixels = np.arange(-reach, reach + 1, dtype=np.int64)
    x, y = (2 * pixels + 1 - (px & 1))[:, None], (2 * pixels + 1 - (py & 1))[None, :]
    # A middle on the edge of a texel, off by rounding, belongs to the texel on its right and below.
    column = (x * c + y * s + (px << 30) + 2**17) >> 31
    row = (y * c - x * s + (py << 30) + 2**17) >> 31
    inside = (column >= 0) & (column < source.shape[0]) & (row >= 0) & (row < source.shape[1])
    shown = np.where(inside, source[np.where(inside, column, 0), np.where(inside, row, 0)], 0)
    # The box of the image. A thin one may have gaps.
    us, vs = np.flatnonzero(inside.any(axis=1)), np.flatnonzero(inside.any(axis=0))
    if len(us) == 0:
        return pygame.Surface((0, 0), pygame.SRCALPHA, 32), (0, 0)
    shown = shown[us[0] : us[-1] + 1, vs[0] : vs[-1] + 1]
    left, top = int(us[0]) - reach, int(vs[0]) - reach
    if flips[0]:
        shown, left = shown[::-1], (px & 1) - left - shown.shape[0]
    if flips[1]:
        shown, top = shown[:, ::-1], (py & 1) - top - shown.shape[1]
    picture = pygame.Surface(shown.shape, pygame.SRCALPHA, 32)
    target = pygame.surfarray.pixels2d(picture)
    target[:] = shown
    del target
    if image.get_alpha() is not None:
        picture.set_alpha(image.get_alpha())
    return picture, (left, top)
