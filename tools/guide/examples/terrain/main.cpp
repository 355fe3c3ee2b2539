// A coin falls onto terrain, which loses a crater each time.
#include "hitmask.hpp"
#include <cstdio>

int main() {
  const auto atlas = hitmask::Atlas::open("art.hitmask");
  hm_collider coin = hm_default_collider(), terrain = coin;
  coin.sprite = atlas.sprite("coin");
  hitmask::World world(atlas);
  // Terrain is a mask of the world, with its top left pixel at the position of its collider.
  const hm_pivot corner{0, 0};
  terrain.mask = world.insert_mask(hitmask::Mask::solid(300, 100), &corner);
  terrain.y = 200;
  world.insert(terrain);
  coin.x = 150;
  coin.y = 100;
  const hm_collider_id coin_id = world.insert(coin);
  for (int i = 0; i < 3; i++) {
    const hm_hit hit = world.cast(coin_id, hm_vec2{0, 300}).value();
    std::printf("the coin falls to y = %g\n", hit.position.y);
    const hm_point crater{int(hit.point.x), int(hit.point.y) - 200};
    world.fill_disc(terrain.mask, crater, 20, false);
  }
}
