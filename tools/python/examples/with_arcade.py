"""hitmask in arcade: pixels instead of hit boxes.

Shows how textures of arcade become an atlas, and how a SpriteList is tested each frame by one call, exact to the
pixel at every angle. Sprites that touch are red. The y axis of arcade goes up, that of hitmask goes down; both turn
clockwise. `python with_arcade.py 60` ends after 60 frames.
"""

import sys

import arcade
import hitmask
import numpy as np

LAST_FRAME = int(sys.argv[1]) if len(sys.argv) > 1 else None
FOLDER = ":resources:images/space_shooter/"
FILES = {"ship": FOLDER + "playerShip1_orange.png", "rock": FOLDER + "meteorGrey_big1.png"}


class Game(arcade.Window):
    def __init__(self) -> None:
        super().__init__(800, 600, "hitmask and arcade")
        textures = {name: arcade.load_texture(path) for name, path in FILES.items()}
        bake = hitmask.Bake(angles=64)
        for name, texture in textures.items():
            bake.add_frames(name, texture)
        self.world = hitmask.World(bake.atlas())
        self.list = arcade.SpriteList()
        random = np.random.default_rng(1)
        names = random.choice(["ship", "rock"], 30).tolist()
        for name, (x, y) in zip(names, random.uniform(0, (800, 600), (30, 2))):
            self.list.append(arcade.Sprite(textures[name], center_x=x, center_y=y, angle=random.uniform(0, 360)))
        self.ids = self.world.insert_all(names, np.zeros((30, 2)))
        self.frame = 0

    def on_update(self, delta_time: float) -> None:
        for sprite in self.list:
            sprite.angle += 1
        xy = np.array([(sprite.center_x, self.height - sprite.center_y) for sprite in self.list])
        self.world.set_placements(self.ids, xy, np.radians([sprite.angle for sprite in self.list]))
        self.world.update()
        pairs = self.world.touching()
        for sprite, touches in zip(self.list, np.isin(self.ids, pairs)):
            sprite.color = arcade.color.RED if touches else arcade.color.WHITE
        self.frame += 1
        if self.frame == LAST_FRAME:
            print(f"{len(pairs)} pairs touch")
            arcade.close_window()

    def on_draw(self) -> None:
        self.clear()
        self.list.draw()


Game()
arcade.run()
