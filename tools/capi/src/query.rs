//! Queries: which colliders are at a point, in a zone, on a line, or near.
//!
//! Answers are for the current placements, without an update, and in order of slots.

use crate::collider::hm_filter;
use crate::handles::{hm_mask, hm_world, maybe_with_mut, with};
use crate::lists::{
    HM_GRAZE_CLEAR, HM_GRAZE_HIT, HM_GRAZE_NEAR, hm_colliders, hm_grazed, hm_grazes, hm_line_hit,
    hm_line_hits, keep, lend,
};
use crate::status::{Answer, Failure, hm_status};
use crate::types::{hm_collider_id, hm_point, hm_rect, hm_vec2};
use crate::world::{WorldState, user_data_of};
use hitmask::{CallError, ColliderId, Filter, Graze, Line, LineHit, Zone};

/// A collider and its distance.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct hm_nearest {
    /// The collider.
    pub collider: hm_collider_id,
    /// The distance in pixels.
    pub distance: f64,
}

/// What decides among several colliders under a pointer.
pub type hm_pick_order = u32;

/// The highest slot wins.
pub const HM_PICK_BY_SLOT: hm_pick_order = 0;
/// The largest number of hm_world_set_user_data() wins, as unsigned number: a height. Among equals
/// the highest slot wins.
pub const HM_PICK_BY_USER_DATA: hm_pick_order = 1;

/// Runs a query on the colliders that a filter lets through; null for all.
pub(crate) fn answer_filtered<T: Default>(
    out: *mut T,
    world: *const hm_world,
    filter: *const hm_filter,
    query: impl FnOnce(&mut WorldState, Filter) -> Answer<T>,
) -> hm_status {
    maybe_filtered(out, world, filter, |state, filter| query(state, filter).map(Some))
}

/// As [`answer_filtered`], for a query that may find nothing.
pub(crate) fn maybe_filtered<T: Default>(
    out: *mut T,
    world: *const hm_world,
    filter: *const hm_filter,
    query: impl FnOnce(&mut WorldState, Filter) -> Answer<Option<T>>,
) -> hm_status {
    maybe_with_mut(out, world, |state| {
        let filter = hm_filter::read(filter)?;
        query(state, filter)
    })
}

/// Lends the ids of the colliders in a zone.
fn lend_zone(
    world: *mut hm_world,
    filter: *const hm_filter,
    found: *mut hm_colliders,
    zone: impl FnOnce() -> Result<Zone, CallError>,
) -> hm_status {
    answer_filtered(found, world, filter, |state, filter| {
        state.lent.colliders = state.world.query(&zone()?, filter)?;
        Ok(state.lent.colliders.as_slice().into())
    })
}

/// Lends the colliders that have a pixel at a position in pixels, until the next call that lends
/// ids.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_query_point(
    world: *mut hm_world,
    x: f32,
    y: f32,
    filter: *const hm_filter,
    found: *mut hm_colliders,
) -> hm_status {
    lend_zone(world, filter, found, || Zone::point([x, y]))
}

/// Lends the colliders that have a pixel in a rectangle of mask pixels, until the next call that
/// lends ids. A filter with HM_ACCURACY_BOX finds those whose tight box overlaps the rectangle.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_query_rect(
    world: *mut hm_world,
    rect: hm_rect,
    filter: *const hm_filter,
    found: *mut hm_colliders,
) -> hm_status {
    lend_zone(world, filter, found, || Ok(Zone::rect(rect.into())))
}

/// Lends the colliders that have a pixel whose centre is at most `radius` from a position, in
/// pixels, until the next call that lends ids.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_query_circle(
    world: *mut hm_world,
    x: f32,
    y: f32,
    radius: f32,
    filter: *const hm_filter,
    found: *mut hm_colliders,
) -> hm_status {
    lend_zone(world, filter, found, || Zone::circle([x, y], radius))
}

/// Lends the colliders that have a pixel whose centre lies in an upright ellipse, in pixels, until
/// the next call that lends ids.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_query_ellipse(
    world: *mut hm_world,
    x: f32,
    y: f32,
    radius_x: f32,
    radius_y: f32,
    filter: *const hm_filter,
    found: *mut hm_colliders,
) -> hm_status {
    lend_zone(world, filter, found, || Zone::ellipse([x, y], [radius_x, radius_y]))
}

/// Lends the colliders that have a pixel on a line between two positions in pixels, both ends
/// included, until the next call that lends ids.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_query_line(
    world: *mut hm_world,
    from: hm_vec2,
    to: hm_vec2,
    filter: *const hm_filter,
    found: *mut hm_colliders,
) -> hm_status {
    lend_zone(world, filter, found, || Ok(Zone::line(Line::new(from, to)?)))
}

/// Lends the colliders that share a pixel with a mask whose top left pixel is at `at`, in mask
/// pixels, until the next call that lends ids.
///
/// Errors: those of handles.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_query_mask(
    world: *mut hm_world,
    mask: *const hm_mask,
    at: hm_point,
    filter: *const hm_filter,
    found: *mut hm_colliders,
) -> hm_status {
    answer_filtered(found, world, filter, |state, filter| {
        let found = with(mask, |mask| Ok(state.world.probe(&mask.mask, at).touching(filter)))?;
        keep(&mut state.lent.colliders, found)
    })
}

impl From<(hm_collider_id, LineHit)> for hm_line_hit {
    fn from((collider, hit): (hm_collider_id, LineHit)) -> Self {
        let LineHit { step, steps, .. } = hit;
        Self { collider, point: hit.point.into(), step, steps, normal: hit.normal.into() }
    }
}

