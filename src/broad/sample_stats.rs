//! One look at the boxes before they are packed: where they lie and how large they are. Some of
//! them tell it, as a rule: to look at all would take as long as to count them.
//!
//! Called by the build only.

use crate::broad::item::Item;
use crate::geom::Rect;

/// Boxes that are looked at, at least and at most, where there are more.
const SOME: [usize; 2] = [256, 2048];

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
    pub(super) fn new<'b, I: Item + 'b>(boxes: impl Iterator<Item = &'b I>) -> Self {
        let mut all = Self::default();
        for Rect { x0, y0, x1, y1 } in boxes.map(I::rect) {
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

    /// That of some boxes, and how many each of them stands for. Edges may lie beyond those found,
    /// and sums are about right.
    pub(super) fn of_some(boxes: &[impl Item]) -> (Self, usize) {
        // As many lie beyond the outermost of them as one in so many: the first and the last strip take them.
        // This is an eighth of a strip, if strips are as long as there are of them in a square.
        let some = (2 * boxes.len().isqrt()).clamp(SOME[0], SOME[1]);
        let step = (boxes.len() / some).max(1);
        let some = Self::new(boxes.iter().step_by(step));
        if some.count == 0 {
            return (Self::new(boxes.iter()), 1);
        }
        let each = step as u64;
        // Sums of some thousand sides below 2^32, times less than 2^20.
        let (width, height) = (some.width * each, some.height * each);
        (Self { count: some.count * step, width, height, ..some }, step)
    }
}

/// From one value to the other, both inside, in pixels; at least 1.
pub(super) fn extent([least, most]: [i32; 2]) -> u64 {
    (i64::from(most) - i64::from(least) + 1).max(1) as u64
}
