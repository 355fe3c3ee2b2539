"""The figures of the README, on one core. Needs pygame-ce, and the wheel of `maturin build --profile wheel`.

    cargo build --profile wheel -p hitmask-python --example frame
    HITMASK_FRAME=../../target/wheel/examples/frame taskset -c 0 python bench/figures.py
"""

from __future__ import annotations

import os
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
os.environ.setdefault("RAYON_NUM_THREADS", "1")

import numpy as np
import pygame

import hitmask
import hitmask.pygame as hp
from hitmask.pygame import mask as ours
from hitmask.pygame import sprite as our_sprite


def best(call: Callable[[], Any], times: int = 7) -> float:
    """Returns the shortest time of a call in seconds."""
    taken = []
    for _ in range(times):
        start = time.perf_counter()
        call()
        taken.append(time.perf_counter() - start)
    return min(taken)


def pair_of_times(theirs: Callable[[], Any], mine: Callable[[], Any]) -> tuple[float, float]:
    """Returns the shortest mean times of two calls in ns, measured in turns."""
    start = time.perf_counter()
    theirs()
    count = max(3, min(20_000, int(2e-3 / max(time.perf_counter() - start, 1e-7))))

    def loop(call: Callable[[], Any]) -> float:
        start = time.perf_counter()
        for _ in range(count):
            call()
        return (time.perf_counter() - start) / count * 1e9

    times = [(loop(theirs), loop(mine)) for _ in range(9)]
    return min(one for one, _ in times), min(two for _, two in times)


def star(side: int = 64) -> pygame.Surface:
    """Returns a star."""
    image, middle = pygame.Surface((side, side), pygame.SRCALPHA), side / 2
    turns = [(np.sin(np.pi * k / 5), -np.cos(np.pi * k / 5)) for k in range(10)]
    far, near = middle - 1, middle * 0.4
    points = [(middle + (far if k % 2 == 0 else near) * x, middle + (far if k % 2 == 0 else near) * y) for k, (x, y) in enumerate(turns)]
    pygame.draw.polygon(image, "white", points)
    return image


def content(answer: Any) -> Any:
    """Returns an answer in a form that compares."""
    if isinstance(answer, pygame.Surface):
        return pygame.image.tobytes(answer, "RGBA")
    if hasattr(answer, "overlap_area"):
        return answer.get_size(), hitmask.Mask(answer).to_bits()
    if isinstance(answer, list):
        return [content(one) for one in answer]
    return answer


