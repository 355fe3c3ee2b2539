//! The motions as users ask for them.

use super::normal::{Normal, normal, slope};
use super::{cast, nearest, push_out};
use crate::geom::{PixelPath, Point};
use crate::mask::{Mask, MaskRef};
use crate::raster::PosedRef;

/// Where a motion meets what is in its way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Impact {
    /// The step of the motion's [`PixelPath`] after which the masks first share a pixel; 0 where they
    /// already did before it began.
    pub step: u32,
    /// Steps of the whole motion.
    pub steps: u32,
    /// How far the mask can go without touching: the path's pixel one step before. (0, 0) where
    /// they touched from the beginning.
    pub free_offset: Point,
    /// How far it has gone when they touch: the path's pixel after `step`.
    pub contact_offset: Point,
    /// Which of the poses of a turning motion is shown when they touch; 0 for others.
    pub pose: u32,
    /// Out of what was met, towards the mask that moves; at `met`.
    pub normal: Normal,
}

impl Impact {
    /// The part of the motion, from 0 to 1, that is free: that much of it leads to `free`.
    #[must_use]
    pub fn time(&self) -> f32 {
        let free = f64::from(self.step.saturating_sub(1));
        (free / f64::from(self.steps.max(1))) as f32
    }

    /// The impact of `a`, at (0, 0), with `b`, at `offset`, after a step of `path`.
    pub(crate) fn new(
        a: MaskRef<'_>,
        b: MaskRef<'_>,
        offset: Point,
        path: PixelPath,
        step: u32,
    ) -> Self {
        let (free, met) = (path.at(step.saturating_sub(1)), path.at(step));
        let at = offset - met;
        let back = || Normal::along((free.x - met.x).into(), (free.y - met.y).into());
        // Where the overlap is level, a mask that came from outside came against the normal.
        let found = if step > 0 { slope(a, b, at).or_else(back) } else { normal(a, b, at) };
        let normal = found.unwrap_or(Normal { x: 0.0, y: -1.0 });
        Self { step, steps: path.steps(), free_offset: free, contact_offset: met, pose: 0, normal }
    }
}

