// A world is saved to a file, and goes on in a new world, as in a fresh process.
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
  hm_world *world, *fresh;
  hm_collider rock = hm_default_collider();
  hm_collider_id id;
  hm_bytes saved;
  uint64_t hash, now;
  unsigned char read[1 << 16];
  FILE *file;
  ok(hm_atlas_open("art.hitmask", NULL, &atlas));
  if (!ok(hm_atlas_sprite(atlas, "rock", &rock.sprite))) {
    fprintf(stderr, "no rock\n");
    return 1;
  }
  ok(hm_world_create(atlas, &world));
  ok(hm_world_insert(world, &rock, &id));
  ok(hm_world_update(world));
  // Lent until the next snapshot.
  ok(hm_world_snapshot(world, &saved));
  file = fopen("saved-by-c.world", "wb");
  if (file == NULL || fwrite(saved.items, 1, saved.count, file) != saved.count || fclose(file) != 0) return 1;
  ok(hm_world_state_hash(world, &hash));
  ok(hm_world_move_to(world, id, 50, 0));
  ok(hm_world_state_hash(world, &now));
  printf("moved: %s\n", now != hash ? "true" : "false");
  // A fresh process needs no more than the atlas and the file.
  file = fopen("saved-by-c.world", "rb");
  if (file == NULL) return 1;
  const size_t size = fread(read, 1, sizeof read, file);
  fclose(file);
  ok(hm_world_create(atlas, &fresh));
  ok(hm_world_restore(fresh, read, size));
  ok(hm_world_state_hash(fresh, &now));
  printf("restored: %s\n", now == hash ? "true" : "false");
  ok(hm_world_destroy(fresh));
  ok(hm_world_destroy(world));
  ok(hm_atlas_destroy(atlas));
  return 0;
}
