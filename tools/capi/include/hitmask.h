/*
 * hitmask: pixel-perfect 2D sprite collisions, for very many sprites.
 *
 *   hm_baker_bake()   sprites in memory -> bytes of an atlas      (or the command-line tool `hitmask`)
 *   hm_atlas_...()    bytes -> atlas: the masks of all sprites at all angles and scales
 *   hm_world_...()    colliders on the plane, updates, events, queries, motions
 *   hm_mask_...()     single masks, without a world
 *
 * Contents, each section with the types that it adds:
 *   Worlds: create, insert, move
 *   Updates: the pairs that touch, began and ended, and their contacts
 *   Queries: what is at a point, in a zone, on a ray, or near
 *   Motions: casts, moves up to an obstacle, moves along obstacles
 *   Many in one call: inserts, placements, rays, picks, casts, poses drawn ahead
 *   Bodies: colliders of one owner
 *   Run-time masks of a world: terrain that can be destroyed
 *   Snapshots, and the hash of a state
 *   Atlases: open, find sprites
 *   Several atlases in one world, and new versions of them
 *   Maps: levels of an atlas, and their colliders in a world
 *   Bakes: images in memory to an atlas
 *   Masks: create, ask, edit
 *   Two masks at an offset, and shapes of masks
 *   Shapes for physics engines: outlines, convex pieces, terrain in cells
 *   Batches: many pairs of poses without a world
 *   Errors, the log, and the version
 *
 * Each tick: hm_world_set_placements(), hm_world_update(), then hm_world_touching(), hm_world_began() and
 * hm_world_ended(). Queries, casts and moves need no update: they see the present placements.
 *
 * Results. Every function that can fail returns hm_status. HM_OK is 0. HM_NONE is no error: the
 * answer is that there is none. After any other status the call has changed nothing, and
 * hm_last_error() has the message of the last failed call of this thread. Out parameters are always
 * written if their pointer is not null: with zeros if there is no result.
 *
 * Errors that any function may return, beside those in its description: HM_NULL_POINTER for a null
 * pointer that is not said to be allowed; HM_NULL_HANDLE, HM_BAD_HANDLE, HM_STALE_HANDLE and
 * HM_WRONG_HANDLE for a handle that is null, of nothing, destroyed, or of another type; HM_BUSY;
 * HM_PANIC and HM_POISONED. By its parameters: HM_STALE_ID for an id of a collider or of a run-time
 * mask, HM_UNKNOWN_SPRITE for a sprite, a frame or a plane, HM_UNKNOWN_ATLAS for an id of an atlas,
 * HM_UNKNOWN_OWNER for an owner; HM_BAD_NUMBER for a number of type float; HM_BAD_VALUE for a constant;
 * HM_BAD_TEXT for a text; HM_UNINITIALISED for a struct that a function hm_default_...() fills. By what
 * it creates: HM_FULL, and HM_BAD_MASK for a mask with a side of more than 32,767 pixels.
 *
 * Handles. hm_atlas, hm_mask, hm_world, hm_baker, hm_batch, hm_shape and hm_shape_grid are made by the
 * library and destroyed by the caller with hm_..._destroy(). A handle is a number in the form of a pointer: it is looked up, and
 * wrong ones are refused. Ids of colliders, sprites and masks of a world are numbers; 0 is none.
 *
 * Memory. The library never frees what the caller passes. It keeps no pointer after the call, but for
 * hm_atlas_from_static(), and for the callback and `user` of hm_set_log().
 * A list or a text that a function writes belongs to the library: it is lent for as long as the
 * function says, and at most until its object is destroyed. Copy what is needed for longer.
 *
 * Threads. An object is used by one thread at a time; another gets HM_BUSY and may try again. Atlases
 * and reads of masks are shared freely. Different objects are independent. A world uses all cores in
 * hm_world_update() by itself. Callbacks run inside a call, on the thread of the call: they cannot call
 * the same world. hm_last_error() is per thread.
 *
 * Units. Numbers of type float are pixels: x right, y down. Whole numbers are mask pixels, which are
 * pixels unless the atlas was baked at another resolution. Angles are clockwise on screen, in radians
 * or in exact 65,536ths of a turn. A collider is placed by its pivot: the centre of the image unless
 * the bake has set another. A sprite that is drawn from its top left corner (x, y) without rotation is
 * at (x + width / 2, y + height / 2), both halves rounded down.
 *
 * This file is generated from the sources in tools/capi/src.
 */

#ifndef HITMASK_H
#define HITMASK_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/* ------------------------------------------------------------------------------------------------
 * Worlds: create, insert, move
 * ------------------------------------------------------------------------------------------------ */

/**
 * The result of a call. HM_OK is 0. HM_NONE is an answer and no error: there is no such thing.
 * All others are errors: the call has changed nothing, and hm_last_error() says why.
 */
typedef enum {
  /**
   * The call succeeded.
   */
  HM_OK = 0,
  /**
   * The call succeeded, and the answer is that there is none: no hit, no contact, no such name.
   * The out parameter holds zeros.
   */
  HM_NONE = 1,
  /**
   * A pointer that must not be null is null.
   */
  HM_NULL_POINTER = 2,
  /**
   * A pointer is not aligned to the type that it points to.
   */
  HM_BAD_POINTER = 3,
  /**
   * A length is larger than any memory, or does not fit the other arguments.
   */
  HM_BAD_LENGTH = 4,
  /**
   * The caller's buffer is too small. It was left as it was.
   */
  HM_BUFFER_TOO_SMALL = 5,
  /**
   * A text has no NUL among its first 4096 bytes, or is not UTF-8.
   */
  HM_BAD_TEXT = 6,
  /**
   * A handle is null.
   */
  HM_NULL_HANDLE = 7,
  /**
   * A pointer is no handle of this library.
   */
  HM_BAD_HANDLE = 8,
  /**
   * A handle was destroyed.
   */
  HM_STALE_HANDLE = 9,
  /**
   * A handle is of another type, as a mask where a world is expected.
   */
  HM_WRONG_HANDLE = 10,
  /**
   * Another thread is inside a call with this object, or the call comes from a callback that
   * runs inside such a call.
   */
  HM_BUSY = 11,
  /**
   * The library had an internal error. It is a bug of hitmask: please report the message.
   */
  HM_PANIC = 12,
  /**
   * An earlier call on this world or baker returned HM_PANIC. Only its destruction is allowed.
   */
  HM_POISONED = 13,
  /**
   * A struct was not filled by its hm_default_...() function.
   */
  HM_UNINITIALISED = 14,
  /**
   * An argument has a value that the function does not know, such as accuracy 9.
   */
  HM_BAD_VALUE = 15,
  /**
   * A position, radius, angle, direction or scale is not finite or out of range.
   */
  HM_BAD_NUMBER = 16,
  /**
   * The id of a collider or of a run-time mask is 0 or stale.
   */
  HM_STALE_ID = 17,
  /**
   * The atlas has no such sprite, frame, plane or map.
   */
  HM_UNKNOWN_SPRITE = 18,
  /**
   * The sprite is not baked near this scale.
   */
  HM_UNBAKED_SCALE = 19,
  /**
   * No collider has this owner.
   */
  HM_UNKNOWN_OWNER = 20,
  /**
   * A run-time mask is shown with a frame, an angle, a scale or a flip; or is in use; or has no
   * source to be drawn from.
   */
  HM_MASK_USE = 21,
  /**
   * The world, or the table of handles, is full.
   */
  HM_FULL = 22,
  /**
   * A file cannot be read.
   */
  HM_IO = 23,
  /**
   * The bytes are no atlas, or one of another version.
   */
  HM_NOT_AN_ATLAS = 24,
  /**
   * The atlas or the snapshot is damaged.
   */
  HM_DAMAGED = 25,
  /**
   * The atlas would take more memory or time to draw than the limits allow.
   */
  HM_OVER_LIMIT = 26,
  /**
   * The snapshot is no snapshot, or belongs to another atlas or version.
   */
  HM_NOT_A_SNAPSHOT = 27,
  /**
   * A mask is too large, or its text or pixels are malformed.
   */
  HM_BAD_MASK = 28,
  /**
   * The bake failed.
   */
  HM_BAKE = 29,
  /**
   * The world breaks one of its invariants. It is a bug of hitmask.
   */
  HM_INVALID_WORLD = 30,
  /**
   * This build of the library leaves the function out, as files in a browser.
   */
  HM_UNSUPPORTED = 31,
  /**
   * The world has colliders and was never updated, so no pair is known yet.
   */
  HM_NOT_UPDATED = 32,
  /**
   * The world has no atlas with this id.
   */
  HM_UNKNOWN_ATLAS = 33,
  /**
   * The atlas cannot be added, dropped or replaced: it is in use, the only one, of another
   * resolution, or its id is taken.
   */
  HM_ATLAS_USE = 34,
} hm_status;

/**
 * An opened atlas: the masks of all sprites. It is immutable, and all threads can use it at once.
 * Create with hm_atlas_...(), destroy with hm_atlas_destroy().
 */
typedef struct hm_atlas hm_atlas;

/**
 * Colliders on the plane, and the pairs of them that touch. One thread at a time: a second one
 * gets HM_BUSY. Different worlds are independent. Create with hm_world_create(), destroy with
 * hm_world_destroy().
 */
typedef struct hm_world hm_world;

/**
 * Creates a world without colliders, over the sprites of an atlas. The world keeps the atlas alive:
 * the handle of the atlas may be destroyed before the world.
 */
hm_status hm_world_create(const hm_atlas *atlas, hm_world **world);

/**
 * Creates a copy of a world with the same ids, settings, pairs and user data. What happens in one
 * does not affect the other. As a state to return to; hm_world_assign() saves to it again.
 */
hm_status hm_world_clone(const hm_world *world, hm_world **copy);

/**
 * Takes over the whole state of another world with the same atlases: ids, settings, pairs and user data. For
 * rollback: saves to a copy of hm_world_clone(), and loads from one, without allocating memory. Older lent
 * lists become invalid.
 *
 * Errors: HM_UNKNOWN_ATLAS if an atlas differs. The world is left as it was.
 */
hm_status hm_world_assign(hm_world *world,
                          const hm_world *source);

/**
 * A lent text: UTF-8 with a NUL at its end.
 */
typedef struct {
  /**
   * The first byte.
   */
  const char *items;
  /**
   * The number of bytes without the NUL.
   */
  size_t count;
} hm_text;

/**
 * Lends a text that says what differs first between two worlds, the value of `world` first: "collider 17:
 * position.x 3.0 / 3.5". A collider is named by its slot. HM_NONE if their snapshots are equal. The text is
 * lent until the next call that lends a text from this world.
 */
hm_status hm_world_first_difference(hm_world *world,
                                    const hm_world *other,
                                    hm_text *text);

/**
 * Destroys a world. All that it has lent becomes invalid. Null is allowed.
 */
hm_status hm_world_destroy(hm_world *world);

/**
 * The id of a sprite in one atlas. 0 is no sprite. Do not store it in files: store names.
 */
typedef uint64_t hm_sprite_id;

/**
 * The id of a run-time mask in one world. 0 is no mask.
 */
typedef uint64_t hm_mask_id;

/**
 * How closely pairs are tested: HM_ACCURACY_BOX, HM_ACCURACY_COARSE or HM_ACCURACY_EXACT.
 */
typedef uint8_t hm_accuracy;

/**
 * The tight boxes of the pixels decide.
 */
#define HM_ACCURACY_BOX 0

/**
 * Coarse masks of 8 x 8 pixels decide where they can, for large sprites.
 */
#define HM_ACCURACY_COARSE 1

/**
 * Pixels decide. The default.
 */
#define HM_ACCURACY_EXACT 2

/**
 * For hm_collider.move_accuracy: the accuracy for touching. The default.
 */
#define HM_ACCURACY_SAME 255

/**
 * A sprite or a run-time mask placed in the world. Fill it with hm_default_collider(), then set
 * what differs.
 */
typedef struct {
  /**
   * Set by hm_default_collider(); do not change it.
   */
  uint32_t cookie;
  /**
   * The compound that the collider belongs to, or 0 for none. Colliders with the same owner
   * never touch or block each other.
   */
  uint32_t owner;
  /**
   * The sprite, or 0 if `mask` is given.
   */
  hm_sprite_id sprite;
  /**
   * The run-time mask, or 0 if `sprite` is given. A run-time mask has one pose, so frame, plane,
   * angle, scale and flips must keep their defaults.
   */
  hm_mask_id mask;
  /**
   * The frame of the sprite, from 0.
   */
  uint32_t frame;
  /**
   * The plane of the frame, from 0: see hm_atlas_plane().
   */
  uint32_t plane;
  /**
   * The position of the pivot in pixels, to the right. The pivot is the centre of the image unless
   * the bake has set another. The position snaps to the nearest mask pixel, and
   * must be within 1e9 mask pixels of 0.
   */
  float x;
  /**
   * The position of the pivot in pixels, down.
   */
  float y;
  /**
   * The rotation about the pivot in radians, clockwise on screen. Ignored if `use_turn` is set.
   */
  float angle;
  /**
   * The scale relative to the image. Default 1.
   */
  float scale;
  /**
   * Layers of the collider, 1 bit each. Default: the lowest bit.
   */
  uint32_t layers;
  /**
   * Layers that the collider can touch. Default: all. A pair can touch only if each collider is
   * on a layer that the other can touch.
   */
  uint32_t collides_with;
  /**
   * The least overlap that counts as touching, in pixels of area. 0 is the default: any pixel.
   * Ignored if `min_width` or `min_height` is not 0.
   */
  uint32_t min_overlap;
  /**
   * The least width of the overlap, in pixels; 0 for none.
   */
  uint32_t min_width;
  /**
   * The least height of the overlap, in pixels; 0 for none.
   */
  uint32_t min_height;
  /**
   * The rotation in 65,536ths of a turn, if `use_turn` is set.
   */
  uint16_t turn;
  /**
   * Not 0 if `turn` holds the rotation instead of `angle`.
   */
  uint8_t use_turn;
  /**
   * Not 0 to mirror left and right, before the rotation.
   */
  uint8_t flip_x;
  /**
   * Not 0 to mirror top and bottom, before the rotation.
   */
  uint8_t flip_y;
  /**
   * Not 0 if the collider never or seldom moves. Fixed colliders do not touch each other.
   */
  uint8_t fixed;
  /**
   * Not 0 if the collider reports touches without blocking moves.
   */
  uint8_t sensor;
  /**
   * 0 to take no part: it keeps its id, but touches and blocks nothing and is found by no query.
   */
  uint8_t enabled;
  /**
   * The accuracy for touching. Default HM_ACCURACY_EXACT.
   */
  hm_accuracy accuracy;
  /**
   * The accuracy for moves and casts. Default HM_ACCURACY_SAME.
   */
  hm_accuracy move_accuracy;
  /**
   * 0.
   */
  uint16_t reserved;
} hm_collider;

/**
 * The id of a collider in one world. 0 is no collider. An id of a removed collider is stale: it
 * never names the collider that reuses its slot. The lower 32 bits are the slot, counted from 0,
 * which can index arrays of your own.
 */
typedef uint64_t hm_collider_id;

/**
 * Inserts a collider and writes its id.
 *
 * Errors: HM_UNINITIALISED, HM_BAD_VALUE, HM_UNKNOWN_SPRITE, HM_BAD_NUMBER, HM_UNBAKED_SCALE,
 * HM_STALE_ID for a mask that was removed, HM_MASK_USE, HM_FULL.
 */
hm_status hm_world_insert(hm_world *world, const hm_collider *collider, hm_collider_id *id);

/**
 * Replaces a collider by another, under the same id. Its user data stays.
 *
 * Errors: those of hm_world_insert(), and HM_STALE_ID.
 */
hm_status hm_world_set(hm_world *world, hm_collider_id id, const hm_collider *collider);

/**
 * Writes the collider with this id.
 */
hm_status hm_world_get(const hm_world *world, hm_collider_id id, hm_collider *collider);

/**
 * Removes a collider. Its id stays stale.
 */
hm_status hm_world_remove(hm_world *world, hm_collider_id id);

/**
 * Removes many colliders, as those of a map, and writes how many there were. Skips 0 and stale ids.
 *
 * Errors: HM_BAD_LENGTH, HM_NULL_POINTER.
 */
hm_status hm_world_remove_all(hm_world *world,
                              const hm_collider_id *ids,
                              size_t count,
                              size_t *removed);

