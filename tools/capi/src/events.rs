//! Updates, the pairs that touch, and the details of a pair.

use crate::handles::{answer_with_mut, call_with_mut, hm_world, maybe_with_mut};
use crate::lists::{
    hm_colliders, hm_pairs, hm_plane_pair, hm_plane_pairs, hm_text, keep, lend, pair,
};
use crate::pointers::slice;
use crate::status::{Answer, Failure, hm_status};
use crate::types::{
    accuracy, hm_accuracy, hm_collider_id, hm_contact, hm_pair, hm_point, hm_side, hm_vec2,
    side_number,
};
use crate::world::user_data_of;
use hitmask::{ColliderId, Filter, Overlap, Pair, World};
use std::ffi::c_void;

/// Decides whether two colliders whose pixels touch count as touching. Gets `user` and the numbers
/// that are stored with the two colliders. Returns 0 to drop the pair. It runs inside the call that
/// got it, on its thread, for one pair after the other: calls with the same world give HM_BUSY. It
/// must return: no exception and no longjmp.
pub type hm_keep_pair = Option<
    extern "C" fn(user: *mut c_void, pair: hm_pair, user_data_a: u64, user_data_b: u64) -> u8,
>;

/// Decides whether two colliders that touch count as touching. Gets what hm_keep_pair gets, the side of
/// `pair.a` on which `pair.b` lies, and the surface normal from `b` to `a`. Returns 0 to drop the pair.
/// The rules of hm_keep_pair apply.
pub type hm_keep_touch = Option<
    extern "C" fn(
        user: *mut c_void,
        pair: hm_pair,
        user_data_a: u64,
        user_data_b: u64,
        side: hm_side,
        normal: hm_vec2,
    ) -> u8,
>;

/// The details of an overlap of two colliders, or of two masks.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct hm_overlap {
    /// Area, tight box and first pixel of the overlap.
    pub contact: hm_contact,
    /// The centre of the shared pixels, in mask pixels.
    pub centroid: hm_vec2,
    /// The surface normal, of length 1, from `b` to `a`.
    pub normal: hm_vec2,
    /// The shortest translation of `a` that ends the overlap, in mask pixels.
    pub push_out: hm_point,
    /// The length of `push_out`, in mask pixels.
    pub depth: f32,
    /// The side of `b` as seen from `a`.
    pub side: hm_side,
}

impl From<&Overlap<'_>> for hm_overlap {
    fn from(overlap: &Overlap<'_>) -> Self {
        let normal = overlap.normal();
        Self {
            contact: overlap.contact().into(),
            centroid: overlap.centroid().into(),
            normal: normal.into(),
            push_out: overlap.push_out().into(),
            depth: overlap.depth(),
            side: side_number(normal.side()),
        }
    }
}

fn no_callback() -> Failure {
    let message = "keep is a null pointer; pass a function, or call hm_world_update";
    Failure::new(hm_status::HM_NULL_POINTER, message)
}

/// Finds all pairs that touch. Call it once per tick, after the moves and before the questions
/// about pairs. What was lent by hm_world_touching(), hm_world_began() and hm_world_ended() becomes
/// invalid.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_update(world: *mut hm_world) -> hm_status {
    call_with_mut(world, |state| {
        state.world.update();
        Ok(())
    })
}

/// Does the same as hm_world_update(), and keeps only the pairs for which `keep` does not return 0.
///
/// Errors: HM_NULL_POINTER if `keep` is null.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_update_with(
    world: *mut hm_world,
    keep: hm_keep_pair,
    user: *mut c_void,
) -> hm_status {
    call_with_mut(world, |state| {
        let keep = keep.ok_or_else(no_callback)?;
        let (world, data) = state.split();
        world.update_with(|touch| {
            let pair = &touch.pair();
            let of = |id| user_data_of(data, id);
            keep(user, bits(pair), of(pair.a), of(pair.b)) != 0
        });
        Ok(())
    })
}

