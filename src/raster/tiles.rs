//! Draws a pose in tiles of 8 x 8 samples, whose texels are looked up in vector registers.
//!
//! A tile of the pose may span 12 texels on each axis.
//!
//! ```text
//! once a pose:  the offsets of the 64 samples from the first one, in units of 2^-12 texels
//! each tile:    the texels under it: two columns, each 8 texels wide and 16 high
//!               position of each sample = its offset + the fraction of the tile's position
//!               bit of each sample = the byte of its row, and the bit of its column in that byte
//! ```
//!
//! A sum of two numbers rounded down is the true sum rounded down, or less by one unit. Its whole
//! texels may be wrong only if all 12 bits of its fraction are 1. Such samples, in about one of 30
//! tiles, are computed again from exact positions.
//!
//! Invariant: the bits are those of `sampling`, whose integers have all places.

use super::Matrix;
use crate::mask::{MaskRef, WORD, shifted};
use fearless_simd::prelude::*;
use fearless_simd::{Level, Simd, u8x16, u8x64, u16x32};

/// Samples along one side of a tile.
pub(super) const TILE: usize = 8;
const SAMPLES: usize = TILE * TILE;
/// Rows of texels that a tile can look up.
const WINDOW_ROWS: usize = 16;
/// Texels of a column in a row: one byte.
const COLUMN_WIDTH: u32 = 8;
/// Texels from one column to the next, so that each texel is in two columns.
const COLUMN_STEP: u32 = 4;
/// Empty columns on the left side, for tiles that begin outside the source.
const LEFT: usize = 4;
const OFFSET_PLACES: u32 = 12;

/// The texels of a source as columns that are 8 texels wide and a byte per row, with zeros around.
#[derive(Clone, Debug, Default)]
pub(super) struct TexelColumns {
    bytes: Vec<u8>,
    /// Bytes from one column to the next: the rows of the source, and `WINDOW_ROWS` empty ones at both ends.
    pitch: usize,
    /// Columns that a tile may begin with.
    first_columns: usize,
}

impl TexelColumns {
    pub(super) fn new(source: MaskRef<'_>) -> Self {
        let (width, height) = (source.width(), source.height() as usize);
        let pitch = height + 2 * WINDOW_ROWS;
        let first_columns = width.div_ceil(COLUMN_STEP) as usize + LEFT;
        let mut bytes = vec![0; (first_columns + 2) * pitch];
        // The first column with texels has them in its right half.
        let columns = bytes.chunks_exact_mut(pitch).skip(LEFT - 1);
        for (column, right) in columns.zip((COLUMN_STEP..).step_by(COLUMN_STEP as usize)) {
            let out = &mut column[WINDOW_ROWS..WINDOW_ROWS + height];
            let Some(x) = right.checked_sub(COLUMN_WIDTH) else {
                for (out, &word) in out.iter_mut().zip(source.rows(0)) {
                    *out = (word << COLUMN_STEP) as u8;
                }
                continue;
            };
            if x >= width {
                break;
            }
            let (strip, shift) = (x / WORD, x % WORD);
            let near = source.rows(strip);
            if right.div_ceil(WORD) > strip + 1 && (strip + 1) * WORD < width {
                for ((out, &near), &far) in out.iter_mut().zip(near).zip(source.rows(strip + 1)) {
                    *out = shifted(near, far, shift) as u8;
                }
            } else {
                for (out, &near) in out.iter_mut().zip(near) {
                    *out = (near >> shift) as u8;
                }
            }
        }
        Self { bytes, pitch, first_columns }
    }

    pub(super) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Returns 16 x 16 texels from texel (4 `column`, `row`) on: the left half and the right half.
    /// Returns `None` if all of them are outside the source.
    #[inline(always)]
    fn window(&self, column: i64, row: i64) -> Option<[&[u8; WINDOW_ROWS]; 2]> {
        // Negative numbers become large ones.
        let column = column.wrapping_add(LEFT as i64) as usize;
        let row = row.wrapping_add(WINDOW_ROWS as i64) as usize;
        if column >= self.first_columns || row > self.pitch - WINDOW_ROWS {
            return None;
        }
        let at = column * self.pitch + row;
        let half = |at: usize| self.bytes.get(at..)?.first_chunk();
        Some([half(at)?, half(at + 2 * self.pitch)?])
    }
}

