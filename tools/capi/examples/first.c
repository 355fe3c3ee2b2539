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

/* Finds a sprite. A name that the atlas does not have ends the program, with one that is alike. */
static hm_sprite_id find(const hm_atlas *atlas, const char *name) {
  hm_sprite_id sprite;
  const char *other;
  if (ok(hm_atlas_sprite(atlas, name, &sprite))) return sprite;
  fprintf(stderr, "the atlas has no sprite \"%s\"", name);
  if (ok(hm_atlas_alike(atlas, 0, name, &other))) fprintf(stderr, "; did you mean \"%s\"?", other);
  fprintf(stderr, "\n");
  exit(1);
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
  ship.sprite = find(atlas, "ship");
  rock.sprite = find(atlas, "rock");
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
