//! The masks of many overlaps, one behind the other.

use crate::geom::Point;
use crate::mask::{BLOCK, LEAD, MaskRef};
use bytemuck::{Pod, Zeroable};
use std::cell::Cell;
use std::fmt;

/// The pixels in which pairs overlap, a mask for each: what
/// [`Batch::overlap_mask`](crate::Batch::overlap_mask) fills in.
///
/// Keep one and use it again: memory that it has once taken it uses for the next pairs. A mask takes
/// 8 bytes for each row of 64 pixels that the two boxes share, up to 120 besides for each 64 columns,
/// and 24 for the place it has.
#[derive(Clone, Default)]
pub struct OverlapMasks {
    pub(super) records: Vec<Record>,
    pub(super) room: Room,
}

impl OverlapMasks {
    /// One without pairs and without memory.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Number of pairs.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.records.len()
    }

    /// True where there are no pairs.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// The pixels set in both masks of pair `i`, and where the top-left corner of this mask lies
    /// in the pixels of the pair's first one. Its box is that in which the boxes of the two overlap.
    /// `None` where no pixel is set in both, or where there is no pair `i`.
    #[must_use]
    pub fn get(&self, i: usize) -> Option<(MaskRef<'_>, Point)> {
        let record = self.records.get(i).filter(|record| record.touches)?;
        Some((self.room.mask(record), record.corner))
    }

    /// What [`get`](Self::get) gives, for each pair in turn.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Option<(MaskRef<'_>, Point)>> {
        (0..self.len()).map(|i| self.get(i))
    }
}

impl fmt::Debug for OverlapMasks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// The overlap of one pair.
#[derive(Clone, Copy, Default)]
pub(crate) struct Record {
    /// Where its first strip starts in the room, in blocks.
    pub(super) block: usize,
    pub(super) corner: Point,
    pub(super) columns: u16,
    pub(super) rows: u16,
    /// Its rows are stored from the bottom.
    pub(super) upwards: bool,
    pub(super) touches: bool,
}

/// Eight rows of a strip, on a cache line.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C, align(64))]
pub(super) struct Rows(pub(super) [u64; BLOCK as usize]);

/// Room for masks. Its memory is clear when it is new, and never cleared again: whoever puts a mask
/// there writes all of its blocks, and a clear one after each strip.
#[derive(Clone, Default)]
pub(crate) struct Room {
    blocks: Vec<Rows>,
    /// Blocks in use; of the others some hold what was there before.
    used: usize,
}

// Blocks in front of the first mask, for kernels that walk rows upwards.
const FIRST: usize = (LEAD / BLOCK) as usize;

impl Room {
    /// Gives all blocks back.
    pub(super) const fn empty(&mut self) {
        self.used = FIRST;
    }

    /// `blocks` more of them, to be written, and the number of the first.
    pub(super) fn take(&mut self, blocks: usize) -> (usize, &[Cell<Rows>]) {
        let first = self.used;
        self.used += blocks;
        if self.used > self.blocks.len() {
            self.blocks.resize(self.used, Rows::zeroed());
        }
        (first, Cell::from_mut(&mut self.blocks[first..self.used]).as_slice_of_cells())
    }

    fn mask(&self, record: &Record) -> MaskRef<'_> {
        let words = bytemuck::cast_slice(&self.blocks[record.block - FIRST..self.used]);
        let (columns, rows) = (record.columns.into(), record.rows.into());
        let mask = MaskRef::in_pool(words, LEAD, stride(rows), columns, rows);
        if record.upwards { mask.flip_y() } else { mask }
    }
}

/// Words from one strip of such a mask to the next: its blocks and a clear one.
const fn stride(rows: u32) -> u32 {
    (blocks_of_strip(rows) * BLOCK as usize) as u32
}

/// Blocks that a strip of `rows` rows takes in a [`Room`].
pub(super) const fn blocks_of_strip(rows: u32) -> usize {
    rows.div_ceil(BLOCK) as usize + 1
}
