//! The fast rasterizer: any pose of one source mask, or all poses, or a part of them, in the order
//! of an atlas. A pose is drawn in rows of tiles, for the instruction sets and the scales that allow
//! it, else texel by texel.
//!
//! Invariants: every bit equals that of `raster::reference`. Each of all poses equals the one that
//! `Raster::pose` gives.

use super::coverage::{SAMPLE_SIDE, covered};
use super::posed::{Pivot, PoseBuffer, Posed};
use super::sampling::{Matrix, SampleColumns};
use super::sampling_rule::{EDGE, Sampling};
use super::tiles::{TILE, TexelColumns, TileOffsets, looks_up_bytes};
use crate::error::CallError;
use crate::geom::{Point, Rect};
use crate::mask::{MAX_SIDE, Mask, MaskRef, WORD, words_of};
use crate::pose::{Pose, PoseSet, Resolution};
use crate::simd::{self, with_level};
use fearless_simd::Simd;
use std::ops::Range;
use std::sync::OnceLock;

/// A source mask prepared for rasterization at any pose.
///
/// A pose is a rotation by k / N of a full turn, clockwise on screen, and a scale. C and S are the
/// integers nearest to 2^30 cos / scale and 2^30 sin / scale, halves away from zero. The pivot
/// (px2, py2) is in half-texels from the image's top-left corner. Each axis has a phase, fx = px2 &
/// 1 and fy = py2 & 1. The pixel (u, v), relative to the pixel that a position snaps to, follows
/// these integer rules:
///
/// ```text
/// Dx = 2u + 1 - fx                              the pixel's centre, in half-pixels
/// Dy = 2v + 1 - fy
/// sx = ( Dx C + Dy S + (px2 << 30) + E) >> 31   the texel it falls on
/// sy = (-Dx S + Dy C + (py2 << 30) + E) >> 31
/// E = 2^17                                      2^-14 texels
/// bit (u, v) = (sx, sy) is inside the image, and solid
/// ```
///
/// So the pivot is (fx / 2, fy / 2) from the corner of the pixel that a position snaps to. At step
/// 0 and scale 1 every texel covers exactly one pixel.
///
/// A centre on the edge of a texel is a tie: it belongs to the texel on the right of the edge and below
/// it. E makes that hold at every scale, because C and S are rounded. Without E, 5 texels at scale 6
/// would cover 29 pixels. At a whole scale each texel covers exactly as many pixels as the scale says.
///
/// The rounding moves a centre by at most (|Dx| + |Dy|) / 2^32 texels. That is less than E up to |Dx| +
/// |Dy| = 2^18: 131,072 pixels from the pivot, along both axes together. No pose whose pivot is inside its box
/// reaches farther. Beyond that the rounding decides ties. A scale that `f32` does not hold, such as
/// 1.1, is off by up to 2^-24 of itself. Its ties hold up to 512 texels from the pivot.
///
/// A half turn is an exact mirror along both axes. A quarter turn is an exact rotation where fx and
/// fy are equal. Elsewhere the pixel centres of a quarter turn at scale 1 are ties. No texel is lost or
/// doubled, and the copy lies half a pixel off on each axis.
///
/// At a [resolution](PoseSet::at_resolution) r other than 1, pixels are mask pixels, r along the
/// side of a screen pixel. The scale is multiplied by r. The phases are the floors of r (px2 & 1)
/// and r (py2 & 1), so that the pivot stays in place. The other rules are the same.
///
/// ```
/// use hitmask::{Mask, Pivot, Pose, PoseSet, Raster, Sampling};
/// let source: Mask = "
///     .####
///     .#...
/// ".parse()?;
/// let poses = PoseSet::new(4, [1.0])?;
/// let raster = Raster::new(&source, Pivot::Center, Sampling::Nearest)?;
/// let quarter = raster.pose(&poses, Pose { step: 1, scale: 0 })?;
/// assert_eq!(quarter.mask.to_string(), "##\n.#\n.#\n.#\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
//
// There are two ways to draw, with the same result:
//
// - Tiles of 8 x 8 samples, looked up in vector registers. They take 1/2 to 1/3 of the
//   time.
// - Texel by texel: `texel_rows`. For small scales, and for instruction sets without such lookups.
//
// Only a quarter of a full turn is drawn, or a half if the phases of the axes differ by an odd
// number. The rest is rotated, 64 x 64 bits at a time, which gives the same bits.
#[derive(Clone, Debug)]
pub struct Raster {
    pub(super) tight: Mask,
    /// One byte per texel of `tight`, 1 where solid. Made when first needed.
    pub(super) texels: OnceLock<Vec<u8>>,
    /// The texels of `tight` for tiles. Made when first needed.
    pub(super) columns: OnceLock<TexelColumns>,
    /// See [`digest`](Self::digest).
    digest: OnceLock<u64>,
    /// log2 of the bytes from one row of `texels` to the next.
    pub(super) pitch: u32,
    /// The pivot in half-texels from the corner of the tight box.
    pub(super) pivot: [i32; 2],
    pub(super) sampling: Sampling,
}