/**
 * Moves a collider to a position in pixels. Everything else stays as it is.
 */
hm_status hm_world_move_to(hm_world *world, hm_collider_id id, float x, float y);

/**
 * Turns a collider to an angle in radians, clockwise on screen. Everything else stays as it is.
 *
 * Errors: HM_BAD_NUMBER, HM_STALE_ID, HM_MASK_USE for a run-time mask.
 */
hm_status hm_world_turn_to(hm_world *world, hm_collider_id id, float angle);

/**
 * Places a collider at a position in pixels, an angle in radians and a scale at once. Everything else
 * stays as it is.
 *
 * Errors: as hm_world_set().
 */
hm_status hm_world_place(hm_world *world,
                         hm_collider_id id,
                         float x,
                         float y,
                         float angle,
                         float scale);

/**
 * The position and the angle of a collider: what usually changes from tick to tick. The library
 * reads arrays of it in place.
 */
typedef struct {
  /**
   * The position of the pivot in pixels, to the right.
   */
  float x;
  /**
   * The position of the pivot in pixels, down.
   */
  float y;
  /**
   * The rotation about the pivot in radians, clockwise on screen.
   */
  float angle;
} hm_placement;

/**
 * Places many colliders: `placements[i]` is that of `ids[i]`. All are placed, or none. The fastest
 * way to move many: it takes less than 1/5 of the time of hm_world_set() for each. Ids in
 * ascending order of slots are fastest. If an id is listed twice, its last placement counts.
 *
 * Errors: HM_STALE_ID, HM_BAD_NUMBER, HM_MASK_USE for a run-time mask with an angle. The message
 * names the first bad item. Nothing was placed.
 */
hm_status hm_world_set_placements(hm_world *world,
                                  const hm_collider_id *ids,
                                  const hm_placement *placements,
                                  size_t count);

/**
 * The position and the angle of a collider, the angle as an exact part of a turn.
 */
typedef struct {
  /**
   * The position of the pivot in pixels, to the right.
   */
  float x;
  /**
   * The position of the pivot in pixels, down.
   */
  float y;
  /**
   * The rotation about the pivot in 65,536ths of a turn, clockwise on screen.
   */
  uint16_t turn;
  /**
   * 0.
   */
  uint16_t reserved;
} hm_placement_turn;

/**
 * Does the same as hm_world_set_placements(), with angles in 65,536ths of a turn.
 */
hm_status hm_world_set_placements_turn(hm_world *world,
                                       const hm_collider_id *ids,
                                       const hm_placement_turn *placements,
                                       size_t count);

/**
 * Writes the number of colliders.
 */
hm_status hm_world_count(const hm_world *world, size_t *count);

/**
 * A lent list of ids of colliders.
 */
typedef struct {
  /**
   * The first item.
   */
  const hm_collider_id *items;
  /**
   * The number of items.
   */
  size_t count;
} hm_colliders;

/**
 * Lends the ids of all colliders, in order of slots, until the next call that lends ids.
 */
hm_status hm_world_ids(hm_world *world, hm_colliders *ids);

/**
 * A rectangle of mask pixels, from (x0, y0) up to but without (x1, y1). Empty if x0 >= x1 or
 * y0 >= y1.
 */
typedef struct {
  /**
   * The first column.
   */
  int32_t x0;
  /**
   * The first row.
   */
  int32_t y0;
  /**
   * The column after the last.
   */
  int32_t x1;
  /**
   * The row after the last.
   */
  int32_t y1;
} hm_rect;

/**
 * Writes the tight box of a collider's pixels, in mask pixels. HM_NONE if it has no pixels.
 */
hm_status hm_world_rect(const hm_world *world, hm_collider_id id, hm_rect *rect);

/**
 * A mask of 1 bit per pixel, for edits and for questions without a world. Several threads can ask
 * at once; an edit fails with HM_BUSY while another thread is inside a call with the mask.
 * Create with hm_mask_...(), destroy with hm_mask_destroy().
 */
typedef struct hm_mask hm_mask;

/**
 * A whole-number point or translation in mask pixels: x right, y down.
 */
typedef struct {
  /**
   * To the right.
   */
  int32_t x;
  /**
   * Down.
   */
  int32_t y;
} hm_point;

/**
 * Creates a mask of the pixels of a collider, as it is placed, for drawing and for questions
 * without the world. Writes to `origin` where the top left pixel of the mask is in the world, in
 * mask pixels; `origin` may be null. Destroy the mask with hm_mask_destroy().
 */
hm_status hm_world_posed_mask(const hm_world *world,
                              hm_collider_id id,
                              hm_mask **mask,
                              hm_point *origin);

/**
 * Sets the finest accuracy of pair tests from the next update on. Colliders with a coarser one
 * keep theirs. The default is HM_ACCURACY_EXACT.
 */
hm_status hm_world_set_accuracy(hm_world *world, hm_accuracy accuracy);

/**
 * Writes the finest accuracy of pair tests.
 */
hm_status hm_world_accuracy(const hm_world *world, hm_accuracy *accuracy);

/**
 * Sets which scales colliders may have, from the next call that sets a scale on: those within this
 * factor of a baked one. 1 allows baked scales only; infinity allows all. The default is 1.5.
 *
 * Errors: HM_BAD_NUMBER for a factor below 1 or NaN.
 */
hm_status hm_world_set_scale_policy(hm_world *world, float factor);

/**
 * Writes the factor of hm_world_set_scale_policy().
 */
hm_status hm_world_scale_policy(const hm_world *world, float *factor);

/**
 * Stores a number with a collider, such as an index or a pointer of the caller. It stays until the
 * collider is removed. The library uses it in hm_world_pick() and gives it to callbacks. It is part of
 * snapshots and of the hash of the state.
 */
hm_status hm_world_set_user_data(hm_world *world,
                                 hm_collider_id id,
                                 uint64_t data);

/**
 * Writes the number that was stored with a collider, 0 if none was.
 */
hm_status hm_world_user_data(const hm_world *world, hm_collider_id id, uint64_t *data);

/**
 * Returns a collider of the first frame of no sprite, at (0, 0), not rotated, at scale 1. Set at
 * least `sprite` or `mask`.
 */
hm_collider hm_default_collider(void);

/**
 * The colliders that a query considers. A null pointer to it means all. Fill it with
 * hm_default_filter(): a filter of zeros has no layer, so it finds nothing.
 */
typedef struct {
  /**
   * A collider to leave out, usually the one that asks; or 0.
   */
  hm_collider_id except;
  /**
   * Colliders on at least one of these layers, 1 bit each. Default: all.
   */
  uint32_t layers;
  /**
   * 0 to leave out sensors. Default 1.
   */
  uint8_t sensors;
  /**
   * HM_ACCURACY_BOX to test the tight boxes of colliders, else their pixels are tested.
   */
  hm_accuracy accuracy;
  /**
   * 0.
   */
  uint16_t reserved;
} hm_filter;

/**
 * Returns a filter that lets all colliders through, sensors included, tested by pixels.
 */
hm_filter hm_default_filter(void);

/* ------------------------------------------------------------------------------------------------
 * Updates: the pairs that touch, began and ended, and their contacts
 * ------------------------------------------------------------------------------------------------ */

/**
 * Finds all pairs that touch. Call it once per tick, after the moves and before the questions
 * about pairs. What was lent by hm_world_touching(), hm_world_began() and hm_world_ended() becomes
 * invalid.
 */
hm_status hm_world_update(hm_world *world);

/**
 * Two colliders that touch; `a` has the lower slot.
 */
typedef struct {
  /**
   * The collider of lower slot.
   */
  hm_collider_id a;
  /**
   * The collider of higher slot.
   */
  hm_collider_id b;
} hm_pair;

/**
 * Decides whether two colliders whose pixels touch count as touching. Gets `user` and the numbers
 * that are stored with the two colliders. Returns 0 to drop the pair. It runs inside the call that
 * got it, on its thread, for one pair after the other: calls with the same world give HM_BUSY. It
 * must return: no exception and no longjmp.
 */
typedef uint8_t (*hm_keep_pair)(void *user, hm_pair pair, uint64_t user_data_a, uint64_t user_data_b);

/**
 * Does the same as hm_world_update(), and keeps only the pairs for which `keep` does not return 0.
 *
 * Errors: HM_NULL_POINTER if `keep` is null.
 */
hm_status hm_world_update_with(hm_world *world, hm_keep_pair keep, void *user);

/**
 * A side of an obstacle, as seen from what moves.
 */
typedef uint32_t hm_side;

/**
 * The obstacle is below: a floor.
 */
#define HM_SIDE_BELOW 0

/**
 * The obstacle is above: a ceiling.
 */
#define HM_SIDE_ABOVE 1

/**
 * The obstacle is on the left.
 */
#define HM_SIDE_LEFT 2

/**
 * The obstacle is on the right.
 */
#define HM_SIDE_RIGHT 3

/**
 * A point or a direction in pixels: x right, y down.
 */
typedef struct {
  /**
   * To the right.
   */
  float x;
  /**
   * Down.
   */
  float y;
} hm_vec2;

/**
 * Decides whether two colliders that touch count as touching. Gets what hm_keep_pair gets, the side of
 * `pair.a` on which `pair.b` lies, and the surface normal from `b` to `a`. Returns 0 to drop the pair.
 * The rules of hm_keep_pair apply.
 */
typedef uint8_t (*hm_keep_touch)(void *user,
                                 hm_pair pair,
                                 uint64_t user_data_a,
                                 uint64_t user_data_b,
                                 hm_side side,
                                 hm_vec2 normal);

/**
 * Does the same as hm_world_update_with(), with a callback that gets side and normal of each contact:
 * a game can drop the contacts with walls. Computing them costs about 5 times as much as the area of
 * the overlap, for each pair.
 *
 * Errors: HM_NULL_POINTER if `keep` is null.
 */
hm_status hm_world_update_with_contacts(hm_world *world,
                                        hm_keep_touch keep,
                                        void *user);

/**
 * Writes whether the pairs of a world are known: 0 before its first hm_world_update(). A clone and a
 * restored snapshot are as their world was.
 */
hm_status hm_world_is_updated(const hm_world *world,
                              bool *is_updated);

/**
 * A lent list of pairs.
 */
typedef struct {
  /**
   * The first item.
   */
  const hm_pair *items;
  /**
   * The number of items.
   */
  size_t count;
} hm_pairs;

/**
 * Lends the pairs that touched at the last update, in ascending order of slots, until the next
 * update, the next hm_world_restore(), or the end of the world.
 *
 * Errors: HM_NOT_UPDATED if the world has colliders and was never updated.
 */
hm_status hm_world_touching(const hm_world *world, hm_pairs *pairs);

/**
 * Lends the pairs that touched at the last update but not at the one before, in order, until the
 * next update, the next hm_world_restore(), or the end of the world. Empty before the first update.
 */
hm_status hm_world_began(const hm_world *world, hm_pairs *pairs);

/**
 * Lends the pairs that touched at the update before the last but not at the last, in order, until
 * the next update, the next hm_world_restore(), or the end of the world. Ids of removed colliders
 * are among them. Empty before the first update.
 */
hm_status hm_world_ended(const hm_world *world, hm_pairs *pairs);

/**
 * Lends the pairs that touched at both of the last two updates, in order, until the next call that
 * lends pairs other than those of the events.
 */
hm_status hm_world_stayed(hm_world *world, hm_pairs *pairs);

/**
 * The overlap of two masks.
 */
typedef struct {
  /**
   * The number of shared pixels.
   */
  uint64_t area;
  /**
   * The tight box of the shared pixels.
   */
  hm_rect rect;
  /**
   * The first shared pixel: of the top row, the leftmost.
   */
  hm_point point;
} hm_contact;

/**
 * Writes the contact of a pair at the current placements. HM_NONE if the two do not touch, if one
 * is disabled, or if an id is stale. Follows the accuracies, and ignores layers.
 */
hm_status hm_world_contact(const hm_world *world, hm_pair pair, hm_contact *contact);

/**
 * Writes the contact of a pair at the given accuracy, whatever those of the colliders are.
 * HM_NONE as for hm_world_contact().
 */
hm_status hm_world_contact_at(const hm_world *world,
                              hm_pair pair,
                              hm_accuracy accuracy,
                              hm_contact *contact);

/**
 * The details of an overlap of two colliders, or of two masks.
 */
typedef struct {
  /**
   * Area, tight box and first pixel of the overlap.
   */
  hm_contact contact;
  /**
   * The centre of the shared pixels, in mask pixels.
   */
  hm_vec2 centroid;
  /**
   * The surface normal, of length 1, from `b` to `a`.
   */
  hm_vec2 normal;
  /**
   * The shortest translation of `a` that ends the overlap, in mask pixels.
   */
  hm_point push_out;
  /**
   * The length of `push_out`, in mask pixels.
   */
  float depth;
  /**
   * The side of `b` as seen from `a`.
   */
  hm_side side;
} hm_overlap;

/**
 * Writes the details of the overlap of a pair's pixels: normal, push-out, depth. HM_NONE if no
 * pixels overlap. Costs some microseconds.
 */
hm_status hm_world_overlap(const hm_world *world, hm_pair pair, hm_overlap *overlap);

/**
 * Two planes that overlap, one of each collider of a pair.
 */
typedef struct {
  /**
   * The plane of the first collider.
   */
  uint32_t a;
  /**
   * The plane of the second collider.
   */
  uint32_t b;
} hm_plane_pair;

/**
 * A lent list of pairs of planes.
 */
typedef struct {
  /**
   * The first item.
   */
  const hm_plane_pair *items;
  /**
   * The number of items.
   */
  size_t count;
} hm_plane_pairs;

/**
 * Lends the planes of a pair that overlap, in order, until the next call of this function with
 * the same world. Empty if an id is stale.
 */
hm_status hm_world_overlapping_planes(hm_world *world, hm_pair pair, hm_plane_pairs *planes);

/**
 * Lends a text that explains why a pair touches or not: layers, boxes, accuracy, pixels. It is
 * lent until the next call that lends a text from this world. HM_NONE if an id is stale.
 */
hm_status hm_world_explain(hm_world *world, hm_pair pair, hm_text *text);

/**
 * Lends the colliders that touch a collider now, without an update, until the next call that lends
 * ids. Follows layers, accuracies and owners.
 */
hm_status hm_world_touching_with(hm_world *world, hm_collider_id id, hm_colliders *found);

/**
 * Lends the pairs that touch now, one collider of each list, until the next call that lends pairs
 * other than those of the events. Stale ids touch nothing.
 *
 * Errors: HM_BAD_LENGTH, HM_NULL_POINTER.
 */
hm_status hm_world_touching_between(hm_world *world,
                                    const hm_collider_id *group,
                                    size_t group_count,
                                    const hm_collider_id *others,
                                    size_t others_count,
                                    hm_pairs *pairs);

/**
 * Writes the distance in pixels between the nearest pixels of two colliders, from centre to
 * centre; 0 if they touch. HM_NONE if one has no pixels or is disabled.
 */
hm_status hm_world_distance(const hm_world *world,
                            hm_collider_id a,
                            hm_collider_id b,
                            double *distance);

/**
 * Writes the shortest translation, in pixels, that ends every overlap of a collider with
 * obstacles, at most `radius` pixels long. (0, 0) if it overlaps none. HM_NONE if there is no
 * such translation.
 */
hm_status hm_world_push_out(const hm_world *world,
                            hm_collider_id id,
                            float radius,
                            hm_vec2 *translation);

/* ------------------------------------------------------------------------------------------------
 * Queries: what is at a point, in a zone, on a ray, or near
 * ------------------------------------------------------------------------------------------------ */

/**
 * Lends the colliders that have a pixel at a position in pixels, until the next call that lends
 * ids.
 */
hm_status hm_world_query_point(hm_world *world,
                               float x,
                               float y,
                               const hm_filter *filter,
                               hm_colliders *found);

/**
 * Lends the colliders that have a pixel in a rectangle of mask pixels, until the next call that
 * lends ids. A filter with HM_ACCURACY_BOX finds those whose tight box overlaps the rectangle.
 */
hm_status hm_world_query_rect(hm_world *world,
                              hm_rect rect,
                              const hm_filter *filter,
                              hm_colliders *found);

/**
 * Lends the colliders that have a pixel whose centre is at most `radius` from a position, in
 * pixels, until the next call that lends ids.
 */
hm_status hm_world_query_circle(hm_world *world,
                                float x,
                                float y,
                                float radius,
                                const hm_filter *filter,
                                hm_colliders *found);

