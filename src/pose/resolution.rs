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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_of_two_are_resolutions_and_nothing_else_is() {
        for good in [0.125, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0] {
            let resolution = Resolution::new(good).unwrap();
            assert_eq!(resolution.value(), good);
            assert_eq!(Resolution::from_log2(resolution.log2()), Some(resolution));
        }
        for bad in [0.0, -1.0, 3.0, 0.1, 16.0, f32::NAN, f32::INFINITY, 1.000_001] {
            assert!(matches!(Resolution::new(bad), Err(CallError::Number { .. })), "{bad}");
        }
        assert_eq!((Resolution::from_log2(4), Resolution::from_log2(-4)), (None, None));
    }

    #[test]
    fn a_pivot_in_a_texel_stays_half_a_pixel_from_the_lattice_where_it_can() {
        let at = |value| Resolution::new(value).unwrap().pivot2([7, -6]);
        assert_eq!([1.0, 2.0, 4.0, 0.5].map(at), [[1, 0], [2, 0], [4, 0], [0, 0]]);
        assert_eq!(Resolution::new(4.0).unwrap().pivot2([6, -1]), [0, 4]);
    }
}
