"""hitmask in Pygame Zero: sprites that turn, and a pointer that meets their pixels.

Shows a `WorldGroup` in the functions update and draw of Pygame Zero: all pairs by one call per frame, and the sprite
under the mouse, not the one whose box is there. A click removes it. `python with_pygame_zero.py 60` ends after 60 frames.
"""

import sys

import pgzrun
import pygame
from hitmask.pygame import TurningSprite, WorldGroup, bake

LAST_FRAME = int(sys.argv[1]) if len(sys.argv) > 1 else None
WIDTH, HEIGHT, TITLE = 640, 480, "hitmask and Pygame Zero"

blade = pygame.Surface((64, 64), pygame.SRCALPHA)
pygame.draw.polygon(blade, "gold", [(32, 0), (38, 26), (64, 32), (38, 38), (32, 64), (26, 38), (0, 32), (26, 26)])
images = {"blade": blade}
group = WorldGroup(bake(images, angles=64), images=images)
for index in range(40):
    sprite = TurningSprite("blade", group, position=(40 + index % 8 * 80, 60 + index // 8 * 90), angle=9 * index)
pairs = []
frame = 0


def update():
    global pairs, frame
    for index, sprite in enumerate(group):
        sprite.angle += 1 + index % 3
        sprite.position = (sprite.position[0] + (index % 5 - 2) / 2) % WIDTH, sprite.position[1]
    pairs = group.collide()
    frame += 1
    if frame == LAST_FRAME:
        print(f"{len(pairs)} pairs touch")
        sys.exit()


def draw():
    screen.clear()
    group.draw(screen.surface)
    for a, b in pairs:
        screen.draw.line(a.position, b.position, "red")


def on_mouse_down(pos):
    sprite = group.at(pos, 4)
    if sprite is not None:
        sprite.kill()


pgzrun.go()
