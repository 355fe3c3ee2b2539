"""Calls of every method with arguments of any kind: an exception of Python at most, and a world that stays whole.

`HITMASK_CALLS=1000000 pytest tests/test_random_calls.py` makes as many calls.
"""

from __future__ import annotations

import inspect
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hitmask
from hitmask import Atlas, Bake, Mask, ShapeGrid, World
from hitmask.pygame import mask as pygame_mask

CALLS = int(os.environ.get("HITMASK_CALLS", 5_000))


def arrays(random: np.random.Generator) -> list[Any]:
    """Returns arrays of right and wrong shapes, types, orders and strides."""
    base = random.integers(0, 256, (9, 8, 4), np.uint8)
    numbers = random.uniform(-50, 50, (6, 2)).astype(np.float32)
    locked = numbers.copy()
    locked.flags.writeable = False
    return [
        base, base[::-1, ::2], base[:, :, 3], base[:, :, 3] > 99, base.astype(np.int64), np.asfortranarray(base),
        np.zeros((0, 5), bool), np.zeros((3, 0), np.uint8), np.array(5), np.array("text"), np.array([None, 1], object),
        numbers, numbers[::2], numbers.T, numbers.astype(np.float64), numbers.astype(">f4"), locked, numbers[:, 0],
        np.full((6, 2), np.nan, np.float32), np.full(6, np.inf), np.zeros(3, [("a", "u1"), ("b", "<u8")])["b"],
        np.arange(6, dtype=np.uint64), np.arange(12, dtype=np.int32).reshape(6, 2), np.array([2**63], np.uint64),
        np.lib.stride_tricks.as_strided(numbers, (6, 2), (0, 4)), memoryview(b"12345678"), bytearray(9), b"\xff" * 16,
    ]


class Fuzz:
    """Objects that live, and values that become arguments."""

    def __init__(self, seed: int) -> None:
        self.random = np.random.default_rng(seed)
        self.seed = seed
        bake = Bake(angles=8).add_frames("a", Mask.disc(5)).add_frames("b", np.ones((3, 7), bool))
        self.atlas = bake.atlas()
        self.world = World(self.atlas)
        self.ids = [self.world.insert("ab"[i % 2], self.random.uniform(0, 40, 2).tolist()) for i in range(9)]
        self.masks = [self.world.insert_mask(Mask.disc(9))]
        self.world.update()
        self.arrays = arrays(self.random)

    def pick(self, values: Any) -> Any:
        return values[int(self.random.integers(len(values)))]

    def value(self) -> Any:
        """Returns an argument: often one that fits somewhere."""
        match int(self.random.integers(9)):
            case 0:
                return self.pick([-1, 0, 1, 2, 3, 8, 40, 255, 2**31, -(2**31), 2**63, 2**64 - 1, 2**70])
            case 1:
                return self.pick([0.0, -2.5, 0.3, 1e9, 1e300, float("nan"), float("inf"), True, False, None, ...])
            case 2:
                return self.pick(["a", "b", "nearest", "exact", "coarse", "", "x.hitmask", "#ff00ff", "é", "..", "a\0b"])
            case 3:
                return self.pick([(1, 2), (0.5, -3.0), [4, 4], (), (1,), ("a", "b"), (1, 2, 30, 40), (float("nan"), 0), {}, {1: 2}])
            case 4:
                return self.pick([*self.ids, *self.masks, 0, 5])
            case 5:
                return self.pick([Mask.disc(4), Mask.empty(0, 0), pygame_mask.Mask((5, 5), True), self.world, self.atlas])
            case 6:
                return self.pick([np.array(self.ids, np.uint64), self.world.touching(), lambda *_: True, lambda *_: 1 / 0, World])
            case _:
                return self.pick(self.arrays)

    def fitting(self, name: str) -> Any:
        """Returns an argument that suits the name of a parameter, or any."""
        xy = self.random.uniform(-20, 60, 2)
        if name in ("id", "a", "b") and self.random.random() < 0.7:
            return self.pick(self.ids)
        if name in ("ids", "pairs"):
            return self.pick([np.array(self.ids, np.uint64), self.world.touching(), self.ids, [], np.zeros((0, 2), np.uint64)])
        if name in ("xy", "angle", "scale", "turn"):
            count = len(self.ids)
            return self.pick([self.random.uniform(0, 40, (count, 2)).astype(np.float32), np.zeros(count, np.float32), 0.4, 1.0])
        if name in ("at", "motion", "center", "start", "end", "offset", "size", "position", "pos", "translation"):
            return self.pick([xy.tolist(), tuple(int(v) for v in xy), xy])
        if name in ("rect", "changed", "zone"):
            return tuple(int(v) for v in self.random.integers(-9, 50, 4))
        if name in ("mask", "other", "pixels", "grid", "obstacle"):
            return self.pick([Mask.disc(4), self.masks[0], pygame_mask.Mask((5, 5), True), ShapeGrid(Mask.disc(12), 8), self.arrays[3]])
        if name in ("radius", "side", "within", "minimum", "every", "count", "max_error", "angles"):
            return self.pick([0, 1, 3, 8, 64, 0.5, 2.0])
        if name in ("data", "snapshot", "bytes"):
            return self.pick([self.world.snapshot(), self.atlas.to_bytes(), b"", self.world.snapshot()[:-3]])
        return self.value()

    def target(self) -> Any:
        choices = [
            self.world, self.world, self.world, self.atlas, Mask.disc(6), pygame_mask.Mask((9, 9)), Bake(angles=4),
            ShapeGrid(Mask.disc(12), 8), Mask, Atlas, World, Bake, ShapeGrid, hitmask.Collider, pygame_mask.Mask,
        ]
        return self.pick(choices)

    def call(self) -> tuple[str, bool]:
        """Makes a call, and returns what it was, and whether it succeeded."""
        target = self.target()
        names = [name for name in dir(target) if not name.startswith("__") or name in ("__init__", "__eq__", "__setstate__")]
        name = self.pick(names)
        method = target if isinstance(target, type) and self.random.random() < 0.3 else getattr(target, name)
        if not callable(method):
            return name, True
        try:
            known = list(inspect.signature(method).parameters.values())
        except ValueError:
            known = []
        arguments, named = [], {}
        for one in known:
            if one.kind in (one.VAR_POSITIONAL, one.VAR_KEYWORD):
                continue
            is_needed = one.default is one.empty
            if not is_needed and self.random.random() < 0.6:
                continue
            value = self.fitting(one.name) if self.random.random() < 0.85 else self.value()
            if one.kind is one.KEYWORD_ONLY or not is_needed:
                named[one.name] = value
            else:
                arguments.append(value)
        text = f"seed {self.seed}: {target!r}.{name}({arguments!r}, {named!r})"
        try:
            method(*arguments, **named)
        except Exception as error:
            # A panic of Rust is no `Exception`, and fails the test by itself.
            assert str(error) or isinstance(error, (KeyError, StopIteration)), text
            return text, False
        return text, True


@pytest.mark.filterwarnings("ignore")
def test_calls_with_any_arguments_raise_exceptions_at_most(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    succeeded = 0
    for seed in range(max(1, CALLS // 500)):
        fuzz = Fuzz(seed)
        for _ in range(500):
            text, is_done = fuzz.call()
            succeeded += is_done
        # Nothing is half changed: the world is as one that is made of its state.
        fuzz.world.validate()
        fresh = World.from_snapshot(fuzz.world.atlases(), fuzz.world.snapshot())
        assert fresh.state_hash() == fuzz.world.state_hash(), text
    assert succeeded > CALLS / 5, "the calls are too wild to say much"
