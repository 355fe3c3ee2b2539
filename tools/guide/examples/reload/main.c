// New art in a running game: a coin that has grown touches its neighbour.
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
  hm_atlas *atlas, *art_new;
  hm_world *world;
  hm_collider coin = hm_default_collider();
  hm_collider_id id;
  hm_atlas_id old;
  hm_reload_report report;
  hm_pairs touching;
  ok(hm_atlas_open("art.hitmask", NULL, &atlas));
  if (!ok(hm_atlas_sprite(atlas, "coin", &coin.sprite))) {
    fprintf(stderr, "no coin\n");
    return 1;
  }
  ok(hm_world_create(atlas, &world));
  ok(hm_world_insert(world, &coin, &id));
  coin.x = 16;
  ok(hm_world_insert(world, &coin, &id));
  ok(hm_world_update(world));
  ok(hm_world_touching(world, &touching));
  printf("before: %d pairs touch\n", (int)touching.count);
  // Colliders keep their ids, places and pairs.
  ok(hm_atlas_get_id(atlas, &old));
  ok(hm_atlas_open("art-new.hitmask", NULL, &art_new));
  ok(hm_world_replace_atlas(world, old, art_new, &report));
  ok(hm_world_update(world));
  ok(hm_world_touching(world, &touching));
  printf("after: %d pairs touch\n", (int)touching.count);
  ok(hm_world_destroy(world));
  ok(hm_atlas_destroy(art_new));
  ok(hm_atlas_destroy(atlas));
  return 0;
}
