"""hitmask and pymunk: bodies from pixels.

Shows how the outline of an image becomes convex pieces about its pivot with `Sprite.shape`, how those fall as a body of
pymunk, and how a world of hitmask, placed from the bodies, tells which pixels touch. It needs no window.
"""

import hitmask
import numpy as np
import pymunk

horseshoe = hitmask.Mask.disc(24)
horseshoe.erase(hitmask.Mask.disc(14), (10, 10))
horseshoe.clear((17, 24, 32, 49))
atlas = hitmask.Bake(angles=256).add_frames("shoe", horseshoe).add_frames("floor", hitmask.Mask.solid(400, 20)).atlas()

space = pymunk.Space()
# pixels per second squared; y goes down in both.
space.gravity = 0, 900
floor = pymunk.Poly(space.static_body, [(0, 300), (400, 300), (400, 320), (0, 320)])
floor.friction = 1
space.add(floor)
outline = atlas["shoe"].shape(0, 1.0)
pieces, mass = outline.pieces(), outline.mass()
bodies = []
for index in range(12):
    body = pymunk.Body(mass.area, mass.inertia)
    body.position, body.angle = (80 + index % 4 * 70, 40 + index // 4 * 70), index
    body.center_of_gravity = mass.centroid
    shapes = [pymunk.Poly(body, [tuple(corner) for corner in piece.tolist()]) for piece in pieces]
    for shape in shapes:
        shape.friction = 0.6
    space.add(body, *shapes)
    bodies.append(body)

world = hitmask.World(atlas)
ground = world.insert("floor", (200, 310), fixed=True)
ids = world.insert_all("shoe", np.zeros((len(bodies), 2)))
for frame in range(240):
    space.step(1 / 120)
    space.step(1 / 120)
    xy = np.array([body.position for body in bodies], np.float32)
    world.set_placements(ids, xy, np.array([body.angle for body in bodies], np.float32))
    world.update()
areas = world.contacts().area
print(f"{len(pieces)} pieces a body, {len(areas)} pairs touch, by {areas.max() if len(areas) else 0} pixels at most")
