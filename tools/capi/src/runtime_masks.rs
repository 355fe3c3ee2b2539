//! Run-time masks of a world: destructible ground, damage, and shapes drawn by a transform.

use crate::collider::mask_id;
use crate::handles::{answer_with_mut, call_with_mut, hm_mask, hm_world, with, with_mut};
use crate::mask::{MaskState, copy};
use crate::mask_edit::{blit, hm_blit};
use crate::pointers::{any_bits, given, maybe_given};
use crate::status::{Answer, Failure, call, hm_status};
use crate::types::{hm_mask_id, hm_point, hm_rect, hm_vec2};
use hitmask::{Affine, CallError, Mask, Pivot, Point, Raster, Sampling};

/// A pivot in half-texels from the top left corner of a mask: (1, 1) is the centre of its first
/// pixel. It may be outside the mask. A null pointer to it means the centre of the mask.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct hm_pivot {
    /// Half-texels to the right.
    pub x2: i32,
    /// Half-texels down.
    pub y2: i32,
}

any_bits! { hm_pivot }

/// A transform of the plane: (x, y) becomes (a x + c y + tx, b x + d y + ty).
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct hm_affine {
    /// x to x.
    pub a: f64,
    /// x to y.
    pub b: f64,
    /// y to x.
    pub c: f64,
    /// y to y.
    pub d: f64,
    /// Translation to the right, in pixels.
    pub tx: f64,
    /// Translation down, in pixels.
    pub ty: f64,
}

any_bits! { hm_affine }

impl hm_pivot {
    pub(crate) fn read(this: *const Self) -> Answer<Pivot> {
        let given = maybe_given(this, "pivot")?;
        Ok(given.map_or(Pivot::Center, |&Self { x2, y2 }| Pivot::HalfTexels(x2, y2)))
    }
}

impl From<hm_affine> for Affine {
    fn from(t: hm_affine) -> Self {
        Self { a: t.a, b: t.b, c: t.c, d: t.d, tx: t.tx, ty: t.ty }
    }
}

impl From<Affine> for hm_affine {
    fn from(t: Affine) -> Self {
        Self { a: t.a, b: t.b, c: t.c, d: t.d, tx: t.tx, ty: t.ty }
    }
}

/// Adds a copy of a mask to a world and writes its id. Colliders show it with hm_collider.mask; any
/// number of them can share it.
///
/// Errors: HM_BAD_NUMBER for a pivot out of range, HM_FULL.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_insert_mask(
    world: *mut hm_world,
    mask: *const hm_mask,
    pivot: *const hm_pivot,
    id: *mut hm_mask_id,
) -> hm_status {
    answer_with_mut(id, world, |state| {
        let mask = copy(mask)?;
        Ok(state.world.masks_mut().insert(mask, hm_pivot::read(pivot)?)?.to_bits())
    })
}

/// Returns the raster of a mask, which is drawn by transforms about a pivot.
pub(crate) fn raster(source: *const hm_mask, pivot: *const hm_pivot) -> Answer<Raster> {
    with(source, |state| Ok(Raster::new(&state.mask, hm_pivot::read(pivot)?, Sampling::Nearest)?))
}

/// Returns the transform of a child in its parent: scaled, then turned by `radians`, clockwise on screen,
/// about `registration` in the child, which is placed at `at` in the parent.
#[unsafe(no_mangle)]
pub extern "C" fn hm_affine_placed(
    at: hm_vec2,
    registration: hm_vec2,
    angle: f32,
    scale: f32,
) -> hm_affine {
    Affine::placed(at, registration, angle, scale).into()
}

/// Returns the transform that applies `first`, then `second`, as for a child and its parent.
#[unsafe(no_mangle)]
pub extern "C" fn hm_affine_then(first: hm_affine, second: hm_affine) -> hm_affine {
    (Affine::from(second) * Affine::from(first)).into()
}

/// Adds a mask that is drawn from a source by a transform about the pivot of the source, and writes
/// its id: for scales, skews and angles that no atlas holds.
///
/// Errors: HM_BAD_NUMBER for a pivot or transform out of range, HM_BAD_MASK if the result is too
/// large, HM_FULL.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_insert_transformed(
    world: *mut hm_world,
    source: *const hm_mask,
    pivot: *const hm_pivot,
    transform: *const hm_affine,
    id: *mut hm_mask_id,
) -> hm_status {
    answer_with_mut(id, world, |state| {
        let transform = Affine::from(*given(transform, "transform")?);
        let raster = raster(source, pivot)?;
        Ok(state.world.masks_mut().insert_drawn(raster, transform)?.to_bits())
    })
}

