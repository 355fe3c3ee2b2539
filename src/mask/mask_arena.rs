//! The mask arena: a pool of masks that grows, and whose masks can be removed.
//!
//! ```text
//! lead | levels, mask | levels, mask | ... | free blocks between | spare capacity
//! ```
//!
//! The layout is that of the pool of an atlas. Every mask starts on a cache line, behind its coarse
//! levels if it has any. A new mask takes a free block, or the end of the pool.
//!
//! Used by worlds that draw poses on demand. Invariants: blocks do not overlap. A block holds the
//! levels, the rows and the zero guards of its mask. The lead is zero.

use super::levels::{LEVEL_SIDE, LevelShape, has_levels, write_levels};
use super::occupied_rows::{MaskPool, RowRanges};
use super::{BLOCK, LEAD, MaskDescriptor, MaskRef, MaskSize, stride_of, words_of};
use crate::memory::aligned_words::{AlignedWords, LINE_WORDS};
use std::collections::BTreeMap;

/// Bytes per cache line.
pub(crate) const LINE_BYTES: u64 = size_of::<[u64; LINE_WORDS]>() as u64;

const _: () = assert!(LINE_WORDS == BLOCK as usize);

/// Words of the first allocation: 64 KiB.
const FIRST_WORDS: usize = 1 << 13;

#[derive(Clone, Debug)]
pub(crate) struct MaskArena {
    words: AlignedWords,
    ranges: RowRanges,
    /// The first lines of free blocks, by their number of lines.
    free: BTreeMap<u32, Vec<u32>>,
    pub(crate) free_lines: u64,
    /// Words beyond which no spare capacity is reserved.
    max_words: usize,
}

fn words_of_lines(lines: Option<usize>) -> usize {
    lines.map_or(usize::MAX, |lines| lines.saturating_mul(LINE_WORDS))
}

impl Default for MaskArena {
    fn default() -> Self {
        let words = AlignedWords::zeroed(LEAD as usize);
        let (ranges, free) = (RowRanges::default(), BTreeMap::new());
        Self { words, ranges, free, free_lines: 0, max_words: usize::MAX }
    }
}

impl MaskArena {
    #[inline]
    pub(crate) fn pool(&self) -> MaskPool<'_> {
        MaskPool::new(self.words(), &self.ranges, LEVEL_SIDE)
    }

    #[inline(always)]
    pub(crate) fn words(&self) -> &[u64] {
        self.words.as_slice()
    }

    pub(crate) fn mask(&self, mask: MaskDescriptor) -> MaskRef<'_> {
        mask_in(self.words(), mask)
    }

    /// Returns the lines of all blocks, free ones included.
    pub(crate) fn lines(&self) -> u64 {
        (self.words.len() / LINE_WORDS) as u64
    }

    /// Returns the lines before the first block.
    pub(crate) const fn lead_lines(&self) -> u64 {
        (LEAD / BLOCK) as u64
    }

    /// Sets the lines beyond which no spare capacity is reserved.
    pub(crate) fn set_max_lines(&mut self, lines: Option<usize>) {
        self.max_words = words_of_lines(lines);
    }

    pub(crate) fn has_max_lines(&self, lines: Option<usize>) -> bool {
        self.max_words == words_of_lines(lines)
    }

    pub(crate) fn has_block(&self, lines: u32) -> bool {
        self.free.range(lines..).next().is_some()
    }

    /// Stores an upright, tight mask. Returns `None` if the pool would exceed 2^32 words. Grows by
    /// 1/2: growth by 1/16 as elsewhere would move every word 16 times on average.
    pub(crate) fn insert(&mut self, mask: MaskRef<'_>) -> Option<MaskDescriptor> {
        debug_assert!(!mask.is_flipped());
        let size = MaskSize::new(mask.width(), mask.height());
        if size.is_empty() {
            return Some(MaskDescriptor::default());
        }
        let level_words = LevelShape::words_before(size.width(), size.height(), LEVEL_SIDE);
        let block = self.take(lines_of(size))?;
        let words = block * BLOCK + level_words;
        let stored = mask.stored_words();
        let (before, behind) = self.words.as_mut_slice().split_at_mut(words as usize);
        behind[..stored.len()].copy_from_slice(stored);
        if level_words > 0 {
            let levels = &mut before[(block * BLOCK) as usize..];
            levels.fill(0);
            write_levels(mask, levels);
        }
        let descriptor = MaskDescriptor { words, size };
        self.set_ranges(descriptor);
        Some(descriptor)
    }

    pub(crate) fn remove(&mut self, mask: MaskDescriptor) {
        if !mask.size.is_empty() {
            self.give_back(first_line(mask), lines_of(mask.size));
        }
    }

    /// Keeps the given masks alone, in order of their words, and updates these.
    pub(crate) fn compact<'m>(&mut self, masks: impl Iterator<Item = &'m mut MaskDescriptor>) {
        let mut kept = Self::default();
        let used = self.lines() - self.free_lines;
        kept.words.reserve_exact(used as usize * LINE_WORDS);
        for mask in masks.filter(|mask| !mask.size.is_empty()) {
            let (first, lines) = (first_line(*mask), lines_of(mask.size));
            let (moved_to, from) = (kept.words.len() as u32, first * BLOCK);
            let block = from as usize..(from + lines * BLOCK) as usize;
            kept.words.extend_from_slice(&self.words()[block]);
            mask.words = mask.words - from + moved_to;
            kept.set_ranges(*mask);
        }
        *self = kept;
    }

    /// Takes a block of so many lines and returns its first line. Its words are unspecified.
    fn take(&mut self, lines: u32) -> Option<u32> {
        if let Some((&size, blocks)) = self.free.range_mut(lines..).next()
            && let Some(first) = blocks.pop()
        {
            if blocks.is_empty() {
                self.free.remove(&size);
            }
            self.free_lines -= u64::from(size);
            if size > lines {
                self.give_back(first + lines, size - lines);
            }
            return Some(first);
        }
        let first = self.words.len();
        let end = first + lines as usize * LINE_WORDS;
        u32::try_from(end).ok()?;
        if end > self.words.capacity() {
            let wanted = (first + first / 2).max(FIRST_WORDS).min(self.max_words);
            self.words.reserve_exact(wanted.max(end));
        }
        self.words.resize(end);
        Some((first / LINE_WORDS) as u32)
    }

    fn give_back(&mut self, first: u32, lines: u32) {
        self.free.entry(lines).or_default().push(first);
        self.free_lines += u64::from(lines);
    }

    /// Finds the occupied rows of a mask and its levels.
    fn set_ranges(&mut self, mask: MaskDescriptor) {
        for mask in mask_in(self.words.as_slice(), mask).and_levels() {
            self.ranges.set(mask.place_key(), mask);
        }
    }
}

