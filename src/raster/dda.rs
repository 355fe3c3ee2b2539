use super::clip::Clip;
use super::columns::Columns;
use super::coverage;
use super::{Matrix, Pivot, Posed, Poses, Sampling};
use crate::geom::{Point, Rect};
use crate::mask::{MAX_SIDE, Mask, MaskRef, WORD, shifted, stride_of};
use crate::pose::{Pose, PoseError, PoseSet, Resolution, stored_steps};

/// Poses one source mask: the fast way to rasterise, equal bit for bit to the naive one.
///
/// A pose is a turn by k / N of a full turn, clockwise on screen, and a scale. C and S are the
/// integers nearest to 2^30 cos / scale and 2^30 sin / scale of it, halves away from zero. With the
/// pivot (px2, py2) in half-texels from the image's top-left corner and f = px2 & 1, the pixel
/// (u, v), counted from the pixel that a position snaps to, is decided in whole numbers:
///
/// ```text
/// Dx = 2u + 1 - f                               the pixel's centre, in half-pixels
/// Dy = 2v + 1 - f
/// sx = ( Dx C + Dy S + (px2 << 30)) >> 31       the texel it falls on
/// sy = (-Dx S + Dy C + (py2 << 30)) >> 31
/// bit (u, v) = (sx, sy) is inside the image, and solid
/// ```
///
/// So a pivot between pixels (f = 0) lies at the corner of the pixel that a position snaps to, and
/// a pivot within one (f = 1) at its centre.
///
/// At a [resolution](PoseSet::at_resolution) r other than 1, pixels are those of the mask, r of
/// them along the side of a pixel of the screen: the scale is multiplied by r and f is the floor
/// of r (px2 & 1), so that the pivot stays where it was. The rest is the same.
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
// 1. The range is solved for, so that the inner loop tests no bounds: divided once a pose, then
//    carried on from row to row by additions. See `Clip`.
// 2. Only the tight box of the source is walked: texels outside it cannot set a bit.
// 3. The source is laid out once as a byte a texel, rows at a power of two, so that one number
//    tells a texel; four such numbers come of a few vector instructions. See `Columns`. Above
//    `BYTES` texels its bits serve, which is slower and takes an eighth.
// 4. Coverage is the same walk over rows of samples four times as fine, counted per pixel.
// 5. Of a full turn one quarter is drawn. The others are that quarter turned, 64 x 64 bits at a
//    time, which is the same bit for bit.
#[derive(Clone, Debug, PartialEq)]
pub struct Raster {
    pub(super) tight: Mask,
    /// A byte for each texel of `tight`, 1 where it is solid; none where it is too large for that.
    texels: Vec<u8>,
    /// Bytes from one row of `texels` to the next, as a power of two.
    pitch: u32,
    /// The pivot in half-texels from the corner of the tight box.
    pub(super) pivot: [i32; 2],
    lowered: bool,
    pub(super) sampling: Sampling,
}

/// Texels that are laid out as bytes at most: 16 MiB.
const BYTES: u64 = 1 << 24;