/// Two are equal if they have the same source, pivot and sampling.
impl PartialEq for Raster {
    fn eq(&self, other: &Self) -> bool {
        self.source() == other.source()
    }
}

impl Raster {
    /// Prepares `source`, the mask of an untrimmed image, to be posed about `pivot`.
    ///
    /// # Errors
    /// [`CallError::Pivot`] where the pivot is beyond [`MAX_PIVOT`](crate::MAX_PIVOT).
    pub fn new<'a>(
        source: impl Into<MaskRef<'a>>,
        pivot: Pivot,
        sampling: Sampling,
    ) -> Result<Self, CallError> {
        let source = source.into();
        let [px2, py2] = pivot.resolve(source.width(), source.height())?;
        let (tight, corner) = source.trimmed();
        let pivot = [px2 - 2 * corner.x, py2 - 2 * corner.y];
        Ok(Self::of_tight(tight, pivot, sampling))
    }

    /// Prepares a mask that is already trimmed. The pivot is relative to its own corner.
    pub(crate) fn of_tight(tight: Mask, pivot: [i32; 2], sampling: Sampling) -> Self {
        let pitch = tight.width().next_power_of_two().trailing_zeros();
        let (texels, columns) = (OnceLock::new(), OnceLock::new());
        Self { tight, texels, columns, digest: OnceLock::new(), pitch, pivot, sampling }
    }

    /// Returns the arguments that [`of_tight`](Self::of_tight) needs to rebuild it.
    pub(crate) const fn source(&self) -> (&Mask, [i32; 2], Sampling) {
        (&self.tight, self.pivot, self.sampling)
    }

    /// Returns the digest of the source mask that `make` gives, and keeps it.
    pub(crate) fn digest(&self, make: impl FnOnce(&Mask) -> u64) -> u64 {
        *self.digest.get_or_init(|| make(&self.tight))
    }

    /// Returns the size of the mask and of its texels, in bytes. It grows with the first drawing.
    pub(crate) fn bytes(&self) -> usize {
        let words = words_of(self.tight.width(), self.tight.height());
        let texels = self.texels.get().map_or(0, Vec::len);
        let columns = self.columns.get().map_or(0, TexelColumns::len);
        size_of::<Self>() + 8 * words as usize + texels + columns
    }

    pub(crate) fn pivot2(&self, resolution: Resolution) -> [i32; 2] {
        // The tight box's corner is at whole texels, so the parity of the pivot is unchanged.
        resolution.pivot2(self.pivot)
    }

    /// Returns the source at one pose of `poses`.
    ///
    /// # Errors
    /// [`CallError::TooLarge`] where a side of the result would exceed [`MAX_SIDE`].
    ///
    /// # Panics
    /// Panics if `pose.scale` is not an index into the scales of `poses`.
    pub fn pose(&self, poses: &PoseSet, pose: Pose) -> Result<Posed, CallError> {
        let scale = poses.scales()[pose.scale as usize];
        let mut drawn = PoseBuffer::default();
        let mut buffers = DrawBuffers::default();
        let step = (pose.step, poses.angles());
        self.draw(step, scale, poses.lattice(), &mut buffers, &mut drawn)?;
        Ok(drawn.get(0).to_posed())
    }

    /// Returns the source at every pose of `poses`, scale by scale, then step by step. The results
    /// equal those of [`pose`](Self::pose). Four steps or more take
    /// 1/4 of the time, or 1/2 if exactly one number of the pivot is odd.
    ///
    /// # Errors
    /// As [`pose`](Self::pose).
    pub fn poses(&self, poses: &PoseSet) -> Result<Vec<Posed>, CallError> {
        let mut all = PoseBuffer::default();
        self.steps(poses, poses.angles(), &mut all)?;
        Ok(all.to_posed())
    }

    /// Appends the source at a step of `angles` in a full turn and at a scale.
    pub(crate) fn draw(
        &self,
        (step, angles): (u32, u32),
        scale: f32,
        resolution: Resolution,
        buffers: &mut DrawBuffers,
        drawn: &mut PoseBuffer,
    ) -> Result<(), CallError> {
        let pivot2 = self.pivot2(resolution);
        if self.tight.width() == 0 {
            drawn.add_empty(pivot2);
            return Ok(());
        }
        let matrix = Matrix::new(step, angles, scale * resolution.value());
        let Matrix { c, s } = matrix;
        // Rounding moves the bounds by at most 1 pixel, which is less than SLACK.
        let [x, y] = [c, s].map(|entry| entry as f64);
        let per_unit = (1_i64 << 30) as f64 / (x * x + y * y);
        let [w, h] = [self.tight.width() as i32, self.tight.height() as i32];
        let corners = [[0, 0], [w, 0], [0, h], [w, h]].map(Point::from);
        let near = |turned| (turned as f64 * per_unit).floor() as i64;
        let mut bounds = self.bounds(&corners, matrix, pivot2, near);
        if bounds.width().max(bounds.height()) > MAX_SIDE {
            let [c, s] = [c, s].map(i128::from);
            let exact = |turned| (i128::from(turned) << 30).div_euclid(c * c + s * s) as i64;
            // The corners of the box may be clear, as those of a disc.
            let outline = self.tight.convex_hull();
            let corners = outline.as_ref().map_or(&corners[..], |outline| outline.points());
            bounds = self.bounds(corners, matrix, pivot2, exact);
        }
        // The bounds have up to SLACK extra pixels on each side.
        let (width, height) =
            (bounds.width() - 2 * CORNER_SLACK, bounds.height() - 2 * CORNER_SLACK);
        CallError::check_size([width.into(), height.into()], MAX_SIDE)?;
        if !self.rows_of_tiles(matrix, pivot2, bounds, buffers) {
            self.rows_of_texels(matrix, pivot2, bounds, buffers);
        }
        let corner = Point::new(bounds.x0, bounds.y0);
        drawn.add_strips(&buffers.strips, bounds.width().div_ceil(WORD) as usize, corner, pivot2);
        // A box within the limit can have one pixel more, partly covered at both ends.
        let mask = drawn.get(drawn.len() - 1).mask;
        CallError::check_size([mask.width().into(), mask.height().into()], MAX_SIDE)
    }

    /// Returns the pixels that may be set: the box of the transformed corners of the tight box, or of
    /// an outline within it, plus `CORNER_SLACK`. `half_pixels` divides a product of the matrix and of
    /// half-texels by its determinant, in units of 2^-30. There is at least one corner.
    fn bounds(
        &self,
        corners: &[Point],
        Matrix { c, s }: Matrix,
        pivot2: [i32; 2],
        half_pixels: impl Fn(i64) -> i64,
    ) -> Rect {
        let corner = |&Point { x, y }: &Point| {
            // 19 and 38 bits at most.
            let [x, y] = [2 * x - self.pivot[0], 2 * y - self.pivot[1]].map(i64::from);
            let turned = [c * x - s * y, s * x + c * y];
            [0, 1].map(|axis| ((half_pixels(turned[axis]) + i64::from(pivot2[axis])) >> 1) as i32)
        };
        let mut extents = [[i32::MAX, i32::MIN]; 2];
        for turned in corners.iter().map(corner) {
            for ([low, high], at) in extents.iter_mut().zip(turned) {
                (*low, *high) = ((*low).min(at), (*high).max(at));
            }
        }
        let slack = CORNER_SLACK as i32;
        let [[x0, x1], [y0, y1]] = extents.map(|[low, high]| [low - slack, high + slack]);
        Rect::new(x0, y0, x1, y1)
    }

    /// Returns the source position of the first sample, in 2^-31 texels / samples a pixel.
    pub(super) fn first_sample(
        &self,
        Matrix { c, s }: Matrix,
        pivot2: [i32; 2],
        bounds: Rect,
    ) -> [i64; 2] {
        let scale = 1_i64 << self.sampling.log2();
        // Twice the distance of the first sample from the pivot, in samples.
        let distance = |origin: i32, f: i32| {
            let centre = (2 * i64::from(origin) + 1 - i64::from(f)) * scale;
            centre + 1 - scale
        };
        let (dx, dy) = (distance(bounds.x0, pivot2[0]), distance(bounds.y0, pivot2[1]));
        let [px, py] = self.pivot.map(|p| ((i64::from(p) << 30) + EDGE) * scale);
        [dx * c + dy * s + px, -dx * s + dy * c + py]
    }
}

