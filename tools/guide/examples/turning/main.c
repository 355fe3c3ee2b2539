// A ship that turns and grows, and a coin near it.
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
  hm_collider ship = hm_default_collider(), coin = hm_default_collider();
  hm_collider_id turning, id;
  ok(hm_atlas_open("art.hitmask", NULL, &atlas));
  if (!ok(hm_atlas_sprite(atlas, "ship", &ship.sprite)) ||
      !ok(hm_atlas_sprite(atlas, "coin", &coin.sprite))) {
    fprintf(stderr, "a sprite is missing\n");
    return 1;
  }
  ok(hm_world_create(atlas, &world));
  ok(hm_world_insert(world, &ship, &turning));
  coin.y = 18;
  ok(hm_world_insert(world, &coin, &id));
  for (int degrees = 0; degrees <= 90; degrees += 45) {
    for (int scale = 1; scale <= 2; scale++) {
      hm_pairs touching;
      ok(hm_world_place(world, turning, 0, 0, degrees * 3.14159265f / 180, scale));
      ok(hm_world_update(world));
      ok(hm_world_touching(world, &touching));
      printf("%d degrees, scale %d: %d pairs\n", degrees, scale, (int)touching.count);
    }
  }
  ok(hm_world_destroy(world));
  ok(hm_atlas_destroy(atlas));
  return 0;
}
