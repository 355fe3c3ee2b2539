"""Bullets that hit a ship, or pass it within 10 px."""

from hitmask import Atlas, World

atlas = Atlas.open("art.hitmask")
world = World(atlas)
ship = world.insert("ship")
bullet = world.insert("bullet")
words = {"hit": "hit", "graze": "near miss"}
for y in 0, 12, 40:
    world.move_to(bullet, (0, y))
    found = world.graze(ship, 10)
    print(f"y = {y}: {words[found[0][1]] if found else 'clear'}")
