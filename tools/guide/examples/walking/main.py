"""A hero walks over the ground and up a slope."""

from hitmask import Atlas, World

atlas = Atlas.open("art.hitmask")
world = World(atlas)
world.insert("ground", (160, 108), fixed=True)
world.insert("slope", (160, 84), fixed=True)
hero = world.insert("hero", (60, 50))
for _ in range(40):
    # 3 px to the right, and 8 px down for gravity.
    world.move_and_slide(hero, (3, 0))
    world.move_and_slide(hero, (0, 8))
x, y = world.get(hero).at
print(f"the hero stands at {x:g}, {y:g}")
