/* Several atlases, batches, planes, rules for alpha, and shapes: each with its expected answer. */
#include "check.h"
#include <math.h>

/* An atlas of one solid sprite. */
static hm_atlas *an_atlas(const char *name, uint32_t width, uint32_t height, float resolution) {
  hm_baker *baker;
  hm_mask *mask;
  const hm_mask *frames[1];
  hm_atlas *atlas;
  EXPECT(HM_OK, hm_baker_create(&baker));
  EXPECT(HM_OK, hm_baker_set_resolution(baker, resolution));
  EXPECT(HM_OK, hm_mask_solid(width, height, &mask));
  frames[0] = mask;
  EXPECT(HM_OK, hm_baker_add_masks(baker, name, frames, 1, NULL));
  EXPECT(HM_OK, hm_baker_bake_atlas(baker, &atlas));
  EXPECT(HM_OK, hm_mask_destroy(mask));
  EXPECT(HM_OK, hm_baker_destroy(baker));
  return atlas;
}

static hm_collider_id inserted(hm_world *world, const hm_atlas *atlas, const char *name, float x) {
  hm_collider collider = hm_default_collider();
  hm_collider_id id;
  EXPECT(HM_OK, hm_atlas_sprite(atlas, name, &collider.sprite));
  collider.x = x;
  EXPECT(HM_OK, hm_world_insert(world, &collider, &id));
  return id;
}

static void several_atlases(void) {
  hm_atlas *heroes = an_atlas("hero", 8, 8, 1), *doors = an_atlas("door", 4, 20, 1);
  hm_atlas *fine = an_atlas("fine", 8, 8, 2), *wide = an_atlas("door", 6, 20, 1);
  hm_atlas *other = an_atlas("gate", 9, 9, 1), *night, *found;
  const hm_atlas *both[2];
  hm_atlas_id hero_id, door_id, wide_id, id;
  hm_atlas_ids ids;
  hm_world *world, *copy;
  hm_collider_id hero, door;
  hm_sprite_id sprite, newest;
  hm_reload_report report;
  hm_sprite_change change;
  hm_colliders removed;
  hm_pairs pairs;
  hm_bytes snapshot;
  hm_pose_stats stats;
  hm_rect box;
  uint64_t hash, after, budget;
  bool known;
  EXPECT(HM_OK, hm_world_create(heroes, &world));
  EXPECT(HM_OK, hm_atlas_get_id(heroes, &hero_id));
  EXPECT(HM_OK, hm_atlas_get_id(doors, &door_id));
  TRUE(hero_id != 0 && hero_id != door_id);

  /* Refused calls leave the world as it was. */
  hero = inserted(world, heroes, "hero", 0);
  EXPECT(HM_OK, hm_world_state_hash(world, &hash));
  EXPECT(HM_ATLAS_USE, hm_world_add_atlas(world, heroes, &id));
  TRUE(id == 0 && strstr(hm_last_error(), "hm_world_replace_atlas") != NULL);
  EXPECT(HM_ATLAS_USE, hm_world_add_atlas(world, fine, &id));
  TRUE(strstr(hm_last_error(), "hm_baker_set_resolution(1)") != NULL);
  EXPECT(HM_ATLAS_USE, hm_world_drop_atlas(world, hero_id));
  EXPECT(HM_UNKNOWN_ATLAS, hm_world_drop_atlas(world, door_id));
  EXPECT(HM_UNKNOWN_ATLAS, hm_world_drop_atlas(world, 0));
  EXPECT(HM_UNKNOWN_ATLAS, hm_world_replace_atlas(world, door_id, wide, &report));
  EXPECT(HM_NULL_HANDLE, hm_world_add_atlas(world, NULL, &id));
  EXPECT(HM_OK, hm_world_state_hash(world, &after));
  TRUE(hash == after);

  EXPECT(HM_OK, hm_world_add_atlas(world, doors, &id));
  TRUE(id == door_id);
  door = inserted(world, doors, "door", 5);
  EXPECT(HM_OK, hm_world_is_updated(world, &known));
  TRUE(!known);
  EXPECT(HM_OK, hm_world_update(world));
  EXPECT(HM_OK, hm_world_is_updated(world, &known));
  TRUE(known);
  EXPECT(HM_OK, hm_world_began(world, &pairs));
  TRUE(pairs.count == 1 && pairs.items[0].a == hero && pairs.items[0].b == door);
  EXPECT(HM_OK, hm_world_atlases(world, &ids));
  TRUE(ids.count == 2 && ids.items[0] == hero_id && ids.items[1] == door_id);
  EXPECT(HM_OK, hm_atlas_sprite(doors, "door", &sprite));
  EXPECT(HM_OK, hm_world_atlas_of_sprite(world, sprite, &id, &newest));
  TRUE(id == door_id && newest == sprite);
  EXPECT(HM_OK, hm_world_atlas(world, door_id, &found));
  EXPECT(HM_OK, hm_atlas_sprite(found, "door", &newest));
  TRUE(newest == sprite);
  EXPECT(HM_OK, hm_atlas_destroy(found));
  EXPECT(HM_UNKNOWN_ATLAS, hm_world_atlas(world, 12345, &found));

  /* A snapshot belongs to both atlases, in their order. */
  EXPECT(HM_OK, hm_world_snapshot(world, &snapshot));
  EXPECT(HM_OK, hm_world_state_hash(world, &hash));
  both[0] = heroes;
  both[1] = doors;
  EXPECT(HM_OK, hm_world_from_snapshot_over(both, 2, snapshot.items, snapshot.count, &copy));
  EXPECT(HM_OK, hm_world_state_hash(copy, &after));
  TRUE(hash == after);
  EXPECT(HM_OK, hm_world_destroy(copy));
  EXPECT(HM_NOT_A_SNAPSHOT,
         hm_world_from_snapshot(heroes, snapshot.items, snapshot.count, &copy));
  EXPECT(HM_NULL_POINTER,
         hm_world_from_snapshot_over(NULL, 2, snapshot.items, snapshot.count, &copy));
  both[1] = NULL;
  EXPECT(HM_NULL_HANDLE,
         hm_world_from_snapshot_over(both, 2, snapshot.items, snapshot.count, &copy));

  /* Another version of an atlas: ids and places stay, the pixels are new. */
  EXPECT(HM_OK, hm_world_replace_atlas(world, door_id, wide, &report));
  EXPECT(HM_OK, hm_atlas_get_id(wide, &wide_id));
  TRUE(report.atlas == wide_id && report.changes == 1 && report.outdated.count == 0);
  EXPECT(HM_OK, hm_world_sprite_change(world, 0, &change));
  TRUE(change.kind == HM_SPRITE_CHANGED && strcmp(change.sprite, "door") == 0);
  TRUE(change.frames_before == 1 && change.frames == 1 && change.lost_planes[0] == '\0');
  TRUE(change.resized.count == 1 && change.resized.items[0] == 0);
  EXPECT(HM_NONE, hm_world_sprite_change(world, 1, &change));
  TRUE(change.sprite == NULL);
  EXPECT(HM_OK, hm_world_rect(world, door, &box));
  TRUE(box.x0 == 2 && box.x1 == 8);
  EXPECT(HM_OK, hm_world_atlas_of_sprite(world, sprite, &id, &newest));
  TRUE(id == wide_id && newest != sprite);
  /* A version without the sprite: its collider keeps the earlier pixels. */
  EXPECT(HM_OK, hm_world_replace_atlas(world, wide_id, other, &report));
  TRUE(report.changes == 2 && report.outdated.count == 1 && report.outdated.items[0] == door);
  EXPECT(HM_OK, hm_world_sprite_change(world, 0, &change));
  TRUE(change.kind == HM_SPRITE_ADDED && strcmp(change.sprite, "gate") == 0);
  EXPECT(HM_OK, hm_world_sprite_change(world, 1, &change));
  TRUE(change.kind == HM_SPRITE_VANISHED && strcmp(change.sprite, "door") == 0);
  EXPECT(HM_NONE, hm_world_atlas_of_sprite(world, sprite, &id, &newest));
  EXPECT(HM_OK, hm_world_validate(world));
  EXPECT(HM_OK, hm_world_drop_atlas_and_colliders(world, report.atlas, &removed));
  TRUE(removed.count == 1 && removed.items[0] == door);
  EXPECT(HM_STALE_ID, hm_world_rect(world, door, &box));
  EXPECT(HM_OK, hm_world_update(world));
  EXPECT(HM_OK, hm_world_ended(world, &pairs));
  TRUE(pairs.count == 1 && pairs.items[0].b == door);

  /* Two atlases that differ in pixels only. */
  EXPECT(HM_OK, hm_atlas_labelled(heroes, 7, &night));
  EXPECT(HM_OK, hm_world_add_atlas(world, night, &id));
  TRUE(id != hero_id);
  EXPECT(HM_OK, hm_world_pose_budget(world, &budget));
  TRUE(budget == HM_NO_POSE_BUDGET);
  EXPECT(HM_OK, hm_world_pose_stats(world, &stats));
  TRUE(stats.poses > 0 && stats.bytes > 0);
  EXPECT(HM_OVER_LIMIT, hm_world_set_pose_budget(world, 1));
  TRUE(strstr(hm_last_error(), "hm_world_set_pose_budget") != NULL);
  EXPECT(HM_OK, hm_world_set_pose_budget(world, 1 << 20));
  EXPECT(HM_OK, hm_world_pose_budget(world, &budget));
  TRUE(budget == 1 << 20);
  EXPECT(HM_OK, hm_world_destroy(world));
  EXPECT(HM_OK, hm_atlas_destroy(night));
  EXPECT(HM_OK, hm_atlas_destroy(other));
  EXPECT(HM_OK, hm_atlas_destroy(wide));
  EXPECT(HM_OK, hm_atlas_destroy(fine));
  EXPECT(HM_OK, hm_atlas_destroy(doors));
  EXPECT(HM_OK, hm_atlas_destroy(heroes));
}

