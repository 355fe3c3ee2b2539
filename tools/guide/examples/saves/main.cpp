// A world is saved, changed and restored.
#include "hitmask.hpp"
#include <cstdio>

int main() {
  const auto atlas = hitmask::Atlas::open("art.hitmask");
  hm_collider rock = hm_default_collider();
  rock.sprite = atlas.sprite("rock");
  hitmask::World world(atlas);
  const hm_collider_id id = world.insert(rock);
  world.update();
  const auto saved = world.snapshot().copy();
  const auto hash = world.state_hash();
  world.move_to(id, hm_vec2{50, 0});
  std::printf("moved: %s\n", world.state_hash() != hash ? "true" : "false");
  world.restore(saved.data(), saved.size());
  std::printf("restored: %s\n", world.state_hash() == hash ? "true" : "false");
}
