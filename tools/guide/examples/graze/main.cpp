// Bullets that hit a ship, or pass it within 10 px.
#include "hitmask.hpp"
#include <cstdio>

int main() {
  const auto atlas = hitmask::Atlas::open("art.hitmask");
  hm_collider ship = hm_default_collider(), bullet = ship;
  ship.sprite = atlas.sprite("ship");
  bullet.sprite = atlas.sprite("bullet");
  hitmask::World world(atlas);
  const hm_collider_id ship_id = world.insert(ship), bullet_id = world.insert(bullet);
  for (const float y : {0.0f, 12.0f, 40.0f}) {
    world.move_to(bullet_id, hm_vec2{0, y});
    // The function of hitmask.h: check() and value() make its statuses exceptions.
    const auto found = hitmask::value<hm_grazes>(
        [&](auto out) { return hm_world_graze(world.get(), ship_id, 10, nullptr, out); });
    const char *word = "clear";
    if (found.count > 0) word = found.items[0].graze == HM_GRAZE_HIT ? "hit" : "near miss";
    std::printf("y = %g: %s\n", y, word);
  }
}
