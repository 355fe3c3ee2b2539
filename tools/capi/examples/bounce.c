/*
 * 10,000 sprites that bounce around: bakes an atlas in memory, moves all sprites at once each tick,
 * and counts what begins to touch. Prints a hash of the final state, which is the same on every
 * machine and in every language.
 *
 *   cc -std=c99 bounce.c -lhitmask -lm -o bounce
 */
#include "hitmask.h"
#include <stdio.h>
#include <stdlib.h>

#ifndef HM_EXAMPLE_SPRITES
#define HM_EXAMPLE_SPRITES 10000
#endif

enum { SPRITES = HM_EXAMPLE_SPRITES, TICKS = 30, WIDTH = 4000, HEIGHT = 3000, RING = 32 };

static void check(hm_status status) {
  if (status != HM_OK && status != HM_NONE) {
    fprintf(stderr, "%s: %s\n", hm_status_text(status), hm_last_error());
    exit(1);
  }
}

/* SplitMix64. */
static uint64_t state = 38;
static uint32_t below(uint32_t end) {
  uint64_t z = (state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  z ^= z >> 31;
  return (uint32_t)(((z >> 32) * end) >> 32);
}

static hm_atlas *bake(void) {
  static uint8_t ring[RING * RING * 4];
  hm_baker *baker;
  hm_mask *arrow;
  const hm_mask *frames[1];
  hm_atlas *atlas;
  int x, y;
  for (y = 0; y < RING; y++) {
    for (x = 0; x < RING; x++) {
      int dx = 2 * x - RING + 1, dy = 2 * y - RING + 1, d = dx * dx + dy * dy;
      ring[(y * RING + x) * 4 + 3] = d < RING * RING && d > RING * RING / 3 ? 255 : 0;
    }
  }
  check(hm_baker_create(&baker));
  check(hm_baker_add_rgba(baker, "ring", RING, RING, 1, ring, sizeof ring, NULL));
  check(hm_mask_from_text("#........\n"
                          "####.....\n"
                          "#######..\n"
                          "#########\n"
                          "#######..\n"
                          "####.....\n"
                          "#........\n",
                          &arrow));
  frames[0] = arrow;
  check(hm_baker_add_masks(baker, "arrow", frames, 1, NULL));
  check(hm_baker_bake_atlas(baker, &atlas));
  check(hm_mask_destroy(arrow));
  check(hm_baker_destroy(baker));
  return atlas;
}

int main(void) {
  static hm_collider_id ids[SPRITES];
  static hm_placement_turn at[SPRITES];
  static float speed[SPRITES][2];
  static uint16_t spin[SPRITES];
  hm_atlas *atlas = bake();
  hm_world *world;
  hm_sprite_id sprites[2];
  hm_pairs pairs;
  uint64_t hash;
  size_t began = 0;
  int i, tick;
  check(hm_atlas_sprite(atlas, "arrow", &sprites[0]));
  check(hm_atlas_sprite(atlas, "ring", &sprites[1]));
  check(hm_world_create(atlas, &world));
  check(hm_atlas_destroy(atlas)); /* the world keeps it */
  for (i = 0; i < SPRITES; i++) {
    hm_collider collider = hm_default_collider();
    collider.sprite = sprites[i % 2];
    collider.x = at[i].x = (float)below(WIDTH);
    collider.y = at[i].y = (float)below(HEIGHT);
    collider.turn = at[i].turn = (uint16_t)below(65536);
    collider.use_turn = 1;
    speed[i][0] = (float)below(33) / 4 - 4;
    speed[i][1] = (float)below(33) / 4 - 4;
    spin[i] = (uint16_t)below(2048);
    check(hm_world_insert(world, &collider, &ids[i]));
  }
  for (tick = 0; tick < TICKS; tick++) {
    for (i = 0; i < SPRITES; i++) {
      at[i].x += speed[i][0];
      at[i].y += speed[i][1];
      if (at[i].x < 0 || at[i].x > WIDTH) speed[i][0] = -speed[i][0];
      if (at[i].y < 0 || at[i].y > HEIGHT) speed[i][1] = -speed[i][1];
      at[i].turn = (uint16_t)(at[i].turn + spin[i]);
    }
    check(hm_world_set_placements_turn(world, ids, at, SPRITES));
    check(hm_world_update(world));
    check(hm_world_began(world, &pairs));
    began += pairs.count;
  }
  check(hm_world_touching(world, &pairs));
  check(hm_world_state_hash(world, &hash));
  printf("touching %lu, began %lu, state %08lx%08lx\n", (unsigned long)pairs.count,
         (unsigned long)began, (unsigned long)(hash >> 32), (unsigned long)(hash & 0xffffffffu));
  check(hm_world_destroy(world));
  return 0;
}
