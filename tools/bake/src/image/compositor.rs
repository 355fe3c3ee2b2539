//! Composites the frames of an animation on a canvas, as APNG, GIF89a and WebP define it.
//!
//! Called by `image_file`. The formats share one model: a frame covers a rectangle of the canvas, is
//! blended or replaces, and is disposed of before the next frame. Invariants: a canvas begins
//! transparent, and texels outside the canvas are left out.

use std::num::NonZeroU32;

/// Treatment of a frame's rectangle before the next frame is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Disposal {
    /// The canvas keeps the frame.
    Keep,
    /// The rectangle becomes transparent.
    Clear,
    /// The rectangle gets the texels from before the frame.
    Restore,
}

/// How texels of a frame combine with those of the canvas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Blend {
    /// A texel replaces that of the canvas, alpha included.
    Replace,
    /// A texel is drawn over that of the canvas by its alpha, which is not premultiplied.
    Over,
}

/// The rectangle of a frame on the canvas, in texels, and its treatment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Placement {
    pub(super) corner: [u32; 2],
    pub(super) size: [u32; 2],
    pub(super) disposal: Disposal,
    pub(super) blend: Blend,
}

impl Placement {
    /// Tests whether the rectangle lies on a canvas of `size`.
    pub(super) fn fits(&self, size: [u32; 2]) -> bool {
        [0, 1].iter().all(|&axis| {
            // No sum of 32 bits overflows 64.
            u64::from(self.corner[axis]).saturating_add(self.size[axis].into()) <= size[axis].into()
        })
    }
}

/// Decoded texels (red, green, blue, alpha) of one row of a frame: those of the columns `x`,
/// `x + step`, and so on.
pub(super) struct Row<'a> {
    pub(super) y: u32,
    pub(super) x: u32,
    pub(super) step: u32,
    pub(super) texels: &'a [[u8; 4]],
}

/// A canvas with the last `N` channels of red, green, blue and alpha: 1 for alpha alone, or 4.
pub(super) struct Canvas<const N: usize> {
    size: [u32; 2],
    texels: Vec<[u8; N]>,
    /// The frame that is drawn or shown, and the texels of its rectangle to restore.
    current: Option<(Placement, Vec<[u8; N]>)>,
}

impl<const N: usize> Canvas<N> {
    /// Returns a transparent canvas.
    pub(super) fn new(size: [u32; 2]) -> Self {
        // An overflow would exceed the memory.
        let texels = vec![[0; N]; (size[0] as usize).saturating_mul(size[1] as usize)];
        Self { size, texels, current: None }
    }

    /// Disposes of the current frame and begins the next one.
    pub(super) fn begin(&mut self, placement: Placement) {
        if let Some((last, saved)) = self.current.take() {
            let mut saved = saved.chunks_exact(self.columns(&last).len().max(1));
            for y in self.rows(&last) {
                let columns = self.columns(&last);
                let start = self.start(y);
                let row = &mut self.texels[start..][columns];
                match last.disposal {
                    Disposal::Keep => {}
                    Disposal::Clear => row.fill([0; N]),
                    Disposal::Restore => {
                        let saved = saved.next();
                        debug_assert!(saved.is_some(), "row {y} was not saved");
                        row.copy_from_slice(saved.unwrap_or_default());
                    }
                }
            }
        }
        let mut saved = Vec::new();
        if placement.disposal == Disposal::Restore {
            for y in self.rows(&placement) {
                let row = &self.texels[self.start(y)..];
                saved.extend_from_slice(&row[self.columns(&placement)]);
            }
        }
        self.current = Some((placement, saved));
    }

    /// Draws texels of the current frame.
    pub(super) fn draw(&mut self, row: Row<'_>) {
        let Some((placement, _)) = &self.current else { return };
        let Some(y) = self.rows(placement).nth(row.y as usize) else { return };
        let columns = self.columns(placement);
        let blend = placement.blend;
        let start = self.start(y);
        let line = &mut self.texels[start..][columns];
        let places = line.iter_mut().skip(row.x as usize).step_by(row.step.max(1) as usize);
        for (below, &above) in places.zip(row.texels) {
            match blend {
                Blend::Over if above[3] < 255 => over(above, below),
                Blend::Over | Blend::Replace => *below = channels(above),
            }
        }
    }

