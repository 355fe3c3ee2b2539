// Bullets that fly 900 px per tick hit what lies between.
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
  hm_collider bullet = hm_default_collider(), rock = hm_default_collider();
  hm_collider_id id;
  const float ys[] = {0, -21, -23};
  const hm_vec2 motion = {900, 0};
  ok(hm_atlas_open("art.hitmask", NULL, &atlas));
  if (!ok(hm_atlas_sprite(atlas, "bullet", &bullet.sprite)) ||
      !ok(hm_atlas_sprite(atlas, "rock", &rock.sprite))) {
    fprintf(stderr, "a sprite is missing\n");
    return 1;
  }
  ok(hm_world_create(atlas, &world));
  rock.x = 500;
  ok(hm_world_insert(world, &rock, &id));
  for (int i = 0; i < 3; i++) {
    hm_hit hit;
    bullet.y = ys[i];
    ok(hm_world_insert(world, &bullet, &id));
    // 900 px in one tick: every pixel of the way is tested.
    if (ok(hm_world_cast(world, id, motion, NULL, NULL, &hit)))
      printf("y = %g: stops at x = %g\n", ys[i], hit.position.x);
    else
      printf("y = %g: flies on\n", ys[i]);
    ok(hm_world_remove(world, id));
  }
  ok(hm_world_destroy(world));
  ok(hm_atlas_destroy(atlas));
  return 0;
}
