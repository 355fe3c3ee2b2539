//! The mask pool of an atlas that is being written.
//!
//! Used by `AtlasWriter`. Invariants: the masks are in file order, and no mask spans two pieces. The
//! coarse levels are made when the masks move into the file.

use super::format::HotPose;
use crate::mask::{LEAD, LevelShape, MaskRef, MaskSize, stride_of, words_of, write_levels};
use crate::memory::parallel;
use crc32fast::Hasher;

/// Words per piece: 64 MiB. A single larger mask gets a piece of its own. The system takes back
/// blocks of this size as soon as they are freed.
const PIECE_WORDS: usize = 8 << 20;

/// The masks of an atlas that is being written, in pieces. Each piece is freed as soon as it has
/// been copied into the file, so a bake never holds all masks twice.
pub(super) struct Pool {
    pieces: Vec<Piece>,
    len: usize,
    /// Words per piece.
    piece_words: usize,
    /// First word and size of each mask.
    masks: Vec<(u32, MaskSize)>,
}

/// The place of a mask in the pool and in the file.
pub(super) struct Place {
    /// Index of its first word in the pool.
    pub(super) words: u32,
    /// The same in the file, behind its levels.
    pub(super) to: u32,
    size: MaskSize,
    level_words: u32,
}

impl Place {
    /// Returns the words of the mask and its levels in the file.
    const fn len(&self) -> usize {
        (words_of(self.size.width(), self.size.height()) + self.level_words) as usize
    }
}

struct Piece {
    /// Index of the first word in the pool.
    start: usize,
    words: Vec<u64>,
}

impl Default for Pool {
    fn default() -> Self {
        Self::in_pieces_of(PIECE_WORDS)
    }
}

impl Pool {
    /// Returns a pool that holds only the lead words before the first mask. Kernels that walk rows
    /// upwards may read them.
    fn in_pieces_of(piece_words: usize) -> Self {
        let (start, len) = (0, LEAD as usize);
        Self {
            pieces: vec![Piece { start, words: vec![0; len] }],
            len,
            piece_words,
            masks: Vec::new(),
        }
    }

    /// Returns the number of words so far.
    pub(super) const fn len(&self) -> usize {
        self.len
    }

    /// Appends a mask with its guard words.
    pub(super) fn push(&mut self, mask: MaskRef<'_>) {
        let stride = stride_of(mask.height()) as usize;
        let added = stride * mask.strips() as usize;
        let is_full = |piece: &Piece| piece.words.len() + added > self.piece_words;
        if self.pieces.last().is_none_or(is_full) {
            self.pieces.push(Piece { start: self.len, words: Vec::new() });
        }
        if let Some(Piece { words, .. }) = self.pieces.last_mut() {
            for s in 0..mask.strips() {
                let rows = mask.rows(s);
                words.extend_from_slice(rows);
                words.resize(words.len() + stride - rows.len(), 0);
            }
        }
        self.masks.push((self.len as u32, MaskSize::new(mask.width(), mask.height())));
        self.len += added;
    }

    /// Returns the place of each mask in the file, and the words of the pool there. Masks with a
    /// side of `level_side` pixels or more get levels. Returns `None` if the words
    /// exceed 32 bits.
    pub(super) fn lay_out(&self, level_side: u32) -> Option<(Vec<Place>, u32)> {
        let mut end = LEAD;
        let mut places = Vec::with_capacity(self.masks.len());
        for &(words, size) in &self.masks {
            let (width, height) = (size.width(), size.height());
            let level_words = LevelShape::words_before(width, height, level_side);
            let to = end.checked_add(level_words)?;
            end = to.checked_add(words_of(width, height))?;
            places.push(Place { words, to, size, level_words });
        }
        Some((places, end))
    }

