//! The range of occupied rows in each strip of a tall mask, for all masks of a pool.
//!
//! Sprites are round rather than square. If two of them overlap at a corner, their occupied rows in
//! a shared strip seldom intersect. Built by the atlas on first use; read by `narrow::batch`.
//!
//! The table is parallel to the pool, with one entry per 64 words. A strip of a tall mask takes at
//! least 64 words, so each strip has an entry of its own. The entries start at that of the mask's
//! first word.
//!
//! Masks of a damaged or hand-made atlas may share words. A range then is the union of theirs,
//! which is still valid for each.
//!
//! Invariant: every set pixel of a strip is in the strip's range.

use super::{MaskRef, WORD, stride_of};

/// Masks with more rows than this have ranges.
pub(crate) const TALL_ROWS: u32 = 64;

// A strip takes at least the words of one entry.
const _: () = assert!(stride_of(TALL_ROWS + 1) >= WORD);

/// Number of strips whose ranges are tested at once.
pub(crate) const RANGE_STRIPS: usize = 8;

/// Entries that one test reads: the last strip may overlap one more.
pub(crate) const RANGE_ENTRIES: usize = RANGE_STRIPS + 1;

/// Packs the occupied rows of a strip: the first in the low half, one past the last in the high
/// half. An empty range has a second half that is not greater than the first.
const fn pack(first: u32, end: u32) -> u32 {
    first | end << 16
}

/// No row.
const NO_ROW: u32 = pack(0xffff, 0);
/// All rows: valid for every strip.
const ALL_ROWS: u32 = pack(0, 0xffff);

fn occupied(strip: &[u64]) -> u32 {
    let first = strip.iter().position(|&row| row != 0);
    let last = strip.iter().rposition(|&row| row != 0);
    first.zip(last).map_or(NO_ROW, |(first, last)| pack(first as u32, last as u32 + 1))
}

fn union(a: u32, b: u32) -> u32 {
    pack((a & 0xffff).min(b & 0xffff), (a >> 16).max(b >> 16))
}

/// The ranges of all tall masks of a pool.
#[derive(Clone, Debug, Default)]
pub(crate) struct RowRanges(Vec<u32>);

impl RowRanges {
    /// Returns the ranges of the tall ones of `masks`, each given with its first word.
    pub(crate) fn of<'m>(masks: impl Iterator<Item = (u32, MaskRef<'m>)>) -> Self {
        let mut ranges = Self::default();
        for (words, mask) in masks.filter(|(_, mask)| mask.height() > TALL_ROWS) {
            for (s, range) in (0..).zip(ranges.of_mask(words, mask)) {
                *range = union(*range, occupied(mask.rows(s)));
            }
        }
        ranges
    }

    /// Replaces the ranges of a mask that starts at word `words`.
    pub(crate) fn set(&mut self, words: u32, mask: MaskRef<'_>) {
        if mask.height() > TALL_ROWS {
            for (s, range) in (0..).zip(self.of_mask(words, mask)) {
                *range = occupied(mask.rows(s));
            }
        }
    }

    /// Returns the entries of a mask, after making room for them.
    fn of_mask(&mut self, words: u32, mask: MaskRef<'_>) -> &mut [u32] {
        let first = entry(words);
        let end = first + mask.strips() as usize;
        // Reserve the entries that a test reads beyond the last strip.
        if self.0.len() < end + RANGE_ENTRIES {
            self.0.resize(end + RANGE_ENTRIES, NO_ROW);
        }
        &mut self.0[first..end]
    }
}

#[inline(always)]
const fn entry(words: u32) -> usize {
    (words / WORD) as usize
}

/// The words of a mask pool with the ranges of its tall masks, as kernels take them.
#[derive(Clone, Copy)]
pub(crate) struct MaskPool<'p> {
    pub(crate) words: &'p [u64],
    ranges: &'p [u32],
    /// Masks with a side of this many pixels or more have [levels](super::Levels).
    pub(crate) level_side: u32,
}

impl<'p> MaskPool<'p> {
    pub(crate) fn new(words: &'p [u64], ranges: &'p RowRanges, level_side: u32) -> Self {
        Self { words, ranges: &ranges.0, level_side }
    }

    /// Returns the ranges of the strips from `strip` on, for a tall mask that starts at word
    /// `words`. The format is that of `pack`. Entries beyond the mask are unspecified.
    #[inline(always)]
    pub(crate) fn ranges(self, words: u32, strip: u32) -> &'p [u32; RANGE_ENTRIES] {
        let first = entry(words) + strip as usize;
        self.ranges
            .get(first..)
            .and_then(|ranges| ranges.first_chunk())
            .unwrap_or(&[ALL_ROWS; RANGE_ENTRIES])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mask::{LEAD, Mask};

    #[test]
    fn each_strip_of_a_tall_mask_has_its_own_range() {
        let mut mask = Mask::new(200, 100).unwrap();
        mask.set(3, 10, true);
        mask.set(60, 20, true);
        mask.set(130, 99, true);
        mask.set(199, 0, true);
        let ranges =
            RowRanges::of([(LEAD, mask.as_ref()), (LEAD + 800, mask.as_ref())].into_iter());
        let pool = MaskPool::new(&[], &ranges, u32::MAX);
        for words in [LEAD, LEAD + 800] {
            let expected = [pack(10, 21), NO_ROW, pack(99, 100), pack(0, 1)];
            assert_eq!(pool.ranges(words, 0)[..4], expected);
            assert_eq!(pool.ranges(words, 2)[..2], expected[2..]);
        }
    }

    #[test]
    fn masks_that_share_words_share_a_range() {
        let (mut a, mut b) = (Mask::new(64, 65).unwrap(), Mask::new(64, 70).unwrap());
        a.set(0, 5, true);
        b.set(0, 9, true);
        let ranges = RowRanges::of([(LEAD, a.as_ref()), (LEAD, b.as_ref())].into_iter());
        assert_eq!(MaskPool::new(&[], &ranges, u32::MAX).ranges(LEAD, 0)[0], pack(5, 10));
    }

    #[test]
    fn a_mask_without_ranges_may_have_any_row() {
        let mask = Mask::new(64, TALL_ROWS).unwrap();
        let ranges = RowRanges::of([(LEAD, mask.as_ref())].into_iter());
        assert_eq!(
            MaskPool::new(&[], &ranges, u32::MAX).ranges(LEAD, 0),
            &[ALL_ROWS; RANGE_ENTRIES]
        );
    }
}
