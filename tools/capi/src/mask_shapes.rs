//! Shapes of masks: connected parts, polygons, unions, and masks drawn from shapes and transforms.

use crate::batch::{hm_scan_order, scan_order};
use crate::events::hm_overlap;
use crate::handles::{answer_with_mut, hm_mask, maybe_with, with};
use crate::lists::{hm_component, hm_components, hm_line_hit, hm_points, hm_polygons, lend};
use crate::mask::{MaskState, copies};
use crate::mask_pair::{both, maybe_both};
use crate::pointers::{answer, answer_two, given, maybe, slice};
use crate::runtime_masks::{hm_affine, hm_pivot, raster};
use crate::status::{Answer, Failure, hm_status};
use crate::types::{hm_point, hm_vec2};
use hitmask::{Affine, Connectivity, Line, Mask, Point, Zone};

/// Which pixels are connected: 4 or 8 neighbours.
pub type hm_connectivity = u32;

/// Pixels that share an edge.
pub const HM_CONNECT_4: hm_connectivity = 4;
/// Pixels that share an edge or a corner.
pub const HM_CONNECT_8: hm_connectivity = 8;

fn connectivity(number: hm_connectivity) -> Answer<Connectivity> {
    match number {
        HM_CONNECT_4 => Ok(Connectivity::Four),
        HM_CONNECT_8 => Ok(Connectivity::Eight),
        _ => Failure::value("connectivity", number, "give HM_CONNECT_4 or HM_CONNECT_8"),
    }
}

/// Creates a mask that has a position, and writes that to `origin`.
fn placed(
    mask: *mut *mut hm_mask,
    origin: *mut hm_point,
    make: impl FnOnce() -> Answer<(Mask, Point)>,
) -> hm_status {
    answer_two(mask, origin, || {
        let (made, at) = make()?;
        Ok((MaskState::store(made)?, at.into()))
    })
}

/// Creates a mask of the pixels whose centres lie inside polygons. A pixel counts if it is inside an
/// odd number of them, so a polygon inside another one is a hole. Polygon i has the corners
/// `corners[starts[i]]` up to but without `corners[starts[i + 1]]`, in pixels; `starts` has
/// `polygon_count` + 1 numbers, and null means one polygon of all corners. Corners snap to 1/256 of a
/// pixel. Writes to `origin` the position of the top left pixel; `origin` may be null.
///
/// Errors: HM_BAD_LENGTH if `starts` does not ascend up to at most `corner_count`, HM_BAD_NUMBER for a
/// corner that is not finite or too far, HM_BAD_MASK for a mask that is too large, HM_NULL_POINTER,
/// HM_FULL.
#[unsafe(no_mangle)]
pub extern "C" fn hm_mask_from_polygons(
    corners: *const hm_vec2,
    corner_count: usize,
    starts: *const u32,
    polygon_count: usize,
    mask: *mut *mut hm_mask,
    origin: *mut hm_point,
) -> hm_status {
    placed(mask, origin, || {
        let corners = slice(corners, corner_count, "corners")?;
        let corners: Vec<[f32; 2]> = corners.iter().map(|&corner| corner.into()).collect();
        if starts.is_null() {
            return Ok(Mask::from_polygons([&corners[..]])?);
        }
        let too_many = || {
            let message =
                format!("starts cannot have {polygon_count} + 1 items; no memory is that large");
            Failure::new(hm_status::HM_BAD_LENGTH, message)
        };
        let count = polygon_count.checked_add(1).ok_or_else(too_many)?;
        let starts = slice(starts, count, "starts")?;
        let polygons = starts.windows(2).map(|ends| {
            corners.get(ends[0] as usize..ends[1] as usize).ok_or_else(|| {
                let message = format!(
                    "a polygon starts at corner {} and ends at {} of {corner_count}; list starts in \
                     ascending order",
                    ends[0], ends[1]
                );
                Failure::new(hm_status::HM_BAD_LENGTH, message)
            })
        });
        Ok(Mask::from_polygons(polygons.collect::<Answer<Vec<_>>>()?)?)
    })
}

/// Creates a mask of the pixels whose centres lie in an upright ellipse with these radii, in pixels; a
/// circle if both are equal. Writes to `origin` the position of the top left pixel; `origin` may be
/// null.
#[unsafe(no_mangle)]
pub extern "C" fn hm_mask_from_ellipse(
    center: hm_vec2,
    radius_x: f32,
    radius_y: f32,
    mask: *mut *mut hm_mask,
    origin: *mut hm_point,
) -> hm_status {
    placed(mask, origin, || Ok(Mask::from_zone(&Zone::ellipse(center, [radius_x, radius_y])?)?))
}

