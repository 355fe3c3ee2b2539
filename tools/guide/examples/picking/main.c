// What a mouse or a finger points at.
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
  hm_collider_id ship_id, coin_id, id;
  const struct { float x, y, radius; } at[] = {
      {104, 100, 0}, {92, 98, 0}, {110, 108, 0}, {110, 108, 5}};
  ok(hm_atlas_open("art.hitmask", NULL, &atlas));
  if (!ok(hm_atlas_sprite(atlas, "ship", &ship.sprite)) ||
      !ok(hm_atlas_sprite(atlas, "coin", &coin.sprite))) {
    fprintf(stderr, "a sprite is missing\n");
    return 1;
  }
  ok(hm_world_create(atlas, &world));
  ship.x = ship.y = coin.y = 100;
  coin.x = 104;
  ok(hm_world_insert(world, &ship, &ship_id));
  ok(hm_world_insert(world, &coin, &coin_id));
  for (int i = 0; i < 4; i++) {
    // Later colliders are on top.
    const char *name = "nothing";
    if (ok(hm_world_pick(world, at[i].x, at[i].y, at[i].radius, HM_PICK_BY_SLOT, NULL, &id)))
      name = id == ship_id ? "the ship" : "the coin";
    printf("%g, %g within %g px: %s\n", at[i].x, at[i].y, at[i].radius, name);
  }
  ok(hm_world_destroy(world));
  ok(hm_atlas_destroy(atlas));
  return 0;
}
