"""A coin falls onto terrain, which loses a crater each time."""

from hitmask import Atlas, Mask, World

world = World(Atlas.open("art.hitmask"))
# Terrain is a mask of the world, with its top left pixel at the position of its collider.
terrain = world.insert_mask(Mask.solid(300, 100), pivot=(0, 0))
world.insert(mask=terrain, at=(0, 200))
coin = world.insert("coin", (150, 100))
for _ in range(3):
    hit = world.cast(coin, (0, 300))
    print(f"the coin falls to y = {hit.position[1]:g}")
    x, y = map(int, hit.point)
    world.fill_disc(terrain, (x, y - 200), 20, False)
