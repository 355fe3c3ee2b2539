//! Mask pixels per pixel, as a power of two.
//!
//! Invariant: the exponent is from -3 to 3.

use super::{MAX_RESOLUTION, MIN_RESOLUTION};
use crate::error::CallError;

/// The number of mask pixels along the side of a pixel. It is a power of two, so multiplying
/// positions and scales by it does not round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Resolution {
    log2: i8,
}

impl Resolution {
    pub(crate) fn new(value: f32) -> Result<Self, CallError> {
        let found = (-3..=3).map(|log2| Self { log2 }).find(|r| r.value() == value);
        found.ok_or(CallError::Number {
            name: "resolution",
            value,
            least: MIN_RESOLUTION,
            most: MAX_RESOLUTION,
        })
    }

    /// Returns the resolution 2^`log2`; `None` outside -3..=3.
    pub(crate) const fn from_log2(log2: i32) -> Option<Self> {
        match log2 {
            -3..=3 => Some(Self { log2: log2 as i8 }),
            _ => None,
        }
    }

    pub(crate) const fn log2(self) -> i32 {
        self.log2 as i32
    }

    pub(crate) fn value(self) -> f32 {
        // A power of two, built from its exponent bits.
        f32::from_bits(((127 + self.log2()) as u32) << 23)
    }

    /// Returns the offset of a pivot from the lattice origin on each axis, in half mask pixels. The
    /// pivot is in half-texels. The middle of a texel is half a pixel from the origin at any
    /// resolution. Below resolution 1 the lattice has no such point, so every pivot lies on the
    /// origin.
    pub(crate) fn pivot2(self, pivot: [i32; 2]) -> [i32; 2] {
        pivot.map(|half_texels| {
            let odd = half_texels & 1;
            if self.log2 >= 0 { odd << self.log2 } else { 0 }
        })
    }
}
