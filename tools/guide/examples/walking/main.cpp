// A hero walks over the ground and up a slope.
#include "hitmask.hpp"
#include <cstdio>

int main() {
  const auto atlas = hitmask::Atlas::open("art.hitmask");
  const auto sprite = [&](const char *name, float x, float y, bool fixed) {
    hm_collider collider = hm_default_collider();
    collider.sprite = atlas.sprite(name);
    collider.x = x;
    collider.y = y;
    collider.fixed = fixed;
    return collider;
  };
  hitmask::World world(atlas);
  world.insert(sprite("ground", 160, 108, true));
  world.insert(sprite("slope", 160, 84, true));
  const hm_collider_id hero = world.insert(sprite("hero", 60, 50, false));
  for (int i = 0; i < 40; i++) {
    // 3 px to the right, and 8 px down for gravity.
    world.move_and_slide(hero, hm_vec2{3, 0});
    world.move_and_slide(hero, hm_vec2{0, 8});
  }
  const hm_collider at = world.at(hero);
  std::printf("the hero stands at %g, %g\n", at.x, at.y);
}
