"""hitmask in pyglet: a sprite that moves until its pixels meet others.

Shows how images of pyglet become an atlas, and how `move_and_slide` keeps a sprite out of walls of any outline, at any
speed. The arrow keys move the ring. The y axis of pyglet goes up, that of hitmask goes down.
`python with_pyglet.py 60` ends after 60 frames.
"""

import sys

import hitmask
import numpy as np
import pyglet
from pyglet.window import key

LAST_FRAME = int(sys.argv[1]) if len(sys.argv) > 1 else None
window = pyglet.window.Window(640, 480, "hitmask and pyglet")
keys = key.KeyStateHandler()
window.push_handlers(keys)


def image_of(mask: hitmask.Mask, color: tuple[int, int, int]) -> pyglet.image.ImageData:
    rgba = np.dstack([np.full((mask.height, mask.width, 3), color, np.uint8), mask.to_alpha()])
    image = pyglet.image.ImageData(mask.width, mask.height, "RGBA", rgba.tobytes(), -4 * mask.width)
    image.anchor_x, image.anchor_y = mask.width // 2, mask.height // 2
    return image


ring, rock = hitmask.Mask.disc(24), hitmask.Mask.disc(60)
ring.erase(hitmask.Mask.disc(16), (8, 8))
images = {"ring": image_of(ring, (90, 200, 255)), "rock": image_of(rock, (200, 160, 90))}
bake = hitmask.Bake(angles=1)
for name, image in images.items():
    bake.add_frames(name, image)
world = hitmask.World(bake.atlas())
places = {"ring": [(320, 240)], "rock": [(100, 100), (300, 80), (520, 200), (420, 400), (160, 380)]}
ids = {name: world.insert_all(name, at) for name, at in places.items()}
player, batch = int(ids["ring"][0]), pyglet.graphics.Batch()
sprites = [pyglet.sprite.Sprite(images[name], x, 480 - y, batch=batch) for name in places for x, y in places[name]]
frame = 0


def update(dt: float) -> None:
    global frame
    motion = (4 * (keys[key.RIGHT] - keys[key.LEFT]), 4 * (keys[key.DOWN] - keys[key.UP]))
    moved = world.move_and_slide(player, motion if LAST_FRAME is None else (9, -2))
    sprites[0].update(x=moved.position[0], y=480 - moved.position[1])
    frame += 1
    if frame == LAST_FRAME:
        print(f"ring at {moved.position}, stopped by {len(moved.contacts)}")
        pyglet.app.exit()


@window.event
def on_draw() -> None:
    window.clear()
    batch.draw()


pyglet.clock.schedule_interval(update, 1 / 60)
pyglet.app.run()