enum { PAIRS = 500 };

/* A batch answers as masks do one by one. */
static void batches(void) {
  static hm_pose_pair pairs[PAIRS];
  hm_atlas *atlas = an_atlas("plank", 20, 3, 1), *drawn;
  hm_batch *batch;
  hm_sprite_id sprite;
  hm_pose_id poses[2], none = 7;
  hm_mask *masks[2];
  hm_bytes touches, some, coarse;
  hm_areas areas;
  hm_contacts contacts;
  hm_contact contact;
  hm_point origin, first;
  uint64_t area;
  size_t i, hits = 0;
  bool is_drawn;
  EXPECT(HM_OK, hm_atlas_sprite(atlas, "plank", &sprite));
  for (i = 0; i < 2; i++) {
    float angle = i == 0 ? 0 : 0.8f;
    EXPECT(HM_OK, hm_atlas_pose(atlas, sprite, 0, 0, angle, 1, 0, 0, &poses[i], &origin));
    EXPECT(HM_OK, hm_atlas_posed_mask(atlas, sprite, 0, 0, angle, 1, 0, 0, &masks[i], &first));
    TRUE(origin.x == first.x && origin.y == first.y && poses[i] != 0);
  }
  EXPECT(HM_NONE, hm_atlas_pose(atlas, sprite, 0, 0, NAN, 1, 0, 0, &none, NULL));
  TRUE(none == 0);
  EXPECT(HM_UNKNOWN_SPRITE, hm_atlas_pose(atlas, sprite, 1, 0, 0, 1, 0, 0, &none, NULL));
  EXPECT(HM_UNKNOWN_SPRITE, hm_atlas_pose(atlas, sprite, 0, 1, 0, 1, 0, 0, &none, NULL));
  EXPECT(HM_OK, hm_atlas_is_drawn(atlas, &is_drawn));
  TRUE(is_drawn);
  EXPECT(HM_OK, hm_atlas_drawn(atlas, &drawn));
  EXPECT(HM_OK, hm_atlas_destroy(drawn));
  EXPECT(HM_OK, hm_batch_create(atlas, &batch));
  /* The batch keeps the atlas. */
  EXPECT(HM_OK, hm_atlas_destroy(atlas));
  for (i = 0; i < PAIRS; i++) {
    pairs[i].a = poses[0];
    pairs[i].b = poses[1];
    pairs[i].at.x = (int32_t)(i * 7 % 41) - 18;
    pairs[i].at.y = (int32_t)(i * 5 % 25) - 17;
  }
  EXPECT(HM_OK, hm_batch_touches(batch, pairs, PAIRS, &touches));
  TRUE(touches.count == PAIRS);
  for (i = 0; i < PAIRS; i++) {
    bool one;
    EXPECT(HM_OK, hm_mask_touches(masks[0], masks[1], pairs[i].at, &one));
    TRUE(one == touches.items[i]);
    hits += one;
  }
  TRUE(hits > 50 && hits < PAIRS - 50);
  EXPECT(HM_OK, hm_batch_overlap_area(batch, pairs, PAIRS, &areas));
  EXPECT(HM_OK, hm_batch_contact(batch, pairs, PAIRS, &contacts));
  for (i = 0; i < PAIRS; i++) {
    int status = hm_mask_contact(masks[0], masks[1], pairs[i].at, &contact);
    TRUE(status == (contacts.items[i].area > 0 ? HM_OK : HM_NONE));
    TRUE(memcmp(&contact, &contacts.items[i], sizeof contact) == 0);
    TRUE(areas.items[i] == contact.area);
    EXPECT(HM_OK, hm_mask_overlap_area(masks[0], masks[1], pairs[i].at, &area));
    TRUE(area == contact.area);
  }
  EXPECT(HM_OK, hm_batch_overlap_at_least(batch, 4, pairs, PAIRS, &some));
  for (i = 0; i < PAIRS; i++) TRUE((areas.items[i] >= 4) == some.items[i]);
  EXPECT(HM_OK, hm_batch_coarse(batch, pairs, PAIRS, &coarse));
  for (i = 0; i < PAIRS; i++) {
    TRUE(coarse.items[i] == HM_CERTAINTY_MAYBE ||
         (coarse.items[i] == HM_CERTAINTY_YES) == (areas.items[i] > 0));
  }
  EXPECT(HM_NULL_POINTER, hm_batch_touches(batch, NULL, 1, &touches));
  EXPECT(HM_OK, hm_batch_touches(batch, NULL, 0, &touches));
  TRUE(touches.count == 0);
  pairs[3].b = 0;
  EXPECT(HM_UNKNOWN_SPRITE, hm_batch_touches(batch, pairs, PAIRS, &touches));
  TRUE(touches.items == NULL && strstr(hm_last_error(), "pair 3") != NULL);
  /* A pose that the atlas does not have. */
  pairs[3].b = 1u << 30;
  EXPECT(HM_OK, hm_batch_touches(batch, pairs, PAIRS, &touches));
  TRUE(touches.items[3] == 0);
  EXPECT(HM_WRONG_HANDLE, hm_batch_touches((hm_batch *)(void *)masks[0], pairs, 1, &touches));
  EXPECT(HM_OK, hm_batch_destroy(batch));
  EXPECT(HM_STALE_HANDLE, hm_batch_touches(batch, pairs, 1, &touches));
  EXPECT(HM_OK, hm_mask_destroy(masks[0]));
  EXPECT(HM_OK, hm_mask_destroy(masks[1]));
}

