/* Bad input: every call answers with a status and a message, and changes nothing. */
#include "check.h"
#include <math.h>

static int logged = 0;
static void on_log(void *user, hm_log_level level, const char *message) {
  TRUE(user == (void *)&logged);
  TRUE(level == HM_LOG_WARNING && strstr(message, "blank") != NULL);
  logged++;
}

static hm_status inside = HM_OK;
static uint64_t seen = 0;
static uint8_t drop_all(void *user, hm_pair pair, uint64_t a, uint64_t b) {
  (void)pair;
  /* The world is in use by the call that runs this. */
  inside = hm_world_update((hm_world *)user);
  TRUE(hm_world_destroy((hm_world *)user) == HM_BUSY);
  seen = a * 1000 + b;
  return 0;
}

static hm_atlas *an_atlas(void) {
  hm_baker *baker;
  hm_mask *mask;
  const hm_mask *frames[2];
  hm_bake_settings settings = hm_default_bake_settings();
  hm_bytes bytes;
  hm_atlas *atlas;
  float scales[2] = {1, 2};
  EXPECT(HM_OK, hm_baker_create(&baker));
  EXPECT(HM_BAKE, hm_baker_bake(baker, &bytes));
  TRUE(bytes.items == NULL && bytes.count == 0);
  EXPECT(HM_OK, hm_mask_disc(5, &mask));
  frames[0] = mask;
  frames[1] = NULL;
  EXPECT(HM_NULL_HANDLE, hm_baker_add_masks(baker, "disc", frames, 2, NULL));
  EXPECT(HM_NULL_POINTER, hm_baker_add_masks(baker, "disc", NULL, 2, NULL));
  EXPECT(HM_NULL_POINTER, hm_baker_add_masks(baker, NULL, frames, 1, NULL));
  {
    const char *names[] = {"body"};
    size_t counts[] = {0, 1, 4, (size_t)1 << 40, (size_t)1 << 62, (size_t)-1}, i;
    for (i = 0; i < sizeof counts / sizeof *counts; i++) {
      EXPECT(HM_BAKE, hm_baker_add_planes(baker, "disc", names, 0, frames, counts[i], NULL));
      EXPECT(HM_BAKE, hm_baker_add_planes(baker, "disc", NULL, 0, NULL, counts[i], NULL));
    }
    EXPECT(HM_BAD_LENGTH, hm_baker_add_planes(baker, "disc", names, 1, frames, (size_t)-1, NULL));
    EXPECT(HM_BAD_LENGTH, hm_baker_add_planes(baker, "disc", names, 1, frames, (size_t)1 << 62, NULL));
  }
  settings.cookie = 0;
  EXPECT(HM_UNINITIALISED, hm_baker_add_masks(baker, "disc", frames, 1, &settings));
  settings = hm_default_bake_settings();
  settings.sampling = 9;
  EXPECT(HM_BAD_VALUE, hm_baker_add_masks(baker, "disc", frames, 1, &settings));
  settings.sampling = HM_SAMPLING_NEAREST;
  settings.scales = scales;
  settings.scale_count = 2;
  EXPECT(HM_OK, hm_baker_add_masks(baker, "disc", frames, 1, &settings));
  EXPECT(HM_OK, hm_mask_clear(mask));
  EXPECT(HM_OK, hm_baker_add_masks(baker, "blank", frames, 1, NULL));
  logged = 0;
  EXPECT(HM_OK, hm_set_log(on_log, &logged));
  EXPECT(HM_OK, hm_baker_bake(baker, &bytes));
  EXPECT(HM_OK, hm_set_log(NULL, NULL));
  TRUE(logged == 1);
  EXPECT(HM_OK, hm_atlas_from_bytes(bytes.items, bytes.count, NULL, &atlas));
  EXPECT(HM_OK, hm_atlas_verify(atlas));
  EXPECT(HM_OK, hm_mask_destroy(mask));
  EXPECT(HM_OK, hm_baker_destroy(baker));
  return atlas;
}

static void atlases(void) {
  static const unsigned char garbage[100] = {'h', 'i', 't'};
  hm_atlas *atlas = (hm_atlas *)&logged;
  hm_bytes good;
  unsigned char *damaged;
  hm_sprite_id sprite = 77;
  hm_sprite info;
  char endless[5000];
  size_t i;
  EXPECT(HM_NOT_AN_ATLAS, hm_atlas_from_bytes(garbage, sizeof garbage, NULL, &atlas));
  TRUE(atlas == NULL && strstr(hm_last_error(), "not") != NULL);
  EXPECT(HM_NOT_AN_ATLAS, hm_atlas_from_bytes(garbage, 0, NULL, &atlas));
  EXPECT(HM_NULL_POINTER, hm_atlas_from_bytes(NULL, 10, NULL, &atlas));
  EXPECT(HM_BAD_LENGTH, hm_atlas_from_bytes(garbage, (size_t)-1, NULL, &atlas));
  EXPECT(HM_BAD_LENGTH, hm_atlas_from_bytes(garbage, (size_t)-1 / 2, NULL, &atlas));
  EXPECT(HM_NULL_POINTER, hm_atlas_from_bytes(garbage, 10, NULL, NULL));
  EXPECT(HM_IO, hm_atlas_open("no/such/file.hitmask", NULL, &atlas));
  memset(endless, 'a', sizeof endless);
  EXPECT(HM_BAD_TEXT, hm_atlas_open(endless, NULL, &atlas));
  endless[4095] = 0;
  EXPECT(HM_IO, hm_atlas_open(endless, NULL, &atlas));
  endless[4095] = 'a';
  atlas = an_atlas();
  EXPECT(HM_BAD_TEXT, hm_atlas_sprite(atlas, endless, &sprite));
  EXPECT(HM_BAD_TEXT, hm_atlas_sprite(atlas, "\xff", &sprite));
  EXPECT(HM_NULL_POINTER, hm_atlas_sprite(atlas, NULL, &sprite));
  EXPECT(HM_NONE, hm_atlas_sprite(atlas, "ship", &sprite));
  TRUE(sprite == 0);
  EXPECT(HM_UNKNOWN_SPRITE, hm_atlas_sprite_info(atlas, 0, &info));
  EXPECT(HM_UNKNOWN_SPRITE, hm_atlas_sprite_info(atlas, (uint64_t)-1, &info));
  EXPECT(HM_OK, hm_atlas_sprite(atlas, "disc", &sprite));
  EXPECT(HM_OK, hm_atlas_sprite_info(atlas, sprite, &info));
  TRUE(strcmp(info.name, "disc") == 0 && info.frames == 1 && info.scales == 2);
  /* Each byte damaged: a status or an atlas, no crash. */
  EXPECT(HM_OK, hm_atlas_bytes(atlas, &good));
  damaged = malloc(good.count);
  for (i = 0; i < good.count; i += 1 + i / 64) {
    hm_atlas *other;
    memcpy(damaged, good.items, good.count);
    damaged[i] ^= 0x41;
    if (hm_atlas_from_bytes(damaged, good.count, NULL, &other) == HM_OK) {
      TRUE(hm_atlas_verify(other) == HM_DAMAGED);
      EXPECT(HM_OK, hm_atlas_destroy(other));
    }
    EXPECT(HM_DAMAGED, hm_atlas_from_bytes(good.items, good.count - 1, NULL, &other));
  }
  free(damaged);
  EXPECT(HM_OK, hm_atlas_destroy(atlas));
}

