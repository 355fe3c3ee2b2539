-- hitmask for LuaJIT and LÖVE: pixel-perfect 2D sprite collisions.
--
--   local hitmask = require("hitmask")
--   local atlas = hitmask.bake({ ship = shipImageData, rock = rockImageData })
--   local world = hitmask.world(atlas)
--   local ship, rock = world:add("ship"), world:add("rock")
--   ship:place(x, y, r, sx, sy, ox, oy) -- what love.graphics.draw(image, ...) gets
--   world:update()                      -- once per tick
--   for a, b in world:began() do local hit = world:contact(a, b) end
--
-- x goes right, y goes down, in pixels; angles are radians, clockwise. A refused call is a Lua error that says how
-- to fix it, and has changed nothing. Pixels of a mask are counted from 0, as in ImageData, and frames from 1. Points
-- and boxes of overlaps and rays are mask pixels: pixels, unless the bake has another resolution.
-- Objects are freed by the garbage collector; `destroy` frees one at once. The tables of colliders belong to the
-- game too: it may add fields. Their own are `world`, `id`, `slot`, `revision`, `terrain`, the numbers from 1 to 10,
-- and the names of methods.

local ffi = require("ffi")

-- A reload of this file keeps the types.
if not pcall(ffi.typeof, "hm_world") then
  -- Written by tools/capi/header from hitmask.h, which describes each function.
  ffi.cdef [[
typedef int32_t hm_status;
typedef struct hm_atlas hm_atlas;
typedef struct hm_world hm_world;
hm_status hm_world_create(const hm_atlas *atlas, hm_world **world);
hm_status hm_world_clone(const hm_world *world, hm_world **copy);
hm_status hm_world_assign(hm_world *world, const hm_world *source);
typedef struct { const char *items; size_t count; } hm_text;
hm_status hm_world_first_difference(hm_world *world, const hm_world *other, hm_text *text);
hm_status hm_world_destroy(hm_world *world);
typedef uint64_t hm_sprite_id;
typedef uint64_t hm_mask_id;
typedef uint8_t hm_accuracy;
typedef struct { uint32_t cookie; uint32_t owner; hm_sprite_id sprite; hm_mask_id mask; uint32_t frame; uint32_t
  plane; float x; float y; float angle; float scale; uint32_t layers; uint32_t collides_with; uint32_t min_overlap;
  uint32_t min_width; uint32_t min_height; uint16_t turn; uint8_t use_turn; uint8_t flip_x; uint8_t flip_y; uint8_t
  fixed; uint8_t sensor; uint8_t enabled; hm_accuracy accuracy; hm_accuracy move_accuracy; uint16_t reserved; }
  hm_collider;
typedef uint64_t hm_collider_id;
hm_status hm_world_insert(hm_world *world, const hm_collider *collider, hm_collider_id *id);
hm_status hm_world_set(hm_world *world, hm_collider_id id, const hm_collider *collider);
hm_status hm_world_get(const hm_world *world, hm_collider_id id, hm_collider *collider);
hm_status hm_world_remove(hm_world *world, hm_collider_id id);
hm_status hm_world_remove_all(hm_world *world, const hm_collider_id *ids, size_t count, size_t *removed);
hm_status hm_world_move_to(hm_world *world, hm_collider_id id, float x, float y);
hm_status hm_world_turn_to(hm_world *world, hm_collider_id id, float angle);
hm_status hm_world_place(hm_world *world, hm_collider_id id, float x, float y, float angle, float scale);
typedef struct { float x; float y; float angle; } hm_placement;
hm_status hm_world_set_placements(hm_world *world, const hm_collider_id *ids, const hm_placement *placements, size_t
  count);
typedef struct { float x; float y; uint16_t turn; uint16_t reserved; } hm_placement_turn;
hm_status hm_world_set_placements_turn(hm_world *world, const hm_collider_id *ids, const hm_placement_turn
  *placements, size_t count);
hm_status hm_world_count(const hm_world *world, size_t *count);
typedef struct { const hm_collider_id *items; size_t count; } hm_colliders;
hm_status hm_world_ids(hm_world *world, hm_colliders *ids);
typedef struct { int32_t x0; int32_t y0; int32_t x1; int32_t y1; } hm_rect;
hm_status hm_world_rect(const hm_world *world, hm_collider_id id, hm_rect *rect);
typedef struct hm_mask hm_mask;
typedef struct { int32_t x; int32_t y; } hm_point;
hm_status hm_world_posed_mask(const hm_world *world, hm_collider_id id, hm_mask **mask, hm_point *origin);
hm_status hm_world_set_accuracy(hm_world *world, hm_accuracy accuracy);
hm_status hm_world_accuracy(const hm_world *world, hm_accuracy *accuracy);
hm_status hm_world_set_scale_policy(hm_world *world, float factor);
hm_status hm_world_scale_policy(const hm_world *world, float *factor);
hm_status hm_world_set_user_data(hm_world *world, hm_collider_id id, uint64_t data);
hm_status hm_world_user_data(const hm_world *world, hm_collider_id id, uint64_t *data);
hm_collider hm_default_collider(void);
typedef struct { hm_collider_id except; uint32_t layers; uint8_t sensors; hm_accuracy accuracy; uint16_t reserved; }
  hm_filter;
hm_filter hm_default_filter(void);
hm_status hm_world_update(hm_world *world);
typedef struct { hm_collider_id a; hm_collider_id b; } hm_pair;
typedef uint8_t (*hm_keep_pair)(void *user, hm_pair pair, uint64_t user_data_a, uint64_t user_data_b);
hm_status hm_world_update_with(hm_world *world, hm_keep_pair keep, void *user);
typedef uint32_t hm_side;
typedef struct { float x; float y; } hm_vec2;
typedef uint8_t (*hm_keep_touch)(void *user, hm_pair pair, uint64_t user_data_a, uint64_t user_data_b, hm_side side,
  hm_vec2 normal);
hm_status hm_world_update_with_contacts(hm_world *world, hm_keep_touch keep, void *user);
hm_status hm_world_is_updated(const hm_world *world, bool *is_updated);
typedef struct { const hm_pair *items; size_t count; } hm_pairs;
hm_status hm_world_touching(const hm_world *world, hm_pairs *pairs);
hm_status hm_world_began(const hm_world *world, hm_pairs *pairs);
hm_status hm_world_ended(const hm_world *world, hm_pairs *pairs);
hm_status hm_world_stayed(hm_world *world, hm_pairs *pairs);
typedef struct { uint64_t area; hm_rect rect; hm_point point; } hm_contact;
hm_status hm_world_contact(const hm_world *world, hm_pair pair, hm_contact *contact);
hm_status hm_world_contact_at(const hm_world *world, hm_pair pair, hm_accuracy accuracy, hm_contact *contact);
typedef struct { hm_contact contact; hm_vec2 centroid; hm_vec2 normal; hm_point push_out; float depth; hm_side side; }
  hm_overlap;
hm_status hm_world_overlap(const hm_world *world, hm_pair pair, hm_overlap *overlap);
typedef struct { uint32_t a; uint32_t b; } hm_plane_pair;
typedef struct { const hm_plane_pair *items; size_t count; } hm_plane_pairs;
hm_status hm_world_overlapping_planes(hm_world *world, hm_pair pair, hm_plane_pairs *planes);
hm_status hm_world_explain(hm_world *world, hm_pair pair, hm_text *text);
hm_status hm_world_touching_with(hm_world *world, hm_collider_id id, hm_colliders *found);
hm_status hm_world_touching_between(hm_world *world, const hm_collider_id *group, size_t group_count, const
  hm_collider_id *others, size_t others_count, hm_pairs *pairs);
hm_status hm_world_distance(const hm_world *world, hm_collider_id a, hm_collider_id b, double *distance);
hm_status hm_world_push_out(const hm_world *world, hm_collider_id id, float radius, hm_vec2 *translation);
hm_status hm_world_query_point(hm_world *world, float x, float y, const hm_filter *filter, hm_colliders *found);
hm_status hm_world_query_rect(hm_world *world, hm_rect rect, const hm_filter *filter, hm_colliders *found);
hm_status hm_world_query_circle(hm_world *world, float x, float y, float radius, const hm_filter *filter, hm_colliders
  *found);
hm_status hm_world_query_ellipse(hm_world *world, float x, float y, float radius_x, float radius_y, const hm_filter
  *filter, hm_colliders *found);
hm_status hm_world_query_line(hm_world *world, hm_vec2 from, hm_vec2 to, const hm_filter *filter, hm_colliders
  *found);
hm_status hm_world_query_mask(hm_world *world, const hm_mask *mask, hm_point at, const hm_filter *filter, hm_colliders
  *found);
typedef struct { hm_collider_id collider; hm_point point; uint32_t step; uint32_t steps; hm_vec2 normal; }
  hm_line_hit;
hm_status hm_world_ray(const hm_world *world, hm_vec2 from, hm_vec2 to, const hm_filter *filter, hm_line_hit *hit);
typedef struct { const hm_line_hit *items; size_t count; } hm_line_hits;
hm_status hm_world_ray_all(hm_world *world, hm_vec2 from, hm_vec2 to, const hm_filter *filter, hm_line_hits *hits);
typedef uint32_t hm_pick_order;
hm_status hm_world_pick(const hm_world *world, float x, float y, float radius, hm_pick_order order, const hm_filter
  *filter, hm_collider_id *collider);
typedef struct { hm_collider_id collider; double distance; } hm_nearest;
hm_status hm_world_nearest(const hm_world *world, float x, float y, float within, const hm_filter *filter, hm_nearest
  *nearest);
hm_status hm_world_nearest_to(const hm_world *world, hm_collider_id id, float within, const hm_filter *filter,
  hm_nearest *nearest);
typedef uint32_t hm_graze;
typedef struct { hm_collider_id collider; hm_graze graze; uint32_t reserved; } hm_grazed;
typedef struct { const hm_grazed *items; size_t count; } hm_grazes;
hm_status hm_world_graze(hm_world *world, hm_collider_id id, float radius, const hm_filter *filter, hm_grazes *found);
hm_status hm_world_nearest_free_offset(const hm_world *world, const hm_mask *mask, hm_point at, uint32_t radius, const
  hm_filter *filter, hm_point *offset);
typedef struct { uint32_t climb; uint32_t slip; uint32_t one_way; uint32_t rise; } hm_move_rules;
hm_move_rules hm_default_move_rules(void);
typedef uint8_t (*hm_keep_collider)(void *user, hm_collider_id collider, uint64_t user_data);
typedef struct { uint32_t step; uint32_t steps; hm_point free_offset; hm_point contact_offset; hm_vec2 normal; float
  time; hm_side side; } hm_impact;
typedef struct { hm_collider_id collider; hm_vec2 position; hm_vec2 point; hm_impact impact; } hm_hit;
hm_status hm_world_cast(const hm_world *world, hm_collider_id id, hm_vec2 motion, hm_keep_collider keep, void *user,
  hm_hit *hit);
typedef struct { const hm_hit *items; size_t count; } hm_hits;
hm_status hm_world_cast_all(hm_world *world, hm_collider_id id, hm_vec2 motion, hm_keep_collider keep, void *user,
  hm_hits *hits);
hm_status hm_world_cast_mask(const hm_world *world, const hm_mask *mask, hm_point at, hm_point motion, const hm_filter
  *filter, hm_hit *hit);
hm_status hm_world_cast_mask_all(hm_world *world, const hm_mask *mask, hm_point at, hm_point motion, const hm_filter
  *filter, hm_hits *hits);
hm_status hm_world_move_until_contact(hm_world *world, hm_collider_id id, hm_vec2 motion, hm_hit *hit);
typedef struct { hm_vec2 position; hm_point translation; uint32_t contacts; uint32_t passed; uint32_t stuck_in; }
  hm_moved;
typedef struct { hm_collider_id collider; hm_side side; uint32_t reserved; } hm_blocked;
typedef struct { const hm_blocked *items; size_t count; } hm_blocked_list;
typedef struct { const hm_moved *items; size_t count; hm_blocked_list contacts; hm_colliders passed; hm_colliders
  stuck_in; } hm_moves;
hm_status hm_world_move_all(hm_world *world, const hm_collider_id *ids, const hm_vec2 *motions, size_t count, const
  hm_move_rules *rules, hm_moves *moves);
typedef struct { hm_vec2 position; hm_point translation; hm_blocked_list contacts; hm_colliders passed; hm_colliders
  stuck_in; } hm_move_result;
hm_status hm_world_move_and_slide(hm_world *world, hm_collider_id id, hm_vec2 motion, hm_move_result *result);
hm_status hm_world_move_by_rules(hm_world *world, hm_collider_id id, hm_vec2 motion, const hm_move_rules *rules,
  hm_keep_collider keep, void *user, hm_move_result *result);
typedef uint8_t (*hm_keep_contact)(void *user, hm_collider_id collider, uint64_t user_data, hm_side side, hm_vec2
  normal);
hm_status hm_world_move_by_rules_per_contact(hm_world *world, hm_collider_id id, hm_vec2 motion, const hm_move_rules
  *rules, hm_keep_contact keep, void *user, hm_move_result *result);
hm_status hm_world_insert_all(hm_world *world, const hm_collider *colliders, size_t count, hm_colliders *ids);
typedef struct { const hm_placement *items; size_t count; } hm_placements;
hm_status hm_world_placements(hm_world *world, const hm_collider_id *ids, size_t count, hm_placements *placements);
hm_status hm_world_rays(hm_world *world, const hm_vec2 *ends, size_t count, const hm_filter *filter, hm_line_hits
  *hits);
hm_status hm_world_picks(hm_world *world, const hm_vec2 *points, size_t count, float radius, hm_pick_order order,
  const hm_filter *filter, hm_colliders *colliders);
hm_status hm_world_casts(hm_world *world, const hm_collider_id *ids, const hm_vec2 *motions, size_t count, hm_hits
  *hits);
hm_status hm_world_draw_ahead(hm_world *world, const hm_collider *colliders, size_t count, uint64_t max_microseconds,
  uint64_t max_bytes, size_t *drawn);
hm_status hm_world_parts_of(hm_world *world, uint32_t owner, hm_colliders *parts);
typedef struct { hm_collider_id collider; uint32_t owner; uint32_t reserved; } hm_body;
typedef struct { hm_body a; hm_body b; hm_collider_id part_a; hm_collider_id part_b; } hm_body_pair;
typedef struct { const hm_body_pair *items; size_t count; } hm_body_pairs;
hm_status hm_world_touching_bodies(hm_world *world, hm_body_pairs *pairs);
hm_status hm_world_began_bodies(hm_world *world, hm_body_pairs *pairs);
hm_status hm_world_ended_bodies(hm_world *world, hm_body_pairs *pairs);
typedef struct { hm_collider_id part; hm_body body; hm_hit hit; } hm_body_hit;
hm_status hm_world_cast_body(const hm_world *world, uint32_t owner, hm_vec2 motion, hm_body_hit *hit);
hm_status hm_world_move_body(hm_world *world, uint32_t owner, hm_vec2 motion, hm_body_hit *hit);
hm_status hm_world_translate_body(hm_world *world, uint32_t owner, hm_vec2 motion);
typedef struct { int32_t x2; int32_t y2; } hm_pivot;
hm_status hm_world_insert_mask(hm_world *world, const hm_mask *mask, const hm_pivot *pivot, hm_mask_id *id);
typedef struct { double a; double b; double c; double d; double tx; double ty; } hm_affine;
hm_affine hm_affine_placed(hm_vec2 at, hm_vec2 registration, float angle, float scale);
hm_affine hm_affine_then(hm_affine first, hm_affine second);
hm_status hm_world_insert_transformed(hm_world *world, const hm_mask *source, const hm_pivot *pivot, const hm_affine
  *transform, hm_mask_id *id);
hm_status hm_world_transform_mask(hm_world *world, hm_mask_id id, const hm_affine *transform);
hm_status hm_world_redraw_mask(hm_world *world, hm_mask_id id, const hm_mask *source, const hm_pivot *pivot);
hm_status hm_world_fill_rect(hm_world *world, hm_mask_id id, hm_rect rect, uint8_t solid);
hm_status hm_world_fill_disc(hm_world *world, hm_mask_id id, hm_point center, uint32_t radius, uint8_t solid);
typedef uint32_t hm_blit;
hm_status hm_world_blit(hm_world *world, hm_mask_id id, const hm_mask *mask, hm_point at, hm_blit operation);
hm_status hm_world_replace_mask(hm_world *world, hm_mask_id id, const hm_mask *mask);
hm_status hm_world_copy_mask(const hm_world *world, hm_mask_id id, hm_mask **mask);
hm_status hm_world_remove_mask(hm_world *world, hm_mask_id id);
typedef struct { const uint8_t *items; size_t count; } hm_bytes;
hm_status hm_world_snapshot(hm_world *world, hm_bytes *bytes);
hm_status hm_world_snapshot_to(hm_world *world, uint8_t *buffer, size_t capacity, size_t *size);
hm_status hm_world_restore(hm_world *world, const uint8_t *bytes, size_t count);
hm_status hm_world_from_snapshot(const hm_atlas *atlas, const uint8_t *bytes, size_t count, hm_world **world);
hm_status hm_world_state_hash(const hm_world *world, uint64_t *hash);
hm_status hm_world_validate(const hm_world *world);
typedef struct { uint64_t max_bytes; uint64_t max_poses; uint64_t max_samples; } hm_atlas_limits;
hm_atlas_limits hm_default_atlas_limits(void);
hm_status hm_atlas_open(const char *path, const hm_atlas_limits *limits, hm_atlas **atlas);
hm_status hm_atlas_from_bytes(const uint8_t *bytes, size_t count, const hm_atlas_limits *limits, hm_atlas **atlas);
hm_status hm_atlas_from_static(const uint8_t *bytes, size_t count, const hm_atlas_limits *limits, hm_atlas **atlas);
hm_status hm_atlas_destroy(hm_atlas *atlas);
hm_status hm_atlas_verify(const hm_atlas *atlas);
hm_status hm_atlas_sprite_count(const hm_atlas *atlas, uint32_t *count);
hm_status hm_atlas_pose_count(const hm_atlas *atlas, uint32_t *count);
hm_status hm_atlas_resolution(const hm_atlas *atlas, float *resolution);
hm_status hm_atlas_bytes(const hm_atlas *atlas, hm_bytes *bytes);
typedef struct { const char *key; const char *value; } hm_property;
typedef struct { const hm_property *items; size_t count; } hm_properties;
typedef struct { const char *id; const char *name; const char *class_name; hm_properties properties; hm_vec2 position;
  hm_vec2 size; hm_collider_id collider; } hm_map_item;
typedef struct { const hm_map_item *items; size_t count; } hm_map_items;
typedef struct { const char *name; hm_vec2 size; hm_properties properties; hm_map_items items; } hm_map;
hm_status hm_atlas_map(const hm_atlas *atlas, const char *name, hm_map *map);
hm_status hm_atlas_sprite(const hm_atlas *atlas, const char *name, hm_sprite_id *sprite);
hm_status hm_atlas_alike(const hm_atlas *atlas, hm_sprite_id sprite, const char *name, const char **other);
hm_status hm_atlas_sprite_at(const hm_atlas *atlas, uint32_t index, hm_sprite_id *sprite);
typedef struct { hm_sprite_id id; const char *name; uint32_t frames; uint32_t planes; uint32_t angles; uint32_t
  scales; uint64_t mask_bytes; } hm_sprite;
hm_status hm_atlas_sprite_info(const hm_atlas *atlas, hm_sprite_id sprite, hm_sprite *info);
typedef struct { const float *items; size_t count; } hm_floats;
hm_status hm_atlas_scales(const hm_atlas *atlas, hm_sprite_id sprite, hm_floats *scales);
hm_status hm_atlas_plane(const hm_atlas *atlas, hm_sprite_id sprite, const char *name, uint32_t *plane);
hm_status hm_atlas_plane_name(const hm_atlas *atlas, hm_sprite_id sprite, uint32_t plane, const char **name);
typedef uint8_t hm_alpha_test;
typedef uint8_t hm_channel;
typedef struct { uint8_t from[4]; uint8_t to[4]; } hm_color_range;
typedef struct { uint32_t cookie; uint8_t alpha; hm_alpha_test alpha_test; hm_channel channel; uint8_t reserved; const
  hm_color_range *exclude; size_t exclude_count; const hm_color_range *only; size_t only_count; } hm_texel_rule;
hm_status hm_atlas_alpha_rule(const hm_atlas *atlas, hm_sprite_id sprite, hm_texel_rule *rule);
hm_status hm_atlas_plane_threshold(const hm_atlas *atlas, hm_sprite_id sprite, uint32_t plane, uint8_t *threshold);
hm_status hm_atlas_plane_for_threshold(const hm_atlas *atlas, hm_sprite_id sprite, uint8_t threshold, uint32_t
  *plane);
hm_status hm_atlas_plane_for_fade(const hm_atlas *atlas, hm_sprite_id sprite, uint8_t threshold, float fade, uint32_t
  *plane);
typedef struct { uint32_t width; uint32_t height; } hm_size;
hm_status hm_atlas_frame_size(const hm_atlas *atlas, hm_sprite_id sprite, uint32_t frame, hm_size *size);
hm_status hm_atlas_pivot(const hm_atlas *atlas, hm_sprite_id sprite, uint32_t frame, hm_point *pivot);
hm_status hm_atlas_posed_mask(const hm_atlas *atlas, hm_sprite_id sprite, uint32_t frame, uint32_t plane, float angle,
  float scale, uint8_t flip_x, uint8_t flip_y, hm_mask **mask, hm_point *origin);
typedef uint32_t hm_atlas_id;
hm_status hm_atlas_get_id(const hm_atlas *atlas, hm_atlas_id *id);
hm_status hm_atlas_labelled(const hm_atlas *atlas, uint32_t label, hm_atlas **labelled);
hm_status hm_atlas_is_drawn(const hm_atlas *atlas, bool *is_drawn);
hm_status hm_atlas_drawn(const hm_atlas *atlas, hm_atlas **drawn);
hm_status hm_world_add_atlas(hm_world *world, const hm_atlas *atlas, hm_atlas_id *id);
hm_status hm_world_drop_atlas(hm_world *world, hm_atlas_id atlas);
hm_status hm_world_drop_atlas_and_colliders(hm_world *world, hm_atlas_id atlas, hm_colliders *removed);
typedef struct { hm_colliders outdated; hm_atlas_id atlas; uint32_t changes; } hm_reload_report;
hm_status hm_world_replace_atlas(hm_world *world, hm_atlas_id old, const hm_atlas *atlas, hm_reload_report *report);
typedef struct { const uint32_t *items; size_t count; } hm_numbers;
typedef uint32_t hm_sprite_change_kind;
typedef struct { const char *sprite; const char *lost_planes; hm_numbers resized; hm_sprite_change_kind kind; uint32_t
  frames_before; uint32_t frames; uint32_t reserved; } hm_sprite_change;
hm_status hm_world_sprite_change(const hm_world *world, uint32_t index, hm_sprite_change *change);
typedef struct { const hm_atlas_id *items; size_t count; } hm_atlas_ids;
hm_status hm_world_atlases(hm_world *world, hm_atlas_ids *ids);
hm_status hm_world_atlas(const hm_world *world, hm_atlas_id id, hm_atlas **atlas);
hm_status hm_world_atlas_of_sprite(const hm_world *world, hm_sprite_id sprite, hm_atlas_id *atlas, hm_sprite_id
  *newest);
hm_status hm_world_from_snapshot_over(const hm_atlas *const *atlases, size_t atlas_count, const uint8_t *bytes, size_t
  count, hm_world **world);
hm_status hm_world_set_pose_budget(hm_world *world, uint64_t bytes);
hm_status hm_world_pose_budget(const hm_world *world, uint64_t *bytes);
typedef struct { uint64_t poses; uint64_t bytes; uint64_t draws; } hm_pose_stats;
hm_status hm_world_pose_stats(const hm_world *world, hm_pose_stats *stats);
typedef struct hm_placed_map hm_placed_map;
hm_status hm_world_insert_map(hm_world *world, const char *name, hm_vec2 at, hm_map *map, hm_placed_map **placed);
typedef struct { hm_map map; hm_numbers inserted; hm_map_items removed; hm_numbers changed; hm_numbers kept; }
  hm_map_report;
hm_status hm_world_update_map(hm_world *world, hm_placed_map *placed, hm_map_report *report);
hm_status hm_placed_map_destroy(hm_placed_map *placed);
typedef uint32_t hm_sampling;
typedef struct { uint32_t cookie; uint32_t angles; const float *scales; size_t scale_count; float max_error;
  hm_sampling sampling; hm_pivot pivot; uint8_t use_pivot; uint8_t alpha; uint8_t motion_frame; uint8_t reserved;
  const hm_texel_rule *rule; const uint8_t *thresholds; size_t threshold_count; } hm_bake_settings;
hm_bake_settings hm_default_bake_settings(void);
typedef struct hm_baker hm_baker;
hm_status hm_baker_create(hm_baker **baker);
hm_status hm_baker_destroy(hm_baker *baker);
hm_status hm_baker_set_settings(hm_baker *baker, const hm_bake_settings *settings);
hm_status hm_baker_set_resolution(hm_baker *baker, float resolution);
hm_status hm_baker_set_max_bytes(hm_baker *baker, uint64_t bytes);
hm_status hm_baker_set_compact(hm_baker *baker, uint8_t compact);
hm_status hm_baker_add_rgba(hm_baker *baker, const char *name, uint32_t width, uint32_t height, uint32_t frames, const
  uint8_t *rgba, size_t count, const hm_bake_settings *settings);
hm_status hm_baker_add_masks(hm_baker *baker, const char *name, const hm_mask *const *masks, size_t count, const
  hm_bake_settings *settings);
hm_status hm_baker_add_planes(hm_baker *baker, const char *name, const char *const *planes, size_t plane_count, const
  hm_mask *const *masks, size_t frames, const hm_bake_settings *settings);
hm_status hm_baker_bake(hm_baker *baker, hm_bytes *bytes);
hm_status hm_baker_bake_atlas(hm_baker *baker, hm_atlas **atlas);
hm_texel_rule hm_default_texel_rule(void);
hm_status hm_mask_from_rgba_by_rule(uint32_t width, uint32_t height, const uint8_t *rgba, size_t count, const
  hm_texel_rule *rule, hm_mask **mask);
uint8_t hm_alpha_tolerance(float tolerance);
hm_status hm_mask_create(uint32_t width, uint32_t height, hm_mask **mask);
hm_status hm_mask_solid(uint32_t width, uint32_t height, hm_mask **mask);
hm_status hm_mask_disc(uint32_t radius, hm_mask **mask);
hm_status hm_mask_from_text(const char *rows, hm_mask **mask);
hm_status hm_mask_from_rgba(uint32_t width, uint32_t height, const uint8_t *rgba, size_t count, uint8_t alpha, hm_mask
  **mask);
hm_status hm_mask_from_alpha(uint32_t width, uint32_t height, const uint8_t *bytes, size_t count, uint8_t alpha,
  hm_mask **mask);
hm_status hm_mask_from_bits(uint32_t width, uint32_t height, const uint8_t *bits, size_t count, hm_mask **mask);
hm_status hm_mask_clone(const hm_mask *mask, hm_mask **copy);
hm_status hm_mask_destroy(hm_mask *mask);
hm_status hm_mask_size(const hm_mask *mask, hm_size *size);
hm_status hm_mask_get(const hm_mask *mask, int32_t x, int32_t y, bool *is_set);
hm_status hm_mask_count(const hm_mask *mask, uint64_t *count);
hm_status hm_mask_bounds(const hm_mask *mask, hm_rect *rect);
hm_status hm_mask_centroid(const hm_mask *mask, hm_vec2 *centroid);
typedef struct { const hm_point *items; size_t count; } hm_points;
hm_status hm_mask_outline(hm_mask *mask, hm_points *points);
typedef struct { const hm_rect *items; size_t count; } hm_rects;
hm_status hm_mask_rects(hm_mask *mask, hm_rects *rects);
hm_status hm_mask_bits(hm_mask *mask, hm_bytes *bits);
hm_status hm_mask_alpha(hm_mask *mask, hm_bytes *bytes);
hm_status hm_mask_text(hm_mask *mask, hm_text *rows);
hm_status hm_mask_set(hm_mask *mask, int32_t x, int32_t y, uint8_t solid);
hm_status hm_mask_fill(hm_mask *mask);
hm_status hm_mask_clear(hm_mask *mask);
hm_status hm_mask_invert(hm_mask *mask);
hm_status hm_mask_fill_rect(hm_mask *mask, hm_rect rect, uint8_t solid);
hm_status hm_mask_blit(hm_mask *mask, const hm_mask *other, hm_point at, hm_blit operation);
hm_status hm_mask_cropped(const hm_mask *mask, hm_rect rect, hm_mask **cropped);
hm_status hm_mask_scaled(const hm_mask *mask, uint32_t width, uint32_t height, hm_mask **scaled);
hm_status hm_mask_flipped_x(const hm_mask *mask, hm_mask **flipped);
hm_status hm_mask_flipped_y(const hm_mask *mask, hm_mask **flipped);
hm_status hm_mask_quarter_turned(const hm_mask *mask, hm_mask **turned);
typedef uint32_t hm_grow_shape;
hm_status hm_mask_grown(const hm_mask *mask, uint32_t radius, hm_grow_shape shape, hm_mask **grown);
hm_status hm_mask_shrunk(const hm_mask *mask, uint32_t radius, hm_grow_shape shape, hm_mask **shrunk);
hm_status hm_mask_touches(const hm_mask *mask, const hm_mask *other, hm_point at, bool *touches);
hm_status hm_mask_overlap_area(const hm_mask *mask, const hm_mask *other, hm_point at, uint64_t *area);
hm_status hm_mask_overlap_rect(const hm_mask *mask, const hm_mask *other, hm_point at, hm_rect *rect);
hm_status hm_mask_contact(const hm_mask *mask, const hm_mask *other, hm_point at, hm_contact *contact);
hm_status hm_mask_overlap_mask(const hm_mask *mask, const hm_mask *other, hm_point at, hm_mask **overlap);
hm_status hm_mask_push_out(const hm_mask *mask, const hm_mask *other, hm_point at, hm_point *translation);
hm_status hm_mask_nearest(const hm_mask *mask, const hm_mask *other, hm_point at, hm_point *translation);
hm_status hm_mask_distance(const hm_mask *mask, const hm_mask *other, hm_point at, double *distance);
hm_status hm_mask_cast(const hm_mask *mask, const hm_mask *other, hm_point at, hm_point motion, hm_impact *impact);
hm_status hm_mask_graze(const hm_mask *mask, const hm_mask *other, hm_point at, uint32_t radius, hm_graze *graze);
hm_status hm_mask_from_polygons(const hm_vec2 *corners, size_t corner_count, const uint32_t *starts, size_t
  polygon_count, hm_mask **mask, hm_point *origin);
hm_status hm_mask_from_ellipse(hm_vec2 center, float radius_x, float radius_y, hm_mask **mask, hm_point *origin);
hm_status hm_mask_from_line(hm_vec2 from, hm_vec2 to, hm_mask **mask, hm_point *origin);
hm_status hm_mask_union(const hm_mask *const *masks, const hm_point *positions, size_t count, hm_mask **mask, hm_point
  *origin);
hm_status hm_mask_trimmed(const hm_mask *mask, hm_mask **trimmed, hm_point *origin);
hm_status hm_mask_transformed(const hm_mask *mask, const hm_pivot *pivot, const hm_affine *transform, hm_mask
  **transformed, hm_point *origin);
hm_status hm_mask_convolve(const hm_mask *mask, const hm_mask *other, hm_mask **offsets);
hm_status hm_mask_angle(const hm_mask *mask, float *angle);
typedef uint32_t hm_connectivity;
typedef struct { uint64_t area; hm_rect rect; } hm_component;
typedef struct { const hm_component *items; size_t count; } hm_components;
hm_status hm_mask_components(hm_mask *mask, hm_connectivity connectivity, hm_components *components);
hm_status hm_mask_component(const hm_mask *mask, size_t index, hm_mask **component);
typedef struct { const hm_point *points; const uint32_t *starts; size_t count; } hm_polygons;
hm_status hm_mask_polygons(hm_mask *mask, hm_connectivity connectivity, hm_polygons *polygons);
hm_status hm_mask_convex_hull(hm_mask *mask, hm_points *points);
hm_status hm_mask_ray(const hm_mask *mask, hm_point at, hm_vec2 from, hm_vec2 to, hm_line_hit *hit);
hm_status hm_mask_overlap_at_least(const hm_mask *mask, uint32_t pixels, const hm_mask *other, hm_point at, bool
  *overlaps);
typedef uint32_t hm_scan_order;
hm_status hm_mask_first_overlap(const hm_mask *mask, hm_scan_order order, const hm_mask *other, hm_point at, hm_point
  *point);
hm_status hm_mask_push_along(const hm_mask *mask, const hm_mask *other, hm_point at, hm_point direction, hm_point
  *translation);
hm_status hm_mask_overlap(const hm_mask *mask, const hm_mask *other, hm_point at, hm_overlap *overlap);
typedef uint32_t hm_fit;
typedef struct { uint32_t cookie; float max_error; hm_fit fit; uint32_t min_area; uint32_t max_corners; float
  min_width; float scale; uint8_t y_up; uint8_t reserved[3]; hm_vec2 origin; } hm_shape_options;
hm_shape_options hm_default_shape_options(void);
typedef struct hm_shape hm_shape;
hm_status hm_mask_shape(const hm_mask *mask, const hm_shape_options *options, hm_shape **shape);
hm_status hm_atlas_shape(const hm_atlas *atlas, hm_sprite_id sprite, uint32_t frame, uint32_t plane, const
  hm_shape_options *options, hm_shape **shape);
hm_status hm_world_mask_shape(const hm_world *world, hm_mask_id id, const hm_shape_options *options, hm_shape
  **shape);
hm_status hm_shape_destroy(hm_shape *shape);
typedef struct { double area; double centroid_x; double centroid_y; double inertia; } hm_mass;
hm_status hm_shape_mass(const hm_shape *shape, hm_mass *mass);
hm_status hm_shape_left_out(const hm_shape *shape, uint32_t *islands, uint32_t *holes);
typedef struct { const hm_vec2 *points; const uint32_t *starts; size_t count; } hm_paths;
hm_status hm_shape_rings(hm_shape *shape, hm_paths *rings, hm_numbers *borders);
typedef struct { double area; uint32_t count; uint32_t reserved; } hm_thin_pieces;
hm_status hm_shape_pieces(hm_shape *shape, hm_paths *pieces, hm_thin_pieces *thin);
typedef struct hm_shape_grid hm_shape_grid;
hm_status hm_shape_grid_create(const hm_mask *mask, uint32_t side, const hm_shape_options *options, hm_shape_grid
  **grid);
hm_status hm_world_shape_grid(const hm_world *world, hm_mask_id id, uint32_t side, const hm_shape_options *options,
  hm_shape_grid **grid);
hm_status hm_shape_grid_destroy(hm_shape_grid *grid);
hm_status hm_shape_grid_update(hm_shape_grid *grid, const hm_mask *mask, hm_rect rect, hm_numbers *changed);
hm_status hm_world_update_shape_grid(const hm_world *world, hm_mask_id id, hm_shape_grid *grid, hm_rect rect,
  hm_numbers *changed);
hm_status hm_shape_grid_count(const hm_shape_grid *grid, uint32_t *count);
typedef struct { hm_rect rect; uint32_t version; uint32_t islands_left_out; uint32_t holes_left_out; } hm_shape_cell;
hm_status hm_shape_grid_cell(const hm_shape_grid *grid, uint32_t id, hm_shape_cell *cell);
hm_status hm_shape_grid_rings(hm_shape_grid *grid, uint32_t id, hm_paths *rings, hm_numbers *borders);
hm_status hm_shape_grid_pieces(hm_shape_grid *grid, uint32_t id, hm_paths *pieces, hm_thin_pieces *thin);
hm_status hm_shape_grid_chains(hm_shape_grid *grid, uint32_t id, hm_paths *chains, hm_bytes *closed);
typedef uint8_t hm_certainty;
typedef uint64_t hm_pose_id;
hm_status hm_atlas_pose(const hm_atlas *atlas, hm_sprite_id sprite, uint32_t frame, uint32_t plane, float angle, float
  scale, uint8_t flip_x, uint8_t flip_y, hm_pose_id *pose, hm_point *origin);
typedef struct hm_batch hm_batch;
hm_status hm_batch_create(const hm_atlas *atlas, hm_batch **batch);
hm_status hm_batch_destroy(hm_batch *batch);
typedef struct { hm_pose_id a; hm_pose_id b; hm_point at; } hm_pose_pair;
hm_status hm_batch_touches(hm_batch *batch, const hm_pose_pair *pairs, size_t count, hm_bytes *answers);
hm_status hm_batch_overlap_at_least(hm_batch *batch, uint32_t pixels, const hm_pose_pair *pairs, size_t count,
  hm_bytes *answers);
hm_status hm_batch_coarse(hm_batch *batch, const hm_pose_pair *pairs, size_t count, hm_bytes *answers);
typedef struct { const uint64_t *items; size_t count; } hm_areas;
hm_status hm_batch_overlap_area(hm_batch *batch, const hm_pose_pair *pairs, size_t count, hm_areas *areas);
typedef struct { const hm_contact *items; size_t count; } hm_contacts;
hm_status hm_batch_contact(hm_batch *batch, const hm_pose_pair *pairs, size_t count, hm_contacts *contacts);
uint32_t hm_abi_version(void);
const char *hm_version(void);
const char *hm_status_text(int32_t status);
const char *hm_last_error(void);
typedef uint32_t hm_log_level;
typedef void (*hm_log_callback)(void *user, hm_log_level level, const char *message);
hm_status hm_set_log(hm_log_callback callback, void *user);
enum { HM_OK = 0, HM_NONE = 1, HM_NULL_POINTER = 2, HM_BAD_POINTER = 3, HM_BAD_LENGTH = 4, HM_BUFFER_TOO_SMALL = 5,
  HM_BAD_TEXT = 6, HM_NULL_HANDLE = 7, HM_BAD_HANDLE = 8, HM_STALE_HANDLE = 9, HM_WRONG_HANDLE = 10, HM_BUSY = 11,
  HM_PANIC = 12, HM_POISONED = 13, HM_UNINITIALISED = 14, HM_BAD_VALUE = 15, HM_BAD_NUMBER = 16, HM_STALE_ID = 17,
  HM_UNKNOWN_SPRITE = 18, HM_UNBAKED_SCALE = 19, HM_UNKNOWN_OWNER = 20, HM_MASK_USE = 21, HM_FULL = 22, HM_IO = 23,
  HM_NOT_AN_ATLAS = 24, HM_DAMAGED = 25, HM_OVER_LIMIT = 26, HM_NOT_A_SNAPSHOT = 27, HM_BAD_MASK = 28, HM_BAKE = 29,
  HM_INVALID_WORLD = 30, HM_UNSUPPORTED = 31, HM_NOT_UPDATED = 32, HM_UNKNOWN_ATLAS = 33, HM_ATLAS_USE = 34,
  HM_ACCURACY_BOX = 0, HM_ACCURACY_COARSE = 1, HM_ACCURACY_EXACT = 2, HM_ACCURACY_SAME = 255, HM_SIDE_BELOW = 0,
  HM_SIDE_ABOVE = 1, HM_SIDE_LEFT = 2, HM_SIDE_RIGHT = 3, HM_PICK_BY_SLOT = 0, HM_PICK_BY_USER_DATA = 1,
  HM_GRAZE_CLEAR = 0, HM_GRAZE_NEAR = 1, HM_GRAZE_HIT = 2, HM_BLIT_DRAW = 0, HM_BLIT_ERASE = 1, HM_BLIT_TOGGLE = 2,
  HM_BLIT_INTERSECT = 3, HM_ALPHA_AT_LEAST = 0, HM_ALPHA_ABOVE = 1, HM_ALPHA_BITS = 2, HM_CHANNEL_ALPHA = 0,
  HM_CHANNEL_RED = 1, HM_CHANNEL_GREEN = 2, HM_CHANNEL_BLUE = 3, HM_SPRITE_ADDED = 0, HM_SPRITE_VANISHED = 1,
  HM_SPRITE_CHANGED = 2, HM_SAMPLING_NEAREST = 0, HM_SAMPLING_COVERAGE25 = 1, HM_GROW_DISC = 0, HM_GROW_SQUARE = 1,
  HM_CONNECT_4 = 4, HM_CONNECT_8 = 8, HM_SCAN_TOP = 0, HM_SCAN_BOTTOM = 1, HM_SCAN_LEFT = 2, HM_SCAN_RIGHT = 3,
  HM_FIT_NEAREST = 0, HM_FIT_OUTSIDE = 1, HM_FIT_INSIDE = 2, HM_CERTAINTY_NO = 0, HM_CERTAINTY_MAYBE = 1,
  HM_CERTAINTY_YES = 2, HM_ABI_VERSION = 1, HM_LOG_WARNING = 1, HM_LOG_HINT = 2 };
]]
end