static void rules_and_planes(void) {
  /* Two frames of three pixels: red, green, blue, alpha. */
  static const uint8_t rgba[24] = {255, 0, 0, 40, 0, 255, 0, 150, 0, 0, 9, 255,
                                   0,   0, 0, 0,  0, 0,   0, 200, 9, 9, 9, 90};
  static const uint8_t thresholds[2] = {32, 224};
  static const hm_color_range green = {{0, 200, 0, 0}, {50, 255, 50, 255}};
  static const char *const planes[2] = {"body", "eye"}, *const same[2] = {"eye", "eye"};
  hm_texel_rule rule = hm_default_texel_rule(), read;
  hm_bake_settings settings = hm_default_bake_settings();
  hm_baker *baker;
  hm_atlas *atlas;
  hm_mask *mask, *eye;
  const hm_mask *frames[2];
  hm_sprite_id fog, cyclops;
  hm_sprite info;
  hm_text text;
  uint32_t plane;
  uint8_t threshold;
  EXPECT(HM_OK, hm_mask_from_rgba_by_rule(3, 1, rgba, 12, &rule, &mask));
  EXPECT(HM_OK, hm_mask_text(mask, &text));
  TRUE(strcmp(text.items, ".##\n") == 0);
  EXPECT(HM_OK, hm_mask_destroy(mask));
  rule.exclude = &green;
  rule.exclude_count = 1;
  rule.alpha_test = HM_ALPHA_ABOVE;
  rule.alpha = 39;
  EXPECT(HM_OK, hm_mask_from_rgba_by_rule(3, 1, rgba, 12, &rule, &mask));
  EXPECT(HM_OK, hm_mask_text(mask, &text));
  TRUE(strcmp(text.items, "#.#\n") == 0);
  rule.channel = 4;
  EXPECT(HM_BAD_VALUE, hm_mask_from_rgba_by_rule(3, 1, rgba, 12, &rule, &eye));
  rule.channel = HM_CHANNEL_RED;
  rule.alpha_test = 3;
  EXPECT(HM_BAD_VALUE, hm_mask_from_rgba_by_rule(3, 1, rgba, 12, &rule, &eye));
  rule.alpha_test = HM_ALPHA_BITS;
  rule.exclude = NULL;
  EXPECT(HM_NULL_POINTER, hm_mask_from_rgba_by_rule(3, 1, rgba, 12, &rule, &eye));
  rule.cookie = 0;
  EXPECT(HM_UNINITIALISED, hm_mask_from_rgba_by_rule(3, 1, rgba, 12, &rule, &eye));
  EXPECT(HM_NULL_POINTER, hm_mask_from_rgba_by_rule(3, 1, rgba, 12, NULL, &eye));
  TRUE(hm_alpha_tolerance(0.5f) == 0x80 && hm_alpha_tolerance(NAN) == 1);

  EXPECT(HM_OK, hm_baker_create(&baker));
  EXPECT(HM_OK, hm_baker_set_max_bytes(baker, 1 << 24));
  settings.thresholds = thresholds;
  settings.threshold_count = 2;
  settings.angles = 4;
  settings.rule = &rule;
  EXPECT(HM_UNINITIALISED, hm_baker_add_rgba(baker, "fog", 3, 1, 2, rgba, 24, &settings));
  rule = hm_default_texel_rule();
  EXPECT(HM_BAD_LENGTH, hm_baker_add_rgba(baker, "fog", 3, 1, 2, rgba, 23, &settings));
  EXPECT(HM_OK, hm_baker_add_rgba(baker, "fog", 3, 1, 2, rgba, 24, &settings));
  EXPECT(HM_OK, hm_mask_from_text("..#", &eye));
  frames[0] = mask;
  frames[1] = eye;
  EXPECT(HM_BAKE, hm_baker_add_planes(baker, "cyclops", same, 2, frames, 1, NULL));
  EXPECT(HM_BAKE, hm_baker_add_planes(baker, "cyclops", planes, 0, frames, 1, NULL));
  EXPECT(HM_BAD_LENGTH,
         hm_baker_add_planes(baker, "cyclops", planes, 2, frames, (size_t)-1, NULL));
  EXPECT(HM_OK, hm_baker_add_planes(baker, "cyclops", planes, 2, frames, 1, NULL));
  EXPECT(HM_OK, hm_baker_bake_atlas(baker, &atlas));
  EXPECT(HM_OK, hm_atlas_sprite(atlas, "fog", &fog));
  EXPECT(HM_OK, hm_atlas_sprite_info(atlas, fog, &info));
  TRUE(info.frames == 2 && info.planes == 3 && info.angles == 4);
  EXPECT(HM_OK, hm_atlas_plane_for_threshold(atlas, fog, 33, &plane));
  TRUE(plane == 0);
  EXPECT(HM_OK, hm_atlas_plane_for_threshold(atlas, fog, 129, &plane));
  TRUE(plane == 2);
  EXPECT(HM_NONE, hm_atlas_plane_for_threshold(atlas, fog, 225, &plane));
  EXPECT(HM_OK, hm_atlas_plane_for_fade(atlas, fog, 128, 0.6f, &plane));
  TRUE(plane == 2);
  EXPECT(HM_NONE, hm_atlas_plane_for_fade(atlas, fog, 128, NAN, &plane));
  EXPECT(HM_OK, hm_atlas_plane_threshold(atlas, fog, 1, &threshold));
  TRUE(threshold == 32);
  EXPECT(HM_OK, hm_atlas_plane_threshold(atlas, fog, 0, &threshold));
  TRUE(threshold == 128);
  EXPECT(HM_NONE, hm_atlas_plane_threshold(atlas, fog, 9, &threshold));
  EXPECT(HM_OK, hm_atlas_alpha_rule(atlas, fog, &read));
  TRUE(read.alpha == 128 && read.alpha_test == HM_ALPHA_AT_LEAST && read.cookie == rule.cookie);
  EXPECT(HM_OK, hm_atlas_sprite(atlas, "cyclops", &cyclops));
  EXPECT(HM_OK, hm_atlas_plane(atlas, cyclops, "eye", &plane));
  TRUE(plane == 1);
  EXPECT(HM_OK, hm_mask_destroy(mask));
  EXPECT(HM_OK, hm_atlas_posed_mask(atlas, cyclops, 0, 1, 0, 1, 0, 0, &mask, NULL));
  EXPECT(HM_OK, hm_mask_text(mask, &text));
  TRUE(strcmp(text.items, "#\n") == 0);
  EXPECT(HM_OK, hm_mask_destroy(mask));
  EXPECT(HM_OK, hm_mask_destroy(eye));
  EXPECT(HM_OK, hm_baker_destroy(baker));
  EXPECT(HM_OK, hm_atlas_destroy(atlas));
}

