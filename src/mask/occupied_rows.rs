//! Which rows of each strip of a tall mask hold a pixel at all, for all masks of a pool.
//!
//! Sprites are round rather than square: where two of them overlap in a corner, what the one has in a
//! strip and what the other has there seldom lie in the same rows.
//!
//! A table beside the pool, with one entry for every 64 words of it. A tall mask takes more than 64
//! words a strip, so from the entry of its first word on there is one for each of its strips, and
//! nobody else's: where a range lies follows from where the mask does. Where masks share words, as
//! in an atlas that nobody baked, a range holds the rows of all of them, and is still right for each.

use super::{MaskRef, WORD, stride_of};

/// Masks of more rows than this have ranges.
pub(crate) const TALL: u32 = 64;

// A strip takes at least the words of one entry.
const _: () = assert!(stride_of(TALL + 1) >= WORD);

/// Strips whose ranges are looked at together.
pub(crate) const TOGETHER: usize = 8;

/// Entries that such a look takes: the last strip may reach into one more.
pub(crate) const LOOK: usize = TOGETHER + 1;

/// The rows of a strip that hold a pixel: the first in the low half, the one after the last in the
/// high one. Without a row the second is not the greater.
const fn pack(first: u32, end: u32) -> u32 {
    first | end << 16
}

/// No row.
const NONE: u32 = pack(0xffff, 0);
/// Any row: what is right for every strip.
const ANY: u32 = pack(0, 0xffff);

fn of(strip: &[u64]) -> u32 {
    let first = strip.iter().position(|&row| row != 0);
    let last = strip.iter().rposition(|&row| row != 0);
    first.zip(last).map_or(NONE, |(first, last)| pack(first as u32, last as u32 + 1))
}

/// The rows of both.
fn union(a: u32, b: u32) -> u32 {
    pack((a & 0xffff).min(b & 0xffff), (a >> 16).max(b >> 16))
}

/// The ranges of all tall masks of a pool.
#[derive(Debug, Default)]
pub(crate) struct RowRanges(Vec<u32>);

impl RowRanges {
    /// The ranges of `masks`, each with the word of the pool at which it starts. Those that are not
    /// tall are left out.
    pub(crate) fn of<'m>(masks: impl Iterator<Item = (u32, MaskRef<'m>)>) -> Self {
        let mut ranges = Vec::new();
        for (words, mask) in masks.filter(|(_, mask)| mask.height() > TALL) {
            let first = entry(words);
            let end = first + mask.strips() as usize;
            // What a look takes beyond the last strip is there.
            if ranges.len() < end + LOOK {
                ranges.resize(end + LOOK, NONE);
            }
            for (s, range) in (0..).zip(&mut ranges[first..end]) {
                *range = union(*range, of(mask.rows(s)));
            }
        }
        Self(ranges)
    }
}

/// The entry of the first strip of a mask that starts at word `words`.
#[inline(always)]
const fn entry(words: u32) -> usize {
    (words / WORD) as usize
}

/// The words of masks, and the ranges of those that are tall, as kernels take them.
#[derive(Clone, Copy)]
pub(crate) struct Pool<'p> {
    pub(crate) words: &'p [u64],
    ranges: &'p [u32],
}

impl<'p> Pool<'p> {
    pub(crate) fn new(words: &'p [u64], ranges: &'p RowRanges) -> Self {
        Self { words, ranges: &ranges.0 }
    }

    /// The ranges of the strips from `strip` on of a tall mask that starts at word `words`: the first
    /// row in the low half, the one after the last in the high one. Beyond the mask, anything.
    #[inline(always)]
    pub(crate) fn ranges(self, words: u32, strip: u32) -> &'p [u32; LOOK] {
        let first = entry(words) + strip as usize;
        self.ranges.get(first..).and_then(|ranges| ranges.first_chunk()).unwrap_or(&[ANY; LOOK])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mask::{LEAD, Mask};

    #[test]
    fn each_strip_of_a_tall_mask_has_its_rows() {
        let mut mask = Mask::new(200, 100).unwrap();
        mask.set(3, 10, true);
        mask.set(60, 20, true);
        mask.set(130, 99, true);
        mask.set(199, 0, true);
        let ranges =
            RowRanges::of([(LEAD, mask.as_ref()), (LEAD + 800, mask.as_ref())].into_iter());
        let pool = Pool::new(&[], &ranges);
        for words in [LEAD, LEAD + 800] {
            let wanted = [pack(10, 21), NONE, pack(99, 100), pack(0, 1)];
            assert_eq!(pool.ranges(words, 0)[..4], wanted);
            assert_eq!(pool.ranges(words, 2)[..2], wanted[2..]);
        }
    }

    #[test]
    fn masks_that_share_words_share_their_rows() {
        let (mut a, mut b) = (Mask::new(64, 65).unwrap(), Mask::new(64, 70).unwrap());
        a.set(0, 5, true);
        b.set(0, 9, true);
        let ranges = RowRanges::of([(LEAD, a.as_ref()), (LEAD, b.as_ref())].into_iter());
        assert_eq!(Pool::new(&[], &ranges).ranges(LEAD, 0)[0], pack(5, 10));
    }

    #[test]
    fn what_has_no_range_may_have_any_row() {
        let mask = Mask::new(64, TALL).unwrap();
        let ranges = RowRanges::of([(LEAD, mask.as_ref())].into_iter());
        assert_eq!(Pool::new(&[], &ranges).ranges(LEAD, 0), &[ANY; LOOK]);
    }
}