#[derive(Default)]
pub(crate) struct DrawBuffers {
    pub(super) tiles: TileOffsets,
    pub(super) columns: SampleColumns,
    /// Rows of samples, for coverage.
    pub(super) sample_rows: Vec<u64>,
    /// The untrimmed pose, strip by strip.
    pub(super) strips: Vec<u64>,
}

/// Pixels added on every side of the transformed corners: far more than C and S round.
const CORNER_SLACK: u32 = 2;

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
        let fits = texels <= MAX_TILE_TEXELS && TileOffsets::fit(matrix, 30 + self.sampling.log2());
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
                for (x, samples) in sample_rows.as_chunks::<SAMPLE_SIDE>().0.iter().enumerate() {
                    // Each word of samples has two rows of pixels.
                    let out = &mut strips[x / 2 / SAMPLE_SIDE * height + y + x % 2];
                    *out |= covered(*samples, x / 2);
                }
            }
            at = [at[0] + TILE as i64 * matrix.s, at[1] + TILE as i64 * matrix.c];
        }
    }
}

impl Raster {
    /// Appends the poses that an atlas stores; of a sprite that never turns, 0 and 1/2 turn.
    pub(crate) fn stored(&self, poses: &PoseSet, all: &mut PoseBuffer) -> Result<(), CallError> {
        self.steps(poses, poses.stored_steps(), all)
    }

