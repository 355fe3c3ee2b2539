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

impl Measure {
    pub(super) fn new(rects: impl Iterator<Item = Rect>) -> Self {
        let mut all = Self {
            count: 0,
            x0: [i32::MAX, i32::MIN],
            y0: [i32::MAX, i32::MIN],
            width: 0,
            height: 0,
        };
        for rect in rects {
            // Empty boxes are rare: the branch is predicted, and the sums stay simple.
            if rect.is_empty() {
                continue;
            }
            all.count += 1;
            all.x0 = [all.x0[0].min(rect.x0), all.x0[1].max(rect.x0)];
            all.y0 = [all.y0[0].min(rect.y0), all.y0[1].max(rect.y0)];
            // Not empty, so the differences fit; at most 2^31 boxes of less than 2^32 pixels, so
            // the sums do.
            all.width += u64::from(rect.x1.wrapping_sub(rect.x0) as u32);
            all.height += u64::from(rect.y1.wrapping_sub(rect.y0) as u32);
        }
        all
    }
}

/// From one value to the other, both inside, in pixels; at least 1.
pub(super) fn extent([least, most]: [i32; 2]) -> u64 {
    (i64::from(most) - i64::from(least) + 1).max(1) as u64
}