static void shapes(void) {
  static const hm_vec2 corners[7] = {{0, 0}, {6, 0}, {6, 6}, {0, 6}, {2, 2}, {4, 2}, {4, 5}};
  static const uint32_t starts[3] = {0, 4, 7}, backwards[3] = {0, 8, 7};
  static const hm_point apart[2] = {{0, 0}, {9, 1}}, right = {1, 0}, zero = {0, 0};
  hm_vec2 bad = {NAN, 0}, from = {-5, 1.5f}, to = {9, 1.5f}, center = {3, 3};
  hm_mask *mask, *other, *part;
  const hm_mask *both[2];
  hm_point origin, point;
  hm_components parts;
  hm_polygons polygons;
  hm_points hull;
  hm_line_hit hit;
  hm_overlap overlap;
  hm_affine turn, twice;
  hm_size size;
  hm_text text;
  uint64_t count, filled;
  float angle;
  bool overlaps;
  EXPECT(HM_OK, hm_mask_from_polygons(corners, 7, starts, 2, &mask, &origin));
  EXPECT(HM_OK, hm_mask_text(mask, &text));
  TRUE(strcmp(text.items, "######\n######\n##..##\n###.##\n######\n######\n") == 0);
  TRUE(origin.x == 0 && origin.y == 0);
  EXPECT(HM_OK, hm_mask_count(mask, &filled));
  EXPECT(HM_BAD_LENGTH, hm_mask_from_polygons(corners, 7, backwards, 2, &other, &origin));
  EXPECT(HM_BAD_LENGTH, hm_mask_from_polygons(corners, 7, starts, (size_t)-1, &other, &origin));
  EXPECT(HM_BAD_NUMBER, hm_mask_from_polygons(&bad, 1, NULL, 1, &other, &origin));
  EXPECT(HM_NULL_POINTER, hm_mask_from_polygons(NULL, 1, NULL, 1, &other, &origin));

  /* Its polygons give it again. */
  EXPECT(HM_OK, hm_mask_polygons(mask, HM_CONNECT_4, &polygons));
  TRUE(polygons.count == 2 && polygons.starts[0] == 0);
  {
    static hm_vec2 again[100];
    size_t i, total = polygons.starts[polygons.count];
    TRUE(total <= 100);
    for (i = 0; i < total; i++) {
      again[i].x = (float)polygons.points[i].x;
      again[i].y = (float)polygons.points[i].y;
    }
    EXPECT(HM_OK, hm_mask_from_polygons(again, total, polygons.starts, polygons.count, &other, NULL));
    EXPECT(HM_OK, hm_mask_count(other, &count));
    TRUE(count == filled);
    EXPECT(HM_OK, hm_mask_destroy(other));
  }
  EXPECT(HM_BAD_VALUE, hm_mask_polygons(mask, 5, &polygons));
  EXPECT(HM_OK, hm_mask_convex_hull(mask, &hull));
  TRUE(hull.count == 4);

  EXPECT(HM_OK, hm_mask_disc(2, &other));
  both[0] = mask;
  both[1] = other;
  EXPECT(HM_OK, hm_mask_union(both, apart, 2, &part, &origin));
  EXPECT(HM_OK, hm_mask_components(part, HM_CONNECT_8, &parts));
  TRUE(parts.count == 2 && parts.items[0].area == filled && parts.items[1].rect.x0 == 9);
  EXPECT(HM_OK, hm_mask_destroy(other));
  EXPECT(HM_OK, hm_mask_component(part, 1, &other));
  EXPECT(HM_NONE, hm_mask_component(part, 2, &other));
  TRUE(other == NULL);
  EXPECT(HM_NONE, hm_mask_component(mask, 0, &other));
  EXPECT(HM_OK, hm_mask_component(part, 1, &other));
  EXPECT(HM_OK, hm_mask_size(other, &size));
  TRUE(size.width == 5 && size.height == 5);
  EXPECT(HM_OK, hm_mask_destroy(part));
  EXPECT(HM_OK, hm_mask_convolve(mask, other, &part));
  EXPECT(HM_OK, hm_mask_size(part, &size));
  TRUE(size.width == 10 && size.height == 10);
  EXPECT(HM_OK, hm_mask_destroy(part));
  EXPECT(HM_OK, hm_mask_overlap(mask, other, right, &overlap));
  TRUE(overlap.contact.area > 0 && overlap.depth > 0);
  EXPECT(HM_OK, hm_mask_push_along(mask, other, right, right, &point));
  TRUE(point.x > 0 && point.y == 0);
  EXPECT(HM_NONE, hm_mask_push_along(mask, other, right, zero, &point));
  EXPECT(HM_OK, hm_mask_overlap_at_least(mask, 1000, other, right, &overlaps));
  TRUE(!overlaps);
  EXPECT(HM_OK, hm_mask_ray(mask, zero, from, to, &hit));
  TRUE(hit.point.x == 0 && hit.point.y == 1 && hit.step == 5 && hit.normal.x < -0.7f);
  EXPECT(HM_BAD_NUMBER, hm_mask_ray(mask, zero, bad, to, &hit));
  EXPECT(HM_OK, hm_mask_destroy(other));
  EXPECT(HM_OK, hm_mask_from_ellipse(center, 2.5f, 1.5f, &other, &origin));
  EXPECT(HM_OK, hm_mask_angle(other, &angle));
  TRUE(fabsf(angle) < 1e-6f && origin.x < 3);
  EXPECT(HM_OK, hm_mask_destroy(other));
  EXPECT(HM_BAD_NUMBER, hm_mask_from_ellipse(center, -1, 1, &other, &origin));
  EXPECT(HM_OK, hm_mask_from_line(from, to, &other, NULL));
  EXPECT(HM_OK, hm_mask_count(other, &count));
  TRUE(count == 15);
  EXPECT(HM_OK, hm_mask_trimmed(other, &part, &origin));
  EXPECT(HM_OK, hm_mask_destroy(part));
  /* Two quarter turns by a transform. */
  turn = hm_affine_placed((hm_vec2){0, 0}, (hm_vec2){0, 0}, 1.5707964f, 1);
  twice = hm_affine_then(turn, turn);
  TRUE(fabs(twice.a + 1) < 1e-6 && fabs(twice.b) < 1e-6);
  EXPECT(HM_OK, hm_mask_transformed(other, NULL, &turn, &part, &origin));
  EXPECT(HM_OK, hm_mask_size(part, &size));
  TRUE(size.width == 1 && size.height == 15);
  EXPECT(HM_NULL_POINTER, hm_mask_transformed(other, NULL, NULL, &part, &origin));
  turn.a = NAN;
  EXPECT(HM_BAD_NUMBER, hm_mask_transformed(other, NULL, &turn, &part, &origin));
  EXPECT(HM_OK, hm_mask_destroy(other));
  EXPECT(HM_OK, hm_mask_destroy(mask));
}

