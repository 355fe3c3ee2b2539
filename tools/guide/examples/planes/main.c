// A bullet hits the body of an ogre, or its eye.
#include "hitmask.h"
#include <stdio.h>
#include <stdlib.h>

// Every call returns a status. HM_NONE is an answer: no hit, no sprite with this name.
static int ok(hm_status status) {
  if (status <= HM_NONE) return status == HM_OK;
  fprintf(stderr, "hitmask: %s\n", hm_last_error());
  exit(1);
}

int main(void) {
  hm_atlas *atlas;
  hm_world *world;
  hm_collider ogre = hm_default_collider(), bullet = hm_default_collider();
  hm_collider_id body, eye, bullet_id;
  const hm_vec2 at[] = {{0, 0}, {8, -13}, {30, 0}};
  ok(hm_atlas_open("art.hitmask", NULL, &atlas));
  if (!ok(hm_atlas_sprite(atlas, "ogre", &ogre.sprite)) ||
      !ok(hm_atlas_plane(atlas, ogre.sprite, "eye", &ogre.plane)) ||
      !ok(hm_atlas_sprite(atlas, "bullet", &bullet.sprite))) {
    fprintf(stderr, "a sprite or its plane is missing\n");
    return 1;
  }
  ok(hm_world_create(atlas, &world));
  ogre.owner = 1; // The parts of one body have an owner, so they never meet each other.
  ok(hm_world_insert(world, &ogre, &eye));
  ogre.plane = 0;
  ok(hm_world_insert(world, &ogre, &body));
  ok(hm_world_insert(world, &bullet, &bullet_id));
  for (int i = 0; i < 3; i++) {
    hm_colliders hit;
    const char *what = "nothing";
    ok(hm_world_move_to(world, bullet_id, at[i].x, at[i].y));
    ok(hm_world_touching_with(world, bullet_id, &hit));
    if (hit.count > 0) what = "the body";
    for (size_t k = 0; k < hit.count; k++)
      if (hit.items[k] == eye) what = "the eye";
    printf("%g, %g: %s\n", at[i].x, at[i].y, what);
  }
  ok(hm_world_destroy(world));
  ok(hm_atlas_destroy(atlas));
  return 0;
}
