//! The fast rasterizer: any pose, or all poses, of one source mask.
//!
//! Called by the atlas builder, the baker and the run-time masks of `world`.
//!
//! Invariant: every bit equals that of `raster::reference`.

use super::Sampling;
use super::coverage::{SIDE, covered};
use super::posed::{Pivot, PoseBuffer, Posed};
use super::sampling::{Clip, Columns, Matrix};
use crate::geom::{Point, Rect};
use crate::mask::{MAX_SIDE, Mask, MaskRef, WORD, stride_of, words_of};
use crate::pose::{Pose, PoseError, PoseSet, Resolution, stored_steps};

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
/// sx = ( Dx C + Dy S + (px2 << 30)) >> 31       the texel it falls on
/// sy = (-Dx S + Dy C + (py2 << 30)) >> 31
/// bit (u, v) = (sx, sy) is inside the image, and solid
/// ```
///
/// So the pivot is (fx / 2, fy / 2) from the corner of the pixel that a position snaps to. At step
/// 0 and scale 1 every texel covers exactly one pixel.
///
/// A half turn is an exact mirror along both axes. A quarter turn is an exact rotation where fx and
/// fy are equal. Elsewhere the pixel centres of a quarter turn lie on the edges of texels. The floor
/// decides there: no texel is lost or doubled, and the copy lies half a pixel off on each axis.
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
// For each row of samples:
//
//     (a, b) = the texel position of the row's first sample, in fixed point
//     first..last = the samples whose position is inside the source's tight box
//     for each of them:
//       set the sample if the source's texel at (a >> shift, b >> shift) is solid
//       (a, b) += one step to the right
//
// 1. The range is computed, so the inner loop tests no bounds. It takes one division per pose,
//    then additions from row to row. See `Clip`.
// 2. Only the tight box of the source is walked, because texels outside it cannot set a bit.
// 3. The source is expanded once to a byte per texel with rows a power of two apart, so that one
//    number identifies a texel. A few vector instructions compute four such numbers. See
//    `Columns`. Above `MAX_BYTE_TEXELS` texels its bits are read instead, which is slower and
//    takes 1/8 of the memory.
// 4. Coverage is the same walk over rows of samples four times as fine, counted per pixel.
// 5. Only a quarter of a full turn is drawn, or a half if the phases of the axes differ by an odd
//    number. The rest is rotated, 64 x 64 bits at a time, which gives the same bits.
#[derive(Clone, Debug, PartialEq)]
pub struct Raster {
    pub(super) tight: Mask,
    /// One byte per texel of `tight`, 1 where solid; empty above `MAX_BYTE_TEXELS`.
    texels: Vec<u8>,
    /// log2 of the bytes from one row of `texels` to the next.
    pitch: u32,
    /// The pivot in half-texels from the corner of the tight box.
    pub(super) pivot: [i32; 2],
    pub(super) sampling: Sampling,
}

/// Upper bound on texels that are expanded to bytes: 16 MiB.
const MAX_BYTE_TEXELS: u64 = 1 << 24;

