//! The Minkowski sum of two masks: one mask drawn at every set pixel of the other.
//!
//! Called by `morphology` (grow, shrink) and by [`Mask::convolve`].
//!
//! Invariant: stretches are drawn from the shortest to the longest, because the widened mask only
//! grows.

use super::{Mask, MaskError, MaskRef};

/// A row of `length` pixels, from (x, y) to the right, at each of which a mask is drawn.
#[derive(Clone, Copy)]
pub(super) struct Stretch {
    pub(super) x: i32,
    pub(super) y: i32,
    pub(super) length: u32,
}

/// Draws `mask` with its corner at each pixel of each stretch into a mask of `width` x `height`.
///
/// Drawing a mask at every pixel of a stretch equals drawing the mask widened to the right once. A
/// widened mask widens further by doubling, hence the sort by length.
pub(super) fn sum(mask: MaskRef<'_>, stretches: &mut [Stretch], width: u32, height: u32) -> Mask {
    let mut sum = Mask::clear_of(width, height);
    stretches.sort_unstable_by_key(|stretch| stretch.length);
    let Some(longest) = stretches.last().map(|stretch| stretch.length) else { return sum };
    let mut wide = Widened::new(mask, longest);
    for stretch in stretches {
        wide.widen(stretch.length);
        sum.draw(wide.view(), [stretch.x, stretch.y]);
    }
    sum
}

/// A mask drawn at `length` consecutive pixels of a row.
struct Widened {
    mask: Mask,
    start: u32,
    length: u32,
}

impl Widened {
    fn new(mask: MaskRef<'_>, longest: u32) -> Self {
        let mut wide = Mask::clear_of(mask.width() + longest - 1, mask.height());
        wide.draw(mask, [0, 0]);
        Self { mask: wide, start: mask.width(), length: 1 }
    }

    fn widen(&mut self, length: u32) {
        while self.length < length {
            let step = (length - self.length).min(self.length);
            let before = self.mask.clone();
            self.mask.draw(before.as_ref().left(self.width()), [step as i32, 0]);
            self.length += step;
        }
    }

    fn width(&self) -> u32 {
        self.start + self.length - 1
    }

    /// Returns the mask widened so far.
    fn view(&self) -> MaskRef<'_> {
        self.mask.as_ref().left(self.width())
    }
}

impl<P: AsRef<[u64]>> Mask<P> {
    /// Computes at which offsets this mask overlaps `other`. With w and h the sides of `other`, the
    /// result is W + w - 1 by H + h - 1 pixels. Its pixel (x, y) is set where this mask touches
    /// `other` at offset (x - (w - 1), y - (h - 1)). The result is 0 x 0 where either mask has no
    /// pixels.
    ///
    /// Clear pixels are the offsets at which `other` fits. pygame's `Mask.convolve` is the same
    /// operation.
    ///
    /// Costs a few nanoseconds per 64 pixels of this mask and run of set pixels of `other`. Pass
    /// the mask with fewer runs as `other`.
    ///
    /// ```
    /// use hitmask::Mask;
    /// let wall: Mask = "#..#".parse()?;
    /// let pair: Mask = "##".parse()?;
    /// assert_eq!(wall.convolve(&pair)?.to_string(), "##.##\n");
    /// # Ok::<(), hitmask::MaskError>(())
    /// ```
    ///
    /// # Errors
    /// [`MaskError::TooLarge`] where a side exceeds [`MAX_SIDE`](crate::MAX_SIDE).
    pub fn convolve<'b>(&self, other: impl Into<MaskRef<'b>>) -> Result<Mask, MaskError> {
        let view = self.as_ref();
        let other = other.into();
        if [view, other].iter().any(|mask| mask.width() == 0 || mask.height() == 0) {
            return Ok(Mask::clear_of(0, 0));
        }
        let (width, height) =
            (view.width() + other.width() - 1, view.height() + other.height() - 1);
        Mask::check_size(width, height)?;
        // At offset (dx, dy), pixel p of this mask coincides with p - (dx, dy) of the other. Each
        // run of the other adds this mask, drawn at the run mirrored on both axes.
        let mut stretches: Vec<Stretch> = (0..other.height())
            .flat_map(|y| {
                let y = (other.height() - 1 - y) as i32;
                let turned =
                    move |(x0, x1)| Stretch { x: (other.width() - x1) as i32, y, length: x1 - x0 };
                other.runs((other.height() - 1) - y as u32).map(turned)
            })
            .collect();
        Ok(sum(view, &mut stretches, width, height))
    }
}