/// The offsets of the samples of a tile, the same for all tiles of a pose.
#[derive(Default)]
pub(super) struct TileOffsets {
    matrix: Matrix,
    /// Binary places of the matrix.
    places: u32,
    /// The least offset on each axis.
    least: [i64; 2],
    /// Offsets above the least one on each axis: of even samples, and of odd ones.
    offsets: [[[u16; SAMPLES / 2]; 2]; 2],
}

impl TileOffsets {
    /// Returns true if the texels of a tile fit a window, at steps (c, -s) in 2^-`places`.
    pub(super) const fn fit(Matrix { c, s }: Matrix, places: u32) -> bool {
        // A window begins up to 4 texels before the tile.
        let most = WINDOW_ROWS as i64 - COLUMN_STEP as i64;
        (TILE as i64 - 1) * (c.abs() + s.abs()) < most << places
    }

    /// Prepares for a pose. `places` is at least `OFFSET_PLACES`.
    pub(super) fn set(&mut self, matrix: Matrix, places: u32) {
        let Matrix { c, s } = matrix;
        let last = TILE as i64 - 1;
        let least = [c.min(0) + s.min(0), c.min(0) - s.max(0)].map(|least| last * least);
        (self.matrix, self.places, self.least) = (matrix, places, least);
        for sample in 0..SAMPLES {
            let [x, y] = self.offset(sample);
            let above_least = [x - least[0], y - least[1]];
            for (offsets, above) in self.offsets.iter_mut().zip(above_least) {
                offsets[sample % 2][sample / 2] = (above >> (places - OFFSET_PLACES)) as u16;
            }
        }
    }

    const fn offset(&self, sample: usize) -> [i64; 2] {
        let Matrix { c, s } = self.matrix;
        let (i, row) = ((sample % TILE) as i64, (sample / TILE) as i64);
        [i * c + row * s, row * c - i * s]
    }

