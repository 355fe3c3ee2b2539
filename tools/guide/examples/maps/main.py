"""A level of the atlas: its floor and hill are colliders, and its point is where the hero starts. Then it is edited."""

from hitmask import Atlas, World

atlas = Atlas.open("art.hitmask")
world = World(atlas)
items = world.insert_map("yard")
print(f"{len(items)} items, {len(world)} colliders")
start = next(item for item in items if item.name == "start")
hero = world.insert("hero", start.position)
x, y = world.move_and_slide(hero, (0, 100)).position
print(f"the hero falls to {x:g}, {y:g}")
