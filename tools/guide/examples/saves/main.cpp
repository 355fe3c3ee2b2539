// A world is saved to a file, and goes on in a new world, as in a fresh process.
#include "hitmask.hpp"
#include <cstdio>
#include <fstream>
#include <iterator>
#include <vector>

int main() {
  const auto atlas = hitmask::Atlas::open("art.hitmask");
  hm_collider rock = hm_default_collider();
  rock.sprite = atlas.sprite("rock");
  hitmask::World world(atlas);
  const hm_collider_id id = world.insert(rock);
  world.update();
  const auto saved = world.snapshot().copy();
  std::ofstream("saved-by-cpp.world", std::ios::binary).write(reinterpret_cast<const char *>(saved.data()), std::streamsize(saved.size()));
  const auto hash = world.state_hash();
  world.move_to(id, hm_vec2{50, 0});
  std::printf("moved: %s\n", world.state_hash() != hash ? "true" : "false");
  // A fresh process needs no more than the atlas and the file.
  std::ifstream file("saved-by-cpp.world", std::ios::binary);
  const std::vector<char> read{std::istreambuf_iterator<char>(file), {}};
  hitmask::World fresh(hitmask::Atlas::open("art.hitmask"));
  fresh.restore(reinterpret_cast<const std::uint8_t *>(read.data()), read.size());
  std::printf("restored: %s\n", fresh.state_hash() == hash ? "true" : "false");
}