impl MaskRef<'_> {
    /// Which way out of `other`, at `offset`, this mask leaves it most readily; `None` where they
    /// do not touch. Where the overlap is level, as where one mask lies deep inside the other, it
    /// is the direction of [`push_out`](Self::push_out). Costs four times an area.
    ///
    /// ```
    /// use hitmask::{Mask, Side};
    /// let ball: Mask = ".##.\n####\n####\n.##.".parse()?;
    /// let floor: Mask = "########\n########".parse()?;
    /// let normal = ball.as_ref().overlap_normal(&floor, [-2, 3]).unwrap();
    /// assert_eq!((normal.x, normal.y), (0.0, -1.0));
    /// assert_eq!((normal.degrees(), normal.side()), (-90.0, Side::Below));
    /// # Ok::<(), hitmask::MaskError>(())
    /// ```
    #[must_use]
    pub fn overlap_normal<'b>(
        self,
        other: impl Into<MaskRef<'b>>,
        offset: impl Into<[i32; 2]>,
    ) -> Option<Normal> {
        normal(self, other.into(), Point::from(offset.into()))
    }

    /// The shortest whole-pixel translation of this mask after which it does not touch `other`, at
    /// `offset`; `None` where they do not touch. Of equally short ones it is the one that points
    /// farthest up, of those the one farthest left. Its length is the depth of the contact.
    ///
    /// Exact for masks of any shape: a ring is pushed inwards where that is shorter. Takes some
    /// microseconds, and longer the deeper the overlap.
    ///
    /// ```
    /// use hitmask::{Mask, Point};
    /// let box_: Mask = "####\n####\n####\n####".parse()?;
    /// assert_eq!(box_.as_ref().push_out(&box_, [1, 3]), Some(Point::new(0, -1)));
    /// assert_eq!(box_.as_ref().push_out(&box_, [3, 2]), Some(Point::new(-1, 0)));
    /// assert_eq!(box_.as_ref().push_out(&box_, [4, 0]), None);
    /// # Ok::<(), hitmask::MaskError>(())
    /// ```
    #[must_use]
    pub fn push_out<'b>(
        self,
        other: impl Into<MaskRef<'b>>,
        offset: impl Into<[i32; 2]>,
    ) -> Option<Point> {
        push_out::out(self, other.into(), Point::from(offset.into()))
    }

    /// The shortest translation along `direction` after which this mask does not touch `other`, at
    /// `offset`: the first such pixel of the [`PixelPath`] in that direction, which is continued for as
    /// long as it takes. `None` where they do not touch, or where the direction is (0, 0).
    #[must_use]
    pub fn push_along<'b>(
        self,
        other: impl Into<MaskRef<'b>>,
        offset: impl Into<[i32; 2]>,
        direction: impl Into<[i32; 2]>,
    ) -> Option<Point> {
        push_out::along(
            self,
            other.into(),
            Point::from(offset.into()),
            Point::from(direction.into()),
        )
    }

    /// The shortest whole-pixel translation of this mask after which it touches `other`, at
    /// `offset`: (0, 0) where they already touch, `None` where one of them has no set pixel. Of
    /// equally short ones the one that points farthest up, of those the one farthest left. A
    /// translation too long for a [`Point`] is cut to what a point can hold.
    #[must_use]
    pub fn nearest<'b>(
        self,
        other: impl Into<MaskRef<'b>>,
        offset: impl Into<[i32; 2]>,
    ) -> Option<Point> {
        let by = nearest::nearest(self, other.into(), Point::from(offset.into()))?;
        Some(super::Candidate::new(by).point())
    }

    /// The distance between the nearest pixels of this mask and of `other`, at `offset`, from
    /// centre to centre: 0 where they touch, 1 where they lie side by side. `None` where one of
    /// them has no set pixel.
    #[must_use]
    pub fn distance<'b>(
        self,
        other: impl Into<MaskRef<'b>>,
        offset: impl Into<[i32; 2]>,
    ) -> Option<f64> {
        let [x, y] =
            nearest::nearest(self, other.into(), Point::from(offset.into()))?.map(|v| v as f64);
        Some((x * x + y * y).sqrt())
    }

    /// Where this mask, moving by `motion` pixel after pixel along its [`PixelPath`], first touches
    /// `other`, at `offset`; `None` where it does not. Nothing is passed through, however fast.
    ///
    /// Costs a walk over the rows of both masks for each row of pixels that the path crosses near
    /// `other`, whatever the length of the motion.
    ///
    /// ```
    /// use hitmask::{Mask, Point};
    /// let bullet: Mask = "##".parse()?;
    /// let plate: Mask = "#\n#\n#\n#".parse()?;
    /// let impact = bullet.as_ref().cast(&plate, [500, -2], [1000, 0]).unwrap();
    /// assert_eq!((impact.free_offset, impact.contact_offset), (Point::new(498, 0), Point::new(499, 0)));
    /// assert_eq!((impact.normal.x, impact.normal.y), (-1.0, 0.0));
    /// assert_eq!(impact.time(), 0.498);
    /// # Ok::<(), hitmask::MaskError>(())
    /// ```
    #[must_use]
    pub fn cast<'b>(
        self,
        other: impl Into<MaskRef<'b>>,
        offset: impl Into<[i32; 2]>,
        motion: impl Into<[i32; 2]>,
    ) -> Option<Impact> {
        let (other, offset, path) =
            (other.into(), Point::from(offset.into()), PixelPath::new(motion));
        let step = cast::first_touch(self, other, offset, path, (0, path.steps()))?;
        Some(Impact::new(self, other, offset, path, step))
    }

    /// How far this mask can move along `motion` without touching `other`, at `offset`: all of it
    /// where nothing is in the way, (0, 0) where they touch from the beginning.
    #[must_use]
    pub fn move_until_contact<'b>(
        self,
        other: impl Into<MaskRef<'b>>,
        offset: impl Into<[i32; 2]>,
        motion: impl Into<[i32; 2]>,
    ) -> Point {
        let motion = Point::from(motion.into());
        self.cast(other, offset, motion).map_or(motion, |impact| impact.free_offset)
    }
}

/// The motions of [`MaskRef`], on an owned mask.
impl Mask {
    /// As [`MaskRef::push_out`].
    #[must_use]
    pub fn push_out<'b>(
        &self,
        other: impl Into<MaskRef<'b>>,
        offset: impl Into<[i32; 2]>,
    ) -> Option<Point> {
        self.as_ref().push_out(other, offset)
    }

    /// As [`MaskRef::distance`].
    #[must_use]
    pub fn distance<'b>(
        &self,
        other: impl Into<MaskRef<'b>>,
        offset: impl Into<[i32; 2]>,
    ) -> Option<f64> {
        self.as_ref().distance(other, offset)
    }

    /// As [`MaskRef::cast`].
    #[must_use]
    pub fn cast<'b>(
        &self,
        other: impl Into<MaskRef<'b>>,
        offset: impl Into<[i32; 2]>,
        motion: impl Into<[i32; 2]>,
    ) -> Option<Impact> {
        self.as_ref().cast(other, offset, motion)
    }
}

impl PosedRef<'_> {
    /// Where a sprite that moves by `motion` and turns while it does first touches `other`, at
    /// `offset` from the sprite's lattice origin. `poses` are what it shows on the way, in order:
    /// m poses over n steps, pose floor(i m / (n + 1)) after step i, and every pose is shown:
    /// where there are more poses than steps, each takes its turn as a step of its own, and the
    /// sprite stands at the path's pixel floor(i n / (m - 1)). `None` where nothing is met.
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
                Some(Impact { pose: k as u32, ..impact })
            });
        }
        let at = |k: u64| path.at((k * n / (m - 1)) as u32);
        poses.iter().zip(0..).find_map(|(pose, k)| {
            let (met, free) = (at(k), at(k.saturating_sub(1)));
            let normal = normal(pose.mask, other, offset - pose.origin - met)?;
            Some(Impact {
                step: k as u32,
                steps: m as u32 - 1,
                free_offset: free,
                contact_offset: met,
                pose: k as u32,
                normal,
            })
        })
    }
}