static void handles(void) {
  hm_atlas *atlas = an_atlas();
  hm_world *world, *second;
  hm_mask *mask, *copy;
  bool touches = true;
  hm_point origin = {0, 0};
  int local = 0;
  size_t count, bit;
  EXPECT(HM_OK, hm_world_create(atlas, &world));
  EXPECT(HM_NULL_HANDLE, hm_world_update(NULL));
  EXPECT(HM_BAD_HANDLE, hm_world_update((hm_world *)&local));
  EXPECT(HM_BAD_HANDLE, hm_world_update((hm_world *)(uintptr_t)0x1234));
  EXPECT(HM_WRONG_HANDLE, hm_world_update((hm_world *)(void *)atlas));
  /* Each bit of a handle counts. */
  for (bit = 0; bit < sizeof world * 8; bit++) {
    TRUE(hm_world_update((hm_world *)((uintptr_t)world ^ ((uintptr_t)1 << bit))) != HM_OK);
  }
  EXPECT(HM_NULL_POINTER, hm_world_create(atlas, NULL));
  EXPECT(HM_OK, hm_world_clone(world, &second));
  EXPECT(HM_OK, hm_world_destroy(second));
  EXPECT(HM_STALE_HANDLE, hm_world_update(second));
  EXPECT(HM_STALE_HANDLE, hm_world_destroy(second));
  EXPECT(HM_OK, hm_world_destroy(NULL));
  EXPECT(HM_WRONG_HANDLE, hm_mask_destroy((hm_mask *)(void *)world));
  EXPECT(HM_OK, hm_mask_from_text("##\n##", &mask));
  EXPECT(HM_OK, hm_mask_touches(mask, mask, origin, &touches));
  TRUE(touches);
  EXPECT(HM_OK, hm_mask_blit(mask, mask, origin, HM_BLIT_TOGGLE));
  EXPECT(HM_OK, hm_mask_touches(mask, mask, origin, &touches));
  TRUE(!touches);
  EXPECT(HM_OK, hm_mask_set(mask, 2, 0, 1));
  EXPECT(HM_OK, hm_mask_set(mask, INT32_MAX, INT32_MIN, 1));
  EXPECT(HM_OK, hm_mask_get(mask, INT32_MAX, -1, &touches));
  TRUE(!touches);
  EXPECT(HM_BAD_VALUE, hm_mask_blit(mask, mask, origin, 4));
  EXPECT(HM_BAD_MASK, hm_mask_create(1u << 20, 1, &copy));
  TRUE(copy == NULL);
  EXPECT(HM_BAD_MASK, hm_mask_from_text("#x", &copy));
  EXPECT(HM_BAD_MASK, hm_mask_from_rgba(2, 2, (const uint8_t *)"1234", 4, 128, &copy));
  EXPECT(HM_BAD_MASK, hm_mask_grown(mask, 1u << 30, HM_GROW_DISC, &copy));
  EXPECT(HM_OK, hm_mask_destroy(mask));
  EXPECT(HM_STALE_HANDLE, hm_mask_touches(mask, mask, origin, &touches));
  /* A world outlives the handle of its atlas. */
  EXPECT(HM_OK, hm_atlas_destroy(atlas));
  EXPECT(HM_STALE_HANDLE, hm_world_create(atlas, &second));
  EXPECT(HM_OK, hm_world_update(world));
  EXPECT(HM_OK, hm_world_count(world, &count));
  TRUE(count == 0);
  EXPECT(HM_OK, hm_world_destroy(world));
}