    /// Writes `TILE` rows of `samples` samples, of which `at` is the position of the first, in
    /// strips that are `pitch` words apart in `out`. Samples behind them must have no pixels.
    #[inline(always)]
    pub(super) fn rows<S: Simd>(
        &self,
        simd: S,
        (source, columns): (MaskRef<'_>, &TexelColumns),
        mut at: [i64; 2],
        samples: usize,
        out: &mut [u64],
        pitch: usize,
    ) {
        let Matrix { c, s } = self.matrix;
        let mut tiles = samples.div_ceil(TILE);
        for strip in out.chunks_mut(pitch) {
            // Row by row, the bytes of its word.
            let mut bytes = [[0; size_of::<u64>()]; TILE];
            let count = tiles.min(size_of::<u64>());
            tiles -= count;
            for tile in 0..count {
                let samples = self.tile(simd, (source, columns), at).to_le_bytes();
                for (bytes, samples) in bytes.iter_mut().zip(samples) {
                    bytes[tile] = samples;
                }
                at = [at[0] + TILE as i64 * c, at[1] - TILE as i64 * s];
            }
            for (out, bytes) in strip.iter_mut().zip(bytes) {
                *out = u64::from_le_bytes(bytes);
            }
        }
    }

    /// Returns the samples of the tile whose first one is at `at`, row by row.
    #[inline(always)]
    fn tile<S: Simd>(
        &self,
        simd: S,
        (source, columns): (MaskRef<'_>, &TexelColumns),
        at: [i64; 2],
    ) -> u64 {
        let [x, y] = [at[0] + self.least[0], at[1] + self.least[1]];
        let step = COLUMN_STEP.ilog2();
        let Some(halves) = columns.window(x >> (self.places + step), y >> self.places) else {
            return 0;
        };
        let dropped = self.places - OFFSET_PLACES;
        let x = (x >> dropped) & ((1 << (OFFSET_PLACES + step)) - 1);
        let y = (y >> dropped) & ((1 << OFFSET_PLACES) - 1);
        let columns = SamplePositions::new(simd, &self.offsets[0], x as u16);
        let rows = SamplePositions::new(simd, &self.offsets[1], y as u16);
        let (column, row) = (columns.whole(), rows.whole());
        let left = in_table(simd, halves[0], row) & in_table(simd, &BITS_LEFT, column);
        let right = in_table(simd, halves[1], row) & in_table(simd, &BITS_RIGHT, column);
        let bits = !(left | right).simd_eq(u8x64::splat(simd, 0)).to_bitmask();
        let most = columns.largest_fraction().max(rows.largest_fraction());
        let last = u16x32::splat(simd, LAST_FRACTION);
        if most.simd_eq(last).any_true() {
            let [even, odd] = [0, 1].map(|i| {
                let is_last =
                    |sums: &SamplePositions<S>| sums.fraction(i).simd_eq(last).to_bitmask();
                is_last(&columns) | is_last(&rows)
            });
            return self.corrected(bits, source, at, [even as u32, odd as u32]);
        }
        bits
    }

    /// Returns `bits` with the even or odd samples of `wrong` computed exactly.
    #[cold]
    #[inline(never)]
    fn corrected(
        &self,
        mut bits: u64,
        source: MaskRef<'_>,
        at: [i64; 2],
        uncertain: [u32; 2],
    ) -> u64 {
        for (odd, mut left) in uncertain.into_iter().enumerate() {
            while left != 0 {
                let sample = 2 * left.trailing_zeros() as usize + odd;
                left &= left - 1;
                let [x, y] = self.offset(sample);
                let [x, y] = [at[0] + x, at[1] + y].map(|at| (at >> self.places) as i32);
                let is_set = source.get(x, y);
                bits = bits & !(1 << sample) | u64::from(is_set) << sample;
            }
        }
        bits
    }
}

/// The positions of the samples of a tile on one axis, in 2^-12 texels from its window.
struct SamplePositions<S: Simd> {
    even: u16x32<S>,
    odd: u16x32<S>,
}

impl<S: Simd> SamplePositions<S> {
    #[inline(always)]
    fn new(simd: S, offsets: &[[u16; SAMPLES / 2]; 2], tile: u16) -> Self {
        let tile = u16x32::splat(simd, tile);
        Self {
            even: u16x32::from_slice(simd, &offsets[0]) + tile,
            odd: u16x32::from_slice(simd, &offsets[1]) + tile,
        }
    }

    #[inline(always)]
    fn whole(&self) -> u8x64<S> {
        // An even sample is the lower byte of a number.
        let whole =
            (self.even >> OFFSET_PLACES) | ((self.odd >> (OFFSET_PLACES - u8::BITS)) & 0x0f00);
        whole.bitcast()
    }

    /// Returns the largest fraction of each two samples, in units of 2^-16 texels.
    #[inline(always)]
    fn largest_fraction(&self) -> u16x32<S> {
        self.fraction(0).max(self.fraction(1))
    }

    /// Returns the fractions of the even samples or of the odd ones, in units of 2^-16 texels.
    #[inline(always)]
    fn fraction(&self, odd: usize) -> u16x32<S> {
        let sums = if odd == 0 { self.even } else { self.odd };
        sums << (u16::BITS - OFFSET_PLACES)
    }
}

/// A fraction of which all bits are 1, in units of 2^-16 texels.
const LAST_FRACTION: u16 = u16::MAX << (u16::BITS - OFFSET_PLACES);

/// Returns the bytes of a table at `indices`, which are below 16.
#[inline(always)]
fn in_table<S: Simd>(simd: S, table: &[u8; WINDOW_ROWS], indices: u8x64<S>) -> u8x64<S> {
    u8x64::block_splat(u8x16::from_slice(simd, table)).swizzle_dyn_within_blocks(indices)
}

/// For each of 16 columns, its bit in the byte of the left half.
const BITS_LEFT: [u8; WINDOW_ROWS] = [1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0, 0];
/// For each of 16 columns, its bit in the byte of the right half.
const BITS_RIGHT: [u8; WINDOW_ROWS] = [0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128];

/// Returns true if the instruction set looks up bytes in a register.
pub(super) fn looks_up_bytes(level: Level) -> bool {
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    if matches!(level, Level::Sse2(_)) {
        return false;
    }
    !level.is_fallback()
}
