/* Worlds: each call with the answer that follows from the corners of a few rectangles. */
#include "check.h"

static hm_mask *solid(uint32_t width, uint32_t height) {
  hm_mask *mask;
  EXPECT(HM_OK, hm_mask_solid(width, height, &mask));
  return mask;
}

/* A world with `resolution` mask pixels per pixel. Its sprite "knight" of 4 x 1 px has two planes. */
static hm_world *a_world(float resolution, hm_sprite_id *knight) {
  static const char *const planes[] = {"body", "sword"};
  hm_baker *baker;
  hm_atlas *atlas;
  hm_world *world;
  hm_mask *body, *sword;
  const hm_mask *frames[2];
  EXPECT(HM_OK, hm_mask_from_text("##..", &body));
  EXPECT(HM_OK, hm_mask_from_text("..##", &sword));
  frames[0] = body;
  frames[1] = sword;
  EXPECT(HM_OK, hm_baker_create(&baker));
  EXPECT(HM_OK, hm_baker_set_resolution(baker, resolution));
  EXPECT(HM_OK, hm_baker_add_planes(baker, "knight", planes, 2, frames, 1, NULL));
  EXPECT(HM_OK, hm_baker_bake_atlas(baker, &atlas));
  EXPECT(HM_OK, hm_world_create(atlas, &world));
  if (knight) EXPECT(HM_OK, hm_atlas_sprite(atlas, "knight", knight));
  EXPECT(HM_OK, hm_atlas_destroy(atlas));
  EXPECT(HM_OK, hm_baker_destroy(baker));
  EXPECT(HM_OK, hm_mask_destroy(sword));
  EXPECT(HM_OK, hm_mask_destroy(body));
  return world;
}

/* Inserts a collider with the pixels of a mask, whose top left corner is at (x, y). Destroys the mask. */
static hm_collider_id shown(hm_world *world, hm_mask *mask, float x, float y) {
  const hm_pivot corner = {0, 0};
  hm_collider collider = hm_default_collider();
  hm_collider_id id;
  EXPECT(HM_OK, hm_world_insert_mask(world, mask, &corner, &collider.mask));
  EXPECT(HM_OK, hm_mask_destroy(mask));
  collider.x = x;
  collider.y = y;
  EXPECT(HM_OK, hm_world_insert(world, &collider, &id));
  return id;
}

static hm_collider_id block(hm_world *world, float x, float y, uint32_t width, uint32_t height) {
  return shown(world, solid(width, height), x, y);
}

static void set_owner(hm_world *world, hm_collider_id id, uint32_t owner) {
  hm_collider collider;
  EXPECT(HM_OK, hm_world_get(world, id, &collider));
  collider.owner = owner;
  EXPECT(HM_OK, hm_world_set(world, id, &collider));
}

/* Whether a list has one id, or two in this order. */
static int are(hm_colliders list, hm_collider_id first, hm_collider_id second) {
  return list.count == (second ? 2 : 1) && list.items[0] == first && (!second || list.items[1] == second);
}

static int is_pair(hm_pairs pairs, hm_collider_id a, hm_collider_id b) {
  return pairs.count == 1 && pairs.items[0].a == a && pairs.items[0].b == b;
}

static int is_vec2(hm_vec2 vector, float x, float y) { return vector.x == x && vector.y == y; }
static int is_point(hm_point point, int x, int y) { return point.x == x && point.y == y; }

