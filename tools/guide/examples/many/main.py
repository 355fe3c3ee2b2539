"""10,000 rocks that drift apart, and all pairs that touch."""

import numpy as np

from hitmask import Atlas, World

atlas = Atlas.open("art.hitmask")
world = World(atlas)
# 100 rows of 100 rocks.
y, x = np.divmod(np.arange(10_000), 100)
ids = world.insert_all("rock", np.zeros((10_000, 2)))
for tick in range(3):
    world.set_placements(ids, np.column_stack([x * (40 + tick), y * (41 + tick)]))
    world.update()
    touching, began, ended = len(world.touching()), len(world.began()), len(world.ended())
    print(f"tick {tick}: {touching} pairs touch, {began} began, {ended} ended")
