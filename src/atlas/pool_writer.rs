//! The mask pool of an atlas that is being written, with its coarse levels.
//!
//! Invariants: the masks are in file order, each behind its levels, and no mask spans two pieces.
//! Memory is bounded if there is a [`Scratch`] file: the oldest pieces move there.

use super::error::IoCause;
use super::format::HotPose;
use crate::mask::{BLOCK, LEAD, LevelShape, MaskRef, MaskSize, stride_of, words_of, write_levels};
use crate::memory::parallel;
use crc32fast::Hasher;
use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};

/// A file for masks that exceed the memory of a writer.
pub trait Scratch: Send {
    /// Returns the file, open for reading and writing. The first call creates it.
    ///
    /// # Errors
    /// That of the system.
    fn file(&mut self) -> io::Result<&mut File>;
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum WriteError {
    /// The atlas would exceed its 32-bit counts: 4 billion poses or 32 GiB of masks.
    Full,
    /// The scratch file cannot be read or written.
    Scratch(IoCause),
}

impl From<io::Error> for WriteError {
    fn from(error: io::Error) -> Self {
        Self::Scratch(error.into())
    }
}

/// Words per piece of a pool in memory: 64 MiB. A single larger mask gets a piece of its own. The
/// system takes back blocks of this size as soon as they are freed.
const PIECE_WORDS: usize = 8 << 20;

/// Words per piece of a pool with a scratch file, and pieces that stay in memory: 16 MiB in all.
const SCRATCH_PIECE_WORDS: usize = 1 << 19;
const PIECES_IN_MEMORY: usize = 4;

/// Words that one thread copies or sums up at a time: 1 MiB.
const COPY_WORDS: usize = 1 << 17;

/// Bytes that are moved within the scratch file at a time.
const MOVE_BYTES: u64 = 8 << 20;

/// The masks of an atlas that is being written, in pieces. Each piece is freed as soon as it has
/// been copied into the file, so a bake never holds all masks twice.
pub(super) struct Pool<'s> {
    pieces: VecDeque<Piece>,
    /// Words so far, levels included.
    len: u32,
    /// Masks with a side of this many pixels or more get levels.
    level_side: u32,
    piece_words: usize,
    /// Checksum of the sealed pieces.
    checksum: Hasher,
    scratch: Option<&'s mut dyn Scratch>,
    /// A mask that was read back from the scratch file.
    read: Vec<u64>,
}

struct Piece {
    /// Index of the first word in the pool.
    start: usize,
    words: Vec<u64>,
    /// Place in `words`, and size, of each mask with levels. The levels are written last.
    with_levels: Vec<(usize, MaskSize)>,
}

impl<'s> Pool<'s> {
    /// Returns a pool that holds only the lead words.
    pub(super) fn new(level_side: u32, scratch: Option<&'s mut dyn Scratch>) -> Self {
        let piece_words = if scratch.is_some() { SCRATCH_PIECE_WORDS } else { PIECE_WORDS };
        Self::in_pieces_of(piece_words, level_side, scratch)
    }

    fn in_pieces_of(
        piece_words: usize,
        level_side: u32,
        scratch: Option<&'s mut dyn Scratch>,
    ) -> Self {
        let words = vec![0; LEAD as usize];
        Self {
            pieces: [Piece { start: 0, words, with_levels: Vec::new() }].into(),
            len: LEAD,
            level_side,
            piece_words,
            checksum: Hasher::new(),
            scratch,
            read: Vec::new(),
        }
    }

    pub(super) const fn len(&self) -> u32 {
        self.len
    }

    /// Appends a mask with its levels and guard words. Returns the index of its first word.
    pub(super) fn push(&mut self, mask: MaskRef<'_>) -> Result<u32, WriteError> {
        let (words, end) = next_place(self.len, mask, self.level_side)?;
        let added = (end - self.len) as usize;
        if self.pieces.back().is_none_or(|last| last.words.len() + added > self.piece_words) {
            self.begin_piece()?;
        }
        let (stride, before) = (stride_of(mask.height()) as usize, (words - self.len) as usize);
        if let Some(Piece { words, with_levels, .. }) = self.pieces.back_mut() {
            words.resize(words.len() + before, 0);
            if before > 0 {
                with_levels.push((words.len(), MaskSize::new(mask.width(), mask.height())));
            }
            for s in 0..mask.strips() {
                let rows = mask.rows(s);
                words.extend_from_slice(rows);
                words.resize(words.len() + stride - rows.len(), 0);
            }
        }
        self.len = end;
        Ok(words)
    }

    /// Seals the last piece and begins another. Moves old pieces to the scratch file.
    fn begin_piece(&mut self) -> Result<(), WriteError> {
        let mut words = Vec::new();
        if let Some(last) = self.pieces.back_mut() {
            last.seal(&mut self.checksum);
        }
        if self.scratch.is_some()
            && self.pieces.len() >= PIECES_IN_MEMORY
            && let Some(oldest) = self.pieces.pop_front()
        {
            self.store(&oldest)?;
            words = oldest.words;
            words.clear();
        }
        self.pieces.push_back(Piece { start: self.len as usize, words, with_levels: Vec::new() });
        Ok(())
    }