static void colliders(void) {
  hm_atlas *atlas = an_atlas();
  hm_world *world;
  hm_collider collider = hm_default_collider(), empty;
  hm_collider_id a, b, ids[3];
  hm_mask *mask;
  hm_mask_id ground;
  hm_placement at[3] = {{0, 0, 0}, {5, 0, 0.5f}, {9, 9, 0}};
  hm_pairs pairs;
  hm_pair none = {0, 0};
  hm_colliders found;
  hm_contact contact;
  hm_hit hit;
  hm_nearest nearest;
  hm_body_hit body_hit;
  hm_filter filter = hm_default_filter();
  hm_vec2 motion = {NAN, 0}, zero = {0, 0};
  hm_rect area = {0, 0, 2, 2};
  hm_bytes snapshot;
  hm_text text;
  uint8_t small[4] = {9, 9, 9, 9};
  uint64_t before, after, data;
  size_t size;
  EXPECT(HM_OK, hm_world_create(atlas, &world));
  EXPECT(HM_UNKNOWN_SPRITE, hm_world_insert(world, &collider, &a));
  EXPECT(HM_OK, hm_atlas_sprite(atlas, "disc", &collider.sprite));
  EXPECT(HM_NULL_POINTER, hm_world_insert(world, NULL, &a));
  EXPECT(HM_NULL_POINTER, hm_world_insert(world, &collider, NULL));
  memset(&empty, 0, sizeof empty);
  EXPECT(HM_UNINITIALISED, hm_world_insert(world, &empty, &a));
  memset(&empty, 0xff, sizeof empty);
  EXPECT(HM_UNINITIALISED, hm_world_insert(world, &empty, &a));
  EXPECT(HM_OK, hm_world_insert(world, &collider, &a));
  collider.x = 5;
  EXPECT(HM_OK, hm_world_insert(world, &collider, &b));
  EXPECT(HM_OK, hm_world_state_hash(world, &before));

  collider.x = NAN;
  EXPECT(HM_BAD_NUMBER, hm_world_set(world, a, &collider));
  collider.x = 1e30f;
  EXPECT(HM_BAD_NUMBER, hm_world_set(world, a, &collider));
  collider.x = 0;
  collider.angle = INFINITY;
  EXPECT(HM_BAD_NUMBER, hm_world_set(world, a, &collider));
  collider.angle = 0;
  collider.scale = 9;
  EXPECT(HM_UNBAKED_SCALE, hm_world_set(world, a, &collider));
  collider.scale = -1;
  EXPECT(HM_BAD_NUMBER, hm_world_set(world, a, &collider));
  collider.scale = 1;
  collider.accuracy = 7;
  EXPECT(HM_BAD_VALUE, hm_world_set(world, a, &collider));
  collider.accuracy = HM_ACCURACY_EXACT;
  collider.frame = 3;
  EXPECT(HM_UNKNOWN_SPRITE, hm_world_set(world, a, &collider));
  collider.frame = 0;
  collider.mask = 1;
  EXPECT(HM_BAD_VALUE, hm_world_set(world, a, &collider));
  collider.mask = 0;
  EXPECT(HM_BAD_NUMBER, hm_world_move_to(world, a, INFINITY, 0));
  EXPECT(HM_BAD_NUMBER, hm_world_turn_to(world, a, NAN));
  EXPECT(HM_BAD_NUMBER, hm_world_place(world, a, 0, NAN, 0, 1));
  EXPECT(HM_UNBAKED_SCALE, hm_world_place(world, a, 0, 0, 0, 9));
  EXPECT(HM_BAD_VALUE, hm_world_set_accuracy(world, 3));
  EXPECT(HM_BAD_NUMBER, hm_world_set_scale_policy(world, NAN));
  EXPECT(HM_BAD_NUMBER, hm_world_set_scale_policy(world, 0.5f));

  /* Stale and invented ids. */
  EXPECT(HM_STALE_ID, hm_world_set(world, 0, &collider));
  EXPECT(HM_STALE_ID, hm_world_set(world, 5, &collider));
  EXPECT(HM_STALE_ID, hm_world_set(world, (uint64_t)-1, &collider));
  EXPECT(HM_STALE_ID, hm_world_get(world, a + ((uint64_t)1 << 32), &empty));
  EXPECT(HM_STALE_ID, hm_world_remove(world, 99));
  EXPECT(HM_STALE_ID, hm_world_set_user_data(world, 99, 1));
  EXPECT(HM_STALE_ID, hm_world_cast(world, 99, zero, NULL, NULL, &hit));
  EXPECT(HM_BAD_NUMBER, hm_world_cast(world, a, motion, NULL, NULL, &hit));
  EXPECT(HM_BAD_NUMBER, hm_world_query_circle(world, 0, 0, -1, NULL, &found));
  EXPECT(HM_BAD_NUMBER, hm_world_query_point(world, NAN, 0, NULL, &found));
  TRUE(found.count == 0);
  EXPECT(HM_BAD_NUMBER, hm_world_nearest(world, 0, 0, NAN, NULL, &nearest));
  filter.accuracy = 200;
  EXPECT(HM_BAD_VALUE, hm_world_query_point(world, 0, 0, &filter, &found));
  EXPECT(HM_UNKNOWN_OWNER, hm_world_move_body(world, 7, zero, &body_hit));

  /* A refused bulk call places nothing. */
  ids[0] = a;
  ids[1] = b;
  ids[2] = 99;
  EXPECT(HM_STALE_ID, hm_world_set_placements(world, ids, at, 3));
  TRUE(strstr(hm_last_error(), "item 2") != NULL);
  at[1].x = NAN;
  EXPECT(HM_BAD_NUMBER, hm_world_set_placements(world, ids, at, 2));
  at[1].x = 5;
  EXPECT(HM_NULL_POINTER, hm_world_set_placements(world, NULL, at, 2));
  EXPECT(HM_NULL_POINTER, hm_world_set_placements(world, ids, NULL, 2));
  EXPECT(HM_OK, hm_world_set_placements(world, NULL, NULL, 0));
  EXPECT(HM_BAD_LENGTH, hm_world_set_placements(world, ids, at, (size_t)-1 / 4));
  EXPECT(HM_BAD_POINTER,
         hm_world_set_placements(world, (const hm_collider_id *)((const char *)ids + 1), at, 1));
  EXPECT(HM_OK, hm_world_state_hash(world, &after));
  TRUE(before == after);
  EXPECT(HM_OK, hm_world_set_placements(world, ids, at, 2));

  /* Callbacks: the world is busy, and the user data arrives. */
  EXPECT(HM_OK, hm_world_set_user_data(world, a, 4));
  EXPECT(HM_OK, hm_world_set_user_data(world, b, 2));
  EXPECT(HM_NOT_UPDATED, hm_world_touching(world, &pairs));
  EXPECT(HM_NULL_POINTER, hm_world_update_with(world, NULL, NULL));
  EXPECT(HM_OK, hm_world_update_with(world, drop_all, world));
  TRUE(inside == HM_BUSY && seen == 4002);
  EXPECT(HM_OK, hm_world_touching(world, &pairs));
  TRUE(pairs.count == 0);
  EXPECT(HM_OK, hm_world_update(world));
  EXPECT(HM_OK, hm_world_touching(world, &pairs));
  TRUE(pairs.count == 1 && pairs.items[0].a == a && pairs.items[0].b == b);
  EXPECT(HM_OK, hm_world_contact(world, pairs.items[0], &contact));
  TRUE(contact.area > 0);
  EXPECT(HM_OK, hm_world_explain(world, pairs.items[0], &text));
  TRUE(text.count == strlen(text.items));
  EXPECT(HM_OK, hm_world_remove(world, b));
  EXPECT(HM_NONE, hm_world_contact(world, pairs.items[0], &contact));
  EXPECT(HM_NONE, hm_world_contact(world, none, &contact));
  TRUE(contact.area == 0);
  EXPECT(HM_STALE_ID, hm_world_user_data(world, b, &data));
  EXPECT(HM_OK, hm_world_insert(world, &collider, &ids[1]));
  TRUE(ids[1] != b && (uint32_t)ids[1] == (uint32_t)b);
  EXPECT(HM_OK, hm_world_user_data(world, ids[1], &data));
  TRUE(data == 0);

  /* Snapshots. */
  EXPECT(HM_BUFFER_TOO_SMALL, hm_world_snapshot_to(world, small, sizeof small, &size));
  TRUE(size > sizeof small && small[0] == 9);
  EXPECT(HM_OK, hm_world_snapshot(world, &snapshot));
  TRUE(snapshot.count == size);
  EXPECT(HM_OK, hm_world_state_hash(world, &before));
  EXPECT(HM_OK, hm_world_move_to(world, a, 70, 70));
  EXPECT(HM_DAMAGED, hm_world_restore(world, snapshot.items, snapshot.count - 1));
  EXPECT(HM_NOT_A_SNAPSHOT, hm_world_restore(world, small, sizeof small));
  EXPECT(HM_NULL_POINTER, hm_world_restore(world, NULL, 5));
  EXPECT(HM_OK, hm_world_restore(world, snapshot.items, snapshot.count));
  EXPECT(HM_OK, hm_world_state_hash(world, &after));
  TRUE(before == after);

  /* Run-time masks. */
  EXPECT(HM_OK, hm_mask_solid(8, 8, &mask));
  EXPECT(HM_OK, hm_world_insert_mask(world, mask, NULL, &ground));
  EXPECT(HM_OK, hm_mask_destroy(mask));
  collider = hm_default_collider();
  collider.mask = ground;
  collider.angle = 1;
  EXPECT(HM_MASK_USE, hm_world_insert(world, &collider, &b));
  collider.angle = 0;
  EXPECT(HM_OK, hm_world_insert(world, &collider, &b));
  EXPECT(HM_MASK_USE, hm_world_remove_mask(world, ground));
  EXPECT(HM_OK, hm_world_fill_rect(world, ground, area, 0));
  EXPECT(HM_STALE_ID, hm_world_fill_rect(world, ground + 1, area, 0));
  EXPECT(HM_OK, hm_world_copy_mask(world, ground, &mask));
  EXPECT(HM_OK, hm_mask_count(mask, &data));
  TRUE(data == 60);
  EXPECT(HM_OK, hm_mask_destroy(mask));
  EXPECT(HM_OK, hm_world_remove(world, b));
  EXPECT(HM_OK, hm_world_remove_mask(world, ground));
  EXPECT(HM_STALE_ID, hm_world_fill_rect(world, ground, area, 0));
  EXPECT(HM_OK, hm_world_validate(world));
  EXPECT(HM_OK, hm_world_destroy(world));
  EXPECT(HM_OK, hm_atlas_destroy(atlas));
}

