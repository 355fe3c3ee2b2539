"""Two games of Debian, for 1,000 frames each without a window: with pygame's functions, and with the drop-in.

    python tests/games.py FOLDER [FRAMES]     # FOLDER: krank and funnyboat, unpacked by `dpkg -x`

Random numbers, time and input are the same in each run. Where both test boxes, each call must return the
same sprites, in each frame. A run with pixels then shows what changes. funnyboat compares pixels itself, in
loops of Python: these answers must be those of masks.
"""

from __future__ import annotations

import json
import math
import os
import random
import subprocess
import sys
import tempfile
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

FRAMES = 1000
GAMES = {"krank": "usr/share/games/krank", "funnyboat": "usr/share/games/funnyboat"}


class Recorder:
    """The collisions of a run, with sprites as numbers in the order in which they appeared."""

    def __init__(self, frames: int) -> None:
        self.frame, self.frames = 0, frames
        self.calls: list[Any] = []
        self.pixels = {"boxes": 0, "pixels": 0, "checked": 0}
        self._numbers: dict[Any, int] = {}

    def number(self, sprite: Any) -> int:
        return self._numbers.setdefault(sprite, len(self._numbers))

    def record(self, sprite: Any, found: list[Any]) -> None:
        self.calls.append([self.frame, self.number(sprite), [self.number(one) for one in found]])

    def next_frame(self) -> None:
        self.frame += 1
        if self.frame > self.frames:
            json.dump({"calls": self.calls, "pixels": self.pixels}, sys.stdout)
            sys.stdout.flush()
            os._exit(0)


def play(game: str, mode: str, folder: Path, frames: int) -> None:
    """Runs a game in this process until the last frame."""
    import pygame

    recorder = Recorder(frames)
    random.seed(7)
    spritecollide = pygame.sprite.spritecollide
    if mode == "drop-in":
        from hitmask.pygame.sprite import spritecollide
    # What the machine lacks and the games name: a font by its path, and yaml for a file of scores.
    font = pygame.font.Font
    pygame.font.Font = lambda name=None, size=20: font(None, size)  # type: ignore[assignment, misc]
    sys.modules["yaml"] = types.ModuleType("yaml")
    pygame.init()
    pygame.time.get_ticks = lambda: 16 * recorder.frame
    pygame.time.set_timer = lambda *_: None  # type: ignore[assignment]
    os.chdir(folder / GAMES[game])
    sys.path.insert(0, ".")
    {"funnyboat": funnyboat, "krank": krank}[game](recorder, spritecollide, mode)


def share_pixels(a: Any, b: Any) -> bool:
    """Returns whether the images of two sprites, as they are now, share a pixel as funnyboat has it: alphas with a common bit."""
    from hitmask import Mask

    at = (b.rect.x - a.rect.x, b.rect.y - a.rect.y)
    bits = [[Mask(one.image, alpha=1 << bit, alpha_test="bits") for bit in range(8)] for one in (a, b)]
    return any(mine.first_overlap(other, at) is not None for mine, other in zip(*bits))


def funnyboat(recorder: Recorder, spritecollide: Callable[..., Any], mode: str) -> None:
    import main
    import PixelPerfect
    import pygame
    from game import Game
    from health import Health
    from locals import NEXTFRAME, SCREEN_HEIGHT, SCREEN_WIDTH
    from water import Water

    original = PixelPerfect.spritecollide_pp

    def collide(sprite: Any, group: Any, dokill: int) -> Any:
        if mode != "pixels":
            found = spritecollide(sprite, group, dokill)
        else:
            near = spritecollide(sprite, group, False)
            found = original(sprite, group, dokill)
            by_masks = [one for one in near if share_pixels(sprite, one)]
            recorder.pixels["boxes"] += len(near)
            recorder.pixels["pixels"] += len(found)
            recorder.pixels["checked"] += found == by_masks
        recorder.record(sprite, found)
        return found

    PixelPerfect.spritecollide_pp = collide

    def events() -> list[Any]:
        """Returns the input of a frame: the boat drives to and fro, jumps and fires."""
        recorder.next_frame()
        t, given = recorder.frame, [pygame.event.Event(NEXTFRAME)]
        press = lambda key, down: given.append(pygame.event.Event(pygame.KEYDOWN if down else pygame.KEYUP, key=key))
        if t % 40 in (0, 20):
            left, right = t % 80 < 40, t % 40 == 0
            press(pygame.K_LEFT if left else pygame.K_RIGHT, right)
        if t % 13 == 0:
            press(pygame.K_SPACE, t % 26 == 0)
        if t % 57 == 0:
            press(pygame.K_UP, True)
        return given

    pygame.event.wait = lambda *_: pygame.event.Event(NEXTFRAME)
    pygame.event.post = lambda *_: True
    pygame.event.get = lambda *_: events()
    # A boat that cannot sink plays all frames.
    Health.damage = lambda self: None
    screen = pygame.display.set_mode((SCREEN_WIDTH, SCREEN_HEIGHT), 0, 32)
    main.init()
    Water.global_water = Water()
    while True:
        Game(screen, True).run()


