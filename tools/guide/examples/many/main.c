// 10,000 rocks that drift apart, and all pairs that touch.
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
  enum { ROCKS = 10000 };
  static hm_collider rocks[ROCKS];
  static hm_placement placements[ROCKS];
  hm_atlas *atlas;
  hm_world *world;
  hm_colliders ids;
  rocks[0] = hm_default_collider();
  ok(hm_atlas_open("art.hitmask", NULL, &atlas));
  if (!ok(hm_atlas_sprite(atlas, "rock", &rocks[0].sprite))) {
    fprintf(stderr, "no rock\n");
    return 1;
  }
  ok(hm_world_create(atlas, &world));
  // 100 rows of 100 rocks.
  for (int i = 1; i < ROCKS; i++) rocks[i] = rocks[0];
  ok(hm_world_insert_all(world, rocks, ROCKS, &ids));
  for (int tick = 0; tick < 3; tick++) {
    hm_pairs touching, began, ended;
    for (int i = 0; i < ROCKS; i++)
      placements[i] = (hm_placement){i % 100 * (40 + tick), i / 100 * (41 + tick), 0};
    ok(hm_world_set_placements(world, ids.items, placements, ROCKS));
    ok(hm_world_update(world));
    ok(hm_world_touching(world, &touching));
    ok(hm_world_began(world, &began));
    ok(hm_world_ended(world, &ended));
    printf("tick %d: %d pairs touch, %d began, %d ended\n", tick, (int)touching.count,
           (int)began.count, (int)ended.count);
  }
  ok(hm_world_destroy(world));
  ok(hm_atlas_destroy(atlas));
  return 0;
}
