"""New art in a running game: a coin that has grown touches its neighbour."""

from hitmask import Atlas, World

atlas = Atlas.open("art.hitmask")
world = World(atlas)
world.insert("coin")
world.insert("coin", (16, 0))
world.update()
print(f"before: {len(world.touching())} pairs touch")
# Colliders keep their ids, places and pairs.
world.replace_atlas(atlas.id, Atlas.open("art-new.hitmask"))
world.update()
print(f"after: {len(world.touching())} pairs touch")