# Every function of pygame.mask: of a side, a module, and a module's masks of a star and of noise.
def mask_calls(side: int) -> dict[str, Callable[[Any, Any, Any], Callable[[], Any]]]:
    image, third, half = star(side), side // 3, side // 2
    keyed = pygame.Surface((side, side))
    keyed.blit(image, (0, 0))
    keyed.set_colorkey((0, 0, 0))
    keyed24 = keyed.convert(24)
    keyed24.set_colorkey((0, 0, 0))
    keyed8 = keyed.convert(8)
    keyed8.set_colorkey((0, 0, 0))
    alpha16 = image.convert(pygame.Surface((1, 1), pygame.SRCALPHA, 16))
    opaque = keyed.copy()
    opaque.set_colorkey(None)
    sheet = pygame.Surface((4 * side, side), pygame.SRCALPHA)
    sheet.blit(image, (side, 0))
    part = sheet.subsurface((side, 0, side, side))
    target = pygame.Surface((side, side), pygame.SRCALPHA)
    target24 = pygame.Surface((side, side), 0, 24)
    fill = pygame.Surface((side, side), pygame.SRCALPHA)
    fill.fill("red")
    return {
        "Mask(size)": lambda lib, m, n: lambda: lib.Mask((side, side)),
        "Mask(size, fill=True)": lambda lib, m, n: lambda: lib.Mask((side, side), fill=True),
        "from_surface, alpha": lambda lib, m, n: lambda: lib.from_surface(image),
        "from_surface, alpha of 16 bits": lambda lib, m, n: lambda: lib.from_surface(alpha16),
        "from_surface, no alpha": lambda lib, m, n: lambda: lib.from_surface(opaque),
        "from_surface, subsurface": lambda lib, m, n: lambda: lib.from_surface(part),
        "from_surface, colour key": lambda lib, m, n: lambda: lib.from_surface(keyed),
        "from_surface, colour key of 24 bits": lambda lib, m, n: lambda: lib.from_surface(keyed24),
        "from_surface, colour key of 8 bits": lambda lib, m, n: lambda: lib.from_surface(keyed8),
        "from_threshold, colour": lambda lib, m, n: lambda: lib.from_threshold(image, "white", (9, 9, 9, 255)),
        "from_threshold, surface": lambda lib, m, n: lambda: lib.from_threshold(image, "white", (9, 9, 9, 255), keyed),
        "to_surface, new": lambda lib, m, n: lambda: m.to_surface(),
        "to_surface, given": lambda lib, m, n: lambda: m.to_surface(target),
        "to_surface, given, 24 bits": lambda lib, m, n: lambda: m.to_surface(target24),
        "to_surface, setsurface": lambda lib, m, n: lambda: m.to_surface(target, setsurface=fill, unsetcolor=None),
        "copy": lambda lib, m, n: lambda: m.copy(),
        "get_size": lambda lib, m, n: lambda: m.get_size(),
        "get_rect": lambda lib, m, n: lambda: m.get_rect(),
        "get_at": lambda lib, m, n: lambda: m.get_at((third, half)),
        "set_at": lambda lib, m, n: lambda: m.set_at((0, 0), 0),
        "overlap, hit": lambda lib, m, n: lambda: m.overlap(m, (third, third)),
        "overlap, hit, dx < 0": lambda lib, m, n: lambda: m.overlap(m, (-third, third)),
        "overlap, miss of pixels": lambda lib, m, n: lambda: m.overlap(m, (side - 2, half)),
        "overlap, miss of boxes": lambda lib, m, n: lambda: m.overlap(m, (2 * side, 0)),
        "overlap_area": lambda lib, m, n: lambda: m.overlap_area(m, (third, third)),
        "overlap_mask": lambda lib, m, n: lambda: m.overlap_mask(m, (third, third)),
        "fill": lambda lib, m, n: (lambda one: lambda: one.fill())(m.copy()),
        "clear": lambda lib, m, n: (lambda one: lambda: one.clear())(m.copy()),
        "invert": lambda lib, m, n: (lambda one: lambda: one.invert())(m.copy()),
        "draw": lambda lib, m, n: (lambda one: lambda: one.draw(m, (third, 0)))(m.copy()),
        "erase": lambda lib, m, n: (lambda one: lambda: one.erase(m, (third, 0)))(m.copy()),
        "scale, 2x": lambda lib, m, n: lambda: m.scale((2 * side, 2 * side)),
        "count": lambda lib, m, n: lambda: m.count(),
        "centroid": lambda lib, m, n: lambda: m.centroid(),
        "angle": lambda lib, m, n: lambda: m.angle(),
        "outline": lambda lib, m, n: lambda: m.outline(),
        "convolve": lambda lib, m, n: lambda: m.convolve(m),
        "connected_component": lambda lib, m, n: lambda: m.connected_component(),
        "connected_components, one": lambda lib, m, n: lambda: m.connected_components(),
        "connected_components, noise": lambda lib, m, n: lambda: n.connected_components(),
        "get_bounding_rects, noise": lambda lib, m, n: lambda: n.get_bounding_rects(),
    }