/// Creates a mask of the pixels of a line between two positions in pixels, both ends included. Writes to
/// `origin` the position of the top left pixel; `origin` may be null.
#[unsafe(no_mangle)]
pub extern "C" fn hm_mask_from_line(
    from: hm_vec2,
    to: hm_vec2,
    mask: *mut *mut hm_mask,
    origin: *mut hm_point,
) -> hm_status {
    placed(mask, origin, || Ok(Mask::from_zone(&Zone::line(Line::new(from, to)?))?))
}

/// Creates one mask of the pixels of several masks, the top left pixel of `masks[i]` being at
/// `positions[i]`. With all frames of a swing as parts it covers the whole swing. Writes to `origin` the
/// position of the top left pixel; `origin` may be null.
///
/// Errors: those of handles, for each mask; HM_NULL_POINTER, HM_BAD_MASK if it is too large, HM_FULL.
#[unsafe(no_mangle)]
pub extern "C" fn hm_mask_union(
    masks: *const *const hm_mask,
    positions: *const hm_point,
    count: usize,
    mask: *mut *mut hm_mask,
    origin: *mut hm_point,
) -> hm_status {
    placed(mask, origin, || {
        let (masks, positions) = (copies(masks, count)?, slice(positions, count, "positions")?);
        Ok(Mask::union(masks.iter().zip(positions.iter().copied()))?)
    })
}

/// Creates a copy that is cropped to the tight box of its pixels. Writes to `origin` where the top left
/// pixel was in the mask; `origin` may be null.
#[unsafe(no_mangle)]
pub extern "C" fn hm_mask_trimmed(
    mask: *const hm_mask,
    trimmed: *mut *mut hm_mask,
    origin: *mut hm_point,
) -> hm_status {
    placed(trimmed, origin, || with(mask, |state| Ok(state.mask.trimmed())))
}

/// Creates a mask that is drawn from another one by a transform about a pivot, by nearest pixels, as
/// sprites are baked. Writes to `origin` where the top left pixel of the result is relative to the pixel
/// in which the pivot lies; `origin` and `pivot` may be null. Costs a few nanoseconds per pixel of the
/// result's box: seconds for one of 30,000 pixels a side.
///
/// Errors: HM_BAD_NUMBER for a pivot or transform out of range, HM_BAD_MASK if the result is too large,
/// HM_FULL.
#[unsafe(no_mangle)]
pub extern "C" fn hm_mask_transformed(
    mask: *const hm_mask,
    pivot: *const hm_pivot,
    transform: *const hm_affine,
    transformed: *mut *mut hm_mask,
    origin: *mut hm_point,
) -> hm_status {
    placed(transformed, origin, || {
        let transform = Affine::from(*given(transform, "transform")?);
        let posed = raster(mask, pivot)?.transformed(transform)?;
        Ok((posed.mask, posed.origin))
    })
}

/// Creates a mask of the offsets at which `mask` overlaps `other`: pixel (x, y) is set if they touch
/// with `other` at (x - w + 1, y - h + 1), w and h being the sides of `other`. Clear pixels are the
/// offsets at which `other` fits.
#[unsafe(no_mangle)]
pub extern "C" fn hm_mask_convolve(
    mask: *const hm_mask,
    other: *const hm_mask,
    offsets: *mut *mut hm_mask,
) -> hm_status {
    answer(offsets, || {
        MaskState::store(both(mask, other, |mask, other| Ok(mask.convolve(other)?))?)
    })
}

/// Writes the angle of the direction in which the pixels spread most, in radians from -pi/2 to pi/2,
/// clockwise on screen; 0 if no direction dominates, as for a disc. HM_NONE if no pixel is set.
#[unsafe(no_mangle)]
pub extern "C" fn hm_mask_angle(mask: *const hm_mask, angle: *mut f32) -> hm_status {
    maybe_with(angle, mask, |state| Ok(state.mask.angle()))
}

/// Lends the connected parts of a mask, in the order of their first pixels, until the next call of this
/// function with the same mask. hm_mask_component() makes a mask of each.
#[unsafe(no_mangle)]
pub extern "C" fn hm_mask_components(
    mask: *mut hm_mask,
    connectivity: hm_connectivity,
    components: *mut hm_components,
) -> hm_status {
    answer_with_mut(components, mask, |MaskState { mask, components, parts, .. }| {
        let connectivity = self::connectivity(connectivity)?;
        let found = components.insert(mask.components(connectivity));
        let found = found.iter();
        lend(parts, found.map(|part| hm_component { area: part.area(), rect: part.rect().into() }))
    })
}

/// Creates a mask of a connected part, by its index in the last list of hm_mask_components() of this
/// mask. It has the size of the tight box. HM_NONE beyond the last part.
#[unsafe(no_mangle)]
pub extern "C" fn hm_mask_component(
    mask: *const hm_mask,
    index: usize,
    component: *mut *mut hm_mask,
) -> hm_status {
    maybe(component, || {
        let found = with(mask, |state| {
            let part = state.components.as_ref().and_then(|parts| parts.iter().nth(index));
            Ok(part.map(|part| part.mask()))
        })?;
        found.map(MaskState::store).transpose()
    })
}

