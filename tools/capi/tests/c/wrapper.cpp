// Picks, rays, queries, and edits of masks by hitmask.hpp.
#include "hitmask.hpp"
#include <cstdio>
#include <cstdlib>

#define TRUE(condition)                                                                            \
  do {                                                                                             \
    checks++;                                                                                      \
    if (!(condition)) {                                                                            \
      std::fprintf(stderr, "line %d: %s is false\n", __LINE__, #condition);                        \
      std::exit(1);                                                                                \
    }                                                                                              \
  } while (0)

static int checks = 0;

template <typename Call> static hm_status refused(Call call) {
  try {
    call();
  } catch (const hitmask::Error &error) {
    return error.status();
  }
  return HM_OK;
}

static void masks() {
  using hitmask::Mask;
  Mask mask = Mask::empty(8, 6);
  TRUE(mask.size().width == 8 && mask.size().height == 6 && mask.count() == 0 && !mask.bounds());
  mask.set(3, 2);
  TRUE(mask.at(3, 2) && !mask.at(4, 2) && mask.bounds()->x0 == 3);
  mask.fill_rect(hm_rect{0, 0, 4, 3});
  TRUE(mask.count() == 12);
  mask.blit(Mask::solid(2, 2), hm_point{0, 0}, HM_BLIT_ERASE);
  TRUE(mask.count() == 8);
  const Mask copy = mask.copy();
  mask.invert();
  TRUE(mask.count() == 40 && copy.count() == 8);
  TRUE(!mask.touches(copy, hm_point{0, 0}) && !mask.contact(copy, hm_point{0, 0}));
  TRUE(mask.contact(copy, hm_point{1, 0})->area > 0);
  mask.clear();
  mask.fill();
  TRUE(mask.count() == 48 && mask.shrunk(1).count() < 48);
  TRUE(copy.grown(1, HM_GROW_SQUARE).count() > 8);
  TRUE(refused([] { Mask::solid(1u << 20, 1); }) == HM_BAD_MASK);
}

static void queries() {
  using namespace hitmask;
  const Atlas atlas = Baker().mask("block", Mask::solid(10, 10)).atlas();
  World world(atlas);
  hm_collider block = hm_default_collider();
  block.sprite = atlas.sprite("block");
  const hm_collider_id low = world.insert(block);
  block.x = 4;
  const hm_collider_id high = world.insert(block);
  block.x = 100;
  const hm_collider_id far = world.insert(block);
  world.set_user_data(low, 7);
  TRUE(world.user_data(low) == 7 && world.user_data(high) == 0);
  World saved = world.copy();
  world.set_user_data(low, 9);
  TRUE(world.first_difference(saved) == "collider 0: user_data 9 / 7");
  world.assign(saved);
  TRUE(world.user_data(low) == 7 && !world.first_difference(saved));

  TRUE(world.pick(hm_vec2{2, 0}) == high);
  TRUE(world.pick(hm_vec2{2, 0}, 0, HM_PICK_BY_USER_DATA) == low);
  TRUE(!world.pick(hm_vec2{50, 0}) && world.pick(hm_vec2{90, 0}, 9) == far);
  hm_filter filter = hm_default_filter();
  filter.except = high;
  TRUE(world.pick(hm_vec2{2, 0}, 0, HM_PICK_BY_SLOT, &filter) == low);
  TRUE(world.nearest(hm_vec2{80, 0}, 50)->collider == far && !world.nearest(hm_vec2{60, 0}, 1));
  TRUE(world.query_point(hm_vec2{2, 0}).size() == 2);
  TRUE(world.query_rect(hm_rect{90, -50, 200, 50}).copy() == std::vector<hm_collider_id>{far});
  TRUE(world.query_circle(hm_vec2{0, 0}, 3).size() == 2);
  TRUE(world.query_line(hm_vec2{-50, 0}, hm_vec2{200, 0}).size() == 3);
  TRUE(world.query_mask(Mask::disc(3), hm_point{-3, -3}).size() == 2);
  TRUE(world.ray(hm_vec2{50, 0}, hm_vec2{200, 0})->collider == far);
  TRUE(!world.ray(hm_vec2{50, 50}, hm_vec2{200, 50}));
  TRUE(world.ray_all(hm_vec2{-50, 0}, hm_vec2{200, 0})[2].collider == far);
  TRUE(refused([&] { world.pick(hm_vec2{0, 0}, -1); }) == HM_BAD_NUMBER);

  const std::vector<hm_vec2> ends{{50, 0}, {200, 0}, {50, 50}, {200, 50}};
  TRUE(world.rays(ends).size() == 2 && world.rays(ends)[0].collider == far && world.rays(ends)[1].collider == 0);
  TRUE(world.picks(ends).size() == 4 && world.picks({{2, 0}, {50, 0}})[0] == high && world.picks(ends)[0] == 0);
  const hm_collider_id both[] = {high, far};
  const hm_vec2 motions[] = {{200, 0}, {200, 0}};
  TRUE(world.casts(both, motions, 2)[0].collider == low && world.casts(both, motions, 2)[1].collider == 0);
  TRUE(world.placements(both, 2)[1].x == 100 && world.placements(both, 2).size() == 2);

  world.update();
  TRUE(world.touching_with(low)[0] == high);
  TRUE(world.overlap(world.touching()[0])->depth == 6);
  TRUE(!world.explain(world.touching()[0])->empty());
  TRUE(!world.explain(hm_pair{high, 0}));
  TRUE(world.cast_all(high, hm_vec2{200, 0}).size() == 2);
  const hm_hit met = world.cast_all(high, hm_vec2{200, 0})[1];
  TRUE(met.collider == far && met.point.x > met.position.x && met.point.x < 100);
  TRUE(world.move_until_contact(high, hm_vec2{200, 0}).has_value());

  // A level with a crater.
  const hm_pivot corner{0, 0};
  const hm_mask_id ground = world.insert_mask(Mask::solid(50, 20), &corner);
  hm_collider level = hm_default_collider();
  level.mask = ground;
  level.y = 200;
  const hm_collider_id floor = world.insert(level);
  TRUE(world.pick(hm_vec2{25, 210}) == floor);
  world.fill_disc(ground, hm_point{25, 10}, 4, false);
  TRUE(!world.pick(hm_vec2{25, 210}));
  world.fill_rect(ground, hm_rect{24, 9, 27, 12});
  TRUE(world.pick(hm_vec2{25, 210}) == floor);
  world.blit(ground, Mask::solid(50, 20), hm_point{0, 0}, HM_BLIT_ERASE);
  TRUE(world.copy_mask(ground).count() == 0);
  world.remove(floor);
  world.remove_mask(ground);
  TRUE(refused([&] { world.copy_mask(ground); }) == HM_STALE_ID);
}

static void many() {
  using namespace hitmask;
  const Atlas atlas = Baker().mask("block", Mask::solid(10, 10)).atlas();
  World world(atlas);
  world.add_atlas(Baker().mask("other", Mask::solid(4, 4)).atlas());
  std::vector<hm_collider> wave(64, hm_default_collider());
  for (std::size_t i = 0; i < wave.size(); i++) {
    wave[i].sprite = atlas.sprite("block");
    wave[i].angle = 0.1f * float(i);
    wave[i].x = 30.0f * float(i);
  }
  TRUE(world.draw_ahead(wave, 0, UINT64_MAX, 0) == 0 && world.draw_ahead(wave, 99) == 0);
  std::size_t drawn = 0;
  while (drawn < wave.size())
    drawn += world.draw_ahead(wave, drawn, 1000000, 1);
  TRUE(world.draw_ahead(wave, 3, 0, 0) == 61);
  const std::vector<hm_collider_id> ids = world.insert_all(wave).copy();
  TRUE(ids.size() == 64 && world.placements(ids.data(), 64)[63].x == 30.0f * 63);
  wave[9].scale = -1;
  TRUE(refused([&] { world.insert_all(wave); }) == HM_BAD_NUMBER);
  TRUE(refused([&] { world.draw_ahead(wave); }) == HM_BAD_NUMBER && world.insert_all({}).empty());
}

static void bodies() {
  using namespace hitmask;
  Mask mask = Mask::solid(200, 50);
  hm_shape_options options = hm_default_shape_options();
  options.max_corners = 3;
  Shape shape(mask, options);
  TRUE(shape.mass().area == 10000 && shape.rings().size() == 1 && shape.rings()[0].size() == 4);
  TRUE(shape.pieces().size() == 2 && shape.pieces()[1].size() == 3);
  ShapeGrid grid(mask);
  mask.fill_rect(hm_rect{10, 10, 20, 20}, false);
  TRUE(grid.update(mask, hm_rect{10, 10, 20, 20}).copy() == std::vector<std::uint32_t>{0});
  TRUE(grid.count() == 4 && grid.cell(0)->version == 1 && !grid.cell(4));
  hm_numbers borders;
  hm_bytes closed;
  TRUE(grid.rings(0, &borders).size() == 2 && borders.items[1] == 0);
  TRUE(grid.pieces(0).size() >= 4 && grid.pieces(4).size() == 0);
  // The border of the ground, which goes on in the next cell, and the hole.
  TRUE(grid.chains(0, &closed).size() == 2 && closed.items[0] + closed.items[1] == 1);

  const Atlas atlas = Baker().mask("block", Mask::solid(10, 10)).atlas();
  World world(atlas);
  const hm_mask_id ground = world.insert_mask(mask);
  TRUE(world.mask_shape(ground).mass().area == 9900);
  ShapeGrid cells = world.shape_grid(ground, 32);
  world.fill_rect(ground, hm_rect{10, 10, 20, 20});
  TRUE(world.update(cells, ground, hm_rect{10, 10, 20, 20}).size() == 1);
  options.max_error = -1;
  TRUE(refused([&] { Shape wrong(mask, options); }) == HM_BAD_NUMBER);
}

static void maps(const char *path, const char *edited) {
  using namespace hitmask;
  World world(Atlas::open(path));
  PlacedMap yard = world.insert_map("levels/yard", hm_vec2{1000, 0.5f});
  const std::vector<MapItem> items = yard.items;
  TRUE(items[0].id == "solid/0,0" && items[2].id == "things/4");
  TRUE(items.size() == 3 && items[0].name == "solid" && items[0].class_name == "chunk" && items[0].collider != 0);
  TRUE(items[1].name == "start" && items[1].collider == 0 && items[1].position.x == 1007.5f);
  TRUE(items[2].size.x == 4 && items[2].properties.at("damage") == "3" && items[0].properties.empty());
  TRUE(world.query_point(items[2].position)[0] == items[2].collider);
  TRUE(world.insert_map("empty").items.empty());
  TRUE(refused([&] { world.insert_map("yard"); }) == HM_UNKNOWN_SPRITE);
  TRUE(world.remove_all(items) == 2 && world.remove_all(items) == 0 && world.remove_all({}) == 0);
  TRUE(world.query_point(items[2].position).empty());

  yard = world.insert_map("levels/yard", hm_vec2{1000, 0.5f});
  const std::vector<MapItem> before = yard.items;
  TRUE(world.replace_atlas(world.atlases()[0], Atlas::open(edited)).outdated.count == 0);
  MapReport report = world.update_map(yard);
  TRUE(report.inserted == std::vector<std::uint32_t>{0} && yard.items[0].id == "things/7");
  TRUE(report.removed.size() == 1 && report.removed[0].collider == before[2].collider && report.removed[0].name == "box");
  TRUE(report.changed == std::vector<std::uint32_t>{1} && report.kept.empty());
  TRUE(yard.items[1].collider == before[0].collider && world.at(before[0].collider).x == 1008);
  world.move_to(before[0].collider, hm_vec2{3, 4});
  report = world.update_map(yard);
  TRUE(report.kept == std::vector<std::uint32_t>{1} && report.changed.empty() && report.removed.empty());
  TRUE(world.at(before[0].collider).x == 3);
}

int main(int count, char **arguments) {
  if (count != 3) return 2;
  masks();
  queries();
  many();
  bodies();
  maps(arguments[1], arguments[2]);
  std::printf("%d checks\n", checks);
  return 0;
}
