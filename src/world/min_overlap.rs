//! The least overlap that counts as touching: the rule of a collider, and the same in mask pixels.
//!
//! Users give a [`MinOverlap`] to a collider. The appearances convert it to a [`LeastOverlap`] once,
//! and the pair tests compare that with contacts.

use crate::narrow::Contact;
use crate::pose::Resolution;

/// The least overlap of a pair that counts as touching.
///
/// Its unit is pixels, as that of positions. At a [resolution](crate::AtlasBuilder::resolution) r a side of
/// one pixel is r mask pixels, and an area of one pixel is r x r of them. Fractions round up, and
/// one mask pixel is always necessary.
///
/// ```
/// use hitmask::{Collider, MinOverlap, SpriteId};
///
/// let ship = Collider::new(SpriteId::new(0));
/// assert_eq!(ship.min_overlap, MinOverlap::Pixels(0));
/// let by_area = ship.with_min_overlap(20);
/// let by_size = ship.with_min_overlap([3, 2]);
/// assert_eq!(by_area.min_overlap, MinOverlap::Pixels(20));
/// assert_eq!(by_size.min_overlap, MinOverlap::Size { width: 3, height: 2 });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum MinOverlap {
    /// The number of shared pixels, an area. With 0, the default, any shared mask pixel counts.
    Pixels(u32),
    /// The size of the box around the shared pixels: [`Contact::rect`]. A pair must reach both. 0
    /// counts as 1. Such pairs are tested one by one, as those at
    /// [`Accuracy::Box`](crate::Accuracy::Box).
    Size {
        /// Least width, in pixels.
        width: u32,
        /// Least height, in pixels.
        height: u32,
    },
}

impl Default for MinOverlap {
    /// Returns the rule by which any shared mask pixel counts.
    fn default() -> Self {
        Self::Pixels(0)
    }
}

impl From<u32> for MinOverlap {
    fn from(pixels: u32) -> Self {
        Self::Pixels(pixels)
    }
}

impl From<[u32; 2]> for MinOverlap {
    fn from([width, height]: [u32; 2]) -> Self {
        Self::Size { width, height }
    }
}

/// The least overlap of a collider or a pair, in mask pixels. Each number is at least 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LeastOverlap {
    pub(crate) area: u64,
    width: u64,
    height: u64,
}

impl LeastOverlap {
    /// Any shared mask pixel.
    pub(crate) const ANY: Self = Self { area: 1, width: 1, height: 1 };

    /// Converts a rule to mask pixels.
    pub(crate) fn new(rule: MinOverlap, resolution: Resolution) -> Self {
        // Pixels to mask pixels, rounded up. `axes` is 1 for a length and 2 for an area.
        let scaled = |pixels: u32, axes: i32| {
            let (pixels, log2) = (u64::from(pixels), axes * resolution.log2());
            if log2 < 0 { pixels.div_ceil(1 << -log2) } else { pixels << log2 }.max(1)
        };
        match rule {
            MinOverlap::Pixels(pixels) => Self { area: scaled(pixels, 2), ..Self::ANY },
            MinOverlap::Size { width, height } => {
                Self { area: 1, width: scaled(width, 1), height: scaled(height, 1) }
            }
        }
    }

    /// Returns the least overlap that meets both rules.
    #[inline(always)]
    pub(crate) fn max(self, other: Self) -> Self {
        Self {
            area: self.area.max(other.area),
            width: self.width.max(other.width),
            height: self.height.max(other.height),
        }
    }

    /// Returns true if any shared pixel is enough.
    pub(crate) fn is_any(self) -> bool {
        self == Self::ANY
    }

    /// Returns true if the area alone decides.
    pub(crate) const fn is_by_area(self) -> bool {
        self.width == 1 && self.height == 1
    }

    /// Returns true if a contact reaches the least overlap.
    pub(crate) fn is_met_by(self, contact: &Contact) -> bool {
        let Contact { area, rect, .. } = *contact;
        let (width, height) = (u64::from(rect.width()), u64::from(rect.height()));
        area >= self.area && width >= self.width && height >= self.height
    }
}
