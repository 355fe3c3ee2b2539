// A level of the atlas: its floor and hill are colliders, and its point is where the hero starts. Then it is edited.
#include "hitmask.hpp"
#include <algorithm>
#include <cstdio>

int main() {
  const auto atlas = hitmask::Atlas::open("art.hitmask");
  hm_collider hero = hm_default_collider();
  hero.sprite = atlas.sprite("hero");
  hitmask::World world(atlas);
  auto yard = world.insert_map("yard");
  const auto colliders = hitmask::value<std::size_t>(
      [&](auto out) { return hm_world_count(world.get(), out); });
  std::printf("%zu items, %zu colliders\n", yard.items.size(), colliders);
  const auto start = std::find_if(yard.items.begin(), yard.items.end(),
                                  [](const auto &item) { return item.name == "start"; });
  if (start == yard.items.end()) throw std::runtime_error("no start");
  hero.x = start->position.x;
  hero.y = start->position.y;
  const auto [x, y] = world.move_and_slide(world.insert(hero), hm_vec2{0, 100}).position;
  std::printf("the hero falls to %g, %g\n", x, y);
  // The level is saved anew: a boulder below the hero, and the hill farther away.
  world.replace_atlas(atlas.id(), hitmask::Atlas::open("art-new.hitmask"));
  const auto report = world.update_map(yard);
  std::printf("%zu inserted, %zu removed, %zu changed\n", report.inserted.size(),
              report.removed.size(), report.changed.size());
}
