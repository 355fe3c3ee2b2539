// Colliders in a circle, on a ray, and nearest to a point.
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
  hm_collider coin = hm_default_collider();
  hm_collider_id id;
  hm_colliders blast;
  hm_line_hit hit;
  hm_nearest nearest;
  ok(hm_atlas_open("art.hitmask", NULL, &atlas));
  if (!ok(hm_atlas_sprite(atlas, "coin", &coin.sprite))) {
    fprintf(stderr, "no coin\n");
    return 1;
  }
  ok(hm_world_create(atlas, &world));
  for (int i = 0; i < 10; i++) {
    coin.x = 20 * i;
    ok(hm_world_insert(world, &coin, &id));
  }
  ok(hm_world_query_circle(world, 60, 0, 30, NULL, &blast));
  printf("%d coins in the blast\n", (int)blast.count);
  if (ok(hm_world_ray(world, (hm_vec2){-50, 3}, (hm_vec2){300, 3}, NULL, &hit)))
    printf("the ray ends at %d, %d\n", (int)hit.point.x, (int)hit.point.y);
  if (ok(hm_world_nearest(world, 80, 50, 100, NULL, &nearest)))
    printf("the nearest pixel is %.2f px away\n", nearest.distance);
  ok(hm_world_destroy(world));
  ok(hm_atlas_destroy(atlas));
  return 0;
}
