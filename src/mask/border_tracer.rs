//! Follows the borders between set and clear pixels along pixel edges.
//!
//! A border runs clockwise on screen around set pixels, and counterclockwise around a hole: set pixels
//! are on its right. Where two pixels meet only at a corner, `Eight` joins them and `Four` separates
//! them; either way the border passes the corner twice.
//!
//! Invariant: each edge belongs to one border. Borders start in order of their topmost, then
//! leftmost, edge with a set pixel below it.

use super::{Connectivity, Mask, MaskRef};
use crate::geom::Rect;

/// Steps to the right, down, left and up: each is the one before rotated clockwise.
pub(crate) const STEPS: [[i32; 2]; 4] = [[1, 0], [0, 1], [-1, 0], [0, -1]];

/// The pixel ahead of a corner on the right-hand side, for each of [`STEPS`]. The pixel on the
/// left-hand side is the entry of the step before.
pub(crate) const RIGHT: [[i32; 2]; 4] = [[0, 0], [-1, 0], [-1, -1], [0, -1]];

/// The borders of the pixels of a rectangle. Pixels outside it count as clear.
pub(crate) struct BorderTracer<'a> {
    mask: MaskRef<'a>,
    region: Rect,
    connectivity: Connectivity,
    /// Pixels whose upper edge is part of a border that is not followed yet. Every border, also that of
    /// a hole, has such an edge.
    tops: Mask,
    row: i32,
}

impl<'a> BorderTracer<'a> {
    /// Prepares the borders of `region`, a rectangle within the mask.
    pub(crate) fn new(mask: MaskRef<'a>, region: Rect, connectivity: Connectivity) -> Self {
        let Rect { x0, y0, x1, y1 } = region;
        let mut tops = Mask::filled_by(mask.width(), y1 as u32, |s, y| {
            let above = if y as i32 <= y0 { 0 } else { mask.word(s, y - 1) };
            if y as i32 >= y0 { mask.word(s, y) & !above } else { 0 }
        });
        tops.fill_rect(Rect::new(0, 0, x0, y1), false);
        tops.fill_rect(Rect::new(x1, 0, mask.width() as i32, y1), false);
        Self { mask, region, connectivity, tops, row: y0 }
    }

    /// Tests whether a pixel of the region is set.
    fn get(&self, [x, y]: [i32; 2]) -> bool {
        self.region.contains([x, y]) && self.mask.get(x, y)
    }

    /// Returns the corner where the next border starts, with a step to the right.
    pub(crate) fn next_start(&mut self) -> Option<[i32; 2]> {
        while self.row < self.region.y1 {
            if let Some((x, _)) = self.tops.as_ref().runs(self.row as u32).next() {
                return Some([x as i32, self.row]);
            }
            self.row += 1;
        }
        None
    }

    /// Follows the border that starts at `start`, and calls `each` for each corner of a pixel on the way.
    /// Its arguments are the steps to the corner and from it, as indices of [`STEPS`], and whether
    /// pixels meet only there. The last corner is the start.
    pub(crate) fn follow(
        &mut self,
        start: [i32; 2],
        mut each: impl FnMut([i32; 2], [usize; 2], bool),
    ) {
        let (mut at, mut step) = (start, 0);
        loop {
            if step == 0 {
                self.tops.set(at[0], at[1], false);
            }
            let [dx, dy] = STEPS[step];
            at = [at[0] + dx, at[1] + dy];
            // The two pixels ahead, on either side.
            let ahead = |[x, y]: [i32; 2]| self.get([at[0] + x, at[1] + y]);
            let (right, left) = (ahead(RIGHT[step]), ahead(RIGHT[(step + 3) % 4]));
            let turn = match (right, left) {
                (true, false) => 0,
                (true, true) => 3,
                (false, true) if self.connectivity == Connectivity::Eight => 3,
                (false, _) => 1,
            };
            let next = (step + turn) % 4;
            each(at, [step, next], !right && left);
            if at == start && next == 0 {
                return;
            }
            step = next;
        }
    }
}
