// Poses of a compact atlas are drawn when they are first shown, or ahead.
#include "hitmask.hpp"
#include <cstdio>

int main() {
  const auto atlas = hitmask::Atlas::open("art.hitmask");
  hm_collider rock = hm_default_collider();
  rock.sprite = atlas.sprite("rock");
  hitmask::World world(atlas);
  const auto pose_stats = [&] {
    return hitmask::value<hm_pose_stats>(
        [&](auto out) { return hm_world_pose_stats(world.get(), out); });
  };
  world.insert(rock);
  std::printf("%d pose is drawn\n", int(pose_stats().poses));
  // One collider for each angle that will be shown. In a game: some of them in each frame.
  std::vector<hm_collider> wave(64, rock);
  for (int i = 0; i < 64; i++) wave[i].angle = 6.2831853f * i / 64;
  const std::size_t drawn = world.draw_ahead(wave, 0, UINT64_MAX, 1000000);
  std::printf("%zu of %zu are ready\n", drawn, wave.size());
  std::printf("%d poses take %d bytes\n", int(pose_stats().poses), int(pose_stats().bytes));
}
