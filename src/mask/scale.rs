//! Nearest-neighbour scaling to a given size.
//!
//! Public; the baker does not use it, because `raster` scales about the pivot.

use super::{Mask, MaskError};
use crate::geom::Rect;

impl<P: AsRef<[u64]>> Mask<P> {
    /// Returns a copy scaled to `width` x `height` pixels. Each pixel takes the texel that contains
    /// its centre, computed in integers. Column x takes column floor((2x + 1) W / 2 w), with W the
    /// width of this mask and w the new one; rows likewise. Doubling repeats every pixel. A mask
    /// without pixels scales to a clear one.
    ///
    /// ```
    /// use hitmask::Mask;
    /// let dots: Mask = "#.\n.#".parse()?;
    /// assert_eq!(dots.scaled(4, 2)?.to_string(), "##..\n..##\n");
    /// # Ok::<(), hitmask::MaskError>(())
    /// ```
    ///
    /// # Errors
    /// [`MaskError::TooLarge`] where a side exceeds [`MAX_SIDE`](crate::MAX_SIDE).
    pub fn scaled(&self, width: u32, height: u32) -> Result<Mask, MaskError> {
        let mask = self.as_ref();
        let mut scaled = Mask::new(width, height)?;
        if mask.width() == 0 || mask.height() == 0 {
            return Ok(scaled);
        }
        // Returns the first new column or row whose centre is at or past the old edge `at`.
        let new = |at: u32, old: u32, new: u32| {
            (2 * u64::from(new) * u64::from(at))
                .saturating_sub(old.into())
                .div_ceil(2 * u64::from(old)) as i32
        };
        for y in 0..mask.height() {
            let y0 = new(y, mask.height(), height);
            let y1 = new(y + 1, mask.height(), height);
            if y0 == y1 {
                continue;
            }
            for (x0, x1) in mask.runs(y) {
                let (x0, x1) = (new(x0, mask.width(), width), new(x1, mask.width(), width));
                scaled.fill_rect(Rect::new(x0, y0, x1, y1), true);
            }
        }
        Ok(scaled)
    }
}
