// A hero runs, climbs, jumps, drops through ledges, and rides a belt and a lift, by a file of keys.
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

static const hm_map_item *find(const hm_map *map, const char *name) {
  for (size_t i = 0; i < map->items.count; i++)
    if (strcmp(map->items.items[i].name, name) == 0) return &map->items.items[i];
  fprintf(stderr, "no %s\n", name);
  exit(1);
}

int main(void) {
  hm_atlas *atlas;
  hm_world *world;
  hm_map course;
  hm_collider collider = hm_default_collider();
  hm_collider_id hero;
  hm_move_rules rules = hm_default_move_rules();
  ok(hm_atlas_open("art.hitmask", NULL, &atlas));
  ok(hm_world_create(atlas, &world));
  ok(hm_world_insert_map(world, "course", (hm_vec2){0, 0}, &course, NULL));
  const hm_map_item *start = find(&course, "start"), *lift = find(&course, "lift");
  if (!ok(hm_atlas_sprite(atlas, "hero", &collider.sprite))) return 1;
  collider.x = start->position.x;
  collider.y = start->position.y;
  ok(hm_world_insert(world, &collider, &hero));
  rules.climb = 3;
  rules.one_way = 2;

  const hm_map_item *floor = NULL; // What the hero stands on.
  float speed = 0;
  int tick = 0, ticks_in_air = 0, has_jumped = 0;
  FILE *keys = fopen("keys.txt", "r");
  if (keys == NULL) return 1;
  for (char key; fscanf(keys, " %c", &key) == 1;) {
    const int left = strchr("<\\", key) != NULL, right = strchr(">/", key) != NULL;
    const int jump = strchr("^/\\", key) != NULL, down = key == 'v';
    hm_move_result moved;

    // The lift goes up and down by 1 px per tick.
    const int height = 80 - abs(tick++ % 160 - 80);
    ok(hm_world_move_to(world, lift->collider, lift->position.x, lift->position.y - (float)height));

    // Sideways first. The belt carries the hero to the left.
    const float drift = floor != NULL && strcmp(floor->name, "belt") == 0 ? -1.0f : 0.0f;
    const hm_vec2 run = {1.5f * (float)(right - left) + drift, 0};
    ok(hm_world_move_by_rules(world, hero, run, &rules, NULL, NULL, &moved));

    // Coyote time: a jump still works 6 ticks after the hero has left the ground.
    if (jump && !has_jumped && ticks_in_air <= 6) {
      speed = -5;
      ticks_in_air = 7;
      floor = NULL;
    } else if (down && floor != NULL && strcmp(floor->class_name, "one-way") == 0) {
      // A one-way platform raises what is up to 2 px deep in it, by the rule `rise`. So 3 px down fall through.
      ok(hm_world_move_to(world, hero, moved.position.x, moved.position.y + 3));
      floor = NULL;
    }
    has_jumped = jump;

    // In the air the hero falls. On the ground 2 px down keep it on a slope.
    speed = speed + 0.25f < 6 ? speed + 0.25f : 6;
    const hm_vec2 fall = {0, floor != NULL ? 2 : speed};
    ok(hm_world_move_by_rules(world, hero, fall, &rules, NULL, NULL, &moved));
    floor = NULL;
    for (size_t i = 0; i < moved.contacts.count; i++) {
      const hm_blocked *contact = &moved.contacts.items[i];
      for (size_t j = 0; j < course.items.count; j++) {
        const hm_map_item *item = &course.items.items[j];
        if (contact->side == HM_SIDE_BELOW && item->collider == contact->collider) floor = item;
      }
      speed = 0; // On the ground, or at a ceiling.
    }
    ticks_in_air = floor != NULL ? 0 : ticks_in_air + 1;
    ok(hm_world_update(world));
    printf("%g %g\n", moved.position.x, moved.position.y);
  }
  fclose(keys);
  ok(hm_world_destroy(world));
  ok(hm_atlas_destroy(atlas));
  return 0;
}