def krank(recorder: Recorder, spritecollide: Callable[..., Any], mode: str) -> None:
    import pygame

    def collide(sprite: Any, group: Any, dokill: bool, collided: Any = None) -> Any:
        found = spritecollide(sprite, group, dokill, collided)
        recorder.record(sprite, found)
        if mode == "pixels":
            recorder.pixels["boxes"] += len(found)
            recorder.pixels["pixels"] += sum(share_pixels(sprite, one) for one in found)
        return found

    class Clock:
        """16 ms a frame."""

        def tick(self, *_: Any) -> int:
            recorder.next_frame()
            if recorder.frame == 100:
                # From the menu to a level.
                import Level

                Level.Level(4)
            return 16

        def get_time(self) -> int:
            return 16

        def get_fps(self) -> float:
            return 60.0

    def mouse() -> tuple[int, int]:
        """Returns the place of the pointer, in circles over the whole screen."""
        t = recorder.frame / 30
        return int(400 + 350 * math.sin(t)), int(300 + 250 * math.sin(1.7 * t))

    pygame.sprite.spritecollide = collide
    pygame.time.Clock = Clock  # type: ignore[assignment, misc]
    pygame.mouse.get_pos = mouse
    pygame.event.get = lambda *_: []
    sys.path.insert(0, str(Path("../../../lib/krank").resolve()))
    sys.argv = ["krank", "-w", "-s", "800x600"]
    import Main  # noqa: F401


def run(game: str, mode: str, folder: Path, frames: int) -> Any:
    """Returns what a run in a process of its own has recorded."""
    with tempfile.TemporaryDirectory() as home:
        environment = {
            **os.environ, "HOME": home, "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1",
            "SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy", "PYGAME_HIDE_SUPPORT_PROMPT": "1",
        }
        command = [sys.executable, "-W", "ignore", __file__, "--play", game, mode, str(folder), str(frames)]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=900)
    if done.returncode != 0 or not done.stdout:
        sys.exit(f"error: {game} ended with status {done.returncode}\n{done.stderr[-4000:]}")
    # The games print too. The record is the last line.
    return json.loads(done.stdout.splitlines()[-1])


def compare(game: str, folder: Path, frames: int) -> None:
    """Plays a game three times, and ends the program where answers differ."""
    theirs, ours, pixels = (run(game, mode, folder, frames) for mode in ("pygame", "drop-in", "pixels"))
    hits = sum(len(call[2]) for call in theirs["calls"])
    for index, (a, b) in enumerate(zip(theirs["calls"], ours["calls"])):
        if a != b:
            sys.exit(f"error: {game}: call {index} returned {a} with pygame and {b} with the drop-in")
    if len(theirs["calls"]) != len(ours["calls"]) or hits == 0:
        sys.exit(f"error: {game}: {len(theirs['calls'])} and {len(ours['calls'])} calls, {hits} collisions")
    print(f"{game}: {frames} frames, {len(theirs['calls'])} calls, {hits} collisions of boxes: the same with both")
    found, calls = pixels["pixels"], len(pixels["calls"])
    print(f"  with pixels: {found['pixels']} of {found['boxes']} boxes touch")
    if found["checked"]:
        print(f"  masks agree with the loops of the game in {found['checked']} of {calls} calls")
        if found["checked"] != calls:
            sys.exit("error: masks and the loops of the game differ")


if __name__ == "__main__":
    if sys.argv[1] == "--play":
        play(sys.argv[2], sys.argv[3], Path(sys.argv[4]), int(sys.argv[5]))
    else:
        for name in GAMES:
            compare(name, Path(sys.argv[1]).resolve(), int(sys.argv[2]) if len(sys.argv) > 2 else FRAMES)
