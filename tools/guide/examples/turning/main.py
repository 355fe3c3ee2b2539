"""A ship that turns and grows, and a coin near it."""

from math import radians

from hitmask import Atlas, World

atlas = Atlas.open("art.hitmask")
world = World(atlas)
turning = world.insert("ship")
world.insert("coin", (0, 18))
for degrees in 0, 45, 90:
    for scale in 1, 2:
        world.place(turning, (0, 0), radians(degrees), scale)
        world.update()
        print(f"{degrees} degrees, scale {scale}: {len(world.touching())} pairs")
