"""Worlds: colliders, bulk calls, pairs, queries, motions, masks, snapshots, threads and bad input."""

from __future__ import annotations

import copy
import pickle
import re
import threading
import time

import numpy as np
import pytest

import hitmask
from hitmask import Atlas, Bake, Mask, World


def brute_force(world: World) -> set[tuple[int, int]]:
    """Returns the pairs that touch by tests of each pair of drawn masks."""
    ids = world.ids().tolist()
    placed = {}
    for number in ids:
        mask, _ = world.posed(number)
        x0, y0, _, _ = world.rect(number)
        placed[number] = mask, x0, y0
    pairs = set()
    for index, a in enumerate(ids):
        for b in ids[index + 1 :]:
            (left, x, y), (right, x2, y2) = placed[a], placed[b]
            if left.touches(right, (x2 - x, y2 - y)):
                pairs.add((a, b))
    return pairs


def as_set(pairs: np.ndarray) -> set[tuple[int, int]]:
    return {(int(a), int(b)) for a, b in pairs}


def test_colliders_are_inserted_changed_and_removed(world: World) -> None:
    ship = world.insert("cross", (10, 20.5), angle=0.3, scale=2.0, layers=6, fixed=True, user_data=9)
    found = world.get(ship)
    assert (found.sprite, found.at, found.scale, found.layers, found.fixed) == ("cross", (10.0, 20.5), 2.0, 6, True)
    assert found.angle == pytest.approx(0.3) and found.turn is None and found.user_data == 9
    world.set(ship, at=(1, 2), turn=16384, flip_x=True, min_size=(3, 2), move_accuracy="box", frame=0)
    found = world.get(ship)
    assert (found.at, found.turn, found.flip_x, found.min_size, found.move_accuracy) == ((1, 2), 16384, True, (3, 2), "box")
    assert found == world.get(ship) and "cross" in repr(found)
    world.move_to(ship, [5, 6])
    world.turn_to(ship, 0.5)
    world.place(ship, np.array([7.0, 8.0]), 0.25, 1.0)
    assert world.get(ship).at == (7.0, 8.0) and len(world) == 1 and ship in world
    world.remove(ship)
    assert len(world) == 0 and ship not in world and 0 not in world
    for call in (
        lambda: world.get(ship),
        lambda: world.remove(ship),
        lambda: world.move_to(ship, (0, 0)),
        lambda: world.set(ship, frame=0),
        lambda: world.place(ship, (0, 0)),
        lambda: world.cast(ship, (1, 1)),
    ):
        with pytest.raises(hitmask.UnknownIdError) as caught:
            call()
        assert isinstance(caught.value, KeyError)


def test_sprites_by_name_object_or_id(world: World, atlas: Atlas) -> None:
    ids = [world.insert("box"), world.insert(atlas["box"]), world.insert(atlas["box"].id)]
    assert {world.get(number).sprite for number in ids} == {"box"}
    for sprite, error in [("none", KeyError), (12345, KeyError), (0, KeyError), (2.5, TypeError), (None, ValueError)]:
        with pytest.raises(error):
            world.insert(sprite)  # type: ignore[arg-type]
    assert len(world) == 3


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"at": (np.nan, 0)}, ValueError),
        ({"at": (1e30, 0)}, ValueError),
        ({"angle": np.inf}, ValueError),
        ({"scale": 0.0}, ValueError),
        ({"scale": 31.0}, ValueError),
        ({"scale": "big"}, TypeError),
        ({"frame": 9}, ValueError),
        ({"frame": -1}, ValueError),
        ({"plane": 3}, ValueError),
        ({"plane": "eye"}, KeyError),
        ({"layers": 2**32}, ValueError),
        ({"accuracy": "rough"}, ValueError),
        ({"color": 3}, TypeError),
        ({"mask": 1 << 32}, ValueError),
    ],
)
def test_bad_colliders_are_refused(world: World, options: dict[str, object], error: type[Exception]) -> None:
    before = world.insert("box")
    hash_before = world.state_hash()
    with pytest.raises(error):
        world.insert("box", **options)  # type: ignore[arg-type]
    if "mask" not in options:
        with pytest.raises(error):
            world.set(before, **options)  # type: ignore[arg-type]
    assert world.state_hash() == hash_before


