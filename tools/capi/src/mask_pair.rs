//! Two masks at an offset: whether they touch, where, and how they come apart.
//!
//! `at` is the position of the top left pixel of `other` relative to that of `mask`, in pixels.

use crate::handles::{hm_mask, with};
use crate::lists::hm_graze;
use crate::mask::MaskState;
use crate::pointers::{answer, maybe};
use crate::query::graze_number;
use crate::status::{Answer, hm_status};
use crate::types::{hm_contact, hm_impact, hm_point, hm_rect};
use hitmask::Mask;

/// Runs a call that writes what two masks answer to `out`.
pub(crate) fn answer_both<T: Default, R: Into<T>>(
    out: *mut T,
    mask: *const hm_mask,
    other: *const hm_mask,
    ask: impl FnOnce(&Mask, &Mask) -> R,
) -> hm_status {
    maybe_both(out, mask, other, |mask, other| Some(ask(mask, other)))
}

/// As [`answer_both`], for two masks that may have no answer.
pub(crate) fn maybe_both<T: Default, R: Into<T>>(
    out: *mut T,
    mask: *const hm_mask,
    other: *const hm_mask,
    ask: impl FnOnce(&Mask, &Mask) -> Option<R>,
) -> hm_status {
    maybe(out, || both(mask, other, |mask, other| Ok(ask(mask, other).map(R::into))))
}

/// Runs `work` on two masks.
pub(crate) fn both<R>(
    mask: *const hm_mask,
    other: *const hm_mask,
    work: impl FnOnce(&Mask, &Mask) -> Answer<R>,
) -> Answer<R> {
    with(mask, |mask| with(other, |other| work(&mask.mask, &other.mask)))
}

/// Writes whether two masks share a set pixel.
#[unsafe(no_mangle)]
pub extern "C" fn hm_mask_touches(
    mask: *const hm_mask,
    other: *const hm_mask,
    at: hm_point,
    touches: *mut bool,
) -> hm_status {
    answer_both(touches, mask, other, |mask, other| mask.touches(other, at))
}

/// Writes the number of pixels that two masks share.
#[unsafe(no_mangle)]
pub extern "C" fn hm_mask_overlap_area(
    mask: *const hm_mask,
    other: *const hm_mask,
    at: hm_point,
    area: *mut u64,
) -> hm_status {
    answer_both(area, mask, other, |mask, other| mask.overlap_area(other, at))
}

/// Writes the tight box of the pixels that two masks share, in pixels of `mask`. HM_NONE if they do
/// not touch.
#[unsafe(no_mangle)]
pub extern "C" fn hm_mask_overlap_rect(
    mask: *const hm_mask,
    other: *const hm_mask,
    at: hm_point,
    rect: *mut hm_rect,
) -> hm_status {
    maybe_both(rect, mask, other, |mask, other| Some(mask.contact(other, at)?.rect))
}

/// Writes area, tight box and first pixel of the overlap, in pixels of `mask`. HM_NONE if the masks
/// do not touch.
#[unsafe(no_mangle)]
pub extern "C" fn hm_mask_contact(
    mask: *const hm_mask,
    other: *const hm_mask,
    at: hm_point,
    contact: *mut hm_contact,
) -> hm_status {
    maybe_both(contact, mask, other, |mask, other| mask.contact(other, at))
}

/// Creates a mask of the pixels that two masks share. It has the size of `mask`.
#[unsafe(no_mangle)]
pub extern "C" fn hm_mask_overlap_mask(
    mask: *const hm_mask,
    other: *const hm_mask,
    at: hm_point,
    overlap: *mut *mut hm_mask,
) -> hm_status {
    answer(overlap, || {
        MaskState::store(both(mask, other, |mask, other| Ok(mask.overlap_mask(other, at)))?)
    })
}

/// Writes the shortest translation of `mask` that ends its overlap with `other`. Among equally short
/// ones it points farthest up, then farthest left. HM_NONE if they do not touch.
#[unsafe(no_mangle)]
pub extern "C" fn hm_mask_push_out(
    mask: *const hm_mask,
    other: *const hm_mask,
    at: hm_point,
    translation: *mut hm_point,
) -> hm_status {
    maybe_both(translation, mask, other, |mask, other| mask.push_out(other, at))
}

/// Writes the shortest translation of `mask` after which it touches `other`; (0, 0) if it does.
/// HM_NONE if one has no set pixel.
#[unsafe(no_mangle)]
pub extern "C" fn hm_mask_nearest(
    mask: *const hm_mask,
    other: *const hm_mask,
    at: hm_point,
    translation: *mut hm_point,
) -> hm_status {
    maybe_both(translation, mask, other, |mask, other| mask.nearest(other, at))
}

/// Writes the distance between the nearest pixels of two masks, from centre to centre. HM_NONE if
/// one has no set pixel.
#[unsafe(no_mangle)]
pub extern "C" fn hm_mask_distance(
    mask: *const hm_mask,
    other: *const hm_mask,
    at: hm_point,
    distance: *mut f64,
) -> hm_status {
    maybe_both(distance, mask, other, |mask, other| mask.distance(other, at))
}

/// Writes the first contact of `mask` with `other` if `mask` moves by `motion`. HM_NONE if the way
/// is free.
#[unsafe(no_mangle)]
pub extern "C" fn hm_mask_cast(
    mask: *const hm_mask,
    other: *const hm_mask,
    at: hm_point,
    motion: hm_point,
    impact: *mut hm_impact,
) -> hm_status {
    maybe_both(impact, mask, other, |mask, other| mask.cast(other, at, motion))
}

/// Writes whether two masks touch (HM_GRAZE_HIT), come within `radius` pixels (HM_GRAZE_NEAR) or
/// neither (HM_GRAZE_CLEAR).
#[unsafe(no_mangle)]
pub extern "C" fn hm_mask_graze(
    mask: *const hm_mask,
    other: *const hm_mask,
    at: hm_point,
    radius: u32,
    graze: *mut hm_graze,
) -> hm_status {
    answer_both(graze, mask, other, |mask, other| graze_number(mask.graze(other, at, radius)))
}
