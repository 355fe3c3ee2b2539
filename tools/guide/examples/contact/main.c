// Where two rocks overlap, and how they are pushed apart.
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
  hm_collider rock = hm_default_collider();
  hm_pair pair;
  hm_overlap overlap;
  ok(hm_atlas_open("art.hitmask", NULL, &atlas));
  if (!ok(hm_atlas_sprite(atlas, "rock", &rock.sprite))) {
    fprintf(stderr, "no rock\n");
    return 1;
  }
  ok(hm_world_create(atlas, &world));
  ok(hm_world_insert(world, &rock, &pair.a));
  rock.x = 36;
  rock.y = 10;
  ok(hm_world_insert(world, &rock, &pair.b));
  if (ok(hm_world_overlap(world, pair, &overlap))) {
    const hm_contact contact = overlap.contact;
    const hm_vec2 normal = overlap.normal;
    const hm_point way = overlap.push_out, point = contact.point;
    printf("%d pixels, the first at %d, %d\n", (int)contact.area, (int)point.x, (int)point.y);
    printf("normal %.2f, %.2f\n", normal.x, normal.y);
    printf("push out by %d, %d\n", (int)way.x, (int)way.y);
  }
  ok(hm_world_destroy(world));
  ok(hm_atlas_destroy(atlas));
  return 0;
}
