use std::ops::RangeInclusive;

/// The value of a texel that the alpha rule reads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Channel {
    /// Alpha; 255 where an image has none. The default.
    #[default]
    Alpha,
    /// Red, for masks that are drawn in colour.
    Red,
    /// Green.
    Green,
    /// Blue.
    Blue,
}

/// A box of colours: those whose red, green and blue each lie between two values.
///
/// ```
/// use hitmask::ColorRange;
/// let magenta = ColorRange::from([255, 0, 255]);
/// let nearly = ColorRange::near([255, 0, 255], 8);
/// let dark = ColorRange::from([0, 0, 0]..=[40, 40, 60]);
/// assert!(magenta.contains([255, 0, 255]) && !magenta.contains([250, 0, 255]));
/// assert!(nearly.contains([250, 5, 255]) && dark.contains([40, 0, 9]));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ColorRange {
    /// The least red, green and blue.
    pub from: [u8; 3],
    /// The greatest red, green and blue, themselves inside.
    pub to: [u8; 3],
}

impl ColorRange {
    /// The colours of which each part differs by at most `tolerance` from that of `color`.
    #[must_use]
    pub fn near(color: [u8; 3], tolerance: u8) -> Self {
        Self {
            from: color.map(|part| part.saturating_sub(tolerance)),
            to: color.map(|part| part.saturating_add(tolerance)),
        }
    }

    /// True where the colour lies in the range.
    #[must_use]
    pub fn contains(self, color: [u8; 3]) -> bool {
        (0..3).all(|i| (self.from[i]..=self.to[i]).contains(&color[i]))
    }
}

impl From<[u8; 3]> for ColorRange {
    fn from(color: [u8; 3]) -> Self {
        Self { from: color, to: color }
    }
}

impl From<RangeInclusive<[u8; 3]>> for ColorRange {
    fn from(range: RangeInclusive<[u8; 3]>) -> Self {
        Self { from: *range.start(), to: *range.end() }
    }
}