def test_bulk_calls_take_arrays_of_every_layout(world: World, random: np.random.Generator) -> None:
    ids = [world.insert("box") for _ in range(5)]
    xy = random.uniform(-50, 50, (5, 2)).astype(np.float32)
    angle = random.uniform(0, 6, 5).astype(np.float32)
    wide = np.zeros((10, 4), np.float32)
    wide[::2, ::2] = xy
    expected = [tuple(place) for place in xy.tolist()]
    for given in (xy, xy.astype(np.float64), xy.tolist(), np.asfortranarray(xy), wide[::2, ::2], xy[::-1][::-1]):
        for those in (ids, np.array(ids, np.uint64), np.array(ids, np.int64), np.array(ids * 2, np.uint64)[:5]):
            world.set_placements(np.array(ids, np.uint64), np.zeros((5, 2)), np.zeros(5))
            world.set_placements(those, given, angle)
            assert [world.get(number).at for number in ids] == expected
    packed = np.zeros(5, [("kind", "u1"), ("xy", "<f4", 2), ("angle", ">f4"), ("id", "<u8")])
    packed["xy"], packed["angle"], packed["id"] = xy, angle, ids
    assert not packed["xy"].flags.aligned
    world.set_placements(ids, np.zeros((5, 2)), np.zeros(5))
    world.set_placements(packed["id"], packed["xy"], packed["angle"])
    assert [world.get(number).at for number in ids] == expected
    world.set_placements(ids, xy + 1)
    assert world.get(ids[1]).angle == pytest.approx(float(angle[1]))
    world.set_placements(ids, xy, turn=np.arange(5, dtype=np.uint16) * 4096)
    assert world.get(ids[2]).turn == 8192
    read_only = xy.copy()
    read_only.flags.writeable = False
    world.set_placements(ids, read_only, angle)
    world.set_placements([], np.zeros((0, 2)), [])


def test_a_world_is_saved_to_a_copy_and_loaded_from_it(world: World) -> None:
    a = world.insert("box", (3, 0))
    world.update()
    saved = world.copy()
    assert world.first_difference(saved) is None and world.first_difference(world) is None
    world.set(a, user_data=4)
    saved.assign(world)
    before = world.state_hash()
    world.move_to(a, (3.5, 0))
    world.insert("box")
    assert saved.first_difference(world) == "collider 0: position.x 3.0 / 3.5"
    world.assign(saved)
    world.assign(world)
    assert world.state_hash() == before and world.get(a).user_data == 4 and len(world) == 1
    with pytest.raises(TypeError):
        world.assign(None)


def test_nothing_to_do_is_done(world: World) -> None:
    a = world.insert("box")
    world.update()
    before = world.state_hash()
    for nothing in ([], (), np.zeros(0), np.zeros(0, np.uint64)):
        for none in (nothing, np.zeros((0, 2))):
            world.set_placements(nothing, none)
            world.set_placements(nothing, none, nothing, nothing)
            world.set_placements(nothing, none, turn=nothing)
            assert world.contacts(none).area.shape == (0,) and world.contacts(none, normals=True).pairs.shape == (0, 2)
        assert world.touching_between(nothing, nothing).shape == world.touching_between([a], nothing).shape == (0, 2)
    assert world.state_hash() == before
    for ids, xy in (([], np.ones((2, 2))), ([a], []), ([a], np.zeros((0, 2))), ([], np.zeros((0, 3)))):
        with pytest.raises(ValueError, match="xy has the shape"):
            world.set_placements(ids, xy)


