//! Alignment of one mask over another at an offset: which source word covers which target word.
//!
//! Called by every operation in `edit` that combines two masks.
//!
//! Invariant: the strips and rows of an [`Overlay`] are inside the target.

use super::{MaskRef, WORD, shifted, strips_of};
use crate::geom::Point;
use std::ops::Range;

/// The part of a target mask that a source mask covers at an offset.
pub(super) struct Overlay<'a> {
    source: MaskRef<'a>,
    /// The source column above the target's column 0; negative where the source starts to the
    /// right.
    column: i32,
    /// The strips of the target that the source covers.
    pub(super) strips: Range<u32>,
    /// The rows of the target that the source covers.
    pub(super) rows: Range<usize>,
    /// The stored source row that covers the first of `rows`, or the last where the source is
    /// flipped.
    stored: usize,
}

impl<'a> Overlay<'a> {
    /// Aligns `source` at `offset` with a target of `width` x `height`; `None` where the boxes do
    /// not overlap.
    pub(super) fn new(source: MaskRef<'a>, offset: Point, width: u32, height: u32) -> Option<Self> {
        let span = |source: u32, target: u32, at: i32| {
            let start = i64::from(at).max(0);
            let end = (i64::from(at) + i64::from(source)).min(i64::from(target));
            (start < end).then_some((start as u32, end as u32))
        };
        let (x0, x1) = span(source.width(), width, offset.x)?;
        let (y0, y1) = span(source.height(), height, offset.y)?;
        let first = (i64::from(y0) - i64::from(offset.y)) as usize;
        let rows = (y1 - y0) as usize;
        let stored =
            if source.is_flipped() { source.height() as usize - first - rows } else { first };
        Some(Self {
            source,
            // The boxes overlap, so the size is at most that of a frame: 2^16.
            column: -offset.x,
            strips: x0 / WORD..strips_of(x1),
            rows: y0 as usize..y1 as usize,
            stored,
        })
    }

    /// Calls `set` with each item of `target`, the rows `self.rows` of the target's strip `s`, and
    /// the source word that covers it. Source bits may fall on the target's padding.
    #[inline(always)]
    pub(super) fn blend<T>(&self, s: u32, target: impl Iterator<Item = T>, set: impl Fn(T, u64)) {
        let column = self.column + (s * WORD) as i32;
        let (strip, shift) = (column >> WORD.ilog2(), column as u32 % WORD);
        // A strip beside the source counts as clear. Its words are read from the first strip and
        // masked out, so that one loop serves all cases and vectorizes.
        let rows = |strip: i32| {
            let is_there = (0 <= strip) & (strip < self.source.strips() as i32);
            let (pool, start) = self.source.strip(if is_there { strip as u32 } else { 0 });
            let rows = &pool[start + self.stored..][..self.rows.len()];
            (rows, u64::from(is_there).wrapping_neg())
        };
        let ((near, keep_near), (far, keep_far)) = (rows(strip), rows(strip + 1));
        let window = |near: u64, far: u64| shifted(near & keep_near, far & keep_far, shift);
        let parts = near.iter().zip(far);
        if self.source.is_flipped() {
            target.zip(parts.rev()).for_each(|(word, (&near, &far))| set(word, window(near, far)));
        } else {
            target.zip(parts).for_each(|(word, (&near, &far))| set(word, window(near, far)));
        }
    }
}
