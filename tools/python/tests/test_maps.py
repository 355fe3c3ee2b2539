"""Maps of atlases and of worlds."""

from __future__ import annotations

import math

import pytest

import hitmask
from hitmask import Atlas, World

INSIDE = (1041, 9)


def test_a_map_is_read_from_its_atlas(yard: Atlas, atlas: Atlas) -> None:
    level = yard.map("levels/yard")
    assert level is not None
    assert (level.name, level.size, level.properties) == ("levels/yard", (320, 200.5), {"music": ""})
    ground, start, box = level.items
    assert (ground.path, start.path, box.path) == ("solid/0,0", "things/1", "things/4")
    assert (ground.name, ground.class_, ground.size, ground.properties) == ("solid", "chunk", (64, 8), {})
    assert (start.name, start.class_, start.position, start.size) == ("start", "", (7.5, -3), (0, 0))
    assert (box.name, box.class_, box.position, box.size) == ("box", "crate", (40, 8), (4, 4))
    assert box.properties == {"damage": "3", "Zahl": "\u03c0"}
    assert all(item.id is None for item in level.items)
    assert level == yard.map("levels/yard") and repr(level).startswith("Map(name='levels/yard', size=(320.0, 200.5)")
    assert repr(start).startswith("MapItem(id=None, path='things/1', name='start', class_='', position=(7.5, -3.0)")
    empty = yard.map("empty")
    assert empty is not None and empty.items == []
    assert yard.map("yard") is None and atlas.map("levels/yard") is None


def test_a_map_places_its_colliders_and_leaves_by_its_ids(yard: Atlas, atlas: Atlas) -> None:
    world = World(atlas)
    world.add_atlas(yard)
    ground, start, box = world.insert_map("levels/yard", at=(1000, 0.5)).items
    assert start.id is None and start.position == (1007.5, -2.5)
    assert ground.id is not None and box.id is not None and len(world) == 2
    collider = world.get(box.id)
    assert (collider.at, collider.turn, collider.fixed, collider.sensor) == ((1040, 8.5), 16384, True, True)
    assert world.query_point(INSIDE) == [box.id]
    assert world.insert_map("empty").items == []
    assert world.insert_map("levels/yard").items[2].position == (40, 8)
    for item in (ground, box):
        assert item.id is not None
        world.remove(item.id)
    assert world.query_point(INSIDE) == [] and len(world) == 2


def test_a_placed_map_is_brought_up_to_date_with_an_edited_level(yard: Atlas, edited: Atlas) -> None:
    world = World(yard)
    placed, other = world.insert_map("levels/yard", at=(1000, 0.5)), world.insert_map("levels/yard")
    ground, _, box = placed.items
    assert ground.id is not None and box.id is not None
    none = world.update_map(placed)
    assert none.inserted == none.removed == none.changed == none.kept == []
    assert world.replace_atlas(yard.id, edited).outdated == []
    report = world.update_map(placed)
    lamp, moved, start = placed.items
    assert (lamp.path, lamp.name, moved.id, moved.position, start.position) == ("things/7", "lamp", ground.id, (1008, 1.5), (1009, -2.5))
    assert (report.inserted, report.removed, report.changed, report.kept) == ([lamp], [box], [moved], [])
    assert box.id not in world and world.get(ground.id).at == (1008, 1.5)
    # What the game has moved and removed stays so.
    assert lamp.id is not None
    world.move_to(ground.id, (3, 4))
    world.remove(lamp.id)
    report = world.update_map(placed)
    assert (report.kept, report.inserted) == (placed.items[:2], []) and placed.items[0].id is None
    assert world.get(ground.id).at == (3, 4) and len(world.update_map(other).removed) == 1
    assert repr(placed) == "<hitmask.PlacedMap 'levels/yard', 3 items>" and placed.name == "levels/yard"
    assert repr(report).startswith("MapReport(inserted=[], removed=[], changed=[], kept=[MapItem(id=None, path='things/7'")


def test_a_refused_update_of_a_map_changes_nothing(yard: Atlas, atlas: Atlas) -> None:
    world = World(yard)
    placed = world.insert_map("levels/yard")
    before, items = world.state_hash(), placed.items
    elsewhere = World(atlas)
    with pytest.raises(KeyError, match="they have no maps"):
        elsewhere.update_map(placed)
    for bad in (None, "levels/yard", items):
        with pytest.raises(TypeError):
            world.update_map(bad)  # type: ignore[arg-type]
    assert placed.items == items and world.state_hash() == before and len(elsewhere) == 0
    assert world.update_map(placed).kept == []


def test_a_refused_map_changes_nothing(yard: Atlas, atlas: Atlas) -> None:
    world = World(yard)
    before = world.state_hash()
    with pytest.raises(hitmask.UnknownIdError, match="has the map \"yard\".*it has empty, levels/yard"):
        world.insert_map("yard")
    with pytest.raises(KeyError, match="did you mean \"levels/yard\""):
        world.insert_map("level/yard")
    with pytest.raises(hitmask.UnknownIdError, match="they have no maps"):
        World(atlas).insert_map("levels/yard")
    for name in ("levels/yard", "empty"):
        for at in ((math.nan, 0), (0, math.inf)):
            with pytest.raises(ValueError, match="position"):
                world.insert_map(name, at)
    with pytest.raises(ValueError):
        world.insert_map("levels/yard", (3e9, 0))
    with pytest.raises(TypeError):
        world.insert_map(3)  # type: ignore[arg-type]
    assert world.state_hash() == before and len(world) == 0
