//! Masks: creation, size, pixels, and what a single mask answers.

use crate::handles::{
    answer_with, answer_with_mut, destroy, handle, hm_mask, maybe_with, store, with,
};
use crate::lists::{hm_bytes, hm_component, hm_points, hm_rects, hm_text, keep, lend};
use crate::pointers::{answer, slice, text};
use crate::status::{Answer, c_string, call, hm_status};
use crate::types::{hm_point, hm_rect, hm_size, hm_vec2};
use hitmask::{AlphaRule, Components, Mask};
use std::ffi::{CString, c_char};

/// A mask with the lists that it lends.
#[derive(Default)]
pub(crate) struct MaskState {
    pub(crate) mask: Mask,
    bytes: Vec<u8>,
    pub(crate) points: Vec<hm_point>,
    /// Where each of the last polygons starts among the points.
    pub(crate) starts: Vec<u32>,
    rects: Vec<hm_rect>,
    /// Those of the last call that asked for them.
    pub(crate) components: Option<Components>,
    pub(crate) parts: Vec<hm_component>,
    text: CString,
}

impl MaskState {
    /// Stores a mask in the table of handles.
    pub(crate) fn store(mask: Mask) -> Answer<*mut hm_mask> {
        store(Self { mask, ..Self::default() })
    }
}

handle! { hm_mask of MaskState, Mask }

/// Returns a copy of the pixels of a mask.
pub(crate) fn copy(mask: *const hm_mask) -> Answer<Mask> {
    with(mask, |state| Ok(state.mask.clone()))
}

/// Returns copies of the pixels of a list of masks.
pub(crate) fn copies(masks: *const *const hm_mask, count: usize) -> Answer<Vec<Mask>> {
    slice(masks, count, "masks")?.iter().map(|&mask| copy(mask)).collect()
}

/// Creates a mask of clear pixels. Each side is at most 32767 pixels.
#[unsafe(no_mangle)]
pub extern "C" fn hm_mask_create(width: u32, height: u32, mask: *mut *mut hm_mask) -> hm_status {
    answer(mask, || MaskState::store(Mask::new(width, height)?))
}

/// Creates a mask of set pixels.
#[unsafe(no_mangle)]
pub extern "C" fn hm_mask_solid(width: u32, height: u32, mask: *mut *mut hm_mask) -> hm_status {
    answer(mask, || MaskState::store(Mask::solid(width, height)?))
}

/// Creates a disc: the pixels whose centres are at most `radius` pixels from the centre of the
/// middle pixel. Each side is 2 * radius + 1.
#[unsafe(no_mangle)]
pub extern "C" fn hm_mask_disc(radius: u32, mask: *mut *mut hm_mask) -> hm_status {
    answer(mask, || MaskState::store(Mask::disc(radius)?))
}

/// Creates a mask from rows of text of at most 4095 bytes: '#' is a set pixel, '.' a clear one, and
/// a line feed ends a row. Empty lines and spaces at both ends of a row are ignored.
///
/// Errors: HM_BAD_TEXT, HM_BAD_MASK for other characters and for rows of different lengths, HM_FULL.
#[unsafe(no_mangle)]
pub extern "C" fn hm_mask_from_text(rows: *const c_char, mask: *mut *mut hm_mask) -> hm_status {
    answer(mask, || MaskState::store(text(rows, "rows")?.parse()?))
}

/// Creates a mask from an image: 4 bytes per pixel, the last of which is alpha, row by row from the
/// top, without padding. A pixel is set if its alpha is at least `alpha`, usually 128. `count` is
/// the number of bytes.
///
/// Errors: HM_BAD_MASK if `count` is not 4 * width * height, HM_NULL_POINTER, HM_FULL.
#[unsafe(no_mangle)]
pub extern "C" fn hm_mask_from_rgba(
    width: u32,
    height: u32,
    rgba: *const u8,
    count: usize,
    alpha: u8,
    mask: *mut *mut hm_mask,
) -> hm_status {
    answer(mask, || {
        let rgba = slice(rgba, count, "rgba")?;
        MaskState::store(Mask::from_rgba(width, height, rgba, AlphaRule::AtLeast(alpha))?)
    })
}

/// Creates a mask from bytes, one per pixel, row by row from the top, without padding. A pixel is
/// set if its byte is at least `alpha`.
///
/// Errors: HM_BAD_MASK if `count` is not width * height, HM_NULL_POINTER, HM_FULL.
#[unsafe(no_mangle)]
pub extern "C" fn hm_mask_from_alpha(
    width: u32,
    height: u32,
    bytes: *const u8,
    count: usize,
    alpha: u8,
    mask: *mut *mut hm_mask,
) -> hm_status {
    answer(mask, || {
        let bytes = slice(bytes, count, "bytes")?;
        MaskState::store(Mask::from_alpha(width, height, bytes, AlphaRule::AtLeast(alpha))?)
    })
}

