/*
 * The shortest way to a first hit: two sprites of an atlas, one of which moves.
 *
 *   hitmask bake sprites/ -o sprites.hitmask       (a folder with ship.png and rock.png)
 *   cc -std=c99 first.c $(pkg-config --cflags --libs hitmask) -o first && ./first
 */
#include "hitmask.h"
#include <stdio.h>
#include <stdlib.h>

/* Every call returns a status. HM_NONE is an answer: no hit, no sprite with this name. */
static int ok(hm_status status) {
  if (status > HM_NONE) {
    fprintf(stderr, "hitmask: %s\n", hm_last_error());
    exit(1);
  }
  return status == HM_OK;
}

int main(void) {
  hm_atlas *atlas;
  hm_world *world;
  hm_collider ship = hm_default_collider(), rock = hm_default_collider();
  hm_collider_id ids[2];
  hm_placement at[2] = {{100, 40, 0}, {160, 40, 0.5f}}; /* x, y of the centre in pixels; radians clockwise */
  hm_pairs began;
  hm_contact contact;
  int tick;

  ok(hm_atlas_open("sprites.hitmask", NULL, &atlas));
  if (!ok(hm_atlas_sprite(atlas, "ship", &ship.sprite)) || !ok(hm_atlas_sprite(atlas, "rock", &rock.sprite))) {
    fprintf(stderr, "the atlas lacks a sprite\n");
    return 1;
  }
  ok(hm_world_create(atlas, &world));
  ok(hm_world_insert(world, &ship, &ids[0]));
  ok(hm_world_insert(world, &rock, &ids[1]));

  for (tick = 0; tick < 60; tick++) {
    size_t i;
    at[0].x += 1;                                          /* the game moves its sprites */
    ok(hm_world_set_placements(world, ids, at, 2));        /* and tells all places at once */
    ok(hm_world_update(world));                            /* finds what touches, once per tick */
    ok(hm_world_began(world, &began));                     /* lent until the next update */
    for (i = 0; i < began.count; i++) {
      ok(hm_world_contact(world, began.items[i], &contact));
      printf("tick %d: hit at %d, %d\n", tick, (int)contact.point.x, (int)contact.point.y);
    }
  }
  ok(hm_world_destroy(world));
  ok(hm_atlas_destroy(atlas));
  return 0;
}