class Sprites:
    """A sprite, and groups of sprites at random places, with masks of a module or without."""

    def __init__(self, module: Any, side: int, has_masks: bool) -> None:
        random, image = np.random.default_rng(3), star(side)
        self.groups = {}
        for count in (20, 200, 500):
            group: Any = pygame.sprite.Group()
            for x, y in random.integers(0, 8 * side, (count, 2)).tolist():
                one: Any = pygame.sprite.Sprite(group)
                one.image, one.rect = image, pygame.Rect(x, y, side, side)
                if has_masks:
                    one.mask = module.from_surface(image)
            self.groups[count] = group
        self.one = self.groups[200].sprites()[7]

    def places(self, found: Any) -> Any:
        """Returns where the sprites of an answer are."""
        if isinstance(found, dict):
            return [(self.places(a), self.places(b)) for a, b in found.items()]
        return [self.places(one) for one in found] if isinstance(found, list) else found and tuple(found.rect)


def sprite_calls() -> dict[str, Callable[[Any, Sprites], Any]]:
    """Returns every collision function of pygame.sprite, of a module and its sprites."""
    calls: dict[str, Callable[[Any, Sprites], Any]] = {"collide_mask": lambda lib, s: lib.collide_mask(s.one, s.groups[20].sprites()[1])}
    for count in (20, 200, 500):
        calls[f"spritecollide, 1 x {count}"] = lambda lib, s, n=count: lib.spritecollide(s.one, s.groups[n], False, lib.collide_mask)
        calls[f"spritecollideany, 1 x {count}"] = lambda lib, s, n=count: lib.spritecollideany(s.one, s.groups[n], lib.collide_mask)
    calls["spritecollide, rects, 1 x 20"] = lambda lib, s: lib.spritecollide(s.one, s.groups[20], False)
    calls["spritecollideany, rects, 1 x 20"] = lambda lib, s: lib.spritecollideany(s.one, s.groups[20])
    calls["spritecollide, circles, 1 x 20"] = lambda lib, s: lib.spritecollide(s.one, s.groups[20], False, lib.collide_circle)
    calls["groupcollide, 20 x 200"] = lambda lib, s: lib.groupcollide(s.groups[20], s.groups[200], False, False, lib.collide_mask)
    calls["groupcollide, rects, 20 x 200"] = lambda lib, s: lib.groupcollide(s.groups[20], s.groups[200], False, False)
    return calls


def single_calls() -> None:
    """Prints every function of pygame.mask and every collision of pygame.sprite: hitmask's time by pygame's."""
    sides, rows = (16, 64, 256), {}
    libraries = (pygame.mask, ours)
    for side in sides:
        noise = pygame.Surface((side, side), pygame.SRCALPHA)
        alpha = np.random.default_rng(2).random((side, side)) < 0.3
        pygame.surfarray.pixels_alpha(noise)[:] = alpha * np.uint8(255)
        made = [[lib, lib.from_surface(star(side)), lib.from_surface(noise)] for lib in libraries]
        for name, make in mask_calls(side).items():
            theirs, mine = (make(*one) for one in made)
            assert content(theirs()) == content(mine()), (name, side)
            rows.setdefault(name, []).append(pair_of_times(theirs, mine))
        for has_masks in (True, False):
            sprites = [Sprites(lib, side, has_masks) for lib in libraries]
            for name, call in sprite_calls().items():
                if not has_masks and name not in ("collide_mask", "spritecollide, 1 x 20"):
                    continue
                theirs, mine = (lambda: call(pygame.sprite, sprites[0])), (lambda: call(our_sprite, sprites[1]))
                a, b = theirs(), mine()
                assert sprites[0].places(a) == sprites[1].places(b) if name != "collide_mask" else a == b, (name, side)
                rows.setdefault(name if has_masks else f"{name}, no masks", []).append(pair_of_times(theirs, mine))
    print("| call | " + " | ".join(f"{side} px: ns, ratio" for side in sides) + " |")
    print("|---|" + "---|" * len(sides))
    above = 0
    for name, times in rows.items():
        above += sum(mine > theirs for theirs, mine in times)
        print(f"| {name} | " + " | ".join(f"{theirs:.0f}, {mine / theirs:.2f}" for theirs, mine in times) + " |")
    print(f"\n{len(rows)} calls at {len(sides)} sizes; above 1.0: {above}")