/* A snake with the owner 7 has a head and a tail, a ball has the owner 3, and a wall has none. */
static void events_and_bodies(void) {
  hm_world *world = a_world(1, NULL);
  hm_collider_id head = block(world, 0, 0, 4, 2), tail = block(world, 10, 0, 4, 2);
  hm_collider_id wall = block(world, 12, 1, 2, 6), ball = block(world, 40, 0, 3, 3);
  const hm_collider_id snake[] = {head, tail}, others[] = {wall, ball, tail};
  hm_body_pairs bodies;
  hm_body_pair met;
  hm_body_hit hit;
  hm_colliders list;
  hm_pairs pairs;
  hm_rect rect;
  set_owner(world, head, 7);
  set_owner(world, tail, 7);
  set_owner(world, ball, 3);
  EXPECT(HM_OK, hm_world_ids(world, &list));
  TRUE(list.count == 4 && list.items[0] == head && list.items[2] == wall && list.items[3] == ball);
  EXPECT(HM_OK, hm_world_parts_of(world, 7, &list));
  TRUE(are(list, head, tail));
  EXPECT(HM_OK, hm_world_parts_of(world, 3, &list));
  TRUE(are(list, ball, 0));
  EXPECT(HM_OK, hm_world_parts_of(world, 0, &list));
  TRUE(list.count == 0);

  /* The tail touches the wall. */
  EXPECT(HM_OK, hm_world_update(world));
  EXPECT(HM_OK, hm_world_stayed(world, &pairs));
  TRUE(pairs.count == 0);
  EXPECT(HM_OK, hm_world_began_bodies(world, &bodies));
  TRUE(bodies.count == 1);
  met = bodies.items[0];
  TRUE(met.a.owner == 7 && met.a.collider == 0 && met.part_a == tail);
  TRUE(met.b.owner == 0 && met.b.collider == wall && met.part_b == wall);
  /* The ball comes to the head. Its owner is less, and its slot is greater. */
  EXPECT(HM_OK, hm_world_move_to(world, ball, 2, 1));
  EXPECT(HM_OK, hm_world_update(world));
  EXPECT(HM_OK, hm_world_stayed(world, &pairs));
  TRUE(is_pair(pairs, tail, wall));
  EXPECT(HM_OK, hm_world_began_bodies(world, &bodies));
  TRUE(bodies.count == 1);
  met = bodies.items[0];
  TRUE(met.a.owner == 3 && met.part_a == ball && met.b.owner == 7 && met.part_b == head);
  EXPECT(HM_OK, hm_world_touching_bodies(world, &bodies));
  TRUE(bodies.count == 2 && bodies.items[0].part_a == ball && bodies.items[1].part_b == wall);
  EXPECT(HM_OK, hm_world_ended_bodies(world, &bodies));
  TRUE(bodies.count == 0);
  EXPECT(HM_OK, hm_world_touching_between(world, snake, 2, others, 1, &pairs));
  TRUE(is_pair(pairs, tail, wall));
  EXPECT(HM_OK, hm_world_touching_between(world, snake, 1, others, 3, &pairs));
  TRUE(is_pair(pairs, head, ball));
  /* The wall goes far down. */
  EXPECT(HM_OK, hm_world_move_to(world, wall, 12, 30));
  EXPECT(HM_OK, hm_world_update(world));
  EXPECT(HM_OK, hm_world_stayed(world, &pairs));
  TRUE(is_pair(pairs, head, ball));
  EXPECT(HM_OK, hm_world_ended_bodies(world, &bodies));
  TRUE(bodies.count == 1 && bodies.items[0].a.owner == 7 && bodies.items[0].part_a == tail);
  TRUE(bodies.items[0].b.collider == wall && bodies.items[0].part_b == wall);

  /* On the way down the tail hits the wall, and to the right the ball. */
  EXPECT(HM_OK, hm_world_move_to(world, ball, 40, 1));
  EXPECT(HM_OK, hm_world_cast_body(world, 7, (hm_vec2){0, 40}, &hit));
  TRUE(hit.part == tail && hit.body.collider == wall && hit.body.owner == 0 && hit.hit.collider == wall);
  TRUE(hit.hit.impact.step == 29 && hit.hit.impact.steps == 40 && is_vec2(hit.hit.position, 10, 28));
  EXPECT(HM_OK, hm_world_cast_body(world, 7, (hm_vec2){40, 0}, &hit));
  TRUE(hit.part == tail && hit.body.collider == 0 && hit.body.owner == 3 && hit.hit.collider == ball);
  EXPECT(HM_NONE, hm_world_cast_body(world, 3, (hm_vec2){0, 40}, &hit));
  EXPECT(HM_UNKNOWN_OWNER, hm_world_cast_body(world, 8, (hm_vec2){0, 40}, &hit));
  EXPECT(HM_OK, hm_world_translate_body(world, 7, (hm_vec2){29, 5}));
  EXPECT(HM_OK, hm_world_rect(world, head, &rect));
  TRUE(rect.x0 == 29 && rect.y0 == 5);
  EXPECT(HM_OK, hm_world_rect(world, tail, &rect));
  TRUE(rect.x0 == 39 && rect.y0 == 5);
  EXPECT(HM_UNKNOWN_OWNER, hm_world_translate_body(world, 8, (hm_vec2){29, 5}));
  EXPECT(HM_OK, hm_world_destroy(world));
}