    /// Writes a sealed piece to its place in the scratch file.
    fn store(&mut self, piece: &Piece) -> Result<(), WriteError> {
        let Some(scratch) = &mut self.scratch else { return Ok(()) };
        let file = scratch.file()?;
        file.seek(SeekFrom::Start(8 * piece.start as u64))?;
        file.write_all(bytemuck::cast_slice(&piece.words))?;
        Ok(())
    }

    /// Tests whether a mask that was written before equals `mask`.
    pub(super) fn holds(&mut self, hot: HotPose, mask: MaskRef<'_>) -> Result<bool, WriteError> {
        let (width, height) = (hot.size.width(), hot.size.height());
        if (width, height) != (mask.width(), mask.height()) {
            return Ok(false);
        }
        let at = hot.words as usize;
        let piece = self.pieces.partition_point(|piece| piece.start <= at);
        if let Some(Piece { start, words, .. }) = piece.checked_sub(1).map(|i| &self.pieces[i]) {
            let base = (at - start) as u32;
            return Ok(MaskRef::in_pool(words, base, hot.stride, width, height) == mask);
        }
        let Some(scratch) = &mut self.scratch else { return Ok(false) };
        let file = scratch.file()?;
        self.read.resize(words_of(width, height) as usize, 0);
        file.seek(SeekFrom::Start(8 * at as u64))?;
        file.read_exact(bytemuck::cast_slice_mut(&mut self.read))?;
        Ok(MaskRef::in_pool(&self.read, 0, hot.stride, width, height) == mask)
    }

    pub(super) fn is_in_scratch(&self) -> bool {
        self.pieces.front().is_none_or(|first| first.start > 0)
    }

    /// Moves all masks to `file` and returns the checksum of the pool. The pool is empty afterwards.
    /// All pieces must be in memory. Copies each piece on several threads.
    pub(super) fn move_to(&mut self, file: &mut [u8]) -> u32 {
        let mut rest = file;
        for mut piece in std::mem::take(&mut self.pieces) {
            // All but the last are sealed already.
            if piece.start + piece.words.len() == self.len as usize {
                piece.seal(&mut self.checksum);
            }
            let (target, behind) = rest.split_at_mut(8 * piece.words.len());
            rest = behind;
            let parts = target.chunks_mut(8 * COPY_WORDS).zip(piece.words.chunks(COPY_WORDS));
            let mut parts: Vec<_> = parts.collect();
            parallel::each(&mut parts, &|(target, words)| {
                target.copy_from_slice(bytemuck::cast_slice(words));
            });
        }
        self.checksum.clone().finalize()
    }

    /// Moves all masks to the scratch file, behind `before` bytes, whose contents are undefined.
    /// Returns the file and the checksum of the pool.
    pub(super) fn move_to_scratch(&mut self, before: u64) -> Result<(&mut File, u32), WriteError> {
        if let Some(last) = self.pieces.back_mut() {
            last.seal(&mut self.checksum);
        }
        for piece in std::mem::take(&mut self.pieces) {
            self.store(&piece)?;
        }
        let checksum = self.checksum.clone().finalize();
        let scratch = self.scratch.as_mut().ok_or(WriteError::Full)?;
        let file = scratch.file()?;
        // From the last bytes to the first, because both places overlap.
        let mut part = vec![0; MOVE_BYTES.min(8 * u64::from(self.len)) as usize];
        let mut end = 8 * u64::from(self.len);
        while end > 0 {
            let start = end.saturating_sub(MOVE_BYTES);
            let part = &mut part[..(end - start) as usize];
            file.seek(SeekFrom::Start(start))?;
            file.read_exact(part)?;
            file.seek(SeekFrom::Start(start + before))?;
            file.write_all(part)?;
            end = start;
        }
        Ok((file, checksum))
    }
}

/// Returns the first word of a mask in the pool, and the word behind it.
pub(super) fn next_place(
    len: u32,
    mask: MaskRef<'_>,
    level_side: u32,
) -> Result<(u32, u32), WriteError> {
    let (width, height) = (mask.width(), mask.height());
    let words = len.checked_add(LevelShape::words_before(width, height, level_side));
    let words = words.ok_or(WriteError::Full)?;
    let end = words.checked_add(words_of(width, height)).ok_or(WriteError::Full)?;
    Ok((words, end))
}

/// Appends a mask, with `level_words` words of levels before it, to the checksum of a pool.
pub(super) fn add_to_crc(crc: &mut Hasher, mask: MaskRef<'_>, level_words: u32) {
    if level_words > 0 {
        let mut levels = vec![0; level_words as usize];
        write_levels(mask, &mut levels);
        crc.update(bytemuck::cast_slice(&levels));
    }
    let guards = [0; 2 * BLOCK as usize];
    let guards = &guards[..(stride_of(mask.height()) - mask.height()) as usize];
    for strip in 0..mask.strips() {
        crc.update(bytemuck::cast_slice(mask.rows(strip)));
        crc.update(bytemuck::cast_slice::<u64, u8>(guards));
    }
}

