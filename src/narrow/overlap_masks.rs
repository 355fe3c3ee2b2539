//! Storage for the overlap masks of many pairs.
//!
//! Filled by `batch/overlap_mask_query.rs`. Invariant: every block in use has been written since
//! the last `clear`, and each strip ends with a zero block.

use crate::geom::Point;
use crate::mask::{BLOCK, LEAD, MaskRef};
use bytemuck::{Pod, Zeroable};
use std::cell::Cell;
use std::fmt;

/// The pixels set in both masks of each pair, one mask per pair, as written by
/// [`Batch::overlap_mask`](crate::Batch::overlap_mask).
///
/// Keep one value and pass it to every call, because its memory is reused. A mask takes 8 bytes for
/// each row of 64 pixels of the intersection of the two boxes. Each 64 columns add up to 120 bytes
/// of padding, and each pair 24 bytes for its record.
#[derive(Clone, Default)]
pub struct OverlapMasks {
    pub(super) records: Vec<Record>,
    pub(super) storage: MaskStorage,
}

impl OverlapMasks {
    /// Returns a value without pairs. Allocates nothing.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the number of pairs.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.records.len()
    }

    /// Returns true if there are no pairs.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// Returns the mask of the pixels set in both masks of pair `i`, and its top-left corner in the
    /// pixels of the first mask. The mask has the size of the intersection of the two boxes.
    /// Returns `None` if no pixel is set in both, or if `i` is out of range.
    #[must_use]
    pub fn get(&self, i: usize) -> Option<(MaskRef<'_>, Point)> {
        let record = self.records.get(i).filter(|record| record.touches)?;
        Some((self.storage.mask(record), record.corner))
    }

    /// Returns an iterator over the results of [`get`](Self::get) for all pairs.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Option<(MaskRef<'_>, Point)>> {
        (0..self.len()).map(|i| self.get(i))
    }
}

impl fmt::Debug for OverlapMasks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// The location of the overlap mask of one pair.
#[derive(Clone, Copy, Default)]
pub(crate) struct Record {
    /// The first block of the first strip, in the storage.
    pub(super) block: usize,
    pub(super) corner: Point,
    pub(super) columns: u16,
    pub(super) rows: u16,
    /// The rows are stored from bottom to top.
    pub(super) upwards: bool,
    pub(super) touches: bool,
}

/// Eight rows of a strip, aligned to one cache line.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C, align(64))]
pub(super) struct RowBlock(pub(super) [u64; BLOCK as usize]);

/// A pool of blocks for masks. New memory is zero and is not cleared again. The writer of a mask
/// overwrites all of its blocks, and writes a zero block after each strip.
#[derive(Clone, Default)]
pub(crate) struct MaskStorage {
    blocks: Vec<RowBlock>,
    /// The number of blocks in use. Blocks beyond it may hold old data.
    used: usize,
}

// Blocks in front of the first mask, for kernels that walk rows upwards.
const LEADING_BLOCKS: usize = (LEAD / BLOCK) as usize;

impl MaskStorage {
    /// Releases all blocks. Keeps the memory.
    pub(super) const fn clear(&mut self) {
        self.used = LEADING_BLOCKS;
    }

    /// Reserves `blocks` more blocks, which the caller must write. Returns the number of the first
    /// one and the blocks.
    pub(super) fn allocate(&mut self, blocks: usize) -> (usize, &[Cell<RowBlock>]) {
        let first = self.used;
        self.used += blocks;
        if self.used > self.blocks.len() {
            self.blocks.resize(self.used, RowBlock::zeroed());
        }
        (first, Cell::from_mut(&mut self.blocks[first..self.used]).as_slice_of_cells())
    }

    fn mask(&self, record: &Record) -> MaskRef<'_> {
        let words = bytemuck::cast_slice(&self.blocks[record.block - LEADING_BLOCKS..self.used]);
        let (columns, rows) = (record.columns.into(), record.rows.into());
        let mask = MaskRef::in_pool(words, LEAD, stride(rows), columns, rows);
        if record.upwards { mask.flip_y() } else { mask }
    }
}

/// Returns the words from one strip of a stored mask to the next: its blocks and a zero block.
const fn stride(rows: u32) -> u32 {
    (strip_blocks(rows) * BLOCK as usize) as u32
}

/// Returns the number of blocks that a strip of `rows` rows takes in a [`MaskStorage`].
pub(super) const fn strip_blocks(rows: u32) -> usize {
    rows.div_ceil(BLOCK) as usize + 1
}