/// Returns the mask of a descriptor in a pool, upright, with its levels.
fn mask_in(words: &[u64], mask: MaskDescriptor) -> MaskRef<'_> {
    let (width, height) = (mask.size.width(), mask.size.height());
    MaskRef::in_pool(words, mask.words, stride_of(height), width, height)
        .with_levels(has_levels(width, height, LEVEL_SIDE))
}

/// Returns the lines that a mask takes with its levels.
pub(crate) const fn lines_of(size: MaskSize) -> u32 {
    let (width, height) = (size.width(), size.height());
    let level_words = LevelShape::words_before(width, height, LEVEL_SIDE);
    (words_of(width, height) + level_words) / BLOCK
}

pub(crate) const fn first_line(mask: MaskDescriptor) -> u32 {
    let (width, height) = (mask.size.width(), mask.size.height());
    (mask.words - LevelShape::words_before(width, height, LEVEL_SIDE)) / BLOCK
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mask::{Mask, dotted};

    /// Masks of all kinds: without pixels, small, tall, wide and with levels.
    fn masks() -> Vec<Mask> {
        let sizes = [(1, 1), (64, 8), (65, 70), (30, 200), (250, 40), (600, 650), (7, 64)];
        sizes.iter().map(|&(w, h)| dotted(w, h).trimmed().0).chain([Mask::clear_of(0, 0)]).collect()
    }

    fn assert_holds(arena: &MaskArena, shown: &[(MaskDescriptor, Mask)]) {
        let mut blocks = Vec::new();
        for (descriptor, mask) in shown {
            let stored = arena.mask(*descriptor);
            assert_eq!(stored, mask.as_ref());
            if descriptor.size.is_empty() {
                continue;
            }
            blocks.push((first_line(*descriptor), lines_of(descriptor.size)));
            assert!(
                stored.stored_words().iter().map(|word| word.count_ones()).sum::<u32>() as u64
                    == mask.count(),
                "guards are zero"
            );
            if let Some(levels) = stored.levels() {
                let mut truth =
                    vec![0; LevelShape::of(mask.width(), mask.height()).words() as usize];
                write_levels(mask.as_ref(), &mut truth);
                let start = (first_line(*descriptor) * BLOCK) as usize;
                assert_eq!(arena.words()[start..start + truth.len()], truth);
                assert_eq!(levels.outer.width(), mask.width().div_ceil(8));
            }
            // The ranges equal those of a pool of this mask alone.
            let truth = RowRanges::of([(descriptor.words, stored)].into_iter());
            let truth = MaskPool::new(&[], &truth, LEVEL_SIDE);
            for strip in (0..stored.strips()).filter(|_| mask.height() > 64) {
                let [found, truth] =
                    [arena.pool(), truth].map(|pool| pool.ranges(descriptor.words, strip)[0]);
                assert_eq!(found, truth, "{} x {}", mask.width(), mask.height());
            }
        }
        blocks.sort_unstable();
        assert!(blocks.windows(2).all(|two| two[0].0 + two[0].1 <= two[1].0), "blocks overlap");
        assert!(blocks.first().is_none_or(|first| first.0 * BLOCK >= LEAD));
        let used: u64 = blocks.iter().map(|block| u64::from(block.1)).sum();
        assert_eq!(used + arena.free_lines + u64::from(LEAD / BLOCK), arena.lines());
    }

    #[test]
    fn masks_keep_their_pixels_while_others_come_and_go() {
        let masks = masks();
        let (mut arena, mut shown) = (MaskArena::default(), Vec::new());
        let mut state = 7_u32;
        for turn in 0..400_usize {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let pick = (state >> 16) as usize;
            if turn % 40 == 39 {
                shown.sort_unstable_by_key(|(descriptor, _): &(MaskDescriptor, Mask)| {
                    descriptor.words
                });
                arena.compact(shown.iter_mut().map(|(descriptor, _)| descriptor));
                assert_eq!(arena.free_lines, 0);
            } else if pick % 5 < 2 && !shown.is_empty() {
                let (descriptor, _) = shown.swap_remove(pick % shown.len());
                arena.remove(descriptor);
            } else {
                let mask = masks[pick % masks.len()].clone();
                shown.push((arena.insert(mask.as_ref()).unwrap(), mask));
            }
            assert_holds(&arena, &shown);
        }
    }
}
