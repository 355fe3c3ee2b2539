"""Poses of a compact atlas are drawn when they are first shown, or ahead."""

import numpy as np

from hitmask import Atlas, World

atlas = Atlas.open("art.hitmask")
world = World(atlas)
world.insert("rock")
print(f"{world.pose_stats().poses} pose is drawn")
# All angles that will be shown. In a game: some of them in each frame.
angles = np.linspace(0, 2 * np.pi, 64, endpoint=False)
drawn = world.draw_ahead("rock", angles, bytes=1_000_000)
print(f"{drawn} of {len(angles)} are ready")
print(f"{world.pose_stats().poses} poses take {world.pose_stats().bytes} bytes")
