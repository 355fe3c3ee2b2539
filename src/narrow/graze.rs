use crate::geom::Point;
use crate::mask::{Mask, MaskRef};

/// The result of a graze test by [`Mask::graze`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Graze {
    /// At least one pixel is set in both masks.
    Hit,
    /// No pixel is set in both, but a set pixel of one lies within the radius of a set pixel of the
    /// other.
    Graze,
    /// No set pixel of one lies within the radius of a set pixel of the other.
    Clear,
}

impl<P: AsRef<[u64]>> Mask<P> {
    /// Tests whether `other` at `offset` hits this mask, grazes it, or passes clear of it.
    ///
    /// A graze means that no pixel is set in both masks, but `other` touches this mask grown by
    /// `radius` pixels ([`GrowShape::Disc`](crate::GrowShape::Disc)). With a radius of 0 the answer is never
    /// [`Graze::Graze`].
    ///
    /// The call allocates nothing. Boxes farther apart than the radius cost a few comparisons.
    /// Otherwise each row of the smaller mask is compared with the rows of the larger one within
    /// the radius. If thousands of bullets pass one large ship, grow the mask of the ship once and
    /// call [`touches`](Self::touches) on both masks.
    #[must_use]
    pub fn graze<'b>(
        &self,
        other: impl Into<MaskRef<'b>>,
        offset: impl Into<[i32; 2]>,
        radius: u32,
    ) -> Graze {
        graze(self.as_ref(), other.into(), offset.into().into(), u64::from(radius).pow(2))
    }
}

/// Returns the result of [`Mask::graze`] for the square of a radius that may have a fraction.
pub(crate) fn graze(a: MaskRef<'_>, b: MaskRef<'_>, offset: Point, square: u64) -> Graze {
    if a.touches(b, offset) {
        return Graze::Hit;
    }
    let [x, y] = [i64::from(offset.x), i64::from(offset.y)];
    let rows = |mask: MaskRef<'_>| mask.strips() * mask.height();
    let is_near = if rows(a) >= rows(b) {
        is_near(a, b, [x, y], square)
    } else {
        is_near(b, a, [-x, -y], square)
    };
    if is_near { Graze::Graze } else { Graze::Clear }
}

/// Tests whether the squared distance of a set pixel of `small`, at (x, y), and one of `large` is at
/// most `square`.
fn is_near(large: MaskRef<'_>, small: MaskRef<'_>, [x, y]: [i64; 2], square: u64) -> bool {
    let radius = square.isqrt() as i64;
    let gap = |at: i64, small: u32, large: u32| (at - i64::from(large)).max(-at - i64::from(small));
    let (across, down) =
        (gap(x, small.width(), large.width()), gap(y, small.height(), large.height()));
    if across.max(down) >= radius {
        return false;
    }
    let reach = |at: i64, side: u32| [at - radius, at + i64::from(side) + radius];
    // One fast pass over the words within reach.
    if !large.has_any(reach(x, small.width()), reach(y, small.height())) {
        return false;
    }
    // Restricted to the vertical distances at which rows of both masks face each other.
    let rows = i64::from(large.height()) + i64::from(small.height());
    let nearest = (down + 1).max(0);
    let farthest = (nearest + rows).min(radius);
    (nearest..=farthest).any(|dy| {
        let half = (square - (dy * dy) as u64).isqrt() as i64;
        (0..small.height()).any(|v| {
            let row = y + i64::from(v);
            let row_of_large =
                |row: i64| u32::try_from(row).ok().filter(|&row| row < large.height());
            let (up, down) = (row_of_large(row - dy), row_of_large(row + dy).filter(|_| dy != 0));
            [up, down].into_iter().flatten().any(|row| {
                small.runs(v).any(|(x0, x1)| {
                    let (x0, x1) = (x + i64::from(x0) - half, x + i64::from(x1) + half);
                    large.has_any_in_row([x0, x1], row)
                })
            })
        })
    })
}
