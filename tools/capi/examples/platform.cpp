// A hero falls on a floor, walks to a wall, and is hit by a shot: hitmask.hpp in use.
//
//   c++ -std=c++17 platform.cpp -lhitmask -o platform
#include "hitmask.hpp"
#include <cstdio>

int main() {
  using namespace hitmask;
  const Atlas atlas = Baker()
                          .mask("hero", Mask::from_text("####\n####\n####\n####"))
                          .mask("shot", Mask::disc(1))
                          .atlas();
  World world(atlas);
  hm_collider hero = hm_default_collider();
  hero.sprite = atlas.sprite("hero");
  const hm_collider_id id = world.insert(hero);

  // The floor and the wall are one run-time mask.
  hm_mask *ground;
  hm_mask_id shape;
  check(hm_mask_solid(100, 50, &ground));
  const Mask owner(ground);
  check(hm_mask_fill_rect(ground, hm_rect{0, 0, 80, 40}, 0));
  const hm_pivot corner{0, 0};
  check(hm_world_insert_mask(world.get(), ground, &corner, &shape));
  hm_collider level = hm_default_collider();
  level.mask = shape;
  level.fixed = 1;
  world.insert(level);

  world.move_to(id, hm_vec2{10, 10});
  hm_move_result moved = world.move_and_slide(id, hm_vec2{0, 100});
  std::printf("fell to %g, %g\n", double(moved.position.x), double(moved.position.y));
  moved = world.move_and_slide(id, hm_vec2{200, 1});
  std::printf("walked to %g, %g\n", double(moved.position.x), double(moved.position.y));

  hm_collider shot = hm_default_collider();
  shot.sprite = atlas.sprite("shot");
  shot.x = moved.position.x;
  shot.y = moved.position.y;
  const hm_collider_id bullet = world.insert(shot);
  world.update();
  for (const hm_pair pair : world.began()) {
    if (pair.b == bullet) {
      std::printf("hit, %d pixels\n", int(world.contact(pair)->area));
    }
  }
  try {
    world.move_to(hm_collider_id(0), hm_vec2{0, 0});
  } catch (const Error &error) {
    std::printf("refused: %s\n", hm_status_text(error.status()));
  }
  return 0;
}
