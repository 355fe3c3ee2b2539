// A coin falls onto terrain, which loses a crater each time.
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
  hm_mask *mask;
  hm_collider coin = hm_default_collider(), terrain = hm_default_collider();
  hm_collider_id coin_id, terrain_id;
  hm_hit hit;
  ok(hm_atlas_open("art.hitmask", NULL, &atlas));
  if (!ok(hm_atlas_sprite(atlas, "coin", &coin.sprite))) {
    fprintf(stderr, "no coin\n");
    return 1;
  }
  ok(hm_world_create(atlas, &world));
  // Terrain is a mask of the world, with its top left pixel at the position of its collider.
  ok(hm_mask_solid(300, 100, &mask));
  ok(hm_world_insert_mask(world, mask, &(hm_pivot){0, 0}, &terrain.mask));
  terrain.y = 200;
  ok(hm_world_insert(world, &terrain, &terrain_id));
  coin.x = 150;
  coin.y = 100;
  ok(hm_world_insert(world, &coin, &coin_id));
  for (int i = 0; i < 3; i++) {
    if (ok(hm_world_cast(world, coin_id, (hm_vec2){0, 300}, NULL, NULL, &hit))) {
      const hm_point crater = {(int32_t)hit.point.x, (int32_t)hit.point.y - 200};
      printf("the coin falls to y = %g\n", hit.position.y);
      ok(hm_world_fill_disc(world, terrain.mask, crater, 20, 0));
    }
  }
  ok(hm_mask_destroy(mask));
  ok(hm_world_destroy(world));
  ok(hm_atlas_destroy(atlas));
  return 0;
}