impl Raster {
    /// Prepares `source`, an untrimmed image's mask, to be posed about `pivot`. Where the pivot's
    /// half-texels are one odd and one even, y is lowered by one: see
    /// [`pivot_lowered`](Self::pivot_lowered).
    ///
    /// # Errors
    /// [`PoseError::Pivot`] where the pivot lies beyond [`MAX_PIVOT`](crate::MAX_PIVOT).
    pub fn new<'a>(
        source: impl Into<MaskRef<'a>>,
        pivot: Pivot,
        sampling: Sampling,
    ) -> Result<Self, PoseError> {
        let source = source.into();
        let ([px2, py2], lowered) = pivot.resolve(source.width(), source.height())?;
        let (tight, corner) = source.trimmed();
        let pivot = [px2 - 2 * corner.x, py2 - 2 * corner.y];
        Ok(Self { lowered, ..Self::of_tight(tight, pivot, sampling) })
    }

    /// Prepares a mask that has been cut down already, its pivot counted from its own corner and
    /// both of its numbers even or both odd.
    pub(crate) fn of_tight(tight: Mask, pivot: [i32; 2], sampling: Sampling) -> Self {
        let pitch = tight.width().next_power_of_two().trailing_zeros();
        let texels = if u64::from(tight.height()) << pitch <= BYTES {
            texels(&tight, pitch)
        } else {
            Vec::new()
        };
        Self { tight, texels, pitch, pivot, lowered: false, sampling }
    }

    /// All that it is made of, as [`of_tight`](Self::of_tight) takes it.
    pub(crate) const fn source(&self) -> (&Mask, [i32; 2], Sampling) {
        (&self.tight, self.pivot, self.sampling)
    }

    /// True where the pivot's y was lowered by half a texel to share a lattice with its x.
    #[must_use]
    pub const fn pivot_lowered(&self) -> bool {
        self.lowered
    }

    /// The source at one pose of `poses`.
    ///
    /// # Errors
    /// [`PoseError::TooLarge`] where a side of the result would exceed
    /// [`MAX_SIDE`].
    ///
    /// # Panics
    /// Where `pose.scale` is not an index into the scales of `poses`.
    pub fn pose(&self, poses: &PoseSet, pose: Pose) -> Result<Posed, PoseError> {
        let scale = poses.scales()[pose.scale as usize];
        let mut drawn = Poses::default();
        let mut pen = Pen::default();
        self.draw(pose.step, poses.angles(), scale, poses.lattice(), &mut pen, &mut drawn)?;
        Ok(drawn.get(0).to_posed())
    }

    /// The source at every pose of `poses`, scale by scale, step by step: what
    /// [`pose`](Self::pose) gives, four times as fast where there are four steps or more.
    ///
    /// # Errors
    /// As [`pose`](Self::pose).
    pub fn poses(&self, poses: &PoseSet) -> Result<Vec<Posed>, PoseError> {
        let mut all = Poses::default();
        self.steps(poses, poses.angles(), &mut all)?;
        Ok(all.to_posed())
    }

    /// Appends the poses that an atlas stores: those of a full turn, or, for what never turns,
    /// upright and at a half turn.
    pub(crate) fn stored(&self, poses: &PoseSet, all: &mut Poses) -> Result<(), PoseError> {
        self.steps(poses, stored_steps(poses.angles()), all)
    }

    fn steps(&self, poses: &PoseSet, steps: u32, all: &mut Poses) -> Result<(), PoseError> {
        let drawn = (steps / 4).max(1);
        let mut pen = Pen::default();
        for &scale in poses.scales() {
            let first = all.len();
            for step in 0..drawn {
                self.draw(step, steps, scale, poses.lattice(), &mut pen, all)?;
            }
            for step in drawn..steps {
                let before = first + (step - drawn) as usize;
                let half_turn = steps == 2;
                if half_turn { all.add_half_turned(before) } else { all.add_quarter_turned(before) }
            }
        }
        Ok(())
    }

    /// Appends the source at step `step` of `angles`, at a scale.
    fn draw(
        &self,
        step: u32,
        angles: u32,
        scale: f32,
        resolution: Resolution,
        pen: &mut Pen,
        drawn: &mut Poses,
    ) -> Result<(), PoseError> {
        // The corner is at whole texels, so parity is that of the pivot in the image.
        let pivot2 = resolution.pivot2(self.pivot[0]);
        if self.tight.width() == 0 {
            drawn.add_empty(pivot2);
            return Ok(());
        }
        let matrix = Matrix::new(step, angles, scale * resolution.value());
        let bounds = self.bounds(matrix, pivot2);
        // Bounds hold up to SLACK pixels too many on either side.
        let (width, height) = (bounds.width() - 2 * SLACK, bounds.height() - 2 * SLACK);
        if width > MAX_SIDE || height > MAX_SIDE {
            return Err(PoseError::TooLarge { width: width.into(), height: height.into() });
        }
        if self.texels.is_empty() {
            let (pool, start) = self.tight.as_ref().strip(0);
            let stride = stride_of(self.tight.height()) as usize;
            let (pitch, last) = (self.pitch, (1_usize << self.pitch) - 1);
            self.rows(matrix, pivot2, bounds, pen, |at| {
                let (x, y) = (at as usize & last, at as usize >> pitch);
                let word = pool.get(start + x / WORD as usize * stride + y).copied().unwrap_or(0);
                (word >> (x % WORD as usize) & 1) as u8
            });
        } else {
            let texels = self.texels.as_slice();
            let last = texels.len() - 1;
            self.rows(matrix, pivot2, bounds, pen, |at| texels[at as usize & last]);
        }
        let corner = Point::new(bounds.x0, bounds.y0);
        trim(&pen.rows, bounds.width().div_ceil(WORD) as usize, corner, pivot2, drawn);
        Ok(())
    }

    /// Pixels that may be set: the corners of the tight box mapped forward, and some slack.
    fn bounds(&self, Matrix { c, s }: Matrix, pivot2: i32) -> Rect {
        let (c, s) = (i128::from(c), i128::from(s));
        let determinant = c * c + s * s;
        let corner = |x: u32, y: u32| {
            let x = i128::from(2 * x as i32 - self.pivot[0]);
            let y = i128::from(2 * y as i32 - self.pivot[1]);
            [c * x - s * y, s * x + c * y].map(|part| {
                let half_pixels = (part << 30).div_euclid(determinant);
                ((half_pixels + i128::from(pivot2)) >> 1) as i32
            })
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
        pivot2: i32,
        bounds: Rect,
        pen: &mut Pen,
        texel: impl Fn(u32) -> u8,
    ) {
        let (width, height) = (bounds.width(), bounds.height());
        let fine = self.sampling.log2();
        let (shift, scale) = (31 + fine, 1_i64 << fine);
        let samples = width << fine;
        // Twice the place of a row's or column's first sample from the pivot, in samples.
        let centre = |origin: i32| (2 * i64::from(origin) + 1 - i64::from(pivot2)) * scale;
        let to_sample = |pixels: i64| pixels + 1 - scale;
        let (dx, dy) = (to_sample(centre(bounds.x0)), to_sample(centre(bounds.y0)));
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
        let Pen { columns, fine_rows, rows } = pen;
        rows.clear();
        rows.resize(words * height as usize, 0);
        columns.set(Matrix { c, s }, samples, shift - 1, self.pitch);
        fine_rows.resize(samples.div_ceil(WORD) as usize * coverage::SIDE, 0);
        for out in rows.chunks_exact_mut(words) {
            if self.sampling == Sampling::Nearest {
                let (start, range) = next_row();
                columns.row(start, range, out, &texel);
                continue;
            }
            fine_rows.fill(0);
            for out in fine_rows.chunks_exact_mut(samples.div_ceil(WORD) as usize) {
                let (start, range) = next_row();
                columns.row(start, range, out, &texel);
            }
            coverage::covered(fine_rows, out);
        }
    }
}