/* Two knights, of which one pixel of the left sword is in the right body. */
static void planes_and_accuracy(void) {
  hm_collider collider = hm_default_collider();
  hm_world *world = a_world(1, &collider.sprite);
  hm_collider_id left, right, corner;
  hm_mask *hook;
  hm_plane_pairs planes;
  hm_contact contact;
  hm_accuracy accuracy;
  EXPECT(HM_OK, hm_world_insert(world, &collider, &left));
  collider.x = 3;
  EXPECT(HM_OK, hm_world_insert(world, &collider, &right));
  EXPECT(HM_OK, hm_world_overlapping_planes(world, (hm_pair){left, right}, &planes));
  TRUE(planes.count == 1 && planes.items[0].a == 1 && planes.items[0].b == 0);
  EXPECT(HM_OK, hm_world_overlapping_planes(world, (hm_pair){right, left}, &planes));
  TRUE(planes.count == 1 && planes.items[0].a == 0 && planes.items[0].b == 1);
  EXPECT(HM_OK, hm_world_overlapping_planes(world, (hm_pair){left, 0}, &planes));
  TRUE(planes.count == 0);

  /* Two pixels inside the box of a hook, outside of its pixels. */
  EXPECT(HM_OK, hm_mask_from_text("#####\n....#\n....#", &hook));
  corner = shown(world, hook, 100, 50);
  left = block(world, 101, 51, 1, 2);
  EXPECT(HM_NONE, hm_world_contact_at(world, (hm_pair){corner, left}, HM_ACCURACY_EXACT, &contact));
  EXPECT(HM_OK, hm_world_contact_at(world, (hm_pair){corner, left}, HM_ACCURACY_BOX, &contact));
  TRUE(contact.rect.x0 == 101 && contact.rect.y0 == 51 && contact.rect.x1 == 102 && contact.rect.y1 == 53);
  EXPECT(HM_OK, hm_world_accuracy(world, &accuracy));
  TRUE(accuracy == HM_ACCURACY_EXACT);
  EXPECT(HM_OK, hm_world_set_accuracy(world, HM_ACCURACY_COARSE));
  EXPECT(HM_OK, hm_world_accuracy(world, &accuracy));
  TRUE(accuracy == HM_ACCURACY_COARSE);
  EXPECT(HM_OK, hm_world_destroy(world));
}

/* With 2 mask pixels per pixel: a wall over the columns 10 to 14 of mask pixels, and a gate from 20 on. */
static void casts_and_pushes(void) {
  hm_world *world = a_world(2, NULL);
  hm_collider_id wall = block(world, 5, 0, 5, 20), gate = block(world, 10, 0, 2, 40), mover;
  hm_mask *probe = solid(3, 1);
  hm_filter filter = hm_default_filter();
  hm_point offset;
  hm_vec2 by;
  hm_hit hit;
  hm_hits hits;
  /* 3 mask pixels right for each one down: the probe meets the wall at (8, 3) and the gate at (18, 6). */
  EXPECT(HM_OK, hm_world_cast_mask(world, probe, (hm_point){0, 4}, (hm_point){30, 10}, NULL, &hit));
  TRUE(hit.collider == wall && is_vec2(hit.position, 0, 0) && is_vec2(hit.point, 5, 3.5f));
  TRUE(hit.impact.step == 8 && hit.impact.steps == 30 && hit.impact.side == HM_SIDE_RIGHT);
  TRUE(is_point(hit.impact.free_offset, 7, 2) && is_point(hit.impact.contact_offset, 8, 3));
  filter.except = wall;
  EXPECT(HM_OK, hm_world_cast_mask(world, probe, (hm_point){0, 4}, (hm_point){30, 10}, &filter, &hit));
  TRUE(hit.collider == gate && is_vec2(hit.point, 10, 5) && is_point(hit.impact.contact_offset, 18, 6));
  EXPECT(HM_NONE, hm_world_cast_mask(world, probe, (hm_point){0, 4}, (hm_point){7, 30}, NULL, &hit));
  EXPECT(HM_OK, hm_world_cast_mask_all(world, probe, (hm_point){0, 4}, (hm_point){30, 10}, NULL, &hits));
  TRUE(hits.count == 2 && hits.items[0].collider == wall && hits.items[1].collider == gate);
  TRUE(is_vec2(hits.items[0].point, 5, 3.5f) && hits.items[1].impact.step == 18);
  EXPECT(HM_OK, hm_world_cast_mask_all(world, probe, (hm_point){0, 4}, (hm_point){30, 10}, &filter, &hits));
  TRUE(hits.count == 1 && hits.items[0].collider == gate);

  /* Out of the wall: 3 mask pixels to the left, or 5 to the right. */
  EXPECT(HM_OK, hm_world_nearest_free_offset(world, probe, (hm_point){10, 4}, 3, NULL, &offset));
  TRUE(is_point(offset, -3, 0));
  EXPECT(HM_NONE, hm_world_nearest_free_offset(world, probe, (hm_point){10, 4}, 2, NULL, &offset));
  EXPECT(HM_OK, hm_world_nearest_free_offset(world, probe, (hm_point){10, 4}, 2, &filter, &offset));
  TRUE(is_point(offset, 0, 0));
  EXPECT(HM_OK, hm_world_nearest_free_offset(world, probe, (hm_point){4, 10}, 2, NULL, &offset));
  TRUE(is_point(offset, 0, 0));
  EXPECT(HM_OK, hm_mask_destroy(probe));

  /* A collider is placed in pixels. */
  mover = block(world, 5, 2, 3, 1);
  EXPECT(HM_OK, hm_world_push_out(world, mover, 1.5f, &by));
  TRUE(is_vec2(by, -1.5f, 0));
  EXPECT(HM_NONE, hm_world_push_out(world, mover, 1, &by));
  EXPECT(HM_OK, hm_world_move_to(world, mover, 0, 2));
  EXPECT(HM_OK, hm_world_cast_all(world, mover, (hm_vec2){15, 5}, NULL, NULL, &hits));
  TRUE(hits.count == 2 && hits.items[0].collider == wall && hits.items[1].collider == gate);
  TRUE(is_vec2(hits.items[0].position, 3.5f, 3) && is_vec2(hits.items[0].point, 5, 3.5f));
  EXPECT(HM_OK, hm_world_move_until_contact(world, mover, (hm_vec2){15, 5}, &hit));
  TRUE(hit.collider == wall && is_vec2(hit.position, 3.5f, 3));
  EXPECT(HM_NONE, hm_world_move_until_contact(world, mover, (hm_vec2){-5, 15}, &hit));
  EXPECT(HM_OK, hm_world_destroy(world));
}