def group_of_turning_sprites() -> None:
    """Prints groupcollide of 500 x 500 turning sprites: new masks by pygame, and a world."""
    random, image, count = np.random.default_rng(5), star(), 500
    xy = random.uniform(0, 2000, (2 * count, 2)).astype(np.float32)
    angle = random.uniform(0, 2 * np.pi, 2 * count).astype(np.float32)

    class Turning(pygame.sprite.Sprite):
        pass

    def sprites(places: Any) -> Any:
        group = pygame.sprite.Group()
        for x, y in places.tolist():
            one: Any = Turning(group)
            one.place = (x, y)
        return group

    left, right = sprites(xy[:count]), sprites(xy[count:])

    def theirs() -> int:
        for group, angles in ((left, angle[:count]), (right, angle[count:])):
            for one, turn in zip(group, angles.tolist()):
                one.image = pygame.transform.rotate(image, -np.degrees(turn))
                one.rect = one.image.get_rect(center=one.place)
                one.mask = pygame.mask.from_surface(one.image)
        return sum(map(len, pygame.sprite.groupcollide(left, right, False, False, pygame.sprite.collide_mask).values()))

    world = hitmask.World(hp.bake({"star": image}, angles=256))
    ids = np.array(
        [world.insert("star", layers=1 if i < count else 2, collides_with=2 if i < count else 1) for i in range(2 * count)],
        np.uint64,
    )

    turned = [angle, angle + np.float32(0.1)]

    def mine() -> int:
        # Other angles each time: a sprite that does not move costs nothing.
        turned.reverse()
        world.set_placements(ids, xy, turned[1])
        world.update()
        return len(world.touching())

    counts = theirs(), mine()
    slow, fast = best(theirs, 3), best(mine, 30)
    for one in (*left, *right):
        one.mask = ours.from_surface(one.image)
    group = our_sprite.groupcollide
    pixels = best(lambda: pygame.sprite.groupcollide(left, right, False, False, our_sprite.collide_mask), 3)
    drop = best(lambda: group(left, right, False, False, our_sprite.collide_mask), 3)
    print(f"\ngroupcollide, 500 x 500 turning sprites: pygame-ce {slow * 1e3:.1f} ms ({counts[0]} pairs), ", end="")
    print(f"hitmask world {fast * 1e3:.3f} ms ({counts[1]} pairs), {slow / fast:.0f}x")
    print(f"without turns and new masks: pygame's groupcollide {pixels * 1e3:.1f} ms, the drop-in {drop * 1e3:.1f} ms")


