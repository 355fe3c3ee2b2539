"""What a mouse or a finger points at."""

from hitmask import Atlas, World

atlas = Atlas.open("art.hitmask")
world = World(atlas)
ship = world.insert("ship", (100, 100))
coin = world.insert("coin", (104, 100))
names = {ship: "the ship", coin: "the coin", None: "nothing"}
for x, y, radius in (104, 100, 0), (92, 98, 0), (110, 108, 0), (110, 108, 5):
    # Later colliders are on top.
    print(f"{x}, {y} within {radius} px: {names[world.pick((x, y), radius)]}")