/* The last contact, and the number of the colliders that let a mover through. */
typedef struct {
  hm_collider_id collider;
  uint64_t passable;
  hm_side side;
  hm_vec2 normal;
} contact_seen;

static uint8_t keep(void *user, hm_collider_id collider, uint64_t user_data, hm_side side, hm_vec2 normal) {
  contact_seen *seen = (contact_seen *)user;
  if (user_data == seen->passable) return 0;
  seen->collider = collider;
  seen->side = side;
  seen->normal = normal;
  return 1;
}

/* A mover of 4 x 4 px has a step of 1 px, a curtain and a wall on its right. */
static void moves(void) {
  hm_world *world = a_world(1, NULL);
  hm_collider_id mover = block(world, 0, 0, 4, 4), step = block(world, 10, 3, 5, 9);
  hm_collider_id curtain = block(world, 30, -20, 2, 40), wall = block(world, 50, -20, 3, 40);
  const hm_vec2 motion = {60, 0};
  hm_move_rules flat = hm_default_move_rules();
  contact_seen seen = {0, 5, 9, {0, 0}};
  hm_move_result moved;
  EXPECT(HM_OK, hm_world_set_user_data(world, curtain, 5));
  EXPECT(HM_OK, hm_world_set_user_data(world, wall, 6));
  flat.climb = 0;
  EXPECT(HM_OK, hm_world_move_by_rules_per_contact(world, mover, motion, &flat, keep, &seen, &moved));
  TRUE(is_vec2(moved.position, 6, 0) && moved.contacts.count == 1 && moved.contacts.items[0].collider == step);
  TRUE(seen.collider == step && seen.side == HM_SIDE_RIGHT);
  EXPECT(HM_OK, hm_world_move_to(world, mover, 0, 0));
  EXPECT(HM_OK, hm_world_move_by_rules_per_contact(world, mover, motion, NULL, keep, &seen, &moved));
  TRUE(is_vec2(moved.position, 46, -1) && is_point(moved.translation, 46, -1));
  TRUE(moved.contacts.count == 1 && moved.contacts.items[0].collider == wall);
  TRUE(moved.contacts.items[0].side == HM_SIDE_RIGHT);
  TRUE(seen.collider == wall && seen.side == HM_SIDE_RIGHT && is_vec2(seen.normal, -1, 0));
  EXPECT(HM_OK, hm_world_move_to(world, mover, 0, 0));
  EXPECT(HM_OK, hm_world_move_by_rules_per_contact(world, mover, motion, NULL, NULL, NULL, &moved));
  TRUE(is_vec2(moved.position, 26, -1) && moved.contacts.items[0].collider == curtain);
  EXPECT(HM_STALE_ID, hm_world_move_by_rules_per_contact(world, 99, motion, NULL, keep, &seen, &moved));
  EXPECT(HM_OK, hm_world_destroy(world));
}

