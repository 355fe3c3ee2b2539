//! Edits of masks, and masks made from others.

use crate::handles::{call_with_mut, hm_mask, with, with_mut};
use crate::mask::derived;
use crate::pointers::answer;
use crate::status::{Answer, Failure, call, hm_status};
use crate::types::{hm_point, hm_rect};
use hitmask::{GrowShape, Mask, Rect};

/// How a mask is drawn on another one.
pub type hm_blit = u32;

/// Sets the pixels that are set in the other mask.
pub const HM_BLIT_DRAW: hm_blit = 0;
/// Clears the pixels that are set in the other mask.
pub const HM_BLIT_ERASE: hm_blit = 1;
/// Toggles the pixels that are set in the other mask.
pub const HM_BLIT_TOGGLE: hm_blit = 2;
/// Clears the pixels that are not set in the other mask, also those outside of it.
pub const HM_BLIT_INTERSECT: hm_blit = 3;

/// The shape by which a mask grows.
pub type hm_grow_shape = u32;

/// Grows by a disc: to all pixels whose centre is at most the radius away.
pub const HM_GROW_DISC: hm_grow_shape = 0;
/// Grows by a square: by the radius along each axis.
pub const HM_GROW_SQUARE: hm_grow_shape = 1;

type Blit = fn(&mut Mask, &Mask, hm_point);

pub(crate) fn blit(operation: hm_blit) -> Answer<Blit> {
    let allowed = "give HM_BLIT_DRAW, _ERASE, _TOGGLE or _INTERSECT (0 to 3)";
    Ok(match operation {
        HM_BLIT_DRAW => |target, other, at| target.draw(other, at),
        HM_BLIT_ERASE => |target, other, at| target.erase(other, at),
        HM_BLIT_TOGGLE => |target, other, at| target.toggle(other, at),
        HM_BLIT_INTERSECT => |target, other, at| target.intersect(other, at),
        _ => return Failure::value("operation", operation, allowed),
    })
}

fn grow_shape(shape: hm_grow_shape) -> Answer<GrowShape> {
    match shape {
        HM_GROW_DISC => Ok(GrowShape::Disc),
        HM_GROW_SQUARE => Ok(GrowShape::Square),
        _ => Failure::value("shape", shape, "give HM_GROW_DISC or HM_GROW_SQUARE"),
    }
}

fn edit(mask: *mut hm_mask, edit: impl FnOnce(&mut Mask)) -> hm_status {
    call_with_mut(mask, |state| {
        edit(&mut state.mask);
        Ok(())
    })
}

/// Sets or clears a pixel. Pixels outside of the mask are ignored. `solid` is 0 to clear.
#[unsafe(no_mangle)]
pub extern "C" fn hm_mask_set(mask: *mut hm_mask, x: i32, y: i32, solid: u8) -> hm_status {
    edit(mask, |mask| {
        mask.fill_rect(Rect::new(x, y, x.saturating_add(1), y.saturating_add(1)), solid != 0)
    })
}

/// Sets all pixels.
#[unsafe(no_mangle)]
pub extern "C" fn hm_mask_fill(mask: *mut hm_mask) -> hm_status {
    edit(mask, Mask::fill)
}

/// Clears all pixels.
#[unsafe(no_mangle)]
pub extern "C" fn hm_mask_clear(mask: *mut hm_mask) -> hm_status {
    edit(mask, Mask::clear)
}

/// Toggles all pixels.
#[unsafe(no_mangle)]
pub extern "C" fn hm_mask_invert(mask: *mut hm_mask) -> hm_status {
    edit(mask, Mask::invert)
}

/// Sets or clears a rectangle. What is outside of the mask is ignored. `solid` is 0 to clear.
#[unsafe(no_mangle)]
pub extern "C" fn hm_mask_fill_rect(mask: *mut hm_mask, rect: hm_rect, solid: u8) -> hm_status {
    edit(mask, |mask| mask.fill_rect(rect.into(), solid != 0))
}

/// Draws `other` on `mask`: HM_BLIT_DRAW, HM_BLIT_ERASE, HM_BLIT_TOGGLE or HM_BLIT_INTERSECT. The
/// top left pixel of `other` goes to `at`. The two may be the same mask.
#[unsafe(no_mangle)]
pub extern "C" fn hm_mask_blit(
    mask: *mut hm_mask,
    other: *const hm_mask,
    at: hm_point,
    operation: hm_blit,
) -> hm_status {
    call(|| {
        let blit = blit(operation)?;
        if mask.cast_const() == other {
            return with_mut(mask, |state| {
                let copy = state.mask.clone();
                blit(&mut state.mask, &copy, at);
                Ok(())
            });
        }
        with(other, |other| {
            with_mut(mask, |state| {
                blit(&mut state.mask, &other.mask, at);
                Ok(())
            })
        })
    })
}

/// Creates a mask of the pixels of a rectangle. Pixels outside of the mask are clear.
#[unsafe(no_mangle)]
pub extern "C" fn hm_mask_cropped(
    mask: *const hm_mask,
    rect: hm_rect,
    cropped: *mut *mut hm_mask,
) -> hm_status {
    answer(cropped, || derived(mask, |mask| Ok(mask.cropped(rect.into())?)))
}

/// Creates a mask that is scaled to another size, by the nearest pixel.
#[unsafe(no_mangle)]
pub extern "C" fn hm_mask_scaled(
    mask: *const hm_mask,
    width: u32,
    height: u32,
    scaled: *mut *mut hm_mask,
) -> hm_status {
    answer(scaled, || derived(mask, |mask| Ok(mask.scaled(width, height)?)))
}

/// Creates a mask that is mirrored left and right.
#[unsafe(no_mangle)]
pub extern "C" fn hm_mask_flipped_x(mask: *const hm_mask, flipped: *mut *mut hm_mask) -> hm_status {
    answer(flipped, || derived(mask, |mask| Ok(mask.flip_x())))
}

/// Creates a mask that is mirrored top and bottom.
#[unsafe(no_mangle)]
pub extern "C" fn hm_mask_flipped_y(mask: *const hm_mask, flipped: *mut *mut hm_mask) -> hm_status {
    answer(flipped, || derived(mask, |mask| Ok(mask.flip_y())))
}

/// Creates a mask that is turned by a quarter turn, clockwise on screen.
#[unsafe(no_mangle)]
pub extern "C" fn hm_mask_quarter_turned(
    mask: *const hm_mask,
    turned: *mut *mut hm_mask,
) -> hm_status {
    answer(turned, || derived(mask, |mask| Ok(mask.quarter_turned())))
}

/// Creates a mask that is grown by `radius` pixels on each side. Its top left pixel is that of the
/// mask moved by `radius` to the left and up.
#[unsafe(no_mangle)]
pub extern "C" fn hm_mask_grown(
    mask: *const hm_mask,
    radius: u32,
    shape: hm_grow_shape,
    grown: *mut *mut hm_mask,
) -> hm_status {
    answer(grown, || {
        let shape = grow_shape(shape)?;
        derived(mask, |mask| Ok(mask.grown(radius, shape)?))
    })
}

/// Creates a mask of the same size without the pixels that are within `radius` pixels of a clear
/// one.
#[unsafe(no_mangle)]
pub extern "C" fn hm_mask_shrunk(
    mask: *const hm_mask,
    radius: u32,
    shape: hm_grow_shape,
    shrunk: *mut *mut hm_mask,
) -> hm_status {
    answer(shrunk, || {
        let shape = grow_shape(shape)?;
        derived(mask, |mask| Ok(mask.shrunk(radius, shape)))
    })
}
