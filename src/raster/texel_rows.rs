//! Draws a pose row by row, texel by texel: for poses and instruction sets without `tiles`.
//!
//! ```text
//! for each row of samples:
//!   (a, b) = the texel position of the row's first sample, in fixed point
//!   first..last = the samples whose position is inside the source's tight box
//!   for each of them:
//!     set the sample if the source's texel at (a >> shift, b >> shift) is solid
//!     (a, b) += one step to the right
//! ```
//!
//! 1. The range is computed, so the inner loop tests no bounds. It takes one division per pose,
//!    then additions from row to row. See `Clip`.
//! 2. Only the tight box of the source is walked, because texels outside it cannot set a bit.
//! 3. The source is expanded once to a byte per texel with rows a power of two apart, so that one
//!    number identifies a texel. A few vector instructions compute four such numbers. See
//!    `SampleColumns`. Above `MAX_BYTE_TEXELS` texels its bits are read instead, which is slower and
//!    takes 1/8 of the memory.
//! 4. Coverage is the same walk over rows of samples four times as fine, counted per pixel.

use super::Sampling;
use super::coverage::{SAMPLE_SIDE, covered};
use super::rasterizer::{DrawBuffers, Raster};
use super::sampling::{Clip, Matrix};
use crate::geom::Rect;
use crate::mask::{Mask, WORD, stride_of};

/// Upper bound on texels that are expanded to bytes: 16 MiB.
const MAX_BYTE_TEXELS: u64 = 1 << 24;

impl Raster {
    pub(super) fn rows_of_texels(
        &self,
        matrix: Matrix,
        pivot2: [i32; 2],
        bounds: Rect,
        buffers: &mut DrawBuffers,
    ) {
        if u64::from(self.tight.height()) << self.pitch > MAX_BYTE_TEXELS {
            let (pool, start) = self.tight.as_ref().strip(0);
            let stride = stride_of(self.tight.height()) as usize;
            let (pitch, last) = (self.pitch, (1_usize << self.pitch) - 1);
            self.rows(matrix, pivot2, bounds, buffers, |at| {
                let (x, y) = (at as usize & last, at as usize >> pitch);
                let word = pool.get(start + x / WORD as usize * stride + y).copied().unwrap_or(0);
                (word >> (x % WORD as usize) & 1) as u8
            });
        } else {
            let texels = self.texels.get_or_init(|| bytes_of_texels(&self.tight, self.pitch));
            self.rows_of_bytes(texels, matrix, pivot2, bounds, buffers);
        }
    }

    /// Draws the pose into `bounds`, as strips, from a byte per texel.
    #[inline(never)]
    fn rows_of_bytes(
        &self,
        texels: &[u8],
        matrix: Matrix,
        pivot2: [i32; 2],
        bounds: Rect,
        buffers: &mut DrawBuffers,
    ) {
        let Some(last) = texels.len().checked_sub(1) else { return };
        self.rows(matrix, pivot2, bounds, buffers, |at| texels[at as usize & last]);
    }

    /// Draws the pose into `bounds`, as strips, with `texel` as the bits of texel indices.
    #[inline(always)]
    fn rows(
        &self,
        Matrix { c, s }: Matrix,
        pivot2: [i32; 2],
        bounds: Rect,
        buffers: &mut DrawBuffers,
        texel: impl Fn(u32) -> u8,
    ) {
        let (width, height) = (bounds.width(), bounds.height() as usize);
        let samples_log2 = self.sampling.log2();
        let shift = 31 + samples_log2;
        let samples = width << samples_log2;
        let mut at = self.first_sample(Matrix { c, s }, pivot2, bounds);
        let end = |side: u32| i64::from(side) << shift;
        let mut clips = [
            Clip::new(at[0], 2 * c, 2 * s, end(self.tight.width()), samples),
            Clip::new(at[1], -2 * s, 2 * c, end(self.tight.height()), samples),
        ];
        let mut next_row = || {
            let [(x0, x1), (y0, y1)] = [clips[0].next(), clips[1].next()];
            let range = (x0.max(y0) as usize, x1.min(y1).max(0) as usize);
            // All steps are even, so the lowest bit decides nothing.
            let start = at.map(|at| at >> 1);
            at = [at[0] + 2 * s, at[1] + 2 * c];
            (start, range)
        };

        let words = width.div_ceil(WORD) as usize;
        let sample_words = samples.div_ceil(WORD) as usize;
        let DrawBuffers { columns, sample_rows, strips, .. } = buffers;
        strips.clear();
        strips.resize(words * height, 0);
        columns.set(Matrix { c, s }, samples, shift - 1, self.pitch);
        sample_rows.resize(sample_words << samples_log2, 0);
        // A loop for each sampling: with one for both, the compiler tests the bounds of each index.
        if self.sampling == Sampling::Nearest {
            for y in 0..height {
                sample_rows.fill(0);
                let (start, range) = next_row();
                columns.row(start, range, sample_rows, &texel);
                for (strip, &word) in strips.chunks_exact_mut(height).zip(&*sample_rows) {
                    strip[y] = word;
                }
            }
            return;
        }
        for y in 0..height {
            sample_rows.fill(0);
            for out in sample_rows.chunks_exact_mut(sample_words) {
                let (start, range) = next_row();
                columns.row(start, range, out, &texel);
            }
            for x in 0..sample_words {
                let rows = std::array::from_fn(|row| sample_rows[row * sample_words + x]);
                strips[x / SAMPLE_SIDE * height + y] |= covered(rows, x);
            }
        }
    }
}

/// Returns the bits of a byte as bytes of 0 or 1, the lowest bit first.
const fn bits_as_bytes(byte: u8) -> [u8; 8] {
    const ONES: u64 = 0x0101_0101_0101_0101;
    // Byte i keeps bit i, then every byte that is not 0 becomes 1.
    let bits = (byte as u64 * ONES) & 0x8040_2010_0804_0201;
    ((bits + 0x7f * ONES) >> 7 & ONES).to_le_bytes()
}

/// Returns the texels of a mask as bytes, rows 2^`pitch` bytes apart. The length is a power of two.
fn bytes_of_texels(mask: &Mask, pitch: u32) -> Vec<u8> {
    let (width, height) = (mask.width() as usize, mask.height() as usize);
    let mut texels = vec![0; (height << pitch).next_power_of_two()];
    let view = mask.as_ref();
    for (y, row) in texels.chunks_exact_mut(1 << pitch).take(height).enumerate() {
        for (s, out) in row[..width].chunks_mut(WORD as usize).enumerate() {
            let word = view.word(s as u32, y as u32);
            for (byte, out) in word.to_le_bytes().into_iter().zip(out.chunks_mut(8)) {
                out.copy_from_slice(&bits_as_bytes(byte)[..out.len()]);
            }
        }
    }
    texels
}
