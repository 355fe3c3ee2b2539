//! The union of several placed masks.
//!
//! Used by the baker for motion frames, and public.

use super::{Mask, MaskError, MaskRef};
use crate::geom::Point;

impl Mask {
    /// Returns one mask with the pixels of all `parts`, each at its position, and the position of
    /// its top-left pixel. The mask covers the box around the parts' boxes. Parts with a side of 0
    /// are ignored; without any other part the union is 0 x 0 at (0, 0).
    ///
    /// With all frames or poses of a swing as parts, the union covers the whole swing, so that a
    /// skipped frame cannot miss.
    ///
    /// ```
    /// use hitmask::{Mask, Point};
    /// let blade: Mask = "##".parse()?;
    /// let parts = [(&blade, [3, 0]), (&blade, [4, 1]), (&blade, [4, 2])];
    /// let (motion_frame, at) = Mask::union(parts)?;
    /// assert_eq!(motion_frame.to_string(), "##.\n.##\n.##\n");
    /// assert_eq!(at, Point::new(3, 0));
    /// # Ok::<(), hitmask::MaskError>(())
    /// ```
    ///
    /// # Errors
    /// [`MaskError::TooLarge`] where the box has a side above [`MAX_SIDE`](crate::MAX_SIDE).
    pub fn union<'a, M: Into<MaskRef<'a>>, P: Into<[i32; 2]>>(
        parts: impl IntoIterator<Item = (M, P)>,
    ) -> Result<(Self, Point), MaskError> {
        let parts: Vec<(MaskRef<'a>, Point)> = parts
            .into_iter()
            .map(|(mask, at)| (mask.into(), Point::from(at.into())))
            .filter(|(mask, _)| mask.width() > 0 && mask.height() > 0)
            .collect();
        let corner = |axis: fn(Point) -> i32| parts.iter().map(|&(_, at)| axis(at)).min();
        let (Some(x0), Some(y0)) = (corner(|at| at.x), corner(|at| at.y)) else {
            return Ok((Self::clear_of(0, 0), Point::default()));
        };
        // In i64, because parts may be at both ends of the range.
        let from = |start: i32, at: i32| i64::from(at) - i64::from(start);
        let side = |end: fn(&MaskRef<'a>) -> u32, start: i32, axis: fn(Point) -> i32| {
            let ends = parts.iter().map(|(mask, at)| from(start, axis(*at)) + i64::from(end(mask)));
            ends.max().and_then(|side| u32::try_from(side).ok()).unwrap_or(u32::MAX)
        };
        let width = side(MaskRef::width, x0, |at| at.x);
        let height = side(MaskRef::height, y0, |at| at.y);
        let mut union = Self::new(width, height)?;
        for &(mask, at) in &parts {
            // Within the sides, which `Self::new` has checked.
            union.draw(mask, [from(x0, at.x) as i32, from(y0, at.y) as i32]);
        }
        Ok((union, Point::new(x0, y0)))
    }
}
