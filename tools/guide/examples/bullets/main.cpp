// Bullets that fly 900 px per tick hit what lies between.
#include "hitmask.hpp"
#include <cstdio>

int main() {
  const auto atlas = hitmask::Atlas::open("art.hitmask");
  hm_collider bullet = hm_default_collider(), rock = bullet;
  bullet.sprite = atlas.sprite("bullet");
  rock.sprite = atlas.sprite("rock");
  hitmask::World world(atlas);
  rock.x = 500;
  world.insert(rock);
  for (const float y : {0.0f, -21.0f, -23.0f}) {
    bullet.y = y;
    const hm_collider_id id = world.insert(bullet);
    // 900 px in one tick: every pixel of the way is tested.
    if (const auto hit = world.cast(id, hm_vec2{900, 0})) {
      std::printf("y = %g: stops at x = %g\n", y, hit->position.x);
    } else {
      std::printf("y = %g: flies on\n", y);
    }
    world.remove(id);
  }
}
