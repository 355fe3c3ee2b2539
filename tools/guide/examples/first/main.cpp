// Two sprites, one of which moves: the tick and the pixel of the first contact.
#include "hitmask.hpp"
#include <cstdio>

int main() {
  const auto atlas = hitmask::Atlas::open("art.hitmask");
  hm_collider ship = hm_default_collider(), rock = ship;
  ship.sprite = atlas.sprite("ship");
  rock.sprite = atlas.sprite("rock");
  hitmask::World world(atlas);
  const hm_collider_id ship_id = world.insert(ship);
  rock.x = 90;
  rock.y = 52;
  world.insert(rock);
  for (int tick = 0; tick < 100; tick++) {
    world.move_to(ship_id, hm_vec2{float(tick), 40});
    world.update();
    for (const hm_pair pair : world.began()) {
      const hm_point point = world.contact(pair).value().point;
      std::printf("tick %d: hit at %d, %d\n", tick, point.x, point.y);
    }
  }
}
