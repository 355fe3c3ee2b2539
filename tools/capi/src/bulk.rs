//! Many colliders or questions in one call: inserts, placements, rays, picks, casts, and poses drawn ahead.
//!
//! For callers whose single calls are expensive, as through a foreign function interface. Invariant: the answers
//! are those of single calls, in their order. The first bad item is named, and nothing has changed.

use crate::collider::{hm_collider, hm_filter};
use crate::handles::{answer_with_mut, hm_world};
use crate::lists::{
    hm_colliders, hm_hit, hm_hits, hm_line_hit, hm_line_hits, hm_placements, keep, lend,
};
use crate::pointers::slice;
use crate::query::{answer_filtered, hm_pick_order, line_hit, pick_height};
use crate::status::{Answer, hm_status};
use crate::types::{hm_collider_id, hm_placement, hm_vec2};
use hitmask::{CallError, Collider, ColliderId, Filter, Line};

/// Returns the colliders of a list in the library's form.
fn read_all(colliders: *const hm_collider, count: usize) -> Answer<Vec<Collider>> {
    let colliders = slice(colliders, count, "colliders")?.iter().enumerate();
    let read = |(index, collider): (usize, &hm_collider)| {
        collider.read().map_err(|failure| failure.of_item(index))
    };
    colliders.map(read).collect()
}

/// Answers one question for each item.
fn each<T, A>(items: &[T], ask: impl Fn(&T) -> Result<A, CallError>) -> Result<Vec<A>, CallError> {
    let ask = |(index, item)| ask(item).map_err(|cause| cause.of_item(index));
    items.iter().enumerate().map(ask).collect()
}

/// Inserts many colliders, and lends their ids in the same order until the next call that lends ids. All
/// are inserted, or none.
///
/// Errors: as hm_world_insert(). The message names the first bad item.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_insert_all(
    world: *mut hm_world,
    colliders: *const hm_collider,
    count: usize,
    ids: *mut hm_colliders,
) -> hm_status {
    answer_with_mut(ids, world, |state| {
        let colliders = read_all(colliders, count)?;
        keep(&mut state.lent.colliders, state.world.insert_all(&colliders)?)
    })
}

/// Lends the positions and angles of many colliders, in the order of `ids`, until the next call of this
/// function with the same world.
///
/// Errors: HM_STALE_ID. The message names the first stale id.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_placements(
    world: *mut hm_world,
    ids: *const hm_collider_id,
    count: usize,
    placements: *mut hm_placements,
) -> hm_status {
    answer_with_mut(placements, world, |state| {
        let world = &state.world;
        let found = each(slice(ids.cast::<ColliderId>(), count, "ids")?, |&id| {
            let Collider { position: [x, y], angle, .. } =
                world.get(id).ok_or(CallError::Stale(id))?;
            Ok(hm_placement { x, y, angle: angle.to_radians() })
        })?;
        lend(&mut state.lent.placements, found)
    })
}

/// Lends what many rays hit first, until the next call of hm_world_ray_all() or this function with the same
/// world. Ray i runs from `ends[2 * i]` to `ends[2 * i + 1]`, in pixels: there are 2 * `count` ends. The
/// collider of a hit is 0 if the ray hits none.
///
/// Errors: HM_BAD_NUMBER. The message names the first bad ray.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_rays(
    world: *mut hm_world,
    ends: *const hm_vec2,
    count: usize,
    filter: *const hm_filter,
    hits: *mut hm_line_hits,
) -> hm_status {
    answer_filtered(hits, world, filter, |state, filter| {
        let ends = slice(ends, count.saturating_mul(2), "ends")?;
        let rays: Vec<[hm_vec2; 2]> = ends.chunks_exact(2).map(|ray| [ray[0], ray[1]]).collect();
        let found = each(&rays, |&[from, to]| {
            let found = state.world.ray(&Line::new(from, to)?, filter)?;
            Ok(found.map_or_else(hm_line_hit::default, line_hit))
        })?;
        lend(&mut state.lent.line_hits, found)
    })
}