local abs, ceil, cos, floor, sin = math.abs, math.ceil, math.cos, math.floor, math.sin
local hitmask = {}

-- Throws an error at the line of the game.
local here = debug.getinfo(1, "S").source
local function refuse(text, ...)
  local level, at = 1
  repeat
    level = level + 1
    at = debug.getinfo(level, "S")
  until not at or at.source ~= here
  error("hitmask: " .. text:format(...), level)
end

local Atlas, Mask, World, Collider, PlacedMap = {}, {}, {}, {}, {}
for name, class in pairs({ atlas = Atlas, mask = Mask, world = World, collider = Collider, map = PlacedMap }) do
  class.__index, class.__name = class, name
end

--------------------------------------------------------------------------------------------------------------------
-- The shared library
--------------------------------------------------------------------------------------------------------------------

local library

-- Opens a library. `hint` ends the message if there is none.
local function open(path, hint)
  local found, opened = pcall(ffi.load, path)
  if not found then refuse("cannot load %s: %s%s", path, opened, hint or "") end
  local is_hitmask, version = pcall(function() return opened.hm_abi_version() end)
  if not is_hitmask or version ~= ffi.C.HM_ABI_VERSION then
    refuse("%s has interface %s and hitmask.lua has %d: take both from one release",
      path, is_hitmask and version or "of another library", ffi.C.HM_ABI_VERSION)
  end
  return opened
