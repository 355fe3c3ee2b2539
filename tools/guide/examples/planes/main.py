"""A bullet hits the body of an ogre, or its eye."""

from hitmask import Atlas, World

atlas = Atlas.open("art.hitmask")
world = World(atlas)
# The parts of one body have an owner, so they never meet each other.
body = world.insert("ogre", owner=1)
eye = world.insert("ogre", plane="eye", owner=1)
bullet = world.insert("bullet")
for x, y in (0, 0), (8, -13), (30, 0):
    world.move_to(bullet, (x, y))
    world.update()
    hit = world.touching_with(bullet)
    print(f"{x}, {y}: {'the eye' if eye in hit else 'the body' if body in hit else 'nothing'}")
