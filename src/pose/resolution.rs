use super::PoseError;

/// Mask pixels along the side of a pixel: a power of two, so that positions and scales are
/// multiplied by it without rounding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Resolution {
    log2: i8,
}

impl Resolution {
    pub(crate) fn new(value: f32) -> Result<Self, PoseError> {
        let found = (-3..=3).map(|log2| Self { log2 }).find(|r| r.value() == value);
        found.ok_or(PoseError::Resolution(value))
    }

    /// `None` outside the limits.
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
        // Of few powers of two, all of which have bits of their own.
        f32::from_bits(((127 + self.log2()) as u32) << 23)
    }

    /// Where a pivot of `px2` half-texels lies from the lattice origin, in half mask pixels, on
    /// both axes: a texel's middle lies half a pixel from it, whatever the resolution. A lattice
    /// coarser than a pixel has no such point, so below 1 every pivot lies on the origin.
    pub(crate) const fn pivot2(self, px2: i32) -> i32 {
        let f = px2 & 1;
        if self.log2 >= 0 { f << self.log2 } else { 0 }
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
            assert!(matches!(Resolution::new(bad), Err(PoseError::Resolution(_))), "{bad}");
        }
        assert_eq!((Resolution::from_log2(4), Resolution::from_log2(-4)), (None, None));
    }

    #[test]
    fn a_pivot_in_a_texel_stays_half_a_pixel_from_the_lattice_where_it_can() {
        let at = |value| Resolution::new(value).unwrap().pivot2(7);
        assert_eq!([1.0, 2.0, 4.0, 0.5].map(at), [1, 2, 4, 0]);
        assert_eq!(Resolution::new(4.0).unwrap().pivot2(6), 0);
    }
}