/// Creates a mask from packed bits: each row takes (width + 7) / 8 bytes, the leftmost pixel in the
/// highest bit, as in PBM files.
///
/// Errors: HM_BAD_MASK if `count` is not height * ((width + 7) / 8), HM_NULL_POINTER, HM_FULL.
#[unsafe(no_mangle)]
pub extern "C" fn hm_mask_from_bits(
    width: u32,
    height: u32,
    bits: *const u8,
    count: usize,
    mask: *mut *mut hm_mask,
) -> hm_status {
    answer(mask, || MaskState::store(Mask::from_bits(width, height, slice(bits, count, "bits")?)?))
}

/// Creates a copy of a mask.
#[unsafe(no_mangle)]
pub extern "C" fn hm_mask_clone(mask: *const hm_mask, copy: *mut *mut hm_mask) -> hm_status {
    answer(copy, || MaskState::store(self::copy(mask)?))
}

/// Destroys a mask. All that it has lent becomes invalid. Null is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn hm_mask_destroy(mask: *mut hm_mask) -> hm_status {
    call(|| destroy(mask))
}

/// Creates a mask that is made from another one.
pub(crate) fn derived(
    mask: *const hm_mask,
    make: impl FnOnce(&Mask) -> Answer<Mask>,
) -> Answer<*mut hm_mask> {
    MaskState::store(with(mask, |state| make(&state.mask))?)
}

/// Writes the size of a mask.
#[unsafe(no_mangle)]
pub extern "C" fn hm_mask_size(mask: *const hm_mask, size: *mut hm_size) -> hm_status {
    answer_with(size, mask, |MaskState { mask, .. }| {
        Ok(hm_size { width: mask.width(), height: mask.height() })
    })
}

/// Writes whether a pixel is set. Pixels outside of the mask are clear.
#[unsafe(no_mangle)]
pub extern "C" fn hm_mask_get(
    mask: *const hm_mask,
    x: i32,
    y: i32,
    is_set: *mut bool,
) -> hm_status {
    answer_with(is_set, mask, |state| Ok(state.mask.get(x, y)))
}

/// Writes the number of set pixels.
#[unsafe(no_mangle)]
pub extern "C" fn hm_mask_count(mask: *const hm_mask, count: *mut u64) -> hm_status {
    answer_with(count, mask, |state| Ok(state.mask.count()))
}

/// Writes the tight box of the set pixels. HM_NONE if there is none.
#[unsafe(no_mangle)]
pub extern "C" fn hm_mask_bounds(mask: *const hm_mask, rect: *mut hm_rect) -> hm_status {
    maybe_with(rect, mask, |state| Ok(state.mask.bounds().map(hm_rect::from)))
}

/// Writes the centre of the set pixels. HM_NONE if there is none.
#[unsafe(no_mangle)]
pub extern "C" fn hm_mask_centroid(mask: *const hm_mask, centroid: *mut hm_vec2) -> hm_status {
    maybe_with(centroid, mask, |state| Ok(state.mask.centroid().map(hm_vec2::from)))
}

/// Lends the outline of the first shape of a mask: its border pixels in clockwise order, from the
/// leftmost pixel of the top row on. Lent until the next call that lends points of this mask.
#[unsafe(no_mangle)]
pub extern "C" fn hm_mask_outline(mask: *mut hm_mask, points: *mut hm_points) -> hm_status {
    answer_with_mut(points, mask, |MaskState { mask, points, .. }| {
        lend(points, mask.outline().map(hm_point::from))
    })
}

/// Lends rectangles that cover the set pixels, each pixel once, until the next call of this function
/// with the same mask: for drawing, or for a physics engine of boxes.
#[unsafe(no_mangle)]
pub extern "C" fn hm_mask_rects(mask: *mut hm_mask, rects: *mut hm_rects) -> hm_status {
    answer_with_mut(rects, mask, |MaskState { mask, rects, .. }| {
        lend(rects, mask.rects().into_iter().map(hm_rect::from))
    })
}

/// Lends the pixels as packed bits, as hm_mask_from_bits() takes them, until the next call that
/// lends bytes of this mask.
#[unsafe(no_mangle)]
pub extern "C" fn hm_mask_bits(mask: *mut hm_mask, bits: *mut hm_bytes) -> hm_status {
    answer_with_mut(bits, mask, |MaskState { mask, bytes, .. }| keep(bytes, mask.to_bits()))
}

/// Lends the pixels as bytes, 255 for a set pixel and 0 for a clear one, row by row: an alpha
/// texture. Lent until the next call that lends bytes of this mask.
#[unsafe(no_mangle)]
pub extern "C" fn hm_mask_alpha(mask: *mut hm_mask, bytes: *mut hm_bytes) -> hm_status {
    answer_with_mut(bytes, mask, |MaskState { mask, bytes, .. }| keep(bytes, mask.to_alpha()))
}

/// Lends the mask as rows of text, as hm_mask_from_text() takes them, until the next call of this
/// function with the same mask.
#[unsafe(no_mangle)]
pub extern "C" fn hm_mask_text(mask: *mut hm_mask, rows: *mut hm_text) -> hm_status {
    answer_with_mut(rows, mask, |MaskState { mask, text, .. }| {
        *text = c_string(&mask.to_string());
        Ok(text.as_c_str().into())
    })
}