/**
 * Lends the colliders that have a pixel whose centre lies in an upright ellipse, in pixels, until
 * the next call that lends ids.
 */
hm_status hm_world_query_ellipse(hm_world *world,
                                 float x,
                                 float y,
                                 float radius_x,
                                 float radius_y,
                                 const hm_filter *filter,
                                 hm_colliders *found);

/**
 * Lends the colliders that have a pixel on a line between two positions in pixels, both ends
 * included, until the next call that lends ids.
 */
hm_status hm_world_query_line(hm_world *world,
                              hm_vec2 from,
                              hm_vec2 to,
                              const hm_filter *filter,
                              hm_colliders *found);

/**
 * Lends the colliders that share a pixel with a mask whose top left pixel is at `at`, in mask
 * pixels, until the next call that lends ids.
 *
 * Errors: those of handles.
 */
hm_status hm_world_query_mask(hm_world *world,
                              const hm_mask *mask,
                              hm_point at,
                              const hm_filter *filter,
                              hm_colliders *found);

/**
 * A collider that a ray hits.
 */
typedef struct {
  /**
   * The collider that is hit.
   */
  hm_collider_id collider;
  /**
   * The first pixel of the line that the collider has too, in mask pixels.
   */
  hm_point point;
  /**
   * The step of the line at which that pixel is, from 0.
   */
  uint32_t step;
  /**
   * The steps of the whole line.
   */
  uint32_t steps;
  /**
   * The surface normal at that pixel, of length 1, out of the collider.
   */
  hm_vec2 normal;
} hm_line_hit;

/**
 * Writes the first collider that a ray hits on its way between two positions in pixels. HM_NONE if
 * it hits none.
 */
hm_status hm_world_ray(const hm_world *world,
                       hm_vec2 from,
                       hm_vec2 to,
                       const hm_filter *filter,
                       hm_line_hit *hit);

/**
 * A lent list of hits of a ray.
 */
typedef struct {
  /**
   * The first item.
   */
  const hm_line_hit *items;
  /**
   * The number of items.
   */
  size_t count;
} hm_line_hits;

/**
 * Lends all colliders that a ray hits on its way between two positions in pixels, in order of the
 * way, until the next call of this function with the same world.
 */
hm_status hm_world_ray_all(hm_world *world,
                           hm_vec2 from,
                           hm_vec2 to,
                           const hm_filter *filter,
                           hm_line_hits *hits);

/**
 * What decides among several colliders under a pointer.
 */
typedef uint32_t hm_pick_order;

/**
 * The highest slot wins.
 */
#define HM_PICK_BY_SLOT 0

/**
 * The largest number of hm_world_set_user_data() wins, as unsigned number: a height. Among equals
 * the highest slot wins.
 */
#define HM_PICK_BY_USER_DATA 1

/**
 * Writes the collider under a pointer at a position in pixels. If no pixel is there, the nearest
 * collider within `radius` pixels is picked, so that small sprites can be hit. `order` decides
 * among several: HM_PICK_BY_SLOT or HM_PICK_BY_USER_DATA. HM_NONE if there is none.
 */
hm_status hm_world_pick(const hm_world *world,
                        float x,
                        float y,
                        float radius,
                        hm_pick_order order,
                        const hm_filter *filter,
                        hm_collider_id *collider);

/**
 * A collider and its distance.
 */
typedef struct {
  /**
   * The collider.
   */
  hm_collider_id collider;
  /**
   * The distance in pixels.
   */
  double distance;
} hm_nearest;

/**
 * Writes the collider whose pixels are nearest to a position, at most `within` pixels away, and
 * the distance to the centre of that pixel. HM_NONE if there is none.
 */
hm_status hm_world_nearest(const hm_world *world,
                           float x,
                           float y,
                           float within,
                           const hm_filter *filter,
                           hm_nearest *nearest);

/**
 * Writes the collider whose pixels are nearest to those of another collider, at most `within`
 * pixels away, and the distance from pixel centre to pixel centre. HM_NONE if there is none.
 */
hm_status hm_world_nearest_to(const hm_world *world,
                              hm_collider_id id,
                              float within,
                              const hm_filter *filter,
                              hm_nearest *nearest);

/**
 * How near another collider is.
 */
typedef uint32_t hm_graze;

/**
 * The pixels are farther apart than the radius.
 */
#define HM_GRAZE_CLEAR 0

/**
 * The pixels do not touch, and are within the radius.
 */
#define HM_GRAZE_NEAR 1

/**
 * The pixels touch.
 */
#define HM_GRAZE_HIT 2

/**
 * A collider that is touched or grazed.
 */
typedef struct {
  /**
   * The collider.
   */
  hm_collider_id collider;
  /**
   * HM_GRAZE_NEAR or HM_GRAZE_HIT.
   */
  hm_graze graze;
  /**
   * 0.
   */
  uint32_t reserved;
} hm_grazed;

/**
 * A lent list of grazed colliders.
 */
typedef struct {
  /**
   * The first item.
   */
  const hm_grazed *items;
  /**
   * The number of items.
   */
  size_t count;
} hm_grazes;

/**
 * Lends the colliders whose pixels touch those of a collider or come within `radius` pixels of
 * them, until the next call of this function with the same world. Ignores layers of the
 * collider itself.
 */
hm_status hm_world_graze(hm_world *world,
                         hm_collider_id id,
                         float radius,
                         const hm_filter *filter,
                         hm_grazes *found);

/**
 * Writes the shortest translation, in mask pixels, after which a mask at `at` overlaps no collider
 * of the filter, at most `radius` mask pixels long. (0, 0) if it overlaps none. HM_NONE if there is
 * none.
 */
hm_status hm_world_nearest_free_offset(const hm_world *world,
                                       const hm_mask *mask,
                                       hm_point at,
                                       uint32_t radius,
                                       const hm_filter *filter,
                                       hm_point *offset);

/* ------------------------------------------------------------------------------------------------
 * Motions: casts, moves up to an obstacle, moves along obstacles
 * ------------------------------------------------------------------------------------------------ */

/**
 * The rules of a character move. Fill it with hm_default_move_rules().
 */
typedef struct {
  /**
   * Pixels that the collider may step up per pixel sideways. 1 climbs slopes of 45 degrees, 0
   * none. Default 1.
   */
  uint32_t climb;
  /**
   * Pixels that the collider may slip to a free side per pixel of motion, as top-down games
   * need. Default 0.
   */
  uint32_t slip;
  /**
   * Layers whose colliders block only motion that comes down on them: platforms to jump
   * through. Default 0.
   */
  uint32_t one_way;
  /**
   * The largest distance in mask pixels by which a one-way platform may rise into a mover
   * between two moves and still raise it. Default 2.
   */
  uint32_t rise;
} hm_move_rules;

/**
 * Returns the rules of a walker: climb 1, slip 0, no one-way layers, rise 2.
 */
hm_move_rules hm_default_move_rules(void);

/**
 * Decides whether a collider blocks a motion. Gets `user` and the number that is stored with the
 * collider. Returns 0 to let the mover through. The rules of hm_keep_pair apply.
 */
typedef uint8_t (*hm_keep_collider)(void *user, hm_collider_id collider, uint64_t user_data);

/**
 * The first contact of a motion with one obstacle.
 */
typedef struct {
  /**
   * The step at which the two touch first: 0 if they overlap at the start. A step is one pixel
   * on the longer axis of the motion.
   */
  uint32_t step;
  /**
   * The steps of the whole motion.
   */
  uint32_t steps;
  /**
   * The last free translation, in mask pixels.
   */
  hm_point free_offset;
  /**
   * The translation at which the two touch, in mask pixels.
   */
  hm_point contact_offset;
  /**
   * The surface normal at the contact, of length 1, from the obstacle to what moves.
   */
  hm_vec2 normal;
  /**
   * The fraction of the motion that is free, from 0 to 1.
   */
  float time;
  /**
   * The side of the obstacle as seen from what moves.
   */
  hm_side side;
} hm_impact;

/**
 * A collider that a motion hits.
 */
typedef struct {
  /**
   * The collider that is hit.
   */
  hm_collider_id collider;
  /**
   * Where the mover ends: its position at the last free pixel, in pixels. (0, 0) for the casts
   * of masks, which have no position.
   */
  hm_vec2 position;
  /**
   * The top-left corner of the first pixel that both have, in pixels: where a shell carves, or an
   * effect appears. A sprite of one pixel with its pivot there covers that pixel.
   */
  hm_vec2 point;
  /**
   * The contact.
   */
  hm_impact impact;
} hm_hit;

/**
 * Writes the first collider that a collider would hit if it moved by `motion`, in pixels. HM_NONE
 * if the way is free. Nothing moves. Every pixel of the way is tested, at any speed. `keep` may be
 * null: then every obstacle blocks.
 */
hm_status hm_world_cast(const hm_world *world,
                        hm_collider_id id,
                        hm_vec2 motion,
                        hm_keep_collider keep,
                        void *user,
                        hm_hit *hit);

/**
 * A lent list of hits.
 */
typedef struct {
  /**
   * The first item.
   */
  const hm_hit *items;
  /**
   * The number of items.
   */
  size_t count;
} hm_hits;

/**
 * Lends all colliders that a collider would hit if it moved by `motion` through everything, in the
 * order of the way, until the next call that lends hits. `keep` may be null.
 */
hm_status hm_world_cast_all(hm_world *world,
                            hm_collider_id id,
                            hm_vec2 motion,
                            hm_keep_collider keep,
                            void *user,
                            hm_hits *hits);

/**
 * Writes the first collider of the filter that a mask would hit if it moved by `motion`, both in
 * mask pixels; `at` is where its top left pixel is. HM_NONE if the way is free.
 */
hm_status hm_world_cast_mask(const hm_world *world,
                             const hm_mask *mask,
                             hm_point at,
                             hm_point motion,
                             const hm_filter *filter,
                             hm_hit *hit);

/**
 * Lends all colliders of the filter that a mask would hit if it moved by `motion` through
 * everything, in the order of the way, until the next call that lends hits.
 */
hm_status hm_world_cast_mask_all(hm_world *world,
                                 const hm_mask *mask,
                                 hm_point at,
                                 hm_point motion,
                                 const hm_filter *filter,
                                 hm_hits *hits);

/**
 * Moves a collider by `motion`, in pixels, up to the first obstacle, and writes the hit that ended
 * the motion. HM_NONE if the whole way was free. `hit.position` is the new position.
 *
 * Errors: HM_STALE_ID, HM_BAD_NUMBER. The collider is left where it was.
 */
hm_status hm_world_move_until_contact(hm_world *world,
                                      hm_collider_id id,
                                      hm_vec2 motion,
                                      hm_hit *hit);

/**
 * The result of one move of hm_world_move_all().
 */
typedef struct {
  /**
   * The new position of the collider, in pixels.
   */
  hm_vec2 position;
  /**
   * The distance moved, in mask pixels.
   */
  hm_point translation;
  /**
   * The number of its contacts.
   */
  uint32_t contacts;
  /**
   * The number of sensors that it touched on its way.
   */
  uint32_t passed;
  /**
   * The number of obstacles that it still overlaps.
   */
  uint32_t stuck_in;
} hm_moved;

/**
 * An obstacle that ended a part of a move.
 */
typedef struct {
  /**
   * The obstacle.
   */
  hm_collider_id collider;
  /**
   * Its side as seen from the mover: HM_SIDE_BELOW for a floor.
   */
  hm_side side;
  /**
   * 0.
   */
  uint32_t reserved;
} hm_blocked;

/**
 * A lent list of obstacles.
 */
typedef struct {
  /**
   * The first item.
   */
  const hm_blocked *items;
  /**
   * The number of items.
   */
  size_t count;
} hm_blocked_list;

/**
 * The results of hm_world_move_all(), in the order of the ids. Each of the last three lists has the items
 * of the first move, then those of the second, and so on.
 */
typedef struct {
  /**
   * The first result.
   */
  const hm_moved *items;
  /**
   * The number of results.
   */
  size_t count;
  /**
   * The obstacles that ended a part of a motion, in the order of contact.
   */
  hm_blocked_list contacts;
  /**
   * The sensors that the colliders touched on their ways, in the order of each way.
   */
  hm_colliders passed;
  /**
   * The obstacles that the colliders still overlap: they are crushed.
   */
  hm_colliders stuck_in;
} hm_moves;

/**
 * Moves many colliders, one after another: `ids[i]` by `motions[i]`, in pixels. Gives the results of
 * calls of hm_world_move_by_rules() in this order, faster on several threads. `rules` may be null. The
 * lists are lent until the next call with the same world that moves colliders.
 *
 * Errors: HM_STALE_ID, HM_BAD_NUMBER. The message names the first bad item. Nothing has moved.
 */
hm_status hm_world_move_all(hm_world *world,
                            const hm_collider_id *ids,
                            const hm_vec2 *motions,
                            size_t count,
                            const hm_move_rules *rules,
                            hm_moves *moves);

/**
 * The result of a character move. The lists are lent until the next call of
 * hm_world_move_and_slide() or hm_world_move_by_rules...() with the same world.
 */
typedef struct {
  /**
   * The new position of the collider, in pixels.
   */
  hm_vec2 position;
  /**
   * The distance moved, in mask pixels.
   */
  hm_point translation;
  /**
   * The obstacles that ended a part of the motion, in the order of contact.
   */
  hm_blocked_list contacts;
  /**
   * The sensors that the collider touched on its way, in the order of the way.
   */
  hm_colliders passed;
  /**
   * The obstacles that the collider still overlaps: it is crushed. Usually empty.
   */
  hm_colliders stuck_in;
} hm_move_result;

/**
 * Moves a collider by `motion`, in pixels, and slides along obstacles: it stops flat at walls and
 * floors and walks up slopes of up to 45 degrees. It does not overlap, bounce or stick.
 *
 * Errors: HM_STALE_ID, HM_BAD_NUMBER. The collider is left where it was.
 */
hm_status hm_world_move_and_slide(hm_world *world,
                                  hm_collider_id id,
                                  hm_vec2 motion,
                                  hm_move_result *result);

/**
 * Does the same as hm_world_move_and_slide(), by the given rules, and without the obstacles for
 * which `keep` returns 0. `rules` and `keep` may be null.
 *
 * Errors: HM_STALE_ID, HM_BAD_NUMBER. The collider is left where it was.
 */
hm_status hm_world_move_by_rules(hm_world *world,
                                 hm_collider_id id,
                                 hm_vec2 motion,
                                 const hm_move_rules *rules,
                                 hm_keep_collider keep,
                                 void *user,
                                 hm_move_result *result);

/**
 * Decides whether a contact blocks a move. Gets `user`, the obstacle, the number that is stored
 * with it, its side as seen from the mover, and the surface normal from the obstacle to the mover.
 * Returns 0 to let the mover through. The rules of hm_keep_pair apply.
 */
typedef uint8_t (*hm_keep_contact)(void *user,
                                   hm_collider_id collider,
                                   uint64_t user_data,
                                   hm_side side,
                                   hm_vec2 normal);

/**
 * Does the same as hm_world_move_by_rules(), with a callback that decides about each contact: a
 * game can let a jump through ceilings, or make only steep walls count.
 *
 * Errors: HM_STALE_ID, HM_BAD_NUMBER. The collider is left where it was.
 */
hm_status hm_world_move_by_rules_per_contact(hm_world *world,
                                             hm_collider_id id,
                                             hm_vec2 motion,
                                             const hm_move_rules *rules,
                                             hm_keep_contact keep,
                                             void *user,
                                             hm_move_result *result);

/* ------------------------------------------------------------------------------------------------
 * Many in one call: inserts, placements, rays, picks, casts, poses drawn ahead
 * ------------------------------------------------------------------------------------------------ */

/**
 * Inserts many colliders, and lends their ids in the same order until the next call that lends ids. All
 * are inserted, or none.
 *
 * Errors: as hm_world_insert(). The message names the first bad item.
 */
hm_status hm_world_insert_all(hm_world *world,
                              const hm_collider *colliders,
                              size_t count,
                              hm_colliders *ids);

/**
 * A lent list of placements.
 */
typedef struct {
  /**
   * The first item.
   */
  const hm_placement *items;
  /**
   * The number of items.
   */
  size_t count;
} hm_placements;

/**
 * Lends the positions and angles of many colliders, in the order of `ids`, until the next call of this
 * function with the same world.
 *
 * Errors: HM_STALE_ID. The message names the first stale id.
 */
