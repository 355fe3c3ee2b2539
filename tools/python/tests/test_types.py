"""Stubs: a sample under `mypy --strict`, and stubtest against the module."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("mypy")

SAMPLE = """
from pathlib import Path
import numpy as np
import pygame
import hitmask
import hitmask.pygame
from hitmask import Atlas, Bake, Contact, Mask, World

mask: Mask = Mask("#.") | ~Mask("##")
bits: np.ndarray[tuple[int, ...], np.dtype[np.bool_]] = mask.to_numpy()
atlas: Atlas = Bake(angles=8, scales=[1.0]).add_frames("a", [mask, np.ones((2, 2), bool)], pivot=(0.5, 0)).atlas()
world = World(atlas, accuracy="coarse", scale_policy="nearest")
ship: int = world.insert("a", (1, 2), angle=0.5, layers=3)
world.set(ship, scale=1.0, at=(3, 4))
world.set_placements([ship], np.zeros((1, 2)), np.zeros(1))
world.update(lambda a, b, contact: contact.area > 3)
contact: Contact | None = world.contact(ship, ship)
if contact is not None:
    x0, y0, x1, y1 = contact.rect
    area: int = contact.area
found: list[int] = world.query_point((0, 0), layers=3, ignore=ship)
hit = world.cast(ship, (4, 0), among=lambda number: number != ship)
if hit is not None:
    side: str = hit.impact.side
place = pygame.Vector2(3, 4)
world.move_to(ship, place)
other = world.insert("a", place)
found = world.query_circle(place, 3) + world.query_rect(pygame.Rect(1, 2, 3, 4)) + world.query_rect([1, 2, 3, 4])
hit = world.move_until_contact(ship, pygame.math.Vector2(1, 0) * 3)
world.place(ship, pygame.Vector3(1, 2, 3).xy, 0.5)
thin: int = atlas["a"].shape(0, 1.0, y_up=True, origin=place).pieces().left_out
opened: Mask = Mask.open("ship.png", alpha=9)
sprite = hitmask.pygame.TurningSprite("a", position=place)
sprite.position = place + (1, 1)
sprite.position = (3.0, 4.0)
merged: hitmask.MergeReport = hitmask.merge("a.hitmask", [Path("1"), Path("2")])
shards: list[Bake] = [Bake().shard(1, 2), Bake().shard("auto")]
try:
    world.remove(ship)
except hitmask.UnknownIdError as error:
    print(error.help)
"""

WRONG = """
from hitmask import Mask, World
Mask("#").overlap_area("#")
def wrong(world: World) -> None:
    world.insert("a", colour=3)
    world.query_point((0, 0), layer=2)
    world.accuracy = "rough"
    world.move_to(3, "ab")
    world.move_to(3, 4)
"""


def test_a_sample_is_accepted_strictly(tmp_path: Path) -> None:
    path = tmp_path / "sample.py"
    path.write_text(SAMPLE)
    told = subprocess.run([sys.executable, "-m", "mypy", "--strict", str(path)], capture_output=True, text=True)
    assert told.returncode == 0, told.stdout
    path.write_text(WRONG)
    told = subprocess.run([sys.executable, "-m", "mypy", "--strict", str(path)], capture_output=True, text=True)
    assert told.stdout.count("error:") == 6, told.stdout


def test_the_package_itself_is_strict() -> None:
    told = subprocess.run([sys.executable, "-m", "mypy", "--strict", "-p", "hitmask"], capture_output=True, text=True)
    assert told.returncode == 0, told.stdout


def test_the_stubs_fit_the_module() -> None:
    command = [sys.executable, "-m", "mypy.stubtest", "hitmask._hitmask", "--ignore-missing-stub"]
    told = subprocess.run(command, capture_output=True, text=True)
    assert told.returncode == 0, told.stdout
