// Colliders in a circle, on a ray, and nearest to a point.
#include "hitmask.hpp"
#include <cstdio>

int main() {
  const auto atlas = hitmask::Atlas::open("art.hitmask");
  hm_collider coin = hm_default_collider();
  coin.sprite = atlas.sprite("coin");
  hitmask::World world(atlas);
  for (int i = 0; i < 10; i++) {
    coin.x = float(20 * i);
    world.insert(coin);
  }
  const auto blast = world.query_circle(hm_vec2{60, 0}, 30);
  std::printf("%zu coins in the blast\n", blast.size());
  if (const auto hit = world.ray(hm_vec2{-50, 3}, hm_vec2{300, 3})) {
    std::printf("the ray ends at %d, %d\n", hit->point.x, hit->point.y);
  }
  if (const auto nearest = world.nearest(hm_vec2{80, 50}, 100)) {
    std::printf("the nearest pixel is %.2f px away\n", nearest->distance);
  }
}
