"""A level of the atlas: its floor and hill are colliders, and its point is where the hero starts. Then it is edited."""

from hitmask import Atlas, World

atlas = Atlas.open("art.hitmask")
world = World(atlas)
yard = world.insert_map("yard")
print(f"{len(yard.items)} items, {len(world)} colliders")
start = next(item for item in yard.items if item.name == "start")
hero = world.insert("hero", start.position)
x, y = world.move_and_slide(hero, (0, 100)).position
print(f"the hero falls to {x:g}, {y:g}")
# The level is saved anew: a boulder below the hero, and the hill farther away.
world.replace_atlas(atlas.id, Atlas.open("art-new.hitmask"))
report = world.update_map(yard)
print(f"{len(report.inserted)} inserted, {len(report.removed)} removed, {len(report.changed)} changed")
