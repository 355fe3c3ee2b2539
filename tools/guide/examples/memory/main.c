// Poses of a compact atlas are drawn when they are first shown, or ahead.
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
  hm_collider rock = hm_default_collider(), wave[64];
  hm_collider_id id;
  hm_pose_stats stats;
  size_t drawn;
  ok(hm_atlas_open("art.hitmask", NULL, &atlas));
  if (!ok(hm_atlas_sprite(atlas, "rock", &rock.sprite))) {
    fprintf(stderr, "no rock\n");
    return 1;
  }
  ok(hm_world_create(atlas, &world));
  ok(hm_world_insert(world, &rock, &id));
  ok(hm_world_pose_stats(world, &stats));
  printf("%d pose is drawn\n", (int)stats.poses);
  // One collider for each angle that will be shown. In a game: some of them in each frame.
  for (int i = 0; i < 64; i++) {
    wave[i] = rock;
    wave[i].angle = 6.2831853f * i / 64;
  }
  ok(hm_world_draw_ahead(world, wave, 64, UINT64_MAX, 1000000, &drawn));
  printf("%d of 64 are ready\n", (int)drawn);
  ok(hm_world_pose_stats(world, &stats));
  printf("%d poses take %d bytes\n", (int)stats.poses, (int)stats.bytes);
  ok(hm_world_destroy(world));
  ok(hm_atlas_destroy(atlas));
  return 0;
}