static void run_time_masks(void) {
  hm_world *world = a_world(1, NULL);
  const hm_pivot corner = {0, 0};
  const hm_affine same = {1, 0, 0, 1, 0, 0}, stretched = {1, 0, 0, 2, 7, 3};
  hm_mask *steps, *mask = solid(3, 2), *turned = solid(2, 3), *copy;
  hm_collider collider = hm_default_collider();
  hm_collider_id id;
  hm_mask_id first, second;
  hm_rect rect;
  hm_text text;
  EXPECT(HM_OK, hm_mask_from_text("#..\n.##", &steps));
  EXPECT(HM_OK, hm_world_insert_mask(world, mask, NULL, &first));
  EXPECT(HM_OK, hm_world_insert_mask(world, mask, NULL, &second));
  EXPECT(HM_OK, hm_world_replace_mask(world, second, steps));
  EXPECT(HM_OK, hm_world_copy_mask(world, second, &copy));
  EXPECT(HM_OK, hm_mask_text(copy, &text));
  TRUE(strcmp(text.items, "#..\n.##\n") == 0);
  EXPECT(HM_OK, hm_mask_destroy(copy));
  EXPECT(HM_OK, hm_world_copy_mask(world, first, &copy));
  EXPECT(HM_OK, hm_mask_text(copy, &text));
  TRUE(strcmp(text.items, "###\n###\n") == 0);
  EXPECT(HM_OK, hm_mask_destroy(copy));
  EXPECT(HM_BAD_LENGTH, hm_world_replace_mask(world, second, turned));
  TRUE(strstr(hm_last_error(), "2 x 3 px, and the run-time mask 3 x 2 px") != NULL);
  EXPECT(HM_STALE_ID, hm_world_replace_mask(world, 99, steps));

  /* Twice as high, and moved by (7, 3). */
  EXPECT(HM_OK, hm_world_insert_transformed(world, mask, &corner, &same, &collider.mask));
  EXPECT(HM_OK, hm_world_insert(world, &collider, &id));
  EXPECT(HM_OK, hm_world_transform_mask(world, collider.mask, &stretched));
  EXPECT(HM_OK, hm_world_rect(world, id, &rect));
  TRUE(rect.x0 == 7 && rect.y0 == 3 && rect.x1 == 10 && rect.y1 == 7);
  EXPECT(HM_MASK_USE, hm_world_transform_mask(world, first, &stretched));
  EXPECT(HM_OK, hm_mask_destroy(turned));
  EXPECT(HM_OK, hm_mask_destroy(mask));
  EXPECT(HM_OK, hm_mask_destroy(steps));
  EXPECT(HM_OK, hm_world_destroy(world));
}

/* A collider has the id of one that a restore has undone, without its number. */
static void restored_ids(void) {
  hm_world *world = a_world(1, NULL);
  hm_collider_id kept = block(world, 0, 0, 4, 4), undone;
  uint8_t saved[4096];
  size_t size;
  uint64_t data;
  EXPECT(HM_OK, hm_world_set_user_data(world, kept, 7));
  EXPECT(HM_OK, hm_world_snapshot_to(world, saved, sizeof(saved), &size));
  undone = block(world, 9, 0, 4, 4);
  EXPECT(HM_OK, hm_world_set_user_data(world, undone, 8));
  EXPECT(HM_OK, hm_world_restore(world, saved, size));
  TRUE(block(world, 9, 0, 4, 4) == undone);
  EXPECT(HM_OK, hm_world_user_data(world, undone, &data));
  TRUE(data == 0);
  EXPECT(HM_OK, hm_world_user_data(world, kept, &data));
  TRUE(data == 7);
  EXPECT(HM_OK, hm_world_destroy(world));
}