hm_status hm_world_placements(hm_world *world,
                              const hm_collider_id *ids,
                              size_t count,
                              hm_placements *placements);

/**
 * Lends what many rays hit first, until the next call of hm_world_ray_all() or this function with the same
 * world. Ray i runs from `ends[2 * i]` to `ends[2 * i + 1]`, in pixels: there are 2 * `count` ends. The
 * collider of a hit is 0 if the ray hits none.
 *
 * Errors: HM_BAD_NUMBER. The message names the first bad ray.
 */
hm_status hm_world_rays(hm_world *world,
                        const hm_vec2 *ends,
                        size_t count,
                        const hm_filter *filter,
                        hm_line_hits *hits);

/**
 * Lends the colliders under many pointers, by the rules of hm_world_pick(), until the next call of this
 * function with the same world. 0 for a pointer over none.
 *
 * Errors: HM_BAD_NUMBER, HM_BAD_VALUE. The message names the first bad point.
 */
hm_status hm_world_picks(hm_world *world,
                         const hm_vec2 *points,
                         size_t count,
                         float radius,
                         hm_pick_order order,
                         const hm_filter *filter,
                         hm_colliders *colliders);

/**
 * Lends the first obstacle on the way of many colliders, `ids[i]` moved by `motions[i]` pixels, until the
 * next call that lends hits. Nothing moves. The collider of a hit is 0 if the way is free.
 *
 * Errors: HM_STALE_ID, HM_BAD_NUMBER. The message names the first bad item.
 */
hm_status hm_world_casts(hm_world *world,
                         const hm_collider_id *ids,
                         const hm_vec2 *motions,
                         size_t count,
                         hm_hits *hits);

/**
 * Draws the poses that colliders would show, before they show them: while a level loads, or in the rest
 * of a frame. Positions and rules do not matter. Stops before a group of poses when this call has taken
 * `max_microseconds` or has drawn `max_bytes` of masks; UINT64_MAX is no limit. A group takes about 0.2 ms
 * and 128 KiB. Writes the number of colliders at the front whose poses are drawn: call it with the others
 * in the next frame, until none is left. Does nothing over a single drawn atlas, and for run-time masks.
 * No answer depends on it.
 *
 * Errors: as hm_world_insert(), and HM_OVER_LIMIT if the poses exceed the budget of the world. The message
 * names the first bad item. HM_BAD_VALUE for a limit on time in WebAssembly, which has no clock.
 */
hm_status hm_world_draw_ahead(hm_world *world,
                              const hm_collider *colliders,
                              size_t count,
                              uint64_t max_microseconds,
                              uint64_t max_bytes,
                              size_t *drawn);

/* ------------------------------------------------------------------------------------------------
 * Bodies: colliders of one owner
 * ------------------------------------------------------------------------------------------------ */

/**
 * Lends the colliders of an owner, in order of slots, until the next call that lends ids. Empty if
 * the owner has none, or is 0.
 */
hm_status hm_world_parts_of(hm_world *world, uint32_t owner, hm_colliders *parts);

/**
 * One object: all colliders of an owner, or a collider without an owner. hm_collider.owner names the
 * body of a collider.
 */
typedef struct {
  /**
   * The collider, or 0 if the body is that of an owner.
   */
  hm_collider_id collider;
  /**
   * The owner, or 0 if the body is a single collider.
   */
  uint32_t owner;
  /**
   * 0.
   */
  uint32_t reserved;
} hm_body;

/**
 * Two bodies that touch, and the parts by which they do.
 */
typedef struct {
  /**
   * The lesser body: owners come before single colliders.
   */
  hm_body a;
  /**
   * The greater body.
   */
  hm_body b;
  /**
   * A part of `a` that touches `part_b`.
   */
  hm_collider_id part_a;
  /**
   * A part of `b`.
   */
  hm_collider_id part_b;
} hm_body_pair;

/**
 * A lent list of pairs of bodies.
 */
typedef struct {
  /**
   * The first item.
   */
  const hm_body_pair *items;
  /**
   * The number of items.
   */
  size_t count;
} hm_body_pairs;

/**
 * Lends the pairs of bodies that touched at the last update, each pair once, until the next call
 * that lends pairs of bodies.
 */
hm_status hm_world_touching_bodies(hm_world *world, hm_body_pairs *pairs);

/**
 * Lends the pairs of bodies that began to touch at the last update, until the next call that lends
 * pairs of bodies.
 */
hm_status hm_world_began_bodies(hm_world *world, hm_body_pairs *pairs);

/**
 * Lends the pairs of bodies that ceased to touch at the last update, until the next call that
 * lends pairs of bodies.
 */
hm_status hm_world_ended_bodies(hm_world *world, hm_body_pairs *pairs);

/**
 * The first collider that the motion of a body hits.
 */
typedef struct {
  /**
   * The part that hits.
   */
  hm_collider_id part;
  /**
   * The body that is hit.
   */
  hm_body body;
  /**
   * The collider that is hit, and the position of the part at its last free pixel.
   */
  hm_hit hit;
} hm_body_hit;

/**
 * Writes the first collider that a body would hit if all its parts moved by `motion`, in
 * pixels. HM_NONE if the way is free for all. Nothing moves.
 */
hm_status hm_world_cast_body(const hm_world *world,
                             uint32_t owner,
                             hm_vec2 motion,
                             hm_body_hit *hit);

/**
 * Moves all parts of a body by `motion`, in pixels, up to the first obstacle of any of them,
 * and writes the hit that ended the motion. HM_NONE if the way was free.
 *
 * Errors: HM_UNKNOWN_OWNER, HM_BAD_NUMBER. Nothing has moved.
 */
hm_status hm_world_move_body(hm_world *world, uint32_t owner, hm_vec2 motion, hm_body_hit *hit);

/**
 * Moves all parts of a body by `motion`, in pixels, through everything.
 *
 * Errors: HM_UNKNOWN_OWNER, HM_BAD_NUMBER. Nothing has moved.
 */
hm_status hm_world_translate_body(hm_world *world, uint32_t owner, hm_vec2 motion);

/* ------------------------------------------------------------------------------------------------
 * Run-time masks of a world: terrain that can be destroyed
 * ------------------------------------------------------------------------------------------------ */

/**
 * A pivot in half-texels from the top left corner of a mask: (1, 1) is the centre of its first
 * pixel. It may be outside the mask. A null pointer to it means the centre of the mask.
 */
typedef struct {
  /**
   * Half-texels to the right.
   */
  int32_t x2;
  /**
   * Half-texels down.
   */
  int32_t y2;
} hm_pivot;

/**
 * Adds a copy of a mask to a world and writes its id. Colliders show it with hm_collider.mask; any
 * number of them can share it.
 *
 * Errors: HM_BAD_NUMBER for a pivot out of range, HM_FULL.
 */
hm_status hm_world_insert_mask(hm_world *world,
                               const hm_mask *mask,
                               const hm_pivot *pivot,
                               hm_mask_id *id);

/**
 * A transform of the plane: (x, y) becomes (a x + c y + tx, b x + d y + ty).
 */
typedef struct {
  /**
   * x to x.
   */
  double a;
  /**
   * x to y.
   */
  double b;
  /**
   * y to x.
   */
  double c;
  /**
   * y to y.
   */
  double d;
  /**
   * Translation to the right, in pixels.
   */
  double tx;
  /**
   * Translation down, in pixels.
   */
  double ty;
} hm_affine;

/**
 * Returns the transform of a child in its parent: scaled, then turned by `radians`, clockwise on screen,
 * about `registration` in the child, which is placed at `at` in the parent.
 */
hm_affine hm_affine_placed(hm_vec2 at,
                           hm_vec2 registration,
                           float angle,
                           float scale);

/**
 * Returns the transform that applies `first`, then `second`, as for a child and its parent.
 */
hm_affine hm_affine_then(hm_affine first, hm_affine second);

/**
 * Adds a mask that is drawn from a source by a transform about the pivot of the source, and writes
 * its id: for scales, skews and angles that no atlas holds.
 *
 * Errors: HM_BAD_NUMBER for a pivot or transform out of range, HM_BAD_MASK if the result is too
 * large, HM_FULL.
 */
hm_status hm_world_insert_transformed(hm_world *world,
                                      const hm_mask *source,
                                      const hm_pivot *pivot,
                                      const hm_affine *transform,
                                      hm_mask_id *id);

/**
 * Draws a mask of hm_world_insert_transformed() again with another transform, for all colliders
 * that show it. A transform that differs by whole pixels only moves the mask.
 *
 * Errors: HM_STALE_ID, HM_MASK_USE for a mask without a source, HM_BAD_NUMBER, HM_BAD_MASK.
 */
hm_status hm_world_transform_mask(hm_world *world, hm_mask_id id, const hm_affine *transform);

/**
 * Draws a mask of hm_world_insert_transformed() again from another source and pivot, with its last
 * transform, for all colliders that show it: a hole in the source turns with the rest.
 *
 * Errors: HM_STALE_ID, HM_MASK_USE for a mask without a source, HM_BAD_NUMBER, HM_BAD_MASK.
 */
hm_status hm_world_redraw_mask(hm_world *world,
                               hm_mask_id id,
                               const hm_mask *source,
                               const hm_pivot *pivot);

/**
 * Sets or clears a rectangle of a run-time mask, for all colliders that show it. The rectangle is
 * in pixels of the mask. What is outside of the mask is ignored. `solid` is 0 to clear.
 */
hm_status hm_world_fill_rect(hm_world *world, hm_mask_id id, hm_rect rect, uint8_t solid);

/**
 * Sets or clears a disc of a run-time mask: the pixels whose centre is at most `radius` pixels from
 * the centre of the pixel `center`. `solid` is 0 to clear: a crater.
 *
 * Errors: HM_STALE_ID, HM_BAD_MASK for a radius that is too large.
 */
hm_status hm_world_fill_disc(hm_world *world,
                             hm_mask_id id,
                             hm_point center,
                             uint32_t radius,
                             uint8_t solid);

/**
 * How a mask is drawn on another one.
 */
typedef uint32_t hm_blit;

/**
 * Sets the pixels that are set in the other mask.
 */
#define HM_BLIT_DRAW 0

/**
 * Clears the pixels that are set in the other mask.
 */
#define HM_BLIT_ERASE 1

/**
 * Toggles the pixels that are set in the other mask.
 */
#define HM_BLIT_TOGGLE 2

/**
 * Clears the pixels that are not set in the other mask, also those outside of it.
 */
#define HM_BLIT_INTERSECT 3

/**
 * Draws a mask on a run-time mask: HM_BLIT_DRAW, HM_BLIT_ERASE, HM_BLIT_TOGGLE or
 * HM_BLIT_INTERSECT. The top left pixel of `mask` goes to `at`.
 */
hm_status hm_world_blit(hm_world *world,
                        hm_mask_id id,
                        const hm_mask *mask,
                        hm_point at,
                        hm_blit operation);

/**
 * Replaces the pixels of a run-time mask by those of a mask of the same size.
 *
 * Errors: HM_STALE_ID, HM_BAD_LENGTH if the sizes differ.
 */
hm_status hm_world_replace_mask(hm_world *world, hm_mask_id id, const hm_mask *mask);

/**
 * Creates a copy of a run-time mask. Destroy it with hm_mask_destroy().
 */
hm_status hm_world_copy_mask(const hm_world *world, hm_mask_id id, hm_mask **mask);

/**
 * Removes a run-time mask from a world. Its id stays stale.
 *
 * Errors: HM_STALE_ID, HM_MASK_USE if a collider shows it.
 */
hm_status hm_world_remove_mask(hm_world *world, hm_mask_id id);

/* ------------------------------------------------------------------------------------------------
 * Snapshots, and the hash of a state
 * ------------------------------------------------------------------------------------------------ */

/**
 * A lent list of bytes.
 */
typedef struct {
  /**
   * The first item.
   */
  const uint8_t *items;
  /**
   * The number of items.
   */
  size_t count;
} hm_bytes;

/**
 * Lends the whole state of a world as bytes, until the next call of this function or of
 * hm_world_snapshot_to() with the same world: for replays and saved games. User data is included. The same
 * state gives the same bytes on every machine. For rollback, hm_world_assign() is faster.
 */
hm_status hm_world_snapshot(hm_world *world,
                            hm_bytes *bytes);

/**
 * Writes the whole state of a world to the caller's buffer, and the number of its bytes to `size`.
 * If the buffer is too small, `size` is the number of bytes that are needed. A null pointer with the
 * capacity 0 asks for that number.
 *
 * Errors: HM_BUFFER_TOO_SMALL, HM_NULL_POINTER, HM_BAD_LENGTH for a capacity beyond any memory.
 */
hm_status hm_world_snapshot_to(hm_world *world,
                               uint8_t *buffer,
                               size_t capacity,
                               size_t *size);

/**
 * Restores the state of a snapshot of a world over the same atlas. Ids that were valid then are
 * valid again. The lists of events are those of the snapshot; older lent ones become invalid.
 *
 * Errors: HM_NOT_A_SNAPSHOT, HM_DAMAGED. The world is left as it was.
 */
hm_status hm_world_restore(hm_world *world, const uint8_t *bytes, size_t count);

/**
 * Creates a world from a snapshot over the same atlas.
 *
 * Errors: HM_NOT_A_SNAPSHOT, HM_DAMAGED, HM_FULL.
 */
hm_status hm_world_from_snapshot(const hm_atlas *atlas,
                                 const uint8_t *bytes,
                                 size_t count,
                                 hm_world **world);

/**
 * Writes a hash of the state that snapshots hold: equal states give equal hashes on every machine,
 * in every language. User data is included. A later version of the library may give another value.
 */
hm_status hm_world_state_hash(const hm_world *world, uint64_t *hash);

/**
 * Checks the invariants of a world, for bug reports. It takes a while.
 *
 * Errors: HM_INVALID_WORLD.
 */
hm_status hm_world_validate(const hm_world *world);

/* ------------------------------------------------------------------------------------------------
 * Atlases: open, find sprites
 * ------------------------------------------------------------------------------------------------ */

/**
 * Limits on what opening an atlas may draw. A compact atlas of a few hundred bytes can state
 * settings that take gigabytes to draw. Fill it with hm_default_atlas_limits(). A null pointer to
 * it means the default limits.
 */
typedef struct {
  /**
   * The largest size of a drawn atlas in bytes. Default 2^30.
   */
  uint64_t max_bytes;
  /**
   * The largest number of drawn poses. Default 2^23.
   */
  uint64_t max_poses;
  /**
   * The largest number of samples, which limits the time. Default 2^33.
   */
  uint64_t max_samples;
} hm_atlas_limits;

/**
 * Returns the default limits for opening an atlas.
 */
hm_atlas_limits hm_default_atlas_limits(void);

/**
 * Opens an atlas file. Its structure is checked; hm_atlas_verify() checks the pixels too.
 *
 * Errors: HM_BAD_TEXT for a path that is not UTF-8 or has more than 4095 bytes, HM_IO,
 * HM_NOT_AN_ATLAS, HM_DAMAGED, HM_OVER_LIMIT, HM_FULL, HM_UNSUPPORTED in a browser.
 */
hm_status hm_atlas_open(const char *path, const hm_atlas_limits *limits, hm_atlas **atlas);

/**
 * Opens an atlas in memory. The bytes are copied.
 *
 * Errors: HM_NOT_AN_ATLAS, HM_DAMAGED, HM_OVER_LIMIT, HM_NULL_POINTER, HM_FULL.
 */
hm_status hm_atlas_from_bytes(const uint8_t *bytes,
                              size_t count,
                              const hm_atlas_limits *limits,
                              hm_atlas **atlas);

/**
 * Opens an atlas in place, without a copy if the bytes are aligned to 64. The bytes must stay as
 * they are until the atlas and every world and batch over it is destroyed: for data that is part of the
 * program, or a file that is mapped into memory.
 *
 * Errors: HM_NOT_AN_ATLAS, HM_DAMAGED, HM_OVER_LIMIT, HM_NULL_POINTER, HM_FULL.
 */
hm_status hm_atlas_from_static(const uint8_t *bytes,
                               size_t count,
                               const hm_atlas_limits *limits,
                               hm_atlas **atlas);

/**
 * Destroys the handle of an atlas. Worlds over it keep what they need. All texts that it has lent
 * become invalid. Null is allowed.
 */
hm_status hm_atlas_destroy(hm_atlas *atlas);