    /// Appends those of the [`stored`](Self::stored) poses whose numbers are in `part`. Draws each of
    /// them, so that a part takes up to 4 times as long as its share of all.
    pub(crate) fn stored_part(
        &self,
        poses: &PoseSet,
        part: Range<u32>,
        all: &mut PoseBuffer,
    ) -> Result<(), CallError> {
        let (steps, mut buffers) = (poses.stored_steps(), DrawBuffers::default());
        for number in part {
            let scale = poses.scales()[(number / steps) as usize];
            self.draw((number % steps, steps), scale, poses.lattice(), &mut buffers, all)?;
        }
        Ok(())
    }

    /// Appends all poses at `steps` steps in a full turn.
    pub(super) fn steps(
        &self,
        poses: &PoseSet,
        steps: u32,
        all: &mut PoseBuffer,
    ) -> Result<(), CallError> {
        let [fx, fy] = self.pivot2(poses.lattice());
        // Steps from one pose to the next that is drawn by rotating it.
        let quarters = steps >= 4 && (fx ^ fy) & 1 == 0;
        let drawn = (if quarters { steps / 4 } else { steps / 2 }).max(1);
        let mut buffers = DrawBuffers::default();
        for &scale in poses.scales() {
            let first = all.len();
            for step in 0..drawn {
                self.draw((step, steps), scale, poses.lattice(), &mut buffers, all)?;
            }
            for step in drawn..steps {
                let before = first + (step - drawn) as usize;
                if quarters { all.add_quarter_turned(before) } else { all.add_half_turned(before) }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::Sampling;
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
                        if !TileOffsets::fit(matrix, 30 + sampling.log2()) {
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