    /// Returns the mask of a record that was written before.
    pub(super) fn mask(&self, hot: HotPose) -> MaskRef<'_> {
        let at = hot.words as usize;
        let piece = self.pieces.partition_point(|piece| piece.start <= at) - 1;
        let Piece { start, words } = &self.pieces[piece];
        MaskRef::in_pool(
            words,
            (at - start) as u32,
            hot.stride,
            hot.size.width(),
            hot.size.height(),
        )
    }

    /// Moves all masks to their `places` in `file`, a zeroed pool, writes their levels, and returns
    /// the checksum of the pool. The pool is empty afterwards. Copies each piece on several threads.
    pub(super) fn move_to(&mut self, places: &[Place], file: &mut [u8]) -> u32 {
        let (lead, mut rest) = file.split_at_mut(8 * LEAD as usize);
        let mut checksum = Hasher::new();
        checksum.update(lead);
        let mut places = places;
        for Piece { start, words } in self.pieces.drain(..) {
            let end = start + words.len();
            let of_piece = places.partition_point(|place| (place.words as usize) < end);
            let (mut here, after) = places.split_at(of_piece);
            places = after;
            let mut copies = Vec::new();
            while !here.is_empty() {
                let mut sum = 0;
                let count = here
                    .iter()
                    .position(|place| {
                        sum += place.len();
                        sum >= COPY_WORDS
                    })
                    .map_or(here.len(), |last| last + 1);
                let (some, others) = here.split_at(count);
                let (target, behind) = std::mem::take(&mut rest).split_at_mut(8 * sum);
                (here, rest) = (others, behind);
                copies.push((target, some, Hasher::new()));
            }
            parallel::each(&mut copies, &|(target, some, checksum)| {
                copy_masks(&words, start, some, target);
                checksum.update(target);
            });
            copies.iter().for_each(|(.., part)| checksum.combine(part));
        }
        self.len = 0;
        checksum.finalize()
    }
}

/// Copies masks from a piece that begins at word `start` of the pool, each behind its levels.
fn copy_masks(piece: &[u64], start: usize, places: &[Place], mut target: &mut [u8]) {
    let mut levels = Vec::new();
    for place in places {
        let (width, height) = (place.size.width(), place.size.height());
        let at = place.words as usize - start;
        let words = &piece[at..at + words_of(width, height) as usize];
        let (before, rest) = target.split_at_mut(8 * place.level_words as usize);
        if place.level_words > 0 {
            levels.clear();
            levels.resize(place.level_words as usize, 0);
            let mask = MaskRef::in_pool(piece, at as u32, stride_of(height), width, height);
            write_levels(mask, &mut levels);
            before.copy_from_slice(bytemuck::cast_slice(&levels));
        }
        let (of_mask, behind) = rest.split_at_mut(8 * words.len());
        of_mask.copy_from_slice(bytemuck::cast_slice(words));
        target = behind;
    }
}

/// Words that one thread copies at a time, give or take a mask: 1 MiB.
const COPY_WORDS: usize = 1 << 17;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mask::Mask;

    #[test]
    fn a_pool_in_pieces_writes_the_bytes_of_one_piece() {
        let masks: Vec<Mask> = (1..40)
            .map(|i: u32| Mask::filled_by(i * 7 % 150 + 1, i, |s, y| u64::from(s + y * i) << 3))
            .collect();
        let written = |piece_words: usize| {
            let mut pool = Pool::in_pieces_of(piece_words);
            for mask in &masks {
                let words = pool.len() as u32;
                pool.push(mask.as_ref());
                let (size, stride) =
                    (MaskSize::new(mask.width(), mask.height()), stride_of(mask.height()));
                let hot = HotPose { words, stride, size, boards: 0 };
                assert_eq!(pool.mask(hot), mask.as_ref(), "pieces of {piece_words} words");
            }
            let (places, words) = pool.lay_out(70).unwrap();
            assert!(words as usize > pool.len(), "some masks have levels");
            let (pieces, mut file) = (pool.pieces.len(), vec![0; 8 * words as usize]);
            let crc = pool.move_to(&places, &mut file);
            let pool: Vec<u64> = bytemuck::pod_collect_to_vec(&file);
            for (place, mask) in places.iter().zip(&masks) {
                let (w, h) = (mask.width(), mask.height());
                let stored = MaskRef::in_pool(&pool, place.to, stride_of(h), w, h);
                assert_eq!(stored, mask.as_ref());
                let mut levels = vec![0; place.level_words as usize];
                if place.level_words > 0 {
                    write_levels(mask.as_ref(), &mut levels);
                }
                assert_eq!(pool[(place.to - place.level_words) as usize..][..levels.len()], levels);
            }
            assert_eq!(crc, crc32fast::hash(&file));
            (file, pieces)
        };
        let (whole, one) = written(1 << 20);
        assert_eq!(one, 1);
        for piece_words in [1, 64, 100, 1000] {
            let (file, pieces) = written(piece_words);
            assert!(pieces > 2 && file == whole, "pieces of {piece_words} words");
        }
    }
}