/* Optional out parameters hold zeros after a refusal and after HM_NONE, whatever was there. */
static void out_parameters(void) {
  hm_atlas *atlas = an_atlas(), *other;
  hm_world *world;
  hm_mask *mask, *made, *found;
  hm_sprite_id sprite, foreign, newest;
  hm_atlas_id owner;
  hm_pose_id pose;
  hm_point origin;
  hm_vec2 corners[3] = {{0, 0}, {5, 0}, {NAN, 5}};
  hm_vec2 bad = {NAN, 0}, good = {1, 2};
  const hm_mask *parts[2];
  hm_point places[2] = {{0, 0}, {1, 1}};
  hm_affine transform = {1e300, 0, 0, 1e300, 0, 0};
#define ZEROED(expected, call)                                                                    \
  do {                                                                                            \
    memset(&origin, 0xaa, sizeof origin);                                                         \
    EXPECT(expected, call);                                                                       \
    TRUE(origin.x == 0 && origin.y == 0);                                                         \
  } while (0)
  EXPECT(HM_OK, hm_world_create(atlas, &world));
  EXPECT(HM_OK, hm_atlas_sprite(atlas, "disc", &sprite));
  ZEROED(HM_NONE, hm_atlas_pose(atlas, sprite, 0, 0, NAN, 1, 0, 0, &pose, &origin));
  TRUE(pose == 0);
  ZEROED(HM_NONE, hm_atlas_pose(atlas, sprite, 0, 0, 0, INFINITY, 0, 0, &pose, &origin));
  ZEROED(HM_UNKNOWN_SPRITE, hm_atlas_pose(atlas, sprite, 9, 0, 0, 1, 0, 0, &pose, &origin));
  ZEROED(HM_UNKNOWN_SPRITE, hm_atlas_pose(atlas, 0, 0, 0, 0, 1, 0, 0, &pose, &origin));
  ZEROED(HM_NULL_HANDLE, hm_atlas_pose(NULL, sprite, 0, 0, 0, 1, 0, 0, &pose, &origin));
  ZEROED(HM_NULL_POINTER, hm_atlas_pose(atlas, sprite, 0, 0, 0, 1, 0, 0, NULL, &origin));
  ZEROED(HM_NONE, hm_atlas_posed_mask(atlas, sprite, 0, 0, NAN, 1, 0, 0, &found, &origin));
  TRUE(found == NULL);
  ZEROED(HM_UNKNOWN_SPRITE, hm_atlas_posed_mask(atlas, sprite, 9, 0, 0, 1, 0, 0, &found, &origin));
  ZEROED(HM_STALE_ID, hm_world_posed_mask(world, 99, &found, &origin));
  ZEROED(HM_STALE_ID, hm_world_posed_mask(world, 0, &found, &origin));
  ZEROED(HM_BAD_NUMBER, hm_mask_from_polygons(corners, 3, NULL, 1, &found, &origin));
  ZEROED(HM_NULL_POINTER, hm_mask_from_polygons(NULL, 3, NULL, 1, &found, &origin));
  ZEROED(HM_BAD_NUMBER, hm_mask_from_ellipse(bad, 1, 1, &found, &origin));
  ZEROED(HM_BAD_NUMBER, hm_mask_from_line(good, bad, &found, &origin));
  EXPECT(HM_OK, hm_mask_disc(5, &mask));
  parts[0] = mask;
  parts[1] = NULL;
  ZEROED(HM_NULL_HANDLE, hm_mask_union(parts, places, 2, &found, &origin));
  ZEROED(HM_NULL_HANDLE, hm_mask_trimmed(NULL, &found, &origin));
  ZEROED(HM_NULL_POINTER, hm_mask_transformed(mask, NULL, NULL, &found, &origin));
  TRUE(hm_mask_transformed(mask, NULL, &transform, &found, NULL) > HM_NONE);
  memset(&origin, 0xaa, sizeof origin);
  TRUE(hm_mask_transformed(mask, NULL, &transform, &found, &origin) > HM_NONE);
  TRUE(origin.x == 0 && origin.y == 0);
  /* The sprite of another atlas. */
  newest = 77;
  EXPECT(HM_UNKNOWN_SPRITE, hm_world_atlas_of_sprite(world, 0, &owner, &newest));
  TRUE(owner == 0 && newest == 0);
  EXPECT(HM_OK, hm_atlas_labelled(atlas, 5, &other));
  EXPECT(HM_OK, hm_atlas_sprite(other, "disc", &foreign));
  newest = 77;
  EXPECT(HM_NONE, hm_world_atlas_of_sprite(world, foreign, &owner, &newest));
  TRUE(owner == 0 && newest == 0);
  newest = 77;
  EXPECT(HM_NULL_HANDLE, hm_world_atlas_of_sprite(NULL, sprite, &owner, &newest));
  TRUE(newest == 0);
  /* They are written after a success, and may be null. */
  EXPECT(HM_OK, hm_world_atlas_of_sprite(world, sprite, &owner, &newest));
  TRUE(newest == sprite);
  EXPECT(HM_OK, hm_atlas_pose(atlas, sprite, 0, 0, 0, 1, 0, 0, &pose, &origin));
  TRUE(origin.x == -5 && origin.y == -5);
  EXPECT(HM_OK, hm_atlas_pose(atlas, sprite, 0, 0, 0, 1, 0, 0, &pose, NULL));
  EXPECT(HM_OK, hm_mask_trimmed(mask, &made, NULL));
  EXPECT(HM_OK, hm_mask_destroy(made));
  EXPECT(HM_OK, hm_mask_destroy(mask));
  EXPECT(HM_OK, hm_world_destroy(world));
  EXPECT(HM_OK, hm_atlas_destroy(other));
  EXPECT(HM_OK, hm_atlas_destroy(atlas));
}

