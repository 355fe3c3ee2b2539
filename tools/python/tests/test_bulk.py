"""Calls for many at once equal loops of single calls, and a call that is refused changes nothing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import hitmask
from hitmask import Atlas, Bake, Mask, World


@pytest.fixture
def crowd(world: World, random: np.random.Generator) -> Any:
    """200 colliders of three sprites, and their arguments."""
    names = random.choice(["cross", "box", "disc"], 200).tolist()
    xy = random.uniform(0, 300, (200, 2)).astype(np.float32)
    angle = random.uniform(0, 6, 200).astype(np.float32)
    scale = random.choice(np.array([0.5, 1.0, 2.0], np.float32), 200)
    return world.insert_all(names, xy, angle, scale, layers=3), (names, xy, angle, scale)


def test_insert_all_is_a_loop_of_insert(atlas: Atlas, world: World, crowd: Any) -> None:
    ids, (names, xy, angle, scale) = crowd
    loop = World(atlas)
    one_by_one = [loop.insert(name, at, angle=a, scale=s, layers=3) for name, at, a, s in zip(names, xy, angle, scale)]
    assert ids.dtype == np.uint64 and ids.tolist() == one_by_one == world.ids().tolist()
    assert world.state_hash() == loop.state_hash()
    same = world.insert_all("box", xy[:2], turn=np.array([1, 2], np.uint16), fixed=True)
    assert [world.get(number).turn for number in same.tolist()] == [1, 2] and world.get(int(same[0])).fixed
    by_id = world.insert_all(np.array([atlas["disc"].id, atlas["box"].id], np.uint64), xy[:2])
    assert [world.get(number).sprite for number in by_id.tolist()] == ["disc", "box"]
    shown = world.insert_mask(Mask.disc(3))
    assert world.get(int(world.insert_all(None, xy[:1], mask=shown)[0])).mask == shown
    assert world.insert_all("box", np.zeros((0, 2))).shape == (0,)


def test_insert_all_adds_all_or_none(world: World, crowd: Any) -> None:
    ids, (names, xy, _, _) = crowd
    before = world.state_hash()
    far = xy.copy()
    far[7, 1] = np.nan
    refused: list[tuple[Any, type[Exception], str]] = [
        (lambda: world.insert_all(names, far), hitmask.InvalidValueError, "item 7"),
        (lambda: world.insert_all("box", xy, scale=np.full(200, 50.0)), hitmask.InvalidValueError, "item 0"),
        (lambda: world.insert_all(names[:3], xy), hitmask.InvalidValueError, "3 items and the arrays 200 rows; pass one name"),
        (lambda: world.insert_all("boxx", xy), hitmask.UnknownIdError, 'did you mean "box"'),
        (lambda: world.insert_all("box", xy, np.zeros(3)), hitmask.InvalidValueError, "angle has the shape"),
        (lambda: world.insert_all("box", xy, np.zeros(200), turn=np.zeros(200)), hitmask.InvalidValueError, "both"),
        (lambda: world.insert_all("box", xy[0]), hitmask.InvalidValueError, "xy has the shape"),
        (lambda: world.insert_all("box", xy.astype(str)), TypeError, "xy holds"),
        (lambda: world.insert_all(None, xy), hitmask.InvalidValueError, "no shape"),
        (lambda: world.insert_all("box", xy, layer=1), TypeError, "did you mean layers"),
        (lambda: world.remove_all(ids[[0, 1, 0]]), hitmask.UnknownIdError, "twice; pass each id once"),
        (lambda: world.remove_all([int(ids[0]), 5]), hitmask.UnknownIdError, "5"),
    ]
    for call, error, text in refused:
        with pytest.raises(error, match=text):
            call()
        assert len(world) == 200 and world.state_hash() == before, text


def test_placements_go_round(world: World, crowd: Any) -> None:
    ids, (_, xy, angle, scale) = crowd
    before = world.state_hash()
    found = world.placements()
    assert np.array_equal(found.ids, ids) and np.array_equal(found.xy, xy) and np.array_equal(found.scale, scale)
    assert np.allclose(found.angle, angle)
    some = world.placements(ids[[5, 3]])
    assert np.array_equal(some.xy, xy[[5, 3]])
    world.set_placements(found.ids, found.xy + np.float32(1), found.angle, found.scale)
    assert world.state_hash() != before
    world.set_placements(found.ids, found.xy, found.angle, found.scale)
    assert world.state_hash() == before
    world.remove_all(ids[3:5])
    assert len(world) == 198 and world.ids().tolist() == ids[[*range(3), *range(5, 200)]].tolist()
    with pytest.raises(hitmask.UnknownIdError, match="item 1"):
        world.placements(ids[[0, 3]])
    with pytest.raises(hitmask.UnknownIdError, match="item 1"):
        world.remove_all(ids[[0, 3]])


def test_rays_picks_and_casts_are_loops(world: World, crowd: Any, random: np.random.Generator) -> None:
    ids, _ = crowd
    starts = random.uniform(-50, 350, (300, 2)).astype(np.float32)
    ends = random.uniform(-50, 350, (300, 2)).astype(np.float32)
    options: list[dict[str, Any]] = [{}, {"layers": 4}, {"ignore": int(ids[3]), "accuracy": "box"}]
    for filter in options:
        rays = world.rays(starts, ends, **filter)
        for index, (start, end) in enumerate(zip(starts, ends)):
            hit = world.ray(start, end, **filter)
            assert int(rays.collider[index]) == (hit.collider if hit else 0)
            if hit:
                assert tuple(rays.point[index]) == hit.point and rays.step[index] == hit.step
                assert rays.steps[index] == hit.steps and np.allclose(rays.normal[index], hit.normal)
        picked = world.picks(starts, 9.0, **filter)
        assert picked.tolist() == [world.pick(at, 9.0, **filter) or 0 for at in starts]
    assert world.rays(starts, ends).collider.any() and picked.any()
    motions = random.uniform(-90, 90, (200, 2)).astype(np.float32)
    before = world.state_hash()
    hits = world.casts(ids, motions)
    for index, (number, motion) in enumerate(zip(ids.tolist(), motions)):
        hit = world.cast(number, motion)
        assert int(hits.collider[index]) == (hit.collider if hit else 0)
        if hit:
            assert tuple(hits.position[index]) == hit.position and tuple(hits.point[index]) == hit.point
            assert hits.time[index] == np.float32(hit.impact.time) and np.allclose(hits.normal[index], hit.impact.normal)
        else:
            assert np.allclose(hits.position[index], np.add(world.get(number).at, motion)) and hits.time[index] == 1
    assert world.state_hash() == before
    for call, text in [
        (lambda: world.rays(starts, ends[:3]), "ends has the shape"),
        (lambda: world.rays(starts, np.full_like(ends, np.inf)), "item 0"),
        (lambda: world.picks(starts, -1.0), "item 0"),
        (lambda: world.casts(ids, motions[:3]), "motions has the shape"),
    ]:
        with pytest.raises(hitmask.InvalidValueError, match=text):
            call()
    assert world.rays(np.zeros((0, 2)), np.zeros((0, 2))).point.shape == (0, 2)


def test_batches_are_loops_over_poses(atlas: Atlas, random: np.random.Generator) -> None:
    angles = random.uniform(0, 6.28, 400).astype(np.float32)
    left, right = atlas["box"].pose_ids(angles, scale=2.0), atlas["cross"].pose_ids(angles[::-1], flip_x=True)
    offsets = random.integers(-3, 16, (400, 2)).astype(np.int32)
    poses = np.column_stack([left, right])
    touches, area = atlas.batch_touches(poses, offsets), atlas.batch_area(poses, offsets)
    assert 0 < touches.sum() < 400
    for index in range(400):
        a = atlas["box"].posed(0, float(angles[index]), 2.0)[0]
        b = atlas["cross"].posed(0, float(angles[399 - index]), flip_x=True)[0]
        assert area[index] == a.overlap_area(b, offsets[index]) and touches[index] == (area[index] > 0)
    with pytest.raises(hitmask.UnknownIdError, match="pass ids of Sprite.pose_ids"):
        atlas.batch_touches(np.zeros((400, 2), np.uint64), offsets)
    with pytest.raises(hitmask.InvalidValueError, match="offsets has the shape"):
        atlas.batch_area(poses, offsets[:2])
    compact = Bake(angles=16, compact=True).add_frames("a", "##").atlas()
    with pytest.raises(hitmask.InvalidValueError, match=r"Atlas\.drawn"):
        compact["a"].pose_ids([0.0])
    assert compact.drawn()["a"].pose_ids([0.0]).shape == (1,)


def test_a_cast_that_turns_meets_what_one_upright_passes() -> None:
    atlas = Bake(angles=64).add_frames("bar", Mask.solid(30, 2)).atlas()
    wall = Mask.solid(40, 2)
    angles = np.linspace(0, np.pi / 2, 17)
    hit = atlas["bar"].cast_turning(wall, (-20, 10), (0, 4), angles)
    assert hit is not None and 0 < hit.pose < 17
    assert atlas["bar"].cast_turning(wall, (-20, 10), (0, 4), [0.0]) is None
    down = atlas["bar"].cast_turning(wall, (-20, 10), (0, 40), [0.0] * 5)
    mask, (x, y) = atlas["bar"].posed()
    straight = mask.cast(wall, (-20 - x, 10 - y), (0, 40))
    assert down is not None and straight is not None and down.step == straight.step and straight.pose == 0
    with pytest.raises(hitmask.InvalidValueError, match="angles is empty"):
        atlas["bar"].cast_turning(wall, (0, 0), (1, 1), [])


def test_limits_of_a_bake(tmp_path: Any) -> None:
    image = pytest.importorskip("PIL.Image")
    image.new("RGBA", (40, 40), "white").save(tmp_path / "a.png")
    assert Bake(limits={"max_texels": None}).add(tmp_path / "a.png").atlas().names() == ["a"]
    with pytest.raises(hitmask.BakeError, match="1600"):
        Bake(limits={"max_texels": 1599}).add(tmp_path / "a.png").atlas()
    with pytest.raises(TypeError, match="did you mean max_texels"):
        Bake(limits={"max_texel": 1})
