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


def per_call(call: Callable[[], Any], count: int = 20_000) -> float:
    """Returns the shortest mean time of a call in ns."""

    def loop() -> None:
        for _ in range(count):
            call()

    return best(loop) / count * 1e9


def star() -> pygame.Surface:
    """Returns a star of 64 x 64 pixels."""
    image = pygame.Surface((64, 64), pygame.SRCALPHA)
    turns = [(np.sin(np.pi * k / 5), -np.cos(np.pi * k / 5)) for k in range(10)]
    points = [(32 + (31 if k % 2 == 0 else 13) * x, 32 + (31 if k % 2 == 0 else 13) * y) for k, (x, y) in enumerate(turns)]
    pygame.draw.polygon(image, "white", points)
    return image


def single_calls() -> None:
    """Prints single calls of masks of 64 x 64 pixels, ours and pygame's."""
    image = star()
    pairs = {"pygame": pygame.mask.from_surface(image), "hitmask": ours.from_surface(image)}
    calls: dict[str, Callable[[Any], Callable[[], Any]]] = {
        "overlap, hit": lambda m: lambda: m.overlap(m, (20, 12)),
        "overlap, miss of pixels": lambda m: lambda: m.overlap(m, (58, 50)),
        "overlap, miss of boxes": lambda m: lambda: m.overlap(m, (90, 12)),
        "overlap_area": lambda m: lambda: m.overlap_area(m, (20, 12)),
        "overlap_mask": lambda m: lambda: m.overlap_mask(m, (20, 12)),
        "get_at": lambda m: lambda: m.get_at((20, 12)),
        "set_at": lambda m: lambda: m.set_at((20, 12), 1),
        "count": lambda m: lambda: m.count(),
        "centroid": lambda m: lambda: m.centroid(),
        "copy": lambda m: lambda: m.copy(),
        "get_size": lambda m: lambda: m.get_size(),
        "get_rect": lambda m: lambda: m.get_rect(),
    }
    slow: dict[str, Callable[[Any], Callable[[], Any]]] = {
        "outline": lambda m: lambda: m.outline(),
        "connected_components": lambda m: lambda: m.connected_components(),
        "convolve 64 x 64": lambda m: lambda: m.convolve(m),
        "scale to 128": lambda m: lambda: m.scale((128, 128)),
        "to_surface": lambda m: lambda: m.to_surface(),
    }
    print("| call on 64 x 64 px | pygame-ce, ns | hitmask, ns | ratio |\n|---|---|---|---|")
    for group, count in ((calls, 20_000), (slow, 300)):
        for name, make in group.items():
            theirs, mine = (per_call(make(mask), count) for mask in pairs.values())
            print(f"| {name} | {theirs:.0f} | {mine:.0f} | {mine / theirs:.2f} |")
    theirs = per_call(lambda: pygame.mask.from_surface(image), 2000)
    mine = per_call(lambda: ours.from_surface(image), 2000)
    print(f"| from_surface | {theirs:.0f} | {mine:.0f} | {mine / theirs:.2f} |")


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
        ids = np.array([world.insert("star") for _ in range(count)], np.uint64)
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
    frames()