/* The number of a collider is part of the state: of snapshots, of the hash, and of what a pick answers. */
static void restored_numbers(void) {
  hm_world *world = a_world(1, NULL), *other;
  hm_collider_id low = block(world, 0, 0, 4, 4), high = block(world, 0, 0, 4, 4), picked;
  hm_collider same;
  uint8_t saved[4096];
  size_t size;
  uint64_t data, before, after;
  EXPECT(HM_OK, hm_world_set_user_data(world, low, 9));
  EXPECT(HM_OK, hm_world_set_user_data(world, high, 7));
  EXPECT(HM_OK, hm_world_state_hash(world, &before));
  EXPECT(HM_OK, hm_world_snapshot_to(world, saved, sizeof(saved), &size));
  EXPECT(HM_OK, hm_world_set_user_data(world, low, 5));
  EXPECT(HM_OK, hm_world_state_hash(world, &after));
  TRUE(before != after);
  EXPECT(HM_OK, hm_world_restore(world, saved, size));
  EXPECT(HM_OK, hm_world_state_hash(world, &after));
  TRUE(before == after);
  EXPECT(HM_OK, hm_world_user_data(world, low, &data));
  TRUE(data == 9);
  EXPECT(HM_OK, hm_world_pick(world, 1, 1, 0, HM_PICK_BY_USER_DATA, NULL, &picked));
  TRUE(picked == low);
  EXPECT(HM_OK, hm_world_get(world, low, &same));
  EXPECT(HM_OK, hm_world_set(world, low, &same));
  EXPECT(HM_OK, hm_world_user_data(world, low, &data));
  TRUE(data == 9);
  EXPECT(HM_OK, hm_world_clone(world, &other));
  EXPECT(HM_OK, hm_world_set_user_data(world, low, 3));
  EXPECT(HM_OK, hm_world_user_data(other, low, &data));
  TRUE(data == 9);
  EXPECT(HM_OK, hm_world_destroy(other));
  EXPECT(HM_OK, hm_world_destroy(world));
}

/* A game saves to a copy of the world, and loads from it. */
static void rollback(void) {
  hm_world *world = a_world(1, NULL), *saved, *stranger = a_world(2, NULL);
  hm_collider_id mover = block(world, 3, 0, 4, 4), later;
  hm_text text;
  uint64_t hash, again;
  EXPECT(HM_OK, hm_world_update(world));
  EXPECT(HM_OK, hm_world_clone(world, &saved));
  EXPECT(HM_NONE, hm_world_first_difference(world, saved, &text));
  EXPECT(HM_NONE, hm_world_first_difference(world, world, &text));
  EXPECT(HM_OK, hm_world_set_user_data(world, mover, 4));
  EXPECT(HM_OK, hm_world_state_hash(world, &hash));
  EXPECT(HM_OK, hm_world_assign(saved, world));
  EXPECT(HM_OK, hm_world_move_to(world, mover, 3.5f, 0));
  EXPECT(HM_OK, hm_world_first_difference(saved, world, &text));
  TRUE(strcmp(text.items, "collider 0: position.x 3.0 / 3.5") == 0);
  later = block(world, 9, 0, 4, 4);
  EXPECT(HM_OK, hm_world_first_difference(saved, world, &text));
  TRUE(strcmp(text.items, "places of masks 1 / 2") == 0);
  EXPECT(HM_OK, hm_world_set_user_data(world, mover, 8));
  EXPECT(HM_OK, hm_world_assign(world, saved));
  EXPECT(HM_OK, hm_world_assign(world, world));
  EXPECT(HM_OK, hm_world_state_hash(world, &again));
  TRUE(hash == again);
  EXPECT(HM_OK, hm_world_user_data(world, mover, &again));
  TRUE(again == 4);
  EXPECT(HM_STALE_ID, hm_world_user_data(world, later, &again));
  EXPECT(HM_UNKNOWN_ATLAS, hm_world_assign(stranger, world));
  EXPECT(HM_UNKNOWN_ATLAS, hm_world_assign(world, stranger));
  EXPECT(HM_NULL_HANDLE, hm_world_assign(world, NULL));
  EXPECT(HM_NULL_HANDLE, hm_world_first_difference(NULL, world, &text));
  EXPECT(HM_OK, hm_world_state_hash(world, &again));
  TRUE(hash == again);
  EXPECT(HM_OK, hm_world_destroy(stranger));
  EXPECT(HM_OK, hm_world_destroy(saved));
  EXPECT(HM_OK, hm_world_destroy(world));
}

int main(void) {
  restored_ids();
  restored_numbers();
  rollback();
  events_and_bodies();
  planes_and_accuracy();
  casts_and_pushes();
  moves();
  run_time_masks();
  printf("%d checks\n", checks);
  return 0;
}