static void bodies(void) {
  hm_shape_options options = hm_default_shape_options(), wrong;
  hm_atlas *atlas = an_atlas();
  hm_world *world;
  hm_mask *mask, *other;
  hm_shape *shape = (hm_shape *)&logged;
  hm_shape_grid *grid = (hm_shape_grid *)&logged;
  hm_paths paths;
  hm_numbers numbers;
  hm_thin_pieces thin;
  hm_bytes closed;
  hm_mass mass;
  hm_shape_cell cell;
  hm_rect rect = {-5, -5, 5, 5};
  uint32_t count = 7, holes = 7;
  size_t i;
  const float bad[] = {0, -1, NAN, INFINITY};
  EXPECT(HM_OK, hm_world_create(atlas, &world));
  EXPECT(HM_OK, hm_mask_solid(100, 80, &mask));
  EXPECT(HM_OK, hm_mask_solid(80, 100, &other));
  for (i = 0; i < sizeof bad / sizeof *bad; i++) {
    wrong = options;
    wrong.max_error = bad[i];
    EXPECT(HM_BAD_NUMBER, hm_mask_shape(mask, &wrong, &shape));
    TRUE(shape == NULL && strstr(hm_last_error(), "max_error") != NULL);
    EXPECT(HM_BAD_NUMBER, hm_shape_grid_create(mask, 64, &wrong, &grid));
    TRUE(grid == NULL);
    wrong = options;
    wrong.scale = bad[i];
    EXPECT(HM_BAD_NUMBER, hm_mask_shape(mask, &wrong, &shape));
  }
  wrong = options;
  wrong.origin.y = NAN;
  EXPECT(HM_BAD_NUMBER, hm_mask_shape(mask, &wrong, &shape));
  wrong = options;
  wrong.max_corners = 2;
  EXPECT(HM_BAD_NUMBER, hm_mask_shape(mask, &wrong, &shape));
  wrong = options;
  wrong.fit = 3;
  EXPECT(HM_BAD_VALUE, hm_mask_shape(mask, &wrong, &shape));
  memset(&wrong, 0, sizeof wrong);
  EXPECT(HM_UNINITIALISED, hm_mask_shape(mask, &wrong, &shape));
  TRUE(strstr(hm_last_error(), "hm_default_shape_options") != NULL);
  EXPECT(HM_BAD_NUMBER, hm_shape_grid_create(mask, 7, &options, &grid));
  EXPECT(HM_BAD_NUMBER, hm_shape_grid_create(mask, 1025, &options, &grid));
  EXPECT(HM_NULL_HANDLE, hm_mask_shape(NULL, &options, &shape));
  EXPECT(HM_NULL_POINTER, hm_mask_shape(mask, &options, NULL));
  EXPECT(HM_STALE_ID, hm_world_mask_shape(world, 0, &options, &shape));
  EXPECT(HM_STALE_ID, hm_world_mask_shape(world, 99, &options, &shape));
  EXPECT(HM_STALE_ID, hm_world_shape_grid(world, 99, 64, &options, &grid));
  {
    hm_sprite_id disc;
    EXPECT(HM_OK, hm_atlas_sprite(atlas, "disc", &disc));
    EXPECT(HM_UNKNOWN_SPRITE, hm_atlas_shape(atlas, 99, 0, 0, &options, &shape));
    EXPECT(HM_UNKNOWN_SPRITE, hm_atlas_shape(atlas, disc, 1, 0, &options, &shape));
    EXPECT(HM_UNKNOWN_SPRITE, hm_atlas_shape(atlas, disc, 0, 1, &options, &shape));
    TRUE(shape == NULL);
    wrong = options;
    wrong.max_error = -1;
    EXPECT(HM_BAD_NUMBER, hm_atlas_shape(atlas, disc, 0, 0, &wrong, &shape));
    EXPECT(HM_OK, hm_atlas_shape(atlas, disc, 0, 0, NULL, &shape));
    EXPECT(HM_OK, hm_shape_mass(shape, &mass));
    /* A disc of 11 px turns about its centre. */
    TRUE(fabs(mass.centroid_x) < 0.3 && fabs(mass.centroid_y) < 0.3 && mass.area > 60);
    EXPECT(HM_OK, hm_shape_destroy(shape));
  }
  EXPECT(HM_BAD_HANDLE, hm_shape_mass((hm_shape *)&world, &mass));
  EXPECT(HM_WRONG_HANDLE, hm_shape_mass((hm_shape *)mask, &mass));

  EXPECT(HM_OK, hm_mask_shape(mask, &options, &shape));
  EXPECT(HM_WRONG_HANDLE, hm_mask_count((hm_mask *)shape, &(uint64_t){0}));
  EXPECT(HM_NULL_POINTER, hm_shape_rings(shape, NULL, &numbers));
  TRUE(numbers.items == NULL && numbers.count == 0);
  EXPECT(HM_NULL_POINTER, hm_shape_pieces(shape, NULL, NULL));
  EXPECT(HM_NULL_HANDLE, hm_shape_left_out(NULL, &count, &holes));
  TRUE(count == 0 && holes == 0);
  EXPECT(HM_OK, hm_shape_destroy(shape));
  EXPECT(HM_STALE_HANDLE, hm_shape_destroy(shape));
  EXPECT(HM_STALE_HANDLE, hm_shape_pieces(shape, &paths, &thin));
  TRUE(paths.points == NULL && paths.count == 0 && thin.count == 0);
  EXPECT(HM_OK, hm_shape_destroy(NULL));

  /* A refused update leaves the grid as it was. */
  EXPECT(HM_OK, hm_shape_grid_create(mask, 64, NULL, &grid));
  EXPECT(HM_OK, hm_mask_clear(mask));
  EXPECT(HM_BAD_LENGTH, hm_shape_grid_update(grid, other, rect, &numbers));
  TRUE(numbers.items == NULL && numbers.count == 0);
  EXPECT(HM_STALE_ID, hm_world_update_shape_grid(world, 99, grid, rect, &numbers));
  EXPECT(HM_OK, hm_shape_grid_update(grid, mask, (hm_rect){9, 9, 3, 3}, &numbers));
  TRUE(numbers.count == 0);
  EXPECT(HM_OK, hm_shape_grid_cell(grid, 3, &cell));
  TRUE(cell.version == 0 && cell.rect.x1 == 100 && cell.rect.y1 == 80);
  memset(&cell, 0xaa, sizeof cell);
  EXPECT(HM_NONE, hm_shape_grid_cell(grid, 4, &cell));
  TRUE(cell.version == 0 && cell.rect.x1 == 0);
  EXPECT(HM_NONE, hm_shape_grid_rings(grid, 4, &paths, NULL));
  EXPECT(HM_NONE, hm_shape_grid_pieces(grid, 0xffffffff, &paths, &thin));
  EXPECT(HM_NONE, hm_shape_grid_chains(grid, 4, &paths, &closed));
  TRUE(paths.count == 0 && closed.count == 0);
  EXPECT(HM_WRONG_HANDLE, hm_shape_grid_count((hm_shape_grid *)world, &count));
  EXPECT(HM_OK, hm_shape_grid_destroy(grid));
  EXPECT(HM_STALE_HANDLE, hm_shape_grid_destroy(grid));
  EXPECT(HM_OK, hm_shape_grid_destroy(NULL));
  EXPECT(HM_OK, hm_mask_destroy(other));
  EXPECT(HM_OK, hm_mask_destroy(mask));
  EXPECT(HM_OK, hm_world_destroy(world));
  EXPECT(HM_OK, hm_atlas_destroy(atlas));
}

