"""Bullets that fly 900 px per tick hit what lies between."""

from hitmask import Atlas, World

atlas = Atlas.open("art.hitmask")
world = World(atlas)
world.insert("rock", (500, 0))
for y in 0, -21, -23:
    bullet = world.insert("bullet", (0, y))
    # 900 px in one tick: every pixel of the way is tested.
    hit = world.cast(bullet, (900, 0))
    print(f"y = {y}: stops at x = {hit.position[0]:g}" if hit else f"y = {y}: flies on")
    world.remove(bullet)