def test_bad_bulk_calls_change_nothing(world: World) -> None:
    ids = np.array([world.insert("box", (i, 0)) for i in range(4)], np.uint64)
    xy, angle = np.ones((4, 2), np.float32), np.zeros(4, np.float32)
    before = world.state_hash()
    nan = xy.copy()
    nan[2, 1] = np.nan
    gone = ids.copy()
    gone[3] = world.insert("box")
    world.remove(int(gone[3]))
    before = world.state_hash()
    bad = [
        ((ids, xy[:3], angle), ValueError, "xy"),
        ((ids, xy.T, angle), ValueError, "xy"),
        ((ids, xy.ravel(), angle), ValueError, "xy"),
        ((ids, xy, angle[:2]), ValueError, "angle"),
        ((ids, xy, angle, np.ones(3)), ValueError, "scale"),
        ((ids[:, None], xy, angle), ValueError, "ids"),
        ((ids, nan, angle), ValueError, "2"),
        ((ids, xy, np.full(4, np.inf, np.float32)), ValueError, "0"),
        ((ids, xy, angle, np.array([1, 1, 1, -1.0])), ValueError, "3"),
        ((gone, xy, angle), KeyError, "3"),
        ((gone, xy), KeyError, "3"),
        ((ids.astype(np.float64), xy, angle), TypeError, "ids"),
        ((np.array([-1, 1, 1, 1]), xy, angle), ValueError, "ids"),
        ((np.zeros(4, np.uint64), xy, angle), KeyError, "0"),
        ((ids, xy.astype(complex), angle), TypeError, "xy"),
        ((ids, xy.astype(str), angle), TypeError, "xy"),
        ((ids, None, angle), (TypeError, ValueError), "xy"),
    ]
    for arguments, error, text in bad:
        with pytest.raises(error, match=text):
            world.set_placements(*arguments)
        assert world.state_hash() == before, arguments
    with pytest.raises(ValueError, match="both"):
        world.set_placements(ids, xy, angle, turn=np.zeros(4, np.uint16))
    with pytest.raises(ValueError, match="turn"):
        world.set_placements(ids, xy, turn=np.array([70000, 0, 0, 0]))
    assert world.state_hash() == before


def test_an_update_comes_before_the_pairs(world: World) -> None:
    assert world.touching().shape == (0, 2)
    world.insert("box")
    with pytest.raises(hitmask.StateError, match="update") as caught:
        world.touching()
    assert isinstance(caught.value, RuntimeError)
    times = world.update_timed()
    assert times.build >= 0 and times.pairs == 0


def test_pairs_may_be_filtered_by_a_function(world: World) -> None:
    a, b, c = (world.insert("box", (x, 0)) for x in (0, 4, 8))
    seen = []

    def keep(left: int, right: int, contact: hitmask.Contact) -> bool:
        seen.append((left, right, contact.area))
        return left != a

    world.update(keep)
    assert as_set(world.touching()) == {(b, c)} and {pair[:2] for pair in seen} == {(a, b), (b, c)}
    with pytest.raises(ZeroDivisionError):
        world.update(lambda *_: 1 / 0)
    with pytest.raises(hitmask.BusyError):
        world.update(lambda *_: world.touching())
    # Those of the last update that ended.
    assert as_set(world.touching()) == {(b, c)} and len(world.began()) == len(world.ended()) == 0
    world.update()
    assert len(world.touching()) == 2 and as_set(world.began()) == {(a, b)} and len(world.ended()) == 0
    world.validate()