end

-- Opens the first library of HITMASK_LIBRARY, the folder of the game, package.cpath and the system.
local function search()
  local named = os.getenv("HITMASK_LIBRARY") or ""
  if named ~= "" then return open(named) end
  local file_name = ({ Windows = "hitmask.dll", OSX = "libhitmask.dylib" })[ffi.os] or "libhitmask.so"
  local paths = {}
  local files = love and love.filesystem
  local script = arg and arg[0] and (arg[0]:match("^(.*)[/\\]") or ".")
  for _, folder in ipairs(files and { files.getSource(), files.getSourceBaseDirectory() } or { script }) do
    table.insert(paths, folder .. "/" .. file_name)
  end
  for template in package.cpath:gmatch("[^;]+") do
    for _, name in ipairs({ "libhitmask", "hitmask" }) do
      if template:find("?", 1, true) then table.insert(paths, (template:gsub("%?", name))) end
    end
  end
  for _, path in ipairs(paths) do
    local file = io.open(path, "rb")
    if file then
      file:close()
      return open(path)
    end
  end
  return open("hitmask", ([[

It is in none of these either:
  %s
HITMASK_LIBRARY is not set. Put %s beside the game, set HITMASK_LIBRARY to its path, or call
require("hitmask").load(path) first. tools/capi/install.sh builds the library.]]):format(
    table.concat(paths, "\n  "), file_name))
