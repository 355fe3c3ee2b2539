"""A world is saved, changed and restored."""

from hitmask import Atlas, World

atlas = Atlas.open("art.hitmask")
world = World(atlas)
id = world.insert("rock")
world.update()
saved, hash = world.snapshot(), world.state_hash()
world.move_to(id, (50, 0))
print("moved:", str(world.state_hash() != hash).lower())
world.restore(saved)
print("restored:", str(world.state_hash() == hash).lower())
