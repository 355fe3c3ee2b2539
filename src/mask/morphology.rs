//! Growing and shrinking (dilation and erosion) by a radius.
//!
//! Public, and called by `atlas::fidelity`. Both are Minkowski sums.
//!
//! Invariant: shrinking is the complement of growing the complement.

use super::minkowski_sum::{Stretch, sum};
use super::{MAX_SIDE, Mask, MaskError, MaskRef};
use crate::geom::Rect;

/// The structuring element: which pixels are within a radius r of a pixel.
///
/// ```
/// use hitmask::{GrowShape, Mask};
/// let dot: Mask = "#".parse()?;
/// assert_eq!(dot.grown(1, GrowShape::Disc)?.count(), 5);
/// assert_eq!(dot.grown(1, GrowShape::Square)?.count(), 9);
/// # Ok::<(), hitmask::MaskError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum GrowShape {
    /// Pixels whose centres are at most r apart: dx dx + dy dy <= r r.
    #[default]
    Disc,
    /// Pixels at most r columns and r rows away.
    Square,
}

impl GrowShape {
    /// Returns the half width of the element, in pixels, `dy` rows from its centre. `dy` is at most
    /// `radius`.
    pub(crate) const fn half_width(self, radius: u32, dy: u32) -> u32 {
        match self {
            Self::Disc => (radius as u64 * radius as u64 - dy as u64 * dy as u64).isqrt() as u32,
            Self::Square => radius,
        }
    }
}

impl Mask {
    /// Returns a solid disc: the pixels whose centres are at most `radius` from the centre of the
    /// middle pixel (radius, radius). Each side is `2 * radius + 1`. For craters and for growing.
    ///
    /// ```
    /// use hitmask::Mask;
    /// assert_eq!(Mask::disc(1)?.to_string(), ".#.\n###\n.#.\n");
    /// # Ok::<(), hitmask::MaskError>(())
    /// ```
    ///
    /// # Errors
    /// [`MaskError::TooLarge`] where a side exceeds [`MAX_SIDE`].
    pub fn disc(radius: u32) -> Result<Self, MaskError> {
        let side = radius.saturating_mul(2).saturating_add(1);
        let mut disc = Self::new(side, side)?;
        for y in 0..side {
            let half = GrowShape::Disc.half_width(radius, y.abs_diff(radius));
            let (x0, x1, y) = (radius - half, radius + half + 1, y as i32);
            disc.fill_rect(Rect::new(x0 as i32, y, x1 as i32, y + 1), true);
        }
        Ok(disc)
    }
}

impl<P: AsRef<[u64]>> Mask<P> {
    /// Returns a copy grown by `radius`: a pixel is set where a set pixel is within reach. The
    /// result is larger by `radius` on every side, so pixel (x, y) moves to (x + radius, y +
    /// radius). A mask with a side of 0 is returned unchanged.
    ///
    /// ```
    /// use hitmask::{Mask, GrowShape};
    /// let dot: Mask = "#".parse()?;
    /// assert_eq!(dot.grown(1, GrowShape::Disc)?.to_string(), ".#.\n###\n.#.\n");
    /// assert_eq!(dot.grown(1, GrowShape::Square)?.to_string(), "###\n###\n###\n");
    /// # Ok::<(), hitmask::MaskError>(())
    /// ```
    ///
    /// # Errors
    /// [`MaskError::TooLarge`] where a side would exceed [`MAX_SIDE`].
    pub fn grown(&self, radius: u32, reach: GrowShape) -> Result<Mask, MaskError> {
        let mask = self.as_ref();
        if mask.width() == 0 || mask.height() == 0 {
            return Ok(mask.to_mask());
        }
        let side = |side: u32| side.saturating_add(radius.saturating_mul(2));
        Mask::check_size(side(mask.width()), side(mask.height()))?;
        Ok(mask.spread(radius, reach))
    }

    /// Returns a copy shrunk by `radius`, of the same size: a pixel stays where every pixel within
    /// reach is set. Pixels outside the mask count as clear.
    ///
    /// ```
    /// use hitmask::{Mask, GrowShape};
    /// let disc = Mask::disc(9)?;
    /// assert_eq!(disc.shrunk(9, GrowShape::Disc).count(), 1);
    /// assert_eq!(disc.shrunk(10, GrowShape::Disc).count(), 0);
    /// # Ok::<(), hitmask::MaskError>(())
    /// ```
    #[must_use]
    pub fn shrunk(&self, radius: u32, reach: GrowShape) -> Mask {
        let mask = self.as_ref();
        let (width, height) = (mask.width(), mask.height());
        if width.min(height) <= 2 * radius.min(MAX_SIDE) {
            // No pixel is that far from the edge.
            return Mask::clear_of(width, height);
        }
        // A pixel stays set unless the grown clear pixels reach it.
        let r = radius as i32;
        let framed = Rect::new(-r, -r, width as i32 + r, height as i32 + r);
        let mut clear = mask.cut(framed);
        clear.invert();
        let mut shrunk = clear.as_ref().spread(radius, reach).as_ref().cut(Rect::new(
            2 * r,
            2 * r,
            2 * r + width as i32,
            2 * r + height as i32,
        ));
        shrunk.invert();
        shrunk
    }
}

impl MaskRef<'_> {
    /// As [`grown`](Self::grown), for a mask with pixels and without a size limit.
    fn spread(self, radius: u32, reach: GrowShape) -> Mask {
        let (width, height) = (self.width() + 2 * radius, self.height() + 2 * radius);
        match reach {
            GrowShape::Disc => {
                let mut rows: Vec<Stretch> = (0..=2 * radius)
                    .map(|y| {
                        let half = reach.half_width(radius, y.abs_diff(radius));
                        Stretch { x: (radius - half) as i32, y: y as i32, length: 2 * half + 1 }
                    })
                    .collect();
                sum(self, &mut rows, width, height)
            }
            GrowShape::Square => {
                let mut row = [Stretch { x: 0, y: 0, length: 2 * radius + 1 }];
                let mut square = sum(self, &mut row, width, height);
                // Grow downwards by doubling.
                let mut rows = 1;
                while rows < 2 * radius + 1 {
                    let step = rows.min(2 * radius + 1 - rows);
                    let before = square.clone();
                    square.draw(&before, [0, step as i32]);
                    rows += step;
                }
                square
            }
        }
    }
}
