/*
 * hitmask: pixel-perfect 2D sprite collisions, for very many sprites.
 *
 *   hm_baker_bake()   sprites in memory -> bytes of an atlas      (or the command-line tool `hitmask`)
 *   hm_atlas_...()    bytes -> atlas: the masks of all sprites at all angles and scales
 *   hm_world_...()    colliders on the plane, updates, events, queries, motions
 *   hm_mask_...()     single masks, without a world
 *
 * {CONTENTS}
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