/* Returns an address that no value of the type of `memory` has. */
static void *odd(void *memory) { return (char *)memory + 1; }

static void pointers(void) {
  hm_atlas *atlas = an_atlas();
  hm_world *world;
  hm_mask *mask;
  hm_shape *shape;
  hm_collider collider[2];
  hm_filter filter[2];
  hm_shape_options options[2];
  hm_move_rules rules[2];
  hm_atlas_limits limits[2];
  hm_pivot pivot[2];
  hm_bake_settings settings[2];
  hm_collider_id id, two[2] = {0x1111111111111111, 0x2222222222222222};
  uint64_t memory[64], untouched[64], hash;
  unsigned char buffer[4096];
  size_t size = 7, needed;
  hm_sprite_id sprite;
  hm_move_result moved;
  hm_baker *baker;
  EXPECT(HM_OK, hm_world_create(atlas, &world));
  EXPECT(HM_OK, hm_mask_disc(4, &mask));
  EXPECT(HM_OK, hm_atlas_sprite(atlas, "disc", &sprite));
  collider[0] = hm_default_collider();
  collider[0].sprite = sprite;
  EXPECT(HM_OK, hm_world_insert(world, collider, &id));
  EXPECT(HM_OK, hm_world_state_hash(world, &hash));

  /* Buffers: the size that is needed is written if the buffer is too small, and 0 after other faults. */
  EXPECT(HM_BUFFER_TOO_SMALL, hm_world_snapshot_to(world, NULL, 0, &needed));
  TRUE(needed > 0 && needed <= sizeof buffer);
  EXPECT(HM_NULL_POINTER, hm_world_snapshot_to(world, NULL, 9999, &size));
  TRUE(size == 0);
  EXPECT(HM_NULL_POINTER, hm_world_snapshot_to(world, NULL, 1, &size));
  TRUE(size == 0);
  size = 7;
  EXPECT(HM_BAD_LENGTH, hm_world_snapshot_to(world, buffer, (size_t)-1, &size));
  TRUE(size == 0);
  EXPECT(HM_BAD_LENGTH, hm_world_snapshot_to(world, buffer, (size_t)-1 / 2, &size));
  EXPECT(HM_BUFFER_TOO_SMALL, hm_world_snapshot_to(world, buffer, 3, &size));
  TRUE(size == needed);
  EXPECT(HM_OK, hm_world_snapshot_to(world, buffer, sizeof buffer, &size));
  TRUE(size == needed);
  EXPECT(HM_NULL_POINTER, hm_world_snapshot_to(world, buffer, sizeof buffer, NULL));
  EXPECT(HM_BAD_POINTER, hm_world_snapshot_to(world, buffer, sizeof buffer, (size_t *)odd(&size)));

  /* Out parameters, of numbers, of structs and of handles. Nothing is written, and nothing made. */
  memset(memory, 0xaa, sizeof memory);
  memcpy(untouched, memory, sizeof memory);
  EXPECT(HM_BAD_POINTER, hm_world_insert(world, collider, (hm_collider_id *)odd(memory)));
  TRUE(strstr(hm_last_error(), "aligned to 8 bytes") != NULL);
  EXPECT(HM_BAD_POINTER, hm_world_get(world, id, (hm_collider *)odd(memory)));
  EXPECT(HM_BAD_POINTER, hm_world_count(world, (size_t *)odd(memory)));
  EXPECT(HM_BAD_POINTER, hm_world_clone(world, (hm_world **)odd(memory)));
  EXPECT(HM_BAD_POINTER, hm_world_snapshot(world, (hm_bytes *)odd(memory)));
  EXPECT(HM_BAD_POINTER, hm_world_state_hash(world, (uint64_t *)odd(memory)));
  EXPECT(HM_BAD_POINTER, hm_world_touching(world, (hm_pairs *)odd(memory)));
  EXPECT(HM_BAD_POINTER, hm_atlas_sprite(atlas, "disc", (hm_sprite_id *)odd(memory)));
  EXPECT(HM_BAD_POINTER, hm_atlas_sprite_info(atlas, sprite, (hm_sprite *)odd(memory)));
  EXPECT(HM_BAD_POINTER, hm_atlas_shape(atlas, sprite, 0, 0, NULL, (hm_shape **)odd(memory)));
  EXPECT(HM_BAD_POINTER, hm_mask_size(mask, (hm_size *)odd(memory)));
  EXPECT(HM_BAD_POINTER, hm_mask_clone(mask, (hm_mask **)odd(memory)));
  /* The second of two, which may be null. */
  EXPECT(HM_OK, hm_mask_shape(mask, NULL, &shape));
  {
    uint32_t islands = 7;
    hm_mask *made = (hm_mask *)&logged;
    EXPECT(HM_BAD_POINTER, hm_shape_left_out(shape, &islands, (uint32_t *)odd(memory)));
    TRUE(islands == 0);
    EXPECT(HM_BAD_POINTER, hm_mask_trimmed(mask, &made, (hm_point *)odd(memory)));
    TRUE(made == NULL);
  }
  TRUE(memcmp(memory, untouched, sizeof memory) == 0);
  EXPECT(HM_OK, hm_shape_destroy(shape));

  /* Structs of the caller. */
  filter[0] = hm_default_filter();
  options[0] = hm_default_shape_options();
  rules[0] = hm_default_move_rules();
  limits[0] = hm_default_atlas_limits();
  settings[0] = hm_default_bake_settings();
  {
    hm_collider_id none = 7;
    EXPECT(HM_BAD_POINTER, hm_world_insert(world, (hm_collider *)odd(collider), &none));
    TRUE(none == 0 && strstr(hm_last_error(), "collider") != NULL);
  }
  EXPECT(HM_BAD_POINTER, hm_mask_shape(mask, (hm_shape_options *)odd(options), &shape));
  TRUE(shape == NULL);
  EXPECT(HM_BAD_POINTER,
         hm_world_move_by_rules(world, id, (hm_vec2){1, 0}, (hm_move_rules *)odd(rules), NULL, NULL, &moved));
  EXPECT(HM_BAD_POINTER, hm_world_insert_mask(world, mask, (hm_pivot *)odd(pivot), &(hm_mask_id){0}));
  EXPECT(HM_BAD_POINTER,
         hm_world_query_circle(world, 0, 0, 5, (hm_filter *)odd(filter), &(hm_colliders){0}));
  EXPECT(HM_BAD_POINTER, hm_atlas_open("a", (hm_atlas_limits *)odd(limits), &(hm_atlas *){NULL}));
  EXPECT(HM_OK, hm_baker_create(&baker));
  EXPECT(HM_BAD_POINTER, hm_baker_add_masks(baker, "a", (const hm_mask *const *)&mask, 1,
                                            (hm_bake_settings *)odd(settings)));
  EXPECT(HM_OK, hm_baker_destroy(baker));
  /* Lists. */
  EXPECT(HM_BAD_POINTER, hm_world_set_placements(world, (hm_collider_id *)odd(two), (hm_placement *)memory, 1));
  EXPECT(HM_BAD_POINTER, hm_world_set_placements(world, two, (hm_placement *)odd(memory), 1));
  EXPECT(HM_BAD_LENGTH, hm_world_set_placements(world, two, (hm_placement *)memory, (size_t)-1));
  {
    uint64_t after;
    EXPECT(HM_OK, hm_world_state_hash(world, &after));
    TRUE(after == hash);
  }
  EXPECT(HM_OK, hm_mask_destroy(mask));
  EXPECT(HM_OK, hm_world_destroy(world));
  EXPECT(HM_OK, hm_atlas_destroy(atlas));
}

