// 10,000 rocks that drift apart, and all pairs that touch.
#include "hitmask.hpp"
#include <cstdio>

int main() {
  const auto atlas = hitmask::Atlas::open("art.hitmask");
  hm_collider rock = hm_default_collider();
  rock.sprite = atlas.sprite("rock");
  hitmask::World world(atlas);
  // 100 rows of 100 rocks.
  const auto ids = world.insert_all(std::vector<hm_collider>(10000, rock));
  std::vector<hm_placement> placements(10000);
  for (int tick = 0; tick < 3; tick++) {
    for (int i = 0; i < 10000; i++) {
      placements[i] = {float(i % 100 * (40 + tick)), float(i / 100 * (41 + tick)), 0};
    }
    world.place(ids.begin(), placements.data(), placements.size());
    world.update();
    std::printf("tick %d: %zu pairs touch, %zu began, %zu ended\n", tick, world.touching().size(),
                world.began().size(), world.ended().size());
  }
}