def bulk_calls() -> None:
    """Prints calls for 10,000 items at once, beside loops of single calls."""
    random, count = np.random.default_rng(9), 10_000
    atlas = hp.bake({"star": star(32)}, angles=64)
    side = 64 * np.sqrt(count)
    xy, ends = (random.uniform(0, side, (count, 2)).astype(np.float32) for _ in range(2))
    ends = xy + (ends - xy) / np.float32(20)
    motions = random.uniform(-60, 60, (count, 2)).astype(np.float32)
    angle = random.uniform(0, 6.28, count).astype(np.float32)
    world = hitmask.World(atlas)
    ids = world.insert_all("star", xy, angle)
    world.update()
    sprite, pairs, at = atlas["star"], random.integers(0, count, (count, 2)), random.integers(-30, 31, (count, 2)).astype(np.int32)
    poses = sprite.pose_ids(angle)
    masks = [sprite.posed(0, turn)[0] for turn in angle.tolist()]
    lists = xy.tolist(), ends.tolist(), motions.tolist(), angle.tolist(), ids.tolist(), at.tolist()
    calls: dict[str, tuple[Callable[[], Any], Callable[[], Any]]] = {
        "insert_all": (
            lambda: [hitmask.World.insert(w, "star", p, angle=a) for w in [hitmask.World(atlas)] for p, a in zip(lists[0], lists[3])],
            lambda: hitmask.World(atlas).insert_all("star", xy, angle),
        ),
        "placements": (
            lambda: [world.get(n).at for n in lists[4]],
            lambda: world.placements(ids).xy,
        ),
        "rays": (
            lambda: [hit.collider if hit else 0 for hit in map(world.ray, lists[0], lists[1])],
            lambda: world.rays(xy, ends).collider,
        ),
        "picks": (lambda: [world.pick(p, 4.0) or 0 for p in lists[1]], lambda: world.picks(ends, 4.0)),
        "casts": (
            lambda: [hit.collider if hit else 0 for hit in map(world.cast, lists[4], lists[2])],
            lambda: world.casts(ids, motions).collider,
        ),
        "batch_area": (
            lambda: [masks[a].overlap_area(masks[b], p) for (a, b), p in zip(pairs.tolist(), lists[5])],
            lambda: atlas.batch_area(poses[pairs], at),
        ),
    }
    print("\n| 10,000 items | loop | one call | |\n|---|---|---|---|")
    for name, (loop, bulk) in calls.items():
        assert np.array_equal(loop(), bulk()), name
        slow, fast = best(loop, 5), best(bulk, 5)
        print(f"| {name} | {slow * 1e3:.2f} ms | {fast * 1e3:.2f} ms | {slow / fast:.1f}x |")


def frames() -> None:
    """Prints frames of many moving and turning sprites, placed from arrays, and the same in Rust."""
    small = pygame.transform.smoothscale(star(), (32, 32))
    atlas = hp.bake({"star": small}, angles=64)
    for count in (10_000, 100_000):
        random = np.random.default_rng(5)
        side = 64 * np.sqrt(count)
        xy = random.uniform(0, side, (count, 2)).astype(np.float32)
        velocity = random.uniform(-2, 2, (count, 2)).astype(np.float32)
        angle = random.uniform(0, 2 * np.pi, count).astype(np.float32)
        rust = rust_frame(atlas, np.column_stack([xy, velocity, angle]))
        world = hitmask.World(atlas)
        ids = world.insert_all("star", xy)
        parts = np.zeros(3)
        rounds = 40
        for index in range(rounds + 5):
            if index == 5:
                parts[:] = 0
            xy += velocity
            angle += np.float32(0.02)
            times = [time.perf_counter()]
            world.set_placements(ids, xy, angle)
            times.append(time.perf_counter())
            world.update()
            times.append(time.perf_counter())
            pairs = world.touching()
            times.append(time.perf_counter())
            parts += np.diff(times)
        parts *= 1e3 / rounds
        print(
            f"{count} sprites of 32 px: {parts.sum():.2f} ms a frame (place {parts[0]:.2f}, update {parts[1]:.2f}, "
            f"pairs {parts[2]:.2f}; {len(pairs)} pairs)"
        )
        if rust is not None:
            assert rust[1] == len(pairs), f"Rust has {rust[1]} pairs"
            print(f"  in Rust {rust[0]:.2f} ms: {parts.sum() / rust[0]:.2f}x")


def rust_frame(atlas: hitmask.Atlas, sprites: Any) -> tuple[float, int] | None:
    """Returns the ms of the same frame in Rust and its pairs, or None without the program."""
    program = os.environ.get("HITMASK_FRAME")
    if program is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "star.hitmask").write_bytes(atlas.to_bytes())
        sprites.astype(np.float32).tofile(Path(folder, "sprites.f32"))
        printed = subprocess.run([program, folder], check=True, capture_output=True, text=True).stdout.split()
    return float(printed[0]), int(printed[1])


if __name__ == "__main__":
    pygame.init()
    print(f"hitmask {hitmask.__version__}, pygame-ce {pygame.version.ver}, numpy {np.__version__}, 1 thread\n")
    single_calls()
    group_of_turning_sprites()
    bulk_calls()
    frames()
