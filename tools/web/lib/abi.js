// Written by abi.js from tools/capi/include/hitmask.h. Do not edit.

export const ABI_VERSION = 1;

/** The names of the statuses, by number. */
export const STATUSES = [
  "OK",
  "NONE",
  "NULL_POINTER",
  "BAD_POINTER",
  "BAD_LENGTH",
  "BUFFER_TOO_SMALL",
  "BAD_TEXT",
  "NULL_HANDLE",
  "BAD_HANDLE",
  "STALE_HANDLE",
  "WRONG_HANDLE",
  "BUSY",
  "PANIC",
  "POISONED",
  "UNINITIALISED",
  "BAD_VALUE",
  "BAD_NUMBER",
  "STALE_ID",
  "UNKNOWN_SPRITE",
  "UNBAKED_SCALE",
  "UNKNOWN_OWNER",
  "MASK_USE",
  "FULL",
  "IO",
  "NOT_AN_ATLAS",
  "DAMAGED",
  "OVER_LIMIT",
  "NOT_A_SNAPSHOT",
  "BAD_MASK",
  "BAKE",
  "INVALID_WORLD",
  "UNSUPPORTED",
  "NOT_UPDATED",
  "UNKNOWN_ATLAS",
  "ATLAS_USE",
];

/** Offsets of `hm_atlas_limits` in bytes. */
export const ATLAS_LIMITS = {
  BYTES: 24,
  max_bytes: 0,
  max_poses: 8,
  max_samples: 16,
};

/** Offsets of `hm_bake_settings` in bytes. */
export const BAKE_SETTINGS = {
  BYTES: 48,
  cookie: 0,
  angles: 4,
  scales: 8,
  scale_count: 12,
  max_error: 16,
  sampling: 20,
  pivot: 24,
  pivot_x2: 24,
  pivot_y2: 28,
  use_pivot: 32,
  alpha: 33,
  motion_frame: 34,
  reserved: 35,
  rule: 36,
  thresholds: 40,
  threshold_count: 44,
};

/** Offsets of `hm_collider` in bytes. */
export const COLLIDER = {
  BYTES: 80,
  cookie: 0,
  owner: 4,
  sprite: 8,
  mask: 16,
  frame: 24,
  plane: 28,
  x: 32,
  y: 36,
  angle: 40,
  scale: 44,
  layers: 48,
  collides_with: 52,
  min_overlap: 56,
  min_width: 60,
  min_height: 64,
  turn: 68,
  use_turn: 70,
  flip_x: 71,
  flip_y: 72,
  fixed: 73,
  sensor: 74,
  enabled: 75,
  accuracy: 76,
  move_accuracy: 77,
  reserved: 78,
};

/** Offsets of `hm_contact` in bytes. */
export const CONTACT = {
  BYTES: 32,
  area: 0,
  rect: 8,
  rect_x0: 8,
  rect_y0: 12,
  rect_x1: 16,
  rect_y1: 20,
  point: 24,
  point_x: 24,
  point_y: 28,
};

/** Offsets of `hm_filter` in bytes. */
export const FILTER = {
  BYTES: 16,
  except: 0,
  layers: 8,
  sensors: 12,
  accuracy: 13,
  reserved: 14,
};

/** Offsets of `hm_hit` in bytes. */
export const HIT = {
  BYTES: 64,
  collider: 0,
  position: 8,
  position_x: 8,
  position_y: 12,
  point: 16,
  point_x: 16,
  point_y: 20,
  impact: 24,
  impact_step: 24,
  impact_steps: 28,
  impact_free_offset: 32,
  impact_free_offset_x: 32,
  impact_free_offset_y: 36,
  impact_contact_offset: 40,
  impact_contact_offset_x: 40,
  impact_contact_offset_y: 44,
  impact_normal: 48,
  impact_normal_x: 48,
  impact_normal_y: 52,
  impact_time: 56,
  impact_side: 60,
};

/** Offsets of `hm_line_hit` in bytes. */
export const LINE_HIT = {
  BYTES: 32,
  collider: 0,
  point: 8,
  point_x: 8,
  point_y: 12,
  step: 16,
  steps: 20,
  normal: 24,
  normal_x: 24,
  normal_y: 28,
};

/** Offsets of `hm_map` in bytes. */
export const MAP = {
  BYTES: 28,
  name: 0,
  size: 4,
  size_x: 4,
  size_y: 8,
  properties: 12,
  properties_items: 12,
  properties_count: 16,
  items: 20,
  items_items: 20,
  items_count: 24,
};

/** Offsets of `hm_map_item` in bytes. */
export const MAP_ITEM = {
  BYTES: 48,
  id: 0,
  name: 4,
  class_name: 8,
  properties: 12,
  properties_items: 12,
  properties_count: 16,
  position: 20,
  position_x: 20,
  position_y: 24,
  size: 28,
  size_x: 28,
  size_y: 32,
  collider: 40,
};

/** Offsets of `hm_map_report` in bytes. */
export const MAP_REPORT = {
  BYTES: 60,
  map: 0,
  map_name: 0,
  map_size: 4,
  map_size_x: 4,
  map_size_y: 8,
  map_properties: 12,
  map_properties_items: 12,
  map_properties_count: 16,
  map_items: 20,
  map_items_items: 20,
  map_items_count: 24,
  inserted: 28,
  inserted_items: 28,
  inserted_count: 32,
  removed: 36,
  removed_items: 36,
  removed_count: 40,
  changed: 44,
  changed_items: 44,
  changed_count: 48,
  kept: 52,
  kept_items: 52,
  kept_count: 56,
};

