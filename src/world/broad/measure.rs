//! One look at the boxes before they are packed: where they lie and how large they are.
//!
//! Called by the build only.

use crate::geom::Rect;

/// What the plan of the strips rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Measure {
    /// Boxes that are not empty.
    pub(super) count: usize,
    /// Least and greatest left edge.
    pub(super) x0: [i32; 2],
    /// Least and greatest top edge.
    pub(super) y0: [i32; 2],
    /// Widths, summed.
    pub(super) width: u64,
    /// Heights, summed.
    pub(super) height: u64,
}

impl Default for Measure {
    fn default() -> Self {
        let none = [i32::MAX, i32::MIN];
        Self { count: 0, x0: none, y0: none, width: 0, height: 0 }
    }
}

impl Measure {
    #[inline(always)]
    pub(super) fn new(boxes: &[Rect]) -> Self {
        let mut all = Self::default();
        for &Rect { x0, y0, x1, y1 } in boxes {
            // Empty boxes are rare: the branch is predicted, and the sums stay simple.
            if x0 >= x1 || y0 >= y1 {
                continue;
            }
            all.count += 1;
            all.x0 = [all.x0[0].min(x0), all.x0[1].max(x0)];
            all.y0 = [all.y0[0].min(y0), all.y0[1].max(y0)];
            // Not empty, so the differences fit; at most 2^31 boxes of less than 2^32 pixels, so
            // the sums do.
            all.width += u64::from(x1.wrapping_sub(x0) as u32);
            all.height += u64::from(y1.wrapping_sub(y0) as u32);
        }
        all
    }

    /// That of the boxes of both.
    pub(super) fn and(self, other: Self) -> Self {
        Self {
            count: self.count + other.count,
            x0: [self.x0[0].min(other.x0[0]), self.x0[1].max(other.x0[1])],
            y0: [self.y0[0].min(other.y0[0]), self.y0[1].max(other.y0[1])],
            width: self.width + other.width,
            height: self.height + other.height,
        }
    }
}

/// From one value to the other, both inside, in pixels; at least 1.
pub(super) fn extent([least, most]: [i32; 2]) -> u64 {
    (i64::from(most) - i64::from(least) + 1).max(1) as u64
}