/// Lends the borders of a mask as polygons between pixels, until the next call that lends points of
/// this mask. They are exact; hm_mask_shape() gives polygons with fewer corners.
#[unsafe(no_mangle)]
pub extern "C" fn hm_mask_polygons(
    mask: *mut hm_mask,
    connectivity: hm_connectivity,
    polygons: *mut hm_polygons,
) -> hm_status {
    answer_with_mut(polygons, mask, |MaskState { mask, points, starts, .. }| {
        let connectivity = self::connectivity(connectivity)?;
        let found = mask.polygons(connectivity);
        points.clear();
        starts.clear();
        starts.push(0);
        for polygon in &found {
            points.extend(polygon.points().iter().map(|&point| hm_point::from(point)));
            starts.push(points.len() as u32);
        }
        let (points, starts) = (points.as_ptr(), starts.as_ptr());
        Ok(hm_polygons { points, starts, count: found.len() })
    })
}

/// Lends the corners of the convex hull of a mask, between pixels, in clockwise order, until the next
/// call that lends points of this mask. Empty if there is no pixel.
#[unsafe(no_mangle)]
pub extern "C" fn hm_mask_convex_hull(mask: *mut hm_mask, points: *mut hm_points) -> hm_status {
    answer_with_mut(points, mask, |MaskState { mask, points, .. }| {
        let hull = mask.convex_hull();
        lend(points, hull.iter().flat_map(|hull| hull.points()).map(|&p| hm_point::from(p)))
    })
}

/// Writes where a line between two positions in pixels first meets a mask whose top left pixel is at
/// `at`. The collider of the hit is 0. HM_NONE if it misses.
#[unsafe(no_mangle)]
pub extern "C" fn hm_mask_ray(
    mask: *const hm_mask,
    at: hm_point,
    from: hm_vec2,
    to: hm_vec2,
    hit: *mut hm_line_hit,
) -> hm_status {
    maybe_with(hit, mask, |state| {
        let line = Line::new(from, to)?;
        Ok(state.mask.first_line_hit(&line, at).map(|hit| (0, hit).into()))
    })
}

/// Writes whether two masks share at least `pixels` pixels, the top left pixel of `other` being at `at`.
/// 0 counts as 1. Usually faster than the exact number.
#[unsafe(no_mangle)]
pub extern "C" fn hm_mask_overlap_at_least(
    mask: *const hm_mask,
    pixels: u32,
    other: *const hm_mask,
    at: hm_point,
    overlaps: *mut bool,
) -> hm_status {
    answer(overlaps, || {
        let least = u64::from(pixels.max(1));
        both(mask, other, |mask, other| Ok(mask.overlap_area(other, at) >= least))
    })
}

/// Writes the first shared pixel of two masks in an order: HM_SCAN_TOP, HM_SCAN_BOTTOM, HM_SCAN_LEFT or
/// HM_SCAN_RIGHT. In pixels of `mask`. HM_NONE if they do not touch.
#[unsafe(no_mangle)]
pub extern "C" fn hm_mask_first_overlap(
    mask: *const hm_mask,
    order: hm_scan_order,
    other: *const hm_mask,
    at: hm_point,
    point: *mut hm_point,
) -> hm_status {
    maybe(point, || {
        let order = scan_order(order)?;
        both(mask, other, |mask, other| {
            Ok(mask.first_overlap(order, other, at).map(hm_point::from))
        })
    })
}

/// Writes the shortest translation of `mask` that ends its overlap with `other`, along the line of pixels
/// towards (x, y) = `direction`. HM_NONE if they do not touch or the direction is (0, 0).
#[unsafe(no_mangle)]
pub extern "C" fn hm_mask_push_along(
    mask: *const hm_mask,
    other: *const hm_mask,
    at: hm_point,
    direction: hm_point,
    translation: *mut hm_point,
) -> hm_status {
    maybe_both(translation, mask, other, |mask, other| mask.push_along(other, at, direction))
}

/// Writes the details of the overlap of two masks, in pixels of `mask`: normal, push-out, depth. `a` is
/// `mask`, and `b` is `other`. HM_NONE if they do not touch.
#[unsafe(no_mangle)]
pub extern "C" fn hm_mask_overlap(
    mask: *const hm_mask,
    other: *const hm_mask,
    at: hm_point,
    overlap: *mut hm_overlap,
) -> hm_status {
    maybe_both(overlap, mask, other, |mask, other| {
        mask.overlap(other, at).map(|found| hm_overlap::from(&found))
    })
}
