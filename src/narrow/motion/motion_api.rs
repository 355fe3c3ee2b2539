//! The public motion queries of masks: push-outs, nearest contact, distance, casts.
//!
//! Thin wrappers around the searches of this folder.

use super::normal::{Normal, normal, slope};
use super::{cast, nearest, push_out};
use crate::geom::{PixelPath, Point, Rect};
use crate::mask::{Mask, MaskRef};
use crate::narrow::OverlapPixels;
use crate::raster::PosedRef;

/// The first contact of a motion.
///
/// ```
/// use hitmask::{Mask, Point};
/// let bullet: Mask = "##".parse()?;
/// let impact = bullet.cast(&bullet, [10, 0], [20, 0]).unwrap();
/// assert_eq!((impact.step, impact.free_offset), (9, Point::new(8, 0)));
/// assert_eq!(impact.point, Point::new(10, 0));
/// # Ok::<(), hitmask::CallError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Impact {
    /// The step of the motion's [`PixelPath`] after which the masks first share a pixel; 0 if they
    /// overlap at the start.
    pub step: u32,
    /// Steps of the whole motion.
    pub steps: u32,
    /// The longest translation along the path without contact: the pixel one step before `step`.
    /// (0, 0) if the masks overlap at the start.
    pub free_offset: Point,
    /// The translation at contact: the path's pixel after `step`.
    pub contact_offset: Point,
    /// The pixel where the masks meet: set in both at `contact_offset`. Of several, the one nearest
    /// to the middle of their box; of equally near ones the topmost, then the leftmost. Counted from
    /// the top-left pixel of the moving mask at its start, as the offset of the obstacle is. For a
    /// motion that turns, counted from the lattice origin.
    pub point: Point,
    /// The index of the pose shown at contact, for a motion that turns; otherwise 0.
    pub pose: u32,
    /// The surface normal at `contact_offset`, from the obstacle towards the moving mask.
    pub normal: Normal,
}

impl Impact {
    /// Returns the free part of the motion, from 0 to 1, which ends at `free_offset`.
    #[must_use]
    pub fn time(&self) -> f32 {
        let free_steps = f64::from(self.step.saturating_sub(1));
        (free_steps / f64::from(self.steps.max(1))) as f32
    }

    /// Returns the impact of `a`, at (0, 0), on `b`, at `offset`, after a step of `path`.
    pub(crate) fn new(
        a: MaskRef<'_>,
        b: MaskRef<'_>,
        offset: Point,
        path: PixelPath,
        step: u32,
    ) -> Self {
        let (free_offset, contact_offset) = (path.at(step.saturating_sub(1)), path.at(step));
        let at = offset - contact_offset;
        let back = || {
            Normal::along(
                (free_offset.x - contact_offset.x).into(),
                (free_offset.y - contact_offset.y).into(),
            )
        };
        // A level overlap has no slope. A mask that came from outside moved against the normal.
        let found = if step > 0 { slope(a, b, at).or_else(back) } else { normal(a, b, at) };
        let normal = found.unwrap_or(Normal { x: 0.0, y: -1.0 });
        let point = contact_offset + shared_pixel(a, b, at).unwrap_or_default();
        Self { step, steps: path.steps(), free_offset, contact_offset, point, pose: 0, normal }
    }
}

/// Returns the pixel set in both masks that is nearest to the middle of the box of all of them. Of
/// equally near ones, returns the topmost, then the leftmost.
fn shared_pixel(a: MaskRef<'_>, b: MaskRef<'_>, offset: Point) -> Option<Point> {
    let Rect { x0, y0, x1, y1 } = a.contact(b, offset)?.rect;
    // The middle in half-pixels, and its pixel. A middle on an edge belongs to the pixel before it.
    let [x2, y2] = [x0 + x1 - 1, y0 + y1 - 1];
    let middle = Point::new(x2 >> 1, y2 >> 1);
    let is_set = |mask: MaskRef<'_>, at: Point| mask.get(at.x, at.y);
    if is_set(a, middle) && is_set(b, middle - offset) {
        return Some(middle);
    }
    let square = |v: i32| i64::from(v) * i64::from(v);
    let far = |p: &Point| square(2 * p.x - x2) + square(2 * p.y - y2);
    OverlapPixels::new(a, b, offset).min_by_key(far)
}

