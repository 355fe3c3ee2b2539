// A ship that turns and grows, and a coin near it.
#include "hitmask.hpp"
#include <cstdio>

int main() {
  const auto atlas = hitmask::Atlas::open("art.hitmask");
  hm_collider ship = hm_default_collider(), coin = ship;
  ship.sprite = atlas.sprite("ship");
  coin.sprite = atlas.sprite("coin");
  hitmask::World world(atlas);
  const hm_collider_id turning = world.insert(ship);
  coin.y = 18;
  world.insert(coin);
  for (const float degrees : {0.0f, 45.0f, 90.0f}) {
    for (const float scale : {1.0f, 2.0f}) {
      world.place(turning, hm_vec2{0, 0}, degrees * 3.14159265f / 180, scale);
      world.update();
      const std::size_t pairs = world.touching().size();
      std::printf("%g degrees, scale %g: %zu pairs\n", degrees, scale, pairs);
    }
  }
}
