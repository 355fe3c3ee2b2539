// What a mouse or a finger points at.
#include "hitmask.hpp"
#include <cstdio>

int main() {
  const auto atlas = hitmask::Atlas::open("art.hitmask");
  hm_collider ship = hm_default_collider(), coin = ship;
  ship.sprite = atlas.sprite("ship");
  coin.sprite = atlas.sprite("coin");
  hitmask::World world(atlas);
  ship.x = ship.y = coin.y = 100;
  coin.x = 104;
  const hm_collider_id ship_id = world.insert(ship), coin_id = world.insert(coin);
  const std::pair<hm_vec2, float> points[] = {
      {{104, 100}, 0.0f}, {{92, 98}, 0.0f}, {{110, 108}, 0.0f}, {{110, 108}, 5.0f}};
  for (const auto &[at, radius] : points) {
    // Later colliders are on top.
    const auto id = world.pick(at, radius);
    const char *name = id == ship_id ? "the ship" : id == coin_id ? "the coin" : "nothing";
    std::printf("%g, %g within %g px: %s\n", at.x, at.y, radius, name);
  }
}
