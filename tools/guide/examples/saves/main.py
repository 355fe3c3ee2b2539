"""A world is saved to a file, and goes on in a new world, as in a fresh process."""

from pathlib import Path

from hitmask import Atlas, World

atlas = Atlas.open("art.hitmask")
world = World(atlas)
id = world.insert("rock")
world.update()
file = Path("saved-by-python.world")
file.write_bytes(world.snapshot())
hash = world.state_hash()
world.move_to(id, (50, 0))
print("moved:", str(world.state_hash() != hash).lower())
# A fresh process needs no more than the atlas and the file.
fresh = World(Atlas.open("art.hitmask"))
fresh.restore(file.read_bytes())
print("restored:", str(fresh.state_hash() == hash).lower())
