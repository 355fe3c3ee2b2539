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
  Mask ground = Mask::solid(100, 50);
  ground.fill_rect(hm_rect{0, 0, 80, 40}, false);
  const hm_pivot corner{0, 0};
  hm_collider level = hm_default_collider();
  level.mask = world.insert_mask(ground, &corner);
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

  // A second atlas, such as that of the next level, in the same world.
  const Atlas next = Baker().mask("spike", Mask::from_polygon({{0, 8}, {4, 0}, {8, 8}}).first).atlas();
  const hm_atlas_id level_two = world.add_atlas(next);
  hm_collider spike = hm_default_collider();
  spike.sprite = next.sprite("spike");
  spike.x = moved.position.x;
  spike.y = moved.position.y;
  const hm_collider_id trap = world.insert(spike);
  world.update();
  for (const hm_pair pair : world.began()) {
    if (pair.a == id && pair.b == trap) {
      std::printf("the %d. atlas hurts\n", int(world.atlases().size()));
    }
  }
  world.remove(trap);
  world.drop_atlas(level_two);

  // Without a world: many pairs of poses at once.
  Batch batch(atlas);
  const hm_pose_id hero_pose = atlas.pose(atlas.sprite("hero"));
  const hm_pose_id shot_pose = atlas.pose(atlas.sprite("shot"), 0.5f);
  const auto hits = batch.touches({{hero_pose, shot_pose, {2, 1}}, {hero_pose, shot_pose, {4, 4}}});
  std::printf("in a batch: %d, %d\n", hits[0], hits[1]);

  try {
    world.move_to(hm_collider_id(0), hm_vec2{0, 0});
  } catch (const Error &error) {
    std::printf("refused: %s\n", hm_status_text(error.status()));
  }
  return 0;
}
