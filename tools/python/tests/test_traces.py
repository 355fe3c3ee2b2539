"""Replays traces of the naive world, whose answers are computed pixel by pixel: tools/scenes/src/naive/trace.rs.

Each line is a call and its right answer, `name(arguments) => answer`, both as expressions. `check.sh` writes the traces.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hitmask
from hitmask import Atlas, Mask, World

FOLDER = Path(__file__).with_name("traces")
TRACES = sorted(FOLDER.glob("trace-*.txt"))

FIELDS = {
    "Contact": "area rect point",
    "Overlap": "area rect point centroid normal side push_out depth",
    "RayHit": "collider point step steps normal",
    "Impact": "step steps time free_offset contact_offset normal side",
    "Hit": "collider position point impact",
    "BodyHit": "part body hit",
    "BodyPair": "a b parts",
    "MoveResult": "position translation contacts passed stuck_in",
    "ReloadReport": "atlas added vanished changed outdated",
    "Collider": "frame plane at rotation scale flip_x flip_y layers collides_with owner overlap fixed sensor enabled"
    " accuracy move_accuracy user_data",
}


def flat(value: Any) -> list[Any]:
    """Returns the numbers and texts of an answer in order."""
    if value is None:
        return []
    if isinstance(value, Mask):
        return [str(value).strip().replace("\n", "/")]
    if isinstance(value, np.ndarray):
        return flat(value.tolist())
    if isinstance(value, (list, tuple)):
        return [part for item in value for part in flat(item)]
    names = FIELDS.get(type(value).__name__)
    if names is None:
        return [value]
    parts = {
        "rotation": lambda: value.angle if value.turn is None else value.turn,
        "overlap": lambda: value.min_overlap if value.min_size is None else value.min_size,
    }
    return [part for name in names.split() for part in flat(parts[name]() if name in parts else getattr(value, name))]


def rows(*columns: Any) -> list[Any]:
    """Returns columns of equal length as rows."""
    return list(zip(*(np.asarray(column).tolist() for column in columns), strict=True))


class Names(dict[str, Any]):
    """The names of a trace: values, the functions below, and else the methods of the world.

    Edits answer with what they leave of a collider or a mask.
    """

    world: World
    saved: bytes

    def __init__(self) -> None:
        super().__init__(true=True, false=False, inf=math.inf, NaN=math.nan, Some=lambda value: value, odd=lambda id: id & 1)

    def __missing__(self, name: str) -> Callable[..., Any]:
        call: Callable[..., Any] = getattr(self, "on_" + name, None) or getattr(self.world, name)
        if name in ("set", "move_to", "turn_to", "place"):
            return lambda id, *arguments, **given: call(id, *arguments, **given) or self.world.get(id)
        if name in ("fill_rect", "fill_disc", "draw_mask", "redraw_mask", "transform_mask", "invert_mask", "replace_mask"):
            return lambda mask, *arguments: (call(mask, *arguments), self.world.mask(mask))[1]
        return call

    def on_M(self, text: str) -> Mask:
        return Mask(text.replace("/", "\n"))

    def on_A(self, family: int, version: int) -> Atlas:
        return Atlas.open(FOLDER / f"atlas-{family}-{version}.hitmask")

    def on_create(self, atlas: Atlas) -> None:
        self.world = World(atlas)

    def on_insert(self, **given: Any) -> Any:
        id = self.world.insert(**given)
        return id, self.world.get(id)

    def on_insert_all(self, *arguments: Any, **given: Any) -> Any:
        ids = self.world.insert_all(*arguments, **given).tolist()
        return ids, [self.world.get(id) for id in ids]

    def on_placements(self, ids: list[int]) -> Any:
        found = self.world.placements(ids)
        return rows(found.xy, found.angle)

    def on_set_placements(self, ids: list[int], *arguments: Any, **given: Any) -> Any:
        self.world.set_placements(ids, *arguments, **given)
        return self.on_placements(ids)

    def on_set_user_data(self, id: int, data: int) -> Any:
        self.world.set(id, user_data=data)
        return self.world.get(id)

    def on_user_data(self, id: int) -> int:
        return self.world.get(id).user_data

    def on_count(self) -> int:
        return len(self.world)

    def on_accuracy(self) -> str:
        return self.world.accuracy

    def on_set_accuracy(self, accuracy: Any) -> None:
        self.world.accuracy = accuracy

    def on_scale_policy(self) -> Any:
        return self.world.scale_policy

    def on_set_scale_policy(self, factor: float) -> None:
        self.world.scale_policy = factor

    def on_state_hash(self) -> int:
        return self.world.state_hash()

    def on_update_with(self, salt: int) -> None:
        of = {id: (id ^ self.world.get(id).user_data) & 0xFFFFFFFF for id in self.world.ids().tolist()}
        turned = {id: (of[id] << 9 | of[id] >> 23) & 0xFFFFFFFF for id in of}
        self.world.update(lambda a, b, _: ((of[a] ^ turned[b]) * salt & 0xFFFFFFFF) >> 29)

    def on_contacts(self, pairs: Any, normals: bool) -> Any:
        found = self.world.contacts(pairs, normals=normals)
        return rows(found.pairs, found.area, found.rect, found.point, found.normal, found.push_out)

    def on_rays(self, *arguments: Any, **filter: Any) -> Any:
        found = self.world.rays(*arguments, **filter)
        return rows(found.collider, found.point, found.step, found.steps, found.normal)

    def on_casts(self, ids: Any, motions: Any) -> Any:
        found = self.world.casts(ids, motions)
        hits = rows(found.collider, found.position, found.point, found.time, found.normal)
        return [hit if hit[0] else 0 for hit in hits]

    def on_move_all(self, *arguments: Any, **given: Any) -> Any:
        found = self.world.move_all(*arguments, **given)
        places, contacts = rows(found.position, found.translation), rows(found.contacts, found.sides)
        return places, contacts, found.passed, found.stuck_in

    def on_invert_mask(self, mask: int) -> None:
        self.world.edit_mask(mask, Mask.invert)

    def on_replace_mask(self, mask: int, by: Mask) -> None:
        def replace(copy: Mask) -> None:
            copy.clear()
            copy.draw(by)

        self.world.edit_mask(mask, replace)

    def on_save(self) -> None:
        self.saved = self.world.snapshot()

    def on_load(self) -> None:
        self.world.restore(self.saved)

    def on_copy(self) -> None:
        self.world = self.world.copy()

    def on_rebuild(self) -> None:
        self.world = World.from_snapshot(self.world.atlases(), self.world.snapshot())


def test_check_sh_has_written_traces() -> None:
    assert TRACES, "run tools/python/check.sh, which writes traces"


@pytest.mark.parametrize("path", TRACES, ids=lambda path: path.stem)
def test_every_answer_is_that_of_the_naive_world(path: Path) -> None:
    names = Names()
    for number, line in enumerate(path.read_text().splitlines(), 1):
        call, answer = line.split(" => ")
        # A call of C alone.
        if call.startswith("contact_at("):
            continue
        expected = ["refused"] if answer == "refused" else flat(eval(answer, {}, names))
        try:
            got = flat(eval(call, {}, names))
        except hitmask.HitmaskError as error:
            got, answer = ["refused"], f"{answer} ({error})"
        assert got == expected, f"{path.name}, line {number}: {call} is {got}, not {answer}"