@pytest.mark.parametrize("fails", [1, 2, 7])
def test_an_update_that_raises_is_none(world: World, fails: int) -> None:
    ids = [world.insert("box", (4 * i, 0)) for i in range(10)]
    world.update()
    touching = as_set(world.touching())
    world.move_to(ids[0], (500, 500))
    world.move_to(ids[9], (20, 0))
    calls = []

    def keep(a: int, b: int, contact: hitmask.Contact) -> bool:
        calls.append((a, b))
        if len(calls) == fails:
            raise KeyError("mine")
        return True

    with pytest.raises(KeyError, match="mine"):
        world.update(keep)
    assert len(calls) == fails
    assert as_set(world.touching()) == touching and len(world.began()) == len(world.ended()) == 0
    other = world.copy()
    world.update()
    now = as_set(world.touching())
    assert now == brute_force(world)
    assert as_set(world.began()) == now - touching and as_set(world.ended()) == touching - now
    other.update(lambda a, b, contact: True)
    assert as_set(other.touching()) == now and as_set(other.ended()) == touching - now
    # A world that was never updated still was not.
    fresh = World(world.atlas)
    fresh.insert("box")
    fresh.insert("box")
    with pytest.raises(ZeroDivisionError):
        fresh.update(lambda *_: 1 / 0)
    with pytest.raises(hitmask.StateError, match="before the first update"):
        fresh.touching()


def test_ids_of_masks_and_colliders_are_told_apart(world: World) -> None:
    masks = [world.insert_mask(Mask.disc(3)) for _ in range(3)]
    ids = [world.insert(mask=mask) for mask in masks] + [world.insert("box")]
    assert not set(masks) & set(ids) and max(masks) < 2**53
    for mask in masks:
        assert mask not in world
        for call in (
            lambda: world.get(mask),
            lambda: world.remove(mask),
            lambda: world.move_to(mask, (1, 1)),
            lambda: world.set_placements([mask], [(1, 1)]),
            lambda: world.query_point((0, 0), ignore=mask),
            lambda: world.contact(mask, ids[0]),
            lambda: world.rect(mask),
        ):
            with pytest.raises(hitmask.UnknownIdError, match=f"{mask} is the id of a mask, and a collider is needed"):
                call()
    for call in (lambda: world.mask(ids[3]), lambda: world.insert(mask=ids[0]), lambda: world.remove_mask(ids[1])):
        with pytest.raises(hitmask.UnknownIdError, match="is the id of a collider, and a mask is needed"):
            call()
    other = World.from_snapshot(world.atlases(), world.snapshot())
    assert other.get(ids[1]).mask == masks[1] and other.state_hash() == world.state_hash()


def test_names_that_are_nearly_right_are_told(world: World, atlas: Atlas) -> None:
    for call, text in (
        (lambda: world.insert("disk"), 'no sprite "disk"; did you mean "disc"'),
        (lambda: world.insert("Corss"), 'did you mean "cross"'),
        (lambda: atlas["bx"], 'did you mean "box"'),
        (lambda: atlas["zebra"], 'no sprite "zebra"; it has box, cross, disc$'),
        (lambda: world.set(world.insert("box"), sprite="crss"), 'did you mean "cross"'),
        (lambda: atlas["box"].plane("bdoy"), 'did you mean "body"'),
        (lambda: world.insert("box", plane="bodi"), 'did you mean "body"'),
        (lambda: world.insert("box", accuracy="exakt"), 'did you mean "exact"'),
        (lambda: World(atlas, scale_policy="nearst"), 'did you mean "nearest"'),
        (lambda: world.pick((0, 0), order="slots"), 'did you mean "slot"'),
        (lambda: world.insert("box", layer=1), 'did you mean layers'),
        (lambda: world.query_point((0, 0), ingore=1), 'did you mean ignore'),
        (lambda: Mask("#").shape(1.0, min_aera=2), 'did you mean min_area'),
        (lambda: Bake(angels=3), 'did you mean angles'),
    ):
        with pytest.raises((hitmask.HitmaskError, TypeError), match=text):
            call()
    more = World(atlas)
    more.add_atlas(Bake(angles=4).add_frames("extra", "##").atlas())
    with pytest.raises(KeyError, match='the world has no sprite "extar"; did you mean "extra"'):
        more.insert("extar")