/**
 * Checks every byte of an atlas: checksums and pixels. Opening checks the structure only, which is
 * enough for files of one's own. Takes about 1 ms per megabyte.
 *
 * Errors: HM_DAMAGED.
 */
hm_status hm_atlas_verify(const hm_atlas *atlas);

/**
 * Writes the number of sprites.
 */
hm_status hm_atlas_sprite_count(const hm_atlas *atlas, uint32_t *count);

/**
 * Writes the number of stored poses.
 */
hm_status hm_atlas_pose_count(const hm_atlas *atlas, uint32_t *count);

/**
 * Writes the mask pixels per pixel of positions: 1 unless the atlas was baked otherwise.
 */
hm_status hm_atlas_resolution(const hm_atlas *atlas, float *resolution);

/**
 * Lends the bytes of an atlas until it is destroyed.
 */
hm_status hm_atlas_bytes(const hm_atlas *atlas, hm_bytes *bytes);

/**
 * A property of a map or of an item: two texts in UTF-8 with a NUL at the end.
 */
typedef struct {
  /**
   * The name of the property.
   */
  const char *key;
  /**
   * The value as a text, such as "3", "true" or "#ff0000".
   */
  const char *value;
} hm_property;

/**
 * A lent list of properties.
 */
typedef struct {
  /**
   * The first item.
   */
  const hm_property *items;
  /**
   * The number of items.
   */
  size_t count;
} hm_properties;

/**
 * A part of a map: a chunk of tiles, an object or a point.
 */
typedef struct {
  /**
   * What tells the item from all others, in this version of the level and in later ones: "solid/3,-1" is
   * the chunk in column 3 and row -1, "things/17" is object 17 of a layer. UTF-8 with a NUL at its end.
   */
  const char *id;
  /**
   * The name of the object, or the terrain of a chunk, UTF-8 with a NUL at its end.
   */
  const char *name;
  /**
   * The class of the object; "chunk" for a chunk of tiles.
   */
  const char *class_name;
  /**
   * The properties of the object.
   */
  hm_properties properties;
  /**
   * The position in pixels: of the collider, or of the point. From the top-left corner of the map
   * for hm_atlas_map(), else in the world.
   */
  hm_vec2 position;
  /**
   * The size of the object in pixels, before it is turned. (0, 0) for a point.
   */
  hm_vec2 size;
  /**
   * The collider in the world. 0 for a point, for an item whose collider the game removed before an
   * update of the map, and for all items of hm_atlas_map().
   */
  hm_collider_id collider;
} hm_map_item;

/**
 * A lent list of the items of a map.
 */
typedef struct {
  /**
   * The first item.
   */
  const hm_map_item *items;
  /**
   * The number of items.
   */
  size_t count;
} hm_map_items;

/**
 * A map: the colliders and the named places of a level.
 */
typedef struct {
  /**
   * The name, UTF-8 with a NUL at its end. Null if there is no map.
   */
  const char *name;
  /**
   * Width and height in pixels.
   */
  hm_vec2 size;
  /**
   * The properties of the map.
   */
  hm_properties properties;
  /**
   * The colliders and the places, in the order of the level file.
   */
  hm_map_items items;
} hm_map;

/**
 * Writes the map with this name, for reading. Its texts and lists are lent until the atlas is destroyed.
 * HM_NONE if there is none.
 */
hm_status hm_atlas_map(const hm_atlas *atlas,
                       const char *name,
                       hm_map *map);

/**
 * Writes the id of the sprite with this name. HM_NONE if there is none: hm_atlas_alike() gives a name to
 * suggest.
 */
hm_status hm_atlas_sprite(const hm_atlas *atlas,
                          const char *name,
                          hm_sprite_id *sprite);

/**
 * Lends the name most like a misspelt one, for a message, until the atlas is destroyed: of a sprite if
 * `sprite` is 0, or else of a plane of that sprite. HM_NONE if no name is like it. Costs about 1 us for
 * each sprite.
 */
hm_status hm_atlas_alike(const hm_atlas *atlas,
                         hm_sprite_id sprite,
                         const char *name,
                         const char **other);

/**
 * Writes the id of the sprite at an index, in the order of names from 0. HM_NONE beyond the last.
 */
hm_status hm_atlas_sprite_at(const hm_atlas *atlas, uint32_t index, hm_sprite_id *sprite);

/**
 * What is known about a sprite. The name is lent until the atlas is destroyed.
 */
typedef struct {
  /**
   * The id of the sprite.
   */
  hm_sprite_id id;
  /**
   * The name, UTF-8 with a NUL at its end.
   */
  const char *name;
  /**
   * The number of frames.
   */
  uint32_t frames;
  /**
   * The number of planes of each frame, at least 1.
   */
  uint32_t planes;
  /**
   * The number of baked angles in a full turn.
   */
  uint32_t angles;
  /**
   * The number of baked scales.
   */
  uint32_t scales;
  /**
   * The bytes of its masks.
   */
  uint64_t mask_bytes;
} hm_sprite;

/**
 * Writes what is known about a sprite.
 */
hm_status hm_atlas_sprite_info(const hm_atlas *atlas, hm_sprite_id sprite, hm_sprite *info);

/**
 * A lent list of numbers.
 */
typedef struct {
  /**
   * The first item.
   */
  const float *items;
  /**
   * The number of items.
   */
  size_t count;
} hm_floats;

/**
 * Lends the baked scales of a sprite, in ascending order, until the atlas is destroyed.
 */
hm_status hm_atlas_scales(const hm_atlas *atlas, hm_sprite_id sprite, hm_floats *scales);

/**
 * Writes the index of the plane with this name. HM_NONE if there is none.
 */
hm_status hm_atlas_plane(const hm_atlas *atlas,
                         hm_sprite_id sprite,
                         const char *name,
                         uint32_t *plane);

/**
 * Lends the name of a plane until the atlas is destroyed. HM_NONE if there is no such plane.
 */
hm_status hm_atlas_plane_name(const hm_atlas *atlas,
                              hm_sprite_id sprite,
                              uint32_t plane,
                              const char **name);

/**
 * How the value of the channel is compared with hm_texel_rule.alpha.
 */
typedef uint8_t hm_alpha_test;

/**
 * Solid if the value is at least `alpha`. The default.
 */
#define HM_ALPHA_AT_LEAST 0

/**
 * Solid if the value is greater than `alpha`.
 */
#define HM_ALPHA_ABOVE 1

/**
 * Solid if all bits of `alpha` are set in the value.
 */
#define HM_ALPHA_BITS 2

/**
 * The channel of an image that decides.
 */
typedef uint8_t hm_channel;

/**
 * The fourth byte of a pixel. The default.
 */
#define HM_CHANNEL_ALPHA 0

/**
 * The first byte.
 */
#define HM_CHANNEL_RED 1

/**
 * The second byte.
 */
#define HM_CHANNEL_GREEN 2

/**
 * The third byte.
 */
#define HM_CHANNEL_BLUE 3

/**
 * A range of colours: each of red, green, blue and alpha from a lowest to a highest value, both
 * included.
 */
typedef struct {
  /**
   * The lowest red, green, blue and alpha.
   */
  uint8_t from[4];
  /**
   * The highest red, green, blue and alpha.
   */
  uint8_t to[4];
} hm_color_range;

/**
 * Which pixels of an image are solid. Fill it with hm_default_texel_rule(). The arrays are read
 * during the call that gets the rule.
 */
typedef struct {
  /**
   * Set by hm_default_texel_rule(); do not change it.
   */
  uint32_t cookie;
  /**
   * The number that the value of the channel is compared with. Default 128.
   */
  uint8_t alpha;
  /**
   * How the two are compared. Default HM_ALPHA_AT_LEAST.
   */
  hm_alpha_test alpha_test;
  /**
   * The channel. Default HM_CHANNEL_ALPHA.
   */
  hm_channel channel;
  /**
   * 0.
   */
  uint8_t reserved;
  /**
   * Colours that are never solid, or null.
   */
  const hm_color_range *exclude;
  /**
   * The number of these colours. Default 0.
   */
  size_t exclude_count;
  /**
   * Colours that alone can be solid, or null for all.
   */
  const hm_color_range *only;
  /**
   * The number of these colours. Default 0.
   */
  size_t only_count;
} hm_texel_rule;

/**
 * Writes the rule for alpha that a sprite was baked with, for masks at run time that equal baked ones.
 * Its channel and colours are the defaults, because an atlas does not hold them.
 */
hm_status hm_atlas_alpha_rule(const hm_atlas *atlas,
                              hm_sprite_id sprite,
                              hm_texel_rule *rule);

/**
 * Writes the threshold of a plane by alpha: its pixels have at least this alpha. HM_NONE if the plane
 * has none, or if there is no such plane.
 */
hm_status hm_atlas_plane_threshold(const hm_atlas *atlas,
                                   hm_sprite_id sprite,
                                   uint32_t plane,
                                   uint8_t *threshold);

/**
 * Writes the plane with the least threshold that is at least `threshold`: every pixel of it has at
 * least this alpha. HM_NONE if there is none.
 */
hm_status hm_atlas_plane_for_threshold(const hm_atlas *atlas,
                                       hm_sprite_id sprite,
                                       uint8_t threshold,
                                       uint32_t *plane);

/**
 * Writes the plane of a sprite that is drawn with an alpha of its own, `fade`, usually from 0 to 1: a
 * pixel counts if its alpha times `fade` is at least `threshold`. HM_NONE if no pixel can: disable
 * the collider then.
 */
hm_status hm_atlas_plane_for_fade(const hm_atlas *atlas,
                                  hm_sprite_id sprite,
                                  uint8_t threshold,
                                  float fade,
                                  uint32_t *plane);

/**
 * A size in pixels.
 */
typedef struct {
  /**
   * Columns.
   */
  uint32_t width;
  /**
   * Rows.
   */
  uint32_t height;
} hm_size;

/**
 * Writes the size of a frame's image in pixels, before trimming.
 */
hm_status hm_atlas_frame_size(const hm_atlas *atlas,
                              hm_sprite_id sprite,
                              uint32_t frame,
                              hm_size *size);

/**
 * Writes the pivot of a frame in half-pixels from the top left corner of its image.
 */
hm_status hm_atlas_pivot(const hm_atlas *atlas,
                         hm_sprite_id sprite,
                         uint32_t frame,
                         hm_point *pivot);

/**
 * Creates a mask of a pose: the baked one nearest to an angle in radians and a scale. Writes to
 * `origin` where its top left pixel is relative to the position of a collider; `origin` may be
 * null. The flips are 0 or not. HM_NONE if the angle or the scale is not finite.
 */
hm_status hm_atlas_posed_mask(const hm_atlas *atlas,
                              hm_sprite_id sprite,
                              uint32_t frame,
                              uint32_t plane,
                              float angle,
                              float scale,
                              uint8_t flip_x,
                              uint8_t flip_y,
                              hm_mask **mask,
                              hm_point *origin);

/* ------------------------------------------------------------------------------------------------
 * Several atlases in one world, and new versions of them
 * ------------------------------------------------------------------------------------------------ */

/**
 * For hm_world_set_pose_budget(): no limit.
 */
#define HM_NO_POSE_BUDGET UINT64_MAX

/**
 * The id of an atlas, which depends on the names, the settings and the masks of its sprites. A game
 * can tell by it whether two players have the same atlas. Sprite ids carry it. 0 is no atlas.
 */
typedef uint32_t hm_atlas_id;

/**
 * Writes the id of an atlas.
 */
hm_status hm_atlas_get_id(const hm_atlas *atlas, hm_atlas_id *id);

/**
 * Creates a handle of the same atlas under another id, which depends on its own id and on `label`.
 * So a world can hold an atlas several times. Sprite ids of the atlas before are refused by the new
 * one. The bytes are shared.
 */
hm_status hm_atlas_labelled(const hm_atlas *atlas, uint32_t label, hm_atlas **labelled);

/**
 * Writes whether all poses of an atlas are stored. Those of a compact atlas are drawn when they are
 * shown, unless it is opened with hm_atlas_drawn().
 */
hm_status hm_atlas_is_drawn(const hm_atlas *atlas, bool *is_drawn);

/**
 * Creates a handle of the same atlas with all poses, on all cores. It has the same id. A drawn atlas
 * is shared at once.
 *
 * Errors: HM_OVER_LIMIT, HM_DAMAGED, HM_FULL.
 */
hm_status hm_atlas_drawn(const hm_atlas *atlas,
                         hm_atlas **drawn);

/**
 * Adds an atlas to a world and writes its id, so that colliders may show its sprites beside those of
 * the others. All atlases of a world have one resolution and different ids. Places every collider
 * again. The handle of the atlas may be destroyed afterwards.
 *
 * Errors: HM_ATLAS_USE for another resolution or an id that the world has, HM_OVER_LIMIT.
 */
hm_status hm_world_add_atlas(hm_world *world,
                             const hm_atlas *atlas,
                             hm_atlas_id *id);

/**
 * Drops an atlas that no collider shows, with its earlier versions. Its sprite ids are refused from
 * then on.
 *
 * Errors: HM_ATLAS_USE if colliders show it or if it is the only one, HM_UNKNOWN_ATLAS.
 */
hm_status hm_world_drop_atlas(hm_world *world, hm_atlas_id atlas);

/**
 * Drops an atlas with its earlier versions, removes the colliders that show it, and lends their ids,
 * which are stale from then on, until the next call that lends ids. Their pairs end with the next
 * update.
 *
 * Errors: HM_ATLAS_USE if it is the only one, HM_UNKNOWN_ATLAS.
 */
hm_status hm_world_drop_atlas_and_colliders(hm_world *world,
                                            hm_atlas_id atlas,
                                            hm_colliders *removed);

/**
 * The result of hm_world_replace_atlas().
 */
typedef struct {
  /**
   * The colliders that keep the pixels of the earlier version, because the new one has no sprite,
   * plane or frame for them, in order of slots. Lent until the next call that lends ids.
   */
  hm_colliders outdated;
  /**
   * The id of the new atlas.
   */
  hm_atlas_id atlas;
  /**
   * The number of sprites that differ: see hm_world_sprite_change().
   */
  uint32_t changes;
} hm_reload_report;

/**
 * Replaces the atlas with the id `old` by another version of it, as after a new bake. Sprites,
 * planes and ids are matched by name: each collider keeps its id and place, and sprite ids of the
 * earlier version keep working. A collider whose sprite, plane or frame is missing in the new version
 * keeps its earlier pixels, and the report lists it. The next update tests all pairs.
 *
 * Errors: HM_UNKNOWN_ATLAS, HM_ATLAS_USE for another resolution or the id of another atlas of the
 * world, HM_OVER_LIMIT.
 */
hm_status hm_world_replace_atlas(hm_world *world,
                                 hm_atlas_id old,
                                 const hm_atlas *atlas,
                                 hm_reload_report *report);

/**
 * A lent list of whole numbers.
 */
typedef struct {
  /**
   * The first item.
   */
  const uint32_t *items;
  /**
   * The number of items.
   */
  size_t count;
} hm_numbers;

/**
 * What happened to a sprite when an atlas was replaced.
 */
typedef uint32_t hm_sprite_change_kind;

/**
 * Only the new atlas has the sprite.
 */
#define HM_SPRITE_ADDED 0

/**
 * Only the earlier atlas has the sprite.
 */
#define HM_SPRITE_VANISHED 1

/**
 * The images of the sprite differ in number or size, or it lost a plane.
 */
#define HM_SPRITE_CHANGED 2

/**
 * A sprite that differs between two versions of an atlas. The lists are lent until the next call of
 * hm_world_replace_atlas() with the same world.
 */
typedef struct {
  /**
   * The name of the sprite, UTF-8 with a NUL at its end.
   */
  const char *sprite;
  /**
   * The names of the planes that the new version lacks, with a line feed after each.
   */
  const char *lost_planes;
  /**
   * The frames of both versions whose images have another size, counted from 0.
   */
  hm_numbers resized;
  /**
   * HM_SPRITE_ADDED, HM_SPRITE_VANISHED or HM_SPRITE_CHANGED.
   */
  hm_sprite_change_kind kind;
  /**
   * The number of frames before, of a changed sprite; else 0.
   */
  uint32_t frames_before;
  /**
   * The number of frames now, of a changed sprite; else 0.
   */
  uint32_t frames;
  /**
   * 0.
   */
  uint32_t reserved;
} hm_sprite_change;

/**
 * Writes a sprite that differs, by its index in the last report of hm_world_replace_atlas(): first
 * the added ones, then the vanished, then the changed. HM_NONE beyond the last.
 */