static uint8_t floors_only(void *user, hm_pair pair, uint64_t a, uint64_t b, hm_side side,
                           hm_vec2 normal) {
  (void)a;
  (void)b;
  (void)normal;
  ++*(int *)user;
  return side == HM_SIDE_BELOW && pair.a != 0;
}

static void worlds(void) {
  hm_atlas *atlas = an_atlas("block", 8, 8, 1);
  hm_collider collider = hm_default_collider();
  hm_collider_id ids[3];
  hm_world *world;
  hm_pairs pairs;
  hm_mask *hull;
  hm_mask_id drawn;
  hm_affine turn = hm_affine_placed((hm_vec2){0, 0}, (hm_vec2){0, 0}, 0.5f, 1);
  hm_rect before, after;
  float factor;
  int i, calls = 0;
  EXPECT(HM_OK, hm_world_create(atlas, &world));
  EXPECT(HM_OK, hm_atlas_sprite(atlas, "block", &collider.sprite));
  for (i = 0; i < 3; i++) {
    collider.x = i == 1 ? 7.0f : -(float)i;
    collider.y = i == 2 ? 7.0f : 0.0f;
    EXPECT(HM_OK, hm_world_insert(world, &collider, &ids[i]));
  }
  EXPECT(HM_OK, hm_world_update_with_contacts(world, floors_only, &calls));
  EXPECT(HM_OK, hm_world_touching(world, &pairs));
  TRUE(calls == 2 && pairs.count == 1 && pairs.items[0].a == ids[0] && pairs.items[0].b == ids[2]);
  EXPECT(HM_NULL_POINTER, hm_world_update_with_contacts(world, NULL, NULL));
  EXPECT(HM_OK, hm_world_scale_policy(world, &factor));
  TRUE(factor == 1.5f);
  EXPECT(HM_OK, hm_world_set_scale_policy(world, INFINITY));
  EXPECT(HM_OK, hm_world_scale_policy(world, &factor));
  TRUE(factor == INFINITY);
  /* A drawn mask with a new source. */
  EXPECT(HM_OK, hm_mask_solid(10, 4, &hull));
  EXPECT(HM_OK, hm_world_insert_transformed(world, hull, NULL, &turn, &drawn));
  collider = hm_default_collider();
  collider.mask = drawn;
  EXPECT(HM_OK, hm_world_insert(world, &collider, &ids[0]));
  EXPECT(HM_OK, hm_world_rect(world, ids[0], &before));
  EXPECT(HM_OK, hm_mask_fill_rect(hull, (hm_rect){0, 0, 5, 4}, 0));
  EXPECT(HM_OK, hm_world_redraw_mask(world, drawn, hull, NULL));
  EXPECT(HM_OK, hm_world_rect(world, ids[0], &after));
  TRUE(after.x1 == before.x1 && after.x0 > before.x0);
  EXPECT(HM_STALE_ID, hm_world_redraw_mask(world, 0, hull, NULL));
  EXPECT(HM_OK, hm_mask_destroy(hull));
  EXPECT(HM_OK, hm_world_destroy(world));
  EXPECT(HM_OK, hm_atlas_destroy(atlas));
}

/* The doubled area of polygon `i`: positive for outer borders and pieces. */
static double area2(const hm_paths *paths, size_t i) {
  uint32_t at, start = paths->starts[i], end = paths->starts[i + 1];
  double sum = 0;
  for (at = start; at < end; at++) {
    hm_vec2 a = paths->points[at], b = paths->points[at + 1 < end ? at + 1 : start];
    sum += (double)a.x * b.y - (double)a.y * b.x;
  }
  return sum;
}

static int is_near(double a, double b) { return fabs(a - b) <= 1e-5 * (1 + fabs(b)); }