end

-- The functions of the library, each looked up once.
local C = setmetatable({}, {
  __index = function(self, name)
    library = library or search()
    self[name] = library[name]
    return self[name]
  end,
})

-- Loads the shared library from a path. Without this call, the first use of the library searches for it.
function hitmask.load(path)
  if library then refuse("the library is loaded already; call load() before everything else") end
  library = open(path)
  return hitmask
end

-- All functions of hitmask.h, for what this file leaves out. Handles are `object.handle`, ids `collider.id`, and
-- constants `require("ffi").C.HM_...`. Wrong lengths and stale pointers are not checked there.
hitmask.C = C

-- Returns the version of the library.
function hitmask.version() return ffi.string(C.hm_version()) end

-- Returns whether there is an answer: false for HM_NONE. Throws if the call was refused.
local function check(status)
  if status > 1 then
    refuse("%s: %s", ffi.string(C.hm_status_text(status)), ffi.string(C.hm_last_error()))
  end
  return status == 0
end

-- A place for a result of each type, which is read at once.
local out = setmetatable({}, {
  __index = function(self, name)
    self[name] = ffi.new(name .. "[1]")
    return self[name]
  end,
})
local vec2, pair = ffi.typeof("hm_vec2"), ffi.typeof("hm_pair")

-- Writes a field of a struct of the header.
local function write(struct, type_name, name, value)
  if type(value) == "boolean" then value = value and 1 or 0 end
  local is_field, before = pcall(function() return struct[name] end)
  if not is_field then refuse("%s has no field %s; hitmask.h lists its fields", type_name, name) end
  local is_written, message = pcall(function() struct[name] = value end)
  if not is_written then refuse("the field %s of %s cannot be %s: %s", name, type_name, value, message) end
  -- LuaJIT cuts a number to what the type holds. A float has rounded it, by 2^-24 at most.
  if type(value) == "number" and type(before) == "number" then
    local off = abs(struct[name] - value)
    if off > abs(value) * 1e-7 or value ~= value and struct[name] == struct[name] then
      refuse("the field %s of %s cannot be %s: it holds whole numbers of a range that hitmask.h states", name,
        type_name, value)
    end
  end
end

-- Returns a whole number of a range. LuaJIT would cut another one to what the type holds.
local function whole(value, what, least, most)
  if type(value) ~= "number" or value % 1 ~= 0 or value < least or value > most then
    refuse("%s must be a whole number from %d to %d, not %s; math.floor() makes one", what, least, most, value)
  end
  return value
end

local function coordinate(value, what) return whole(value, what, -2^31, 2^31 - 1) end