/// What drawing a pose takes, kept for the next one.
#[derive(Default)]
struct Pen {
    columns: Columns,
    /// Four rows of samples a row of pixels, for coverage.
    fine_rows: Vec<u64>,
    /// The pose, untrimmed.
    rows: Vec<u64>,
}

/// Appends rows of `words` words each, whose first pixel is at `corner`, as a pose cut down to the
/// tight box.
fn trim(rows: &[u64], words: usize, corner: Point, pivot2: i32, drawn: &mut Poses) {
    let is_set = |row: &[u64]| row.iter().any(|&word| word != 0);
    let Some(top) = rows.chunks_exact(words).position(is_set) else {
        return drawn.add_empty(pivot2);
    };
    let bottom = rows.chunks_exact(words).rposition(is_set).unwrap_or(top);
    let kept = &rows[top * words..(bottom + 1) * words];
    let columns = |word: usize| kept[word..].iter().step_by(words).fold(0, |all, w| all | w);
    let (mut left, mut right) = (u32::MAX, 0);
    for (i, set) in (0..).zip((0..words).map(columns)).filter(|&(_, set)| set != 0) {
        left = left.min(i * WORD + set.trailing_zeros());
        right = i * WORD + WORD - set.leading_zeros();
    }
    let (skip, shift) = ((left / WORD) as usize, left % WORD);
    let size = (right - left, (bottom - top + 1) as u32);
    let origin = Point::new(corner.x + left as i32, corner.y + top as i32);
    drawn.add(size, origin, pivot2, |s, strip| {
        let at = skip + s as usize;
        for (out, row) in strip.iter_mut().zip(kept.chunks_exact(words)) {
            let high = row.get(at + 1).copied().unwrap_or(0);
            *out = shifted(row[at], high, shift);
        }
    });
}

/// The texels of a mask as bytes, rows 2^`pitch` bytes apart; their number is a power of two.
fn texels(mask: &Mask, pitch: u32) -> Vec<u8> {
    let (width, height) = (mask.width() as usize, mask.height() as usize);
    let mut texels = vec![0; (height << pitch).next_power_of_two()];
    let view = mask.as_ref();
    for (y, row) in texels.chunks_exact_mut(1 << pitch).take(height).enumerate() {
        for (s, out) in row[..width].chunks_mut(WORD as usize).enumerate() {
            let word = view.word(s as u32, y as u32);
            for (x, texel) in out.iter_mut().enumerate() {
                *texel = (word >> x & 1) as u8;
            }
        }
    }
    texels
}

/// Pixels added on every side of the mapped corners: rounding of C and S moves them by far less.
const SLACK: u32 = 2;
