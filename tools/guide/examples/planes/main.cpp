// A bullet hits the body of an ogre, or its eye.
#include "hitmask.hpp"
#include <algorithm>
#include <cstdio>

int main() {
  const auto atlas = hitmask::Atlas::open("art.hitmask");
  hm_collider ogre = hm_default_collider(), bullet = ogre;
  ogre.sprite = atlas.sprite("ogre");
  bullet.sprite = atlas.sprite("bullet");
  hitmask::World world(atlas);
  // The parts of one body have an owner, so they never meet each other.
  ogre.owner = 1;
  world.insert(ogre);
  if (!hitmask::check(hm_atlas_plane(atlas.get(), ogre.sprite, "eye", &ogre.plane))) {
    throw std::runtime_error("no eye");
  }
  const hm_collider_id eye = world.insert(ogre), bullet_id = world.insert(bullet);
  for (const hm_vec2 at : {hm_vec2{0, 0}, hm_vec2{8, -13}, hm_vec2{30, 0}}) {
    world.move_to(bullet_id, at);
    const auto hit = world.touching_with(bullet_id);
    const char *what = hit.empty() ? "nothing" : "the body";
    if (std::find(hit.begin(), hit.end(), eye) != hit.end()) what = "the eye";
    std::printf("%g, %g: %s\n", at.x, at.y, what);
  }
}
