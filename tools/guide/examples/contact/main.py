"""Where two rocks overlap, and how they are pushed apart."""

from hitmask import Atlas, World

atlas = Atlas.open("art.hitmask")
world = World(atlas)
left = world.insert("rock")
right = world.insert("rock", (36, 10))
overlap = world.overlap(left, right)
print(f"{overlap.area} pixels, the first at {overlap.point[0]}, {overlap.point[1]}")
print(f"normal {overlap.normal[0]:.2f}, {overlap.normal[1]:.2f}")
print(f"push out by {overlap.push_out[0]}, {overlap.push_out[1]}")