    /// Returns the channels of all texels, row by row.
    pub(super) fn bytes(&self) -> &[u8] {
        self.texels.as_flattened()
    }

    /// Returns the index of the first texel of a row, which is on the canvas.
    fn start(&self, y: usize) -> usize {
        y.saturating_mul(self.size[0] as usize)
    }

    /// Returns the rows of the canvas that a frame covers: none for a frame beside the canvas.
    fn rows(&self, placement: &Placement) -> std::ops::Range<usize> {
        if self.columns(placement).is_empty() { 0..0 } else { covered(placement, self.size, 1) }
    }

    /// Returns the columns of the canvas that a frame covers.
    fn columns(&self, placement: &Placement) -> std::ops::Range<usize> {
        covered(placement, self.size, 0)
    }
}

/// Returns the range on one axis of a canvas that a frame covers.
fn covered(placement: &Placement, size: [u32; 2], axis: usize) -> std::ops::Range<usize> {
    let from = placement.corner[axis].min(size[axis]);
    let to = placement.corner[axis].saturating_add(placement.size[axis]).min(size[axis]);
    from as usize..to as usize
}

/// Returns the last `N` channels of a texel.
fn channels<const N: usize>(texel: [u8; 4]) -> [u8; N] {
    const { assert!(N <= 4, "a texel has 4 channels") };
    *texel.last_chunk().unwrap_or(&[0; N])
}

/// Draws a texel over another. Rounds to the nearest value.
fn over<const N: usize>(above: [u8; 4], below: &mut [u8; N]) {
    let alpha = u32::from(above[3]);
    if alpha == 0 {
        return;
    }
    // Both weights, and their sum, are in units of 1 / (255 * 255).
    let Some((below_alpha, below)) = below.split_last_mut() else { return };
    // At most 255 * 255 each, and 24 bits after the multiplication by a channel.
    let of_below = u32::from(*below_alpha).wrapping_mul(255_u32.wrapping_sub(alpha));
    let of_above = alpha.wrapping_mul(255);
    let sum = of_above.wrapping_add(of_below);
    let Some(divisor) = NonZeroU32::new(sum) else { return };
    let colors: [u8; N] = channels(above);
    for (below, above) in below.iter_mut().zip(colors) {
        let mixed = u32::from(above)
            .wrapping_mul(of_above)
            .wrapping_add(u32::from(*below).wrapping_mul(of_below));
        *below = (mixed.wrapping_add(sum / 2) / divisor) as u8;
    }
    *below_alpha = (sum.wrapping_add(127) / 255) as u8;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alpha_over_alpha_is_rounded_to_the_nearest_value() {
        for above in 0..=255_u8 {
            for below in 0..=255_u8 {
                let exact =
                    f64::from(above) + f64::from(below) * (255.0 - f64::from(above)) / 255.0;
                let (mut one, mut four) = ([below], [9, 9, 9, below]);
                over([9, 9, 9, above], &mut one);
                over([9, 9, 9, above], &mut four);
                assert_eq!((one[0], four[3]), (exact.round() as u8, exact.round() as u8));
                assert_eq!(four[..3], [9, 9, 9], "a mixture of equal colours is that colour");
            }
        }
        let mut texel = [0, 100, 200, 255];
        over([255, 0, 200, 51], &mut texel);
        assert_eq!(texel, [51, 80, 200, 255]);
    }

    #[test]
    fn a_frame_beside_the_canvas_changes_no_texel() {
        let mut canvas = Canvas::<1>::new([2, 2]);
        let all = Placement {
            corner: [0; 2],
            size: [2; 2],
            disposal: Disposal::Keep,
            blend: Blend::Replace,
        };
        let row = |y| Row { y, x: 0, step: 1, texels: &[[9; 4]; 2] };
        for corner in [[2, 0], [0, 2], [7, 7], [u32::MAX, 1]] {
            canvas.begin(all);
            (0..2).for_each(|y| canvas.draw(row(y)));
            for disposal in [Disposal::Restore, Disposal::Clear, Disposal::Keep] {
                canvas.begin(Placement { corner, disposal, ..all });
                canvas.draw(row(0));
                assert_eq!(canvas.bytes(), [9; 4], "{corner:?} {disposal:?}");
            }
        }
    }
}
