// Bullets that hit a ship, or pass it within 10 px.
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
  hm_collider ship = hm_default_collider(), bullet = hm_default_collider();
  hm_collider_id ship_id, bullet_id;
  const float ys[] = {0, 12, 40};
  ok(hm_atlas_open("art.hitmask", NULL, &atlas));
  if (!ok(hm_atlas_sprite(atlas, "ship", &ship.sprite)) ||
      !ok(hm_atlas_sprite(atlas, "bullet", &bullet.sprite))) {
    fprintf(stderr, "a sprite is missing\n");
    return 1;
  }
  ok(hm_world_create(atlas, &world));
  ok(hm_world_insert(world, &ship, &ship_id));
  ok(hm_world_insert(world, &bullet, &bullet_id));
  for (int i = 0; i < 3; i++) {
    hm_grazes found;
    const char *word = "clear";
    ok(hm_world_move_to(world, bullet_id, 0, ys[i]));
    ok(hm_world_graze(world, ship_id, 10, NULL, &found));
    if (found.count > 0) word = found.items[0].graze == HM_GRAZE_HIT ? "hit" : "near miss";
    printf("y = %g: %s\n", ys[i], word);
  }
  ok(hm_world_destroy(world));
  ok(hm_atlas_destroy(atlas));
  return 0;
}