impl Raster {
    /// Prepares `source`, the mask of an untrimmed image, to be posed about `pivot`.
    ///
    /// # Errors
    /// [`PoseError::Pivot`] where the pivot is beyond [`MAX_PIVOT`](crate::MAX_PIVOT).
    pub fn new<'a>(
        source: impl Into<MaskRef<'a>>,
        pivot: Pivot,
        sampling: Sampling,
    ) -> Result<Self, PoseError> {
        let source = source.into();
        let [px2, py2] = pivot.resolve(source.width(), source.height())?;
        let (tight, corner) = source.trimmed();
        let pivot = [px2 - 2 * corner.x, py2 - 2 * corner.y];
        Ok(Self::of_tight(tight, pivot, sampling))
    }

    /// Prepares a mask that is already trimmed. The pivot is relative to its own corner.
    pub(crate) fn of_tight(tight: Mask, pivot: [i32; 2], sampling: Sampling) -> Self {
        let pitch = tight.width().next_power_of_two().trailing_zeros();
        let texels = if u64::from(tight.height()) << pitch <= MAX_BYTE_TEXELS {
            texels(&tight, pitch)
        } else {
            Vec::new()
        };
        Self { tight, texels, pitch, pivot, sampling }
    }

    /// Returns the arguments that [`of_tight`](Self::of_tight) needs to rebuild it.
    pub(crate) const fn source(&self) -> (&Mask, [i32; 2], Sampling) {
        (&self.tight, self.pivot, self.sampling)
    }

    /// Returns the size of the mask and of its texels, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        let words = words_of(self.tight.width(), self.tight.height());
        size_of::<Self>() + 8 * words as usize + self.texels.len()
    }

    /// Returns the offset of the pivot from the lattice origin, in half mask pixels.
    pub(crate) fn pivot2(&self, resolution: Resolution) -> [i32; 2] {
        // The tight box's corner is at whole texels, so the parity of the pivot is unchanged.
        resolution.pivot2(self.pivot)
    }

    /// Returns the source at one pose of `poses`.
    ///
    /// # Errors
    /// [`PoseError::TooLarge`] where a side of the result would exceed [`MAX_SIDE`].
    ///
    /// # Panics
    /// Panics if `pose.scale` is not an index into the scales of `poses`.
    pub fn pose(&self, poses: &PoseSet, pose: Pose) -> Result<Posed, PoseError> {
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
    pub fn poses(&self, poses: &PoseSet) -> Result<Vec<Posed>, PoseError> {
        let mut all = PoseBuffer::default();
        self.steps(poses, poses.angles(), &mut all)?;
        Ok(all.to_posed())
    }

    /// Appends the poses that an atlas stores: those of a full turn. For a sprite that never turns
    /// these are the upright pose and its half turn.
    pub(crate) fn stored(&self, poses: &PoseSet, all: &mut PoseBuffer) -> Result<(), PoseError> {
        self.steps(poses, stored_steps(poses.angles()), all)
    }

    fn steps(&self, poses: &PoseSet, steps: u32, all: &mut PoseBuffer) -> Result<(), PoseError> {
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

    /// Appends the source at a step of `angles` in a full turn and at a scale.
    pub(crate) fn draw(
        &self,
        (step, angles): (u32, u32),
        scale: f32,
        resolution: Resolution,
        buffers: &mut DrawBuffers,
        drawn: &mut PoseBuffer,
    ) -> Result<(), PoseError> {
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
        let mut bounds =
            self.bounds(matrix, pivot2, |turned| (turned as f64 * per_unit).floor() as i64);
        if bounds.width().max(bounds.height()) > MAX_SIDE {
            let [c, s] = [c, s].map(i128::from);
            let exact = |turned| (i128::from(turned) << 30).div_euclid(c * c + s * s) as i64;
            bounds = self.bounds(matrix, pivot2, exact);
        }
        // The bounds have up to SLACK extra pixels on each side.
        let (width, height) = (bounds.width() - 2 * SLACK, bounds.height() - 2 * SLACK);
        if width > MAX_SIDE || height > MAX_SIDE {
            return Err(PoseError::TooLarge { width: width.into(), height: height.into() });
        }
        if self.texels.is_empty() {
            let (pool, start) = self.tight.as_ref().strip(0);
            let stride = stride_of(self.tight.height()) as usize;
            let (pitch, last) = (self.pitch, (1_usize << self.pitch) - 1);
            self.rows(matrix, pivot2, bounds, buffers, |at| {
                let (x, y) = (at as usize & last, at as usize >> pitch);
                let word = pool.get(start + x / WORD as usize * stride + y).copied().unwrap_or(0);
                (word >> (x % WORD as usize) & 1) as u8
            });
        } else {
            let texels = self.texels.as_slice();
            let last = texels.len() - 1;
            self.rows(matrix, pivot2, bounds, buffers, |at| texels[at as usize & last]);
        }
        let corner = Point::new(bounds.x0, bounds.y0);
        drawn.add_rows(&buffers.rows, bounds.width().div_ceil(WORD) as usize, corner, pivot2);
        // A box within the limit can have one pixel more, partly covered at both ends.
        let mask = drawn.get(drawn.len() - 1).mask;
        if mask.width() > MAX_SIDE || mask.height() > MAX_SIDE {
            let (width, height) = (mask.width().into(), mask.height().into());
            return Err(PoseError::TooLarge { width, height });
        }
        Ok(())
    }

    /// Returns the pixels that may be set: the box of the transformed corners of the tight box,
    /// plus `SLACK`. `half_pixels` divides a product of the matrix and of half-texels by its
    /// determinant, in units of 2^-30.
    fn bounds(
        &self,
        Matrix { c, s }: Matrix,
        pivot2: [i32; 2],
        half_pixels: impl Fn(i64) -> i64,
    ) -> Rect {
        let corner = |x: u32, y: u32| {
            // 19 and 38 bits at most.
            let x = i64::from(2 * x as i32 - self.pivot[0]);
            let y = i64::from(2 * y as i32 - self.pivot[1]);
            let turned = [c * x - s * y, s * x + c * y];
            [0, 1].map(|axis| ((half_pixels(turned[axis]) + i64::from(pivot2[axis])) >> 1) as i32)
        };
        let (w, h) = (self.tight.width(), self.tight.height());
        let corners = [corner(0, 0), corner(w, 0), corner(0, h), corner(w, h)];
        let extent = |axis: usize| {
            let ends = corners.map(|point| point[axis]);
            let low = ends.iter().min().copied().unwrap_or(0);
            let high = ends.iter().max().copied().unwrap_or(0);
            (low - SLACK as i32, high + SLACK as i32)
        };
        let ((x0, x1), (y0, y1)) = (extent(0), extent(1));
        Rect::new(x0, y0, x1, y1)
    }

    /// Draws the pose into `bounds`, as rows of words.
    #[inline(always)]
    fn rows(
        &self,
        Matrix { c, s }: Matrix,
        pivot2: [i32; 2],
        bounds: Rect,
        buffers: &mut DrawBuffers,
        texel: impl Fn(u32) -> u8,
    ) {
        let (width, height) = (bounds.width(), bounds.height());
        let samples_log2 = self.sampling.log2();
        let (shift, scale) = (31 + samples_log2, 1_i64 << samples_log2);
        let samples = width << samples_log2;
        // Twice the distance of a row's or column's first sample from the pivot, in samples.
        let centre = |origin: i32, f: i32| (2 * i64::from(origin) + 1 - i64::from(f)) * scale;
        let to_sample = |pixels: i64| pixels + 1 - scale;
        let (dx, dy) =
            (to_sample(centre(bounds.x0, pivot2[0])), to_sample(centre(bounds.y0, pivot2[1])));
        let [px, py] = self.pivot.map(|p| (i64::from(p) << 30) * scale);
        let mut at = [dx * c + dy * s + px, -dx * s + dy * c + py];
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
        let DrawBuffers { columns, sample_rows, rows } = buffers;
        rows.clear();
        rows.resize(words * height as usize, 0);
        columns.set(Matrix { c, s }, samples, shift - 1, self.pitch);
        sample_rows.resize(samples.div_ceil(WORD) as usize * SIDE, 0);
        for out in rows.chunks_exact_mut(words) {
            if self.sampling == Sampling::Nearest {
                let (start, range) = next_row();
                columns.row(start, range, out, &texel);
                continue;
            }
            sample_rows.fill(0);
            for out in sample_rows.chunks_exact_mut(samples.div_ceil(WORD) as usize) {
                let (start, range) = next_row();
                columns.row(start, range, out, &texel);
            }
            covered(sample_rows, out);
        }
    }
}

/// Buffers for drawing a pose, reused from pose to pose.
#[derive(Default)]
pub(crate) struct DrawBuffers {
    columns: Columns,
    /// Four rows of samples per row of pixels, for coverage.
    sample_rows: Vec<u64>,
    /// The untrimmed pose.
    rows: Vec<u64>,
}

/// Returns the bits of a byte as bytes of 0 or 1, the lowest bit first.
const fn bits_as_bytes(byte: u8) -> [u8; 8] {
    const ONES: u64 = 0x0101_0101_0101_0101;
    // Byte i keeps bit i, then every byte that is not 0 becomes 1.
    let bits = (byte as u64 * ONES) & 0x8040_2010_0804_0201;
    ((bits + 0x7f * ONES) >> 7 & ONES).to_le_bytes()
}

/// Returns the texels of a mask as bytes, rows 2^`pitch` bytes apart. The length is a power of two.
fn texels(mask: &Mask, pitch: u32) -> Vec<u8> {
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

/// Pixels added on every side of the transformed corners; the rounding of C and S moves corners by
/// far less.
const SLACK: u32 = 2;