local function size_of(value, what) return whole(value, what, 0, 2^32 - 1) end

local new_point, new_rect = ffi.typeof("hm_point"), ffi.typeof("hm_rect")

local function point(x, y) return new_point(coordinate(x, "x"), coordinate(y, "y")) end

local function rect(x, y, width, height)
  return new_rect(coordinate(x, "x"), coordinate(y, "y"), coordinate(x + width, "x + width"),
    coordinate(y + height, "y + height"))
end

local function expect(value, class, what)
  if getmetatable(value) ~= class then
    refuse("%s must be of the type %s, not %s", what, class.__name, value)
  end
  return value
end

-- Returns an object of a new handle, which the garbage collector destroys.
local function owner(class, name, box, fields)
  fields = fields or {}
  fields.handle = ffi.gc(box[0], C["hm_" .. name .. "_destroy"])
  return setmetatable(fields, class)
end

for name, class in pairs({ atlas = Atlas, mask = Mask, world = World, placed_map = PlacedMap }) do
  -- Frees the object now. Later calls of it are refused.
  function class:destroy()
    check(C["hm_" .. name .. "_destroy"](self.handle))
    ffi.gc(self.handle, nil)
    -- So that the next place() of a collider is refused, not the pass of its moves.
    if self.objects then self.objects, self.moves = {}, 0 end
  end
end

--------------------------------------------------------------------------------------------------------------------
-- Images and masks
--------------------------------------------------------------------------------------------------------------------

-- Returns the bytes of a string or of a Data of LÖVE, and their number.
local function memory(data, what)
  if type(data) == "string" then return data, #data end
  local is_data, size = pcall(function() return data:typeOf("Data") and data:getSize() end)
  if type(data) ~= "userdata" or not is_data or not size then
    refuse("%s must be a string or a Data of LÖVE, not %s", what, data)
  end
  return ffi.cast("const uint8_t *", data.getFFIPointer and data:getFFIPointer() or data:getPointer()), size
end

-- Returns the bytes of an image, their number, and its size.
local function pixels(image)
  if type(image) == "table" and image.rgba then
    local bytes, count = memory(image.rgba, "the field rgba")
    return bytes, count, image.width, image.height
  end
  local is_image, format = pcall(function() return image:getFormat() end)
  if type(image) ~= "userdata" or not is_image or image:type() ~= "ImageData" then
    refuse("an image must be an ImageData, or a table with width, height and rgba, not %s; " ..
      "love.image.newImageData(file) reads the image of a love.graphics.newImage(file)", image)
  end
  if format ~= "rgba8" then
    refuse("an ImageData must have the format rgba8, not %s; copy it: local copy = love.image.newImageData(" ..
      "w, h); copy:mapPixel(function(x, y) return data:getPixel(x, y) end)", format)
  end
  local bytes, count = memory(image, "the image")
  return bytes, count, image:getWidth(), image:getHeight()
end

-- Returns a mask of an image, or of rows of text such as "#.#\n###". A pixel of an image is solid if its alpha is at
-- least `alpha`, from 0 to 255; by default 128.
function hitmask.mask(source, alpha)
  if type(source) == "string" then
    check(C.hm_mask_from_text(source, out["hm_mask *"]))
  else
    local bytes, count, width, height = pixels(source)
    check(C.hm_mask_from_rgba(size_of(width, "the width"), size_of(height, "the height"), bytes, count,
      whole(alpha or 128, "alpha", 0, 255), out["hm_mask *"]))
  end
  return owner(Mask, "mask", out["hm_mask *"])
end

-- Returns a mask of 2 * radius + 1 pixels a side.
function hitmask.disc(radius)
  check(C.hm_mask_disc(size_of(radius, "the radius"), out["hm_mask *"]))
  return owner(Mask, "mask", out["hm_mask *"])
end

-- Returns a mask of set pixels.
function hitmask.solid(width, height)
  check(C.hm_mask_solid(size_of(width, "the width"), size_of(height, "the height"), out["hm_mask *"]))
  return owner(Mask, "mask", out["hm_mask *"])
end

function Mask:size()
  local size = out.hm_size
  check(C.hm_mask_size(self.handle, size))
  return size[0].width, size[0].height
end

function Mask:count()
  check(C.hm_mask_count(self.handle, out.uint64_t))
  return tonumber(out.uint64_t[0])
end

function Mask:get(x, y)
  check(C.hm_mask_get(self.handle, coordinate(x, "x"), coordinate(y, "y"), out.bool))
  return out.bool[0]
end

function Mask:set(x, y, is_solid)
  check(C.hm_mask_set(self.handle, coordinate(x, "x"), coordinate(y, "y"), is_solid and 1 or 0))
end

function Mask:fill_rect(x, y, width, height, is_solid)
  check(C.hm_mask_fill_rect(self.handle, rect(x, y, width, height), is_solid and 1 or 0))
end

local OPERATIONS = { draw = 0, erase = 1, toggle = 2, intersect = 3 }

-- Returns the number of a word, and any number as it is.
local function word(words, value, what)
  if type(value) == "number" or words[value] then return words[value] or value end
  local known = {}
  for name in pairs(words) do table.insert(known, name) end
  table.sort(known)
  refuse("unknown %s %s; known are %s", what, value, table.concat(known, ", "))
end

-- Returns the number of an operation of blit().
local function operation_of(value) return whole(word(OPERATIONS, value, "operation"), "the operation", 0, 3) end

-- Draws another mask with its top left pixel at (x, y): "draw", "erase", "toggle" or "intersect".
function Mask:blit(other, x, y, operation)
  local drawn = expect(other, Mask, "the other").handle
  check(C.hm_mask_blit(self.handle, drawn, point(x, y), operation_of(operation)))
end

-- Returns whether the masks share a pixel, the top left pixel of the other being at (x, y).
function Mask:touches(other, x, y)
  check(C.hm_mask_touches(self.handle, expect(other, Mask, "the other").handle, point(x, y), out.bool))
  return out.bool[0]
end

-- Returns rows of text as hitmask.mask() takes them.
function Mask:text()
  check(C.hm_mask_text(self.handle, out.hm_text))
  return ffi.string(out.hm_text[0].items, out.hm_text[0].count)
end

-- Returns a white ImageData with an alpha of 1 where the mask is solid.
function Mask:image_data()
  local width, height = self:size()
  check(C.hm_mask_alpha(self.handle, out.hm_bytes))
  local rgba, alpha = ffi.new("uint8_t[?]", 4 * width * height, 255), out.hm_bytes[0].items
  for i = 0, width * height - 1 do
    rgba[4 * i], rgba[4 * i + 1], rgba[4 * i + 2], rgba[4 * i + 3] = 255, 255, 255, alpha[i]
  end
  return love.image.newImageData(width, height, "rgba8", ffi.string(rgba, 4 * width * height))
end

