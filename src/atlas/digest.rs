//! 128-bit digests of masks and of the sources of poses.
//!
//! Used by `write` and `builder` to find equal masks and equal images. Collisions of digests are
//! assumed not to happen where the compared pixels are no longer in memory.

use crate::mask::MaskRef;
use std::hash::Hash;
use xxhash_rust::xxh3::{Xxh3Default, xxh3_128};

/// Multiplier between the digests of strips: odd, so that each strip affects all later bits.
const STRIP_FACTOR: u128 = 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835;

pub(super) fn of_mask(mask: MaskRef<'_>) -> u128 {
    let sides = u128::from(mask.width()) << 32 | u128::from(mask.height());
    (0..mask.strips()).fold(sides, |digest, s| {
        digest.wrapping_mul(STRIP_FACTOR) ^ xxh3_128(bytemuck::cast_slice(mask.rows(s)))
    })
}

/// Returns the 128-bit digest of a value. Collisions are assumed not to happen. Another version of the
/// standard library may compute other digests.
pub fn of_value(value: &(impl Hash + ?Sized)) -> u128 {
    let mut hasher = Xxh3Default::new();
    value.hash(&mut hasher);
    hasher.digest128()
}
