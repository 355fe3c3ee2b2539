// Two sprites, one of which moves: the tick and the pixel of the first contact.
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
  hm_collider ship = hm_default_collider(), rock = hm_default_collider();
  hm_collider_id ship_id, rock_id;
  ok(hm_atlas_open("art.hitmask", NULL, &atlas));
  if (!ok(hm_atlas_sprite(atlas, "ship", &ship.sprite)) ||
      !ok(hm_atlas_sprite(atlas, "rock", &rock.sprite))) {
    fprintf(stderr, "a sprite is missing\n");
    return 1;
  }
  ok(hm_world_create(atlas, &world));
  ship.y = 40;
  rock.x = 90;
  rock.y = 52;
  ok(hm_world_insert(world, &ship, &ship_id));
  ok(hm_world_insert(world, &rock, &rock_id));
  for (int tick = 0; tick < 100; tick++) {
    hm_pairs began;
    ok(hm_world_move_to(world, ship_id, tick, 40));
    ok(hm_world_update(world));
    ok(hm_world_began(world, &began));
    for (size_t i = 0; i < began.count; i++) {
      hm_contact hit;
      ok(hm_world_contact(world, began.items[i], &hit));
      printf("tick %d: hit at %d, %d\n", tick, (int)hit.point.x, (int)hit.point.y);
    }
  }
  ok(hm_world_destroy(world));
  ok(hm_atlas_destroy(atlas));
  return 0;
}
