//! One mask laid over another at an offset: which words of the one fall on which of the other.
//! Behind draw, erase and all else that combines two masks into an owned one.

use super::{MaskRef, WORD, shifted, strips_of};
use crate::geom::Point;
use std::ops::Range;

/// The part of a target mask that a source mask, laid over it at an offset, covers.
pub(super) struct Laid<'a> {
    source: MaskRef<'a>,
    /// The source's column that meets the target's column 0; negative right of it.
    column: i64,
    /// The strips of the target that the source reaches.
    pub(super) strips: Range<u32>,
    /// The rows of the target that the source covers.
    pub(super) rows: Range<usize>,
    /// The source's row, as stored, that meets the lowest of `rows`, or the highest where the
    /// source is upside down.
    stored: usize,
}

impl<'a> Laid<'a> {
    /// `source` at `offset` on a target of `width` x `height`; `None` where the boxes do not
    /// overlap.
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
            column: -i64::from(offset.x),
            strips: x0 / WORD..strips_of(x1),
            rows: y0 as usize..y1 as usize,
            stored,
        })
    }

    /// Replaces each word of `target`, the rows `self.rows` of the target's strip `s`, by
    /// `op(word, source)`. Bits of the source may lie in the target's padding.
    #[inline(always)]
    pub(super) fn blend(&self, s: u32, target: &mut [u64], op: impl Fn(u64, u64) -> u64) {
        let column = self.column + i64::from(s * WORD);
        let (strip, shift) = (column.div_euclid(64), column.rem_euclid(64) as u32);
        // A strip beside the source counts as clear: its words are those of the other one, masked
        // out, so that one loop serves all cases and vectorises.
        let rows = |strip: i64| -> Option<&'a [u64]> {
            let strip = u32::try_from(strip).ok().filter(|&s| s < self.source.strips())?;
            Some(&self.source.rows(strip)[self.stored..][..self.rows.len()])
        };
        let (near, far) = (rows(strip), rows(strip + 1));
        let keep = |part: Option<&[u64]>| if part.is_some() { u64::MAX } else { 0 };
        let (keep_near, keep_far) = (keep(near), keep(far));
        let Some(either) = near.or(far) else { return };
        let (near, far) = (near.unwrap_or(either), far.unwrap_or(either));
        let window = |near: u64, far: u64| shifted(near & keep_near, far & keep_far, shift);
        let parts = near.iter().zip(far);
        if self.source.is_flipped() {
            for (word, (&near, &far)) in target.iter_mut().zip(parts.rev()) {
                *word = op(*word, window(near, far));
            }
        } else {
            for (word, (&near, &far)) in target.iter_mut().zip(parts) {
                *word = op(*word, window(near, far));
            }
        }
    }
}
