use super::{Matrix, Pivot, Posed, Sampling};
use crate::geom::{Point, Rect};
use crate::mask::{MAX_SIDE, Mask, MaskRef, WORD, stride_of};
use crate::pose::{Pose, PoseError, PoseSet};

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
//       set the sample if the source bit at (a >> shift, b >> shift) is set
//       (a, b) += one step to the right
//
// 1. The range is solved for by division, four a row, so that the inner loop tests no bounds.
// 2. Only the tight box of the source is walked: texels outside it cannot set a bit.
// 3. Coverage is the same walk over rows of samples four times as fine, counted per pixel.
#[derive(Clone, Debug)]
pub struct Raster {
    tight: Mask,
    /// The pivot in half-texels from the corner of the tight box.
    pivot: [i32; 2],
    half: bool,
    lowered: bool,
    sampling: Sampling,
}

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
        Ok(Self { tight, pivot, half: px2 & 1 == 1, lowered, sampling })
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
        self.turned(Matrix::new(pose.step, poses.angles(), scale))
    }

    /// The source under any matrix of a pose.
    pub(crate) fn turned(&self, matrix: Matrix) -> Result<Posed, PoseError> {
        if self.tight.width() == 0 {
            return Ok(Posed { mask: Mask::empty(), origin: Point::default(), half: self.half });
        }
        let bounds = self.bounds(matrix);
        // Bounds hold up to SLACK pixels too many on either side.
        let (width, height) = (bounds.width() - 2 * SLACK, bounds.height() - 2 * SLACK);
        if width > MAX_SIDE || height > MAX_SIDE {
            return Err(PoseError::TooLarge { width: width.into(), height: height.into() });
        }
        let (mask, corner) = self.draw(matrix, bounds).as_ref().trimmed();
        let origin = if mask.width() == 0 {
            Point::default()
        } else {
            Point::new(bounds.x0 + corner.x, bounds.y0 + corner.y)
        };
        Ok(Posed { mask, origin, half: self.half })
    }

    /// Pixels that may be set: the corners of the tight box mapped forward, and some slack.
    fn bounds(&self, Matrix { c, s }: Matrix) -> Rect {
        let (c, s) = (i128::from(c), i128::from(s));
        let determinant = c * c + s * s;
        let corner = |x: u32, y: u32| {
            let x = i128::from(2 * x as i32 - self.pivot[0]);
            let y = i128::from(2 * y as i32 - self.pivot[1]);
            [c * x - s * y, s * x + c * y]
                .map(|half_pixels| ((half_pixels << 30).div_euclid(determinant) >> 1) as i32)
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

    /// Draws the pose into a mask of the size of `bounds`.
    fn draw(&self, matrix: Matrix, bounds: Rect) -> Mask {
        let (width, height) = (bounds.width(), bounds.height());
        let mut rows = vec![0_u64; (width.div_ceil(WORD) * height) as usize];
        let at = |s: u32, y: u32| (s * height + y) as usize;
        let fine = self.sampling.log2();
        let mut solid = vec![0_u8; width as usize];
        for y in 0..height {
            match self.sampling {
                Sampling::Nearest => {
                    let mut row = self.row(matrix, bounds, y);
                    while row.first < row.last {
                        // A word at a time, so that its bits are gathered in a register.
                        let x = row.first;
                        let end = (x / WORD * WORD + WORD).min(row.last);
                        rows[at(x / WORD, y)] =
                            (x..end).fold(0, |word, x| word | self.next(&mut row) << (x % WORD));
                    }
                }
                Sampling::Coverage25 => {
                    solid.fill(0);
                    for sample in y << fine..(y + 1) << fine {
                        let mut row = self.row(matrix, bounds, sample);
                        for x in row.first..row.last {
                            solid[(x >> fine) as usize] += self.next(&mut row) as u8;
                        }
                    }
                    for (x, &n) in (0..).zip(&solid) {
                        let set = n >= self.sampling.threshold();
                        rows[at(x / WORD, y)] |= u64::from(set) << (x % WORD);
                    }
                }
            }
        }
        Mask::filled_by(width, height, |s, y| rows[at(s, y)])
    }

    /// Row `row` of samples, where it meets the source.
    fn row(&self, Matrix { c, s }: Matrix, bounds: Rect, row: u32) -> Row {
        let fine = self.sampling.log2();
        let (shift, scale) = (31 + fine, 1_i64 << fine);
        // Twice the sample's position, in samples, with a half lattice taken into account.
        let centre = |origin: i32, sample: u32| {
            2 * (i64::from(origin) * scale + i64::from(sample)) + 1 - scale * i64::from(self.half)
        };
        let (dx, dy) = (centre(bounds.x0, 0), centre(bounds.y0, row));
        let [px, py] = self.pivot.map(|p| (i64::from(p) << 30) * scale);
        let (a, b) = (dx * c + dy * s + px, -dx * s + dy * c + py);
        let (step_a, step_b) = (2 * c, -2 * s);

        let (w, h) = (i64::from(self.tight.width()), i64::from(self.tight.height()));
        let samples = i64::from(bounds.width()) * scale;
        let (first_a, last_a) = inside(a, step_a, w << shift, samples);
        let (first_b, last_b) = inside(b, step_b, h << shift, samples);
        let (first, last) = (first_a.max(first_b), last_a.min(last_b));
        Row {
            first: first as u32,
            last: last.max(0) as u32,
            a: a + first * step_a,
            b: b + first * step_b,
            step_a,
            step_b,
            shift,
        }
    }

    /// The bit of the row's first sample, which it then leaves behind.
    #[inline(always)]
    fn next(&self, row: &mut Row) -> u64 {
        let (pool, start) = self.tight.as_ref().strip(0);
        let stride = stride_of(self.tight.height()) as usize;
        let (sx, sy) = ((row.a >> row.shift) as usize, (row.b >> row.shift) as usize);
        row.first += 1;
        row.a += row.step_a;
        row.b += row.step_b;
        pool[start + sx / WORD as usize * stride + sy] >> (sx % WORD as usize) & 1
    }
}

/// The samples `first..last` of a row, all inside the source, and the texel position of the first.
struct Row {
    first: u32,
    last: u32,
    a: i64,
    b: i64,
    step_a: i64,
    step_b: i64,
    shift: u32,
}

/// Pixels added on every side of the mapped corners: rounding of C and S moves them by far less.
const SLACK: u32 = 2;

/// The i of 0..n, as a range, for which 0 <= at + i step < end.
fn inside(at: i64, step: i64, end: i64, n: i64) -> (i64, i64) {
    let (low, high) = match step.signum() {
        0 if (0..end).contains(&at) => (0, n),
        0 => (0, 0),
        // at + i step >= 0 from the first of these on, and >= end from the second.
        1 => (div_up(-at, step), div_up(end - at, step)),
        // Going down, the ends change places: at + i step <= end - 1, then < 0.
        _ => (div_up(at - (end - 1), -step), div_up(at + 1, -step)),
    };
    (low.max(0), high.min(n))
}

/// a / b rounded up, for b > 0.
const fn div_up(a: i64, b: i64) -> i64 {
    -(-a).div_euclid(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_range_inside_is_what_stepping_finds() {
        for at in -20..20 {
            for step in -7..=7 {
                for end in [1, 5, 16] {
                    let (low, high) = inside(at, step, end, 12);
                    for i in 0..12 {
                        let is_inside = (0..end).contains(&(at + i * step));
                        assert_eq!((low..high).contains(&i), is_inside, "{at} {step} {end} {i}");
                    }
                }
            }
        }
    }
}
