// A hero runs, climbs, jumps, drops through ledges, and rides a belt and a lift, by a file of keys.
#include "hitmask.hpp"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

int main() {
  const auto atlas = hitmask::Atlas::open("art.hitmask");
  hitmask::World world(atlas);
  const auto course = world.insert_map("course");
  const auto find = [&](const char *name) {
    return std::find_if(course.items.begin(), course.items.end(), [&](const auto &item) { return item.name == name; });
  };
  const auto start = find("start"), lift = find("lift");
  hm_collider collider = hm_default_collider();
  collider.sprite = atlas.sprite("hero");
  collider.x = start->position.x;
  collider.y = start->position.y;
  const hm_collider_id hero = world.insert(collider);
  hm_move_rules rules = hm_default_move_rules();
  rules.climb = 3;
  rules.one_way = 2;
  const hitmask::MapItem *floor = nullptr; // What the hero stands on.
  float speed = 0;
  int tick = 0, ticks_in_air = 0;
  bool has_jumped = false;
  std::ifstream keys("keys.txt");
  for (char key; keys >> key;) {
    const auto is = [&](const char *any) { return std::string(any).find(key) != std::string::npos; };
    const bool left = is("<\\"), right = is(">/"), jump = is("^/\\"), down = is("v");

    // The lift goes up and down by 1 px per tick.
    const int height = 80 - std::abs(tick++ % 160 - 80);
    world.move_to(lift->collider, hm_vec2{lift->position.x, lift->position.y - float(height)});

    // Sideways first. The belt carries the hero to the left.
    const float drift = floor && floor->name == "belt" ? -1.0f : 0.0f;
    const auto [x, y] = world.move_and_slide(hero, hm_vec2{1.5f * float(right - left) + drift, 0}, &rules).position;

    // Coyote time: a jump still works 6 ticks after the hero has left the ground.
    if (jump && !has_jumped && ticks_in_air <= 6) {
      speed = -5;
      ticks_in_air = 7;
      floor = nullptr;
    } else if (down && floor && floor->class_name == "one-way") {
      // A one-way platform raises what is up to 2 px deep in it, by the rule `rise`. So 3 px down fall through.
      world.move_to(hero, hm_vec2{x, y + 3});
      floor = nullptr;
    }
    has_jumped = jump;

    // In the air the hero falls. On the ground 2 px down keep it on a slope.
    speed = std::min(speed + 0.25f, 6.0f);
    const hm_move_result moved = world.move_and_slide(hero, hm_vec2{0, floor ? 2 : speed}, &rules);
    floor = nullptr;
    for (const hm_blocked &contact : hitmask::Lent<hm_blocked>(moved.contacts)) {
      for (const auto &item : course.items)
        if (contact.side == HM_SIDE_BELOW && item.collider == contact.collider) floor = &item;
      speed = 0; // On the ground, or at a ceiling.
    }
    ticks_in_air = floor ? 0 : ticks_in_air + 1;
    world.update();
    std::printf("%g %g\n", moved.position.x, moved.position.y);
  }
}
