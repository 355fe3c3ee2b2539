//! Push-outs from masks with many runs per row, such as noise and foliage: a row of translations at
//! once, one bit per translation.
//!
//! ```text
//! for each row of translations, outwards:
//!   for each run of each row of the smaller mask, from the middle row:
//!     blocked |= the row of the larger mask that the run faces, combined over the run's length
//!     all translations better than the best are blocked:  next row of translations
//!   the nearest clear bits are candidates
//! ```
//!
//! 1. The rows of dense masks block all translations after one or two rows of the smaller mask,
//!    whatever their runs. The layers of `push_out.rs` cost one walk per run.
//! 2. Nothing is stored but two rows of bits. Layers of noise take 100 MB for 8,192 px.

use super::reachable_windows::size;
use super::search_order::{Candidate, floor_sqrt, outwards};
use crate::geom::Point;
use crate::mask::{MaskRef, WORD, shifted};

/// Most runs in a row of the larger mask that are searched as layers.
pub(super) const MAX_LAYER_RUNS: usize = 32;

/// Replaces `best` by a better translation of at most `radius` px that frees `a` from `b`.
pub(super) fn search(
    a: MaskRef<'_>,
    b: MaskRef<'_>,
    offset: Point,
    radius: i64,
    best: &mut Candidate,
) {
    let area = |mask: MaskRef<'_>| size(mask).into_iter().product::<i64>();
    let [x, y] = [i64::from(offset.x), i64::from(offset.y)];
    // A move of b is a move of a in the opposite direction.
    let (runs, bits, at, sign) =
        if area(a) <= area(b) { (a, b, [x, y], 1) } else { (b, a, [-x, -y], -1) };
    let mut blocked = BlockedRow { runs, bits, at, words: Vec::new(), row: Vec::new() };
    for y in outwards(radius) {
        let farthest = best.square.min(i128::from(radius).pow(2));
        let left_over = farthest - i128::from(y).pow(2);
        if left_over < 0 {
            break;
        }
        for x in blocked.nearest_free(y, floor_sqrt(left_over)).into_iter().flatten() {
            *best = (*best).min(Candidate::new([sign * x, sign * y]));
        }
    }
}

/// The blocked translations in one row, of a mask of few runs past a mask of any.
struct BlockedRow<'a> {
    runs: MaskRef<'a>,
    bits: MaskRef<'a>,
    /// From the corner of `runs` to that of `bits`.
    at: [i64; 2],
    /// One bit per translation, the leftmost first. Bits past the last translation are set.
    words: Vec<u64>,
    row: Vec<u64>,
}

impl BlockedRow<'_> {
    /// Returns the free translations (x, `y`) within `limit` nearest to 0 on each side.
    fn nearest_free(&mut self, y: i64, limit: i64) -> [Option<i64>; 2] {
        let word_bits = i64::from(WORD);
        let translations = 2 * limit + 1;
        self.words.clear();
        self.words.resize((translations / word_bits) as usize, 0);
        self.words.push(u64::MAX << (translations % word_bits));
        let height = self.runs.height();
        for row in (height / 2..height).chain((0..height / 2).rev()) {
            let faced = i64::from(row) + y - self.at[1];
            let Some(faced) = u32::try_from(faced).ok().filter(|&y| y < self.bits.height()) else {
                continue;
            };
            for (start, end) in self.runs.runs(row) {
                let column = i64::from(start) - limit - self.at[0];
                self.block(faced, column, (end - start) as usize);
            }
            if self.words.iter().all(|&word| word == u64::MAX) {
                return [None; 2];
            }
        }
        let middle = (limit / word_bits) as usize;
        let bit = (limit % word_bits) as u32;
        // Clear bits count as set from here on.
        let free = |word: usize, keep: u64| !self.words[word] & keep;
        let left = (0..=middle).rev().find_map(|word| {
            let keep = if word == middle { u64::MAX >> (WORD - 1 - bit) } else { u64::MAX };
            let free = free(word, keep);
            (free != 0).then(|| word as i64 * word_bits + i64::from(free.ilog2()))
        });
        let right = (middle..self.words.len()).find_map(|word| {
            let keep = if word == middle { u64::MAX << bit } else { u64::MAX };
            let free = free(word, keep);
            (free != 0).then(|| word as i64 * word_bits + i64::from(free.trailing_zeros()))
        });
        [left, right].map(|found| found.map(|bit| bit - limit))
    }

    /// Blocks the translations at which a run of `length` pixels from `column` meets row `y`.
    fn block(&mut self, y: u32, column: i64, length: usize) {
        let word_bits = WORD as usize;
        let words = self.words.len() + (length - 1).div_ceil(word_bits);
        let strip = column.div_euclid(WORD.into());
        let shift = column.rem_euclid(WORD.into()) as u32;
        let bits = self.bits;
        let word = |strip: i64| match u32::try_from(strip) {
            Ok(strip) if strip < bits.strips() => bits.word(strip, y),
            _ => 0,
        };
        self.row.clear();
        let mut near = word(strip);
        self.row.extend((1..=words as i64).map(|i| {
            let far = word(strip + i);
            shifted(std::mem::replace(&mut near, far), far, shift)
        }));
        // Combines each pixel with the `length - 1` pixels to its right, by doubling.
        let mut combined = 1;
        while combined < length {
            let by = combined.min(length - combined);
            let (skip, shift) = (by / word_bits, (by % word_bits) as u32);
            let get = |row: &[u64], i: usize| row.get(i).copied().unwrap_or(0);
            for i in 0..words.saturating_sub(skip) {
                let (near, far) = (self.row[i + skip], get(&self.row, i + skip + 1));
                self.row[i] |= shifted(near, far, shift);
            }
            combined += by;
        }
        self.words.iter_mut().zip(&self.row).for_each(|(word, row)| *word |= row);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mask::{Mask, dotted};
    use crate::narrow::reference;

    #[test]
    fn rows_of_bits_give_the_push_out_of_an_exhaustive_search() {
        let sizes = [(1, 1), (9, 5), (63, 40), (64, 33), (65, 20), (130, 30), (30, 130)];
        for (i, &(aw, ah)) in sizes.iter().enumerate() {
            for (j, &(bw, bh)) in sizes.iter().enumerate() {
                let mask = |w, h, solid| if solid { Mask::full(w, h) } else { dotted(w, h) };
                let (a, b) = (mask(aw, ah, i % 2 == 0), mask(bw, bh, (i + j) % 3 == 0));
                for (dx, dy) in [(0, 0), (aw as i32 / 3, 2), (3 - bw as i32, ah as i32 / 2)] {
                    let offset = Point::new(dx, dy);
                    for a in [a.as_ref(), a.as_ref().flip_y()] {
                        let Some(expected) = reference::push_out(a, b.as_ref(), offset) else {
                            continue;
                        };
                        let far = 2 * i64::from(expected.x.abs().max(expected.y.abs()));
                        for radius in [far, 200] {
                            let mut best = Candidate::new([1000, 1000]);
                            search(a, b.as_ref(), offset, radius, &mut best);
                            assert_eq!(best.point(), expected, "{offset:?}\n{a:?}{b:?}");
                        }
                    }
                }
            }
        }
    }
}
