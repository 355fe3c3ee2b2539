// Where two rocks overlap, and how they are pushed apart.
#include "hitmask.hpp"
#include <cstdio>

int main() {
  const auto atlas = hitmask::Atlas::open("art.hitmask");
  hm_collider rock = hm_default_collider();
  rock.sprite = atlas.sprite("rock");
  hitmask::World world(atlas);
  const hm_collider_id left = world.insert(rock);
  rock.x = 36;
  rock.y = 10;
  const hm_collider_id right = world.insert(rock);
  const hm_overlap overlap = world.overlap(hm_pair{left, right}).value();
  const auto [x, y] = overlap.contact.point;
  std::printf("%d pixels, the first at %d, %d\n", int(overlap.contact.area), x, y);
  const hm_vec2 normal = overlap.normal;
  const hm_point way = overlap.push_out;
  std::printf("normal %.2f, %.2f\n", normal.x, normal.y);
  std::printf("push out by %d, %d\n", way.x, way.y);
}