/// Does the same as hm_world_update_with(), with a callback that gets side and normal of each contact:
/// a game can drop the contacts with walls. Computing them costs about 5 times as much as the area of
/// the overlap, for each pair.
///
/// Errors: HM_NULL_POINTER if `keep` is null.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_update_with_contacts(
    world: *mut hm_world,
    keep: hm_keep_touch,
    user: *mut c_void,
) -> hm_status {
    call_with_mut(world, |state| {
        let keep = keep.ok_or_else(no_callback)?;
        let (world, data) = state.split();
        world.update_with(|touch| {
            let pair = touch.pair();
            let Some(normal) = touch.normal_of(pair.a) else { return true };
            let (of, side) = (|id| user_data_of(data, id), side_number(normal.side()));
            keep(user, bits(&pair), of(pair.a), of(pair.b), side, normal.into()) != 0
        });
        Ok(())
    })
}

/// Writes whether the pairs of a world are known: 0 before its first hm_world_update(). A clone and a
/// restored snapshot are as their world was.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_is_updated(world: *const hm_world, is_updated: *mut bool) -> hm_status {
    answer_with_mut(is_updated, world, |state| Ok(state.world.is_updated()))
}

pub(crate) const fn bits(pair: &Pair) -> hm_pair {
    hm_pair { a: pair.a.to_bits(), b: pair.b.to_bits() }
}

/// Lends the pairs that touched at the last update, in ascending order of slots, until the next
/// update, the next hm_world_restore(), or the end of the world.
///
/// Errors: HM_NOT_UPDATED if the world has colliders and was never updated.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_touching(world: *const hm_world, pairs: *mut hm_pairs) -> hm_status {
    answer_with_mut(pairs, world, |state| Ok(touching(&state.world)?.into()))
}

fn touching(world: &World) -> Answer<&[Pair]> {
    if !world.is_updated() && !world.is_empty() {
        let message =
            "no pair is known before the first update; call hm_world_update once per tick";
        return Err(Failure::new(hm_status::HM_NOT_UPDATED, message));
    }
    Ok(world.touching())
}

/// Lends the pairs that touched at the last update but not at the one before, in order, until the
/// next update, the next hm_world_restore(), or the end of the world. Empty before the first update.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_began(world: *const hm_world, pairs: *mut hm_pairs) -> hm_status {
    answer_with_mut(pairs, world, |state| Ok(state.world.began().into()))
}

/// Lends the pairs that touched at the update before the last but not at the last, in order, until
/// the next update, the next hm_world_restore(), or the end of the world. Ids of removed colliders
/// are among them. Empty before the first update.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_ended(world: *const hm_world, pairs: *mut hm_pairs) -> hm_status {
    answer_with_mut(pairs, world, |state| Ok(state.world.ended().into()))
}

/// Lends the pairs that touched at both of the last two updates, in order, until the next call that
/// lends pairs other than those of the events.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_stayed(world: *mut hm_world, pairs: *mut hm_pairs) -> hm_status {
    answer_with_mut(pairs, world, |state| {
        lend(&mut state.lent.pairs, state.world.stayed().copied())
    })
}

/// Writes the contact of a pair at the current placements. HM_NONE if the two do not touch, if one
/// is disabled, or if an id is stale. Follows the accuracies, and ignores layers.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_contact(
    world: *const hm_world,
    pair: hm_pair,
    contact: *mut hm_contact,
) -> hm_status {
    maybe_with_mut(contact, world, |state| {
        let found = self::pair(pair).and_then(|pair| state.world.contact(pair));
        Ok(found.map(hm_contact::from))
    })
}

/// Writes the contact of a pair at the given accuracy, whatever those of the colliders are.
/// HM_NONE as for hm_world_contact().
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_contact_at(
    world: *const hm_world,
    pair: hm_pair,
    accuracy: hm_accuracy,
    contact: *mut hm_contact,
) -> hm_status {
    maybe_with_mut(contact, world, |state| {
        let accuracy = self::accuracy(accuracy)?;
        let touch = self::pair(pair).and_then(|pair| state.world.pair(pair));
        let found = touch.and_then(|touch| touch.contact_at(accuracy));
        Ok(found.and_then(|at| at.contact).map(hm_contact::from))
    })
}

