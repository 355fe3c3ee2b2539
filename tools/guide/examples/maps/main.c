// A level of the atlas: its floor and hill are colliders, and its point is where the hero starts. Then it is edited.
#include "hitmask.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Every call returns a status. HM_NONE is an answer: no hit, no sprite with this name.
static int ok(hm_status status) {
  if (status <= HM_NONE) return status == HM_OK;
  fprintf(stderr, "hitmask: %s\n", hm_last_error());
  exit(1);
}

int main(void) {
  hm_atlas *atlas, *art_new;
  hm_world *world;
  hm_collider hero = hm_default_collider();
  hm_collider_id id;
  hm_map yard;
  hm_placed_map *placed;
  hm_map_report report;
  hm_atlas_id old;
  hm_reload_report reloaded;
  const hm_map_item *start = NULL;
  hm_move_result moved;
  size_t colliders;
  ok(hm_atlas_open("art.hitmask", NULL, &atlas));
  ok(hm_world_create(atlas, &world));
  ok(hm_world_insert_map(world, "yard", (hm_vec2){0, 0}, &yard, &placed));
  ok(hm_world_count(world, &colliders));
  printf("%d items, %d colliders\n", (int)yard.items.count, (int)colliders);
  for (size_t i = 0; i < yard.items.count && start == NULL; i++)
    if (strcmp(yard.items.items[i].name, "start") == 0) start = &yard.items.items[i];
  if (start == NULL || !ok(hm_atlas_sprite(atlas, "hero", &hero.sprite))) {
    fprintf(stderr, "no start or no hero\n");
    return 1;
  }
  hero.x = start->position.x;
  hero.y = start->position.y;
  ok(hm_world_insert(world, &hero, &id));
  ok(hm_world_move_and_slide(world, id, (hm_vec2){0, 100}, &moved));
  printf("the hero falls to %g, %g\n", moved.position.x, moved.position.y);
  // The level is saved anew: a boulder below the hero, and the hill farther away.
  ok(hm_atlas_get_id(atlas, &old));
  ok(hm_atlas_open("art-new.hitmask", NULL, &art_new));
  ok(hm_world_replace_atlas(world, old, art_new, &reloaded));
  ok(hm_world_update_map(world, placed, &report));
  printf("%d inserted, %d removed, %d changed\n", (int)report.inserted.count, (int)report.removed.count,
         (int)report.changed.count);
  ok(hm_placed_map_destroy(placed));
  ok(hm_world_destroy(world));
  ok(hm_atlas_destroy(art_new));
  ok(hm_atlas_destroy(atlas));
  return 0;
}