static void angles(void) {
  /* Bits of a NaN that Rust takes for a part of a turn, and others. */
  const uint32_t bits[] = {0xffa50000, 0xffa50007, 0xffa5ffff, 0x7fc00000, 0xffc00000, 0x7fa50000, 0x7f800000};
  hm_atlas *atlas = an_atlas();
  hm_world *world;
  hm_collider collider = hm_default_collider();
  hm_collider_id ids[3];
  hm_placement places[3];
  uint64_t hash, after;
  size_t i, k;
  EXPECT(HM_OK, hm_world_create(atlas, &world));
  EXPECT(HM_OK, hm_atlas_sprite(atlas, "disc", &collider.sprite));
  for (i = 0; i < 3; i++) EXPECT(HM_OK, hm_world_insert(world, &collider, &ids[i]));
  EXPECT(HM_OK, hm_world_state_hash(world, &hash));
  for (i = 0; i < sizeof bits / sizeof *bits; i++) {
    for (k = 0; k < 3; k++) {
      hm_placement none = {1, 2, 0.5f};
      char item[16];
      places[0] = places[1] = places[2] = none;
      memcpy(&places[k].angle, &bits[i], sizeof bits[i]);
      EXPECT(HM_BAD_NUMBER, hm_world_set_placements(world, ids, places, 3));
      sprintf(item, "item %d", (int)k);
      TRUE(strstr(hm_last_error(), item) != NULL);
      EXPECT(HM_OK, hm_world_state_hash(world, &after));
      TRUE(after == hash);
    }
  }
  /* An angle of 0 gives one state, however it is set. */
  for (i = 0; i < 3; i++) {
    hm_placement zero = {0, 0, i == 1 ? -0.0f : 0.0f};
    places[i] = zero;
  }
  EXPECT(HM_OK, hm_world_set_placements(world, ids, places, 3));
  EXPECT(HM_OK, hm_world_state_hash(world, &after));
  TRUE(after == hash);
  EXPECT(HM_OK, hm_world_destroy(world));
  EXPECT(HM_OK, hm_atlas_destroy(atlas));
}

