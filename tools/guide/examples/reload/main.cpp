// New art in a running game: a coin that has grown touches its neighbour.
#include "hitmask.hpp"
#include <cstdio>

int main() {
  const auto atlas = hitmask::Atlas::open("art.hitmask");
  hm_collider coin = hm_default_collider();
  coin.sprite = atlas.sprite("coin");
  hitmask::World world(atlas);
  world.insert(coin);
  coin.x = 16;
  world.insert(coin);
  world.update();
  std::printf("before: %zu pairs touch\n", world.touching().size());
  // Colliders keep their ids, places and pairs.
  world.replace_atlas(atlas.id(), hitmask::Atlas::open("art-new.hitmask"));
  world.update();
  std::printf("after: %zu pairs touch\n", world.touching().size());
}