/** Offsets of `hm_move_result` in bytes. */
export const MOVE_RESULT = {
  BYTES: 40,
  position: 0,
  position_x: 0,
  position_y: 4,
  translation: 8,
  translation_x: 8,
  translation_y: 12,
  contacts: 16,
  contacts_items: 16,
  contacts_count: 20,
  passed: 24,
  passed_items: 24,
  passed_count: 28,
  stuck_in: 32,
  stuck_in_items: 32,
  stuck_in_count: 36,
};

/** Offsets of `hm_moved` in bytes. */
export const MOVED = {
  BYTES: 28,
  position: 0,
  position_x: 0,
  position_y: 4,
  translation: 8,
  translation_x: 8,
  translation_y: 12,
  contacts: 16,
  passed: 20,
  stuck_in: 24,
};

/** Offsets of `hm_moves` in bytes. */
export const MOVES = {
  BYTES: 32,
  items: 0,
  count: 4,
  contacts: 8,
  contacts_items: 8,
  contacts_count: 12,
  passed: 16,
  passed_items: 16,
  passed_count: 20,
  stuck_in: 24,
  stuck_in_items: 24,
  stuck_in_count: 28,
};

/** Offsets of `hm_move_rules` in bytes. */
export const MOVE_RULES = {
  BYTES: 16,
  climb: 0,
  slip: 4,
  one_way: 8,
  rise: 12,
};

/** Offsets of `hm_nearest` in bytes. */
export const NEAREST = {
  BYTES: 16,
  collider: 0,
  distance: 8,
};

/** Offsets of `hm_overlap` in bytes. */
export const OVERLAP = {
  BYTES: 64,
  contact: 0,
  contact_area: 0,
  contact_rect: 8,
  contact_rect_x0: 8,
  contact_rect_y0: 12,
  contact_rect_x1: 16,
  contact_rect_y1: 20,
  contact_point: 24,
  contact_point_x: 24,
  contact_point_y: 28,
  centroid: 32,
  centroid_x: 32,
  centroid_y: 36,
  normal: 40,
  normal_x: 40,
  normal_y: 44,
  push_out: 48,
  push_out_x: 48,
  push_out_y: 52,
  depth: 56,
  side: 60,
};

/** Offsets of `hm_pose_stats` in bytes. */
export const POSE_STATS = {
  BYTES: 24,
  poses: 0,
  bytes: 8,
  draws: 16,
};

/** Offsets of `hm_property` in bytes. */
export const PROPERTY = {
  BYTES: 8,
  key: 0,
  value: 4,
};

/** Offsets of `hm_reload_report` in bytes. */
export const RELOAD_REPORT = {
  BYTES: 16,
  outdated: 0,
  outdated_items: 0,
  outdated_count: 4,
  atlas: 8,
  changes: 12,
};

/** Offsets of `hm_sprite` in bytes. */
export const SPRITE = {
  BYTES: 40,
  id: 0,
  name: 8,
  frames: 12,
  planes: 16,
  angles: 20,
  scales: 24,
  mask_bytes: 32,
};

/** Offsets of `hm_sprite_change` in bytes. */
export const SPRITE_CHANGE = {
  BYTES: 32,
  sprite: 0,
  lost_planes: 4,
  resized: 8,
  resized_items: 8,
  resized_count: 12,
  kind: 16,
  frames_before: 20,
  frames: 24,
  reserved: 28,
};

/** Offsets of `hm_blocked` in bytes. */
export const BLOCKED = {
  BYTES: 16,
  collider: 0,
  side: 8,
  reserved: 12,
};

/** Offsets of `hm_grazed` in bytes. */
export const GRAZED = {
  BYTES: 16,
  collider: 0,
  graze: 8,
  reserved: 12,
};

/** Offsets of `hm_placement` in bytes. */
export const PLACEMENT = {
  BYTES: 12,
  x: 0,
  y: 4,
  angle: 8,
};

/** Offsets of `hm_placement_turn` in bytes. */
export const PLACEMENT_TURN = {
  BYTES: 12,
  x: 0,
  y: 4,
  turn: 8,
  reserved: 10,
};

/** Offsets of `hm_mass` in bytes. */
export const MASS = {
  BYTES: 32,
  area: 0,
  centroid_x: 8,
  centroid_y: 16,
  inertia: 24,
};

/** Offsets of `hm_shape_cell` in bytes. */
export const SHAPE_CELL = {
  BYTES: 28,
  rect: 0,
  rect_x0: 0,
  rect_y0: 4,
  rect_x1: 8,
  rect_y1: 12,
  version: 16,
  islands_left_out: 20,
  holes_left_out: 24,
};

/** Offsets of `hm_shape_options` in bytes. */
export const SHAPE_OPTIONS = {
  BYTES: 40,
  cookie: 0,
  max_error: 4,
  fit: 8,
  min_area: 12,
  max_corners: 16,
  min_width: 20,
  scale: 24,
  y_up: 28,
  origin: 32,
  origin_x: 32,
  origin_y: 36,
};

/** Offsets of `hm_thin_pieces` in bytes. */
export const THIN_PIECES = {
  BYTES: 16,
  area: 0,
  count: 8,
  reserved: 12,
};