static void names(void) {
  hm_atlas *atlas = an_atlas();
  hm_sprite_id sprite;
  const char *other = (const char *)&logged;
  EXPECT(HM_NONE, hm_atlas_sprite(atlas, "dics", &sprite));
  EXPECT(HM_OK, hm_atlas_alike(atlas, 0, "dics", &other));
  TRUE(strcmp(other, "disc") == 0);
  EXPECT(HM_OK, hm_atlas_alike(atlas, 0, "art/Disc", &other));
  TRUE(strcmp(other, "disc") == 0);
  EXPECT(HM_NONE, hm_atlas_alike(atlas, 0, "zebra", &other));
  TRUE(other == NULL);
  EXPECT(HM_OK, hm_atlas_sprite(atlas, "disc", &sprite));
  EXPECT(HM_OK, hm_atlas_alike(atlas, sprite, "bdoy", &other));
  TRUE(strcmp(other, "body") == 0);
  EXPECT(HM_UNKNOWN_SPRITE, hm_atlas_alike(atlas, 99, "body", &other));
  EXPECT(HM_NULL_POINTER, hm_atlas_alike(atlas, 0, NULL, &other));
  EXPECT(HM_OK, hm_atlas_destroy(atlas));
}

int main(void) {
  int i;
  TRUE(hm_abi_version() == HM_ABI_VERSION);
  TRUE(strlen(hm_version()) > 0);
  TRUE(strcmp(hm_last_error(), "") == 0);
  for (i = -2; i < 100; i++) {
    TRUE(strlen(hm_status_text(i)) > 0);
  }
  atlases();
  handles();
  colliders();
  out_parameters();
  bodies();
  pointers();
  angles();
  names();
  printf("%d checks\n", checks);
  return 0;
}