def test_messages_name_what_python_has(world: World, atlas: Atlas) -> None:
    messages = []
    box, mask = world.insert("box"), world.insert_mask(Mask.disc(2))
    other = World(Bake(angles=4, resolution=2.0).add_frames("a", "#").atlas())
    for call in (
        lambda: world.insert("box", scale=31.0),
        lambda: world.insert("box", plane=3),
        lambda: world.insert("box", frame=7),
        lambda: world.insert(12345),
        lambda: world.insert(other.atlas["a"]),
        lambda: world.insert(mask=mask, scale=2.0),
        lambda: world.transform_mask(mask, (1, 0, 0, 1, 0, 0)),
        lambda: world.cast_body(3, (1, 1)),
        lambda: world.add_atlas(atlas),
        lambda: world.add_atlas(other.atlas),
        lambda: world.drop_atlas(7),
        lambda: world.drop_atlas(atlas.id),
        lambda: world.restore(b"nothing" * 9),
        lambda: World.from_snapshot([], world.snapshot()),
        lambda: World(atlas, scale_policy=0.5),
        lambda: Atlas(b"nothing"),
        lambda: Bake(angles=3).add_frames("a", "#").atlas(),
        lambda: Bake().atlas(),
    ):
        with pytest.raises(hitmask.HitmaskError) as caught:
            call()
        messages.append(str(caught.value))
    text = "\n".join(messages)
    assert "::" not in text and "Builder" not in text and "owned_by" not in text, text
    assert "add 31 to the scales of Bake, or allow the scale with World.scale_policy" in text
    assert box in world


def test_results_print_as_python_shows_them(world: World) -> None:
    mover, wall = world.insert("box", (0, 0)), world.insert("box", (20, 0))
    hit = world.cast(mover, (40, 0))
    assert repr(hit) == (
        f"Hit(collider={wall}, position=(12.0, 0.0), point={hit.point}, impact=Impact(step=13, steps=40, "
        f"time={hit.impact.time}, free_offset=(12, 0), contact_offset=(13, 0), point={hit.impact.point}, "
        f"normal={hit.impact.normal}, side='right', pose=0))"
    )
    world.move_to(wall, (6, 0))
    world.update()
    records = [hit, world.overlap(mover, wall), world.contact(mover, wall), world.ray((-9, 0), (9, 0)), world.get(mover)]
    records += [world.update_timed(), world.touching_bodies()[0], world.move_and_slide(mover, (-3, 0))]
    records += [world.replace_atlas(world.atlas.id, Bake(angles=4).add_frames("it's", "##").atlas()), world.atlas["it's"]]
    for record in records:
        for trace in ("Some(", "None)", "Impact {", "true", "false", "\\u{"):
            assert trace not in repr(record), record
    assert "added=[\"it's\"]" in repr(records[8]) and "\"it's\"" in repr(records[9])


def test_two_threads_in_one_world_get_an_error_and_no_crash(random: np.random.Generator) -> None:
    atlas = Bake(angles=16).add_frames("disc", Mask.disc(20)).atlas()
    world = World(atlas)
    ids = np.array([world.insert("disc") for _ in range(4000)], np.uint64)
    busy: list[hitmask.BusyError] = []
    other: list[Exception] = []
    stop = time.monotonic() + 60

    def work() -> None:
        while not busy and time.monotonic() < stop:
            try:
                world.set_placements(ids, random.uniform(0, 500, (4000, 2)), np.zeros(4000))
                world.update()
                world.touching()
                world.query_point((5, 5))
            except hitmask.BusyError as error:
                busy.append(error)
            except Exception as error:
                other.append(error)
                return

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert busy and not other
    assert isinstance(busy[0], RuntimeError) and "thread" in str(busy[0])
    world.update()
    world.validate()