/// Lends the colliders under many pointers, by the rules of hm_world_pick(), until the next call of this
/// function with the same world. 0 for a pointer over none.
///
/// Errors: HM_BAD_NUMBER, HM_BAD_VALUE. The message names the first bad point.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_picks(
    world: *mut hm_world,
    points: *const hm_vec2,
    count: usize,
    radius: f32,
    order: hm_pick_order,
    filter: *const hm_filter,
    colliders: *mut hm_colliders,
) -> hm_status {
    answer_filtered(colliders, world, filter, |state, filter| {
        let points = slice(points, count, "points")?;
        let picked = {
            let (world, data) = state.split();
            let height = pick_height(order, data)?;
            each(points, |&at| {
                Ok(world.pick(at, radius, filter, &height)?.map_or(0, ColliderId::to_bits))
            })?
        };
        keep(&mut state.lent.picked, picked)
    })
}

/// Lends the first obstacle on the way of many colliders, `ids[i]` moved by `motions[i]` pixels, until the
/// next call that lends hits. Nothing moves. The collider of a hit is 0 if the way is free.
///
/// Errors: HM_STALE_ID, HM_BAD_NUMBER. The message names the first bad item.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_casts(
    world: *mut hm_world,
    ids: *const hm_collider_id,
    motions: *const hm_vec2,
    count: usize,
    hits: *mut hm_hits,
) -> hm_status {
    answer_with_mut(hits, world, |state| {
        let ids = slice(ids.cast::<ColliderId>(), count, "ids")?;
        let motions = slice(motions, count, "motions")?;
        let items: Vec<(ColliderId, hm_vec2)> =
            ids.iter().copied().zip(motions.iter().copied()).collect();
        let found = each(&items, |&(id, motion)| {
            let found = state.world.cast(id, motion, Filter::SOLID)?;
            Ok(found.map_or_else(hm_hit::default, hm_hit::from))
        })?;
        lend(&mut state.lent.hits, found)
    })
}

/// Draws the poses that colliders would show, before they show them: while a level loads, or in the rest
/// of a frame. Positions and rules do not matter. Stops before a group of poses when this call has taken
/// `max_microseconds` or has drawn `max_bytes` of masks; UINT64_MAX is no limit. A group takes about 0.2 ms
/// and 128 KiB. Writes the number of colliders at the front whose poses are drawn: call it with the others
/// in the next frame, until none is left. Does nothing over a single drawn atlas, and for run-time masks.
/// No answer depends on it.
///
/// Errors: as hm_world_insert(), and HM_OVER_LIMIT if the poses exceed the budget of the world. The message
/// names the first bad item. HM_BAD_VALUE for a limit on time in WebAssembly, which has no clock.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_draw_ahead(
    world: *mut hm_world,
    colliders: *const hm_collider,
    count: usize,
    max_microseconds: u64,
    max_bytes: u64,
    drawn: *mut usize,
) -> hm_status {
    answer_with_mut(drawn, world, |state| {
        let has_time = time_limit(max_microseconds)?;
        let colliders = read_all(colliders, count)?;
        Ok(state
            .world
            .atlases_mut()
            .draw_ahead(&colliders, |bytes| bytes < max_bytes && has_time())?)
    })
}

/// Returns a check whether a time from now has not passed.
#[cfg(not(target_family = "wasm"))]
fn time_limit(microseconds: u64) -> Answer<impl Fn() -> bool> {
    let begin = std::time::Instant::now();
    Ok(move || begin.elapsed() < std::time::Duration::from_micros(microseconds))
}

#[cfg(target_family = "wasm")]
fn time_limit(microseconds: u64) -> Answer<impl Fn() -> bool> {
    if microseconds < u64::MAX {
        let message =
            "there is no clock in WebAssembly; give UINT64_MAX microseconds and max_bytes";
        return Err(crate::status::Failure::new(hm_status::HM_BAD_VALUE, message));
    }
    Ok(|| true)
}
