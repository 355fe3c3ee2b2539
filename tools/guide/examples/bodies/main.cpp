// The outline of a ship as convex pieces for a physics engine.
#include "hitmask.hpp"
#include <cstdio>

int main() {
  const auto atlas = hitmask::Atlas::open("art.hitmask");
  // Within 1 px of the pixels, about the pivot, in metres of 32 px.
  hm_shape_options options = hm_default_shape_options();
  options.max_error = 1;
  options.scale = 1.0f / 32;
  auto shape = atlas.shape(atlas.sprite("ship"), options);
  std::printf("%zu polygon, %.2f square metres\n", shape.rings().size(), shape.mass().area);
  const auto pieces = shape.pieces();
  for (std::size_t i = 0; i < pieces.size(); i++) {
    std::printf("a convex piece of %zu corners\n", pieces[i].size());
  }
}