static void bodies(void) {
  /* A ring of 100 px with a hole of 60 x 60 px, in which an island of 4 px lies. */
  hm_shape_options options = hm_default_shape_options();
  hm_mask *mask, *shell;
  hm_shape *shape;
  hm_shape_grid *grid;
  hm_paths rings, pieces, chains;
  hm_numbers borders, changed;
  hm_thin_pieces thin;
  hm_bytes closed;
  hm_mass mass;
  hm_shape_cell cell;
  hm_atlas *atlas = an_atlas("hero", 8, 8, 1);
  hm_world *world;
  hm_mask_id ground;
  hm_rect hit = {190, 0, 211, 12};
  hm_point place = {190, -9};
  uint32_t islands, holes, count;
  double sum = 0;
  size_t i;
  EXPECT(HM_OK, hm_mask_solid(100, 100, &mask));
  EXPECT(HM_OK, hm_mask_fill_rect(mask, (hm_rect){20, 20, 80, 80}, 0));
  EXPECT(HM_OK, hm_mask_fill_rect(mask, (hm_rect){50, 50, 52, 52}, 1));
  EXPECT(HM_OK, hm_mask_shape(mask, NULL, &shape));
  EXPECT(HM_OK, hm_shape_rings(shape, &rings, &borders));
  TRUE(rings.count == 3 && borders.count == 3 && rings.starts[0] == 0 && rings.starts[3] == 12);
  TRUE(borders.items[0] == 0 && borders.items[1] == 0 && borders.items[2] == 2);
  TRUE(is_near(area2(&rings, 0), 20000) && is_near(area2(&rings, 1), -7200));
  EXPECT(HM_OK, hm_shape_destroy(shape));

  /* In metres with y up, about the centre, without the island. */
  options.scale = 1.0f / 32;
  options.y_up = 1;
  options.origin = (hm_vec2){50, 50};
  options.min_area = 5;
  EXPECT(HM_OK, hm_mask_shape(mask, &options, &shape));
  EXPECT(HM_OK, hm_shape_left_out(shape, &islands, &holes));
  TRUE(islands == 1 && holes == 0);
  EXPECT(HM_OK, hm_shape_rings(shape, &rings, NULL));
  TRUE(rings.count == 2);
  EXPECT(HM_OK, hm_shape_mass(shape, &mass));
  TRUE(is_near(mass.area, 6400.0 / 1024) && is_near(mass.centroid_x, 0) && is_near(mass.centroid_y, 0));
  /* A square less another: side^4 / 6 each. */
  TRUE(is_near(mass.inertia, (1e8 - 60.0 * 60 * 60 * 60) / 6 / (1 << 20)));
  EXPECT(HM_OK, hm_shape_pieces(shape, &pieces, &thin));
  TRUE(pieces.count >= 4 && thin.count == 0 && thin.area == 0);
  for (i = 0; i < pieces.count; i++) {
    TRUE(area2(&pieces, i) > 0 && pieces.starts[i + 1] - pieces.starts[i] <= 8);
    sum += area2(&pieces, i) / 2;
  }
  TRUE(is_near(sum, mass.area));
  EXPECT(HM_OK, hm_shape_destroy(shape));
  options.fit = HM_FIT_INSIDE;
  options.min_width = 1;
  EXPECT(HM_OK, hm_mask_shape(mask, &options, &shape));
  EXPECT(HM_OK, hm_shape_pieces(shape, &pieces, &thin));
  TRUE(pieces.count == 0 && thin.count > 0 && is_near(thin.area, 6400.0 / 1024));
  EXPECT(HM_OK, hm_shape_destroy(shape));
  EXPECT(HM_OK, hm_mask_destroy(mask));

  /* Ground in cells: a mask, and the same mask in a world. */
  options = hm_default_shape_options();
  EXPECT(HM_OK, hm_mask_solid(300, 100, &mask));
  EXPECT(HM_OK, hm_mask_disc(10, &shell));
  EXPECT(HM_OK, hm_world_create(atlas, &world));
  EXPECT(HM_OK, hm_world_insert_mask(world, mask, NULL, &ground));
  EXPECT(HM_OK, hm_shape_grid_create(mask, 64, NULL, &grid));
  EXPECT(HM_OK, hm_shape_grid_count(grid, &count));
  TRUE(count == 10);
  EXPECT(HM_OK, hm_shape_grid_chains(grid, 1, &chains, &closed));
  TRUE(chains.count == 1 && closed.count == 1 && closed.items[0] == 0 && chains.starts[1] == 4);
  /* A ghost, both ends of the edge, and a ghost. */
  TRUE(chains.points[1].y == 0 && chains.points[2].y == 0);
  TRUE(fabs(chains.points[1].x - chains.points[2].x) == 64);
  EXPECT(HM_OK, hm_mask_blit(mask, shell, place, HM_BLIT_ERASE));
  /* The crater is in cells 2 and 3, and the ghost points beside them have moved. */
  EXPECT(HM_OK, hm_shape_grid_update(grid, mask, hit, &changed));
  TRUE(changed.count == 4 && changed.items[0] == 1 && changed.items[3] == 4);
  EXPECT(HM_OK, hm_shape_grid_update(grid, mask, hit, &changed));
  TRUE(changed.count == 0);
  EXPECT(HM_OK, hm_shape_grid_cell(grid, 2, &cell));
  TRUE(cell.version == 1 && cell.rect.x0 == 128 && cell.rect.y1 == 64 && cell.holes_left_out == 0);
  EXPECT(HM_OK, hm_shape_grid_cell(grid, 0, &cell));
  TRUE(cell.version == 0);
  EXPECT(HM_OK, hm_shape_grid_rings(grid, 2, &rings, &borders));
  EXPECT(HM_OK, hm_shape_grid_pieces(grid, 2, &pieces, &thin));
  TRUE(rings.count == 1 && borders.items[0] == 0 && pieces.count >= 1 && thin.count == 0);
  for (sum = 0, i = 0; i < pieces.count; i++) sum += area2(&pieces, i);
  TRUE(is_near(sum, area2(&rings, 0)));
  EXPECT(HM_OK, hm_shape_grid_destroy(grid));

  EXPECT(HM_OK, hm_world_shape_grid(world, ground, 64, &options, &grid));
  EXPECT(HM_OK, hm_world_blit(world, ground, shell, place, HM_BLIT_ERASE));
  EXPECT(HM_OK, hm_world_update_shape_grid(world, ground, grid, hit, &changed));
  TRUE(changed.count == 4 && changed.items[0] == 1 && changed.items[3] == 4);
  EXPECT(HM_OK, hm_world_mask_shape(world, ground, &options, &shape));
  EXPECT(HM_OK, hm_shape_mass(shape, &mass));
  TRUE(mass.area > 29000 && mass.area < 29900);
  EXPECT(HM_OK, hm_shape_destroy(shape));
  EXPECT(HM_OK, hm_shape_grid_destroy(grid));
  EXPECT(HM_OK, hm_mask_destroy(shell));
  EXPECT(HM_OK, hm_mask_destroy(mask));
  EXPECT(HM_OK, hm_world_destroy(world));
  EXPECT(HM_OK, hm_atlas_destroy(atlas));
}

