"""Colliders in a circle, on a ray, and nearest to a point."""

from hitmask import Atlas, World

atlas = Atlas.open("art.hitmask")
world = World(atlas)
for i in range(10):
    world.insert("coin", (20 * i, 0))
print(f"{len(world.query_circle((60, 0), 30))} coins in the blast")
if hit := world.ray((-50, 3), (300, 3)):
    print(f"the ray ends at {hit.point[0]}, {hit.point[1]}")
if nearest := world.nearest((80, 50), 100):
    print(f"the nearest pixel is {nearest[1]:.2f} px away")
