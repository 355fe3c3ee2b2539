//! The mask pool of an atlas that is being written.
//!
//! Used by `AtlasWriter`. Invariant: the words are in file order, and no mask spans two pieces.

use super::format::HotPose;
use crate::mask::{LEAD, MaskRef, stride_of};
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
        Self { pieces: vec![Piece { start, words: vec![0; len] }], len, piece_words }
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
        self.len += added;
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

    /// Moves all words to the start of `file` and returns their checksum. The pool is empty
    /// afterwards. Copies each piece on several threads.
    pub(super) fn move_to(&mut self, file: &mut [u8]) -> u32 {
        let mut checksum = Hasher::new();
        for Piece { start, words } in self.pieces.drain(..) {
            let bytes: &[u8] = bytemuck::cast_slice(&words);
            let target = file[8 * start..][..bytes.len()].chunks_mut(COPY_BYTES);
            let mut copies: Vec<_> = target
                .zip(bytes.chunks(COPY_BYTES))
                .map(|(to, from)| (to, from, Hasher::new()))
                .collect();
            parallel::each(&mut copies, &|(to, from, checksum)| {
                to.copy_from_slice(from);
                checksum.update(from);
            });
            copies.iter().for_each(|(.., part)| checksum.combine(part));
        }
        self.len = 0;
        checksum.finalize()
    }
}

/// Bytes that one thread copies at a time.
const COPY_BYTES: usize = 1 << 20;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mask::{Mask, MaskSize};

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
            let (pieces, mut file) = (pool.pieces.len(), vec![0; 8 * pool.len()]);
            let crc = pool.move_to(&mut file);
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
