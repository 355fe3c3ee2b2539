// A hero walks over the ground and up a slope.
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
  hm_collider hero = hm_default_collider(), ground = hero, slope = hero;
  hm_collider_id id, hero_id;
  hm_move_result moved;
  ok(hm_atlas_open("art.hitmask", NULL, &atlas));
  if (!ok(hm_atlas_sprite(atlas, "hero", &hero.sprite)) ||
      !ok(hm_atlas_sprite(atlas, "ground", &ground.sprite)) ||
      !ok(hm_atlas_sprite(atlas, "slope", &slope.sprite))) {
    fprintf(stderr, "a sprite is missing\n");
    return 1;
  }
  ok(hm_world_create(atlas, &world));
  ground.fixed = slope.fixed = 1;
  ground.x = slope.x = 160;
  ground.y = 108;
  slope.y = 84;
  hero.x = 60;
  hero.y = 50;
  ok(hm_world_insert(world, &ground, &id));
  ok(hm_world_insert(world, &slope, &id));
  ok(hm_world_insert(world, &hero, &hero_id));
  for (int i = 0; i < 40; i++) {
    // 3 px to the right, and 8 px down for gravity.
    ok(hm_world_move_and_slide(world, hero_id, (hm_vec2){3, 0}, &moved));
    ok(hm_world_move_and_slide(world, hero_id, (hm_vec2){0, 8}, &moved));
  }
  printf("the hero stands at %g, %g\n", moved.position.x, moved.position.y);
  ok(hm_world_destroy(world));
  ok(hm_atlas_destroy(atlas));
  return 0;
}
