"""What several tests share."""

from __future__ import annotations

import os

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