/* Many moves in one call give what single moves give, or nothing moves. */
static void many_moves(void) {
  enum { COUNT = 600 };
  static hm_collider_id ids[COUNT];
  static hm_vec2 motions[COUNT];
  hm_atlas *atlas = an_atlas("box", 8, 8, 1);
  hm_world *world, *alone;
  hm_move_rules rules = hm_default_move_rules();
  hm_moves moves;
  uint64_t before, after, expected;
  size_t contacts = 0, passed = 0;
  EXPECT(HM_OK, hm_world_create(atlas, &world));
  for (int i = 0; i < COUNT; i++) {
    ids[i] = inserted(world, atlas, "box", 9.0f * (float)i);
    motions[i] = (hm_vec2){(float)(i % 7) - 3.0f, (float)(i % 3)};
  }
  EXPECT(HM_OK, hm_world_set_user_data(world, ids[1], 7));
  EXPECT(HM_OK, hm_world_clone(world, &alone));
  EXPECT(HM_OK, hm_world_user_data(alone, ids[1], &expected));
  TRUE(expected == 7);
  EXPECT(HM_OK, hm_world_move_all(world, ids, motions, COUNT, &rules, &moves));
  TRUE(moves.count == COUNT);
  for (int i = 0; i < COUNT; i++) {
    hm_move_result one;
    EXPECT(HM_OK, hm_world_move_by_rules(alone, ids[i], motions[i], &rules, NULL, NULL, &one));
    TRUE(one.position.x == moves.items[i].position.x && one.position.y == moves.items[i].position.y);
    TRUE(one.translation.x == moves.items[i].translation.x && one.contacts.count == moves.items[i].contacts);
    for (size_t j = 0; j < one.contacts.count; j++, contacts++)
      TRUE(one.contacts.items[j].collider == moves.contacts.items[contacts].collider &&
           one.contacts.items[j].side == moves.contacts.items[contacts].side);
    passed += moves.items[i].passed;
  }
  TRUE(contacts > 100 && contacts == moves.contacts.count && passed == moves.passed.count);
  EXPECT(HM_OK, hm_world_state_hash(world, &after));
  EXPECT(HM_OK, hm_world_state_hash(alone, &expected));
  TRUE(after == expected);

  /* A refused move takes all back. */
  EXPECT(HM_OK, hm_world_state_hash(world, &before));
  motions[COUNT - 1].x = NAN;
  EXPECT(HM_BAD_NUMBER, hm_world_move_all(world, ids, motions, COUNT, NULL, &moves));
  TRUE(moves.count == 0 && moves.items == NULL && strstr(hm_last_error(), "item 599") != NULL);
  EXPECT(HM_OK, hm_world_state_hash(world, &after));
  TRUE(after == before);
  EXPECT(HM_NULL_POINTER, hm_world_move_all(world, ids, NULL, COUNT, NULL, &moves));
  EXPECT(HM_NULL_POINTER, hm_world_move_all(world, ids, motions, COUNT, NULL, NULL));
  EXPECT(HM_OK, hm_world_move_all(world, NULL, NULL, 0, NULL, &moves));
  TRUE(moves.count == 0);
  EXPECT(HM_OK, hm_world_destroy(alone));
  EXPECT(HM_OK, hm_world_destroy(world));
  EXPECT(HM_OK, hm_atlas_destroy(atlas));
}