/// Writes the details of the overlap of a pair's pixels: normal, push-out, depth. HM_NONE if no
/// pixels overlap. Costs some microseconds.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_overlap(
    world: *const hm_world,
    pair: hm_pair,
    overlap: *mut hm_overlap,
) -> hm_status {
    maybe_with_mut(overlap, world, |state| {
        let touch = self::pair(pair).and_then(|pair| state.world.pair(pair));
        Ok(touch.and_then(|touch| touch.overlap()).map(|overlap| (&overlap).into()))
    })
}

/// Lends the planes of a pair that overlap, in order, until the next call of this function with
/// the same world. Empty if an id is stale.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_overlapping_planes(
    world: *mut hm_world,
    pair: hm_pair,
    planes: *mut hm_plane_pairs,
) -> hm_status {
    answer_with_mut(planes, world, |state| {
        let met =
            self::pair(pair).and_then(|pair| state.world.pair(pair)).map(|pair| pair.planes());
        let met = met.into_iter().flatten().map(|[a, b]| hm_plane_pair { a, b });
        lend(&mut state.lent.plane_pairs, met)
    })
}

/// Lends a text that explains why a pair touches or not: layers, boxes, accuracy, pixels. It is
/// lent until the next call that lends a text from this world. HM_NONE if an id is stale.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_explain(
    world: *mut hm_world,
    pair: hm_pair,
    text: *mut hm_text,
) -> hm_status {
    maybe_with_mut(text, world, |state| {
        let touch = self::pair(pair).and_then(|pair| state.world.pair(pair));
        let explanation = touch.and_then(|touch| touch.explain()).map(|text| text.to_string());
        Ok(explanation.map(|text| state.lent.lend_text(&text)))
    })
}

/// Lends the colliders that touch a collider now, without an update, until the next call that lends
/// ids. Follows layers, accuracies and owners.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_touching_with(
    world: *mut hm_world,
    id: hm_collider_id,
    found: *mut hm_colliders,
) -> hm_status {
    answer_with_mut(found, world, |state| {
        let id = state.present(id)?;
        keep(&mut state.lent.colliders, state.world.touching_with(id))
    })
}

/// Lends the pairs that touch now, one collider of each list, until the next call that lends pairs
/// other than those of the events. Stale ids touch nothing.
///
/// Errors: HM_BAD_LENGTH, HM_NULL_POINTER.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_touching_between(
    world: *mut hm_world,
    group: *const hm_collider_id,
    group_count: usize,
    others: *const hm_collider_id,
    others_count: usize,
    pairs: *mut hm_pairs,
) -> hm_status {
    answer_with_mut(pairs, world, |state| {
        let ids = |ids: *const hm_collider_id, count, name| -> Answer<&[ColliderId]> {
            slice(ids.cast::<ColliderId>(), count, name)
        };
        let group = ids(group, group_count, "group")?;
        let others = ids(others, others_count, "others")?;
        keep(&mut state.lent.pairs, state.world.touching_between(group, others))
    })
}

/// Writes the distance in pixels between the nearest pixels of two colliders, from centre to
/// centre; 0 if they touch. HM_NONE if one has no pixels or is disabled.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_distance(
    world: *const hm_world,
    a: hm_collider_id,
    b: hm_collider_id,
    distance: *mut f64,
) -> hm_status {
    maybe_with_mut(distance, world, |state| {
        let (a, b) = (state.present(a)?, state.present(b)?);
        Ok(state.world.pair([a, b]).and_then(|pair| pair.distance()))
    })
}

/// Writes the shortest translation, in pixels, that ends every overlap of a collider with
/// obstacles, at most `radius` pixels long. (0, 0) if it overlaps none. HM_NONE if there is no
/// such translation.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_push_out(
    world: *const hm_world,
    id: hm_collider_id,
    radius: f32,
    translation: *mut hm_vec2,
) -> hm_status {
    maybe_with_mut(translation, world, |state| {
        let id = state.present(id)?;
        Ok(state.world.push_out(id, radius, Filter::SOLID)?.map(hm_vec2::from))
    })
}
