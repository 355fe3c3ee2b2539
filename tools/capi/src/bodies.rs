//! Bodies: compounds of colliders with one owner, their pairs and their motions.

use crate::handles::{answer_with_mut, call_with_mut, hm_world, maybe_with_mut};
use crate::lists::{hm_body, hm_body_pair, hm_body_pairs, hm_colliders, hm_hit, lend};
use crate::status::hm_status;
use crate::types::{hm_collider_id, hm_vec2};
use hitmask::{Bodies, BodyHit, BodyPair, Filter};

/// The first collider that the motion of a body hits.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct hm_body_hit {
    /// The part that hits.
    pub part: hm_collider_id,
    /// The body that is hit.
    pub body: hm_body,
    /// The collider that is hit, and the position of the part at its last free pixel.
    pub hit: hm_hit,
}

impl From<BodyHit> for hm_body_hit {
    fn from(hit: BodyHit) -> Self {
        Self { part: hit.part.to_bits(), body: hit.body.into(), hit: hit.hit.into() }
    }
}

/// Lends the colliders of an owner, in order of slots, until the next call that lends ids. Empty if
/// the owner has none, or is 0.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_parts_of(
    world: *mut hm_world,
    owner: u32,
    parts: *mut hm_colliders,
) -> hm_status {
    answer_with_mut(parts, world, |state| {
        let parts = if owner == 0 { Vec::new() } else { state.world.bodies().parts(owner) };
        lend(&mut state.lent.colliders, parts)
    })
}

fn lend_bodies(
    world: *mut hm_world,
    pairs: *mut hm_body_pairs,
    list: impl FnOnce(Bodies<'_>) -> Vec<BodyPair>,
) -> hm_status {
    answer_with_mut(pairs, world, |state| {
        let pairs = list(state.world.bodies()).into_iter().map(|pair| hm_body_pair {
            a: pair.a.into(),
            b: pair.b.into(),
            part_a: pair.parts[0].to_bits(),
            part_b: pair.parts[1].to_bits(),
        });
        lend(&mut state.lent.body_pairs, pairs)
    })
}

/// Lends the pairs of bodies that touched at the last update, each pair once, until the next call
/// that lends pairs of bodies.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_touching_bodies(
    world: *mut hm_world,
    pairs: *mut hm_body_pairs,
) -> hm_status {
    lend_bodies(world, pairs, |bodies| bodies.touching())
}

/// Lends the pairs of bodies that began to touch at the last update, until the next call that lends
/// pairs of bodies.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_began_bodies(
    world: *mut hm_world,
    pairs: *mut hm_body_pairs,
) -> hm_status {
    lend_bodies(world, pairs, |bodies| bodies.began())
}

/// Lends the pairs of bodies that ceased to touch at the last update, until the next call that
/// lends pairs of bodies.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_ended_bodies(
    world: *mut hm_world,
    pairs: *mut hm_body_pairs,
) -> hm_status {
    lend_bodies(world, pairs, |bodies| bodies.ended())
}

/// Writes the first collider that a body would hit if all its parts moved by `motion`, in
/// pixels. HM_NONE if the way is free for all. Nothing moves.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_cast_body(
    world: *const hm_world,
    owner: u32,
    motion: hm_vec2,
    hit: *mut hm_body_hit,
) -> hm_status {
    maybe_with_mut(hit, world, |state| {
        Ok(state.world.bodies().cast(owner, motion, Filter::SOLID)?.map(hm_body_hit::from))
    })
}

/// Moves all parts of a body by `motion`, in pixels, up to the first obstacle of any of them,
/// and writes the hit that ended the motion. HM_NONE if the way was free.
///
/// Errors: HM_UNKNOWN_OWNER, HM_BAD_NUMBER. Nothing has moved.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_move_body(
    world: *mut hm_world,
    owner: u32,
    motion: hm_vec2,
    hit: *mut hm_body_hit,
) -> hm_status {
    maybe_with_mut(hit, world, |state| {
        Ok(state.world.move_body(owner, motion, Filter::SOLID)?.map(hm_body_hit::from))
    })
}

/// Moves all parts of a body by `motion`, in pixels, through everything.
///
/// Errors: HM_UNKNOWN_OWNER, HM_BAD_NUMBER. Nothing has moved.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_translate_body(
    world: *mut hm_world,
    owner: u32,
    motion: hm_vec2,
) -> hm_status {
    let through = Filter { layers: 0, ..Filter::SOLID };
    call_with_mut(world, |state| Ok(state.world.move_body(owner, motion, through)?))
}
