"""The drop-ins for pygame: against pygame itself, on random input."""

from __future__ import annotations

import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hitmask

pygame = pytest.importorskip("pygame")

import hitmask.pygame as hp  # noqa: E402
from hitmask.pygame import mask as ours  # noqa: E402
from hitmask.pygame import sprite as our_sprite  # noqa: E402


def both(random: np.random.Generator, size: tuple[int, int], share: float = 0.3) -> tuple[Any, Any]:
    """Returns one random mask as pygame's and as ours."""
    bits = random.random((size[1], size[0])) < share
    theirs = pygame.mask.Mask(size)
    for y, x in zip(*np.nonzero(bits)):
        theirs.set_at((int(x), int(y)))
    mine = ours.Mask(hitmask.Mask(bits))
    return theirs, mine


def same(theirs: Any, mine: Any) -> bool:
    """Tests whether two masks have the same pixels."""
    if theirs.get_size() != mine.get_size():
        return False
    width, height = theirs.get_size()
    return all(theirs.get_at((x, y)) == mine.get_at((x, y)) for y in range(height) for x in range(width))


SIZES = [(1, 1), (7, 5), (64, 3), (65, 9), (130, 6), (200, 4), (0, 5), (3, 0)]


def test_two_masks_at_all_kinds_of_offsets(random: np.random.Generator) -> None:
    for _ in range(400):
        size, other = (SIZES[i] for i in random.integers(0, len(SIZES), 2))
        share = random.choice([0.01, 0.05, 0.5])
        (a, x), (b, y) = both(random, size, share), both(random, other, share)
        at = tuple(int(v) for v in random.integers(-140, 141, 2) // [1, 12])
        assert a.overlap(b, at) == x.overlap(y, at), (size, other, at)
        assert a.overlap_area(b, at) == x.overlap_area(y, at)
        assert same(a.overlap_mask(b, at), x.overlap_mask(y, at))
        for name in ("draw", "erase"):
            getattr(a, name)(b, at)
            getattr(x, name)(y, at)
            assert same(a, x), name


def test_single_masks(random: np.random.Generator) -> None:
    for size in SIZES:
        for share in (0.02, 0.3, 0.7, 1.0):
            a, x = both(random, size, share)
            assert a.count() == x.count() and a.centroid() == x.centroid() and a.angle() == x.angle()
            for every in (1, 2, 3, 7, 0, -2):
                if every > 0:
                    assert a.outline(every) == x.outline(every), (size, share, every)
            assert x.outline(0) == x.outline(-2) == x.outline()[:1]
            assert a.get_bounding_rects() == x.get_bounding_rects()
            for minimum in (0, 1, 4):
                parts = a.connected_components(minimum), x.connected_components(minimum)
                assert len(parts[0]) == len(parts[1]) and all(map(same, *parts))
            assert same(a.connected_component(), x.connected_component())
            assert a.get_size() == x.get_size() and repr(a).split("(")[1] == repr(x).split("(")[1]
            for target in ((0, 0), (3, 3), (90, 11)):
                assert same(a.scale(target), x.scale(target))
            b, y = both(random, (5, 4))
            assert same(a.convolve(b), x.convolve(y))
            (c, z), at = both(random, (70, 9)), (-2, 1)
            assert a.convolve(b, c, at) is c and x.convolve(y, output=z, offset=at) is z
            assert same(c, z)
            a.invert(), x.invert()
            assert same(a, x) and same(a.copy(), x.copy())


FORMATS = [
    (pygame.SRCALPHA, 32, None),
    (0, 32, None),
    (0, 24, None),
    (0, 16, None),
    (0, 8, None),
    (pygame.SRCALPHA, 16, None),
    (0, 15, None),
    (pygame.SRCALPHA, 32, (0xFF, 0xFF00, 0xFF0000, 0xFF000000)),
    (pygame.SRCALPHA, 32, (0xFF000000, 0xFF0000, 0xFF00, 0xFF)),
]


def surfaces(random: np.random.Generator) -> Any:
    for flags, depth, masks in FORMATS:
        arguments = (flags, depth) if masks is None else (flags, depth, masks)
        surface = pygame.Surface((13, 7), *arguments)
        for y in range(7):
            for x in range(13):
                surface.set_at((x, y), tuple(int(v) for v in random.choice([0, 90, 127, 128, 255], 4)))
        yield surface
        yield surface.subsurface((3, 1, 7, 5))


def test_surfaces_of_every_format(random: np.random.Generator) -> None:
    for surface in surfaces(random):
        for threshold in (127, 0, 90, 254, 255, 300, -1):
            assert same(pygame.mask.from_surface(surface, threshold), ours.from_surface(surface, threshold))
        for color in ((90, 127, 0), (255, 255, 255), "red"):
            for limit in ((10, 10, 10, 255), (200, 140, 60, 255)):
                expected = pygame.mask.from_threshold(surface, color, limit)
                assert same(expected, ours.from_threshold(surface, color, limit)), (surface, color, limit)
        other = surface.copy()
        other.fill((120, 100, 90, 255), (2, 2, 4, 2))
        limit = (60, 60, 60, 255)
        for palette in (0, 1):
            expected = pygame.mask.from_threshold(surface, (0, 0, 0), limit, other, palette)
            assert same(expected, ours.from_threshold(surface, (0, 0, 0), limit, other, palette))
        surface.set_colorkey(surface.get_at((1, 1)))
        assert same(pygame.mask.from_surface(surface), ours.from_surface(surface))


def shown(surface: Any) -> np.ndarray:
    """Returns the alpha that a surface is drawn with, as (height, width), by draws on black and on white."""
    width, height = surface.get_size()
    drawn = []
    for color in ("black", "white"):
        screen = pygame.Surface((width, height), 0, 24)
        screen.fill(color)
        screen.blit(surface, (0, 0))
        drawn.append(pygame.surfarray.array3d(screen)[:, :, 0].T.astype(int))
    return 255 - (drawn[1] - drawn[0])


def test_masks_of_the_library_are_what_is_drawn_of_a_surface(random: np.random.Generator) -> None:
    for surface in surfaces(random):
        for x in range(3):
            surface.set_at((x, 3), (*tuple(surface.get_at((1, 1)))[:3], [255, 128, 0][x]))
        for key in (None, surface.get_at((1, 1)), surface.get_at((4, 2))):
            surface.set_colorkey(key)
            # Blending is off by one.
            alpha = shown(surface)
            for limit in (50, 110, 200):
                assert np.array_equal(hitmask.Mask(surface, alpha=limit).to_numpy(), alpha >= limit), (surface, key, limit)


def repeated_palette(random: np.random.Generator) -> Any:
    surface = pygame.Surface((16, 9), 0, 8)
    surface.set_palette([(0, 0, 0)] * 3 + [(200, 10, 10), (0, 0, 0), (200, 10, 10)] + [(1, 1, 1)] * 250)
    pixels = pygame.surfarray.pixels2d(surface)
    pixels[:] = random.integers(0, 7, (16, 9))
    return surface


def test_the_index_of_a_palette_is_the_colour_key(random: np.random.Generator) -> None:
    surface = repeated_palette(random)
    indices = pygame.surfarray.array2d(surface).T
    for key in range(7):
        surface.set_colorkey(key)
        for image in (surface, surface.copy(), surface.subsurface((1, 1, 9, 5))):
            x, y = image.get_offset()
            expected = indices[y : y + image.get_height(), x : x + image.get_width()] != key
            assert np.array_equal(hitmask.Mask(image).to_numpy(), expected), key
            assert same(pygame.mask.from_surface(image), ours.from_surface(image))
            assert np.array_equal(hitmask.Mask(ours.from_surface(image)).to_numpy(), expected)
        assert hitmask.Mask(surface, only_color=["#c80a0a"]).count() == np.isin(indices, [i for i in (3, 5) if i != key]).sum()


@pytest.mark.parametrize("kind", ["alpha and key", "repeated palette", "faded"])
def test_pictures_of_groups_are_their_masks(kind: str, random: np.random.Generator) -> None:
    if kind == "repeated palette":
        image = repeated_palette(random)
        image.set_colorkey(1)
    else:
        image = pygame.Surface((16, 9), pygame.SRCALPHA)
        colors = [(10, 20, 30, 255), (10, 20, 30, 128), (10, 20, 30, 20), (255, 255, 255, 255), (255, 255, 255, 20)]
        for x, y in np.ndindex(16, 9):
            image.set_at((x, y), colors[random.integers(len(colors))])
        image.set_colorkey((10, 20, 30))
        image.set_alpha(100 if kind == "faded" else 255)
    group = hp.WorldGroup(hp.bake({"a": image}, angles=8), images={"a": image})
    one = hp.TurningSprite("a", group, position=(20, 20))
    for step in range(8):
        one.angle = 45 * step
        group.collide()
        # The colours that are solid are white or of the palette, and others are far below half of them.
        screen = pygame.Surface((40, 40), 0, 24)
        screen.fill((90, 90, 90))
        group.draw(screen)
        drawn = pygame.surfarray.array3d(screen).astype(int)
        limit = 60 if kind == "repeated palette" else 50 if kind == "faded" else 100
        is_drawn = (np.abs(drawn - 90).max(axis=2) >= limit).T
        mask, (x, y) = group.world.posed(group.id_of(one))
        placed = np.zeros((40, 40), bool)
        placed[y : y + mask.height, x : x + mask.width] = mask.to_numpy()
        assert np.array_equal(is_drawn, placed), (kind, step)


def test_surfaces_with_alpha_become_masks_of_the_library(random: np.random.Generator) -> None:
    for surface in surfaces(random):
        expected = pygame.mask.from_surface(surface)
        bits = hitmask.Mask(surface, alpha=127, alpha_test="above")
        assert all(bits.get(x, y) == expected.get_at((x, y)) for x in range(bits.width) for y in range(bits.height))
    assert hitmask.Mask(pygame.Surface((0, 3))).size == (0, 3)


def test_masks_are_drawn_as_pygame_draws_them(random: np.random.Generator) -> None:
    for surface in surfaces(random):
        a, x = both(random, (9, 6), 0.5)
        source = surface.copy()
        source.fill((200, 3, 90, 128), (1, 1, 3, 3))
        small = surface.subsurface((1, 1, 4, 3)).copy()
        small.fill((1, 200, 3, 40))
        for keywords in (
            {},
            {"dest": (3, -2)},
            {"dest": (-4, 2), "setcolor": None},
            {"dest": pygame.Rect(2, 2, 0, 0), "unsetcolor": None},
            {"setsurface": source, "unsetcolor": "blue", "dest": (1, 1)},
            {"setsurface": small, "unsetsurface": source, "dest": (-1, 2)},
            {"setsurface": small, "setcolor": None, "unsetcolor": None},
            {"area": (2, 1, 4, 3), "dest": (1, 0)},
            {"area": (-2, 1, 6, 30)},
            {"area": pygame.Rect(8, 5, -6, -3)},
            {"dest": (50, 0)},
        ):
            drawn = []
            for mask in (a, x):
                target = surface.copy()
                assert mask.to_surface(target, **keywords) is target
                drawn.append(pygame.image.tobytes(target, "RGBA"))
            assert drawn[0] == drawn[1], (surface, keywords)
        new = a.to_surface(), x.to_surface()
        assert pygame.image.tobytes(new[0], "RGBA") == pygame.image.tobytes(new[1], "RGBA")


@pytest.mark.parametrize(
    "call",
    [
        lambda m, Mask: Mask(),
        lambda m, Mask: Mask((-1, 2)),
        lambda m, Mask: Mask("ab"),
        lambda m, Mask: Mask((1, 2), size=(3, 4)),
        lambda m, Mask: Mask((1, 2, 3)),
        lambda m, Mask: m.get_at((9, 9)),
        lambda m, Mask: m.get_at(3),
        lambda m, Mask: m.set_at((-1, 0)),
        lambda m, Mask: m.set_at((0, 0), 1.5),
        lambda m, Mask: m.overlap(m, None),
        lambda m, Mask: m.overlap("x", (0, 0)),
        lambda m, Mask: m.scale((-1, 0)),
        lambda m, Mask: m.scale((1, "2")),
        lambda m, Mask: m.outline("x"),
        lambda m, Mask: m.get_rect(3),
        lambda m, Mask: m.get_rect(nothing=3),
        lambda m, Mask: m.connected_component((9, 9)),
        lambda m, Mask: m.connected_component(None),
        lambda m, Mask: m.connected_components(1.5),
        lambda m, Mask: m.convolve(3),
        lambda m, Mask: m.to_surface(3),
        lambda m, Mask: m.to_surface(dest="x"),
        lambda m, Mask: m.to_surface(area="x"),
        lambda m, Mask: m.to_surface(setcolor="nocolor"),
        lambda m, Mask: m.to_surface(nothing=3),
        lambda m, Mask: m.get_at((10**20, 0)),
    ],
)
def test_exceptions_are_those_of_pygame(call: Any) -> None:
    kinds = []
    for Mask in (pygame.mask.Mask, ours.Mask):
        try:
            call(Mask((5, 5)), Mask)
            kinds.append(None)
        except Exception as error:
            kinds.append(type(error))
    assert kinds[0] is not None and issubclass(kinds[1], kinds[0]), kinds


def test_positions_may_be_floats_vectors_and_lists() -> None:
    for Mask in (pygame.mask.Mask, ours.Mask):
        mask = Mask((5.9, 5.1), True)
        assert mask.get_size() == (5, 5)
        for at in ((1.9, 1), [1, 1.2], pygame.math.Vector2(1.5, 1.5), ((1, 1),), (True, np.int32(1))):
            assert mask.get_at(at) == 1
        mask.set_at((0, 0), 0)
        assert mask.get_at((-0.5, 0)) == 0 and mask.get_rect(center=(9, 9)).center == (9, 9)
        assert mask.overlap(mask, (0, 0)) == (1, 0)


class Sub(ours.Mask):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.tag = 3


def test_subclasses_keep_their_class_in_copies() -> None:
    mask = Sub((4, 4), fill=True)
    assert mask.tag == 3 and type(mask.copy()) is Sub and mask.copy().count() == 16
    assert type(mask.overlap_mask(mask, (1, 1))) is ours.Mask and type(mask.scale((2, 2))) is ours.Mask


def random_group(random: np.random.Generator, module: Any, masks: Any, count: int) -> tuple[Any, list[Any]]:
    group, sprites = module.Group(), []
    for index in range(count):
        one = module.Sprite()
        one.number = index
        one.image = pygame.Surface((12, 12), pygame.SRCALPHA)
        pygame.draw.circle(one.image, "white", (6, 6), 4 + index % 3)
        if index % 2:
            one.mask = masks.from_surface(one.image)
        one.rect = one.image.get_rect(topleft=tuple(random.integers(0, 70, 2)))
        group.add(one)
        sprites.append(one)
    return group, sprites


def test_sprite_functions_agree_with_pygame() -> None:
    answers = []
    for module, masks in ((pygame.sprite, pygame.mask), (our_sprite, ours), (our_sprite, pygame.mask)):
        random = np.random.default_rng(3)
        answer: list[Any] = []
        first, sprites = random_group(random, module, masks, 30)
        second, others = random_group(random, module, masks, 30)
        for collided in (None, module.collide_mask, module.collide_circle, lambda a, b: (a.number + b.number) % 9 == 0):
            found = module.groupcollide(first, second, False, False, collided)
            answer.append([(key.number, [one.number for one in hits]) for key, hits in found.items()])
            for one in sprites:
                answer.append([other.number for other in module.spritecollide(one, second, False, collided)])
                hit = module.spritecollideany(one, second, collided)
                answer.append(hit and hit.number)
        answer += [module.collide_mask(a, b) for a, b in zip(sprites, others)]
        killed = module.groupcollide(first, second, True, True, module.collide_mask)
        answer.append([(key.number, [one.number for one in hits]) for key, hits in killed.items()])
        answer += [len(first), len(second)]
        module.spritecollide(others[0], first, True)
        answer.append(len(first))
        answers.append(answer)
    assert answers[0] == answers[1] == answers[2]


def test_boxes_of_floats_collide_as_in_pygame(random: np.random.Generator) -> None:
    def sprites(module: Any, masks: Any, boxes: Any) -> Any:
        group = module.Group()
        for index, (x, y, width, height) in enumerate(boxes):
            one = module.Sprite(group)
            one.number, one.mask = index, masks.Mask((int(width), int(height)), True)
            one.rect = pygame.FRect(x, y, width, height) if index % 4 else pygame.Rect(x, y, width, height)
        return group

    boxes = [np.hstack([random.uniform(-8, 8, (150, 2)).round(1), random.integers(1, 7, (150, 2))]) for _ in range(2)]
    boxes[0][1], boxes[1][1] = (4.4, -4.7, 6, 5), (7.2, -0.3, 2, 5)
    found = []
    for module, masks in ((pygame.sprite, pygame.mask), (our_sprite, ours)):
        first, second = (sprites(module, masks, part) for part in boxes)
        hits = module.groupcollide(first, second, False, False, module.collide_mask)
        found.append({key.number: [one.number for one in those] for key, those in hits.items()})
        for one in first:
            those = module.spritecollide(one, second, False, module.collide_mask)
            assert [other.number for other in those] == found[-1].get(one.number, [])
    assert found[0] == found[1] and 1 in found[0][1]


def sprites_in_both_groups(module: Any, masks: Any) -> tuple[Any, Any]:
    random = np.random.default_rng(5)
    first, second = module.Group(), module.Group()
    for index in range(40):
        one = module.Sprite(*[group for group, has in ((first, index % 3 != 0), (second, index % 3 != 1)) if has])
        one.number, one.mask = index, masks.Mask((9, 9), True)
        one.rect = one.mask.get_rect(topleft=tuple(random.integers(0, 50, 2)))
    return first, second


@pytest.mark.parametrize("kills", [(True, True), (True, False), (False, True), (False, False)])
def test_sprites_that_are_killed_are_those_of_the_installed_pygame(kills: tuple[bool, bool]) -> None:
    answers = []
    for module, masks in ((pygame.sprite, pygame.mask), (our_sprite, ours)):
        first, second = sprites_in_both_groups(module, masks)
        found = module.groupcollide(first, second, *kills, module.collide_mask)
        pairs = [(key.number, [one.number for one in hits]) for key, hits in found.items()]
        answers.append((pairs, [one.number for one in first], [one.number for one in second]))
    assert answers[0] == answers[1] and answers[0][0]


@pytest.mark.parametrize("kills_each", [True, False])
def test_kills_after_each_sprite_or_at_the_end(kills_each: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(our_sprite, "KILLS_EACH", kills_each)
    for kills_others in (True, False):
        first, second = sprites_in_both_groups(our_sprite, ours)
        expected: dict[int, list[int]] = {}
        left, alive = first.sprites(), second.sprites()
        for one in left:
            hits = [other for other in alive if one.rect.colliderect(other.rect)]
            if hits:
                expected[one.number] = [other.number for other in hits]
                gone = (hits if kills_others else []) + ([one] if kills_each else [])
                alive = [other for other in alive if other not in gone]
        found = our_sprite.groupcollide(first, second, True, kills_others, our_sprite.collide_mask)
        assert {key.number: [one.number for one in hits] for key, hits in found.items()} == expected


def test_masks_of_three_classes_become_one_another(random: np.random.Generator) -> None:
    for size in SIZES:
        theirs, mine = both(random, size)
        own = hitmask.Mask(theirs)
        assert own == hitmask.Mask(mine) and same(theirs, own.to_pygame()) and same(theirs, mine.to_pygame())
        assert type(own.to_pygame()) is type(mine.to_pygame()) is pygame.mask.Mask
        assert same(theirs, ours.Mask(own)) and same(theirs, ours.Mask(theirs)) and same(theirs, ours.Mask(mine))
    atlas = hp.bake({"a": pygame.mask.Mask((3, 3), True), "b": ours.Mask((2, 2), True)}, angles=1)
    assert atlas["a"].frame_size() == (3, 3) and atlas["b"].frame_size() == (2, 2)
    theirs, mine, own = pygame.mask.Mask((3, 3)), ours.Mask((3, 3)), hitmask.Mask("#")
    for call, text in (
        (lambda: own.touches(mine), "a hitmask.Mask is needed, and this is a hitmask.pygame.mask.Mask; pass hitmask.Mask"),
        (lambda: own.draw(theirs), "a hitmask.Mask is needed, and this is a pygame.mask.Mask"),
        (lambda: mine.overlap(theirs, (0, 0)), "a hitmask.pygame.mask.Mask is needed, and this is a pygame.mask.Mask"),
        (lambda: mine.draw(own, (0, 0)), "this is a hitmask.Mask; pass hitmask.pygame.mask.Mask"),
        (lambda: hitmask.World(atlas).insert_mask(theirs), "this is a pygame.mask.Mask"),
        (lambda: hitmask.ShapeGrid(mine), "this is a hitmask.pygame.mask.Mask"),
    ):
        with pytest.raises(TypeError, match=text):
            call()
    # Sprites may have any of them.
    for kind in (pygame.mask.Mask((4, 4), True), ours.Mask((4, 4), True), hitmask.Mask.solid(4, 4)):
        one, other = our_sprite.Sprite(), our_sprite.Sprite()
        one.rect, other.rect = pygame.Rect(0, 0, 4, 4), pygame.Rect(3, 3, 4, 4)
        one.mask, other.mask = kind, ours.Mask((4, 4), True)
        assert our_sprite.collide_mask(one, other) == (3, 3)
        assert our_sprite.spritecollide(one, [other], False, our_sprite.collide_mask) == [other]
        one.mask = (4, 4)
        with pytest.raises(TypeError, match=r"mask is \(4, 4\); pass a mask of hitmask"):
            our_sprite.collide_mask(one, other)


def test_a_world_group_finds_the_pairs_of_turned_sprites() -> None:
    image = pygame.Surface((40, 4), pygame.SRCALPHA)
    image.fill("white")
    group = hp.WorldGroup(hp.bake({"bar": image}, angles=64), images={"bar": image})
    a = hp.TurningSprite("bar", group, position=(50, 50))
    b = hp.TurningSprite("bar", group, position=(50, 65))
    assert group.collide() == [] and len(group) == 2
    a.angle = 90
    assert group.collide() == [(a, b)] == group.began()
    assert group.collide_with(a) == [b] and group.at((50, 40)) is a and group.at((90, 90)) is None
    assert a.rect.center == (50, 50) and a.image.get_size() == (4, 40) and a.image is a.image
    screen = pygame.Surface((100, 100))
    group.draw(screen)
    assert screen.get_at((50, 36))[:3] == (255, 255, 255)
    b.kill()
    assert group.collide() == [] and group.ended() == [(a, b)] and len(group.world) == 1
    assert group.collide() == [] == group.ended()
    third = hp.TurningSprite("bar", position=(52, 50), angle=180)
    with pytest.raises(RuntimeError, match="WorldGroup"):
        third.image
    group.add(third)
    assert group.collide() == [(a, third)] or group.collide() == [(third, a)]
    assert group.id_of(third) in group.world
    group.empty()
    assert len(group.world) == 0 and group.collide() == []


def shape_of(size: tuple[int, int]) -> pygame.Surface:
    image = pygame.Surface(size, pygame.SRCALPHA)
    image.fill("white")
    image.fill((0, 0, 0, 0), (size[0] // 2, 0, size[0], size[1] // 3))
    image.fill((255, 255, 255, 90), (0, size[1] // 2, 2, 2))
    return image


@pytest.mark.parametrize("pivot", [None, (0, 0), (3.5, -2), "bottom-right"])
def test_groups_draw_what_collides(pivot: Any) -> None:
    sizes = {"even": (10, 8), "odd": (9, 7), "mixed": (12, 5), "thin": (21, 1)}
    images = {name: shape_of(size) for name, size in sizes.items()}
    bake = hitmask.Bake(angles=16, scales=[0.5, 1.0, 1.5, 2.0, 6.0])
    for name, image in images.items():
        width, height = image.get_size()
        at = (width, height) if pivot == "bottom-right" else pivot
        bake.add_frames(name, pygame.surfarray.array_alpha(image).T, pivot=at)
    group = hp.WorldGroup(bake.atlas(), images=images)
    screen = pygame.Surface((280, 280), pygame.SRCALPHA)
    for name in images:
        for flips in [(False, False), (True, False), (False, True), (True, True)]:
            one = hp.TurningSprite(name, group, flip_x=flips[0], flip_y=flips[1])
            for scale in [0.5, 1.0, 1.5, 2.0, 6.0]:
                for step in range(0, 16, 4 if scale == 6.0 else 1):
                    one.position, one.angle, one.scale = (140 + step / 16, 140.5), step * 22.5, scale
                    group.synchronize()
                    screen.fill((0, 0, 0, 0))
                    group.draw(screen)
                    drawn = pygame.surfarray.array_alpha(screen).T >= 128
                    # A thin image may have no pixel at half its size.
                    posed = group.world.posed(group.id_of(one))
                    mask, (left, top) = posed or (hitmask.Mask.empty(0, 0), (0, 0))
                    placed = np.zeros((280, 280), bool)
                    bits = [[mask.get(x, y) for x in range(mask.width)] for y in range(mask.height)]
                    placed[top : top + mask.height, left : left + mask.width] = np.reshape(bits, (mask.height, mask.width))
                    assert (drawn == placed).all(), (name, flips, scale, step)
            one.kill()


@pytest.mark.parametrize("angles", [60, 64, 4, 360])
def test_pictures_and_masks_round_alike(angles: int) -> None:
    image = shape_of((12, 9))
    group = hp.WorldGroup(hp.bake({"a": image}, angles=angles), images={"a": image})
    one = hp.TurningSprite("a", group)
    half, below = 180 / angles, np.nextafter(45.5, 0)
    places = [45.49999999999999, 45.5, below, np.float32(45.49999), -3.5000000001, 1e-9 - 0.5, pygame.Vector2(2.5, 3.5).x]
    for step, place in enumerate(places * 8):
        angle = half * (2 * step + 1) * (-1) ** step * (1 + (step % 3 - 1) * 1e-15)
        one.position, one.angle = (place, -place), angle
        group.collide()
        x0, y0, x1, y1 = group.world.rect(group.id_of(one))
        bits = pygame.mask.from_surface(one.image).get_bounding_rects()[0].move(one.rect.topleft)
        solid = hitmask.Mask(one.image).bounds()
        assert (solid[0] + one.rect.x, solid[1] + one.rect.y, solid[2] + one.rect.x, solid[3] + one.rect.y) == (x0, y0, x1, y1)
        mask, at = group.world.posed(group.id_of(one))
        assert hitmask.Mask(one.image).trimmed()[0] == mask, (angle, place, bits)


def test_places_may_be_vectors() -> None:
    image = shape_of((8, 8))
    group = hp.WorldGroup(hp.bake({"a": image}, angles=4), images={"a": image})
    one = hp.TurningSprite("a", group, position=pygame.Vector2(20.5, 30))
    group.collide()
    assert group.at(pygame.Vector2(19, 32)) is one and one.rect.center == (21, 30)
    assert group.world.query_point(pygame.Vector2(19, 32)) == [group.id_of(one)]
    assert group.world.query_rect(pygame.Rect(10, 20, 20, 20)) == [group.id_of(one)]
    with pytest.raises(TypeError):
        group.world.query_rect(pygame.FRect(10.5, 20, 20, 20))


def test_a_surface_without_a_name_is_refused() -> None:
    image = shape_of((4, 4))
    for call in (lambda: hp.bake(image), lambda: hp.WorldGroup(hp.bake({"a": image}), images=image)):
        with pytest.raises(TypeError, match='images is Surface; pass {"name": surface}'):
            call()
    group = hp.WorldGroup(hp.bake({"saucer": image}), images={"saucer": image})
    with pytest.raises(hitmask.UnknownIdError, match='no sprite "suacer"; did you mean "saucer"'):
        hp.TurningSprite("suacer", group)


def test_groups_read_shapes_and_refuse_what_they_do_not_hold() -> None:
    images = {"small": shape_of((4, 4)), "big": shape_of((40, 40))}
    group = hp.WorldGroup(hp.bake(images, angles=4), images=images)
    one = hp.TurningSprite("small", group, position=(50, 50))
    two = hp.TurningSprite("small", group, position=(62, 50))
    assert group.collide() == []
    one.shape = "big"
    assert group.collide() == [(one, two)] == group.copy().collide()
    one.shape = "none"
    with pytest.raises(hitmask.UnknownIdError, match="none"):
        group.collide()
    one.shape = "small"
    assert group.collide() == []
    two.kill()
    with pytest.raises(hitmask.UnknownIdError, match="is not in this group"):
        group.collide_with(two)
    with pytest.raises(TypeError, match="holds TurningSprites"):
        group.add(pygame.sprite.Sprite())


def test_angles_of_groups_turn_as_pygame_draws_them() -> None:
    image = pygame.Surface((30, 10), pygame.SRCALPHA)
    image.fill("white", (0, 0, 10, 10))
    group = hp.WorldGroup(hp.bake({"left": image}, angles=64), images={"left": image})
    one = hp.TurningSprite("left", group, position=(50, 50), angle=90)
    group.collide()
    rotated = pygame.transform.rotate(image, 90)
    drawn = pygame.mask.from_surface(rotated).get_bounding_rects()[0].move(50 - 5, 50 - 15)
    x0, y0, x1, y1 = group.world.rect(group.id_of(one))
    assert (x0, y0, x1 - x0, y1 - y0) == tuple(drawn)
    assert math.isclose(group.world.get(group.id_of(one)).angle, -math.pi / 2, rel_tol=1e-6)


def test_the_demo_writes_a_gif(tmp_path: Path) -> None:
    Image = pytest.importorskip("PIL.Image")
    out = tmp_path / "demo.gif"
    command = [sys.executable, "-m", "hitmask.demo", "--gif", str(out), "--frames", "3", "--sprites", "60", "--size", "200", "120"]
    told = subprocess.run(command, check=True, capture_output=True, text=True)
    assert "3 frames" in told.stdout and out.read_bytes()[:4] == b"GIF8"
    # Sprites of a pair are lit, and the pixels that both have are white. A line says how many they are.
    with Image.open(out) as gif:
        colors = {color for _, color in gif.convert("RGB").getcolors() or []}
    assert {(255, 190, 84), (255, 255, 255), (190, 204, 232)} <= colors, colors


def test_the_tests_of_pygame_pass() -> None:
    command = [sys.executable, str(Path(__file__).with_name("pygame_suite.py"))]
    told = subprocess.run(command, capture_output=True, text=True)
    assert told.returncode == 0, told.stderr[-4000:]


def painted(random: np.random.Generator, size: tuple[int, int], arguments: tuple[Any, ...]) -> Any:
    """Returns a surface of random pixels, whatever its format is."""
    surface = pygame.Surface(size, *arguments)
    values = random.choice([0, 90, 127, 128, 255], (size[0], size[1], 3)).astype(np.uint8)
    if surface.get_bytesize() == 1:
        pygame.surfarray.pixels2d(surface)[:] = random.integers(0, 256, size)
    else:
        pygame.surfarray.blit_array(surface, values)
    if surface.get_masks()[3]:
        surface.fill((255, 255, 255, 130), (0, 0, size[0] // 2, size[1]), pygame.BLEND_RGBA_MULT)
    return surface


# Copied, read in place, and parts of larger surfaces.
@pytest.mark.parametrize("size", [(1, 1), (15, 4), (16, 16), (65, 9), (130, 127), (200, 90)])
def test_surfaces_of_every_size_and_place(random: np.random.Generator, size: tuple[int, int]) -> None:
    for flags, depth, masks in FORMATS:
        arguments = (flags, depth) if masks is None else (flags, depth, masks)
        whole = painted(random, (size[0] + 21, size[1] + 9), arguments)
        corner = (21, 9) if random.random() < 0.5 else (7, 4)
        other = painted(random, size, arguments)
        for surface in (painted(random, size, arguments), whole.subsurface((*corner, *size))):
            theirs, mine = pygame.mask.from_surface(surface, 100), ours.from_surface(surface, 100)
            assert content(theirs) == content(mine)
            expected = pygame.mask.from_threshold(surface, "red", (140, 140, 140, 255), other)
            assert content(expected) == content(ours.from_threshold(surface, "red", (140, 140, 140, 255), other))
            surface.set_colorkey(surface.get_at((0, 0)))
            theirs, mine = pygame.mask.from_surface(surface), ours.from_surface(surface)
            assert content(theirs) == content(mine)
            surface.set_colorkey(None)
            for _ in range(6):
                dest = tuple(random.integers(-9, 12, 2).tolist())
                options: dict[str, Any] = {"dest": dest}
                if random.random() < 0.5:
                    options["area"] = pygame.Rect(*random.integers(-9, 30, 2).tolist(), *random.integers(-5, 90, 2).tolist())
                for name in ("setsurface", "unsetsurface"):
                    # With an area, pygame reads beyond the memory of a smaller surface.
                        smaller = other.subsurface((0, 0, (size[0] + 1) // 2, size[1]))
                        options[name] = [None, other, surface, other if "area" in options else smaller][random.integers(0, 4)]
                for name in ("setcolor", "unsetcolor"):
                    options[name] = [None, "red", (9, 200, 40, 77), 3][random.integers(0, 4)]
                drawn = [theirs.to_surface(surface.copy(), **options), mine.to_surface(surface.copy(), **options)]
                raw = [pygame.image.tobytes(one, "RGBA") for one in drawn]
                assert raw[0] == raw[1], (flags, depth, options)
                inside = [whole.copy().subsurface((*corner, *size)) for _ in drawn]
                theirs.to_surface(inside[0], dest=dest), mine.to_surface(inside[1], dest=dest)
                roots = [pygame.image.tobytes(one.get_abs_parent(), "RGBA") for one in inside]
                assert roots[0] == roots[1]


def content(mask: Any) -> Any:
    return mask.get_size(), hitmask.Mask(mask).to_bits()


class Moved(pygame.sprite.Sprite):
    """A sprite whose rect is computed."""

    @property
    def rect(self) -> Any:
        return self.place.move(3, 0)

    @rect.setter
    def rect(self, value: Any) -> None:
        self.place = value


class Plain:
    """No sprite of pygame."""

    def kill(self) -> None:
        self.killed = True


def test_every_kind_of_sprite_collides_as_in_pygame(random: np.random.Generator) -> None:
    image = shape_of((12, 10))
    for _ in range(60):
        sprites = []
        for x, y in random.integers(0, 60, (15, 2)).tolist():
            one: Any = [pygame.sprite.Sprite, Moved, Plain][random.integers(0, 3)]()
            one.rect = [pygame.Rect, pygame.FRect][random.integers(0, 2)](x, y, 12, 10)
            if isinstance(one, Plain) and random.random() < 0.5:
                one.rect = [x, y, 12, 10]
            one.image = image
            if random.random() < 0.7:
                one.mask = pygame.mask.from_surface(image)
            sprites.append(one)
        rects = [one for one in sprites if not isinstance(one.rect, list)]
        for theirs, mine in (
            (pygame.sprite.collide_mask, our_sprite.collide_mask),
            (pygame.sprite.collide_rect, our_sprite.collide_rect),
            (None, None),
        ):
            among = sprites if theirs is pygame.sprite.collide_mask else rects
            for one in among[:3]:
                found = pygame.sprite.spritecollide(one, among, False, theirs)
                assert found == our_sprite.spritecollide(one, among, False, mine)
                first = pygame.sprite.spritecollideany(one, among, theirs)
                assert first is our_sprite.spritecollideany(one, among, mine) and (first is None) == (found == [])
            both_ways = pygame.sprite.groupcollide(among[:7], among[7:], False, False, theirs)
            assert both_ways == our_sprite.groupcollide(among[:7], among[7:], False, False, mine)
        assert our_sprite.spritecollide(sprites[0], [], False, our_sprite.collide_mask) == []
    hit = Plain()
    hit.rect, hit.image = pygame.Rect(0, 0, 12, 10), image
    assert our_sprite.spritecollide(hit, [hit], True, our_sprite.collide_mask) == [hit] and hit.killed
    hit.mask = 3
    with pytest.raises(TypeError, match="mask is 3; pass a mask of hitmask"):
        our_sprite.spritecollide(hit, [hit], False, our_sprite.collide_mask)


def test_wide_masks_are_scanned_in_the_order_of_pygame(random: np.random.Generator) -> None:
    for _ in range(300):
        size, other = (tuple(random.integers(1, 300, 2).tolist()) for _ in range(2))
        size, other = (size[0], size[1] % 20 + 1), (other[0], other[1] % 20 + 1)
        share = random.choice([0.002, 0.02, 0.3])
        bits = [random.random((one[1], one[0])) < share for one in (size, other)]
        mine = [ours.Mask(hitmask.Mask(one)) for one in bits]
        theirs = [one.to_pygame() for one in mine]
        for x, y in [*random.integers(-310, 311, (12, 2)).tolist(), [64, 0], [-64, 0], [-128, 3], [2**31 - 1, 0], [0, -(2**31)]]:
            if abs(x) < 400:
                y = y % 41 - 20
            assert theirs[0].overlap(theirs[1], (x, y)) == mine[0].overlap(mine[1], (x, y)), (size, other, x, y)
