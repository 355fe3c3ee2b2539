"""Two sprites, one of which moves: the tick and the pixel of the first contact."""

from hitmask import Atlas, World

atlas = Atlas.open("art.hitmask")
world = World(atlas)
ship = world.insert("ship", (0, 40))
world.insert("rock", (90, 52))
for tick in range(100):
    world.move_to(ship, (tick, 40))
    world.update()
    for a, b in world.began():
        x, y = world.contact(a, b).point
        print(f"tick {tick}: hit at {x}, {y}")