impl Piece {
    /// Writes the levels of all masks, and appends the words to the checksum of the pool.
    fn seal(&mut self, checksum: &mut Hasher) {
        let levels = parallel::map(&self.with_levels, |&(at, size)| {
            let (width, height) = (size.width(), size.height());
            // The masks in this list have levels.
            let mut levels = vec![0; LevelShape::words_before(width, height, 0) as usize];
            let base = at as u32;
            let mask = MaskRef::in_pool(&self.words, base, stride_of(height), width, height);
            write_levels(mask, &mut levels);
            levels
        });
        for (&(at, _), levels) in self.with_levels.iter().zip(levels) {
            self.words[at - levels.len()..at].copy_from_slice(&levels);
        }
        let parts: Vec<&[u64]> = self.words.chunks(COPY_WORDS).collect();
        let sums = parallel::map(&parts, |part| {
            let mut sum = Hasher::new();
            sum.update(bytemuck::cast_slice(part));
            sum
        });
        sums.iter().for_each(|sum| checksum.combine(sum));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mask::Mask;

    /// A scratch file that has no name.
    struct Unnamed(Option<File>);

    impl Scratch for Unnamed {
        fn file(&mut self) -> io::Result<&mut File> {
            if self.0.is_none() {
                let path = std::env::temp_dir().join(format!(
                    "hitmask-pool-{}-{:p}",
                    std::process::id(),
                    self
                ));
                let mut options = File::options();
                let file = options.read(true).write(true).create_new(true).open(&path)?;
                std::fs::remove_file(&path)?;
                self.0 = Some(file);
            }
            self.0.as_mut().ok_or(io::ErrorKind::NotFound.into())
        }
    }

    #[test]
    fn a_pool_in_pieces_or_in_a_file_writes_the_bytes_of_one_piece() {
        let masks: Vec<Mask> = (1..40)
            .map(|i: u32| Mask::filled_by(i * 7 % 150 + 1, i, |s, y| u64::from(s + y * i) << 3))
            .collect();
        let written = |piece_words: usize, mut file: Option<Unnamed>| {
            let scratch = file.as_mut().map(|file| file as &mut dyn Scratch);
            let mut pool = Pool::in_pieces_of(piece_words, 70, scratch);
            let (mut places, mut most) = (Vec::new(), 0);
            for mask in &masks {
                let words = pool.push(mask.as_ref()).unwrap();
                let (size, stride) =
                    (MaskSize::new(mask.width(), mask.height()), stride_of(mask.height()));
                places.push(HotPose { words, stride, size, unused: 0 });
                most = most.max(pool.pieces.len());
            }
            let pieces = pool.pieces.len();
            for (i, &hot) in places.iter().enumerate() {
                for (k, mask) in masks.iter().enumerate() {
                    assert_eq!(pool.holds(hot, mask.as_ref()).unwrap(), i == k, "{i} {k}");
                }
            }
            let mut bytes = vec![0; 8 * pool.len() as usize];
            let crc = if pool.is_in_scratch() {
                assert!(most <= PIECES_IN_MEMORY);
                let (file, crc) = pool.move_to_scratch(40).unwrap();
                file.seek(SeekFrom::Start(40)).unwrap();
                file.read_exact(&mut bytes).unwrap();
                assert_eq!(file.metadata().unwrap().len(), 40 + bytes.len() as u64);
                crc
            } else {
                pool.move_to(&mut bytes)
            };
            let pool: Vec<u64> = bytemuck::pod_collect_to_vec(&bytes);
            for (hot, mask) in places.iter().zip(&masks) {
                let (w, h) = (mask.width(), mask.height());
                let stored = MaskRef::in_pool(&pool, hot.words, stride_of(h), w, h);
                assert_eq!(stored, mask.as_ref());
                let mut levels = vec![0; hot.level_words(70) as usize];
                if !levels.is_empty() {
                    write_levels(mask.as_ref(), &mut levels);
                }
                assert_eq!(pool[hot.words as usize - levels.len()..][..levels.len()], levels);
            }
            assert_eq!(crc, crc32fast::hash(&bytes));
            (bytes, pieces)
        };
        let (whole, one) = written(1 << 20, None);
        assert_eq!(one, 1);
        for piece_words in [1, 64, 100, 1000] {
            let (bytes, pieces) = written(piece_words, None);
            assert!(pieces > 2 && bytes == whole, "pieces of {piece_words} words");
            let (bytes, _) = written(piece_words, Some(Unnamed(None)));
            assert!(bytes == whole, "pieces of {piece_words} words in a file");
        }
    }
}