hm_status hm_world_sprite_change(const hm_world *world, uint32_t index, hm_sprite_change *change);

/**
 * A lent list of ids of atlases.
 */
typedef struct {
  /**
   * The first item.
   */
  const hm_atlas_id *items;
  /**
   * The number of items.
   */
  size_t count;
} hm_atlas_ids;

/**
 * Lends the ids of the atlases of a world, in the order of adding, until the next call of this
 * function with the same world. Earlier versions that colliders still show follow.
 */
hm_status hm_world_atlases(hm_world *world, hm_atlas_ids *ids);

/**
 * Creates a handle of an atlas of a world. Destroy it with hm_atlas_destroy(). The bytes are shared.
 */
hm_status hm_world_atlas(const hm_world *world,
                         hm_atlas_id id,
                         hm_atlas **atlas);

/**
 * Writes the atlas of a world that has a sprite, and the id of the sprite there. An id of an earlier
 * version names the sprite of the same name in the newest one. HM_NONE if no atlas has it. `newest`
 * may be null.
 *
 * Errors: HM_UNKNOWN_SPRITE if `sprite` is no id.
 */
hm_status hm_world_atlas_of_sprite(const hm_world *world,
                                   hm_sprite_id sprite,
                                   hm_atlas_id *atlas,
                                   hm_sprite_id *newest);

/**
 * Creates a world from a snapshot over several atlases: those of hm_world_atlases() when the
 * snapshot was taken, in that order. For one atlas, hm_world_from_snapshot() does the same.
 *
 * Errors: HM_NOT_A_SNAPSHOT, HM_DAMAGED, HM_FULL; those of handles, for each atlas.
 */
hm_status hm_world_from_snapshot_over(const hm_atlas *const *atlases,
                                      size_t atlas_count,
                                      const uint8_t *bytes,
                                      size_t count,
                                      hm_world **world);

/**
 * Limits the bytes of the masks that a world has drawn from compact atlases, or of several atlases.
 * HM_NO_POSE_BUDGET, the default, is no limit. When a new pose does not fit, poses that no collider
 * shows make room, which takes a pass over all colliders. Give at least 4/3 of what colliders show:
 * close to the limit almost every new pose takes such a pass.
 *
 * Errors: HM_OVER_LIMIT if the poses that colliders show take more.
 */
hm_status hm_world_set_pose_budget(hm_world *world, uint64_t bytes);

/**
 * Writes the budget of hm_world_set_pose_budget().
 */
hm_status hm_world_pose_budget(const hm_world *world, uint64_t *bytes);

/**
 * The figures of hm_world_pose_stats().
 */
typedef struct {
  /**
   * The number of poses that are drawn at present, shown or not.
   */
  uint64_t poses;
  /**
   * The bytes of their masks, with unused gaps between them.
   */
  uint64_t bytes;
  /**
   * The number of poses drawn since the last update.
   */
  uint64_t draws;
} hm_pose_stats;

/**
 * Writes figures about the poses that a world has drawn. All are 0 over a single drawn atlas.
 */
hm_status hm_world_pose_stats(const hm_world *world, hm_pose_stats *stats);

/* ------------------------------------------------------------------------------------------------
 * Maps: levels of an atlas, and their colliders in a world
 * ------------------------------------------------------------------------------------------------ */

/**
 * The colliders of a map in a world, by which hm_world_update_map() brings them up to date. One thread
 * at a time. Create with hm_world_insert_map(), destroy with hm_placed_map_destroy(); the colliders stay.
 */
typedef struct hm_placed_map hm_placed_map;

/**
 * Inserts the colliders of a map, fixed, with the map's top-left corner at a position in pixels. Takes the
 * map of the first atlas of hm_world_atlases() that has one with this name. Lends the map with the ids of
 * its colliders until the next call of this function with the same world. hm_world_remove_all() takes
 * them out again.
 *
 * After hm_world_replace_atlas() the colliders show the new pixels, and hm_world_update_map() brings the
 * rest up to date. It takes `placed`, which may be null for a map that is never edited.
 *
 * Errors: HM_UNKNOWN_SPRITE if no atlas has the map, or the map's atlas has no sprite that the map
 * needs; HM_BAD_TEXT, HM_BAD_NUMBER, HM_UNBAKED_SCALE, HM_OVER_LIMIT, HM_FULL. No collider was inserted.
 */
hm_status hm_world_insert_map(hm_world *world,
                              const char *name,
                              hm_vec2 at,
                              hm_map *map,
                              hm_placed_map **placed);

/**
 * The result of hm_world_update_map(). The numbers are indices of `map.items`, ascending. All is lent
 * until the next update of the same placed map, or its destruction.
 */
typedef struct {
  /**
   * The map as it is now, with the ids of its colliders.
   */
  hm_map map;
  /**
   * The items whose colliders were inserted.
   */
  hm_numbers inserted;
  /**
   * The items that are gone, as they were before. Their colliders were removed, and the ids are stale.
   */
  hm_map_items removed;
  /**
   * The items whose colliders were moved, or changed in another field. Other pixels alone do not count:
   * hm_world_replace_atlas() shows them.
   */
  hm_numbers changed;
  /**
   * The items that the game has changed or removed itself. They keep what it changed.
   */
  hm_numbers kept;
} hm_map_report;

/**
 * Brings a placed map up to date with the map of the same name in the first atlas of hm_world_atlases() that
 * has one, as a rule after hm_world_replace_atlas(). Items are matched by their ids: those that are gone are
 * removed, new ones inserted, moved ones moved, and all others keep their colliders. What the game has
 * changed itself stays, and the report lists it.
 *
 * Errors: those of hm_world_insert_map(). The world and the placed map stay as they were, with a level that
 * is damaged or incomplete too: the game goes on with the last one.
 */
hm_status hm_world_update_map(hm_world *world,
                              hm_placed_map *placed,
                              hm_map_report *report);

/**
 * Destroys a placed map, and leaves its colliders in the world. Null is allowed.
 */
hm_status hm_placed_map_destroy(hm_placed_map *placed);

/* ------------------------------------------------------------------------------------------------
 * Bakes: images in memory to an atlas
 * ------------------------------------------------------------------------------------------------ */

/**
 * How a pixel of a turned or scaled mask is decided.
 */
typedef uint32_t hm_sampling;

/**
 * The texel under the pixel's centre decides, as a renderer with nearest filtering draws.
 */
#define HM_SAMPLING_NEAREST 0

/**
 * 4 of 16 samples decide. Keeps thin lines in one piece; baking takes about 10 times as long.
 */
#define HM_SAMPLING_COVERAGE25 1

/**
 * How sprites are baked. Fill it with hm_default_bake_settings().
 */
typedef struct {
  /**
   * Set by hm_default_bake_settings(); do not change it.
   */
  uint32_t cookie;
  /**
   * The number of angles in a full turn. Ignored if `max_error` is not 0. Default 64.
   */
  uint32_t angles;
  /**
   * The scales, as an array that is read during the call; null for scale 1 only.
   */
  const float *scales;
  /**
   * The number of scales. Default 0.
   */
  size_t scale_count;
  /**
   * If not 0, the number of angles is chosen for each sprite so that no pixel is farther from
   * its exact place, in pixels. Default 0.
   */
  float max_error;
  /**
   * How pixels are decided. Default HM_SAMPLING_NEAREST.
   */
  hm_sampling sampling;
  /**
   * The pivot, if `use_pivot` is not 0.
   */
  hm_pivot pivot;
  /**
   * 0 for the centre of each frame. Default 0.
   */
  uint8_t use_pivot;
  /**
   * A pixel of an image is solid if its alpha is at least this. Default 128.
   */
  uint8_t alpha;
  /**
   * Not 0 to add a frame after the last: the union of all frames, which cannot miss a hit on a
   * frame that the game skips. Default 0.
   */
  uint8_t motion_frame;
  /**
   * 0.
   */
  uint8_t reserved;
  /**
   * The rule for solid pixels of images, read during the call; null for `alpha`.
   */
  const hm_texel_rule *rule;
  /**
   * Additional planes by alpha, each from 1 to 255, read during the call; or null. Each plane has
   * the pixels whose alpha is at least its threshold. See hm_atlas_plane_for_threshold().
   */
  const uint8_t *thresholds;
  /**
   * The number of these planes. Default 0.
   */
  size_t threshold_count;
} hm_bake_settings;

/**
 * Returns the default settings: 64 angles, scale 1, alpha of at least 128, the centre as pivot.
 */
hm_bake_settings hm_default_bake_settings(void);

/**
 * Collects sprites and bakes an atlas of them in memory. One thread at a time. Create with
 * hm_baker_create(), destroy with hm_baker_destroy().
 */
typedef struct hm_baker hm_baker;

/**
 * Creates a baker without sprites.
 */
hm_status hm_baker_create(hm_baker **baker);

/**
 * Destroys a baker. The bytes that it has lent become invalid. Null is allowed.
 */
hm_status hm_baker_destroy(hm_baker *baker);

/**
 * Sets the settings of all sprites that are added afterwards without settings of their own.
 */
hm_status hm_baker_set_settings(hm_baker *baker, const hm_bake_settings *settings);

/**
 * Sets the mask pixels per pixel of positions, a power of 2 from 1/8 to 8. Default 1. The bake
 * reports other values: HM_BAKE.
 */
hm_status hm_baker_set_resolution(hm_baker *baker, float resolution);

/**
 * Limits the size of the opened atlas in bytes. If it would be larger, sprites that turn get fewer
 * angles. The bake fails if 8 angles for each exceed the limit. Default: no limit.
 */
hm_status hm_baker_set_max_bytes(hm_baker *baker, uint64_t bytes);

/**
 * Sets whether the atlas holds the images only, and a world draws poses when they are first shown.
 * `compact` is 0 or not. Default 0.
 */
hm_status hm_baker_set_compact(hm_baker *baker, uint8_t compact);

/**
 * Adds a sprite of `frames` images of one size: 4 bytes per pixel, the last of which is alpha, row
 * by row from the top, one image after the other. The bytes are read during the call. `settings` may
 * be null. Bad names are reported by the bake.
 *
 * Errors: HM_BAD_TEXT, HM_BAD_LENGTH if `count` is not 4 * width * height * frames, HM_BAD_MASK if
 * a side is too large, HM_UNINITIALISED, HM_BAD_VALUE.
 */
hm_status hm_baker_add_rgba(hm_baker *baker,
                            const char *name,
                            uint32_t width,
                            uint32_t height,
                            uint32_t frames,
                            const uint8_t *rgba,
                            size_t count,
                            const hm_bake_settings *settings);

/**
 * Adds a sprite whose frames are copies of masks. `settings` may be null.
 *
 * Errors: those of handles, for each mask; HM_BAD_TEXT, HM_NULL_POINTER, HM_UNINITIALISED,
 * HM_BAD_VALUE.
 */
hm_status hm_baker_add_masks(hm_baker *baker,
                             const char *name,
                             const hm_mask *const *masks,
                             size_t count,
                             const hm_bake_settings *settings);

/**
 * Adds a sprite of several named planes, such as a body, a weak spot and a shield. `masks` has
 * `frames` * `plane_count` masks: those of the first frame in the order of `planes`, then those of the
 * next. All masks of a frame have one size. Colliders choose a plane with hm_collider.plane.
 * `settings` may be null.
 *
 * Errors: those of handles, for each mask; HM_BAD_TEXT, HM_NULL_POINTER, HM_UNINITIALISED,
 * HM_BAD_VALUE; HM_BAD_LENGTH for more masks than any memory holds; HM_BAKE if `plane_count` is 0, for a
 * bad or repeated name of a plane, or masks of different sizes.
 */
hm_status hm_baker_add_planes(hm_baker *baker,
                              const char *name,
                              const char *const *planes,
                              size_t plane_count,
                              const hm_mask *const *masks,
                              size_t frames,
                              const hm_bake_settings *settings);

/**
 * Bakes all sprites and lends the bytes of the atlas, until the next call of this function with the
 * same baker. The same sprites and settings give the same bytes on every machine. Warnings go to
 * the callback of hm_set_log(). Uses all cores.
 *
 * Errors: HM_BAKE.
 */
hm_status hm_baker_bake(hm_baker *baker, hm_bytes *bytes);

/**
 * Bakes all sprites and opens the atlas, without its bytes as a detour.
 *
 * Errors: HM_BAKE, HM_OVER_LIMIT, HM_FULL.
 */
hm_status hm_baker_bake_atlas(hm_baker *baker, hm_atlas **atlas);

/**
 * Returns the default rule: solid if alpha is at least 128, at any colour.
 */
hm_texel_rule hm_default_texel_rule(void);

/**
 * Creates a mask from an image as hm_mask_from_rgba() does, with a rule for alpha, channel and
 * colours.
 *
 * Errors: HM_BAD_MASK if `count` is not 4 * width * height, HM_UNINITIALISED, HM_BAD_VALUE,
 * HM_NULL_POINTER, HM_FULL.
 */
hm_status hm_mask_from_rgba_by_rule(uint32_t width,
                                    uint32_t height,
                                    const uint8_t *rgba,
                                    size_t count,
                                    const hm_texel_rule *rule,
                                    hm_mask **mask);

/**
 * Returns the number of hm_texel_rule.alpha, for HM_ALPHA_BITS, that classic pixel collision
 * libraries call an alpha tolerance of `tolerance`, from 0 to 1.
 */
uint8_t hm_alpha_tolerance(float tolerance);

/* ------------------------------------------------------------------------------------------------
 * Masks: create, ask, edit
 * ------------------------------------------------------------------------------------------------ */

/**
 * Creates a mask of clear pixels. Each side is at most 32767 pixels.
 */
hm_status hm_mask_create(uint32_t width, uint32_t height, hm_mask **mask);

/**
 * Creates a mask of set pixels.
 */
hm_status hm_mask_solid(uint32_t width, uint32_t height, hm_mask **mask);

/**
 * Creates a disc: the pixels whose centres are at most `radius` pixels from the centre of the
 * middle pixel. Each side is 2 * radius + 1.
 */
hm_status hm_mask_disc(uint32_t radius, hm_mask **mask);

/**
 * Creates a mask from rows of text of at most 4095 bytes: '#' is a set pixel, '.' a clear one, and
 * a line feed ends a row. Empty lines and spaces at both ends of a row are ignored.
 *
 * Errors: HM_BAD_TEXT, HM_BAD_MASK for other characters and for rows of different lengths, HM_FULL.
 */
hm_status hm_mask_from_text(const char *rows, hm_mask **mask);

/**
 * Creates a mask from an image: 4 bytes per pixel, the last of which is alpha, row by row from the
 * top, without padding. A pixel is set if its alpha is at least `alpha`, usually 128. `count` is
 * the number of bytes.
 *
 * Errors: HM_BAD_MASK if `count` is not 4 * width * height, HM_NULL_POINTER, HM_FULL.
 */
hm_status hm_mask_from_rgba(uint32_t width,
                            uint32_t height,
                            const uint8_t *rgba,
                            size_t count,
                            uint8_t alpha,
                            hm_mask **mask);

/**
 * Creates a mask from bytes, one per pixel, row by row from the top, without padding. A pixel is
 * set if its byte is at least `alpha`.
 *
 * Errors: HM_BAD_MASK if `count` is not width * height, HM_NULL_POINTER, HM_FULL.
 */
hm_status hm_mask_from_alpha(uint32_t width,
                             uint32_t height,
                             const uint8_t *bytes,
                             size_t count,
                             uint8_t alpha,
                             hm_mask **mask);

/**
 * Creates a mask from packed bits: each row takes (width + 7) / 8 bytes, the leftmost pixel in the
 * highest bit, as in PBM files.
 *
 * Errors: HM_BAD_MASK if `count` is not height * ((width + 7) / 8), HM_NULL_POINTER, HM_FULL.
 */
hm_status hm_mask_from_bits(uint32_t width,
                            uint32_t height,
                            const uint8_t *bits,
                            size_t count,
                            hm_mask **mask);

/**
 * Creates a copy of a mask.
 */
hm_status hm_mask_clone(const hm_mask *mask, hm_mask **copy);

/**
 * Destroys a mask. All that it has lent becomes invalid. Null is allowed.
 */
hm_status hm_mask_destroy(hm_mask *mask);

/**
 * Writes the size of a mask.
 */
hm_status hm_mask_size(const hm_mask *mask, hm_size *size);

/**
 * Writes whether a pixel is set. Pixels outside of the mask are clear.
 */