pub(crate) fn line_hit((id, hit): (ColliderId, LineHit)) -> hm_line_hit {
    (id.to_bits(), hit).into()
}

/// Writes the first collider that a ray hits on its way between two positions in pixels. HM_NONE if
/// it hits none.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_ray(
    world: *const hm_world,
    from: hm_vec2,
    to: hm_vec2,
    filter: *const hm_filter,
    hit: *mut hm_line_hit,
) -> hm_status {
    maybe_filtered(hit, world, filter, |state, filter| {
        let found = state.world.ray(&Line::new(from, to)?, filter)?;
        Ok(found.map(line_hit))
    })
}

/// Lends all colliders that a ray hits on its way between two positions in pixels, in order of the
/// way, until the next call of this function with the same world.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_ray_all(
    world: *mut hm_world,
    from: hm_vec2,
    to: hm_vec2,
    filter: *const hm_filter,
    hits: *mut hm_line_hits,
) -> hm_status {
    answer_filtered(hits, world, filter, |state, filter| {
        let found = state.world.ray_all(&Line::new(from, to)?, filter)?;
        lend(&mut state.lent.line_hits, found.into_iter().map(line_hit))
    })
}

/// Writes the collider under a pointer at a position in pixels. If no pixel is there, the nearest
/// collider within `radius` pixels is picked, so that small sprites can be hit. `order` decides
/// among several: HM_PICK_BY_SLOT or HM_PICK_BY_USER_DATA. HM_NONE if there is none.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_pick(
    world: *const hm_world,
    x: f32,
    y: f32,
    radius: f32,
    order: hm_pick_order,
    filter: *const hm_filter,
    collider: *mut hm_collider_id,
) -> hm_status {
    maybe_filtered(collider, world, filter, |state, filter| {
        let (world, data) = state.split();
        let height = pick_height(order, data)?;
        Ok(world.pick([x, y], radius, filter, height)?.map(ColliderId::to_bits))
    })
}

/// Returns the number by which a pick chooses among several colliders: the largest wins.
pub(crate) fn pick_height(
    order: hm_pick_order,
    data: &[(u64, u64)],
) -> Answer<impl Fn(ColliderId) -> u64 + '_> {
    if order > HM_PICK_BY_USER_DATA {
        return Failure::value("order", order, "give HM_PICK_BY_SLOT or HM_PICK_BY_USER_DATA");
    }
    Ok(move |id| match order {
        HM_PICK_BY_SLOT => 0,
        _ => user_data_of(data, id),
    })
}

/// Writes the collider whose pixels are nearest to a position, at most `within` pixels away, and
/// the distance to the centre of that pixel. HM_NONE if there is none.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_nearest(
    world: *const hm_world,
    x: f32,
    y: f32,
    within: f32,
    filter: *const hm_filter,
    nearest: *mut hm_nearest,
) -> hm_status {
    maybe_filtered(nearest, world, filter, |state, filter| {
        Ok(state.world.nearest([x, y], within, filter)?.map(near))
    })
}

/// Writes the collider whose pixels are nearest to those of another collider, at most `within`
/// pixels away, and the distance from pixel centre to pixel centre. HM_NONE if there is none.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_nearest_to(
    world: *const hm_world,
    id: hm_collider_id,
    within: f32,
    filter: *const hm_filter,
    nearest: *mut hm_nearest,
) -> hm_status {
    maybe_filtered(nearest, world, filter, |state, filter| {
        let id = state.present(id)?;
        Ok(state.world.nearest_to(id, within, filter)?.map(near))
    })
}

fn near((id, distance): (ColliderId, f64)) -> hm_nearest {
    hm_nearest { collider: id.to_bits(), distance }
}

/// Lends the colliders whose pixels touch those of a collider or come within `radius` pixels of
/// them, until the next call of this function with the same world. Ignores layers of the
/// collider itself.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_graze(
    world: *mut hm_world,
    id: hm_collider_id,
    radius: f32,
    filter: *const hm_filter,
    found: *mut hm_grazes,
) -> hm_status {
    answer_filtered(found, world, filter, |state, filter| {
        let id = state.present(id)?;
        let found = state.world.graze(id, radius, filter)?;
        let found = found.into_iter().map(|(id, graze)| hm_grazed {
            collider: id.to_bits(),
            graze: graze_number(graze),
            reserved: 0,
        });
        lend(&mut state.lent.grazes, found)
    })
}

pub(crate) const fn graze_number(graze: Graze) -> u32 {
    match graze {
        Graze::Hit => HM_GRAZE_HIT,
        Graze::Graze => HM_GRAZE_NEAR,
        Graze::Clear => HM_GRAZE_CLEAR,
    }
}

/// Writes the shortest translation, in mask pixels, after which a mask at `at` overlaps no collider
/// of the filter, at most `radius` mask pixels long. (0, 0) if it overlaps none. HM_NONE if there is
/// none.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_nearest_free_offset(
    world: *const hm_world,
    mask: *const hm_mask,
    at: hm_point,
    radius: u32,
    filter: *const hm_filter,
    offset: *mut hm_point,
) -> hm_status {
    maybe_filtered(offset, world, filter, |state, filter| {
        with(mask, |mask| {
            let found = state.world.probe(&mask.mask, at).push_out(radius, filter);
            Ok(found.map(hm_point::from))
        })
    })
}
