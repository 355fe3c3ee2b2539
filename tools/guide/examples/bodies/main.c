// The outline of a ship as convex pieces for a physics engine.
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
  hm_sprite_id ship;
  hm_shape *shape;
  hm_shape_options options = hm_default_shape_options();
  hm_paths polygons, pieces;
  hm_mass mass;
  ok(hm_atlas_open("art.hitmask", NULL, &atlas));
  if (!ok(hm_atlas_sprite(atlas, "ship", &ship))) {
    fprintf(stderr, "no ship\n");
    return 1;
  }
  // Within 1 px of the pixels, about the pivot, in metres of 32 px.
  options.max_error = 1;
  options.scale = 1.0f / 32;
  ok(hm_atlas_shape(atlas, ship, 0, 0, &options, &shape));
  ok(hm_shape_rings(shape, &polygons, NULL));
  ok(hm_shape_mass(shape, &mass));
  printf("%d polygon, %.2f square metres\n", (int)polygons.count, mass.area);
  ok(hm_shape_pieces(shape, &pieces, NULL));
  for (size_t i = 0; i < pieces.count; i++)
    printf("a convex piece of %d corners\n", (int)(pieces.starts[i + 1] - pieces.starts[i]));
  ok(hm_shape_destroy(shape));
  ok(hm_atlas_destroy(atlas));
  return 0;
}