hm_status hm_mask_get(const hm_mask *mask, int32_t x, int32_t y, bool *is_set);

/**
 * Writes the number of set pixels.
 */
hm_status hm_mask_count(const hm_mask *mask, uint64_t *count);

/**
 * Writes the tight box of the set pixels. HM_NONE if there is none.
 */
hm_status hm_mask_bounds(const hm_mask *mask, hm_rect *rect);

/**
 * Writes the centre of the set pixels. HM_NONE if there is none.
 */
hm_status hm_mask_centroid(const hm_mask *mask, hm_vec2 *centroid);

/**
 * A lent list of points.
 */
typedef struct {
  /**
   * The first item.
   */
  const hm_point *items;
  /**
   * The number of items.
   */
  size_t count;
} hm_points;

/**
 * Lends the outline of the first shape of a mask: its border pixels in clockwise order, from the
 * leftmost pixel of the top row on. Lent until the next call that lends points of this mask.
 */
hm_status hm_mask_outline(hm_mask *mask, hm_points *points);

/**
 * A lent list of rectangles.
 */
typedef struct {
  /**
   * The first item.
   */
  const hm_rect *items;
  /**
   * The number of items.
   */
  size_t count;
} hm_rects;

/**
 * Lends rectangles that cover the set pixels, each pixel once, until the next call of this function
 * with the same mask: for drawing, or for a physics engine of boxes.
 */
hm_status hm_mask_rects(hm_mask *mask, hm_rects *rects);

/**
 * Lends the pixels as packed bits, as hm_mask_from_bits() takes them, until the next call that
 * lends bytes of this mask.
 */
hm_status hm_mask_bits(hm_mask *mask, hm_bytes *bits);

/**
 * Lends the pixels as bytes, 255 for a set pixel and 0 for a clear one, row by row: an alpha
 * texture. Lent until the next call that lends bytes of this mask.
 */
hm_status hm_mask_alpha(hm_mask *mask, hm_bytes *bytes);

/**
 * Lends the mask as rows of text, as hm_mask_from_text() takes them, until the next call of this
 * function with the same mask.
 */
hm_status hm_mask_text(hm_mask *mask, hm_text *rows);

/**
 * Sets or clears a pixel. Pixels outside of the mask are ignored. `solid` is 0 to clear.
 */
hm_status hm_mask_set(hm_mask *mask, int32_t x, int32_t y, uint8_t solid);

/**
 * Sets all pixels.
 */
hm_status hm_mask_fill(hm_mask *mask);

/**
 * Clears all pixels.
 */
hm_status hm_mask_clear(hm_mask *mask);

/**
 * Toggles all pixels.
 */
hm_status hm_mask_invert(hm_mask *mask);

/**
 * Sets or clears a rectangle. What is outside of the mask is ignored. `solid` is 0 to clear.
 */
hm_status hm_mask_fill_rect(hm_mask *mask, hm_rect rect, uint8_t solid);

/**
 * Draws `other` on `mask`: HM_BLIT_DRAW, HM_BLIT_ERASE, HM_BLIT_TOGGLE or HM_BLIT_INTERSECT. The
 * top left pixel of `other` goes to `at`. The two may be the same mask.
 */
hm_status hm_mask_blit(hm_mask *mask, const hm_mask *other, hm_point at, hm_blit operation);

/**
 * Creates a mask of the pixels of a rectangle. Pixels outside of the mask are clear.
 */
hm_status hm_mask_cropped(const hm_mask *mask, hm_rect rect, hm_mask **cropped);

/**
 * Creates a mask that is scaled to another size, by the nearest pixel.
 */
hm_status hm_mask_scaled(const hm_mask *mask, uint32_t width, uint32_t height, hm_mask **scaled);

/**
 * Creates a mask that is mirrored left and right.
 */
hm_status hm_mask_flipped_x(const hm_mask *mask, hm_mask **flipped);

/**
 * Creates a mask that is mirrored top and bottom.
 */
hm_status hm_mask_flipped_y(const hm_mask *mask, hm_mask **flipped);

/**
 * Creates a mask that is turned by a quarter turn, clockwise on screen.
 */
hm_status hm_mask_quarter_turned(const hm_mask *mask, hm_mask **turned);

/**
 * The shape by which a mask grows.
 */
typedef uint32_t hm_grow_shape;

/**
 * Grows by a disc: to all pixels whose centre is at most the radius away.
 */
#define HM_GROW_DISC 0

/**
 * Grows by a square: by the radius along each axis.
 */
#define HM_GROW_SQUARE 1

/**
 * Creates a mask that is grown by `radius` pixels on each side. Its top left pixel is that of the
 * mask moved by `radius` to the left and up.
 */
hm_status hm_mask_grown(const hm_mask *mask, uint32_t radius, hm_grow_shape shape, hm_mask **grown);

/**
 * Creates a mask of the same size without the pixels that are within `radius` pixels of a clear
 * one.
 */
hm_status hm_mask_shrunk(const hm_mask *mask,
                         uint32_t radius,
                         hm_grow_shape shape,
                         hm_mask **shrunk);

/* ------------------------------------------------------------------------------------------------
 * Two masks at an offset, and shapes of masks
 * ------------------------------------------------------------------------------------------------ */

/**
 * Writes whether two masks share a set pixel.
 */
hm_status hm_mask_touches(const hm_mask *mask, const hm_mask *other, hm_point at, bool *touches);

/**
 * Writes the number of pixels that two masks share.
 */
hm_status hm_mask_overlap_area(const hm_mask *mask,
                               const hm_mask *other,
                               hm_point at,
                               uint64_t *area);

/**
 * Writes the tight box of the pixels that two masks share, in pixels of `mask`. HM_NONE if they do
 * not touch.
 */
hm_status hm_mask_overlap_rect(const hm_mask *mask,
                               const hm_mask *other,
                               hm_point at,
                               hm_rect *rect);

/**
 * Writes area, tight box and first pixel of the overlap, in pixels of `mask`. HM_NONE if the masks
 * do not touch.
 */
hm_status hm_mask_contact(const hm_mask *mask,
                          const hm_mask *other,
                          hm_point at,
                          hm_contact *contact);

/**
 * Creates a mask of the pixels that two masks share. It has the size of `mask`.
 */
hm_status hm_mask_overlap_mask(const hm_mask *mask,
                               const hm_mask *other,
                               hm_point at,
                               hm_mask **overlap);

/**
 * Writes the shortest translation of `mask` that ends its overlap with `other`. Among equally short
 * ones it points farthest up, then farthest left. HM_NONE if they do not touch.
 */
hm_status hm_mask_push_out(const hm_mask *mask,
                           const hm_mask *other,
                           hm_point at,
                           hm_point *translation);

/**
 * Writes the shortest translation of `mask` after which it touches `other`; (0, 0) if it does.
 * HM_NONE if one has no set pixel.
 */
hm_status hm_mask_nearest(const hm_mask *mask,
                          const hm_mask *other,
                          hm_point at,
                          hm_point *translation);

/**
 * Writes the distance between the nearest pixels of two masks, from centre to centre. HM_NONE if
 * one has no set pixel.
 */
hm_status hm_mask_distance(const hm_mask *mask,
                           const hm_mask *other,
                           hm_point at,
                           double *distance);

/**
 * Writes the first contact of `mask` with `other` if `mask` moves by `motion`. HM_NONE if the way
 * is free.
 */
hm_status hm_mask_cast(const hm_mask *mask,
                       const hm_mask *other,
                       hm_point at,
                       hm_point motion,
                       hm_impact *impact);

/**
 * Writes whether two masks touch (HM_GRAZE_HIT), come within `radius` pixels (HM_GRAZE_NEAR) or
 * neither (HM_GRAZE_CLEAR).
 */
hm_status hm_mask_graze(const hm_mask *mask,
                        const hm_mask *other,
                        hm_point at,
                        uint32_t radius,
                        hm_graze *graze);

/**
 * Creates a mask of the pixels whose centres lie inside polygons. A pixel counts if it is inside an
 * odd number of them, so a polygon inside another one is a hole. Polygon i has the corners
 * `corners[starts[i]]` up to but without `corners[starts[i + 1]]`, in pixels; `starts` has
 * `polygon_count` + 1 numbers, and null means one polygon of all corners. Corners snap to 1/256 of a
 * pixel. Writes to `origin` the position of the top left pixel; `origin` may be null.
 *
 * Errors: HM_BAD_LENGTH if `starts` does not ascend up to at most `corner_count`, HM_BAD_NUMBER for a
 * corner that is not finite or too far, HM_BAD_MASK for a mask that is too large, HM_NULL_POINTER,
 * HM_FULL.
 */
hm_status hm_mask_from_polygons(const hm_vec2 *corners,
                                size_t corner_count,
                                const uint32_t *starts,
                                size_t polygon_count,
                                hm_mask **mask,
                                hm_point *origin);

/**
 * Creates a mask of the pixels whose centres lie in an upright ellipse with these radii, in pixels; a
 * circle if both are equal. Writes to `origin` the position of the top left pixel; `origin` may be
 * null.
 */
hm_status hm_mask_from_ellipse(hm_vec2 center,
                               float radius_x,
                               float radius_y,
                               hm_mask **mask,
                               hm_point *origin);

/**
 * Creates a mask of the pixels of a line between two positions in pixels, both ends included. Writes to
 * `origin` the position of the top left pixel; `origin` may be null.
 */
hm_status hm_mask_from_line(hm_vec2 from,
                            hm_vec2 to,
                            hm_mask **mask,
                            hm_point *origin);

/**
 * Creates one mask of the pixels of several masks, the top left pixel of `masks[i]` being at
 * `positions[i]`. With all frames of a swing as parts it covers the whole swing. Writes to `origin` the
 * position of the top left pixel; `origin` may be null.
 *
 * Errors: those of handles, for each mask; HM_NULL_POINTER, HM_BAD_MASK if it is too large, HM_FULL.
 */
hm_status hm_mask_union(const hm_mask *const *masks,
                        const hm_point *positions,
                        size_t count,
                        hm_mask **mask,
                        hm_point *origin);

/**
 * Creates a copy that is cropped to the tight box of its pixels. Writes to `origin` where the top left
 * pixel was in the mask; `origin` may be null.
 */
hm_status hm_mask_trimmed(const hm_mask *mask,
                          hm_mask **trimmed,
                          hm_point *origin);

/**
 * Creates a mask that is drawn from another one by a transform about a pivot, by nearest pixels, as
 * sprites are baked. Writes to `origin` where the top left pixel of the result is relative to the pixel
 * in which the pivot lies; `origin` and `pivot` may be null. Costs a few nanoseconds per pixel of the
 * result's box: seconds for one of 30,000 pixels a side.
 *
 * Errors: HM_BAD_NUMBER for a pivot or transform out of range, HM_BAD_MASK if the result is too large,
 * HM_FULL.
 */
hm_status hm_mask_transformed(const hm_mask *mask,
                              const hm_pivot *pivot,
                              const hm_affine *transform,
                              hm_mask **transformed,
                              hm_point *origin);

/**
 * Creates a mask of the offsets at which `mask` overlaps `other`: pixel (x, y) is set if they touch
 * with `other` at (x - w + 1, y - h + 1), w and h being the sides of `other`. Clear pixels are the
 * offsets at which `other` fits.
 */
hm_status hm_mask_convolve(const hm_mask *mask, const hm_mask *other, hm_mask **offsets);

/**
 * Writes the angle of the direction in which the pixels spread most, in radians from -pi/2 to pi/2,
 * clockwise on screen; 0 if no direction dominates, as for a disc. HM_NONE if no pixel is set.
 */
hm_status hm_mask_angle(const hm_mask *mask, float *angle);

/**
 * Which pixels are connected: 4 or 8 neighbours.
 */
typedef uint32_t hm_connectivity;

/**
 * Pixels that share an edge.
 */
#define HM_CONNECT_4 4

/**
 * Pixels that share an edge or a corner.
 */
#define HM_CONNECT_8 8

/**
 * A connected part of a mask.
 */
typedef struct {
  /**
   * The number of its pixels.
   */
  uint64_t area;
  /**
   * Its tight box.
   */
  hm_rect rect;
} hm_component;

/**
 * A lent list of connected parts.
 */
typedef struct {
  /**
   * The first item.
   */
  const hm_component *items;
  /**
   * The number of items.
   */
  size_t count;
} hm_components;

/**
 * Lends the connected parts of a mask, in the order of their first pixels, until the next call of this
 * function with the same mask. hm_mask_component() makes a mask of each.
 */
hm_status hm_mask_components(hm_mask *mask,
                             hm_connectivity connectivity,
                             hm_components *components);

/**
 * Creates a mask of a connected part, by its index in the last list of hm_mask_components() of this
 * mask. It has the size of the tight box. HM_NONE beyond the last part.
 */
hm_status hm_mask_component(const hm_mask *mask, size_t index, hm_mask **component);

/**
 * A lent list of polygons. The corners of polygon i are `points[starts[i]]` up to but without
 * `points[starts[i + 1]]`. Outer ones run clockwise, holes counter-clockwise.
 */
typedef struct {
  /**
   * The corners of all polygons.
   */
  const hm_point *points;
  /**
   * count + 1 numbers: where each polygon starts, and where the last one ends.
   */
  const uint32_t *starts;
  /**
   * The number of polygons.
   */
  size_t count;
} hm_polygons;

/**
 * Lends the borders of a mask as polygons between pixels, until the next call that lends points of
 * this mask. They are exact; hm_mask_shape() gives polygons with fewer corners.
 */
hm_status hm_mask_polygons(hm_mask *mask, hm_connectivity connectivity, hm_polygons *polygons);

/**
 * Lends the corners of the convex hull of a mask, between pixels, in clockwise order, until the next
 * call that lends points of this mask. Empty if there is no pixel.
 */
hm_status hm_mask_convex_hull(hm_mask *mask,
                              hm_points *points);

/**
 * Writes where a line between two positions in pixels first meets a mask whose top left pixel is at
 * `at`. The collider of the hit is 0. HM_NONE if it misses.
 */
hm_status hm_mask_ray(const hm_mask *mask, hm_point at, hm_vec2 from, hm_vec2 to, hm_line_hit *hit);

/**
 * Writes whether two masks share at least `pixels` pixels, the top left pixel of `other` being at `at`.
 * 0 counts as 1. Usually faster than the exact number.
 */
hm_status hm_mask_overlap_at_least(const hm_mask *mask,
                                   uint32_t pixels,
                                   const hm_mask *other,
                                   hm_point at,
                                   bool *overlaps);

/**
 * Which shared pixel is the first.
 */
typedef uint32_t hm_scan_order;

/**
 * The topmost pixel; of these, the leftmost.
 */
#define HM_SCAN_TOP 0

/**
 * The bottommost pixel; of these, the leftmost.
 */
#define HM_SCAN_BOTTOM 1

/**
 * The leftmost pixel; of these, the topmost.
 */
#define HM_SCAN_LEFT 2

/**
 * The rightmost pixel; of these, the topmost.
 */
#define HM_SCAN_RIGHT 3

/**
 * Writes the first shared pixel of two masks in an order: HM_SCAN_TOP, HM_SCAN_BOTTOM, HM_SCAN_LEFT or
 * HM_SCAN_RIGHT. In pixels of `mask`. HM_NONE if they do not touch.
 */
hm_status hm_mask_first_overlap(const hm_mask *mask,
                                hm_scan_order order,
                                const hm_mask *other,
                                hm_point at,
                                hm_point *point);

/**
 * Writes the shortest translation of `mask` that ends its overlap with `other`, along the line of pixels
 * towards (x, y) = `direction`. HM_NONE if they do not touch or the direction is (0, 0).
 */
hm_status hm_mask_push_along(const hm_mask *mask,
                             const hm_mask *other,
                             hm_point at,
                             hm_point direction,
                             hm_point *translation);

/**
 * Writes the details of the overlap of two masks, in pixels of `mask`: normal, push-out, depth. `a` is
 * `mask`, and `b` is `other`. HM_NONE if they do not touch.
 */
hm_status hm_mask_overlap(const hm_mask *mask,
                          const hm_mask *other,
                          hm_point at,
                          hm_overlap *overlap);

/* ------------------------------------------------------------------------------------------------
 * Shapes for physics engines: outlines, convex pieces, terrain in cells
 * ------------------------------------------------------------------------------------------------ */

/**
 * On which side of the exact border of the pixels a shape may be.
 */
typedef uint32_t hm_fit;