def test_queries_choose_and_refuse(world: World) -> None:
    left = world.insert("box", (0, 0), layers=1)
    right = world.insert("box", (20, 0), layers=2, sensor=True, user_data=5)
    assert world.query_rect([15, -5, 30, 5]) == [right]
    with pytest.raises(hitmask.InvalidValueError, match=r"\(50, 40, 30, 20\) ends before .* \(50, 40, 80, 60\)"):
        world.query_rect((50, 40, 30, 20))
    assert world.nearest((10, 0), 1) is None
    assert world.pick((10, 0), 20, "data") == right
    assert world.pick((1, 1), order=lambda number: -number) == left
    above = world.insert("box", (0, 0), layers=1)
    assert world.pick((1, 1)) == above and world.pick((1, 1), order=lambda number: -number) == left
    with pytest.raises(ZeroDivisionError):
        world.pick((1, 1), order=lambda number: 1 / 0)
    for call in (
        lambda: world.query_point((np.nan, 0)),
        lambda: world.query_circle((0, 0), -1),
        lambda: world.query_point((0, 0), accuracy="none"),
        lambda: world.pick((0, 0), order="age"),
        lambda: world.ray((0, 0), (np.inf, 0)),
    ):
        with pytest.raises(ValueError):
            call()
    with pytest.raises(TypeError, match="layer"):
        world.query_point((0, 0), layer=1)  # type: ignore[call-arg]


def test_a_pair_is_explained_and_a_stale_one_touches_nothing(world: World) -> None:
    a, b = world.insert("box", (0, 0)), world.insert("box", (6, 0))
    world.update()
    text = world.explain(a, b)
    assert text is not None and "box" in text
    assert world.contacts().normal is None and world.contacts().push_out is None
    world.remove(b)
    assert world.contact(a, b) is None and world.explain(a, b) is None
    assert world.contacts(np.array([[a, b]], np.uint64)).area.tolist() == [0]