/// Draws a mask of hm_world_insert_transformed() again with another transform, for all colliders
/// that show it. A transform that differs by whole pixels only moves the mask.
///
/// Errors: HM_STALE_ID, HM_MASK_USE for a mask without a source, HM_BAD_NUMBER, HM_BAD_MASK.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_transform_mask(
    world: *mut hm_world,
    id: hm_mask_id,
    transform: *const hm_affine,
) -> hm_status {
    call_with_mut(world, |state| {
        let transform = Affine::from(*given(transform, "transform")?);
        Ok(state.world.masks_mut().transform(mask_id(id)?, transform)?)
    })
}

/// Draws a mask of hm_world_insert_transformed() again from another source and pivot, with its last
/// transform, for all colliders that show it: a hole in the source turns with the rest.
///
/// Errors: HM_STALE_ID, HM_MASK_USE for a mask without a source, HM_BAD_NUMBER, HM_BAD_MASK.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_redraw_mask(
    world: *mut hm_world,
    id: hm_mask_id,
    source: *const hm_mask,
    pivot: *const hm_pivot,
) -> hm_status {
    call_with_mut(world, |state| {
        let raster = raster(source, pivot)?;
        Ok(state.world.masks_mut().redraw(mask_id(id)?, raster)?)
    })
}

fn edit<R>(world: *mut hm_world, id: hm_mask_id, edit: impl FnOnce(&mut Mask) -> R) -> Answer<R> {
    with_mut(world, |state| {
        let id = mask_id(id)?;
        Ok(state.world.masks_mut().edit(id, edit).ok_or(CallError::UnknownMask(id))?)
    })
}

/// Sets or clears a rectangle of a run-time mask, for all colliders that show it. The rectangle is
/// in pixels of the mask. What is outside of the mask is ignored. `solid` is 0 to clear.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_fill_rect(
    world: *mut hm_world,
    id: hm_mask_id,
    rect: hm_rect,
    solid: u8,
) -> hm_status {
    call(|| edit(world, id, |mask| mask.fill_rect(rect.into(), solid != 0)))
}

/// Sets or clears a disc of a run-time mask: the pixels whose centre is at most `radius` pixels from
/// the centre of the pixel `center`. `solid` is 0 to clear: a crater.
///
/// Errors: HM_STALE_ID, HM_BAD_MASK for a radius that is too large.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_fill_disc(
    world: *mut hm_world,
    id: hm_mask_id,
    center: hm_point,
    radius: u32,
    solid: u8,
) -> hm_status {
    call(|| {
        let disc = Mask::disc(radius)?;
        // A disc has an odd side, so its centre is a pixel.
        let half = (disc.width() / 2) as i32;
        let corner = |at: i32| at.saturating_sub(half);
        let corner = Point::new(corner(center.x), corner(center.y));
        edit(world, id, |mask| match solid {
            0 => mask.erase(&disc, corner),
            _ => mask.draw(&disc, corner),
        })
    })
}

/// Draws a mask on a run-time mask: HM_BLIT_DRAW, HM_BLIT_ERASE, HM_BLIT_TOGGLE or
/// HM_BLIT_INTERSECT. The top left pixel of `mask` goes to `at`.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_blit(
    world: *mut hm_world,
    id: hm_mask_id,
    mask: *const hm_mask,
    at: hm_point,
    operation: hm_blit,
) -> hm_status {
    call(|| {
        let blit = blit(operation)?;
        with(mask, |state| edit(world, id, |target| blit(target, &state.mask, at)))
    })
}

/// Replaces the pixels of a run-time mask by those of a mask of the same size.
///
/// Errors: HM_STALE_ID, HM_BAD_LENGTH if the sizes differ.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_replace_mask(
    world: *mut hm_world,
    id: hm_mask_id,
    mask: *const hm_mask,
) -> hm_status {
    call(|| {
        let mask = copy(mask)?;
        let size = |mask: &Mask| [mask.width(), mask.height()];
        edit(world, id, |target| {
            if size(target) != size(&mask) {
                let ([w, h], [now_w, now_h]) = (size(&mask), size(target));
                let message = format!(
                    "the new mask has {w} x {h} px, and the run-time mask {now_w} x {now_h} px; give \
                     one of the same size"
                );
                return Err(Failure::new(hm_status::HM_BAD_LENGTH, message));
            }
            *target = mask;
            Ok(())
        })?
    })
}

/// Creates a copy of a run-time mask. Destroy it with hm_mask_destroy().
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_copy_mask(
    world: *const hm_world,
    id: hm_mask_id,
    mask: *mut *mut hm_mask,
) -> hm_status {
    answer_with_mut(mask, world, |state| {
        let id = mask_id(id)?;
        let mask = state.world.mask(id).ok_or(CallError::UnknownMask(id))?;
        MaskState::store(mask.clone())
    })
}

/// Removes a run-time mask from a world. Its id stays stale.
///
/// Errors: HM_STALE_ID, HM_MASK_USE if a collider shows it.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_remove_mask(world: *mut hm_world, id: hm_mask_id) -> hm_status {
    call_with_mut(world, |state| Ok(state.world.masks_mut().remove(mask_id(id)?)?))
}