/* Many questions in one call give what single calls give, in their order. */
static void bulk_calls(void) {
  enum { COUNT = 300 };
  static hm_collider colliders[COUNT];
  static hm_vec2 ends[2 * COUNT], motions[COUNT];
  hm_atlas *atlas = an_atlas("box", 8, 8, 1), *second = an_atlas("bar", 3, 40, 1);
  hm_world *world, *alone;
  hm_collider_id ids[COUNT], one;
  hm_atlas_id added;
  hm_colliders lent;
  hm_placements placements;
  hm_line_hits rays;
  hm_line_hit ray;
  hm_hits casts;
  hm_hit cast;
  hm_pose_stats stats;
  uint64_t before, after;
  size_t drawn = 9, all;
  int hits = 0, sprites = 0;
  EXPECT(HM_OK, hm_world_create(atlas, &world));
  EXPECT(HM_OK, hm_world_create(atlas, &alone));
  for (int i = 0; i < COUNT; i++) {
    colliders[i] = hm_default_collider();
    EXPECT(HM_OK, hm_atlas_sprite(atlas, "box", &colliders[i].sprite));
    colliders[i].x = 11.25f * (float)(i % 20);
    colliders[i].y = 13.5f * (float)(i / 20);
    colliders[i].angle = 0.1f * (float)i;
    ends[2 * i] = (hm_vec2){(float)(3 * i % 230), -20};
    ends[2 * i + 1] = (hm_vec2){(float)(7 * i % 230), (float)(i % 3) * 100 - 15};
    motions[i] = (hm_vec2){(float)(i % 7) * 9 - 27, (float)(i % 5) - 2};
    EXPECT(HM_OK, hm_world_insert(alone, &colliders[i], &one));
  }

  /* A bad collider is named, and none is inserted. */
  EXPECT(HM_OK, hm_world_state_hash(world, &before));
  colliders[COUNT - 1].scale = 0;
  EXPECT(HM_BAD_NUMBER, hm_world_insert_all(world, colliders, COUNT, &lent));
  TRUE(lent.items == NULL && lent.count == 0 && strstr(hm_last_error(), "item 299: ") != NULL);
  EXPECT(HM_BAD_NUMBER, hm_world_draw_ahead(world, colliders, COUNT, UINT64_MAX, UINT64_MAX, &drawn));
  TRUE(drawn == 0 && strstr(hm_last_error(), "item 299: ") != NULL);
  colliders[COUNT - 1].scale = 1;
  colliders[7].cookie = 1;
  EXPECT(HM_UNINITIALISED, hm_world_insert_all(world, colliders, COUNT, &lent));
  TRUE(strstr(hm_last_error(), "item 7: ") != NULL);
  colliders[7].cookie = colliders[8].cookie;
  EXPECT(HM_NULL_POINTER, hm_world_insert_all(world, NULL, COUNT, &lent));
  EXPECT(HM_OK, hm_world_state_hash(world, &after));
  TRUE(after == before);

  EXPECT(HM_OK, hm_world_insert_all(world, colliders, COUNT, &lent));
  TRUE(lent.count == COUNT);
  memcpy(ids, lent.items, sizeof ids);
  EXPECT(HM_OK, hm_world_insert_all(world, NULL, 0, &lent));
  EXPECT(HM_OK, hm_world_state_hash(world, &before));
  EXPECT(HM_OK, hm_world_state_hash(alone, &after));
  TRUE(after == before);
  EXPECT(HM_OK, hm_world_placements(world, ids, COUNT, &placements));
  for (int i = 0; i < COUNT; i++)
    TRUE(placements.items[i].x == colliders[i].x && placements.items[i].y == colliders[i].y &&
         placements.items[i].angle == colliders[i].angle);
  EXPECT(HM_OK, hm_world_set_placements(world, ids, placements.items, placements.count));
  EXPECT(HM_OK, hm_world_state_hash(world, &after));
  TRUE(after == before);

  EXPECT(HM_OK, hm_world_rays(world, ends, COUNT, NULL, &rays));
  EXPECT(HM_OK, hm_world_picks(world, ends, 2 * COUNT, 6, HM_PICK_BY_SLOT, NULL, &lent));
  EXPECT(HM_OK, hm_world_casts(world, ids, motions, COUNT, &casts));
  TRUE(rays.count == COUNT && lent.count == 2 * COUNT && casts.count == COUNT);
  for (int i = 0; i < COUNT; i++) {
    hm_vec2 at = ends[i];
    int status = hm_world_ray(world, ends[2 * i], ends[2 * i + 1], NULL, &ray);
    TRUE(status <= HM_NONE && memcmp(&ray, &rays.items[i], sizeof ray) == 0);
    hits += status == HM_OK;
    status = hm_world_pick(world, at.x, at.y, 6, HM_PICK_BY_SLOT, NULL, &one);
    TRUE(status <= HM_NONE && one == lent.items[i]);
    sprites += status == HM_OK;
    status = hm_world_cast(world, ids[i], motions[i], NULL, NULL, &cast);
    TRUE(status <= HM_NONE && cast.collider == casts.items[i].collider);
    TRUE(cast.point.x == casts.items[i].point.x && cast.impact.step == casts.items[i].impact.step);
    hits += status == HM_OK;
  }
  TRUE(hits > 100 && hits < 2 * COUNT && sprites > 10 && sprites < COUNT);
  EXPECT(HM_OK, hm_world_rays(world, NULL, 0, NULL, &rays));
  TRUE(rays.count == 0);
  EXPECT(HM_BAD_LENGTH, hm_world_rays(world, ends, SIZE_MAX, NULL, &rays));
  EXPECT(HM_NULL_POINTER, hm_world_picks(world, NULL, 1, 0, HM_PICK_BY_SLOT, NULL, &lent));
  EXPECT(HM_BAD_VALUE, hm_world_picks(world, ends, 1, 0, 2, NULL, &lent));
  EXPECT(HM_NULL_POINTER, hm_world_casts(world, ids, NULL, COUNT, &casts));
  ends[9].y = NAN;
  EXPECT(HM_BAD_NUMBER, hm_world_rays(world, ends, COUNT, NULL, &rays));
  TRUE(strstr(hm_last_error(), "item 4: ") != NULL && rays.count == 0);
  EXPECT(HM_BAD_NUMBER, hm_world_picks(world, ends, COUNT, 0, HM_PICK_BY_SLOT, NULL, &lent));
  TRUE(strstr(hm_last_error(), "item 9: ") != NULL);
  motions[3].x = INFINITY;
  EXPECT(HM_BAD_NUMBER, hm_world_casts(world, ids, motions, COUNT, &casts));
  TRUE(strstr(hm_last_error(), "item 3: ") != NULL);
  EXPECT(HM_OK, hm_world_remove(world, ids[5]));
  EXPECT(HM_STALE_ID, hm_world_placements(world, ids, COUNT, &placements));
  TRUE(strstr(hm_last_error(), "item 5: ") != NULL && placements.count == 0);
  motions[3].x = 0;
  EXPECT(HM_STALE_ID, hm_world_casts(world, ids, motions, COUNT, &casts));

  /* Poses over one drawn atlas are there. Those of several atlases are drawn, ahead if wanted. */
  EXPECT(HM_OK, hm_world_draw_ahead(world, colliders, COUNT, 0, 0, &drawn));
  TRUE(drawn == COUNT);
  EXPECT(HM_OK, hm_world_destroy(world));
  EXPECT(HM_OK, hm_world_create(atlas, &world));
  EXPECT(HM_OK, hm_world_add_atlas(world, second, &added));
  EXPECT(HM_OK, hm_world_draw_ahead(world, colliders, COUNT, UINT64_MAX, 0, &drawn));
  TRUE(drawn == 0);
  EXPECT(HM_OK, hm_world_draw_ahead(world, colliders, COUNT, 0, UINT64_MAX, &drawn));
  TRUE(drawn == 0);
  for (all = 0; all < COUNT; all += drawn) {
    EXPECT(HM_OK, hm_world_draw_ahead(world, colliders + all, COUNT - all, 1000000, 1, &drawn));
    TRUE(drawn > 0);
  }
  EXPECT(HM_OK, hm_world_draw_ahead(world, NULL, 0, 0, 0, &drawn));
  TRUE(drawn == 0);
  EXPECT(HM_OK, hm_world_update(world));
  EXPECT(HM_OK, hm_world_insert_all(world, colliders, COUNT, &lent));
  EXPECT(HM_OK, hm_world_pose_stats(world, &stats));
  TRUE(stats.draws == 0 && stats.poses > 10);
  EXPECT(HM_OK, hm_world_set_pose_budget(world, stats.bytes));
  for (int i = 0; i < COUNT; i++) {
    colliders[i].flip_x = 1;
    EXPECT(HM_OK, hm_atlas_sprite(second, "bar", &colliders[i].sprite));
  }
  EXPECT(HM_OVER_LIMIT, hm_world_draw_ahead(world, colliders, COUNT, UINT64_MAX, UINT64_MAX, &drawn));
  EXPECT(HM_NULL_POINTER, hm_world_draw_ahead(world, colliders, COUNT, 0, 0, NULL));
  EXPECT(HM_OK, hm_world_destroy(alone));
  EXPECT(HM_OK, hm_world_destroy(world));
  EXPECT(HM_OK, hm_atlas_destroy(second));
  EXPECT(HM_OK, hm_atlas_destroy(atlas));
}

int main(void) {
  several_atlases();
  batches();
  rules_and_planes();
  shapes();
  worlds();
  bodies();
  many_moves();
  bulk_calls();
  printf("%d checks\n", checks);
  return 0;
}