def test_motions_ask_a_function_and_refuse(world: World) -> None:
    mover, wall = world.insert("box", (0, 0)), world.insert("box", (20, 0))
    assert world.cast(mover, (40, 0), among=lambda number: number != wall) is None
    with pytest.raises(ZeroDivisionError):
        world.cast(mover, (40, 0), among=lambda number: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        world.move_and_slide(mover, (40, 0), among=lambda number: 1 / 0)
    assert world.get(mover).at == (0.0, 0.0)
    with pytest.raises(hitmask.BusyError):
        world.move_and_slide(mover, (40, 0), among=lambda number: len(world) > 0)
    world.set(mover, owner=3, at=(0, 0))
    owner = world.cast_body(3, (40, 0))
    assert owner is not None and owner.part == mover and owner.body == ("collider", wall)
    world.translate_body(3, (4, 0))
    assert world.get(mover).at == (4.0, 0.0)
    with pytest.raises(KeyError):
        world.cast_body(77, (1, 1))
    with pytest.raises(ValueError):
        world.cast(mover, (np.nan, 0))


def test_many_moves_in_one_call_name_the_first_bad_one(world: World) -> None:
    ids = [world.insert("box", (20 * i, 0)) for i in range(9)]
    motions = np.ones((9, 2), np.float32)
    motions[7, 0] = np.nan
    before = world.state_hash()
    with pytest.raises(ValueError, match="item 7"):
        world.move_all(ids, motions)
    with pytest.raises(ValueError, match="motions"):
        world.move_all(ids, motions[:5])
    assert world.state_hash() == before
    assert world.move_all([], []).position.shape == (0, 2)


def test_run_time_masks(world: World) -> None:
    ground = world.insert_mask(Mask.solid(100, 20), pivot=(0, 0))
    terrain = world.insert(mask=ground, at=(0, 10), fixed=True)
    box = world.insert("box", (50, 14))
    world.update()
    assert len(world.touching()) == 1
    world.fill_disc(ground, (50, 4), 9, False)
    world.update()
    assert len(world.touching()) == 0
    world.fill_rect(ground, (40, 0, 60, 20))
    world.update()
    assert len(world.touching()) == 1
    world.draw_mask(ground, Mask.solid(100, 20), (0, 0), False)
    assert world.mask(ground).count() == 0

    def edit(mask: Mask) -> None:
        mask.fill((0, 0, 10, 10))

    world.edit_mask(ground, edit)
    assert world.mask(ground).count() == 100
    with pytest.raises(ZeroDivisionError):
        world.edit_mask(ground, lambda mask: 1 / 0)
    with pytest.raises(hitmask.StateError):
        world.remove_mask(ground)
    world.remove(terrain)
    assert world.remove_mask(ground).size == (100, 20)
    for call in (lambda: world.mask(ground), lambda: world.fill_disc(ground, (0, 0), 3), lambda: world.mask(0)):
        with pytest.raises(KeyError):
            call()
    drawn = world.insert_transformed(Mask.solid(4, 4), (2, 0, 0, 2, 0, 0))
    world.insert(mask=drawn, at=(50, 14))
    assert world.mask(drawn).size == (8, 8)
    assert world.transform_mask(drawn, (1, 0, 0, 1, 0, 0)) is True
    world.redraw_mask(drawn, Mask.solid(2, 2))
    assert world.mask(drawn).count() == 4 and box in world


def test_snapshots_and_copies(world: World, atlas: Atlas) -> None:
    ids = [world.insert("disc", (i * 9, 0)) for i in range(4)]
    world.update()
    data, state = world.snapshot(), world.state_hash()
    for other in (World.from_snapshot([atlas], data), world.copy(), copy.deepcopy(world), pickle.loads(pickle.dumps(world))):
        assert other.state_hash() == state and other.ids().tolist() == ids
        other.move_to(ids[0], (99, 99))
        assert world.get(ids[0]).at == (0.0, 0.0)
    world.move_to(ids[0], (50, 50))
    world.restore(data)
    assert world.state_hash() == state
    for bad in (b"", b"nonsense" * 9, data[:-3]):
        with pytest.raises(hitmask.DamagedError):
            world.restore(bad)
    assert world.state_hash() == state
    world.validate()


def test_atlases_and_policies(world: World, atlas: Atlas) -> None:
    more = Bake(angles=4).add_frames("extra", "##").atlas()
    number = world.add_atlas(more)
    extra = world.insert("extra", (3, 3))
    assert [one.id for one in world.atlases()] == [atlas.id, number] and world.atlas.id == atlas.id
    with pytest.raises(hitmask.StateError):
        world.drop_atlas(number)
    assert world.drop_atlas(number, remove=True) == [extra]
    with pytest.raises(hitmask.HitmaskError):
        world.add_atlas(atlas)
    report = world.replace_atlas(atlas.id, more)
    assert report.added == ["extra"] and report.vanished == ["box", "cross", "disc"]
    assert world.accuracy == "exact" and world.scale_policy == 1.5
    world.accuracy, world.scale_policy = "box", "nearest"
    assert (world.accuracy, world.scale_policy) == ("box", "nearest")
    with pytest.raises(ValueError):
        world.scale_policy = 0.5
    with pytest.raises(ValueError):
        world.scale_policy = "near"
    world.set_pose_budget(None)


def test_cells_of_terrain_follow_a_crater(world: World) -> None:
    land = Mask.empty(200, 130)
    land.draw(Mask.solid(200, 60), (0, 70))
    mask = world.insert_mask(land)
    grid = world.shape_grid(mask, 64, scale=0.5, y_up=True)
    assert len(grid) == 12 and grid.cell(0).pieces == [] and grid.cell(4).rect == (0, 64, 64, 128)
    assert sum(grid.cell(id).shape.mass().area for id in range(12)) == pytest.approx(200 * 60 / 4)
    points, ghosts = grid.cell(5).chains[0]
    assert points.dtype == np.float32 and points.shape[1] == 2 and ghosts.shape == (2, 2)

    world.fill_disc(mask, (100, 70), 12, False)
    changed = world.update_shape_grid(mask, grid, (88, 58, 113, 83))
    assert 5 in changed and 7 not in changed and grid.cell(5).version == 1 and grid.cell(7).version == 0
    again = hitmask.ShapeGrid(world.mask(mask), 64, scale=0.5, y_up=True)
    for id in range(len(grid)):
        ours, new = grid.cell(id).pieces, again.cell(id).pieces
        assert len(ours) == len(new) and all((a == b).all() for a, b in zip(ours, new))
    assert grid.update(world.mask(mask), (0, 0, 200, 130)) == []


def test_grids_refuse_bad_input(world: World) -> None:
    grid = hitmask.ShapeGrid(Mask.solid(20, 20), 8)
    with pytest.raises(KeyError, match="no cell 9; use an id below 9"):
        grid.cell(9)
    with pytest.raises(ValueError, match="cell side"):
        hitmask.ShapeGrid(Mask.solid(20, 20), 4)
    with pytest.raises(TypeError, match="no argument .fits.; did you mean fit. it takes fit"):
        hitmask.ShapeGrid(Mask.solid(20, 20), fits="nearest")
    with pytest.raises(ValueError, match="20"):
        grid.update(Mask.solid(21, 20), (0, 0, 1, 1))
    with pytest.raises(KeyError):
        world.shape_grid(77)
    assert len(grid) == 9 and grid.cell(0).version == 0


def test_a_refused_argument_is_named(world: hitmask.World) -> None:
    for options in [{"layers": 1 << 40}, {"frame": -1}, {"turn": 65536}, {"min_size": (-1, 2)}]:
        name, value = next(iter(options.items()))
        with pytest.raises(hitmask.InvalidValueError, match=re.escape(f"{name} cannot be {value}; pass a whole number")):
            world.insert("box", **options)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="argument 'frame': "):
        world.insert("box", frame="one")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match='a collider has no argument "angel"; did you mean angle. help'):
        world.insert("box", angel=1)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match='a query has no argument "layer"; did you mean layers. it takes ignore'):
        world.query_point((0, 0), layer=1)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="planes and slices are settings of files"):
        hitmask.Bake().add_frames("box", "#", planes={"body": ["layer"]})
    assert len(world) == 0