-- Returns flat lists of coordinates {x1, y1, x2, y2, ...}.
local function flat(paths)
  local all = {}
  for i = 0, tonumber(paths.count) - 1 do
    local list = {}
    for k = paths.starts[i], paths.starts[i + 1] - 1 do
      list[#list + 1], list[#list + 2] = paths.points[k].x, paths.points[k].y
    end
    all[i + 1] = list
  end
  return all
end

-- Returns a list of polygons or pieces of the shape that was created last.
local function lent(shape, lend)
  check(lend(shape, out.hm_paths, nil))
  return flat(out.hm_paths[0])
end

local function shape(mask, options, lend)
  local settings = C.hm_default_shape_options()
  local width, height = mask:size()
  settings.origin = vec2(width / 2, height / 2)
  for name, value in pairs(options or {}) do write(settings, "hm_shape_options", name, value) end
  check(C.hm_mask_shape(mask.handle, settings, out["hm_shape *"]))
  local handle = ffi.gc(out["hm_shape *"][0], C.hm_shape_destroy)
  local all = lent(handle, lend)
  C.hm_shape_destroy(ffi.gc(handle, nil))
  return all
end

-- Returns convex polygons of at most 8 corners for love.physics.newPolygonShape(), about the centre of the mask.
-- `options` has fields of hm_shape_options, such as { max_error = 2, origin = { 0, 0 } }.
function Mask:polygons(options) return shape(self, options, C.hm_shape_pieces) end

-- Returns the outlines, also those of holes, for love.physics.newChainShape(true, ...).
function Mask:outlines(options) return shape(self, options, C.hm_shape_rings) end

--------------------------------------------------------------------------------------------------------------------
-- Atlases
--------------------------------------------------------------------------------------------------------------------

local WHOLE = { resolution = true, max_bytes = true, compact = true }

-- Writes fields of a table to the settings of a bake. `kept` holds the arrays that the settings point to.
local function write_settings(settings, fields, kept)
  for name, value in pairs(fields) do
    if name == "scales" or name == "thresholds" then
      if type(value) ~= "table" then refuse("%s must be a list, not %s", name, value) end
      local single = name:sub(1, -2)
      local array = ffi.new(name == "scales" and "float[?]" or "uint8_t[?]", #value, value)
      kept[name], settings[name], settings[single .. "_count"] = array, array, #value
    elseif name == "pivot" then
      -- In pixels from the top left corner.
      if type(value) ~= "table" or not (tonumber(value[1]) and tonumber(value[2])) then
        refuse("a pivot must be a list { x, y }, not %s", value)
      end
      settings.pivot.x2, settings.pivot.y2, settings.use_pivot = 2 * value[1], 2 * value[2], 1
    elseif type(name) == "string" and not WHOLE[name] then
      write(settings, "hm_bake_settings", name, value)
    end
  end
end

-- Adds a sprite whose frames are all masks, or all images of one size.
local function add_sprite(baker, name, frames, settings)
  if getmetatable(frames[1]) == Mask then
    local masks = ffi.new("const hm_mask *[?]", #frames)
    for i, mask in ipairs(frames) do masks[i - 1] = expect(mask, Mask, "each frame").handle end
    return check(C.hm_baker_add_masks(baker, name, masks, #frames, settings))
  end
  local _, count, width, height = pixels(frames[1])
  local rgba = ffi.new("uint8_t[?]", count * #frames)
  for i, image in ipairs(frames) do
    local bytes, size, w, h = pixels(image)
    if size ~= count or w ~= width or h ~= height then
      refuse("frame %d of the sprite %q has %s x %s px and frame 1 %s x %s px; frames have one size",
        i, name, w, h, width, height)
    end
    ffi.copy(rgba + (i - 1) * count, bytes, count)
  end
  check(C.hm_baker_add_rgba(baker, name, width, height, #frames, rgba, count * #frames, settings))
end

-- Bakes an atlas: `sprites` has an image or a mask for each name, or a list of frames. A list may have fields of
-- hm_bake_settings, such as { image, angles = 128 }, and `settings` those for all sprites. Scales and thresholds are
-- lists, and a pivot is { x, y } in pixels. `settings` may also have resolution, max_bytes and compact.
function hitmask.bake(sprites, settings)
  if type(sprites) ~= "table" then refuse("bake() needs a table of images by name, not %s", sprites) end
  local names = {}
  for name in pairs(sprites) do
    if type(name) ~= "string" then refuse("the name %s of a sprite must be a string: bake({ ship = image })", name) end
    table.insert(names, name)
  end
  table.sort(names)
  check(C.hm_baker_create(out["hm_baker *"]))
  local baker = ffi.gc(out["hm_baker *"][0], C.hm_baker_destroy)
  for name in pairs(WHOLE) do
    local value = settings and settings[name]
    if value then check(C["hm_baker_set_" .. name](baker, value == true and 1 or value)) end
  end
  for _, name in ipairs(names) do
    local frames, kept = sprites[name], {}
    local own = C.hm_default_bake_settings()
    write_settings(own, settings or {}, kept)
    if type(frames) == "table" and frames[1] then write_settings(own, frames, kept) else frames = { frames } end
    kept.settings = own
    add_sprite(baker, name, frames, kept.settings)
  end
  check(C.hm_baker_bake_atlas(baker, out["hm_atlas *"]))
  C.hm_baker_destroy(ffi.gc(baker, nil))
  return owner(Atlas, "atlas", out["hm_atlas *"], { sprites = {} })
end

-- Opens an atlas in memory: a string, or a Data of LÖVE.
function hitmask.open_bytes(bytes)
  local start, count = memory(bytes, "the atlas")
  check(C.hm_atlas_from_bytes(start, count, nil, out["hm_atlas *"]))
  return owner(Atlas, "atlas", out["hm_atlas *"], { sprites = {} })
end

-- Opens an atlas file of `hitmask bake`: of the game in LÖVE, else of the system.
function hitmask.open(path)
  if love and love.filesystem and love.filesystem.getInfo(path) then
    return hitmask.open_bytes(love.filesystem.newFileData(path))
  end
  check(C.hm_atlas_open(path, nil, out["hm_atlas *"]))
  return owner(Atlas, "atlas", out["hm_atlas *"], { sprites = {} })
end

-- Returns the bytes of the atlas for a file.
function Atlas:bytes()
  check(C.hm_atlas_bytes(self.handle, out.hm_bytes))
  return ffi.string(out.hm_bytes[0].items, out.hm_bytes[0].count)
end

-- Returns the names of the sprites in order.
function Atlas:names()
  local names = {}
  while check(C.hm_atlas_sprite_at(self.handle, #names, out.hm_sprite_id)) do
    check(C.hm_atlas_sprite_info(self.handle, out.hm_sprite_id[0], out.hm_sprite))
    table.insert(names, ffi.string(out.hm_sprite[0].name))
  end
  return names
end

-- Returns the name to suggest for a misspelt one of a sprite, or of a plane of a sprite.
local function suggestion(atlas, sprite, name)
  local other = ffi.new("const char *[1]")
  if not check(C.hm_atlas_alike(atlas.handle, sprite, name, other)) then return "" end
  return ("did you mean %q? "):format(ffi.string(other[0]))
end

-- Returns the id of a sprite.
function Atlas:sprite(name)
  if not self.sprites[name] then
    if not check(C.hm_atlas_sprite(self.handle, name, out.hm_sprite_id)) then
      local names = self:names()
      local known = table.concat(names, ", ", 1, math.min(#names, 20))
      refuse("the atlas has no sprite %q; %sit has %s", name, suggestion(self, 0, name), known)
    end
    self.sprites[name] = out.hm_sprite_id[0]
  end
  return self.sprites[name]
end

-- Returns the shape of a sprite about its pivot: { pieces = convex polygons of at most 8 corners for
-- love.physics.newPolygonShape(), outlines = those for newChainShape(true, ...) }. `options` has fields of
-- hm_shape_options, such as { max_error = 2 }, and frame, from 1. The origin is relative to the pivot.
function Atlas:shape(name, options)
  local settings, frame = C.hm_default_shape_options(), 1
  local sprite = self:sprite(name)
  for key, value in pairs(options or {}) do
    if key == "frame" then frame = whole(value, "frame", 1, 2^32) else
      write(settings, "hm_shape_options", key, value)
    end
  end
  check(C.hm_atlas_shape(self.handle, sprite, frame - 1, 0, settings, out["hm_shape *"]))
  local handle = ffi.gc(out["hm_shape *"][0], C.hm_shape_destroy)
  local found = { pieces = lent(handle, C.hm_shape_pieces), outlines = lent(handle, C.hm_shape_rings) }
  C.hm_shape_destroy(ffi.gc(handle, nil))
  return found
end

--------------------------------------------------------------------------------------------------------------------
-- Worlds
--------------------------------------------------------------------------------------------------------------------

-- The numbers of a collider: its position, the way to it from the position of love.graphics.draw(), scales, the pivot
-- in the image, and the way from the position to the pivot. In a list, they take few cache lines.
local PX, PY, DX, DY, SX, SY, PIVOT_X, PIVOT_Y, HALF_X, HALF_Y = 1, 2, 3, 4, 5, 6, 7, 8, 9, 10

-- The moves that a world collects before it passes them on at once.
local MOVES = 1024

-- Gives a world a handle of its atlas of its own, because the game may destroy that which it has given.
local function keep_atlas(world, id)
  check(C.hm_world_atlas(world.handle, id, out["hm_atlas *"]))
  world.atlas = owner(Atlas, "atlas", out["hm_atlas *"], { sprites = {} })
end

-- Returns an object of the handle of a world, with a handle of its own of the atlas of an id.
local function world_over(atlas_id)
  local world = owner(World, "world", out["hm_world *"], {
    objects = {}, -- colliders by slot
    removed = {}, -- colliders that were removed since the last update, by slot
    removed_before = {}, -- and those before, which its events name
    moves = 0,
    moved = ffi.new("hm_collider_id[?]", MOVES),
    placements = ffi.new("hm_placement[?]", MOVES),
  })
  keep_atlas(world, atlas_id)
  check(C.hm_atlas_resolution(world.atlas.handle, out.float))
  world.resolution = out.float[0]
  return world
end

-- Returns a world without colliders over the sprites of an atlas.
function hitmask.world(atlas)
  local given = expect(atlas, Atlas, "the argument of world()").handle
  check(C.hm_atlas_get_id(given, out.hm_atlas_id))
  check(C.hm_world_create(given, out["hm_world *"]))
  return world_over(out.hm_atlas_id[0])
end

-- Passes on the moves. Returns the handle.
local function ready(world)
  local moves = world.moves
  if moves > 0 then
    world.moves = 0
    check(C.hm_world_set_placements(world.handle, world.moved, world.placements, moves))
  end
  return world.handle
end

-- Takes over the objects of the colliders of another world. A collider that a copy has of this world's is that one.
local function take(world, source)
  for _, name in ipairs({ "objects", "removed", "removed_before" }) do
    local before, after = world[name], {}
    for slot, other in pairs(source[name]) do
      local own = other.origin
      if not own or own.world ~= world then
        own = before[slot]
        if not own or own.id ~= other.id then own = setmetatable({ world = world }, Collider) end
        own.origin = other
      end
      for i = 1, 10 do own[i] = other[i] end
      own.id, own.slot, own.revision, own.terrain = other.id, other.slot, other.revision, other.terrain
      after[slot] = own
    end
    world[name] = after
  end
end

-- Returns a copy with the same state. A game saves to it by copy:assign(world), and loads from it by
-- world:assign(copy).
function World:copy()
  local handle = ready(self)
  check(C.hm_atlas_get_id(self.atlas.handle, out.hm_atlas_id))
  check(C.hm_world_clone(handle, out["hm_world *"]))
  local copy = world_over(out.hm_atlas_id[0])
  take(copy, self)
  return copy
end

-- Takes over the whole state of another world with the same atlases, in place. The objects of colliders stay: one that
-- has been removed since is valid again, and one that has been added since is refused.
function World:assign(source)
  expect(source, World, "the source of assign()")
  check(C.hm_world_assign(ready(self), ready(source)))
  if source ~= self then take(self, source) end
end

-- Returns a text that says what differs first between two worlds, such as "collider 17: position.x 3.0 / 3.5"; nil if
-- they are equal.
function World:first_difference(other)
  expect(other, World, "the other world")
  if not check(C.hm_world_first_difference(ready(self), ready(other), out.hm_text)) then return nil end
  return ffi.string(out.hm_text[0].items, out.hm_text[0].count)
end

local function id_of(world, collider)
  if getmetatable(collider) ~= Collider or collider.world ~= world then
    refuse("%s is no collider of this world; pass what world:add() returned", collider)
  end
  return collider.id
end

-- Returns the collider of an id, given as its two halves.
local function object(world, slot, revision)
  local collider = world.objects[slot]
  if collider and collider.revision == revision then return collider end
  collider = world.removed[slot]
  if collider and collider.revision == revision then return collider end
  collider = world.removed_before[slot]
  if collider and collider.revision == revision then return collider end
  refuse("a collider was inserted by C, not by world:add(); use hitmask.C for all of them")
end

-- Returns the halves of ids, as a copy, because what the library lends may end before it is read.
local function copied(items, count)
  local halves = ffi.new("uint32_t[?]", 2 * count)
  ffi.copy(halves, items, 8 * count)
  return halves
end

local function object_of(world, id)
  local halves = copied(id, 1)
  return object(world, halves[0], halves[1])
end

local ACCURACIES = { box = 0, coarse = 1, exact = 2, same = 255 }
local FIELDS = {}
for name in ([[owner frame plane layers collides_with min_overlap min_width min_height fixed sensor enabled accuracy
  move_accuracy]]):gmatch("%S+") do
  FIELDS[name] = true
end

local function write_fields(world, value, fields)
  for name, field in pairs(fields) do
    if not FIELDS[name] then
      word(FIELDS, name, "field")
    elseif name == "frame" then
      local is_sprite = C.hm_atlas_sprite_info(world.atlas.handle, value.sprite, out.hm_sprite) == 0
      field = whole(field, "frame", 1, is_sprite and out.hm_sprite[0].frames or 2^32) - 1
    elseif name == "plane" and type(field) == "string" then
      if not check(C.hm_atlas_plane(world.atlas.handle, value.sprite, field, out.uint32_t)) then
        refuse("the sprite has no plane %q; %sthe bake names planes", field,
          suggestion(world.atlas, value.sprite, field))
      end
      field = out.uint32_t[0]
    elseif name == "accuracy" or name == "move_accuracy" then
      field = word(ACCURACIES, field, "accuracy")
    end
    write(value, "hm_collider", name, field)
  end
end

-- Stores where the pivot is in the image, in pixels. A collider is placed by the corner of the pixel of its pivot:
-- half a pixel to the upper left of a pivot in the middle of a pixel.
local function find_pivot(collider, value)
  local at, scale = out.hm_point, collider.world.resolution
  -- A collider that an earlier version of the atlas draws keeps its pivot.
  if C.hm_atlas_pivot(collider.world.atlas.handle, value.sprite, value.frame, at) ~= 0 then return end
  local x, y = at[0].x / 2, at[0].y / 2
  collider[PIVOT_X], collider[PIVOT_Y] = x, y
  -- Below resolution 1 a pivot is always on a corner.
  if scale >= 1 then collider[HALF_X], collider[HALF_Y] = x % 1, y % 1 end
end

-- Stores that the pivot is in the middle of a mask.
local function centre_pivot(collider, mask)
  local width, height = mask:size()
  local x, y, scale = width / 2, height / 2, collider.world.resolution
  collider[PIVOT_X], collider[PIVOT_Y] = x / scale, y / scale
  collider[HALF_X], collider[HALF_Y] = x % 1 / scale, y % 1 / scale
end

-- Moves a collider that is gone to those that events may name.
local function forget(world, collider)
  if world.objects[collider.slot] == collider then world.objects[collider.slot] = nil end
  -- A later one of the same slot is in no pair of the last update.
  world.removed[collider.slot] = world.removed[collider.slot] or collider
end

-- Adds a sprite by its name, or a copy of a mask that can be edited: terrain. Returns the collider, with its pivot at
-- (0, 0). `fields` are those of Collider:set().
function World:add(what, fields)
  local value, handle = C.hm_default_collider(), ready(self)
  local collider = { 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, world = self }
  if type(what) == "string" then
    value.sprite = self.atlas:sprite(what)
    write_fields(self, value, fields or {})
    find_pivot(collider, value)
  else
    centre_pivot(collider, expect(what, Mask, "what is added"))
    write_fields(self, value, fields or {})
    check(C.hm_world_insert_mask(handle, what.handle, nil, out.hm_mask_id))
    value.mask, collider.terrain = out.hm_mask_id[0], out.hm_mask_id[0]
  end
  local status = C.hm_world_insert(handle, value, out.hm_collider_id)
  if status > 1 and collider.terrain then C.hm_world_remove_mask(handle, collider.terrain) end
  check(status)
  local halves = copied(out.hm_collider_id, 1)
  collider.id, collider.slot, collider.revision = out.hm_collider_id[0], halves[0], halves[1]
  self.objects[collider.slot] = setmetatable(collider, Collider)
  return collider
end

-- Replaces the atlas by another version of it, as after a new bake. Colliders show the new pixels and stay at their
-- places. Those whose sprite or frame is gone keep the old ones; returns their number.
function World:replace_atlas(atlas)
  local handle, given = ready(self), expect(atlas, Atlas, "the atlas").handle
  check(C.hm_atlas_get_id(self.atlas.handle, out.hm_atlas_id))
  check(C.hm_world_replace_atlas(handle, out.hm_atlas_id[0], given, out.hm_reload_report))
  local outdated = tonumber(out.hm_reload_report[0].outdated.count)
  keep_atlas(self, out.hm_reload_report[0].atlas)
  for _, collider in pairs(self.objects) do
    if not collider.terrain then
      check(C.hm_world_get(handle, collider.id, out.hm_collider))
      find_pivot(collider, out.hm_collider[0])
    end
  end
  return outdated
end

-- Reads where a map has placed a collider, as if place() had.
local function refresh(collider, is_of_atlas)
  check(C.hm_world_get(collider.world.handle, collider.id, out.hm_collider))
  local value = out.hm_collider[0]
  local sx, sy = value.flip_x == 0 and value.scale or -value.scale, value.flip_y == 0 and value.scale or -value.scale
  collider[PX], collider[PY], collider[SX], collider[SY] = value.x, value.y, sx, sy
  if is_of_atlas then find_pivot(collider, value) end
  local r = value.use_turn == 0 and value.angle or value.turn * math.pi / 32768
  local dx, dy = collider[PIVOT_X] * sx, collider[PIVOT_Y] * sy
  collider[DX] = dx * cos(r) - dy * sin(r) - collider[HALF_X]
  collider[DY] = dx * sin(r) + dy * cos(r) - collider[HALF_Y]
end

-- Returns the collider of an id that a map has inserted.
local function adopted(world, id, is_of_atlas)
  out.hm_collider_id[0] = id
  local halves = copied(out.hm_collider_id, 1)
  local collider = world.objects[halves[0]]
  if collider and collider.id == id then return collider end
  collider = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, world = world, id = id, slot = halves[0], revision = halves[1] }
  refresh(collider, is_of_atlas)
  world.objects[collider.slot] = setmetatable(collider, Collider)
  return collider
end

local function properties_of(list)
  local properties = {}
  for i = 0, tonumber(list.count) - 1 do
    properties[ffi.string(list.items[i].key)] = ffi.string(list.items[i].value)
  end
  return properties
end

-- Returns a list of the items of a map in a world.
local function items_of(world, items, is_of_atlas)
  local list = {}
  for i = 1, tonumber(items.count) do
    local it = items.items[i - 1]
    list[i] = {
      id = ffi.string(it.id), name = ffi.string(it.name), class = ffi.string(it.class_name),
      x = it.position.x, y = it.position.y, width = it.size.x, height = it.size.y,
      properties = properties_of(it.properties),
      collider = it.collider ~= 0 and adopted(world, it.collider, is_of_atlas) or nil,
    }
  end
  return list
end

-- Adds the colliders of a map of the atlas, fixed, with its top left corner at (x, y), by default (0, 0). Returns a
-- list of its items: { id, name, class, x, y, width, height, properties, collider }. (x, y) is the pivot of the
-- collider in the world. A point has no collider. To take the map out again, remove the colliders of the list.
function World:add_map(name, x, y)
  local handle, map = ready(self), out.hm_map
  local is_of_atlas = check(C.hm_atlas_map(self.atlas.handle, name, map))
  check(C.hm_world_insert_map(handle, name, vec2(x or 0, y or 0), map, out["hm_placed_map *"]))
  local list = owner(PlacedMap, "placed_map", out["hm_placed_map *"], items_of(self, map[0].items, is_of_atlas))
  list.world, list.name = self, name
  return list
end

-- Brings the list of add_map() up to date with the atlas, as a rule after replace_atlas(): after an edit of the level.
-- Colliders of items that are in both versions stay, and so does what the game has changed itself. Returns lists of
-- items: { inserted, removed, changed, kept }. Kept are those that the game has changed.
function World:update_map(map)
  local handle, placed, report = ready(self), expect(map, PlacedMap, "the map").handle, out.hm_map_report
  if map.world ~= self then refuse("the map is of another world; pass what add_map() of this one returned") end
  local is_of_atlas = check(C.hm_atlas_map(self.atlas.handle, map.name, out.hm_map))
  check(C.hm_world_update_map(handle, placed, report))
  local list, done = items_of(self, report[0].map.items, is_of_atlas), { removed = {} }
  for _, name in ipairs({ "inserted", "changed", "kept" }) do
    done[name] = {}
    local numbers = report[0][name]
    for i = 1, tonumber(numbers.count) do done[name][i] = list[numbers.items[i - 1] + 1] end
  end
  for _, item in ipairs(done.changed) do refresh(item.collider, is_of_atlas) end
  local gone = report[0].removed
  for i, item in ipairs(map) do
    local at, collider = #done.removed, item.collider
    -- Both lists are in one order.
    if at < tonumber(gone.count) and collider and collider.id == gone.items[at].collider then
      done.removed[at + 1] = item
      forget(self, collider)
    end
    map[i] = nil
  end
  for i, item in ipairs(list) do map[i] = item end
  return done
end

-- Returns the whole state as a string: for a saved game, as by love.filesystem.write(). It names the atlas, and does not
-- contain it. For a game that goes back a few ticks, copy() and assign() are faster.
function World:snapshot()
  check(C.hm_world_snapshot(ready(self), out.hm_bytes))
  return ffi.string(out.hm_bytes[0].items, out.hm_bytes[0].count)
end

-- Takes over the state of a snapshot of a world over the same atlas, in place. Returns all colliders by their `slot`: a
-- game saves the slots of those that it knows by name. The objects of colliders that are in both states stay. Until the
-- next place(), position() is that of the origin (0, 0).
function World:restore(snapshot)
  local bytes, size = memory(snapshot, "the snapshot")
  local handle, before, list = ready(self), self.objects, {}
  check(C.hm_world_restore(handle, bytes, size))
  self.objects, self.removed, self.removed_before = {}, {}, {}
  check(C.hm_world_ids(handle, out.hm_colliders))
  local count = tonumber(out.hm_colliders[0].count)
  local halves = copied(out.hm_colliders[0].items, count)
  local ids = ffi.cast("hm_collider_id *", halves)
  for i = 0, count - 1 do
    local own = before[halves[2 * i]]
    if own and own.revision == halves[2 * i + 1] then self.objects[own.slot] = own end
    local collider = adopted(self, ids[i], false)
    check(C.hm_world_get(handle, collider.id, out.hm_collider))
    local mask = out.hm_collider[0].mask
    collider.terrain = mask ~= 0 and mask or nil
    if collider.terrain then
      check(C.hm_world_copy_mask(handle, mask, out["hm_mask *"]))
      centre_pivot(collider, owner(Mask, "mask", out["hm_mask *"]))
    end
    refresh(collider, not collider.terrain)
    list[collider.slot] = collider
  end
  -- Pairs that have ended name colliders that were removed before the snapshot.
  if C.hm_world_ended(handle, out.hm_pairs) == 0 then
    count = 2 * tonumber(out.hm_pairs[0].count)
    halves = copied(out.hm_pairs[0].items, count)
    ids = ffi.cast("hm_collider_id *", halves)
    for i = 0, count - 1 do
      local slot, revision = halves[2 * i], halves[2 * i + 1]
      local own = self.objects[slot]
      if not own or own.revision ~= revision then
        own = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, world = self, id = ids[i], slot = slot, revision = revision }
        self.removed_before[slot] = setmetatable(own, Collider)
      end
    end
  end
  return list
end

-- Draws poses before colliders show them, for at most so many seconds. Each item has a sprite, and may have an angle, a
-- scale, flip_x, flip_y and fields of World:add(). Begins with the item `first`, and returns the number of the next one:
-- give it in the next frame, until it exceeds #items.
function World:draw_ahead(items, seconds, first)
  first = whole(first or 1, "first", 1, #items + 1)
  local handle, count = ready(self), #items - first + 1
  local values = ffi.new("hm_collider[?]", count)
  for i = 1, count do
    local value, fields = C.hm_default_collider(), {}
    for name, field in pairs(items[first + i - 1]) do
      if name == "sprite" then
        value.sprite = self.atlas:sprite(field)
      elseif name == "angle" or name == "scale" or name == "flip_x" or name == "flip_y" then
        write(value, "hm_collider", name, field)
      else
        fields[name] = field
      end
    end
    write_fields(self, value, fields)
    values[i - 1] = value
  end
  local limit = seconds and whole(math.floor(seconds * 1e6), "seconds * 1e6", 0, 2^53) or -1ull
  check(C.hm_world_draw_ahead(handle, values, count, limit, -1ull, out.size_t))
  return first + tonumber(out.size_t[0])
end

function World:remove(collider)
  local handle, id = ready(self), id_of(self, collider)
  check(C.hm_world_remove(handle, id))
  if collider.terrain then C.hm_world_remove_mask(handle, collider.terrain) end
  forget(self, collider)
end

-- Returns the number of colliders.
function World:count()
  check(C.hm_world_count(self.handle, out.size_t))
  return tonumber(out.size_t[0])
end

-- Finds all pairs that touch. Call it once per tick.
function World:update()
  check(C.hm_world_update(ready(self)))
  self.removed_before, self.removed = self.removed, {}
end

for _, name in ipairs({ "touching", "began", "ended" }) do
  -- Iterates over the pairs of the last update: for a, b in world:touching() do ... end. The world may change
  -- meanwhile. Removed colliders are among those that ended.
  World[name] = function(self)
    check(C["hm_world_" .. name](self.handle, out.hm_pairs))
    local count = tonumber(out.hm_pairs[0].count)
    local halves, at = copied(out.hm_pairs[0].items, 2 * count), -4
    return function()
      at = at + 4
      if at < 4 * count then
        return object(self, halves[at], halves[at + 1]), object(self, halves[at + 2], halves[at + 3])
      end
    end
  end
end

-- Returns the overlap of two colliders as they are placed, nil if there is none: the number of pixels, the first
-- pixel, and the box from (x0, y0) up to but without (x1, y1).
function World:contact(a, b)
  local handle, contact = ready(self), out.hm_contact
  if not check(C.hm_world_contact(handle, pair(id_of(self, a), id_of(self, b)), contact)) then return nil end
  local box, first = contact[0].rect, contact[0].point
  return {
    area = tonumber(contact[0].area), x = first.x, y = first.y, x0 = box.x0, y0 = box.y0, x1 = box.x1, y1 = box.y1,
  }
end

local SIDES = { [0] = "below", "above", "left", "right" }

-- Returns more of the overlap, nil if there is none: the centre, the normal from b to a, the translation of a that
-- ends it, its length, and the side of b as seen from a.
function World:overlap(a, b)
  local handle, overlap = ready(self), out.hm_overlap
  if not check(C.hm_world_overlap(handle, pair(id_of(self, a), id_of(self, b)), overlap)) then return nil end
  local it, scale = overlap[0], self.resolution
  return {
    area = tonumber(it.contact.area), x = it.centroid.x, y = it.centroid.y, nx = it.normal.x, ny = it.normal.y,
    dx = it.push_out.x / scale, dy = it.push_out.y / scale, depth = it.depth, side = SIDES[it.side],
  }
end

-- Returns a text that says why two colliders touch or do not, nil if one has been removed.
function World:explain(a, b)
  if not check(C.hm_world_explain(ready(self), pair(id_of(self, a), id_of(self, b)), out.hm_text)) then return nil end
  return ffi.string(out.hm_text[0].items, out.hm_text[0].count)
end

-- Returns the hash of the state in 16 hexadecimal digits: equal on every machine and in every language.
-- A later version of hitmask may give another value.
function World:state_hash()
  check(C.hm_world_state_hash(ready(self), out.uint64_t))
  return (bit.tohex(out.uint64_t[0]))
end

-- Returns a filter of { except = collider, layers = bits, sensors = boolean, accuracy = "box" }; nil is all.
local function filter_of(world, fields)
  if fields == nil then return nil end
  local filter = C.hm_default_filter()
  for name, value in pairs(fields) do
    if name == "except" then value = id_of(world, value) end
    if name == "accuracy" then value = word(ACCURACIES, value, "accuracy") end
    write(filter, "hm_filter", name, value)
  end
  return filter
end

local function colliders(world, status)
  check(status)
  local list, found = {}, out.hm_colliders[0]
  local count = tonumber(found.count)
  local halves = copied(found.items, count)
  for i = 1, count do list[i] = object(world, halves[2 * i - 2], halves[2 * i - 1]) end
  return list
end

-- Returns a list of the colliders with a pixel at a position.
function World:query_point(x, y, filter)
  return colliders(self, C.hm_world_query_point(ready(self), x, y, filter_of(self, filter), out.hm_colliders))
end

-- Returns a list of the colliders with a pixel in a rectangle, in mask pixels. Parts of pixels count as whole ones.
function World:query_rect(x, y, width, height, filter)
  local left, top = floor(x), floor(y)
  local area = rect(left, top, ceil(x + width) - left, ceil(y + height) - top)
  return colliders(self, C.hm_world_query_rect(ready(self), area, filter_of(self, filter), out.hm_colliders))
end

-- Returns a list of the colliders with a pixel in a circle.
function World:query_circle(x, y, radius, filter)
  return colliders(self, C.hm_world_query_circle(ready(self), x, y, radius, filter_of(self, filter), out.hm_colliders))
end

-- Returns the collider under a pointer, or the nearest one within `radius` pixels; nil if there is none.
function World:pick(x, y, radius, filter)
  local handle, id = ready(self), out.hm_collider_id
  if check(C.hm_world_pick(handle, x, y, radius or 0, 0, filter_of(self, filter), id)) then return object_of(self, id) end
end

-- Returns the collider with the nearest pixel, at most `within` pixels away, and its distance; nil if there is none.
function World:nearest(x, y, within, filter)
  local handle, nearest = ready(self), out.hm_nearest
  if check(C.hm_world_nearest(handle, x, y, within, filter_of(self, filter), nearest)) then
    out.hm_collider_id[0] = nearest[0].collider
    return object_of(self, out.hm_collider_id), nearest[0].distance
  end
end

-- Returns the first collider on a line with the pixel and the normal there: { collider, x, y, nx, ny }; nil if free.
function World:ray(x0, y0, x1, y1, filter)
  local handle, hit = ready(self), out.hm_line_hit
  if not check(C.hm_world_ray(handle, vec2(x0, y0), vec2(x1, y1), filter_of(self, filter), hit)) then return nil end
  local it = hit[0]
  out.hm_collider_id[0] = it.collider
  return {
    collider = object_of(self, out.hm_collider_id), x = it.point.x, y = it.point.y, nx = it.normal.x, ny = it.normal.y,
  }
end

--------------------------------------------------------------------------------------------------------------------
-- Colliders
--------------------------------------------------------------------------------------------------------------------

-- Returns the collider as C has it.
local function value_of(collider)
  check(C.hm_world_get(ready(collider.world), collider.id, out.hm_collider))
  return out.hm_collider[0]
end

-- Sets fields of hm_collider: owner, frame (from 1), plane (a name), layers, collides_with, min_overlap, min_width,
-- min_height, fixed, sensor, enabled, accuracy ("box", "coarse" or "exact") and move_accuracy.
function Collider:set(fields)
  local value = value_of(self)
  write_fields(self.world, value, fields)
  check(C.hm_world_set(self.world.handle, self.id, value))
  if not self.terrain then find_pivot(self, value) end
end

function Collider:remove() self.world:remove(self) end

-- Moves a position in the middle between two pixels to the one that is drawn, for an image whose edges are between
-- pixels. The library takes the next one, which is wrong where the image runs backwards.
local function settled(at, direction, resolution)
  if direction < 0 and abs(at * resolution % 1 - 0.5) < 1e-6 then return at - 0.001 / resolution end
  return at
end

-- Places the collider where love.graphics.draw(image, x, y, r, sx, sy, ox, oy) draws the sprite. By default the top
-- left corner is at (x, y), as there. A negative scale is a flip; shear is refused. Moves are collected and passed on
-- at the next question or update. An image whose edges are in the middle of pixels, as with an origin at half of an odd
-- width, may be drawn one pixel to the left of its mask: math.floor(width / 2) avoids that.
function Collider:place(x, y, r, sx, sy, ox, oy, kx, ky)
  local world = self.world
  r, sx = r or 0, sx or 1
  sy, ox, oy = sy or sx, ox or 0, oy or 0
  if (kx or 0) ~= 0 or (ky or 0) ~= 0 then
    refuse("shear %s, %s; sheared sprites have no masks: leave out kx and ky, or shear the image before the " ..
      "bake", kx, ky)
  end
  -- The way from the origin to the pivot, and to the position of the collider.
  local c, s = 1, 0
  if r ~= 0 then c, s = cos(r), sin(r) end
  local dx, dy = (self[PIVOT_X] - ox) * sx, (self[PIVOT_Y] - oy) * sy
  local px, py = x + dx * c - dy * s - self[HALF_X], y + dx * s + dy * c - self[HALF_Y]
  if abs(c * s) < 1e-6 then
    px, py = settled(px, c * sx - s * sy, world.resolution), settled(py, s * sx + c * sy, world.resolution)
  end
  local is_scaled = sx ~= self[SX] or sy ~= self[SY]
  -- What might be refused goes to the library at once, so that the error names this call.
  if is_scaled or not (abs(px) < 1e8 and abs(py) < 1e8 and abs(r) < 1e4) or self.terrain or
    world.objects[self.slot] ~= self then
    if abs(sx) ~= abs(sy) then
      refuse("scales %s and %s differ; a sprite has one scale for both axes: scale its image before the bake", sx, sy)
    end
    if not (abs(r) < math.huge) then refuse("the angle %s is not finite; pass radians", r) end
    local value = value_of(self)
    value.x, value.y, value.angle, value.use_turn, value.scale = px, py, r, 0, abs(sx)
    value.flip_x, value.flip_y = sx < 0 and 1 or 0, sy < 0 and 1 or 0
    check(C.hm_world_set(world.handle, self.id, value))
    self[SX], self[SY] = sx, sy
  else
    local moves = world.moves
    if moves == MOVES then
      ready(world)
      moves = 0
    end
    local placement = world.placements[moves]
    placement.x, placement.y, placement.angle = px, py, r
    world.moved[moves], world.moves = self.id, moves + 1
  end
  self[PX], self[PY], self[DX], self[DY] = px, py, px - x, py - y
end

-- Returns the pivot of the collider in its image, in pixels: by default the centre.
function Collider:pivot() return self[PIVOT_X], self[PIVOT_Y] end

-- Returns (x, y) of love.graphics.draw(), with the other numbers of the last place().
function Collider:position()
  return self[PX] - self[DX], self[PY] - self[DY]
end

-- Reads where a motion has ended.
local function moved_to(self)
  local value = value_of(self)
  self[PX], self[PY] = value.x, value.y
  return self:position()
end

local function hit_of(world, hit)
  local it, impact = hit[0], hit[0].impact
  out.hm_collider_id[0] = it.collider
  return {
    collider = object_of(world, out.hm_collider_id),
    x = it.point.x, y = it.point.y,
    dx = impact.free_offset.x / world.resolution, dy = impact.free_offset.y / world.resolution,
    nx = impact.normal.x, ny = impact.normal.y, time = impact.time, side = SIDES[impact.side],
  }
end

-- Returns what a motion by (dx, dy) pixels would hit first, nil if the way is free: the collider, the point, the free
-- way (dx, dy), the normal (nx, ny), the free fraction `time`, and the side of the obstacle. Nothing moves.
function Collider:cast(dx, dy)
  local world = self.world
  if check(C.hm_world_cast(ready(world), self.id, vec2(dx, dy), nil, nil, out.hm_hit)) then
    return hit_of(world, out.hm_hit)
  end
end

-- Moves up to the first obstacle. Returns the new position() and the hit of cast().
function Collider:move(dx, dy)
  local world = self.world
  local is_hit = check(C.hm_world_move_until_contact(ready(world), self.id, vec2(dx, dy), out.hm_hit))
  local x, y = moved_to(self)
  return x, y, is_hit and hit_of(world, out.hm_hit) or nil
end

-- Moves and slides along obstacles. Returns the new position() and a list of { collider, side }. The rules are fields
-- of hm_move_rules: { climb = 1, slip = 0, one_way = 0, rise = 2 } are the defaults.
function Collider:slide(dx, dy, rules)
  local world, result, contacts = self.world, out.hm_move_result, {}
  local value = C.hm_default_move_rules()
  for name, field in pairs(rules or {}) do write(value, "hm_move_rules", name, field) end
  check(C.hm_world_move_by_rules(ready(world), self.id, vec2(dx, dy), value, nil, nil, result))
  local list = result[0].contacts
  for i = 1, tonumber(list.count) do
    local it = list.items[i - 1]
    out.hm_collider_id[0] = it.collider
    contacts[i] = { collider = object_of(world, out.hm_collider_id), side = SIDES[it.side] }
  end
  local x, y = moved_to(self)
  return x, y, contacts
end

-- Returns a list of the colliders that touch this one now, without an update.
function Collider:touching()
  local world = self.world
  return colliders(world, C.hm_world_touching_with(ready(world), self.id, out.hm_colliders))
end

-- Returns a mask of the pixels as they are placed, and where its top left pixel is, in mask pixels.
function Collider:mask()
  check(C.hm_world_posed_mask(ready(self.world), self.id, out["hm_mask *"], out.hm_point))
  return owner(Mask, "mask", out["hm_mask *"]), out.hm_point[0].x, out.hm_point[0].y
end

-- Returns the id of the mask of terrain, for an edit.
local function terrain(self)
  if not self.terrain then
    refuse("only the collider of a mask can be edited; add it by world:add(mask)")
  end
  return self.terrain
end

-- Sets or clears a disc of terrain about the pixel (x, y) of its mask.
function Collider:fill_disc(x, y, radius, is_solid)
  local center, radius = point(x, y), size_of(radius, "the radius")
  check(C.hm_world_fill_disc(self.world.handle, terrain(self), center, radius, is_solid and 1 or 0))
end

-- Sets or clears a rectangle of terrain, in pixels of its mask.
function Collider:fill_rect(x, y, width, height, is_solid)
  local area = rect(x, y, width, height)
  check(C.hm_world_fill_rect(self.world.handle, terrain(self), area, is_solid and 1 or 0))
end

-- Draws a mask on terrain as Mask:blit() does.
function Collider:blit(mask, x, y, operation)
  local drawn = expect(mask, Mask, "the mask").handle
  check(C.hm_world_blit(self.world.handle, terrain(self), drawn, point(x, y), operation_of(operation)))
end

return hitmask
