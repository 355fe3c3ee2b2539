"""What several tests share."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

import hitmask

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")


@pytest.fixture
def random() -> np.random.Generator:
    return np.random.default_rng(7)


@pytest.fixture(scope="session")
def atlas() -> hitmask.Atlas:
    """A cross of 3 x 3, a box of 8 x 4 and a disc of 21 x 21 pixels."""
    return (
        hitmask.Bake(angles=16, scales=[0.5, 1.0, 2.0])
        .add_frames("cross", ".#.\n###\n.#.")
        .add_frames("box", [hitmask.Mask.solid(8, 4), hitmask.Mask.solid(8, 4)])
        .add_frames("disc", hitmask.Mask.disc(10))
        .atlas()
    )


@pytest.fixture
def world(atlas: hitmask.Atlas) -> hitmask.World:
    return hitmask.World(atlas)


def with_maps(name: str) -> hitmask.Atlas:
    places = [Path(__file__).parent, Path(__file__).parents[2] / "capi" / "tests"]
    return hitmask.Atlas.open(next(place / name for place in places if (place / name).exists()))


@pytest.fixture
def yard() -> hitmask.Atlas:
    """An atlas with maps, which a test of the C interface writes. `check.sh` copies it."""
    return with_maps("yard.hitmask")


@pytest.fixture
def edited() -> hitmask.Atlas:
    """The atlas `yard` after an edit of its level."""
    return with_maps("yard-edited.hitmask")