impl<P: AsRef<[u64]>> Mask<P> {
    /// Returns the shortest whole-pixel translation of this mask that ends its overlap with
    /// `other`, at `offset`; `None` if they do not touch.
    ///
    /// Among equally short translations it points farthest up, then farthest left. Its length is
    /// the depth of the contact. Exact for any shape: a ring is pushed inwards if that is shorter.
    /// Takes some microseconds, and more the deeper the overlap; on dithered masks of thousands of
    /// pixels a side, seconds.
    #[must_use]
    pub fn push_out<'b>(
        &self,
        other: impl Into<MaskRef<'b>>,
        offset: impl Into<[i32; 2]>,
    ) -> Option<Point> {
        push_out::out(self.as_ref(), other.into(), Point::from(offset.into()))
    }

    /// Returns the shortest translation along `direction` that ends the overlap with `other`, at
    /// `offset`. It is the first free pixel of the [`PixelPath`] in that direction, continued as
    /// far as needed.
    ///
    /// `None` if the masks do not touch, or if the direction is (0, 0).
    #[must_use]
    pub fn push_along<'b>(
        &self,
        other: impl Into<MaskRef<'b>>,
        offset: impl Into<[i32; 2]>,
        direction: impl Into<[i32; 2]>,
    ) -> Option<Point> {
        push_out::along(
            self.as_ref(),
            other.into(),
            Point::from(offset.into()),
            Point::from(direction.into()),
        )
    }

    /// Returns the shortest whole-pixel translation of this mask after which it touches `other`, at
    /// `offset`; `None` if one of the masks has no set pixel.
    ///
    /// (0, 0) if the masks already touch. Among equally short translations it points farthest up,
    /// then farthest left. Each coordinate saturates at the limits of [`Point`]. Takes some
    /// microseconds; seconds between dithered masks of more than 1,000 pixels a side.
    #[must_use]
    pub fn nearest<'b>(
        &self,
        other: impl Into<MaskRef<'b>>,
        offset: impl Into<[i32; 2]>,
    ) -> Option<Point> {
        let by = nearest::nearest(
            self.as_ref(),
            other.into(),
            Point::from(offset.into()),
            i64::MAX / 4,
        )?;
        Some(super::Candidate::new(by).point())
    }

    /// Returns the distance in pixels between the nearest pixels of this mask and `other`, at
    /// `offset`. Returns `None` if one of the masks has no set pixel.
    ///
    /// Measured between pixel centres: 0 if the masks touch, 1 if their pixels are side by side.
    #[must_use]
    pub fn distance<'b>(
        &self,
        other: impl Into<MaskRef<'b>>,
        offset: impl Into<[i32; 2]>,
    ) -> Option<f64> {
        self.as_ref().distance_within(other.into(), Point::from(offset.into()), i64::MAX / 4)
    }

    /// Moves this mask by `motion`, pixel by pixel along its [`PixelPath`], and returns where it
    /// first touches `other`, at `offset`; `None` if it does not.
    ///
    /// A fast motion skips no pixel. The cost grows with the rows that the path crosses near
    /// `other`, not with the length of the motion.
    #[must_use]
    pub fn cast<'b>(
        &self,
        other: impl Into<MaskRef<'b>>,
        offset: impl Into<[i32; 2]>,
        motion: impl Into<[i32; 2]>,
    ) -> Option<Impact> {
        let mask = self.as_ref();
        let (other, offset, path) =
            (other.into(), Point::from(offset.into()), PixelPath::new(motion));
        let step = cast::first_touch(mask, other, offset, path, (0, path.steps()))?;
        Some(Impact::new(mask, other, offset, path, step))
    }
}

impl MaskRef<'_> {
    /// Returns the [`distance`](Self::distance); possibly `None` if it exceeds `most`.
    pub(crate) fn distance_within(
        self,
        other: MaskRef<'_>,
        offset: Point,
        most: i64,
    ) -> Option<f64> {
        // The exact square, so that equal distances are equal numbers.
        let by = nearest::nearest(self, other, offset, most)?;
        Some((super::Candidate::new(by).square as f64).sqrt())
    }
}

impl PosedRef<'_> {
    /// Moves a sprite by `motion` while it turns through `poses`, and returns where it first
    /// touches `other`. `offset` is the position of `other` from the lattice origin of the sprite.
    /// Returns `None` if they do not touch.
    ///
    /// With m poses over n steps, pose floor(i m / (n + 1)) is shown after step i. If there are
    /// more poses than steps, each pose is a step of its own, at the path's pixel floor(i n / (m -
    /// 1)). So every pose is tested.
    #[must_use]
    pub fn cast_turning<'b>(
        poses: &[Self],
        other: impl Into<MaskRef<'b>>,
        offset: impl Into<[i32; 2]>,
        motion: impl Into<[i32; 2]>,
    ) -> Option<Impact> {
        let (other, offset, path) =
            (other.into(), Point::from(offset.into()), PixelPath::new(motion));
        let (n, m) = (u64::from(path.steps()), poses.len() as u64);
        if m <= n + 1 {
            // Pose k is shown from the first step i with i m >= k (n + 1).
            let from = |k: u64| (k * (n + 1)).div_ceil(m) as u32;
            return poses.iter().zip(0..).find_map(|(pose, k)| {
                let (mask, offset) = (pose.mask, offset - pose.origin);
                let steps = (from(k), (from(k + 1) - 1).min(path.steps()));
                let step = cast::first_touch(mask, other, offset, path, steps)?;
                let impact = Impact::new(mask, other, offset, path, step);
                let point = impact.point + pose.origin;
                Some(Impact { point, pose: k as u32, ..impact })
            });
        }
        let at = |k: u64| path.at((k * n / (m - 1)) as u32);
        poses.iter().zip(0..).find_map(|(pose, k)| {
            let (contact_offset, free_offset) = (at(k), at(k.saturating_sub(1)));
            let at = offset - pose.origin - contact_offset;
            let normal = normal(pose.mask, other, at)?;
            let point = shared_pixel(pose.mask, other, at)? + pose.origin + contact_offset;
            Some(Impact {
                step: k as u32,
                steps: m as u32 - 1,
                free_offset,
                contact_offset,
                point,
                pose: k as u32,
                normal,
            })
        })
    }
}