/**
 * On either side. It takes the fewest corners. The default.
 */
#define HM_FIT_NEAREST 0

/**
 * The shape covers every set pixel.
 */
#define HM_FIT_OUTSIDE 1

/**
 * The shape covers no clear pixel.
 */
#define HM_FIT_INSIDE 2

/**
 * What a shape shall be like. Fill it with hm_default_shape_options(). Output units are pixels unless
 * `scale` says otherwise, such as metres.
 */
typedef struct {
  /**
   * Set by hm_default_shape_options(); do not change it.
   */
  uint32_t cookie;
  /**
   * The greatest distance between the exact border and that of the shape, in pixels, either way:
   * 0.1 to 32767. Default 1.
   */
  float max_error;
  /**
   * On which side the shape may be. Default HM_FIT_NEAREST.
   */
  hm_fit fit;
  /**
   * Islands and holes of fewer pixels are left out. Default 0.
   */
  uint32_t min_area;
  /**
   * The most corners of a piece, from 3. Default 8, as Box2D takes.
   */
  uint32_t max_corners;
  /**
   * The least width of a piece in output units. Thinner ones are left out. Default 0.02.
   */
  float min_width;
  /**
   * Output units per pixel, such as metres per pixel. Default 1.
   */
  float scale;
  /**
   * 1 if output y runs up. Default 0.
   */
  uint8_t y_up;
  /**
   * 0.
   */
  uint8_t reserved[3];
  /**
   * The origin of the output, in pixels from the top left corner of the mask, or from the pivot of the
   * sprite. Default (0, 0).
   */
  hm_vec2 origin;
} hm_shape_options;

/**
 * Returns the default options: 1 px of error, 8 corners a piece, in pixels with y down.
 */
hm_shape_options hm_default_shape_options(void);

/**
 * The outlines of a mask for a physics engine. One thread at a time. Create with hm_atlas_shape(),
 * hm_mask_shape() or hm_world_mask_shape(), destroy with hm_shape_destroy().
 */
typedef struct hm_shape hm_shape;

/**
 * Creates the shape of the set pixels of a mask: outlines as valid polygons within an error. A null
 * pointer to the options means the defaults. The shape of an empty mask has no polygons.
 *
 * Errors: HM_UNINITIALISED, HM_BAD_NUMBER for an option out of range, HM_BAD_VALUE, HM_FULL.
 */
hm_status hm_mask_shape(const hm_mask *mask, const hm_shape_options *options, hm_shape **shape);

/**
 * Creates the shape of a frame of a sprite about its pivot, upright and at scale 1. Options are in pixels
 * of the image, and their origin is relative to the pivot. Otherwise it does what hm_mask_shape() does.
 *
 * Errors: HM_UNKNOWN_SPRITE, and those of hm_mask_shape().
 */
hm_status hm_atlas_shape(const hm_atlas *atlas,
                         hm_sprite_id sprite,
                         uint32_t frame,
                         uint32_t plane,
                         const hm_shape_options *options,
                         hm_shape **shape);

/**
 * Creates the shape of a run-time mask of a world, as hm_mask_shape() does.
 *
 * Errors: HM_STALE_ID, and those of hm_mask_shape().
 */
hm_status hm_world_mask_shape(const hm_world *world,
                              hm_mask_id id,
                              const hm_shape_options *options,
                              hm_shape **shape);

/**
 * Destroys a shape. All that it has lent becomes invalid. Null is allowed.
 */
hm_status hm_shape_destroy(hm_shape *shape);

/**
 * Area, centroid and moment of inertia of a shape, in output units, for a density of 1.
 */
typedef struct {
  /**
   * The area.
   */
  double area;
  /**
   * The centroid, to the right; 0 where the area is 0.
   */
  double centroid_x;
  /**
   * The centroid, along y.
   */
  double centroid_y;
  /**
   * The moment of inertia about the centroid.
   */
  double inertia;
} hm_mass;

/**
 * Writes area, centroid and moment of inertia of a shape.
 */
hm_status hm_shape_mass(const hm_shape *shape, hm_mass *mass);

/**
 * Writes the number of islands and of holes that hm_shape_options.min_area left out; `holes` may be
 * null.
 */
hm_status hm_shape_left_out(const hm_shape *shape, uint32_t *islands, uint32_t *holes);

/**
 * A lent list of polygons or chains in output units. The corners of polygon i are `points[starts[i]]`
 * up to but without `points[starts[i + 1]]`. The last corner of a polygon is joined to the first.
 */
typedef struct {
  /**
   * The corners of all polygons.
   */
  const hm_vec2 *points;
  /**
   * count + 1 numbers: where each polygon starts, and where the last one ends.
   */
  const uint32_t *starts;
  /**
   * The number of polygons.
   */
  size_t count;
} hm_paths;

/**
 * Lends the outlines of a shape, each outer border before its holes, until the next call of this
 * function with the same shape. Borders have positive area, holes negative. Lends with `borders` the
 * index of the border of each ring: a border has its own. `borders` may be null.
 */
hm_status hm_shape_rings(hm_shape *shape,
                         hm_paths *rings,
                         hm_numbers *borders);

/**
 * The pieces that were left out because they are thinner than hm_shape_options.min_width.
 */
typedef struct {
  /**
   * Their area in square output units.
   */
  double area;
  /**
   * Their number.
   */
  uint32_t count;
  /**
   * 0.
   */
  uint32_t reserved;
} hm_thin_pieces;

/**
 * Lends convex pieces that are together the shape, until the next call of this function with the same
 * shape. They have positive area: counter-clockwise with y up. Writes to `thin` what was left out;
 * `thin` may be null.
 */
hm_status hm_shape_pieces(hm_shape *shape,
                          hm_paths *pieces,
                          hm_thin_pieces *thin);

/**
 * The shapes of a large mask in cells, of which an edit traces few again. One thread at a time. Create
 * with hm_shape_grid_create() or hm_world_shape_grid(), destroy with hm_shape_grid_destroy().
 */
typedef struct hm_shape_grid hm_shape_grid;

/**
 * Creates the shapes of a large mask in cells of `side` x `side` pixels, 8 to 1024, usually 64: for
 * terrain that changes. A null pointer to the options means the defaults.
 *
 * Errors: HM_UNINITIALISED, HM_BAD_NUMBER for a side or an option out of range, HM_BAD_VALUE, HM_FULL.
 */
hm_status hm_shape_grid_create(const hm_mask *mask,
                               uint32_t side,
                               const hm_shape_options *options,
                               hm_shape_grid **grid);

/**
 * Creates the shapes of a run-time mask of a world in cells, as hm_shape_grid_create() does.
 *
 * Errors: HM_STALE_ID, and those of hm_shape_grid_create().
 */
hm_status hm_world_shape_grid(const hm_world *world,
                              hm_mask_id id,
                              uint32_t side,
                              const hm_shape_options *options,
                              hm_shape_grid **grid);

/**
 * Destroys a shape grid. All that it has lent becomes invalid. Null is allowed.
 */
hm_status hm_shape_grid_destroy(hm_shape_grid *grid);

/**
 * Traces the cells near `rect` again, and lends the ids of those that are different in ascending
 * order, until the next update of this grid. `rect` covers every pixel that was edited since the last
 * update, in pixels of the mask; it may reach beyond the mask.
 *
 * Errors: HM_BAD_LENGTH if the mask has another size than the first one.
 */
hm_status hm_shape_grid_update(hm_shape_grid *grid,
                               const hm_mask *mask,
                               hm_rect rect,
                               hm_numbers *changed);

/**
 * Traces cells again by a run-time mask of a world, as hm_shape_grid_update() does.
 *
 * Errors: HM_STALE_ID, HM_BAD_LENGTH.
 */
hm_status hm_world_update_shape_grid(const hm_world *world,
                                     hm_mask_id id,
                                     hm_shape_grid *grid,
                                     hm_rect rect,
                                     hm_numbers *changed);

/**
 * Writes the number of cells. Their ids are below it, row by row.
 */
hm_status hm_shape_grid_count(const hm_shape_grid *grid, uint32_t *count);

/**
 * A cell of a shape grid.
 */
typedef struct {
  /**
   * The pixels of the cell.
   */
  hm_rect rect;
  /**
   * The number of updates that changed the cell.
   */
  uint32_t version;
  /**
   * The number of islands that min_area left out.
   */
  uint32_t islands_left_out;
  /**
   * The number of holes that min_area left out.
   */
  uint32_t holes_left_out;
} hm_shape_cell;

/**
 * Writes what is known of a cell. HM_NONE beyond the last cell.
 */
hm_status hm_shape_grid_cell(const hm_shape_grid *grid, uint32_t id, hm_shape_cell *cell);

/**
 * Lends the outlines of a cell, as hm_shape_rings() does, until the next call of this function with the
 * same grid. All cells have the coordinates of the whole mask. HM_NONE beyond the last cell.
 */
hm_status hm_shape_grid_rings(hm_shape_grid *grid,
                              uint32_t id,
                              hm_paths *rings,
                              hm_numbers *borders);

/**
 * Lends the convex pieces of a cell, as hm_shape_pieces() does, until the next call of this function
 * with the same grid. HM_NONE beyond the last cell.
 */
hm_status hm_shape_grid_pieces(hm_shape_grid *grid,
                               uint32_t id,
                               hm_paths *pieces,
                               hm_thin_pieces *thin);

/**
 * Lends the outlines of the ground within a cell as chains, without the seams to other cells, until the
 * next call of this function with the same grid. `closed` has 1 for a chain whose last point is joined
 * to the first. Any other chain begins and ends with a ghost point in another cell, as Box2D takes it.
 * `closed` may be null. HM_NONE beyond the last cell.
 */
hm_status hm_shape_grid_chains(hm_shape_grid *grid,
                               uint32_t id,
                               hm_paths *chains,
                               hm_bytes *closed);

/* ------------------------------------------------------------------------------------------------
 * Batches: many pairs of poses without a world
 * ------------------------------------------------------------------------------------------------ */

/**
 * Whether coarse masks decide about a pair: a byte of hm_batch_coarse().
 */
typedef uint8_t hm_certainty;

/**
 * No pixel is shared.
 */
#define HM_CERTAINTY_NO 0

/**
 * Coarse masks cannot decide.
 */
#define HM_CERTAINTY_MAYBE 1

/**
 * A pixel is shared.
 */
#define HM_CERTAINTY_YES 2

/**
 * The id of a stored pose of one atlas, upright or upside down. 0 is no pose. It does not carry its
 * atlas: with another one it names another pose, or none.
 */
typedef uint64_t hm_pose_id;

/**
 * Writes the id of the stored pose that is nearest to an angle in radians and a scale, for a batch.
 * Writes to `origin` where the top left pixel of its mask is relative to the position of a sprite;
 * `origin` may be null. The flips are 0 or not. HM_NONE if the angle or the scale is not finite, or
 * if the atlas is not drawn: see hm_atlas_drawn().
 */
hm_status hm_atlas_pose(const hm_atlas *atlas,
                        hm_sprite_id sprite,
                        uint32_t frame,
                        uint32_t plane,
                        float angle,
                        float scale,
                        uint8_t flip_x,
                        uint8_t flip_y,
                        hm_pose_id *pose,
                        hm_point *origin);

/**
 * Answers questions about many pairs of poses of one atlas at once. One thread at a time. Create with
 * hm_batch_create(), destroy with hm_batch_destroy().
 */
typedef struct hm_batch hm_batch;

/**
 * Creates a batch over the poses of an atlas, which it keeps: the handle of the atlas may be
 * destroyed first. Reuse a batch, because its first questions allocate up to 1 MB. An atlas that is
 * not drawn has no poses: see hm_atlas_drawn().
 */
hm_status hm_batch_create(const hm_atlas *atlas, hm_batch **batch);

/**
 * Destroys a batch. All that it has lent becomes invalid. Null is allowed.
 */
hm_status hm_batch_destroy(hm_batch *batch);

/**
 * Two poses of an atlas, and the offset of the second.
 */
typedef struct {
  /**
   * The first pose. The top left pixel of its mask is at (0, 0).
   */
  hm_pose_id a;
  /**
   * The second pose.
   */
  hm_pose_id b;
  /**
   * The top left pixel of the second mask.
   */
  hm_point at;
} hm_pose_pair;

/**
 * Lends for each pair a byte: 1 if the two masks share a pixel, else 0. Lent until the next call that
 * lends bytes of this batch. A pose that the atlas does not have touches nothing.
 *
 * Errors: HM_UNKNOWN_SPRITE if an id is 0 or was never given out, HM_NULL_POINTER, HM_BAD_LENGTH.
 */
hm_status hm_batch_touches(hm_batch *batch,
                           const hm_pose_pair *pairs,
                           size_t count,
                           hm_bytes *answers);

/**
 * Lends for each pair a byte: 1 if the two masks share at least `pixels` pixels, else 0. 0 pixels
 * count as 1. Lent until the next call that lends bytes of this batch.
 *
 * Errors: those of hm_batch_touches().
 */
hm_status hm_batch_overlap_at_least(hm_batch *batch,
                                    uint32_t pixels,
                                    const hm_pose_pair *pairs,
                                    size_t count,
                                    hm_bytes *answers);

/**
 * Lends for each pair what coarse masks say: HM_CERTAINTY_NO, HM_CERTAINTY_MAYBE or
 * HM_CERTAINTY_YES. Masks without coarse ones are tested exactly. Lent until the next call that lends
 * bytes of this batch.
 *
 * Errors: those of hm_batch_touches().
 */
hm_status hm_batch_coarse(hm_batch *batch,
                          const hm_pose_pair *pairs,
                          size_t count,
                          hm_bytes *answers);

/**
 * A lent list of areas, one for each pair of a batch.
 */
typedef struct {
  /**
   * The first item.
   */
  const uint64_t *items;
  /**
   * The number of items.
   */
  size_t count;
} hm_areas;

/**
 * Lends for each pair the number of shared pixels, until the next call of this function with the same
 * batch.
 *
 * Errors: those of hm_batch_touches().
 */
hm_status hm_batch_overlap_area(hm_batch *batch,
                                const hm_pose_pair *pairs,
                                size_t count,
                                hm_areas *areas);

/**
 * A lent list of contacts, one for each pair of a batch.
 */
typedef struct {
  /**
   * The first item.
   */
  const hm_contact *items;
  /**
   * The number of items.
   */
  size_t count;
} hm_contacts;

/**
 * Lends for each pair area, tight box and first pixel of the overlap, in pixels of the first mask. A
 * pair that does not touch has area 0 and zeros. Lent until the next call that lends contacts of this
 * batch.
 *
 * Errors: those of hm_batch_touches().
 */
hm_status hm_batch_contact(hm_batch *batch,
                           const hm_pose_pair *pairs,
                           size_t count,
                           hm_contacts *contacts);

/* ------------------------------------------------------------------------------------------------
 * Errors, the log, and the version
 * ------------------------------------------------------------------------------------------------ */

/**
 * The version of this interface. It grows when a function or a struct changes so that old callers
 * would break. Compare it with hm_abi_version() of the library that was loaded.
 */
#define HM_ABI_VERSION 1

/**
 * Returns the version of the interface that this library has: HM_ABI_VERSION of its header.
 */
uint32_t hm_abi_version(void);

/**
 * Returns the version of the library as a text, such as "0.1.0". It is valid forever.
 */
const char *hm_version(void);

/**
 * Returns a short text for a status, such as "stale id". It is valid forever. Any number is
 * allowed; unknown ones give "unknown status".
 */
const char *hm_status_text(int32_t status);

/**
 * Returns the message of the last failed call of this thread: what is wrong, the value, and how
 * to fix it. It is an empty text if no call has failed. The text is lent until the next call that
 * fails on this thread.
 */
const char *hm_last_error(void);

/**
 * The kind of a message of the log.
 */
typedef uint32_t hm_log_level;

/**
 * A probable mistake, such as a sprite without pixels.
 */
#define HM_LOG_WARNING 1

/**
 * A finding that needs no action as a rule, such as two equal sprites.
 */
#define HM_LOG_HINT 2

/**
 * Receives a message of the log. The text is valid during the call. The callback runs on the thread
 * whose call found something. It must return: no exception and no longjmp.
 */
typedef void (*hm_log_callback)(void *user, hm_log_level level, const char *message);

/**
 * Sets the callback that receives the warnings of all threads; null for none, as at the start.
 * `user` is passed to it.
 */
hm_status hm_set_log(hm_log_callback callback, void *user);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* HITMASK_H */
