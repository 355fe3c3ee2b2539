//! Draws a pose in rows of tiles, for the instruction sets and the scales that allow it.
//!
//! Called by `rasterizer`. With coverage sampling, a row of tiles gives two rows of pixels.

use super::Sampling;
use super::coverage::{SIDE, covered};
use super::rasterizer::{DrawBuffers, Raster};
use super::sampling::Matrix;
use super::tiles::{TILE, TexelColumns, Tiles, looks_up_bytes};
use crate::geom::Rect;
use crate::mask::WORD;
use crate::simd::{self, with_level};
use fearless_simd::Simd;

/// Upper bound on texels of a source that is drawn in tiles. Their columns take 1/4 byte per texel.
const MAX_TILE_TEXELS: u64 = 1 << 26;

impl Raster {
    /// Draws the pose into `bounds`, as strips, in tiles. Returns false if it has to be drawn in
    /// another way.
    pub(super) fn rows_of_tiles(
        &self,
        matrix: Matrix,
        pivot2: [i32; 2],
        bounds: Rect,
        buffers: &mut DrawBuffers,
    ) -> bool {
        let texels = u64::from(self.tight.width()) * u64::from(self.tight.height());
        let fits = texels <= MAX_TILE_TEXELS && Tiles::fit(matrix, 30 + self.sampling.log2());
        let is_faster = fits && looks_up_bytes(simd::preferred());
        if is_faster {
            self.draw_tiles(matrix, pivot2, bounds, buffers);
        }
        is_faster
    }

    /// Draws the pose into `bounds`, as strips, in tiles, which must fit.
    fn draw_tiles(
        &self,
        matrix: Matrix,
        pivot2: [i32; 2],
        bounds: Rect,
        buffers: &mut DrawBuffers,
    ) {
        with_level!(simd::preferred(), simd => {
            simd.vectorize(
                #[inline(always)]
                || self.tiles(simd, matrix, pivot2, bounds, buffers),
            );
        });
    }

    #[inline(always)]
    fn tiles<S: Simd>(
        &self,
        simd: S,
        matrix: Matrix,
        pivot2: [i32; 2],
        bounds: Rect,
        buffers: &mut DrawBuffers,
    ) {
        let source = self.tight.as_ref();
        let source = (source, self.columns.get_or_init(|| TexelColumns::new(source)));
        let samples_log2 = self.sampling.log2();
        let words = bounds.width().div_ceil(WORD) as usize;
        let samples = (bounds.width() << samples_log2) as usize;
        // Rows of pixels that a row of tiles draws. Those below the bounds have no pixels.
        let band = TILE >> samples_log2;
        let height = (bounds.height() as usize).next_multiple_of(band);
        let DrawBuffers { tiles, sample_rows, strips, .. } = buffers;
        tiles.set(matrix, 30 + samples_log2);
        strips.clear();
        strips.resize(words * height, 0);
        sample_rows.resize((words << samples_log2) * TILE, 0);
        // All steps are even, so the lowest bit decides nothing.
        let mut at = self.first_sample(matrix, pivot2, bounds).map(|at| at >> 1);
        for y in (0..height).step_by(band) {
            if self.sampling == Sampling::Nearest {
                tiles.rows(simd, source, at, samples, &mut strips[y..], height);
            } else {
                tiles.rows(simd, source, at, samples, sample_rows, TILE);
                for (x, samples) in sample_rows.as_chunks::<SIDE>().0.iter().enumerate() {
                    // Each word of samples has two rows of pixels.
                    let out = &mut strips[x / 2 / SIDE * height + y + x % 2];
                    *out |= covered(*samples, x / 2);
                }
            }
            at = [at[0] + TILE as i64 * matrix.s, at[1] + TILE as i64 * matrix.c];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::Point;
    use crate::mask::{Mask, dotted};
    use crate::raster::PoseBuffer;

    /// With every instruction set, also with one for which texels are looked up one by one.
    #[test]
    fn tiles_give_the_bits_of_texels_looked_up_one_by_one() {
        let mut compared = 0;
        for (width, height) in [(1, 1), (5, 9), (64, 64), (61, 130), (200, 33)] {
            let mut source: Mask = dotted(width, height);
            (0..width as i32).for_each(|x| source.set(x, x % height as i32, true));
            for sampling in [Sampling::Nearest, Sampling::Coverage25] {
                let raster = Raster::of_tight(source.clone(), [7, -3], sampling);
                for scale in [0.6, 0.84, 1.0, 1.7, 4.0] {
                    for step in 0..24 {
                        let matrix = Matrix::new(step, 24, scale);
                        if !Tiles::fit(matrix, 30 + sampling.log2()) {
                            continue;
                        }
                        let side = ((width + height) as f32 * scale) as i32 + 20;
                        let bounds = Rect::new(-side, -side, side, side);
                        let (mut buffers, mut drawn) =
                            (DrawBuffers::default(), PoseBuffer::default());
                        for in_tiles in [true, false] {
                            if in_tiles {
                                raster.draw_tiles(matrix, [1, 1], bounds, &mut buffers);
                            } else {
                                raster.rows_of_texels(matrix, [1, 1], bounds, &mut buffers);
                            }
                            let strips = bounds.width().div_ceil(WORD) as usize;
                            drawn.add_strips(&buffers.strips, strips, Point::default(), [1, 1]);
                        }
                        let poses = drawn.to_posed();
                        assert_eq!(poses[0], poses[1], "{width} x {height}, {scale}, {step}");
                        compared += u32::from(poses[0].mask.count() > 0);
                    }
                }
            }
        }
        assert!(compared > 500, "{compared}");
    }
}