def test_poses_that_are_drawn_ahead_are_not_drawn_again() -> None:
    atlas = Bake(compact=True, angles=64).add_frames("disc", Mask.disc(30)).add_frames("bar", np.ones((4, 40), bool)).atlas()
    world = World(atlas)
    angles = np.linspace(0, 2 * np.pi, 500, dtype=np.float32)
    assert world.draw_ahead("disc", angles, seconds=0) == 0
    assert world.draw_ahead("disc", angles, bytes=0, first=7) == 7
    assert world.pose_stats() == World(atlas).pose_stats()
    first, calls = 0, 0
    names = ["disc"] * 250 + ["bar"] * 250
    while first < 500:
        first, calls = world.draw_ahead(names, angles, bytes=1, first=first), calls + 1
    assert calls > 2
    assert world.draw_ahead(names, angles, seconds=0) == 500
    world.update()
    world.insert_all(names, np.zeros((500, 2)), angles)
    assert (world.pose_stats().draws, world.pose_stats().budget) == (0, None)
    assert world.pose_stats().poses > 60
    assert world.draw_ahead("bar", frame=0) == 1
    before = world.state_hash()
    with pytest.raises(hitmask.HitmaskError, match="item 1: "):
        world.draw_ahead("disc", [0, np.nan])
    with pytest.raises(ValueError, match="first is 9"):
        world.draw_ahead(["disc"], first=9)
    with pytest.raises(ValueError, match="seconds"):
        world.draw_ahead("disc", angles, seconds=-1)
    with pytest.raises(KeyError, match="disk"):
        world.draw_ahead("disk", angles)
    assert world.state_hash() == before
