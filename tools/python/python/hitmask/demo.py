"""`python -m hitmask.demo`: some hundred turning sprites in a window; those that touch light up, shared pixels are white.

With `--gif FILE` no window is opened: the frames are written as a GIF, which takes Pillow.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from typing import Any

import numpy as np

from . import World

BACKGROUND, CALM, LIT, SHARED, TEXT = (16, 18, 28), (86, 98, 134), (255, 190, 84), (255, 255, 255), (190, 204, 232)


def parse(arguments: list[str] | None) -> argparse.Namespace:
    """Returns the options of the command line."""
    parser = argparse.ArgumentParser(prog="python -m hitmask.demo", description=__doc__)
    parser.add_argument("--sprites", type=int, default=300, help="number of sprites (default 300)")
    parser.add_argument("--size", type=int, nargs=2, default=(1280, 800), metavar=("W", "H"), help="window in px")
    parser.add_argument("--frames", type=int, default=0, help="stop after so many frames (default: never)")
    parser.add_argument("--gif", metavar="FILE", help="write a GIF instead of opening a window")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args(arguments)


def drawings(pygame: Any, color: tuple[int, int, int]) -> dict[str, Any]:
    """Returns a star, a ring and an arrow in a colour."""
    images = {name: pygame.Surface((32, 32), pygame.SRCALPHA) for name in ("star", "ring", "arrow")}
    turns = [(np.sin(np.pi * k / 5), -np.cos(np.pi * k / 5)) for k in range(10)]
    star = [(16 + (15 if k % 2 == 0 else 6) * x, 16 + (15 if k % 2 == 0 else 6) * y) for k, (x, y) in enumerate(turns)]
    pygame.draw.polygon(images["star"], color, star)
    pygame.draw.circle(images["ring"], color, (16, 16), 14, 4)
    pygame.draw.polygon(images["arrow"], color, [(2, 12), (18, 12), (18, 5), (30, 16), (18, 27), (18, 20), (2, 20)])
    return images


class Scene:
    """Sprites that drift and turn in a box."""

    def __init__(self, pygame: Any, count: int, size: tuple[int, int], seed: int) -> None:
        from .pygame import bake

        random = np.random.default_rng(seed)
        self.pygame = pygame
        calm, lit = drawings(pygame, CALM), drawings(pygame, LIT)
        atlas = bake(calm, angles=64)
        self.names = atlas.names()
        self.steps = atlas[self.names[0]].angles
        self.size = np.array(size, np.float32)
        self.xy = (random.random((count, 2)) * size).astype(np.float32)
        self.velocity = random.uniform(-40, 40, (count, 2)).astype(np.float32)
        self.angle = random.uniform(0, 2 * np.pi, count).astype(np.float32)
        self.spin = random.uniform(-2, 2, count).astype(np.float32)
        self.kind = random.integers(0, len(self.names), count)
        self.world = World(atlas)
        self.ids = np.array([self.world.insert(self.names[kind]) for kind in self.kind], np.uint64)
        # Every picture at every step, calm and lit.
        self.pictures = [
            [
                [pygame.transform.rotate(images[name], -360.0 * step / self.steps) for step in range(self.steps)]
                for name in self.names
            ]
            for images in (calm, lit)
        ]
        self.took = 0.0
        self.font = pygame.font.Font(None, 24)

    def tick(self, seconds: float) -> None:
        """Moves all sprites and finds the pairs that touch."""
        self.xy = (self.xy + self.velocity * seconds) % self.size
        self.angle = (self.angle + self.spin * seconds) % np.float32(2 * np.pi)
        start = time.perf_counter()
        self.world.set_placements(self.ids, self.xy, self.angle)
        self.world.update()
        self.pairs = self.world.touching()
        self.took = time.perf_counter() - start

    def draw(self, screen: Any) -> None:
        """Draws all sprites; those of a pair are lit, and the pixels that both share are white."""
        screen.fill(BACKGROUND)
        lit = np.isin(self.ids, self.pairs)
        steps = np.floor(self.angle * self.steps / (2 * np.pi) + 0.5).astype(int) % self.steps
        blits = []
        for (x, y), kind, step, is_lit in zip(self.xy.tolist(), self.kind.tolist(), steps.tolist(), lit.tolist()):
            picture = self.pictures[is_lit][kind][step]
            width, height = picture.get_size()
            blits.append((picture, (round(x) - width // 2, round(y) - height // 2)))
        screen.blits(blits, doreturn=False)
        shared = self.shared_pixels()
        if len(shared):
            self.pygame.surfarray.pixels3d(screen)[shared[:, 0], shared[:, 1]] = SHARED
        self.draw_meter(screen, int(lit.sum()))

    def draw_meter(self, screen: Any, lit: int) -> None:
        """Draws the verdicts in numbers, and the time of an update as a part of a frame of 1/60 s."""
        part = min(60 * self.took, 1.0)
        self.pygame.draw.rect(screen, CALM, (12, 12, 240, 10), 1)
        self.pygame.draw.rect(screen, LIT, (12, 12, max(1, round(240 * part)), 10))
        verdicts = f"{1000 * self.took:.2f} ms: {len(self.ids)} sprites, {lit} of them touch, in {len(self.pairs)} pairs"
        screen.blit(self.font.render(verdicts, False, TEXT), (12, 28))

    def shared_pixels(self) -> Any:
        """Returns the pixels of the box that both sprites of a pair have, as rows of x and y."""
        found = [np.zeros((0, 2), np.int32)]
        for a, b in self.pairs.tolist():
            first, second = self.world.posed(a), self.world.posed(b)
            if first is None or second is None:
                continue
            (mask, (x, y)), (other, (other_x, other_y)) = first, second
            found.append(mask.overlap_pixels(other, (other_x - x, other_y - y)) + (x, y))
        shared = np.concatenate(found)
        return shared[((shared >= 0) & (shared < self.size)).all(axis=1)]


def main(arguments: list[str] | None = None) -> int:
    """Runs the demo."""
    options = parse(arguments)
    if options.gif:
        os.environ["SDL_VIDEODRIVER"] = "dummy"
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    try:
        import pygame
    except ImportError:
        print("the demo needs pygame; install it with: pip install pygame-ce", file=sys.stderr)
        return 1
    pygame.init()
    if options.gif:
        return write_gif(pygame, options)
    screen = pygame.display.set_mode(tuple(options.size))
    scene = Scene(pygame, options.sprites, tuple(options.size), options.seed)
    clock, frame = pygame.time.Clock(), 0
    while not any(event.type in (pygame.QUIT, pygame.KEYDOWN) for event in pygame.event.get()):
        scene.tick(min(clock.tick(60) / 1000, 0.05))
        scene.draw(screen)
        pygame.display.flip()
        frame += 1
        if frame % 30 == 0:
            milliseconds = 1000 * scene.took
            pygame.display.set_caption(
                f"hitmask: {options.sprites} sprites, {len(scene.pairs)} pairs in {milliseconds:.2f} ms, "
                f"{clock.get_fps():.0f} frames/s; any key ends"
            )
        if frame == options.frames:
            break
    pygame.quit()
    return 0


def write_gif(pygame: Any, options: argparse.Namespace) -> int:
    """Writes the frames as a GIF."""
    try:
        from PIL import Image
    except ImportError:
        print("a GIF needs Pillow; install it with: pip install pillow", file=sys.stderr)
        return 1
    size = tuple(options.size)
    screen = pygame.Surface(size)
    scene = Scene(pygame, options.sprites, size, options.seed)
    frames = []
    for _ in range(options.frames or 60):
        scene.tick(1 / 25)
        scene.draw(screen)
        frames.append(Image.frombytes("RGB", size, pygame.image.tobytes(screen, "RGB")).quantize(16))
    frames[0].save(options.gif, save_all=True, append_images=frames[1:], duration=40, loop=0)
    print(f"{options.gif}: {len(frames)} frames, {len(scene.pairs)} pairs in the last one")
    return 0


if __name__ == "__main__":
    sys.exit(main())
